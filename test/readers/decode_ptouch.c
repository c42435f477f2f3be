/*
 * decode_ptouch.c - reads a job of rastertoptch, for Brother's label printers
 * P-touch and QL, back into dots.
 *
 *   decode-ptouch --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * G or g, with a size of two bytes, is a line, packed behind "M 2", and Z a
 * blank one; a form feed prints the label, and SUB the last one. Brother,
 * "Raster Command Reference".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define ESCAPE 0x1b
#define FORM_FEED 0x0c
#define SUB 0x1a
#define MAX_LINE 256 /* bytes */

struct ptouch {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, line;
    bool packed;
};

/* `size` bytes stand next. */
static void take_line(struct ptouch *p, size_t size)
{
    unsigned char line[MAX_LINE];
    const unsigned char *from = next_bytes(p->in, size);

    if (p->packed)
        size = unpack_bits(p->in, from, size, line, MAX_LINE);
    else if (size <= MAX_LINE)
        memcpy(line, from, size);
    else
        wrong(p->in, "a line of %zu bytes", size);
    printed_row(p->paper, p->in, 'K', 0, p->line, line, 8 * size);
    p->line++;
}

static void eject(struct ptouch *p)
{
    p->pages++;
    if (p->paper->width == 0)
        printf("page %u: lines %u\n", p->pages, p->line);
    printed_eject(p->paper);
    p->line = 0;
}

/* ESC @ resets; ESC i with a letter sets up a job or a label. */
static void take_setting(struct ptouch *p)
{
    unsigned letter = next_byte(p->in);

    if (letter == '@')
        return;
    if (letter != 'i')
        wrong(p->in, "ESC 0x%02x", letter);
    letter = next_byte(p->in);
    switch (letter) {
    case 'A': /* how many labels are between cuts */
    case 'D': /* density */
    case 'K': /* cuts and resolution */
    case 'M': /* cuts */
    case 'R': /* raster comes */
    case 'S':
    case 'a': /* raster comes */
        next_byte(p->in);
        return;
    case 'd': /* feed before and behind */
        next_bytes(p->in, 2);
        return;
    case 'c': /* kind of label, its width and length */
        next_bytes(p->in, 5);
        return;
    case 'z': /* the same, and its lines */
        next_bytes(p->in, 10);
        return;
    default:
        wrong(p->in, "ESC i 0x%02x", letter);
    }
}

static void take_command(struct ptouch *p)
{
    struct job_bytes *in = p->in;
    unsigned letter = next_byte(in);
    size_t size;

    switch (letter) {
    case 0: /* before a job, as many as a line that was cut may lack */
        return;
    case ESCAPE:
        take_setting(p);
        return;
    case 'M':
        p->packed = next_byte(in) == 2;
        return;
    case 'G': /* the size's low byte comes first, */
        take_line(p, next_word(in));
        return;
    case 'g': /* and here last */
        size = 256 * next_byte(in);
        take_line(p, size + next_byte(in));
        return;
    case 'Z':
        p->line++;
        return;
    case FORM_FEED:
    case SUB:
        eject(p);
        return;
    default:
        wrong(in, "0x%02x between commands", letter);
    }
}

static void read_ptouch(struct job_bytes *in, struct printed *page)
{
    struct ptouch p = {.in = in, .paper = page};

    while (in->at < in->size)
        take_command(&p);
    if (p.pages == 0 || p.line > 0)
        wrong(in, "a label was not printed");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_ptouch);
}
