/*
 * monochrome.c - pages of four inks in black ink alone.
 *
 * An ink that covers the share a = t + 4 g t (1 - t) of the paper lets the
 * share 1 - s a of the light pass, and inks that lie on each other let pass
 * what each does. s and g of each ink are fitted to 9 x 9 x 9 colors that
 * Ghostscript has turned to CMYK and to gray by its own profiles: the median is
 * 4 of 255 off, and greens and blues that inks cannot reach are up to 50
 * darker.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "page/mixed_gray.h"
#include "page/monochrome.h"

#define UNIT 1024 /* of a density of 1 */

/* Of K, C, M and Y. */
static const double solid[4] = {0.782, 0.621, 0.718, 0.095};
static const double gain[4] = {0.106, 0.163, 0.155, 0.25};

static double density_of(double tone, unsigned ink)
{
    const double covered = tone + 4 * gain[ink] * tone * (1 - tone);

    return -log(1 - solid[ink] * covered);
}

static unsigned density_at(const struct monochrome *m, const uint8_t cmyk[4])
{
    return m->density[0][cmyk[3]] + m->density[1][cmyk[0]] +
           m->density[2][cmyk[1]] + m->density[3][cmyk[2]];
}

/* Fills in K of densities from a gray of the RIP's down to the next lighter
 * one: straight lines lead from one to the next. */
static void fill_black(struct monochrome *m, unsigned gray)
{
    const unsigned dark = density_at(m, ghostscript_grays[gray]);
    const unsigned light = density_at(m, ghostscript_grays[gray + 1]);

    assert(light < dark);
    for (unsigned d = light; d <= dark; d++) {
        const double grays = gray + (double)(dark - d) / (dark - light);

        m->black[d] = (uint8_t)(255.5 - 255 * grays / (MIXED_GRAYS - 1));
    }
}

void monochrome_init(struct monochrome *m)
{
    unsigned most = 0;

    for (unsigned ink = 0; ink < 4; ink++) {
        for (unsigned t = 0; t < 256; t++)
            m->density[ink][t] =
                (uint16_t)(UNIT * density_of(t / 255.0, ink) + 0.5);
        most += m->density[ink][255];
    }
    assert(most < MONOCHROME_DENSITIES);
    (void)most;
    memset(m->black, UINT8_MAX, sizeof m->black); /* darker than any gray */
    for (unsigned gray = 0; gray + 1 < MIXED_GRAYS; gray++)
        fill_black(m, gray);
}

static uint8_t black_of(const struct monochrome *m, unsigned k, unsigned c,
                        unsigned magenta, unsigned y)
{
    return m->black[m->density[0][k] + m->density[1][c] +
                    m->density[2][magenta] + m->density[3][y]];
}

static void change_bytes(const struct monochrome *m, uint8_t *k, size_t width)
{
    const uint8_t *c = k + width, *magenta = c + width, *y = magenta + width;

    for (size_t x = 0; x < width; x++)
        if ((c[x] | magenta[x] | y[x]) != 0)
            k[x] = black_of(m, k[x], c[x], magenta[x], y[x]);
    memset(k + width, 0, 3 * width);
}

static void change_words(const struct monochrome *m, uint16_t *k, size_t width)
{
    const uint16_t *c = k + width, *magenta = c + width, *y = magenta + width;

    for (size_t x = 0; x < width; x++)
        if ((c[x] | magenta[x] | y[x]) != 0)
            k[x] = (uint16_t)(257 * black_of(m, k[x] >> 8, c[x] >> 8,
                                             magenta[x] >> 8, y[x] >> 8));
    memset(k + width, 0, 3 * width * sizeof *k);
}

uint16_t monochrome_row(const struct monochrome *m, void *row, uint32_t width,
                        uint32_t bits, uint16_t inked)
{
    if ((inked & 0xe) == 0)
        return inked;
    if (bits == 16)
        change_words(m, row, width);
    else
        change_bytes(m, row, width);
    return 1;
}
