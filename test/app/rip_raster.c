/*
 * rip_raster.c - writes the raster that the printer application's RIP makes of
 * a PDF.
 *
 *   rip-raster [OPTION VALUE]... FILE
 *
 *   --size WIDTHxLENGTH        1/100 mm; 21000x29700
 *   --margins L,B,R,T          1/100 mm; 0,0,0,0
 *   --dpi DPI[xDPI]            72
 *   --orientation N            ipp_orient_t; 0
 *   --pages FIRST-LAST         0-0
 *   --color 1, --exact 1, --art 1, --scaling N
 *                              0; N of enum rip_scaling
 *   --memory MiB, --seconds N, --silent N, --file MiB
 *                              limits other than the usual ones
 *   --cancel BYTES             cancels the work when so many have been read
 *   --leave BYTES              ends the RIP then
 *   --wait 1                   for standard input's end, after the RIP's
 *   --colors 1                 instead of raster, a line for each page and one
 *                              for each of its colors but bare paper, with the
 *                              pixels that are inside of it: "COLOR X,Y-X,Y"
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/owner.h"
#include "page/stream.h"
#include "printer-app/rip/rip.h"
#include "printer-app/rip/rip_limits.h"

static atomic_bool is_off;

static bool is_canceled(struct owner *owner)
{
    (void)owner;
    return atomic_load(&is_off);
}

struct rip_arguments {
    struct rip_page page;
    struct rip_limits limits;
    uint64_t cancel, leave;
    bool wait, colors;
};

/* False when there is no such option, or no such value. */
static bool take(struct rip_arguments *asked, const char *name,
                 const char *value)
{
    struct rip_page *page = &asked->page;
    struct rip_limits *limits = &asked->limits;
    int *m = page->margins;
    const unsigned number = (unsigned)strtoul(value, NULL, 10);

    if (strcmp(name, "--size") == 0)
        return sscanf(value, "%dx%d", &page->width, &page->length) == 2;
    if (strcmp(name, "--margins") == 0)
        return sscanf(value, "%d,%d,%d,%d", &m[0], &m[1], &m[2], &m[3]) == 4;
    if (strcmp(name, "--pages") == 0)
        return sscanf(value, "%u-%u", &page->first, &page->last) == 2;
    if (strcmp(name, "--dpi") == 0) {
        const int got = sscanf(value, "%ux%u", &page->dpi[0], &page->dpi[1]);

        if (got == 1)
            page->dpi[1] = page->dpi[0];
        return got >= 1;
    }
    if (strcmp(name, "--orientation") == 0)
        page->orientation = (int)number;
    else if (strcmp(name, "--color") == 0)
        page->color = number != 0;
    else if (strcmp(name, "--art") == 0)
        page->art = number != 0;
    else if (strcmp(name, "--exact") == 0)
        page->exact = number != 0;
    else if (strcmp(name, "--scaling") == 0)
        page->scaling = (enum rip_scaling)number;
    else if (strcmp(name, "--memory") == 0)
        limits->memory_mib = number;
    else if (strcmp(name, "--seconds") == 0)
        limits->page_seconds = number;
    else if (strcmp(name, "--silent") == 0)
        limits->silent_seconds = number;
    else if (strcmp(name, "--file") == 0)
        limits->file_mib = number;
    else if (strcmp(name, "--cancel") == 0)
        asked->cancel = number;
    else if (strcmp(name, "--leave") == 0)
        asked->leave = number;
    else if (strcmp(name, "--wait") == 0)
        asked->wait = number != 0;
    else if (strcmp(name, "--colors") == 0)
        asked->colors = number != 0;
    else
        return false;
    return true;
}

/* Returns whether all was read. */
static bool copy(const struct rip *rip, const struct rip_arguments *asked)
{
    static char data[1 << 16];
    uint64_t done = 0;
    ssize_t got;

    while ((got = read(rip->fd, data, sizeof data)) != 0) {
        if (got < 0 && errno != EINTR)
            return false;
        if (got > 0) {
            fwrite(data, 1, (size_t)got, stdout);
            done += (uint64_t)got;
        }
        if (asked->cancel > 0 && done >= asked->cancel)
            atomic_store(&is_off, true);
        if (asked->leave > 0 && done >= asked->leave)
            return false;
        if (atomic_load(&is_off))
            return false;
    }
    return true;
}

/* ---- Its colors ---------------------------------------------------------- */

#define MOST_COLORS 64

struct color {
    unsigned char sample[4];
    unsigned left, top, right, bottom;
};

/* Adds a pixel to its color. False when there are too many colors. */
static bool add(struct color *colors, size_t *count,
                const unsigned char *sample, size_t inks, unsigned x,
                unsigned y)
{
    size_t i = 0;

    while (i < *count && memcmp(colors[i].sample, sample, inks) != 0)
        i++;
    if (i == MOST_COLORS)
        return false;

    struct color *color = &colors[i];

    if (i == *count) {
        *color = (struct color){.left = x, .top = y, .right = x};
        memcpy(color->sample, sample, inks);
        ++*count;
    }
    color->left = x < color->left ? x : color->left;
    color->right = x > color->right ? x : color->right;
    color->bottom = y;
    return true;
}

/* Prints the colors of a page. False when it does not come whole. */
static bool print_page(struct stream *stream, const cups_page_header2_t *header,
                       unsigned number)
{
    static const unsigned char none[4] = {0};
    struct color colors[MOST_COLORS];
    const size_t bytes = header->cupsBytesPerLine, inks = header->cupsNumColors;
    const bool is_gray = header->cupsColorSpace == CUPS_CSPACE_W;
    const unsigned char *paper = is_gray ? (const unsigned char[4]){255} : none;
    unsigned char *line = malloc(bytes);
    size_t count = 0;
    bool ok = line != NULL;

    printf("page %u: %ux%u %s\n", number, header->cupsWidth, header->cupsHeight,
           is_gray ? "W" : "CMYK");
    for (unsigned y = 0; ok && y < header->cupsHeight; y++) {
        ok = stream_read_lines(stream, line, 1, bytes) == 1;
        for (unsigned x = 0; ok && x < header->cupsWidth; x++)
            if (memcmp(line + x * inks, paper, inks) != 0)
                ok = add(colors, &count, line + x * inks, inks, x, y);
    }
    for (size_t i = 0; i < count; i++) {
        const struct color *c = &colors[i];

        for (size_t ink = 0; ink < inks; ink++)
            printf("%s%d", ink > 0 ? "," : "", c->sample[ink]);
        printf(" %u,%u-%u,%u\n", c->left, c->top, c->right, c->bottom);
    }
    free(line);
    return ok;
}

/* Returns whether all was read. */
static bool print_colors(const struct rip *rip)
{
    cups_page_header2_t header;
    struct stream stream;
    unsigned number = 0;
    bool ok = stream_open_input(&stream, rip->fd);

    while (ok && stream_read_header(&stream, &header) == STREAM_PAGE)
        ok = print_page(&stream, &header, ++number);
    stream_close(&stream);
    return ok;
}

int main(int argc, char *argv[])
{
    struct owner owner = {.is_canceled = is_canceled,
                          .error_said = ATOMIC_FLAG_INIT};
    struct rip_arguments asked = {
        .page = {.dpi = {72, 72}, .width = 21000, .length = 29700},
        .limits = {RIP_MEMORY_MIB, RIP_PAGE_SECONDS, RIP_SILENT_SECONDS,
                   RIP_FILE_MIB}};
    struct rip rip;
    int i = 1;

    for (; i + 2 < argc; i += 2)
        if (!take(&asked, argv[i], argv[i + 1])) {
            fprintf(stderr, "rip-raster: %s %s\n", argv[i], argv[i + 1]);
            return 2;
        }
    if (i + 1 != argc) {
        fprintf(stderr, "usage: rip-raster [OPTION VALUE]... FILE\n");
        return 2;
    }
    owner_set(&owner);
    if (!rip_start_within(&rip, argv[i], &asked.page, &asked.limits))
        return 1;

    const bool all = asked.colors ? print_colors(&rip) : copy(&rip, &asked);
    const bool ok = rip_end(&rip, all);

    fflush(stdout);
    while (asked.wait && getchar() != EOF)
        ;
    return ok ? 0 : 1;
}
