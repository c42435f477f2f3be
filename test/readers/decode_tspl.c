/*
 * decode_tspl.c - reads a job of page/pack/ in TSPL back into dots, and prints
 * the commands that make none.
 *
 *   decode-tspl --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 *   CLS     bare paper
 *   BITMAP  x, y, bytes and lines, 0; then these, in which 0 is ink
 *   PRINT   sets, copies
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "test/readers/printed.h"

#define MAX_TEXT 64   /* characters of a command */
#define MAX_LINE 8192 /* bytes of dots */

struct tspl_job {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, lines; /* lines: of this page */
    bool clear;
};

/* Reads up to the line's end, or to the last comma of a BITMAP. */
static void next_command(struct job_bytes *in, char text[MAX_TEXT])
{
    size_t size = 0;
    unsigned byte, commas = 0;

    text[0] = '\0';
    while ((byte = next_byte(in)) != '\r') {
        if (size == MAX_TEXT - 1)
            wrong(in, "a command of more than %d characters", MAX_TEXT - 1);
        text[size++] = (char)byte;
        text[size] = '\0';
        commas += byte == ',';
        if (commas == 5 && strncmp(text, "BITMAP ", 7) == 0)
            return;
    }
    expect(in, '\n');
}

static void take_bitmap(struct tspl_job *l, const char *text)
{
    unsigned x, y, bytes, lines, mode;
    unsigned char line[MAX_LINE];

    if (sscanf(text, "BITMAP %u,%u,%u,%u,%u,", &x, &y, &bytes, &lines, &mode) !=
            5 ||
        mode != 0 || bytes == 0 || bytes > MAX_LINE || !l->clear)
        wrong(l->in, "%s", text);
    for (unsigned i = 0; i < lines; i++) {
        const unsigned char *dots = next_bytes(l->in, bytes);

        for (unsigned at = 0; at < bytes; at++)
            line[at] = (unsigned char)~dots[at];
        printed_row(l->paper, l->in, 'K', x, y + i, line, 8 * (size_t)bytes);
    }
    l->lines = y + lines;
    expect(l->in, '\r');
    expect(l->in, '\n');
}

static void eject(struct tspl_job *l)
{
    l->pages++;
    if (l->paper->width == 0)
        printf("page %u: lines %u,%s\n", l->pages, l->lines, l->paper->notes);
    printed_eject(l->paper);
    l->paper->notes[0] = '\0';
    l->lines = 0;
    l->clear = false;
}

static void take_command(struct tspl_job *l)
{
    static const char *const settings[] = {
        "SIZE ",       "GAP ",      "BLINE ",     "SET PEEL ",
        "SET CUTTER ", "SET TEAR ", "SPEED ",     "DENSITY ",
        "SHIFT ",      "OFFSET ",   "DIRECTION ", "REFERENCE "};
    char text[MAX_TEXT];
    size_t i = 0;

    next_command(l->in, text);
    if (text[0] == '\0')
        return;
    if (strncmp(text, "BITMAP ", 7) == 0) {
        take_bitmap(l, text);
        return;
    }
    printed_note(l->paper, "%s", text);
    if (strncmp(text, "PRINT 1,", 8) == 0 && l->lines > 0)
        eject(l);
    else if (strcmp(text, "CLS") == 0)
        l->clear = true;
    else {
        while (i < sizeof settings / sizeof settings[0] &&
               strncmp(text, settings[i], strlen(settings[i])) != 0)
            i++;
        if (i == sizeof settings / sizeof settings[0])
            wrong(l->in, "the command %.20s", text);
    }
}

static void read_tspl(struct job_bytes *in, struct printed *page)
{
    struct tspl_job l = {.in = in, .paper = page};

    while (in->at < in->size)
        take_command(&l);
    if (l.pages == 0 || l.lines > 0)
        wrong(in, "a label was not printed");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_tspl);
}
