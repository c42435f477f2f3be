/*
 * screens.c - ordered dithers: Bayer's (1973), 8 x 8, and a blue-noise mask
 * of 128 x 128 by void and cluster (Ulichney, SPIE 1913, 1993).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "lab/train/peers/peers.h"
#include "lab/train/random.h"

#define SIDE 128
#define PIXELS (SIDE * SIDE)
#define SIGMA 1.5 /* pixels; the paper's */
#define REACH 9   /* the Gaussian is below 1e-7 of its peak beyond */

bool peer_bayer(const struct plane *tones, struct plane *dots)
{
    *dots = plane_new(tones->width, tones->height);
    for (int y = 0; y < tones->height; y++)
        for (int x = 0; x < tones->width; x++) {
            int rank = 0;

            for (int bit = 0; bit < 3; bit++) {
                int a = x >> bit & 1, b = y >> bit & 1;
                rank = rank * 4 + ((a ^ b) * 2 + b);
            }
            dots->value[y * tones->width + x] =
                tones->value[y * tones->width + x] / 255.0 > (rank + 0.5) / 64;
        }
    return true;
}

/* ---- Void and cluster ------------------------------------------------- */

static double energy[PIXELS]; /* how crowded a pixel is */
static uint8_t set[PIXELS];

static void put(int at, int dot)
{
    int x = at % SIDE, y = at / SIDE;

    set[at] = (uint8_t)dot;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            int to = (y + dy + SIDE) % SIDE * SIDE + (x + dx + SIDE) % SIDE;
            double g = exp(-(dx * dx + dy * dy) / (2 * SIGMA * SIGMA));
            energy[to] += dot ? g : -g;
        }
}

/* The most crowded dot, or the emptiest place. */
static int extreme(int dot)
{
    int best = -1;

    for (int i = 0; i < PIXELS; i++)
        if (set[i] == dot && (best < 0 || (dot ? energy[i] > energy[best]
                                               : energy[i] < energy[best])))
            best = i;
    return best;
}

/* Ranks 0..PIXELS-1 of the mask. Past the half the emptiest place of dots is
 * the most crowded place of gaps, so one rule serves for all. */
static void make_mask(int *rank)
{
    uint64_t random = 1;
    int dots = PIXELS / 10, from, to;

    for (int i = 0; i < dots;) {
        int at = (int)random_below(&random, PIXELS);
        if (!set[at]) {
            put(at, 1);
            i++;
        }
    }
    do {
        put(from = extreme(1), 0);
        put(to = extreme(0), 1);
    } while (from != to);

    uint8_t first[PIXELS];
    for (int i = 0; i < PIXELS; i++)
        first[i] = set[i];
    for (int i = dots - 1; i >= 0; i--) {
        int at = extreme(1);
        put(at, 0);
        rank[at] = i;
    }
    for (int i = 0; i < PIXELS; i++)
        if (first[i])
            put(i, 1);
    for (int i = dots; i < PIXELS; i++) {
        int at = extreme(0);
        put(at, 1);
        rank[at] = i;
    }
}

bool peer_void_and_cluster(const struct plane *tones, struct plane *dots)
{
    static int rank[PIXELS];
    static bool made;

    if (!made)
        make_mask(rank);
    made = true;
    *dots = plane_new(tones->width, tones->height);
    for (int y = 0; y < tones->height; y++)
        for (int x = 0; x < tones->width; x++)
            dots->value[y * tones->width + x] =
                tones->value[y * tones->width + x] / 255.0 >
                (rank[y % SIDE * SIDE + x % SIDE] + 0.5) / PIXELS;
    return true;
}
