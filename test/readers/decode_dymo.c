/*
 * decode_dymo.c - reads a job for Dymo's label printers back into dots: those
 * of rastertolabel and page/pack/, raster2dymolw (LabelWriter) and
 * raster2dymolm (LabelManager).
 *
 *   decode-dymo --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * ESC D says how many bytes a line has and ESC B how many are blank before
 * them. SYN is a line of that many bytes; ETB one of the same dots as runs: the
 * top bit is the color, the others the length less 1. ESC f 1 feeds lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define ESCAPE 0x1b
#define LINE 0x16 /* SYN */
#define RUNS 0x17 /* ETB */

struct dymo {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, line;
    unsigned bytes, blank; /* of a line, in bytes */
    bool measured;         /* ESC D has come for the page */
    bool ejected;          /* by the command before */
};

static void take_line(struct dymo *d)
{
    printed_row(d->paper, d->in, 'K', 8 * d->blank, d->line,
                next_bytes(d->in, d->bytes), 8 * d->bytes);
    d->line++;
}

static void take_runs(struct dymo *d)
{
    unsigned char ink[16]; /* of the longest run */
    unsigned x = 0, width = 8 * d->bytes;

    memset(ink, 255, sizeof(ink));
    while (x < width) {
        unsigned run = next_byte(d->in);
        unsigned count = (run & 127) + 1;

        if (count > width - x)
            wrong(d->in, "%u dots at %u of %u", count, x, width);
        if (run & 128)
            printed_row(d->paper, d->in, 'K', 8 * d->blank + x, d->line, ink,
                        count);
        x += count;
    }
    d->line++;
}

static void eject(struct dymo *d)
{
    d->pages++;
    if (d->paper->width == 0)
        printf("page %u: lines %u,%s\n", d->pages, d->line, d->paper->notes);
    printed_eject(d->paper);
    d->paper->notes[0] = '\0';
    d->line = 0;
    d->measured = false;
}

static void take_command(struct dymo *d)
{
    unsigned letter = next_byte(d->in);
    bool ejected = d->ejected;
    const unsigned char *length;

    d->ejected = letter == 'G' || (ejected && letter == 'A');
    switch (letter) {
    case '@': /* reset */
    case 'A': /* asks for the status, until the printer is ready */
        return;
    case 'c': /* density, from light to dark: c d e g */
    case 'd':
    case 'e':
    case 'g':
    case 'h': /* 300 dpi; i: for pictures */
    case 'i':
        printed_note(d->paper, "%c", (int)letter);
        return;
    case 'C': /* kind of tape */
        next_byte(d->in);
        return;
    case 'q': /* roll, a digit */
        printed_note(d->paper, "q%c", (int)next_byte(d->in));
        return;
    case 'L': /* length of the label, high byte first */
        length = next_bytes(d->in, 2);
        printed_note(d->paper, "L%u", 256u * length[0] + length[1]);
        return;
    case 'Q': /* lines that follow */
        next_bytes(d->in, 2);
        return;
    case 'B':
        d->blank = next_byte(d->in);
        return;
    case 'D':
        d->bytes = next_byte(d->in);
        if (!d->measured) /* raster2dymolw cuts lines where their dots end */
            printed_note(d->paper, "D%u", d->bytes);
        d->measured = true;
        return;
    case 'E': /* feed to where the label can be torn off; G: to the next one */
        if (!ejected)
            eject(d);
        return;
    case 'G':
        eject(d);
        return;
    case 'f':
        expect(d->in, 1);
        d->line += next_byte(d->in);
        return;
    default:
        wrong(d->in, "ESC 0x%02x", letter);
    }
}

/* A job begins with as many ESC or NUL as a line that was cut may lack. */
static void skip_start(struct job_bytes *in)
{
    while (in->at < in->size && in->data[in->at] == 0)
        next_byte(in);
    while (in->size - in->at > 1 && in->data[in->at] == ESCAPE &&
           in->data[in->at + 1] == ESCAPE)
        next_byte(in);
}

static void read_dymo(struct job_bytes *in, struct printed *page)
{
    struct dymo d = {.in = in, .paper = page};

    skip_start(in);
    while (in->at < in->size) {
        unsigned byte = next_byte(in);

        switch (byte) {
        case ESCAPE:
            take_command(&d);
            break;
        case LINE:
            take_line(&d);
            break;
        case RUNS:
            take_runs(&d);
            break;
        default:
            wrong(in, "0x%02x between commands", byte);
        }
    }
    if (d.pages == 0 || d.line > 0)
        wrong(in, "a label was not ejected");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_dymo);
}
