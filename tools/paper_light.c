/*
 * paper_light.c - computes the look of dots on paper.
 *
 * A pixel lets through what round dots on and around it leave of light (t), and
 * reflects that of the light which the paper gives it, t T: T is the mean of t
 * nearby, where light enters that scatters to here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/round_dots.h"
#include "tools/paper_light.h"

/* Pixels that light goes through the paper. Fewer, and a mean of dots is not
 * that of the model; many more, and edges glow. */
#define REACH 4
#define ROWS (2 * REACH + 1) /* whose light mixes */
#define DOT_ROWS 3

/* Light that is shown as black: solid K has 0.036 of paper's, and with other
 * inks down to 0.014. With less, text would be gray; with more, shadows would
 * all be black. */
#define BLACK 0.03

typedef float color[3];

struct paper_light {
    uint32_t width, inks;
    uint8_t flip;        /* of a sample, from light to ink */
    int ink[COLOR_INKS]; /* of the page's, as page/color/color.h has them */
    struct round_dots round[COLOR_INKS][PAPER_SIZES];
    float area[COLOR_INKS][PAPER_SIZES][1 << ROUND_NEIGHBOURS]; /* covered */
    float root[COLOR_PRIMARIES][3]; /* what each lets through, paper = 1 */
    double rgb_of[3][3];            /* light to linear sRGB */
    double black[3];                /* light of solid K */
    int64_t taken, made; /* rows of dots; rows of what is let through */
    uint8_t *dots;       /* [DOT_ROWS][inks][width + 2], n = of size n */
    color *through;      /* [ROWS][width]: what pixels let through */
    color *sums;         /* [width]: of these rows, REACH beyond both sides */
    color *light;        /* [width] */
};

/* ---- Open ---------------------------------------------------------------- */

/* Light relative to D50 paper to linear sRGB: the inverse of sRGB's primaries
 * adapted to D50 (IEC 61966-2-1, Bradford). */
static void fill_colors(struct paper_light *paper)
{
    static const double from_xyz[3][3] = {{3.1338561, -1.6168667, -0.4906146},
                                          {-0.9787684, 1.9161415, 0.0334540},
                                          {0.0719453, -0.2289914, 1.4052427}};
    const double *white = color_primaries[0];

    for (int i = 0; i < COLOR_PRIMARIES; i++)
        for (int c = 0; c < 3; c++)
            paper->root[i][c] = (float)sqrt(color_primaries[i][c] / white[c]);
    for (int i = 0; i < 3; i++) {
        paper->black[i] = BLACK * color_primaries[1][i] / white[i] /
                          (color_primaries[1][1] / white[1]);
        for (int c = 0; c < 3; c++)
            paper->rgb_of[i][c] = from_xyz[i][c] * white[c] / 100;
    }
}

/* Dots of an ink's sizes, of which only the largest is as large as the model's.
 */
static void fill_dots(struct paper_light *paper, int ink,
                      const double area[PAPER_SIZES])
{
    for (int size = 0; size < (area != NULL ? PAPER_SIZES : 1); size++) {
        struct round_dots *round = &paper->round[ink][size];

        round_drops_init(round, round_diameters[ink],
                         area != NULL ? area[size] : 1);
        for (unsigned set = 0; set < 1 << ROUND_NEIGHBOURS; set++)
            paper->area[ink][size][set] = (float)round_dots_area(round, set);
    }
}

struct paper_light *paper_light_open(const struct layout *layout,
                                     const double area[PAPER_SIZES])
{
    static const char inks[] = "KCMY";
    struct paper_light *paper = calloc(1, sizeof *paper);
    const size_t width = layout->width;

    if (paper == NULL)
        return NULL;
    paper->width = layout->width;
    paper->inks = layout->inks;
    paper->flip = layout->additive ? (uint8_t)((1u << layout->bits) - 1) : 0;
    for (uint32_t k = 0; k < layout->inks; k++)
        paper->ink[k] = (int)(strchr(inks, layout->letters[k]) - inks);
    for (int ink = 0; ink < COLOR_INKS; ink++)
        fill_dots(paper, ink, area);
    fill_colors(paper);
    paper->dots = calloc(DOT_ROWS * layout->inks, width + 2);
    paper->through = calloc(ROWS * width, sizeof *paper->through);
    paper->sums = calloc(width + 2 * REACH, sizeof *paper->sums);
    paper->light = calloc(width, sizeof *paper->light);
    if (paper->dots == NULL || paper->through == NULL || paper->sums == NULL ||
        paper->light == NULL) {
        paper_light_close(paper);
        return NULL;
    }
    for (size_t i = 0; i < ROWS * width; i++)
        for (int c = 0; c < 3; c++)
            paper->through[i][c] = 1;
    for (size_t i = 0; i < width + 2 * REACH; i++)
        for (int c = 0; c < 3; c++)
            paper->sums[i][c] = ROWS;
    return paper;
}

void paper_light_close(struct paper_light *paper)
{
    if (paper == NULL)
        return;
    free(paper->dots);
    free(paper->through);
    free(paper->sums);
    free(paper->light);
    free(paper);
}

/* ---- Rows ---------------------------------------------------------------- */

static uint8_t *dots_of(const struct paper_light *paper, int64_t row,
                        uint32_t ink)
{
    const size_t line = (size_t)(row % DOT_ROWS) * paper->inks + ink;

    return paper->dots + line * (paper->width + 2);
}

/* Keeps a row of dots with a column of paper on either side. */
static void keep_dots(struct paper_light *paper, const uint16_t *samples)
{
    for (uint32_t k = 0; k < paper->inks; k++) {
        uint8_t *to = dots_of(paper, paper->taken, k) + 1;

        if (samples == NULL)
            memset(to, 0, paper->width);
        else
            for (uint32_t x = 0; x < paper->width; x++)
                to[x] = (uint8_t)(samples[(size_t)k * paper->width + x] ^
                                  paper->flip);
    }
    paper->taken++;
}

/* Returns the neighbours of a pixel that have dots of a size, out of those that
 * have any. */
static unsigned of_size(unsigned set, int size)
{
    return set >> (ROUND_NEIGHBOURS * size) & ((1u << ROUND_NEIGHBOURS) - 1);
}

/* Returns the share of a pixel that an ink covers if its neighbours have one
 * size; -1 if several. */
static float area_of(const struct paper_light *paper, int ink, unsigned set)
{
    for (int size = 0; size < PAPER_SIZES; size++)
        if (of_size(set, size) << (ROUND_NEIGHBOURS * size) == set)
            return paper->area[ink][size][of_size(set, size)];
    return -1;
}

/* Computes the light through a pixel with at most one ink, of one size; false
 * for other pixels. */
static bool let_one_through(const struct paper_light *paper,
                            const unsigned sets[COLOR_INKS], color through)
{
    int only = 0, inks = 0;

    for (int ink = 0; ink < COLOR_INKS; ink++)
        if (sets[ink] != 0) {
            only = ink;
            inks++;
        }
    const float area = area_of(paper, only, sets[only]);
    const float *root = paper->root[inks == 0 ? 0 : 1 << only];

    if (inks > 1 || area < 0)
        return false;
    for (int c = 0; c < 3; c++)
        through[c] = 1 - area + area * root[c];
    return true;
}

/* Computes the light through a pixel from the neighbours of each ink:
 * ROUND_NEIGHBOURS bits for each size of drops, the smallest first. */
static void let_through(const struct paper_light *paper,
                        const unsigned sets[COLOR_INKS], color through)
{
    uint64_t parts[COLOR_INKS][ROUND_WORDS] = {{0}};
    double share[COLOR_PRIMARIES];

    if (let_one_through(paper, sets, through))
        return;
    for (int ink = 0; ink < COLOR_INKS; ink++)
        for (int size = 0; size < PAPER_SIZES; size++)
            round_dots_cover(&paper->round[ink][size], of_size(sets[ink], size),
                             parts[ink]);
    round_parts_shares((const uint64_t(*)[ROUND_WORDS])parts, share);
    for (int c = 0; c < 3; c++) {
        double sum = 0;
        for (int i = 0; i < COLOR_PRIMARIES; i++)
            sum += share[i] * (double)paper->root[i][c];
        through[c] = (float)sum;
    }
}

/* Returns the bit of a drop, 0 = none, in row `r` of the right column of
 * neighbours. */
static unsigned bit_of(unsigned size, int r)
{
    return size == 0
               ? 0
               : 1u << (ROUND_NEIGHBOURS * (size - 1) + 3 * (unsigned)r + 2);
}

/* Makes what the row's pixels let through, of its dots and those above and
 * below, the last three rows that were kept. */
static void make_through(struct paper_light *paper, color *through)
{
    const int64_t below = paper->taken - 1;
    const uint8_t *dots[COLOR_INKS][DOT_ROWS];
    unsigned sets[COLOR_INKS] = {0}, before[COLOR_INKS];

    for (uint32_t k = 0; k < paper->inks; k++)
        for (int r = 0; r < DOT_ROWS; r++) {
            /* Above the first row is the third of the ring, still paper. */
            dots[k][r] = dots_of(paper, below + 1 + r, k);
            sets[paper->ink[k]] |= bit_of(dots[k][r][1], r);
        }
    memset(before, 0xff, sizeof before);
    for (uint32_t x = 0; x < paper->width; x++) {
        for (uint32_t k = 0; k < paper->inks; k++) {
            unsigned *set = &sets[paper->ink[k]];

            *set = *set >> 1 & 0333333333;
            for (int r = 0; r < DOT_ROWS; r++)
                *set |= bit_of(dots[k][r][x + 2], r);
        }
        if (x > 0 && memcmp(sets, before, sizeof sets) == 0)
            memcpy(through[x], through[x - 1], sizeof *through);
        else
            let_through(paper, sets, through[x]);
        memcpy(before, sets, sizeof sets);
    }
}

/* Replaces the oldest row by the next one, in the sums, too. */
static void next_through(struct paper_light *paper)
{
    color *row = paper->through + (size_t)(paper->made % ROWS) * paper->width;
    color *sums = paper->sums + REACH;

    for (uint32_t x = 0; x < paper->width; x++)
        for (int c = 0; c < 3; c++)
            sums[x][c] -= row[x][c];
    make_through(paper, row);
    for (uint32_t x = 0; x < paper->width; x++)
        for (int c = 0; c < 3; c++)
            sums[x][c] += row[x][c];
    paper->made++;
}

/* Makes the light of the row in the middle of those that are kept. */
static void make_light(struct paper_light *paper)
{
    const int64_t row = paper->made - 1 - REACH;
    const color *through = paper->through + (size_t)(row % ROWS) * paper->width;
    double near[3] = {0};

    for (int x = 0; x < 2 * REACH; x++)
        for (int c = 0; c < 3; c++)
            near[c] += paper->sums[x][c];
    for (uint32_t x = 0; x < paper->width; x++) {
        double xyz[3];

        for (int c = 0; c < 3; c++) {
            near[c] += paper->sums[x + 2 * REACH][c];
            xyz[c] = through[x][c] * near[c] / (ROWS * ROWS);
            xyz[c] = (xyz[c] - paper->black[c]) / (1 - paper->black[c]);
            near[c] -= paper->sums[x][c];
        }
        for (int i = 0; i < 3; i++)
            paper->light[x][i] = (float)(paper->rgb_of[i][0] * xyz[0] +
                                         paper->rgb_of[i][1] * xyz[1] +
                                         paper->rgb_of[i][2] * xyz[2]);
    }
}

bool paper_light_row(struct paper_light *paper, const uint16_t *samples,
                     float (**light)[3])
{
    keep_dots(paper, samples);
    if (paper->taken < 2)
        return false;
    next_through(paper);
    if (paper->made <= REACH)
        return false;
    make_light(paper);
    *light = paper->light;
    return true;
}
