/*
 * decode_pcl5.c - reads a black PCL 5 raster job of other drivers back into
 * dots: those of hpcups for LaserJets, of rastertolabel for Intellitech's
 * label printers, and of rastertopclx for plotters, in HP-GL/2.
 *
 *   decode-pcl5 --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * The page begins where the cursor is at its first row. What is set up outside
 * of raster graphics is not looked at, but for the resolution; within them a
 * command that is not known is wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/pcl.h"
#include "test/readers/printed.h"

#define ESCAPE 0x1b
#define FORM_FEED 0x0c

struct pcl5 {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, dpi;
    bool plotter;  /* HP-GL/2 stands between commands */
    bool graphics; /* rows may come */
    bool loaded;   /* rows have come that are not ejected */
    unsigned compression;
    unsigned top;                    /* where the cursor is at row 0, in dots */
    unsigned row;                    /* the next one */
    unsigned char data[PCL_MAX_ROW]; /* the row before, unpacked */
};

static unsigned peek(const struct job_bytes *in)
{
    return in->at < in->size ? in->data[in->at] : ESCAPE;
}

static unsigned positive(const struct pcl5 *p, int number)
{
    if (number < 0)
        wrong(p->in, "the number %d", number);
    return (unsigned)number;
}

/* ---- Raster graphics ---------------------------------------------------- */

static void feed(struct pcl5 *p, unsigned rows)
{
    memset(p->data, 0, sizeof(p->data));
    p->row += rows;
}

/* Hpcups goes on with rows behind a form feed. */
static void eject(struct pcl5 *p)
{
    if (!p->loaded)
        wrong(p->in, "a page without rows");
    p->pages++;
    if (p->paper->width == 0)
        printf("page %u: %u dpi, compression %u, top %u, rows %u\n", p->pages,
               p->dpi, p->compression, p->top, p->row);
    printed_eject(p->paper);
    p->loaded = false;
    p->row = 0;
    feed(p, 0);
}

/* The cursor's way down; before the first row it is where the page begins. */
static void move(struct pcl5 *p, unsigned y)
{
    if (p->row == 0)
        p->top = y;
    else if (y < p->top + p->row)
        wrong(p->in, "back from row %u", p->row);
    else
        feed(p, y - p->top - p->row);
}

static void take_row(struct pcl5 *p, size_t count)
{
    size_t bytes = pcl_unpack(p->in, count, p->compression, p->data);
    size_t most = (p->paper->width + 7) / 8;

    /* Blank bytes beyond the page are the packing's. */
    while (bytes > most && p->data[bytes - 1] == 0)
        bytes--;
    printed_row(p->paper, p->in, 'K', 0, p->row, p->data, 8 * bytes);
    p->row++;
    p->loaded = true;
}

static void data_command(struct pcl5 *p, int number, char letter)
{
    switch (letter) {
    case 'M':
        p->compression = positive(p, number);
        return;
    case 'S': /* the row before is blank */
        feed(p, 0);
        return;
    case 'W':
        take_row(p, positive(p, number));
        return;
    case 'Y':
        feed(p, positive(p, number));
        return;
    default:
        wrong(p->in, "ESC*b%d%c", number, letter);
    }
}

static void raster_command(struct pcl5 *p, int number, char letter)
{
    switch (letter) {
    case 'A':
        p->graphics = true;
        p->compression = 0;
        feed(p, 0);
        return;
    case 'B':
    case 'C':
        p->graphics = false;
        return;
    case 'S': /* width and height */
    case 'T':
        return;
    default:
        wrong(p->in, "ESC*r%d%c", number, letter);
    }
}

static void command(void *context, const char *family, int number, char letter)
{
    struct pcl5 *p = context;

    if (strcmp(family, "*r") == 0)
        raster_command(p, number, letter);
    else if (strcmp(family, "*p") == 0 && letter == 'Y')
        move(p, positive(p, number));
    else if (strcmp(family, "*p") == 0 && letter == 'X' && number == 0)
        return;
    else if (p->graphics && strcmp(family, "*b") == 0)
        data_command(p, number, letter);
    else if (p->graphics)
        wrong(p->in, "ESC%s%d%c in raster graphics", family, number, letter);
    else if (strcmp(family, "*t") == 0 && letter == 'R')
        p->dpi = positive(p, number);
    else if (letter == 'W')
        next_bytes(p->in, positive(p, number));
}

/* ---- Around the pages --------------------------------------------------- */

/* ESC%-12345X and lines of PJL; the language that they enter. */
static void take_pjl(struct pcl5 *p)
{
    for (const char *rest = "-12345X"; *rest != '\0'; rest++)
        expect(p->in, (unsigned char)*rest);
    while (peek(p->in) == '@') {
        char line[256];
        size_t size = 0;
        unsigned byte;

        do {
            byte = next_byte(p->in);
            if (size < sizeof(line) - 1)
                line[size++] = (char)byte;
        } while (byte != '\n');
        line[size] = '\0';
        if (strstr(line, "ENTER LANGUAGE") != NULL)
            p->plotter = strstr(line, "HPGL2") != NULL;
    }
}

/* HP-GL/2, of which only PG, the end of the page, matters; texts may have it.
 */
static void take_plot(struct pcl5 *p)
{
    unsigned before = 0;
    bool text = false;

    while (peek(p->in) != ESCAPE) {
        unsigned byte = next_byte(p->in);

        if (byte == '"')
            text = !text;
        else if (!text && before == 'P' && byte == 'G')
            eject(p);
        before = byte;
    }
}

static void take_escape(struct pcl5 *p)
{
    unsigned byte = next_byte(p->in);

    if (byte == 'E')
        return;
    if (byte != '%') {
        pcl_escape(p->in, byte, command, p);
    } else if (peek(p->in) == '-') {
        take_pjl(p);
    } else {
        next_byte(p->in);
        p->plotter = next_byte(p->in) == 'B';
    }
}

static void read_pcl5(struct job_bytes *in, struct printed *page)
{
    struct pcl5 p = {.in = in, .paper = page};

    expect(in, ESCAPE);
    for (;;) {
        take_escape(&p);
        if (p.plotter)
            take_plot(&p);
        while (in->at < in->size && peek(in) == FORM_FEED) {
            next_byte(in);
            eject(&p);
        }
        if (in->at == in->size)
            break;
        expect(in, ESCAPE);
    }
    if (p.loaded || p.pages == 0)
        wrong(in, "a page was not ejected");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_pcl5);
}
