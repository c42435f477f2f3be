/*
 * decode_sag.c - reads a SAG-GDI job of rastertosag-gdi, for Ricoh's laser
 * printers Aficio SP 1000S and 1100S, back into dots.
 *
 *   decode-sag --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * A job is a line of text and records: two bytes of kind, two of size, the low
 * one first, two of zero, and the content. A page's rows are runs of dots, 1 =
 * ink, in records of up to 255 bytes; a run does not reach over a row's end:
 *
 *   0cnnnnnn           n dots of c
 *   1cnnnnnn mmmmmmmm  n + 64 m dots of c
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define NAME ") SAG-GDI RL;"
#define NAME_SIZE 78 /* bytes */
#define MAX_WIDTH 8192
#define PAGE_SIZE 15

enum record { JOB = 0x10, PAGE = 0x11, RUNS = 0x12, END = 0x13, LAST = 0x14 };

struct sag {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages;
    unsigned width, height; /* of this page, in dots; 0: there is none */
    unsigned x, y;          /* where the next run begins */
    unsigned char line[MAX_WIDTH / 8];
};

static void take_run(struct sag *s, struct job_bytes *runs)
{
    unsigned head = next_byte(runs);
    unsigned count = head & 63;

    if (head & 128)
        count += 64 * next_byte(runs);
    if (s->y >= s->height || count > s->width - s->x)
        wrong(s->in, "%u dots from (%u, %u) of %ux%u", count, s->x, s->y,
              s->width, s->height);
    for (; count > 0; count--, s->x++)
        if (head & 64)
            s->line[s->x / 8] |= (unsigned char)(128 >> s->x % 8);
    if (s->x < s->width)
        return;
    printed_row(s->paper, s->in, 'K', 0, s->y, s->line, s->width);
    memset(s->line, 0, sizeof(s->line));
    s->x = 0;
    s->y++;
}

static void take_runs(struct sag *s, size_t size)
{
    struct job_bytes runs = {s->in->data, s->in->at + size, s->in->at};

    next_bytes(s->in, size);
    while (runs.at < runs.size)
        take_run(s, &runs);
}

static void begin_page(struct sag *s)
{
    const unsigned char *page = next_bytes(s->in, PAGE_SIZE);

    if (s->width > 0)
        wrong(s->in, "a page within a page");
    s->width = page[6] | (unsigned)page[7] << 8;
    s->height = page[8] | (unsigned)page[9] << 8;
    if (s->width == 0 || s->width > MAX_WIDTH)
        wrong(s->in, "a page %u dots wide", s->width);
    s->x = s->y = 0;
}

static void end_page(struct sag *s)
{
    if (s->width == 0 || s->y < s->height)
        wrong(s->in, "row %u of %u is the last", s->y, s->height);
    s->pages++;
    if (s->paper->width == 0)
        printf("page %u: %ux%u\n", s->pages, s->width, s->height);
    s->width = 0;
    printed_eject(s->paper);
}

/* Returns false behind the last record. */
static bool take_record(struct sag *s)
{
    unsigned kind = next_word(s->in), size = next_word(s->in);

    expect(s->in, 0);
    expect(s->in, 0);
    switch (kind) {
    case JOB:
        next_bytes(s->in, size);
        break;
    case PAGE:
        if (size != PAGE_SIZE)
            wrong(s->in, "a page of %u bytes", size);
        begin_page(s);
        break;
    case RUNS:
        take_runs(s, size);
        break;
    case END:
        end_page(s);
        break;
    case LAST:
        return false;
    default:
        wrong(s->in, "a record 0x%x", kind);
    }
    return true;
}

static void read_sag(struct job_bytes *in, struct printed *page)
{
    struct sag s = {.in = in, .paper = page};

    if (memcmp(next_bytes(in, NAME_SIZE), NAME, sizeof(NAME) - 1) != 0)
        wrong(in, "no SAG-GDI job");
    while (take_record(&s))
        ;
    if (in->at != in->size || s.width > 0 || s.pages == 0)
        wrong(in, "the job does not end there");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_sag);
}
