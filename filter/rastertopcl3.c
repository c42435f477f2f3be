/*
 * rastertopcl3.c - packs dots for printers of HP PCL 3 that want each page's
 * raster configured, ESC*g#W: halfpcl3.ppd. CUPS 2.4.20 no longer does.
 *
 *   rastertopcl3 job-id user title copies options [file]
 *
 * Pages have one bit a sample: K, or K, C, M, Y with banded lines; what is
 * missing of the last one is bare paper. Rows are packed by TIFF's PackBits,
 * and bare ones left out. SIGTERM is ignored: in a canceled job the raster
 * ends soon, and the printer gets whole pages.
 *
 * HP, "PCL 3 Developer's Guide to PCL printers"; the configuration, format 2,
 * is the one that Ghostscript's device pcl3 sends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/stream.h"

#define MOST_PLANES 4u
#define MOST_DOTS 32767u /* of a row or a column: PCL's numbers end there */

/* ---- What a printer is told of a page ------------------------------------ */

/* PCL's number of a size, by its length in points; 0 = of none. */
static unsigned size_number(unsigned length)
{
    static const struct {
        unsigned length, number;
    } sizes[] = {{540, 80}, {595, 25},  {624, 90},  {649, 91},
                 {684, 81}, {709, 100}, {756, 1},   {792, 2},
                 {842, 26}, {1008, 3},  {1191, 27}, {1224, 6}};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].length == length)
            return sizes[i].number;
    return 0;
}

static void put_word(unsigned word)
{
    putchar((int)(word >> 8 & 0xff));
    putchar((int)(word & 0xff));
}

/* Says of each plane its resolution, and that it has two levels. */
static void configure(const cups_page_header2_t *header, unsigned planes)
{
    printf("\033*g%uW", 2 + 6 * planes);
    putchar(2);
    putchar((int)planes);
    for (unsigned i = 0; i < planes; i++) {
        put_word(header->HWResolution[0]);
        put_word(header->HWResolution[1]);
        put_word(2);
    }
}

static void begin_page(const cups_page_header2_t *header, unsigned planes)
{
    const unsigned length = header->PageSize[1];
    const unsigned copies = header->NumCopies > 0 ? header->NumCopies : 1;

    if (header->MediaPosition > 0)
        printf("\033&l%uH", header->MediaPosition);
    printf("\033&l6D\033&k12H\033&l0O"); /* units, upright */
    if (size_number(length) > 0)
        printf("\033&l%uA", size_number(length));
    printf("\033&l%uP\033&l0E", length / 12);
    printf("\033&l%uX", copies);
    printf("\033&l%uM", header->cupsMediaType);
    printf("\033&u%uD", header->HWResolution[0]);
    printf("\033&l0e0L\033*p0Y\033*p0X");
    configure(header, planes);
    printf("\033*r%uS\033*r%uT", header->cupsWidth, header->cupsHeight);
    printf("\033*r1A\033*b2M");
}

static void end_page(void)
{
    printf("\033*rC\033&l0H");
}

/* ---- Rows --------------------------------------------------------------- */

/* Counts the bytes at `from` that are equal, up to 128. */
static size_t run_of(const unsigned char *from, size_t size)
{
    size_t run = 1;

    while (run < size && run < 128 && from[run] == from[0])
        run++;
    return run;
}

/* Packs a row of `size` bytes by PackBits; returns how many it becomes, at most
 * size + (size + 127) / 128. */
static size_t pack(const unsigned char *from, size_t size, unsigned char *to)
{
    unsigned char *const packed = to;

    while (size > 0) {
        const size_t run = run_of(from, size);

        if (run > 2) {
            *to++ = (unsigned char)(257 - run);
            *to++ = *from;
            from += run;
            size -= run;
            continue;
        }
        size_t literal = run;
        while (literal < size && literal < 128 &&
               run_of(from + literal, size - literal) < 3)
            literal++;
        *to++ = (unsigned char)(literal - 1);
        memcpy(to, from, literal);
        to += literal;
        from += literal;
        size -= literal;
    }
    return (size_t)(to - packed);
}

static bool is_bare(const unsigned char *row, size_t bytes)
{
    return row[0] == 0 && memcmp(row, row + 1, bytes - 1) == 0;
}

/* What a page's rows are packed with. */
struct rows {
    size_t bytes; /* of a plane's row */
    unsigned planes;
    unsigned char *line;   /* [planes][bytes], one after the other */
    unsigned char *packed; /* [bytes + (bytes + 127) / 128] */
};

/* Sends a row, behind `bare` ones. */
static void send_row(const struct rows *rows, unsigned bare)
{
    if (bare > 0)
        printf("\033*b%uY", bare);
    for (unsigned i = 0; i < rows->planes; i++) {
        const size_t size =
            pack(rows->line + i * rows->bytes, rows->bytes, rows->packed);

        printf("\033*b%zu%c", size, i + 1 < rows->planes ? 'V' : 'W');
        fwrite(rows->packed, 1, size, stdout);
    }
}

/* Sends the page's rows; false when some are missing. */
static bool send_rows(struct stream *in, const struct rows *rows,
                      unsigned height)
{
    const size_t bytes = rows->planes * rows->bytes;
    unsigned bare = 0;

    for (unsigned y = 0; y < height; y++) {
        if (stream_read_lines(in, rows->line, 1, bytes) < 1)
            return false;
        if (is_bare(rows->line, bytes)) {
            bare++;
        } else {
            send_row(rows, bare);
            bare = 0;
        }
    }
    return true;
}

/* ---- Pages -------------------------------------------------------------- */

/* Returns how many planes a page has, or 0 after an ERROR line. */
static unsigned planes_of(const cups_page_header2_t *header)
{
    const bool banded = header->cupsColorOrder == CUPS_ORDER_BANDED;
    const unsigned planes =
        header->cupsColorSpace == CUPS_CSPACE_K                ? 1
        : header->cupsColorSpace == CUPS_CSPACE_KCMY && banded ? 4
                                                               : 0;

    if (planes == 0 || header->cupsBitsPerColor != 1 ||
        header->cupsNumColors != planes)
        message("ERROR", "Not raster of dots in K or banded KCMY");
    else if (header->cupsWidth - 1 >= MOST_DOTS ||
             header->cupsHeight - 1 >= MOST_DOTS)
        message("ERROR", "A page of %ux%u dots, and PCL has at most %u",
                header->cupsWidth, header->cupsHeight, MOST_DOTS);
    else if (header->cupsBytesPerLine != planes * ((header->cupsWidth + 7) / 8))
        message("ERROR", "Lines of %u bytes for %u dots",
                header->cupsBytesPerLine, header->cupsWidth);
    else if (header->HWResolution[0] - 1 >= UINT16_MAX ||
             header->HWResolution[1] - 1 >= UINT16_MAX)
        message("ERROR", "A resolution of %ux%u dpi", header->HWResolution[0],
                header->HWResolution[1]);
    else
        return planes;
    return 0;
}

static bool print_page(struct stream *in, const cups_page_header2_t *header,
                       unsigned planes)
{
    const size_t bytes = (header->cupsWidth + 7) / 8;
    struct rows rows = {.bytes = bytes, .planes = planes};
    bool ok = false;

    rows.line = malloc(planes * bytes);
    rows.packed = malloc(bytes + (bytes + 127) / 128);
    if (rows.line == NULL || rows.packed == NULL) {
        message("ERROR", "Not enough memory for a row");
    } else {
        begin_page(header, planes);
        ok = send_rows(in, &rows, header->cupsHeight);
        end_page();
        if (!ok)
            message("ERROR", "The raster ends in the middle of a page");
    }
    free(rows.line);
    free(rows.packed);
    return ok;
}

/* Prints the raster's pages, and counts them; false after an ERROR line. */
static bool print_pages(struct stream *in, unsigned *pages)
{
    cups_page_header2_t header;
    enum stream_header next;

    while ((next = stream_read_header(in, &header)) == STREAM_PAGE) {
        const unsigned planes = planes_of(&header);

        if (planes == 0)
            return false;
        if (*pages == 0)
            printf("\033E");
        message("PAGE", "%u %u", ++*pages,
                header.NumCopies > 0 ? header.NumCopies : 1);
        if (!print_page(in, &header, planes))
            return false;
    }
    if (next == STREAM_DAMAGED)
        message("ERROR", "The raster is damaged after page %u", *pages);
    else if (*pages == 0)
        message("ERROR", "The raster has no pages");
    return next == STREAM_END && *pages > 0;
}

/* Prints the job from `input`; 0, or 1 after an ERROR line. */
static int print_job(int input)
{
    struct stream in = {.raster = NULL};
    unsigned pages = 0;
    bool ok = stream_open_input(&in, input);

    if (ok)
        ok = print_pages(&in, &pages);
    else
        message("ERROR", "The raster has no pages");
    stream_close(&in);
    if (pages > 0)
        printf("\033E");
    if (fflush(stdout) != 0 && ok) {
        message("ERROR", "The printer's data cannot be written");
        ok = false;
    }
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    int input = STDIN_FILENO;

    message_begin();
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc != 6 && argc != 7) {
        message("ERROR",
                "rastertopcl3 job-id user title copies options [file]");
        return 1;
    }
    if (argc == 7 && (input = open(argv[6], O_RDONLY | O_CLOEXEC)) < 0) {
        message("ERROR", "The raster cannot be opened");
        return 1;
    }
    return print_job(input);
}
