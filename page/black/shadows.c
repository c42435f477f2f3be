/*
 * shadows.c - dark grays of several inks, which are to be lighter than black
 * ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/bytes.h"
#include "page/black/shadows.h"

/* In 1/255, from a gray: what changes as it does, and what does not change. */
#define NEAR 16
#define REACH 40

double shadows_gray(double black, double gray)
{
    const double end = fmin(2 * black, SHADOWS_END);
    const double first = fmin(black, end), part = gray / end;

    return gray < end ? first + (end - first) * part * (1 + part) / 2 : gray;
}

/* Their order is C, M, Y, K in grays and K, C, M, Y in pages. */
static const uint8_t *ink_of(const uint8_t cmyk[4], int k)
{
    return &cmyk[(k + 3) % 4];
}

static unsigned sum_of(const uint8_t inks[4])
{
    return (unsigned)inks[0] + inks[1] + inks[2] + inks[3];
}

/* The value at `at` of `steps` on the way between two. */
static int between(int from, int to, unsigned at, unsigned steps)
{
    const int sum = from * (int)(steps - at) + to * (int)at;

    return (sum + (sum < 0 ? -1 : 1) * (int)steps / 2) / (int)steps;
}

/* Fills in the sums from gray i + 1 on up to gray i. */
static void fill(struct shadows *s, const struct shadow_grays *grays,
                 unsigned i)
{
    const uint8_t(*come)[4] = &grays->come[i], (*leave)[4] = &grays->leave[i];
    const unsigned first = sum_of(come[0]), steps = first - sum_of(come[1]);

    for (unsigned at = 0; at <= steps; at++)
        for (int k = 0; k < 4; k++) {
            const int a = *ink_of(come[0], k), b = *ink_of(come[1], k);
            const int more = between(*ink_of(leave[0], k) - a,
                                     *ink_of(leave[1], k) - b, at, steps);

            s->gray[first - at].inks[k] = (uint8_t)between(a, b, at, steps);
            s->gray[first - at].more[k] = (int8_t)(more < INT8_MIN   ? INT8_MIN
                                                   : more > INT8_MAX ? INT8_MAX
                                                                     : more);
        }
}

bool shadows_init(struct shadows *s, const struct shadow_grays *grays)
{
    memset(s, 0, sizeof *s);
    memset(s->least, UINT8_MAX, sizeof s->least);
    for (unsigned i = 0; i + 1 < SHADOWS_GRAYS; i++)
        if (sum_of(grays->come[i]) <= sum_of(grays->come[i + 1]))
            return false;
    if (memcmp(grays->come, grays->leave, sizeof grays->come) == 0)
        return false;
    for (unsigned i = 0; i + 1 < SHADOWS_GRAYS; i++)
        fill(s, grays, i);
    for (unsigned sum = sum_of(grays->come[0]); sum < 4 * UINT8_MAX; sum++)
        s->gray[sum + 1] = s->gray[sum];
    for (unsigned i = 0; i < SHADOWS_GRAYS; i++)
        for (int k = 0; k < 4; k++) {
            const int ink = *ink_of(grays->come[i], k);
            const int least = ink < REACH ? 0 : ink - REACH;
            const int most = ink + REACH > UINT8_MAX ? UINT8_MAX : ink + REACH;

            if (least < s->least[k])
                s->least[k] = (uint8_t)least;
            if (most > s->most[k])
                s->most[k] = (uint8_t)most;
        }
    return true;
}

bool shadows_lift(const struct shadows *s, uint32_t pixel[4], uint32_t unit)
{
    const uint32_t sum = (pixel[0] + pixel[1] + pixel[2] + pixel[3]) / unit;
    int off = 0;

    for (int k = 0; k < 4; k++) {
        const int ink = (int)(pixel[k] / unit) - s->gray[sum].inks[k];

        off = ink > off ? ink : -ink > off ? -ink : off;
    }
    if (off >= REACH)
        return false;
    const int share = off < NEAR ? REACH - NEAR : REACH - off;
    for (int k = 0; k < 4; k++) {
        const int more = s->gray[sum].more[k] * share * (int)unit;
        const int half = (more < 0 ? -1 : 1) * (REACH - NEAR) / 2;
        const int ink = (int)pixel[k] + (more + half) / (REACH - NEAR);
        const int most = UINT8_MAX * (int)unit;

        pixel[k] = (uint32_t)(ink < 0 ? 0 : ink > most ? most : ink);
    }
    return true;
}

/* ---- Pixels side by side ------------------------------------------------ */

typedef int16_t shorts __attribute__((vector_size(2 * BYTES)));

static inline bytes distance(bytes a, bytes b)
{
    const bytes above = (bytes)(a > b);

    return ((a - b) & above) | ((b - a) & ~above);
}

static inline bytes larger(bytes a, bytes b)
{
    const bytes above = (bytes)(a > b);

    return (a & above) | (b & ~above);
}

/* Returns in 1/24 how much of its gray's gain a pixel gets so far from it. */
static inline shorts share_at(bytes off)
{
    const shorts distance = __builtin_convertvector(off, shorts);
    const shorts between = distance > NEAR, out = distance >= REACH;

    return ((between & (REACH - distance)) | (~between & (REACH - NEAR))) &
           ~out;
}

/* Adds to samples of an ink what a share of `more` comes to, rounded. */
static inline void add_share(uint8_t *samples, const int8_t *more, shorts share)
{
    typedef int8_t chars __attribute__((vector_size(BYTES)));
    chars gain;

    memcpy(&gain, more, sizeof gain);
    const shorts product = __builtin_convertvector(gain, shorts) * share;
    const shorts negative = product < 0;
    const shorts size = (product ^ negative) - negative;
    const shorts part = (size + (REACH - NEAR) / 2) / (REACH - NEAR);
    shorts sum = __builtin_convertvector(load(samples), shorts) +
                 ((part ^ negative) - negative);

    sum &= sum > 0;
    sum |= sum > UINT8_MAX;
    const bytes all = __builtin_convertvector(sum, bytes);
    memcpy(samples, &all, sizeof all);
}

bool shadows_lift_bytes(const struct shadows *s, uint8_t *row, size_t plane)
{
    uint16_t sum[BYTES];
    uint8_t gray[4][BYTES];
    int8_t more[4][BYTES];
    bytes off = {0};

    for (size_t i = 0; i < BYTES; i++)
        sum[i] = (uint16_t)(row[i] + row[plane + i] + row[2 * plane + i] +
                            row[3 * plane + i]);
    for (size_t i = 0; i < BYTES; i++)
        for (size_t k = 0; k < 4; k++)
            gray[k][i] = s->gray[sum[i]].inks[k];
    for (size_t k = 0; k < 4; k++)
        off = larger(off, distance(load(row + k * plane), load(gray[k])));
    if (!any_bit((bytes)(off < (uint8_t)REACH)))
        return false;
    for (size_t i = 0; i < BYTES; i++)
        for (size_t k = 0; k < 4; k++)
            more[k][i] = s->gray[sum[i]].more[k];
    const shorts share = share_at(off);
    for (size_t k = 0; k < 4; k++)
        add_share(row + k * plane, more[k], share);
    return true;
}
