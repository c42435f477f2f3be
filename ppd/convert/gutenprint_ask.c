/*
 * gutenprint_ask.c - reads what the filter says of each page while STP_DEBUG is
 * 5, in this order:
 *
 *   DEBUG: Gutenprint: ================ Printing page 1      ====
 *   DEBUG: Gutenprint: Add channel INK, SHADE, DARKNESS
 *   DEBUG: Gutenprint: stpi_dither_set_ranges channel ...
 *   DEBUG: Gutenprint:   level NUMBER value AREA pattern CODE
 *   DEBUG: Gutenprint:  print_gamma GAMMA    likewise contrast and brightness
 *   DEBUG: Gutenprint:  CyanGamma GAMMA
 *   DEBUG: Gutenprint:    ink_limit      LIMIT
 *   DEBUG: Gutenprint:    Channel INK:
 *   DEBUG: Gutenprint:          density DENSITY:
 *   DEBUG: Gutenprint: ================ Done printing page 1 ====
 *
 * The last that is said of an ink's drops holds. The number behind set_ranges
 * is no ink's with some drivers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create(), memmem() */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cups/raster.h>

#include "halftone/base/text.h"
#include "page/choice.h"
#include "ppd/convert/gutenprint_ask.h"
#include "ppd/convert/program.h"

#define SECONDS 5   /* for the filter to start, and 1 for a page, of 0.03 */
#define LINES 5000  /* of messages for a page; real ones are 400 */
#define LINE 256    /* bytes; the end of longer ones says nothing */
#define WIDTH 144   /* points, of a sheet so small that it is fast */
#define MARGINS 100 /* points, so that a row covers what reaches beyond */
#define WIDEST (1 << 20) /* bytes of a row */
#define FULL 65535       /* Gutenprint's density of 1 */

/* Redirects messages into the pipe of program_start(). */
static const char command[] =
    "exec timeout -s KILL \"$4\" env PPD=\"$2\" STP_DEBUG=5 LC_ALL=C "
    "\"$0\" 1 lp blank 1 \"$1\" <\"$3\" 2>&1 >\"$5\"";

struct trace {
    struct asked_page *next, *end;
    struct asked_page *page; /* NULL = before the first */
    struct asked_ink *ink;   /* that lines are about; may be NULL */
};

/* ---- Messages ------------------------------------------------------------ */

/* Reads the number behind a word that begins the line. */
static bool number_of(const char *line, const char *word, double most,
                      double *number)
{
    char text[20];

    line += strspn(line, " ");
    return strncmp(line, word, strlen(word)) == 0 &&
           sscanf(line + strlen(word), " %19[0-9.]", text) == 1 &&
           text_decimal(text, 0, most, number);
}

/* Reads what is said of the page's tones. */
static void read_tones(struct trace *trace, const char *line)
{
    static const char *const gammas[ASK_INKS] = {"BlackGamma", "CyanGamma",
                                                 "MagentaGamma", "YellowGamma"};
    struct asked_page *page = trace->page;
    double number;

    number_of(line, "print_gamma", 100, &page->print_gamma);
    number_of(line, "contrast", 4, &page->contrast);
    number_of(line, "brightness", 2, &page->brightness);
    for (int i = 0; i < ASK_INKS; i++)
        number_of(line, gammas[i], 100, &page->ink[i].gamma);
    if (number_of(line, "ink_limit", ASK_INKS * FULL, &number))
        page->limit = number / FULL;
    if (number_of(line, "Channel", ASK_INKS - 1, &number))
        trace->ink = &page->ink[(int)number];
    if (trace->ink != NULL && number_of(line, "density", FULL, &number))
        trace->ink->density = number / FULL;
}

static void read_line(struct trace *trace, const char *line)
{
    static const char prefix[] = "DEBUG: Gutenprint: ";
    struct asked_page *page = trace->page;
    unsigned channel, shade, code;
    char area[20];

    if (strncmp(line, prefix, sizeof prefix - 1) != 0)
        return;
    line += sizeof prefix - 1;
    if (strstr(line, "= Printing page ") != NULL && trace->next < trace->end) {
        trace->page = trace->next++;
        trace->page->contrast = trace->page->brightness = 1;
        trace->ink = NULL;
    } else if (page != NULL && strstr(line, "= Done printing ") != NULL) {
        page->answered = true;
    } else if (page != NULL &&
               sscanf(line, "Add channel %u, %u,", &channel, &shade) == 2) {
        trace->ink = channel < page->inks ? &page->ink[channel] : NULL;
        page->failed = page->failed || trace->ink == NULL || shade > 0;
    } else if (trace->ink != NULL &&
               strncmp(line, "stpi_dither_set_ranges ", 23) == 0) {
        trace->ink->codes = 0;
    } else if (sscanf(line, " level %*u value %19[0-9.] pattern %u", area,
                      &code) == 2) {
        if (trace->ink != NULL && code > 0 && code < ASK_CODES &&
            text_decimal(area, 0, 1, &trace->ink->area[code]))
            trace->ink->codes |= 1U << code;
    } else if (page != NULL) {
        read_tones(trace, line);
    }
}

/* ---- Pages --------------------------------------------------------------- */

int gutenprint_file(const char *bytes, size_t size)
{
    int file = memfd_create("gutenprint", MFD_CLOEXEC);

    if (file < 0 || write(file, bytes, size) == (ssize_t)size)
        return file;
    close(file);
    return -1;
}

/* Writes a page of one row, which the filter takes for a small sheet's. */
static bool write_page(cups_raster_t *raster, const struct asked_page *page,
                       unsigned height, unsigned char *row)
{
    cups_page_header2_t header = {
        .Duplex = page->duplex,
        .HWResolution = {page->dpi[0], page->dpi[1]},
        .NumCopies = 1,
        .PageSize = {WIDTH, height},
        .cupsWidth = (WIDTH + MARGINS) * page->dpi[0] / 72 + 2,
        .cupsHeight = 1,
        .cupsBitsPerColor = 8,
        .cupsBitsPerPixel = 8 * page->inks,
        .cupsColorSpace = page->inks == 1 ? CUPS_CSPACE_K : CUPS_CSPACE_KCMY,
        .cupsCompression = page->number,
        .cupsNumColors = page->inks,
        .cupsPageSize = {WIDTH, (float)height}};

    header.cupsBytesPerLine = header.cupsWidth * page->inks;
    if (page->paper != NULL)
        snprintf(header.MediaType, sizeof header.MediaType, "%s", page->paper);
    return header.cupsBytesPerLine <= WIDEST &&
           cupsRasterWriteHeader2(raster, &header) != 0 &&
           cupsRasterWritePixels(raster, row, header.cupsBytesPerLine) > 0;
}

/* Returns a file with all pages, a few kB each as blank rows are compressed, or
 * -1. */
static int write_pages(const struct asked_page *pages, size_t count,
                       unsigned height)
{
    unsigned char *row = calloc(1, WIDEST);
    int file = row == NULL ? -1 : gutenprint_file("", 0);
    cups_raster_t *raster =
        file < 0 ? NULL : cupsRasterOpen(file, CUPS_RASTER_WRITE_COMPRESSED);
    bool ok = raster != NULL;

    for (size_t i = 0; ok && i < count; i++)
        ok = write_page(raster, &pages[i], height, row);
    cupsRasterClose(raster);
    free(row);
    if (ok || file < 0)
        return file;
    close(file);
    return -1;
}

/* ---- The filter ---------------------------------------------------------- */

/* Fails pages that Canon's printers would print at another resolution, in a
 * mode for the paper: the job has a command with that of each page. */
static void check_job(int job, struct asked_page *pages, size_t count)
{
    static const unsigned char dpi[] = "\33(d\4"; /* and a 0 */
    const off_t size = lseek(job, 0, SEEK_END);
    const unsigned char *bytes =
        size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, job, 0)
                 : MAP_FAILED;
    const unsigned char *at = bytes, *end = bytes + size;

    if (bytes == MAP_FAILED)
        return;
    for (size_t i = 0; i < count; i++) {
        at = memmem(at, (size_t)(end - at), dpi, sizeof dpi);
        if (at == NULL || end - at < (ptrdiff_t)sizeof dpi + 4)
            break;
        at += sizeof dpi;
        if ((at[0] << 8 | at[1]) != (int)pages[i].dpi[0] ||
            (at[2] << 8 | at[3]) != (int)pages[i].dpi[1])
            pages[i].failed = true;
    }
    munmap((void *)bytes, (size_t)size);
}

/* Asks in one job of sheets so high, in points. */
static void ask(struct asked_page *pages, size_t count, unsigned height,
                const char *filter, int ppd, const char *options)
{
    struct trace trace = {.next = pages, .end = pages + count};
    char path[CHOICE_MAX_PATH], files[3][64], seconds[24], line[LINE];
    const char *const argv[] = {"sh",     "-c",     command, path,     options,
                                files[0], files[1], seconds, files[2], NULL};
    const int of[] = {ppd, write_pages(pages, count, height),
                      gutenprint_file("", 0)};
    struct other_program program;
    FILE *messages = NULL;

    snprintf(path, sizeof path, "%s/filter/%s", choice_program_directory(),
             filter);
    for (int i = 0; i < 3; i++)
        snprintf(files[i], sizeof files[i], "/proc/%d/fd/%d", (int)getpid(),
                 of[i]);
    snprintf(seconds, sizeof seconds, "%zu", SECONDS + count);
    if (of[1] >= 0 && of[2] >= 0 && program_start(&program, argv)) {
        messages = fdopen(program.output, "r");
        for (size_t i = 0; messages != NULL && i < (count + 1) * LINES &&
                           fgets(line, sizeof line, messages) != NULL;
             i++)
            read_line(&trace, line);
        if (messages == NULL)
            close(program.output);
        else
            fclose(messages);
        program_end(&program);
        check_job(of[2], pages, count);
    }
    for (int i = 1; i < 3; i++)
        if (of[i] >= 0)
            close(of[i]);
}

bool gutenprint_ask(struct asked_page *pages, size_t count, const char *filter,
                    int ppd, const char *options)
{
    /* More than both margins of a DesignJet; Gutenprint 5.3.4 crashes where it
     * weaves so small a page for some of Epson's. */
    static const unsigned heights[] = {108, 216, 432};
    size_t done = 0;

    for (int i = 0; i < 3 && done < count && (i == 0 || done > 0); i++) {
        ask(pages + done, count - done, heights[i], filter, ppd, options);
        while (done < count && pages[done].answered)
            done++;
    }
    return done == count;
}
