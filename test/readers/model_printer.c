/*
 * model_printer.c - a printer with dot gain, to calibrate: prints the dots of a
 * chart and measures its patches.
 *
 *   model-printer LAYOUT.csv DOTS.ras [AREAS] >MEASURED.csv
 *
 * A dot is round and 1.415 pixels wide, the smallest that leaves no hole in a
 * solid (sqrt 2); drops of several sizes have these areas, percent of the
 * largest, such as 33.3,66.7,100. Light scatters in the paper as in the model
 * of Yule and Nielsen:
 *
 *   R = (1 - c + c Rs^(1/1.7))^1.7   c covered by dots, Rs = 0.03 of the solid
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/patches.h"
#include "tools/drop_areas.h"

#define SOLID 0.03
#define DIAMETER 1.415
#define SCATTER 1.7

#define FINE 64 /* points of a pixel, each way, that are covered or not */
#define WORDS (FINE * FINE / 64)
#define NEIGHBOURS 9

/* The points of a pixel that drops on it and around it cover: bit i of the
 * index is neighbour i, row by row. */
static uint64_t points[DROP_AREAS][1 << NEIGHBOURS][WORDS];

/* A point counts for each set of neighbours one of which covers it. */
static void fill_points(uint64_t (*to)[WORDS], double diameter)
{
    for (int i = 0; i < FINE * FINE; i++) {
        int column = i % FINE, row = i / FINE;
        double x = (column + 0.5) / FINE - 0.5;
        double y = (row + 0.5) / FINE - 0.5;
        unsigned reached = 0;

        for (int n = 0; n < NEIGHBOURS; n++) {
            int right = n % 3 - 1, down = n / 3 - 1;

            if (hypot(x - right, y - down) <= diameter / 2)
                reached |= 1u << n;
        }
        for (unsigned set = 0; set < 1 << NEIGHBOURS; set++)
            if (set & reached)
                to[set][i / 64] |= UINT64_C(1) << i % 64;
    }
}

static double covered(const struct sheet *sheet, int k, const struct area *area)
{
    uint64_t count = 0;

    for (uint32_t y = area->top; y < area->bottom; y++)
        for (uint32_t x = area->left; x < area->right; x++) {
            const uint64_t *of[DROP_AREAS];

            for (unsigned i = 0; i < DROP_AREAS; i++)
                of[i] = points[i][sheet_neighbours(sheet, k, i + 1, x, y)];
            for (int word = 0; word < WORDS; word++)
                count += (uint64_t)__builtin_popcountll(
                    of[0][word] | of[1][word] | of[2][word] | of[3][word] |
                    of[4][word]);
        }
    return (double)count / (FINE * FINE) /
           ((double)(area->right - area->left) * (area->bottom - area->top));
}

static bool measure(const struct sheet *sheet, const struct patch *patch)
{
    static const char letters[] = "CMYK";
    const char *letter = strchr(letters, patch->ink[0]);
    struct area area;

    if (letter == NULL || !sheet_area(sheet, patch, &area) || area.top == 0 ||
        area.left == 0)
        return false;
    double c = covered(sheet, (int)(letter - letters), &area);
    double r = pow(1 - c + c * pow(SOLID, 1 / SCATTER), SCATTER);
    printf("%s,%s,%.6f\n", patch->ink, patch->percent, r);
    return true;
}

int main(int argc, char **argv)
{
    double area[DROP_AREAS] = {1, 1, 1, 1, 1};
    struct patch *patches = NULL;
    struct sheet sheet = {0};

    if (argc < 3 || argc > 4 || (argc == 4 && !drop_areas(argv[3], area))) {
        fputs("usage: model-printer LAYOUT.csv DOTS.ras [AREAS]\n", stderr);
        return 2;
    }
    for (unsigned i = 0; i < DROP_AREAS; i++)
        fill_points(points[i], DIAMETER * sqrt(area[i]));
    size_t count = patches_read(&patches, argv[1]);
    bool ok = count > 0 && sheet_read(&sheet, argv[2]);
    if (ok && sheet.full > DROP_AREAS)
        ok = fprintf(stderr, "%s: not dots\n", argv[2]) < 0;
    if (ok)
        puts("ink,percent,reflectance");
    for (size_t i = 0; ok && i < count; i++)
        ok = measure(&sheet, &patches[i]);
    sheet_free(&sheet);
    free(patches);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
