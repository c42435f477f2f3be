/*
 * printer.c - prints planes with the library's engines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/printer.h"

#define BAND 64 /* rows a submit */

/* Row y of all inks, [inks][width], for a plane or for a flat tone. */
struct tone_source {
    const struct plane *plane; /* NULL = flat */
    const int *tone;
};

static void fill_row(const struct tone_source *from, int ink, int width, int y,
                     uint8_t *to)
{
    if (from->plane == NULL)
        memset(to, from->tone[ink], (size_t)width);
    else
        memcpy(to, from->plane[ink].value + (size_t)y * (size_t)width,
               (size_t)width);
}

void printer_areas(const struct printer *printer, double *area)
{
    for (unsigned size = 0; size < HT_MAX_LEVELS; size++)
        area[size] =
            size < printer->drops.levels || size < 2
                ? sizes_area(&printer->drops, size) / (double)HT_WHOLE_DOT
                : 1;
}

/* Takes out all rows that are ready, from row `y` on; returns the next. */
static ht_status_t collect(ht_engine_t *engine, const struct drop_sizes *drops,
                           int inks, uint8_t *packed, struct plane *dots,
                           int *y)
{
    size_t rows = ht_engine_ready(engine), width = (size_t)dots->width;
    size_t bytes = sizes_row_bytes(drops, (uint32_t)width);
    ht_status_t status = ht_engine_collect(engine, packed, rows);

    if (status != HT_OK)
        return status;
    for (size_t row = 0; row < rows; row++, ++*y)
        for (int ink = 0; ink < inks; ink++, packed += bytes) {
            uint8_t *to = dots[ink].value + (size_t)*y * width;
            for (size_t x = 0; x < width; x++)
                to[x] = (uint8_t)sizes_at(drops, packed, (uint32_t)x);
        }
    return HT_OK;
}

static ht_status_t print_rows(ht_engine_t *engine,
                              const struct drop_sizes *drops,
                              const struct tone_source *from, int inks,
                              struct plane *dots, uint8_t *samples,
                              uint8_t *packed)
{
    int width = dots->width, height = dots->height, y = 0;
    ht_status_t status = HT_OK;

    for (int top = 0; status == HT_OK && top < height; top += BAND) {
        int rows = height - top < BAND ? height - top : BAND;
        uint8_t *to = samples;

        for (int row = 0; row < rows; row++)
            for (int ink = 0; ink < inks; ink++, to += width)
                fill_row(from, ink, width, top + row, to);
        status = ht_engine_submit(engine, samples, NULL, (size_t)rows);
        if (status == HT_OK && top + rows == height)
            status = ht_engine_end(engine);
        if (status == HT_OK)
            status = collect(engine, drops, inks, packed, dots, &y);
    }
    return status;
}

static bool print(const struct printer *printer, const struct tone_source *from,
                  int width, int height, int inks, struct plane *dots)
{
    ht_page_t page = {.method = printer->method,
                      .table = printer->table,
                      .across = printer->across,
                      .down = printer->down,
                      .width = (uint32_t)width,
                      .inks = (uint32_t)inks,
                      .bits = 8,
                      .curves = printer->curves,
                      .segment = printer->segment,
                      .band = BAND,
                      .threads = 1};
    ht_engine_t *engine = NULL;
    size_t row = (size_t)inks * (size_t)width;
    uint8_t *samples = train_alloc(BAND * row, 1);
    uint8_t *packed = train_alloc((2 * BAND + 4) * row, 1);

    sizes_put(&printer->drops, &page);
    ht_status_t status = ht_engine_open(&engine, printer->engine, &page);
    for (int ink = 0; ink < inks; ink++)
        dots[ink] = plane_new(width, height);
    if (status == HT_OK)
        status = print_rows(engine, &printer->drops, from, inks, dots, samples,
                            packed);
    ht_engine_close(engine);
    free(samples);
    free(packed);
    if (status == HT_OK)
        return true;
    fprintf(stderr, "printing: %s\n", ht_status_text(status));
    for (int ink = 0; ink < inks; ink++)
        plane_free(&dots[ink]);
    return false;
}

bool printer_print(const struct printer *printer, const struct plane *tones,
                   int inks, struct plane *dots)
{
    struct tone_source from = {tones, NULL};

    return print(printer, &from, tones->width, tones->height, inks, dots);
}

bool printer_print_flat(const struct printer *printer, int width, int height,
                        const int *tones, int inks, struct plane *dots)
{
    struct tone_source from = {NULL, tones};

    return print(printer, &from, width, height, inks, dots);
}

/* ---- Tables ----------------------------------------------------------- */

ht_table_t *printer_load_table(const char *path)
{
    ht_table_t *table = NULL;
    unsigned line = 0;
    ht_status_t status = ht_table_load(&table, path, &line);

    if (status == HT_ERR_TABLE && line > 0)
        fprintf(stderr, "%s:%u: %s\n", path, line, ht_status_text(status));
    else if (status == HT_ERR_FILE)
        perror(path);
    else if (status != HT_OK)
        fprintf(stderr, "%s: %s\n", path, ht_status_text(status));
    return table;
}

bool printer_load_pattern(uint8_t *pattern, const char *path)
{
    struct plane dots;

    if (!plane_read_pbm(&dots, path))
        return false;
    bool ok = dots.width == (int)HT_PATTERN_SIZE &&
              dots.height == (int)HT_PATTERN_SIZE;
    memset(pattern, 0, HT_PATTERN_BYTES);
    for (size_t i = 0; ok && i < HT_PATTERN_BYTES * 8; i++)
        if (dots.value[i])
            pattern[i / 8] |= (uint8_t)(0x80 >> i % 8);
    if (!ok)
        fprintf(stderr, "%s: not 128 x 128\n", path);
    plane_free(&dots);
    return ok;
}

/* ---- Options ---------------------------------------------------------- */

bool printer_parse_method(const char *text, ht_method_t *method)
{
    if (strcmp(text, "4") != 0 && strcmp(text, "1") != 0)
        return command_complain("--method", "not 4 or 1");
    *method = *text == '1' ? HT_TDFED1 : HT_TDFED4;
    return true;
}

bool printer_parse_segment(const char *text, uint32_t *segment)
{
    uint32_t columns;

    if (!command_number("--segment", text, 0, HT_MAX_WIDTH, &columns))
        return false;
    if (columns > 0 && columns < HT_MIN_SEGMENT)
        return command_complain("--segment", "too few columns");
    *segment = columns;
    return true;
}
