/*
 * model_printer.c - a printer with dot gain, to calibrate: prints the dots of a
 * chart and measures its patches.
 *
 *   model-printer LAYOUT.csv DOTS.ras [DIAMETER [N]] >MEASURED.csv
 *
 * A dot is round, DIAMETER pixels wide, 1.415 unless said: the smallest that
 * leaves no hole in a solid (sqrt 2). Light scatters in the paper as in the
 * model of Yule and Nielsen, with exponent N (1.7; 1 = not at all):
 *
 *   R = (1 - c + c Rs^(1/N))^N     c covered by dots, Rs = 0.03 of the solid
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

#define SOLID 0.03
#define FINE 64 /* points of a pixel, each way, that are covered or not */
#define NEIGHBOURS 9
#define MAX_DIAMETER 3.0 /* then dots reach no further than the next pixel */

/* How much of a pixel is covered, by the dots on it and around it: bit i of
 * the index is neighbour i, row by row. */
static double cover[1 << NEIGHBOURS];

/* A point of the pixel counts for each set of neighbours one of which covers
 * it. */
static void fill_cover(double diameter)
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
                cover[set] += 1.0 / (FINE * FINE);
    }
}

static double covered(const struct sheet *sheet, const uint16_t *dots,
                      const struct area *area)
{
    double sum = 0;

    for (uint32_t y = area->top; y < area->bottom; y++)
        for (uint32_t x = area->left; x < area->right; x++) {
            unsigned set = 0;
            for (uint32_t n = 0; n < NEIGHBOURS; n++)
                set |= (unsigned)dots[(size_t)(y + n / 3 - 1) * sheet->width +
                                      x + n % 3 - 1]
                       << n;
            sum += cover[set];
        }
    return sum /
           ((double)(area->right - area->left) * (area->bottom - area->top));
}

static bool measure(const struct sheet *sheet, const struct patch *patch,
                    double n)
{
    const char *letter = strchr("CMYK", patch->ink[0]);
    struct area area;

    if (letter == NULL || !sheet_area(sheet, patch, &area) || area.top == 0 ||
        area.left == 0)
        return false;
    double c = covered(sheet, sheet->sample[letter - "CMYK"], &area);
    double r = pow(1 - c + c * pow(SOLID, 1 / n), n);
    printf("%s,%s,%.6f\n", patch->ink, patch->percent, r);
    return true;
}

int main(int argc, char **argv)
{
    double diameter = argc > 3 ? atof(argv[3]) : 1.415;
    double n = argc > 4 ? atof(argv[4]) : 1.7;
    struct patch *patches = NULL;
    struct sheet sheet = {0};

    if (argc < 3 || diameter <= 0 || diameter > MAX_DIAMETER || n < 1) {
        fputs("usage: model-printer LAYOUT.csv DOTS.ras [DIAMETER [N]]\n",
              stderr);
        return 2;
    }
    fill_cover(diameter);
    size_t count = patches_read(&patches, argv[1]);
    bool ok = count > 0 && sheet_read(&sheet, argv[2]);
    if (ok && sheet.full != 1)
        ok = fprintf(stderr, "%s: not dots\n", argv[2]) < 0;
    if (ok)
        puts("ink,percent,reflectance");
    for (size_t i = 0; ok && i < count; i++)
        ok = measure(&sheet, &patches[i], n);
    sheet_free(&sheet);
    free(patches);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
