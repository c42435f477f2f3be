/*
 * decode_pcl.c - reads a PCL 3 raster job back into dots, as a printer would:
 * the commands that CUPS's rastertohp and our page/pack/pcl.c and
 * page/pack/pcl3.c send, and no others.
 *
 *   decode-pcl [--configured] --pages FILE | --dots WIDTHxHEIGHT INKS FILE
 *
 * With --configured each page's raster has to be configured by ESC*g#W, as
 * rastertopcl3 does; without, none may be.
 *
 * A job is a reset, pages and a reset. A page is set up, filled with rows of
 * one to four planes each, ended and ejected; the front of a sheet that is
 * printed on both sides stays in. HP, "PCL 3 Developer's Guide to PCL
 * printers" and "PCL 5 Printer Language Technical Reference Manual".
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

static bool wants_configuration;

struct pcl {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages;
    unsigned dpi[2];
    unsigned media_size, media_type, copies, length; /* length: in 1/6 inch */
    int tray;
    unsigned duplex;    /* 1: bound at the long edge; 2: at the short one */
    unsigned left, top; /* 1/720 inch */
    const char *inks;
    bool configured;        /* by ESC*g#W; says so of this page */
    unsigned width, height; /* dots; 0 = not said */
    unsigned compression;
    bool graphics; /* rows may come */
    bool loaded;   /* a page that is printed and not yet ejected */
    bool back;     /* this page is on the back of the last one */
    unsigned row, plane;
    unsigned char data[PCL_MAX_ROW]; /* a plane's row, unpacked */
};

static unsigned positive(const struct pcl *p, int number)
{
    if (number < 0)
        wrong(p->in, "the number %d", number);
    return (unsigned)number;
}

static void needs(const struct pcl *p, bool graphics)
{
    if (p->graphics != graphics)
        wrong(p->in, "a command that is for %s graphics",
              graphics ? "inside" : "outside of");
}

/* ---- Rows --------------------------------------------------------------- */

/* ESC*b#V, one more plane of the row, and ESC*b#W, its last one. */
static void take_plane(struct pcl *p, size_t count, bool last)
{
    size_t bytes = pcl_unpack(p->in, count, p->compression, p->data);

    needs(p, true);
    if (last != (p->inks[p->plane + 1] == '\0'))
        wrong(p->in, "plane %u of %s is%s the last one", p->plane + 1, p->inks,
              last ? "" : " not");
    if (p->height > 0 && p->row >= p->height)
        wrong(p->in, "row %u of %u", p->row + 1, p->height);
    if (p->compression != 3 && p->width > 0 && bytes != (p->width + 7) / 8)
        wrong(p->in, "%zu bytes for a row of %u dots", bytes, p->width);
    printed_row(p->paper, p->in, p->inks[p->plane], 0, p->row, p->data,
                8 * bytes);
    p->plane++;
    if (last) {
        p->plane = 0;
        p->row++;
    }
}

/* ---- Pages -------------------------------------------------------------- */

static void begin_page(struct pcl *p)
{
    needs(p, false);
    if (p->loaded && !p->back)
        wrong(p->in, "the last page was not ejected");
    if (p->dpi[0] == 0)
        wrong(p->in, "a page without a resolution");
    if (p->configured != wants_configuration)
        wrong(p->in, "a page with%s configuration", p->configured ? "" : "out");
    if (p->paper->width > 0 && p->width > 0 &&
        (p->width != p->paper->width || p->height != p->paper->height))
        wrong(p->in, "a page of %ux%u dots", p->width, p->height);
    if (p->paper->width > 0 && strlen(p->inks) != strlen(p->paper->inks))
        wrong(p->in, "a page of the inks %s", p->inks);
    p->graphics = true;
    p->row = 0;
    p->plane = 0;
    p->compression = 0;
    memset(p->data, 0, sizeof(p->data));
}

static void end_page(struct pcl *p)
{
    needs(p, true);
    if (p->plane != 0)
        wrong(p->in, "a row without its last planes");
    p->graphics = false;
    p->loaded = true;
    p->back = false;
    p->pages++;
    if (p->paper->width == 0)
        printf("page %u: %ux%u dpi, inks %s, size %u, length %u, media %u, "
               "tray %d, copies %u, duplex %u, mode %u, top %u, rows %u, "
               "left %u\n",
               p->pages, p->dpi[0], p->dpi[1], p->inks, p->media_size,
               p->length, p->media_type, p->tray, p->copies, p->duplex,
               p->compression, p->top, p->row, p->left);
    printed_eject(p->paper);
    p->width = p->height = 0;
    p->inks = "K";
    p->configured = false;
}

/* Where a reset stands, between jobs, nothing may be left in the printer. */
static void reset(struct pcl *p)
{
    if (p->graphics)
        wrong(p->in, "a reset in the middle of a page");
    if (p->loaded && !(p->duplex > 0 && p->pages % 2 == 1))
        wrong(p->in, "a reset with a page in the printer");
}

/* ESC*g#W: format 2, planes, then resolution and levels for each of these. */
static void configure(struct pcl *p, unsigned count)
{
    const unsigned char *data = next_bytes(p->in, count);

    if (count < 2 || data[0] != 2 || (data[1] != 1 && data[1] != 4) ||
        count != 2 + 6u * data[1])
        wrong(p->in, "a raster configuration of another kind");
    p->inks = data[1] == 4 ? "KCMY" : "K";
    p->configured = true;
    for (size_t ink = 0; ink < data[1]; ink++) {
        const unsigned char *entry = data + 2 + 6 * ink;
        unsigned dpi[2] = {entry[0] * 256u + entry[1],
                           entry[2] * 256u + entry[3]};

        if (dpi[0] != p->dpi[0] || dpi[1] != p->dpi[0] || entry[4] != 0 ||
            entry[5] != 2)
            wrong(p->in, "ink %zu of %ux%u dpi and %u levels", ink, dpi[0],
                  dpi[1], entry[5]);
    }
}

static void set_inks(struct pcl *p, int number)
{
    switch (number) {
    case -3:
        p->inks = "CMY";
        return;
    case -4:
        p->inks = "KCMY";
        return;
    default:
        wrong(p->in, "a palette of %d planes", number);
    }
}

/* ESC&l#H: 0 ejects; anything else is where the next sheet comes from. */
static void feed(struct pcl *p, int number)
{
    needs(p, false);
    if (number == 0)
        p->loaded = false;
    else if (number == -2) /* turn the sheet, or take one for two sides */
        p->back = p->loaded;
    else
        p->tray = number;
}

/* ---- Commands ----------------------------------------------------------- */

static void page_command(struct pcl *p, int number, char command)
{
    switch (command) {
    case 'A':
        p->media_size = positive(p, number);
        return;
    case 'D': /* lines an inch */
    case 'E': /* top margin */
    case 'L': /* perforation skip */
    case 'O': /* orientation */
        return;
    case 'H':
        feed(p, number);
        return;
    case 'M':
        p->media_type = positive(p, number);
        return;
    case 'P':
        p->length = positive(p, number);
        return;
    case 'S':
        p->duplex = positive(p, number);
        if (number > 2)
            wrong(p->in, "duplex %d", number);
        return;
    case 'X':
        p->copies = positive(p, number);
        return;
    default:
        wrong(p->in, "ESC&l%d%c", number, command);
    }
}

static void raster_command(struct pcl *p, int number, char command)
{
    switch (command) {
    case 'A':
        begin_page(p);
        return;
    case 'B': /* ends a page of one ink, */
    case 'C': /* and of more */
        end_page(p);
        return;
    case 'S':
        p->width = positive(p, number);
        return;
    case 'T':
        p->height = positive(p, number);
        return;
    case 'U':
        set_inks(p, number);
        return;
    default:
        wrong(p->in, "ESC*r%d%c", number, command);
    }
}

static void data_command(struct pcl *p, int number, char command)
{
    needs(p, true);
    switch (command) {
    case 'M':
        if (number < 0 || number > 3 || (number == 3 && p->inks[1] != '\0'))
            wrong(p->in, "compression %d", number);
        p->compression = (unsigned)number;
        return;
    case 'V':
    case 'W':
        take_plane(p, positive(p, number), command == 'W');
        return;
    case 'Y':
        if (p->plane != 0)
            wrong(p->in, "a feed within a row");
        p->row += positive(p, number);
        memset(p->data, 0, sizeof(p->data));
        return;
    default:
        wrong(p->in, "ESC*b%d%c", number, command);
    }
}

/* `family` is the two characters behind ESC. */
static void command(void *context, const char *family, int number, char command)
{
    struct pcl *p = context;

    if (strcmp(family, "&l") == 0)
        page_command(p, number, command);
    else if (strcmp(family, "*r") == 0)
        raster_command(p, number, command);
    else if (strcmp(family, "*b") == 0)
        data_command(p, number, command);
    else if (strcmp(family, "*g") == 0 && command == 'W')
        configure(p, positive(p, number));
    else if ((strcmp(family, "*t") == 0 && command == 'R') ||
             (strcmp(family, "&u") == 0 && command == 'D'))
        p->dpi[0] = p->dpi[1] = positive(p, number);
    else if (strcmp(family, "&a") == 0 && command == 'G' && number == 2)
        p->back = p->loaded;
    else if (strcmp(family, "&a") == 0 && command == 'V')
        p->top = positive(p, number);
    else if (strcmp(family, "&a") == 0 && command == 'H')
        p->left = positive(p, number);
    else if (!((strcmp(family, "&k") == 0 && command == 'H') ||
               (strcmp(family, "*p") == 0 && strchr("XY", command))) ||
             (*family != '&' && number != 0))
        wrong(p->in, "ESC%s%d%c", family, number, command);
}

static void read_pcl(struct job_bytes *in, struct printed *page)
{
    struct pcl p = {.in = in, .paper = page, .inks = "K"};

    expect(in, ESCAPE);
    expect(in, 'E');
    for (;;) {
        unsigned byte = next_byte(in);

        if (byte == FORM_FEED) {
            feed(&p, 0);
            continue;
        }
        if (byte != ESCAPE)
            wrong(in, "0x%02x between commands", byte);
        byte = next_byte(in);
        if (byte == 'E')
            break;
        pcl_escape(in, byte, command, &p);
    }
    reset(&p);
    if (in->at != in->size)
        wrong(in, "more behind the last reset");
    if (p.pages == 0)
        wrong(in, "no pages");
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--configured") == 0) {
        wants_configuration = true;
        argv[1] = argv[0];
        argc--;
        argv++;
    }
    return read_job(argc, argv, read_pcl);
}
