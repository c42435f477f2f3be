/*
 * gutenprint_ask.c - a child with the pages on standard input, whose messages
 * are read while STP_DEBUG is 5. Of a page, in this order:
 *
 *   DEBUG: Gutenprint: ================ Printing page 1      ====
 *   DEBUG: Gutenprint: Add channel INK, SHADE, DARKNESS
 *   DEBUG: Gutenprint: stpi_dither_set_ranges channel ...
 *   DEBUG: Gutenprint:   level NUMBER value AREA pattern CODE
 *   DEBUG: Gutenprint:  print_gamma GAMMA
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
#define _GNU_SOURCE /* pipe2(), memfd_create() */

#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cups/raster.h>

#include "halftone/base/text.h"
#include "page/choice.h"
#include "ppd/convert/gutenprint_ask.h"

#define SECONDS 5 /* of silence; real filters take 0.03 for a page */
#define MOST                                                                   \
    (1 << 18)     /* bytes of messages for a page; real ones are 25,000        \
                   */
#define WIDTH 144 /* points, of a sheet so small that it is fast */
#define HEIGHT 72
#define MARGINS 100      /* points, so that a row covers what reaches beyond */
#define WIDEST (1 << 20) /* bytes of a row */
#define FULL 65535       /* Gutenprint's density of 1 */

extern char **environ;

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

static void read_drop(struct asked_ink *ink, const char *line)
{
    char area[20];
    unsigned code;

    if (ink != NULL &&
        sscanf(line, " level %*u value %19[0-9.] pattern %u", area, &code) ==
            2 &&
        code > 0 && code < ASK_CODES &&
        text_decimal(area, 0, 1, &ink->area[code]))
        ink->codes |= 1U << code;
}

/* Reads what is said of the page's tones. */
static void read_tones(struct trace *trace, const char *line)
{
    static const char *const gammas[ASK_INKS] = {"BlackGamma", "CyanGamma",
                                                 "MagentaGamma", "YellowGamma"};
    struct asked_page *page = trace->page;
    double number;

    number_of(line, "print_gamma", 100, &page->print_gamma);
    for (int i = 0; i < ASK_INKS; i++)
        number_of(line, gammas[i], 100, &page->ink[i].gamma);
    if (number_of(line, "ink_limit", ASK_INKS * FULL, &number))
        page->limit = number / FULL;
    if (number_of(line, "Channel", 99, &number))
        trace->ink = number < ASK_INKS ? &page->ink[(int)number] : NULL;
    if (number_of(line, "Subchannel", 99, &number) && number > 0)
        trace->ink = NULL;
    if (trace->ink != NULL && number_of(line, "density", FULL, &number))
        trace->ink->density = number / FULL;
}

static void read_line(struct trace *trace, const char *line)
{
    static const char prefix[] = "DEBUG: Gutenprint: ";
    struct asked_page *page = trace->page;
    unsigned channel, shade;

    if (page != NULL && strncmp(line, "ERROR:", 6) == 0)
        page->failed = true;
    if (strncmp(line, prefix, sizeof prefix - 1) != 0)
        return;
    line += sizeof prefix - 1;
    if (strncmp(line, "====", 4) == 0 && strstr(line, " Printing ") != NULL &&
        trace->next < trace->end) {
        trace->page = trace->next++;
        trace->ink = NULL;
    } else if (page == NULL) {
        return;
    } else if (strncmp(line, "====", 4) == 0 &&
               strstr(line, " Done ") != NULL) {
        page->answered = true;
    } else if (sscanf(line, "Add channel %u, %u,", &channel, &shade) == 2) {
        trace->ink = channel < page->inks ? &page->ink[channel] : NULL;
        page->failed = page->failed || trace->ink == NULL || shade > 0;
    } else if (strncmp(line, "stpi_dither_set_ranges ", 23) == 0) {
        if (trace->ink != NULL)
            trace->ink->codes = 0;
    } else {
        read_drop(trace->ink, line);
        read_tones(trace, line);
    }
}

/* Gives whole lines to the trace; returns how many bytes are left of the last.
 */
static size_t take_lines(struct trace *trace, char *text, size_t size)
{
    char *line = text, *end;

    while ((end = memchr(line, '\n', size)) != NULL) {
        *end = '\0';
        read_line(trace, line);
        size -= (size_t)(end + 1 - line);
        line = end + 1;
    }
    memmove(text, line, size);
    return size;
}

/* Reads messages up to the end of the last page. Loses what is too long for a
 * line. */
static void listen_to(struct trace *trace, size_t pages, int messages)
{
    struct pollfd file = {.fd = messages, .events = POLLIN};
    const struct asked_page *last = trace->end - 1;
    struct timespec now;
    char text[4096];
    size_t used = 0, all = 0;
    ssize_t count = 1;

    clock_gettime(CLOCK_MONOTONIC, &now);
    const time_t end = now.tv_sec + SECONDS + (time_t)pages;
    while (count > 0 && all < pages * MOST && !last->answered &&
           now.tv_sec < end && poll(&file, 1, SECONDS * 1000) > 0) {
        count = read(messages, text + used, sizeof text - used);
        all += count > 0 ? (size_t)count : 0;
        used = take_lines(trace, text, used + (count > 0 ? (size_t)count : 0));
        used = used == sizeof text ? 0 : used;
        clock_gettime(CLOCK_MONOTONIC, &now);
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
                       unsigned char *row)
{
    cups_page_header2_t header = {
        .Duplex = page->duplex,
        .HWResolution = {page->dpi[0], page->dpi[1]},
        .NumCopies = 1,
        .PageSize = {WIDTH, HEIGHT},
        .cupsWidth = (WIDTH + MARGINS) * page->dpi[0] / 72 + 2,
        .cupsHeight = 1,
        .cupsBitsPerColor = 8,
        .cupsBitsPerPixel = 8 * page->inks,
        .cupsColorSpace = page->inks == 1 ? CUPS_CSPACE_K : CUPS_CSPACE_KCMY,
        .cupsCompression = page->number,
        .cupsNumColors = page->inks,
        .cupsPageSize = {WIDTH, HEIGHT}};

    header.cupsBytesPerLine = header.cupsWidth * page->inks;
    if (page->paper != NULL)
        snprintf(header.MediaType, sizeof header.MediaType, "%s", page->paper);
    return header.cupsBytesPerLine <= WIDEST &&
           cupsRasterWriteHeader2(raster, &header) != 0 &&
           cupsRasterWritePixels(raster, row, header.cupsBytesPerLine) > 0;
}

/* Returns a file with all pages, a few kB each as blank rows are compressed, or
 * -1. */
static int write_pages(const struct asked_page *pages, size_t count)
{
    int file = gutenprint_file("", 0);
    unsigned char *row = calloc(1, WIDEST);
    cups_raster_t *raster =
        file < 0 || row == NULL
            ? NULL
            : cupsRasterOpen(file, CUPS_RASTER_WRITE_COMPRESSED);
    bool ok = raster != NULL;

    for (size_t i = 0; ok && i < count; i++)
        ok = write_page(raster, &pages[i], row);
    cupsRasterClose(raster);
    free(row);
    if (file < 0 || (ok && lseek(file, 0, SEEK_SET) == 0))
        return file;
    close(file);
    return -1;
}

/* ---- The filter ---------------------------------------------------------- */

/* Starts the filter by env(1), which the variables are for. Returns the end of
 * its messages, or -1. */
static int start(pid_t *process, const char *filter, int ppd, int pages,
                 const char *options)
{
    char path[CHOICE_MAX_PATH];
    const char *const argv[] = {
        "env", "PPD=/dev/fd/3", "STP_DEBUG=5", "LC_ALL=C", path, "1",
        "lp",  "blank",         "1",           options,    NULL};
    posix_spawn_file_actions_t files;
    int ends[2];

    snprintf(path, sizeof path, "%s/filter/%s", choice_program_directory(),
             filter);
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, pages, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ppd, 3);
    int error = posix_spawnp(process, argv[0], &files, NULL,
                             (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error == 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

bool gutenprint_ask(struct asked_page *pages, size_t count, const char *filter,
                    int ppd, const char *options)
{
    struct trace trace = {.next = pages, .end = pages + count};
    int file = count == 0 ? -1 : write_pages(pages, count);
    pid_t process = 0;
    int messages = file < 0 ? -1 : start(&process, filter, ppd, file, options);

    if (file >= 0)
        close(file);
    if (messages < 0)
        return false;
    listen_to(&trace, count, messages);
    close(messages);
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    return pages[count - 1].answered;
}
