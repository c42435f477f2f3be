/*
 * decode_brlaser.c - reads a job of brlaser, for Brother's laser printers, back
 * into dots.
 *
 *   decode-brlaser --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * A page is ESC*b1030m, blocks of rows and 1030M, and a form feed. A block is
 * its size in decimal, "w", 0, the number of its rows, at most 64, and these. A
 * row is 255, blank, or a number of edits of the row before, which is blank at
 * the top of a block. An edit skips s bytes, and then
 *
 *   0ssssttt   replaces t + 1 bytes by those that follow
 *   1ssttttt   replaces t + 2 bytes by the one that follows
 *
 * A count with all bits set goes on in bytes up to one below 255.
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
#define BLANK 255
#define MAX_LINE 4096   /* bytes */
#define MAX_BLOCK 65536 /* bytes */

struct brlaser {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, row;
    unsigned char line[MAX_LINE]; /* the row before */
};

/* ---- Rows --------------------------------------------------------------- */

static size_t next_count(struct job_bytes *in, unsigned head, unsigned all)
{
    size_t count = head & all;
    unsigned more;

    if (count == all) {
        do {
            more = next_byte(in);
            count += more;
        } while (more == 255);
    }
    return count;
}

/* Edits `line` from `at` on; returns where the edit ends. */
static size_t edit(struct job_bytes *in, unsigned char *line, size_t at)
{
    unsigned head = next_byte(in);
    bool repeats = head & 128;
    size_t skip =
        repeats ? next_count(in, head >> 5, 3) : next_count(in, head >> 3, 15);
    size_t count =
        repeats ? next_count(in, head, 31) + 2 : next_count(in, head, 7) + 1;

    if (skip > MAX_LINE - at || count > MAX_LINE - at - skip)
        wrong(in, "a row of more than %d bytes", MAX_LINE);
    if (repeats)
        memset(line + at + skip, (int)next_byte(in), count);
    else
        memcpy(line + at + skip, next_bytes(in, count), count);
    return at + skip + count;
}

static void take_row(struct brlaser *b)
{
    unsigned edits = next_byte(b->in);
    size_t bytes = MAX_LINE;
    size_t at = 0;

    if (edits == BLANK)
        memset(b->line, 0, MAX_LINE);
    for (; edits != BLANK && edits > 0; edits--)
        at = edit(b->in, b->line, at);
    while (bytes > 0 && b->line[bytes - 1] == 0)
        bytes--;
    printed_row(b->paper, b->in, 'K', 0, b->row, b->line, 8 * bytes);
    b->row++;
}

/* ---- Pages -------------------------------------------------------------- */

/* A number in decimal, to the character behind it, which is returned. */
static char next_number(struct job_bytes *in, size_t *number)
{
    unsigned byte = next_byte(in);

    for (*number = 0; byte >= '0' && byte <= '9'; byte = next_byte(in)) {
        *number = 10 * *number + (byte - '0');
        if (*number > MAX_BLOCK)
            wrong(in, "a number beyond %d", MAX_BLOCK);
    }
    return (char)byte;
}

static void take_block(struct brlaser *b, size_t size)
{
    struct job_bytes *in = b->in;
    size_t start = in->at;
    unsigned rows;

    expect(in, 0);
    rows = next_byte(in);
    memset(b->line, 0, MAX_LINE);
    for (; rows > 0; rows--)
        take_row(b);
    if (in->at - start != size)
        wrong(in, "a block of %zu bytes has %zu", size, in->at - start);
}

/* Behind "ESC*b1030m". */
static void take_page(struct brlaser *b)
{
    size_t number;
    char letter;

    b->row = 0;
    while ((letter = next_number(b->in, &number)) == 'w')
        take_block(b, number);
    if (letter != 'M' || number != 1030)
        wrong(b->in, "%zu%c within a page", number, letter);
    expect(b->in, FORM_FEED);
    b->pages++;
    if (b->paper->width == 0)
        printf("page %u: rows %u\n", b->pages, b->row);
    printed_eject(b->paper);
}

/* Skips everything around pages: PJL and two commands of PCL. */
static void read_brlaser(struct job_bytes *in, struct printed *page)
{
    static const char start[] = "\033*b1030m";
    const size_t size = sizeof(start) - 1;
    struct brlaser b = {.in = in, .paper = page};

    while (in->at < in->size) {
        if (in->size - in->at >= size &&
            memcmp(in->data + in->at, start, size) == 0) {
            next_bytes(in, size);
            take_page(&b);
        } else {
            next_byte(in);
        }
    }
    if (b.pages == 0)
        wrong(in, "no pages");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_brlaser);
}
