/*
 * variable.c - error diffusion with weights that depend on the tone:
 * Ostromoukhov (SIGGRAPH 2001) and Zhou and Fang (SIGGRAPH 2003), serpentine.
 * Both publish key tones and interpolate between them; tone 255 - i has tone
 * i's weights. Zhou and Fang's random numbers are a hash of the place here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lab/train/peers/peers.h"

/* Rule of a tone. */
struct rule {
    double weight[3]; /* right, below left and below */
    double jitter;    /* threshold = 1/2 + jitter x 0..1/2 */
};

/* Weights times anything, at a key tone. */
struct key {
    int tone;
    double right, below_left, below;
};

static const struct key ostromoukhov_keys[] = {
    {0, 13, 0, 5},      {1, 13, 0, 5}, {2, 21, 0, 10}, {3, 7, 0, 4},
    {4, 8, 0, 5},       {10, 7, 3, 3}, {22, 3, 2, 1},  {32, 108, 67, 56},
    {44, 36, 26, 15},   {64, 1, 1, 0}, {72, 5, 7, 1},  {77, 4, 1, 1},
    {85, 4, 1, 1},      {95, 5, 3, 2}, {102, 5, 3, 2}, {107, 5, 3, 2},
    {112, 115, 48, 37}, {127, 4, 1, 1}};

static const struct key zhou_fang_keys[] = {{0, 13, 0, 5},
                                            {1, 1300249, 0, 499250},
                                            {2, 214114, 287, 99357},
                                            {3, 351854, 0, 199965},
                                            {4, 801100, 0, 490999},
                                            {10, 704075, 297466, 303694},
                                            {22, 46613, 31917, 21469},
                                            {32, 47482, 30617, 21900},
                                            {44, 43024, 42131, 14826},
                                            {64, 36411, 43219, 20369},
                                            {72, 38477, 53843, 7678},
                                            {77, 40503, 51547, 7948},
                                            {85, 35865, 34108, 30026},
                                            {95, 34117, 36899, 28983},
                                            {102, 35132, 36059, 28807},
                                            {107, 16477, 18810, 14712},
                                            {112, 33360, 37954, 28685},
                                            {127, 35269, 36066, 28664}};

/* Strength of the random threshold at its key tones. */
static const double strength[][2] = {
    {0, 0},    {44, .34},  {64, .50},  {80, 1},    {85, 1},
    {95, .17}, {102, .50}, {107, .70}, {112, .79}, {127, 1}};

static double between(double tone, double t0, double v0, double t1, double v1)
{
    return t1 == t0 ? v0 : v0 + (v1 - v0) * (tone - t0) / (t1 - t0);
}

static void share(const struct key *key, double weight[3])
{
    double sum = key->right + key->below_left + key->below;

    weight[0] = key->right / sum;
    weight[1] = key->below_left / sum;
    weight[2] = key->below / sum;
}

static void fill_weights(struct rule rule[256], const struct key *key)
{
    for (int tone = 0; tone < 128; tone++) {
        double low[3], high[3];

        while (key[1].tone < tone)
            key++;
        share(&key[0], low);
        share(&key[1], high);
        for (int k = 0; k < 3; k++)
            rule[tone].weight[k] =
                between(tone, key[0].tone, low[k], key[1].tone, high[k]);
        rule[255 - tone] = rule[tone];
    }
}

static void fill_jitter(struct rule rule[256])
{
    for (int tone = 0, i = 0; tone < 128; tone++) {
        while (strength[i + 1][0] < tone)
            i++;
        rule[tone].jitter = rule[255 - tone].jitter =
            between(tone, strength[i][0], strength[i][1], strength[i + 1][0],
                    strength[i + 1][1]);
    }
}

/* ---- The diffusion ---------------------------------------------------- */

/* 0 <= value < 1, from the place. */
static double noise(uint32_t x, uint32_t y)
{
    uint32_t n = x * 0x9e3779b1u ^ y * 0x85ebca77u;

    n = (n ^ n >> 15) * 0x2c1b3c6du;
    n = (n ^ n >> 12) * 0x297a2d39u;
    return (n ^ n >> 15) / 4294967296.0;
}

/*
 * Error diffusion with three weights that depend on the tone, mirrored on odd
 * rows; a dot where the value is at least the threshold. What would leave the
 * page stays where it is.
 */
static struct plane diffuse(const struct plane *tones,
                            const struct rule rule[256])
{
    int width = tones->width, height = tones->height;
    struct plane dots = plane_new(width, height);
    double *error = train_alloc((size_t)width, sizeof *error);
    double *below = train_alloc((size_t)width, sizeof *below);

    for (int y = 0; y < height; y++) {
        int step = y % 2 ? -1 : 1;

        memset(below, 0, (size_t)width * sizeof *below);
        for (int i = 0; i < width; i++) {
            int x = step > 0 ? i : width - 1 - i;
            size_t at = (size_t)y * (size_t)width + (size_t)x;
            const struct rule *r = &rule[tones->value[at]];
            double u = tones->value[at] / 255.0 + error[x];
            double t = 0.5 + r->jitter * noise((uint32_t)x, (uint32_t)y) / 2;

            dots.value[at] = u >= t;
            u -= dots.value[at];
            if (i + 1 < width)
                error[x + step] += r->weight[0] * u;
            else
                below[x] += r->weight[0] * u;
            below[i > 0 ? x - step : x] += r->weight[1] * u;
            below[x] += r->weight[2] * u;
        }
        double *kept = error;
        error = below;
        below = kept;
    }
    free(error);
    free(below);
    return dots;
}

/* ---- The peers -------------------------------------------------------- */

bool peer_ostromoukhov(const struct plane *tones, struct plane *dots)
{
    struct rule rule[256] = {0};

    fill_weights(rule, ostromoukhov_keys);
    *dots = diffuse(tones, rule);
    return true;
}

bool peer_zhou_fang(const struct plane *tones, struct plane *dots)
{
    struct rule rule[256] = {0};

    fill_weights(rule, zhou_fang_keys);
    fill_jitter(rule);
    *dots = diffuse(tones, rule);
    return true;
}
