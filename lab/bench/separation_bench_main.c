/*
 * separation_bench_main.c - measures turning a page of light into inks: A4 at
 * 600 dpi, one thread, by the profile in the argument and by complement.
 *
 *   separation-bench halftone/tables/profiles/generic.icc
 *
 * Prints milliseconds of the processor, the least of some runs, for pages that
 * are white, that have words, that change from pixel to pixel as a photo does,
 * and that are noise.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/clock.h"
#include "page/color/table.h"
#include "printer-app/separate.h"

#define WIDTH 4960u
#define HEIGHT 7016u
#define LINES 64u /* that differ */
#define RUNS 7

enum content { WHITE, WORDS, PHOTO, NOISE, CONTENTS };

static const char *const names[CONTENTS] = {"white", "words", "photo", "noise"};

static uint8_t sample(enum content content, uint32_t x, uint32_t y, int channel)
{
    switch (content) {
    case WORDS: /* strokes of 5 pixels, a tenth of the page */
        return x % 40 < 5 && x / 400 % 4 > 0 ? 0 : 255;
    case PHOTO:
        return (uint8_t)(128 + 100 * sin(x / 300.0 + y / 10.0 + channel));
    case NOISE:
        return (uint8_t)rand();
    default:
        return 255;
    }
}

static void fill(uint8_t *light, enum content content)
{
    for (uint32_t y = 0; y < LINES; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++)
                *light++ = sample(content, x, y, c);
}

/* Milliseconds of a page. */
static double page(const struct separation *separation, const uint8_t *light,
                   uint8_t *inks)
{
    double least = INFINITY;

    for (int run = 0; run < RUNS; run++) {
        const double before = busy();

        for (uint32_t y = 0; y < HEIGHT; y++)
            separate_line(separation, light + (size_t)(y % LINES) * WIDTH * 3,
                          inks);
        least = fmin(least, busy() - before);
    }
    return 1000 * least;
}

static struct color_table *table_of(const char *path)
{
    struct profile profile;
    char why[PROFILE_WHY];
    struct color_table *table = NULL;
    const double before = busy();

    if (profile_load(&profile, path, PROFILE_OUTPUT, why))
        table = color_table_make(COLOR_SRGB, NULL, &profile,
                                 COLOR_RELATIVE_BLACK, why);
    if (table == NULL)
        fprintf(stderr, "separation-bench: %s: %s\n", path, why);
    else
        printf("table  %6.1f ms, %zu KiB\n", 1000 * (busy() - before),
               sizeof *table / 1024);
    profile_free(&profile);
    return table;
}

static void compare(struct color_table *table, uint8_t *light, uint8_t *inks)
{
    const struct separation complement = {
        .width = WIDTH, .pixel = 3, .inks = 4};
    struct separation profile = complement;

    profile.table = table;
    for (enum content content = 0; content < CONTENTS; content++) {
        fill(light, content);
        printf("%s  %6.1f ms by profile, %6.1f ms by complement\n",
               names[content], page(&profile, light, inks),
               page(&complement, light, inks));
    }
}

int main(int argc, char *argv[])
{
    uint8_t *light = malloc((size_t)LINES * WIDTH * 3);
    uint8_t *inks = malloc((size_t)WIDTH * 4);
    struct color_table *table = argc == 2 ? table_of(argv[1]) : NULL;
    const bool ready = light != NULL && inks != NULL && table != NULL;

    if (ready)
        compare(table, light, inks);
    free(table);
    free(light);
    free(inks);
    return ready ? EXIT_SUCCESS : EXIT_FAILURE;
}
