/*
 * patches.c - the patches of a printed test page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/patches.h"
#include "tools/raster.h"

#define MAX_PATCHES 4096
#define BORDER 0.2 /* of a patch's side */
#define POINTS_PER_INCH 72.0

size_t patches_read(struct patch **patches, const char *path)
{
    FILE *file = fopen(path, "r");
    struct patch *list = calloc(MAX_PATCHES, sizeof *list);
    size_t count = 0;
    char line[512];

    if (file == NULL || list == NULL || fgets(line, sizeof line, file) == NULL)
        perror(path);
    else
        while (count < MAX_PATCHES && fgets(line, sizeof line, file) != NULL) {
            struct patch *p = &list[count];
            if (sscanf(line, "%63[^,],%63[^,],%lf,%lf,%lf,%lf", p->ink,
                       p->percent, &p->x, &p->y, &p->width, &p->height) != 6) {
                fprintf(stderr, "%s: not a patch: %s", path, line);
                count = 0;
                break;
            }
            count++;
        }
    if (file != NULL)
        fclose(file);
    *patches = list;
    return count;
}

/* Sorts a row of samples into planes. */
static void keep_row(struct sheet *sheet, const struct raster *raster,
                     uint32_t y)
{
    for (uint32_t k = 0; k < raster->layout.inks; k++) {
        size_t plane =
            (size_t)(strchr("CMYK", raster->layout.letters[k]) - "CMYK");

        memcpy(sheet->sample[plane] + (size_t)y * sheet->width,
               raster->samples + (size_t)k * sheet->width,
               sheet->width * sizeof *raster->samples);
    }
}

static bool read_page(struct sheet *sheet, struct raster *raster)
{
    const cups_page_header2_t *h = &raster->header;

    if (raster->layout.additive || raster->layout.set.count > 0) {
        raster->error = "not C, M, Y or K";
        return false;
    }
    *sheet = (struct sheet){
        .width = h->cupsWidth,
        .height = h->cupsHeight,
        .full = raster->levels - 1,
        .dpi = {h->HWResolution[0], h->HWResolution[1]},
        .left = (double)h->cupsImagingBBox[0],
        .top = (double)(h->cupsPageSize[1] - h->cupsImagingBBox[3])};
    for (int k = 0; k < PATCH_INKS; k++) {
        sheet->sample[k] = calloc((size_t)sheet->width * sheet->height,
                                  sizeof *sheet->sample[k]);
        if (sheet->sample[k] == NULL) {
            raster->error = "not enough memory";
            return false;
        }
    }
    for (uint32_t y = 0; y < sheet->height; y++) {
        if (!raster_next_row(raster))
            return false;
        keep_row(sheet, raster, y);
    }
    return true;
}

bool sheet_read(struct sheet *sheet, const char *path)
{
    struct raster raster;

    *sheet = (struct sheet){0};
    bool ok = raster_open(&raster, path) && raster_next_page(&raster) &&
              read_page(sheet, &raster);
    if (raster.error != NULL)
        fprintf(stderr, "%s: %s\n", path, raster.error);
    raster_close(&raster);
    return ok;
}

void sheet_free(struct sheet *sheet)
{
    for (int k = 0; k < PATCH_INKS; k++)
        free(sheet->sample[k]);
}

/* Both ends of one axis, in pixels. */
static bool span(double at, double length, unsigned dpi, uint32_t most,
                 uint32_t *first, uint32_t *last)
{
    double from = (at + BORDER * length) * dpi / POINTS_PER_INCH;
    double to = (at + (1 - BORDER) * length) * dpi / POINTS_PER_INCH;

    if (from < 0 || to > most || from + 1 > to)
        return false;
    *first = (uint32_t)from;
    *last = (uint32_t)to;
    return true;
}

bool sheet_area(const struct sheet *sheet, const struct patch *patch,
                struct area *area)
{
    if (span(patch->x - sheet->left, patch->width, sheet->dpi[0], sheet->width,
             &area->left, &area->right) &&
        span(patch->y - sheet->top, patch->height, sheet->dpi[1], sheet->height,
             &area->top, &area->bottom))
        return true;
    fprintf(stderr, "patch %s %s is not on the page\n", patch->ink,
            patch->percent);
    return false;
}

unsigned sheet_neighbours(const struct sheet *sheet, int k, unsigned size,
                          uint32_t x, uint32_t y)
{
    const uint16_t *dots =
        sheet->sample[k] + (size_t)(y - 1) * sheet->width + x;
    unsigned set = 0;

    for (unsigned n = 0; n < 9; n++)
        if (dots[(size_t)(n / 3) * sheet->width + n % 3 - 1] == size)
            set |= 1u << n;
    return set;
}
