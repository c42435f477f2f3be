/*
 * shades.c - separates the tone of a dark ink into lighter ones and it.
 *
 * Each shade begins where the next lighter one covers all of the paper, and its
 * dots lie upon that: a background without dots of its own. It is left so until
 * darker dots cover most of it. A dot absorbs what its ink does, whatever is
 * below: with lighter inks that absorb B, the tone a needs a share d of dots,
 *
 *   a = d + B (1 - d)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/color/color.h"
#include "page/shades.h"

#define BEND 0.05  /* of the tone at which a lighter ink is solid */
#define STEPS 3    /* to the limit of ink */
#define FADES 0.75 /* tone of an ink beside which lighter ones fade */

/* ---- The shades of a color ----------------------------------------------- */

/* Puts an ink among those that are darker and lighter. */
static void put(struct shades *shades, double strength, unsigned ink)
{
    unsigned at = shades->count;

    if (at == SHADES_MOST)
        return;
    for (; at > 0 && shades->strength[at - 1] < strength; at--) {
        shades->strength[at] = shades->strength[at - 1];
        shades->ink[at] = shades->ink[at - 1];
    }
    shades->strength[at] = strength;
    shades->ink[at] = (uint8_t)ink;
    shades->count++;
}

void shades_of(const struct ink_set *set, struct shades shades[SHADES_COLORS])
{
    uint8_t order[HT_MAX_INKS];

    ink_set_order(set, order);
    for (unsigned color = 0; color < SHADES_COLORS; color++) {
        shades[color] = (struct shades){.count = 0};
        for (unsigned i = 0; i < set->count; i++)
            if (set->ink[order[i]].color == "KCMY"[color])
                put(&shades[color], set->ink[order[i]].strength, i);
    }
}

/* ---- Tones --------------------------------------------------------------- */

/* Returns x, held to 1 with a round bend. */
static double held(double x)
{
    const double over = fmax(x - (1 - BEND), 0);

    return over < 2 * BEND ? x - over * over / (4 * BEND) : 1;
}

/* Returns the share of lighter ink that is left beside the ink of a tone, which
 * falls from 1 to 0 in the dark ones. */
static double left_of(double tone)
{
    const double t = fmin((1 - tone) / (1 - FADES), 1);

    return t * t * (3 - 2 * t);
}

void shades_split(const struct shades *shades, double tone,
                  double ink[SHADES_MOST])
{
    for (unsigned i = 0; i < shades->count; i++) {
        const double strength = shades->strength[i];
        const double a = fmin(tone / strength, 1);
        double lighter = 0;

        if (i + 1 < shades->count) {
            const double most = shades->strength[i + 1] / strength;

            lighter = fmin(most * held(a / most) * left_of(a), a);
        }
        /* Less is an error of rounding, which would be a dot. */
        ink[i] = a - lighter > 1e-9 ? (a - lighter) / (1 - lighter) : 0;
        tone = lighter * strength;
    }
}

/* ---- Light --------------------------------------------------------------- */

double shades_light(unsigned color)
{
    return 1 - sqrt(color_primaries[1 << color][1] / color_primaries[0][1]);
}

double shades_absorb(const struct shades *shades, unsigned color, unsigned set)
{
    const double light = shades_light(color);
    double through = 1;

    for (unsigned i = 0; i < shades->count; i++)
        if ((set >> i & 1) != 0)
            through *= 1 - light * shades->strength[i];
    return (1 - through) / light;
}

/* ---- The limit ----------------------------------------------------------- */

/* A pixel's samples of a color's shades. */
struct samples {
    uint16_t *at[SHADES_MOST];
};

static uint32_t sum_of(const struct shades *shades, const struct samples *of)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < shades->count; i++)
        sum += *of->at[i];
    return sum;
}

static uint32_t sum_of_all(const struct shades shades[SHADES_COLORS],
                           const struct samples of[SHADES_COLORS])
{
    uint32_t sum = 0;

    for (unsigned color = 0; color < SHADES_COLORS; color++)
        sum += sum_of(&shades[color], &of[color]);
    return sum;
}

/* Returns the light that shades absorb, from one to the lightest, if a part of
 * them is kept. */
static double light_of(const struct shades *shades, const struct samples *of,
                       unsigned first, double kept)
{
    double light = 0;

    for (unsigned i = shades->count; i-- > first;) {
        const double ink = kept * *of->at[i] / UINT16_MAX;

        light = shades->strength[i] * ink + light * (1 - ink);
    }
    return light;
}

/* Returns the dark ink, 0..1, with which a part of the lighter ink is as dark
 * as all of it. */
static double dark_of(const struct shades *shades, const struct samples *of,
                      double kept)
{
    const double tone = light_of(shades, of, 0, 1);
    const double lighter = light_of(shades, of, 1, kept);

    return tone < 1 ? (tone - lighter) / (1 - lighter) : 1;
}

/* Returns how much less ink a color has with dark ink alone. */
static double gain_of(const struct shades *shades, const struct samples *of)
{
    return sum_of(shades, of) - UINT16_MAX * dark_of(shades, of, 0);
}

/* Puts dark ink in the place of the rest of the lighter. */
static void darken(const struct shades *shades, const struct samples *of,
                   double kept)
{
    const double dark = dark_of(shades, of, kept);

    *of->at[0] = (uint16_t)(UINT16_MAX * fmin(fmax(dark, 0), 1));
    for (unsigned i = 1; i < shades->count; i++)
        *of->at[i] = (uint16_t)(kept * *of->at[i]);
}

/* Puts dark ink in the place of as much lighter ink as goes beyond the limit.
 * The more there is, the more dark ink takes the place of some, so the first
 * step is short of it. */
static void darken_all(const struct shades shades[SHADES_COLORS],
                       const struct samples of[SHADES_COLORS], uint32_t limit)
{
    for (int step = 0; step < STEPS; step++) {
        const double over = (double)sum_of_all(shades, of) - limit;
        double gain = 0;

        for (unsigned color = 0; color < SHADES_COLORS; color++)
            if (shades[color].count > 1)
                gain += gain_of(&shades[color], &of[color]);
        if (over <= 0 || gain < 1)
            return;
        for (unsigned color = 0; color < SHADES_COLORS; color++)
            if (shades[color].count > 1)
                darken(&shades[color], &of[color], fmax(1 - over / gain, 0));
    }
}

static void limit_pixel(const struct shades shades[SHADES_COLORS],
                        const struct samples of[SHADES_COLORS], uint32_t limit)
{
    darken_all(shades, of, limit);

    const uint32_t black = sum_of(&shades[0], &of[0]);
    const uint32_t colored = sum_of_all(shades, of) - black;
    const uint32_t room = limit > black ? limit - black : 0;

    for (unsigned color = 1; colored > room && color < SHADES_COLORS; color++)
        for (unsigned i = 0; i < shades[color].count; i++)
            *of[color].at[i] =
                (uint16_t)((uint64_t)*of[color].at[i] * room / colored);
}

void shades_limit(const struct shades shades[SHADES_COLORS], uint32_t inks,
                  uint32_t limit, uint16_t *row, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        struct samples of[SHADES_COLORS];
        uint32_t sum = 0;

        for (uint32_t ink = 0; ink < inks; ink++)
            sum += row[(size_t)ink * width + x];
        if (sum <= limit)
            continue;
        for (unsigned color = 0; color < SHADES_COLORS; color++)
            for (unsigned i = 0; i < shades[color].count; i++)
                of[color].at[i] =
                    row + (size_t)shades[color].ink[i] * width + x;
        limit_pixel(shades, of, limit);
    }
}
