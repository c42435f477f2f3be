/*
 * shades.c - separates the tone of a dark ink into lighter ones and it.
 *
 * Between the tones at which one shade alone prints, MOST ink of it, the next
 * one takes over in proportion. All inks times their strengths are the tone
 * then, and stay so in the mean of tones around one: that mean rounds the
 * bends, where the first dots of a darker ink would be seen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/color/color.h"
#include "page/shades.h"

#define MOST 0.9   /* ink of a lighter shade */
#define SPREAD 0.4 /* of the tones whose mean is taken, to the tone */

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

/* Returns the tone at which a shade alone prints, and how much of it does. */
static double node_of(const struct shades *shades, unsigned shade, double *ink)
{
    *ink = shade == 0 ? 1 : MOST;
    return *ink * shades->strength[shade];
}

/* Returns the area under a straight line from (0, a) to (width, b), up to x. */
static double area_of(double a, double b, double width, double x)
{
    x = fmin(fmax(x, 0), width);
    return width > 0 ? x * (a + (b - a) * x / width / 2) : 0;
}

/* Returns the area under the ink of a shade, which rises from the lighter
 * shade's tone and falls to the darker one's, up to a tone. */
static double area_to(const struct shades *shades, unsigned shade, double tone)
{
    double most, other, before = 0, behind;
    const double at = node_of(shades, shade, &most);

    if (shade + 1 < shades->count)
        before = node_of(shades, shade + 1, &other);

    double area = area_of(0, most, at - before, tone - before);

    if (shade > 0) {
        behind = node_of(shades, shade - 1, &other);
        area += area_of(most, 0, behind - at, tone - at);
    }
    return area;
}

void shades_split(const struct shades *shades, double tone,
                  double ink[SHADES_MOST])
{
    const double spread = fmin(SPREAD * tone, 1 - tone);

    for (unsigned i = 0; i < shades->count; i++)
        if (shades->count == 1)
            ink[i] = tone;
        else if (spread < 1e-6)
            ink[i] = i == 0 && tone > 0.5 ? tone : 0;
        else
            ink[i] = (area_to(shades, i, tone + spread) -
                      area_to(shades, i, tone - spread)) /
                     (2 * spread);
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

/* Gives a share of lighter ink, 0..1, to the dark one. */
static void darken(const struct shades *shades, const struct samples *of,
                   double share)
{
    double dark = *of->at[0];

    for (unsigned i = 1; i < shades->count; i++) {
        const uint16_t kept = (uint16_t)((1 - share) * *of->at[i]);

        dark += shades->strength[i] * (*of->at[i] - kept);
        *of->at[i] = kept;
    }
    *of->at[0] = dark < UINT16_MAX ? (uint16_t)dark : UINT16_MAX;
}

static void limit_pixel(const struct shades shades[SHADES_COLORS],
                        const struct samples of[SHADES_COLORS], uint32_t limit)
{
    const double over = (double)sum_of_all(shades, of) - limit;
    double gain = 0; /* if all lighter ink becomes dark */

    for (unsigned color = 0; color < SHADES_COLORS; color++)
        for (unsigned i = 1; i < shades[color].count; i++)
            gain += (1 - shades[color].strength[i]) * *of[color].at[i];
    for (unsigned color = 0; gain > 0 && color < SHADES_COLORS; color++)
        darken(&shades[color], &of[color], fmin(over / gain, 1));

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
