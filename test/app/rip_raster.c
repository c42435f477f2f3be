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

/* Takes the pages, and writes them as raster. */
struct taking {
    struct stream_taker taker; /* first */
    const struct rip_arguments *asked;
    struct stream out;
    uint64_t done; /* bytes */
    cups_page_header2_t header;
    unsigned number, y; /* of the page, and the next line */
};

static bool copy_header(struct stream_taker *taker,
                        const cups_page_header2_t *header)
{
    struct taking *taking = (struct taking *)(void *)taker;

    taking->header = *header;
    return stream_write_header(&taking->out, &taking->header);
}

static bool copy_line(struct stream_taker *taker, const unsigned char *line,
                      size_t bytes)
{
    struct taking *taking = (struct taking *)(void *)taker;
    const struct rip_arguments *asked = taking->asked;

    taking->done += bytes;
    if (!stream_write(&taking->out, line, bytes))
        return false;
    if (asked->cancel > 0 && taking->done >= asked->cancel)
        atomic_store(&is_off, true);
    return asked->leave == 0 || taking->done < asked->leave;
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

static struct {
    struct color colors[MOST_COLORS];
    size_t count;
} seen;

static bool is_gray(const struct taking *taking)
{
    return taking->header.cupsColorSpace == CUPS_CSPACE_W;
}

static bool see_header(struct stream_taker *taker,
                       const cups_page_header2_t *header)
{
    struct taking *taking = (struct taking *)(void *)taker;

    taking->header = *header;
    taking->y = 0;
    seen.count = 0;
    printf("page %u: %ux%u %s\n", ++taking->number, header->cupsWidth,
           header->cupsHeight, is_gray(taking) ? "W" : "CMYK");
    return true;
}

/* Prints the colors of a page behind its last line. False when there are too
 * many. */
static bool see_line(struct stream_taker *taker, const unsigned char *line,
                     size_t bytes)
{
    static const unsigned char none[4] = {0}, light[4] = {255};
    struct taking *taking = (struct taking *)(void *)taker;
    const size_t inks = taking->header.cupsNumColors;
    bool ok = true;

    for (unsigned x = 0; ok && x < bytes / inks; x++)
        if (memcmp(line + x * inks, is_gray(taking) ? light : none, inks) != 0)
            ok = add(seen.colors, &seen.count, line + x * inks, inks, x,
                     taking->y);
    if (ok && ++taking->y < taking->header.cupsHeight)
        return true;
    for (size_t i = 0; i < seen.count; i++) {
        const struct color *c = &seen.colors[i];

        for (size_t ink = 0; ink < inks; ink++)
            printf("%s%d", ink > 0 ? "," : "", c->sample[ink]);
        printf(" %u,%u-%u,%u\n", c->left, c->top, c->right, c->bottom);
    }
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

    struct taking taking = {.taker = {copy_header, copy_line}, .asked = &asked};

    if (asked.colors)
        taking.taker = (struct stream_taker){see_header, see_line};
    else if (!stream_open_output(&taking.out, STDOUT_FILENO, false))
        return 1;
    const bool ok =
        rip_run_within(argv[i], &asked.page, &asked.limits, &taking.taker);

    stream_close(&taking.out);
    fflush(stdout);
    while (asked.wait && getchar() != EOF)
        ;
    return ok ? 0 : 1;
}
