/*
 * halftone_bench.c - how fast each engine halftones: engines x methods x
 * contents x inks, a table and, with --json FILE, JSON.
 *
 * One thread, whole pages of 8-bit samples made here, in bands of 64 rows,
 * submitted and collected as the filter does. A megapixel is a million
 * pixels of one ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "halftone/halftone.h"

#define WIDTH 4960u /* A4 at 600 dpi */
#define ROWS 1024u  /* of 7016: every page looks the same further down */
#define BAND 64u
#define RUNS 5

static const struct {
    ht_method_t method;
    const char *name;
    uint32_t segment;
} methods[] = {{HT_TDFED4, "tdfed4", HT_DEFAULT_SEGMENT},
               {HT_TDFED4, "tdfed4-unbroken", 0},
               {HT_TDFED1, "tdfed1", HT_DEFAULT_SEGMENT},
               {HT_FLOYD_STEINBERG, "fs", 0},
               {HT_THRESHOLD, "threshold", 0}};

static const char *const contents[] = {"photo", "text", "ramp", "noise"};

#define COUNT(list) (sizeof list / sizeof list[0])

struct result {
    const char *engine, *method, *content;
    uint32_t inks;
    double median, low, high; /* megapixels a second */
};

/* ---- Pages ------------------------------------------------------------ */

static uint32_t hash(uint32_t n)
{
    n = (n ^ n >> 16) * 0x7feb352du;
    n = (n ^ n >> 15) * 0x846ca68bu;
    return n ^ n >> 16;
}

/* Value noise: random lattice values, blended between. 0..255. */
static uint32_t smooth_noise(uint32_t x, uint32_t y, uint32_t cell,
                             uint32_t seed)
{
    uint32_t fx = x % cell * 256 / cell, fy = y % cell * 256 / cell;
    uint32_t corner[4];

    for (uint32_t i = 0; i < 4; i++)
        corner[i] = hash((x / cell + i % 2) * 7919 +
                         (y / cell + i / 2) * 104729 + seed) &
                    255;
    uint32_t top = corner[0] * (256 - fx) + corner[1] * fx;
    uint32_t bottom = corner[2] * (256 - fx) + corner[3] * fx;
    return (top * (256 - fy) + bottom * fy) >> 16;
}

/* Octaves of noise, like a photo enlarged to the printer's resolution. */
static uint8_t photo(uint32_t x, uint32_t y, uint32_t ink)
{
    uint32_t v = 4 * smooth_noise(x, y, 512, ink) +
                 2 * smooth_noise(x, y, 96, ink + 10) +
                 smooth_noise(x, y, 24, ink + 20) +
                 smooth_noise(x, y, 6, ink + 30);

    return (uint8_t)(v / 8);
}

/* Lines of strokes with gray edges on bare paper, about 5 % ink. */
static uint8_t text(uint32_t x, uint32_t y)
{
    uint32_t line = y / 100, letter = x / 50, u = x % 50, v = y % 100;

    if (v >= 50 || x < 500 || x >= WIDTH - 500 ||
        hash(line * 997 + letter) % 6 == 0)
        return 0;
    uint32_t stroke = hash(line * 31 + letter) % 30;
    uint32_t distance = u > stroke ? u - stroke : stroke - u;
    return distance < 4 ? 255 : distance == 4 ? 90 : 0;
}

static uint8_t sample(size_t content, uint32_t x, uint32_t y, uint32_t ink)
{
    switch (content) {
    case 0:
        return photo(x, y, ink);
    case 1:
        return ink == 0 ? text(x, y) : 0;
    case 2:
        return (uint8_t)(x * 255 / (WIDTH - 1));
    default:
        return (uint8_t)hash(x + y * WIDTH + ink * 77777777u);
    }
}

static void fill(uint8_t *samples, size_t content, uint32_t inks)
{
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t ink = 0; ink < inks; ink++)
            for (uint32_t x = 0; x < WIDTH; x++)
                *samples++ = sample(content, x, y, ink);
}

/* ---- Measuring -------------------------------------------------------- */

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether the engine does pages of this kind. */
static bool can_do(const char *engine_name, const ht_page_t *page)
{
    ht_engine_t *engine = NULL;
    ht_status_t status = ht_engine_open(&engine, engine_name, page);

    ht_engine_close(engine);
    return status != HT_ERR_ENGINE;
}

/* Seconds for a page; negative when the engine failed. */
static double run_once(const char *engine_name, const ht_page_t *page,
                       const uint8_t *samples, uint8_t *dots)
{
    ht_engine_t *engine = NULL;
    double start = now();
    bool ok = ht_engine_open(&engine, engine_name, page) == HT_OK;

    for (uint32_t y = 0; ok && y < ROWS; y += BAND) {
        const uint8_t *band = samples + (size_t)y * page->inks * WIDTH;

        ok = ht_engine_submit(engine, band, BAND) == HT_OK &&
             ht_engine_collect(engine, dots, ht_engine_ready(engine)) == HT_OK;
    }
    ok = ok && ht_engine_end(engine) == HT_OK &&
         ht_engine_collect(engine, dots, ht_engine_ready(engine)) == HT_OK;
    ht_engine_close(engine);
    return ok ? now() - start : -1;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool measure(struct result *result, const ht_page_t *page,
                    const uint8_t *samples, uint8_t *dots)
{
    double rate[RUNS], pixels = (double)WIDTH * ROWS * page->inks;

    for (int run = -1; run < RUNS; run++) { /* the first one warms up */
        double seconds = run_once(result->engine, page, samples, dots);

        if (seconds < 0)
            return false;
        if (run >= 0)
            rate[run] = pixels / seconds / 1e6;
    }
    qsort(rate, RUNS, sizeof rate[0], ascending);
    result->low = rate[0];
    result->median = rate[RUNS / 2];
    result->high = rate[RUNS - 1];
    return true;
}

/* ---- Reporting -------------------------------------------------------- */

static void print_row(const struct result *r)
{
    printf("%-10s %-16s %-6s %4u %9.1f %9.1f %9.1f\n", r->engine, r->method,
           r->content, r->inks, r->median, r->low, r->high);
    fflush(stdout);
}

static void print_json(FILE *out, const struct result *r, bool first)
{
    fprintf(out,
            "%s\n  {\"engine\": \"%s\", \"method\": \"%s\", "
            "\"content\": \"%s\", \"inks\": %u, \"median\": %.2f, "
            "\"low\": %.2f, \"high\": %.2f}",
            first ? "" : ",", r->engine, r->method, r->content, r->inks,
            r->median, r->low, r->high);
}

static bool measure_all(FILE *json)
{
    uint8_t *samples = malloc((size_t)4 * WIDTH * ROWS);
    uint8_t *dots = malloc((size_t)2 * BAND * 4 * ((WIDTH + 7) / 8));
    bool ok = samples != NULL && dots != NULL, first = true;

    printf("%-10s %-16s %-6s %4s %9s %9s %9s\n", "engine", "method", "page",
           "inks", "Mpixel/s", "least", "most");
    for (uint32_t inks = 1; ok && inks <= 4; inks += 3)
        for (size_t c = 0; ok && c < COUNT(contents); c++) {
            fill(samples, c, inks);
            for (size_t m = 0; ok && m < COUNT(methods); m++)
                for (const char *const *e = ht_engine_names(); ok && *e; e++) {
                    ht_page_t page = {.method = methods[m].method,
                                      .width = WIDTH,
                                      .inks = inks,
                                      .bits = 8,
                                      .segment = methods[m].segment,
                                      .band = BAND,
                                      .threads = 1};
                    struct result result = {.engine = *e,
                                            .method = methods[m].name,
                                            .content = contents[c],
                                            .inks = inks};

                    if (!can_do(*e, &page))
                        continue;
                    ok = measure(&result, &page, samples, dots);
                    if (!ok)
                        break;
                    print_row(&result);
                    if (json != NULL)
                        print_json(json, &result, first);
                    first = false;
                }
        }
    free(samples);
    free(dots);
    return ok;
}

int main(int argc, char *argv[])
{
    static const struct option options[] = {
        {"json", required_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    const char *path = NULL;
    FILE *json = NULL;
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (option != 'j') {
            fprintf(option == 'h' ? stdout : stderr,
                    "Usage: halftone-bench [--json FILE]\n");
            return option == 'h' ? 0 : 2;
        }
        path = optarg;
    }
    if (path != NULL && (json = fopen(path, "w")) == NULL) {
        perror(path);
        return 1;
    }
    if (json != NULL)
        fprintf(json, "{\"unit\": \"megapixels a second\", \"results\": [");

    bool ok = measure_all(json);
    if (json != NULL) {
        fprintf(json, "\n]}\n");
        ok = fclose(json) == 0 && ok;
    }
    if (!ok)
        fprintf(stderr, "halftone-bench: an engine failed\n");
    return ok ? 0 : 1;
}
