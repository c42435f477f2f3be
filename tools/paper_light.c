/*
 * paper_light.c - computes the look of dots on paper.
 *
 * A pixel lets through what round dots on and around it leave of light (t), and
 * reflects that of the light which the paper gives it, t T: T is the mean of t
 * nearby, where light enters that scatters to here. Light that is let through
 * is a whole number, so that sums do not depend on where they begin.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/instruction_sets.h"
#include "page/round_dots.h"
#include "tools/inks.h"
#include "tools/ones.h"
#include "tools/paper_light.h"

/* Pixels that light goes through the paper. Fewer, and a mean of dots is not
 * that of the model; many more, and edges glow. */
#define REACH (PAPER_MARGIN - 1)
#define ROWS (2 * REACH + 1) /* whose light mixes */
#define DOT_ROWS 3

#define WHOLE (1u << 20) /* light that bare paper lets through */

/* Light that is shown as black: solid K has 0.036 of paper's, and with other
 * inks down to 0.014. With less, text would be gray; with more, shadows would
 * all be black. */
#define BLACK 0.03

static_assert((uint64_t)WHOLE * ROWS * ROWS < UINT32_MAX, "a sum fits");

#define GROUP 4u /* inks whose dots are looked up at once */
#define GROUPS ((PAPER_INKS - 1) / GROUP + 1)
#define GROUP_DOTS (1u << PAPER_BITS * GROUP) /* that a pixel may have */

/* The most density that inks of a color have together, of the dark solid's: the
 * primaries say nothing about more. */
#define MOST_DENSITY 1.5

/* The dots of a pixel's neighbours: a group's ink i in half i % 2 of word i /
 * 2, ROUND_NEIGHBOURS bits for each bit of their sizes' numbers, the lowest
 * first. */
struct neighbours {
    uint64_t word[2];
};

/* A bit of each row of neighbours, in both halves of a word: on the way to
 * the next pixel the left and the middle column stay. */
#define COLUMN (UINT64_C(0111111111) << 32 | 0111111111)
#define HALF_BITS 32

static_assert(PAPER_BITS * ROUND_NEIGHBOURS <= HALF_BITS, "an ink fits");
static_assert(PAPER_BITS * PAPER_INKS <= 32, "a pixel's dots fit");

struct paper_light {
    unsigned sizes; /* that drops may have */
    unsigned inks, groups;
    unsigned like[PAPER_INKS]; /* whose dots an ink's are */
    struct round_dots round[COLOR_INKS][PAPER_SIZES];
    /* Light through a part that a set of inks covers, in WHOLE. */
    float part[1 << PAPER_INKS][3];
    /* By a pixel's dots of a group on the right. */
    struct neighbours right[DOT_ROWS][GROUP_DOTS];
    float rgb_of[3][3], rgb_black[3]; /* t T to linear sRGB */
};

struct paper_slice {
    const struct paper_light *paper;
    uint32_t columns;
    uint64_t taken;    /* rows of dots */
    uint32_t *dots;    /* [DOT_ROWS][columns + 2 PAPER_MARGIN] */
    uint32_t *through; /* [ROWS][3][columns + 2 REACH] */
    uint32_t *sums;    /* [3][columns + 2 REACH]: of these rows */
    float *light;      /* [3][columns] */
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

    for (int i = 0; i < 3; i++) {
        double shown = 0;

        for (int c = 0; c < 3; c++) {
            const double black = BLACK * color_primaries[1][c] / white[c] /
                                 (color_primaries[1][1] / white[1]);
            const double rgb = from_xyz[i][c] * white[c] / 100 / (1 - black);

            paper->rgb_of[i][c] =
                (float)(rgb / ((double)WHOLE * WHOLE * ROWS * ROWS));
            shown += rgb * black;
        }
        paper->rgb_black[i] = (float)shown;
    }
}

/* Fills the light through all sets of inks: densities of a color add up. */
static void fill_parts(struct paper_light *paper, const struct layout *layout)
{
    double density[PAPER_INKS][COLOR_INKS];

    for (unsigned ink = 0; ink < paper->inks; ink++) {
        double share[COLOR_INKS];

        paper->like[ink] = inks_look(layout, ink, share);
        for (int color = 0; color < COLOR_INKS; color++)
            density[ink][color] = color_density(color, share[color]);
    }
    for (unsigned set = 0; set < 1u << paper->inks; set++) {
        double sum[COLOR_INKS] = {0}, xyz[3];

        for (unsigned i = 0; i < paper->inks * COLOR_INKS; i++)
            if ((set >> i / COLOR_INKS & 1) != 0)
                sum[i % COLOR_INKS] += density[i / COLOR_INKS][i % COLOR_INKS];
        for (int color = 0; color < COLOR_INKS; color++)
            sum[color] = fmin(sum[color], MOST_DENSITY);
        color_of_densities(sum, xyz);
        for (int c = 0; c < 3; c++)
            paper->part[set][c] = (float)(WHOLE / ROUND_PARTS *
                                          sqrt(xyz[c] / color_primaries[0][c]));
    }
}

/* Fills what the dots of a pixel, PAPER_BITS an ink, add as right neighbours.
 */
static void fill_right(struct paper_light *paper)
{
    for (unsigned dots = 0; dots < GROUP_DOTS; dots++)
        for (uint32_t i = 0; i < PAPER_BITS * GROUP; i++) {
            const unsigned bit = i % PAPER_BITS, ink = i / PAPER_BITS;

            for (unsigned r = 0; (dots >> i & 1) != 0 && r < DOT_ROWS; r++)
                paper->right[r][dots].word[ink / 2] |=
                    UINT64_C(1) << (ROUND_NEIGHBOURS * bit + 3 * r + 2 +
                                    HALF_BITS * (ink % 2));
        }
}

struct paper_light *paper_light_open(const struct layout *layout,
                                     const double area[PAPER_SIZES])
{
    struct paper_light *paper = calloc(1, sizeof *paper);

    if (paper == NULL)
        return NULL;
    paper->sizes = area == NULL ? 1 : layout->bits == 2 ? 3 : PAPER_SIZES;
    paper->inks = layout->inks;
    paper->groups = (layout->inks - 1) / GROUP + 1;
    for (int ink = 0; ink < COLOR_INKS; ink++) /* the largest is the model's */
        for (unsigned size = 0; size < paper->sizes; size++)
            round_drops_init(&paper->round[ink][size], round_diameters[ink],
                             area != NULL ? area[size] : 1);
    fill_colors(paper);
    fill_parts(paper, layout);
    fill_right(paper);
    return paper;
}

void paper_light_close(struct paper_light *paper)
{
    free(paper);
}

struct paper_slice *paper_slice_open(const struct paper_light *paper,
                                     uint32_t columns)
{
    const size_t wide = (size_t)columns + 2 * REACH;
    struct paper_slice *slice = calloc(1, sizeof *slice);

    if (slice == NULL)
        return NULL;
    slice->paper = paper;
    slice->columns = columns;
    slice->dots = calloc(DOT_ROWS * ((size_t)columns + 2 * PAPER_MARGIN),
                         sizeof *slice->dots);
    slice->through = calloc(ROWS * 3 * wide, sizeof *slice->through);
    slice->sums = calloc(3 * wide, sizeof *slice->sums);
    slice->light = calloc(3 * (size_t)columns, sizeof *slice->light);
    if (slice->dots == NULL || slice->through == NULL || slice->sums == NULL ||
        slice->light == NULL) {
        paper_slice_close(slice);
        return NULL;
    }
    return slice;
}

void paper_slice_close(struct paper_slice *slice)
{
    if (slice == NULL)
        return;
    free(slice->dots);
    free(slice->through);
    free(slice->sums);
    free(slice->light);
    free(slice);
}

/* ---- Pixels -------------------------------------------------------------- */

/* Returns the dots that neighbours have of an ink. */
static unsigned set_of(const struct neighbours *around, unsigned ink)
{
    return (uint32_t)(around[ink / GROUP].word[ink % GROUP / 2] >>
                      (HALF_BITS * (ink % 2)));
}

/* Returns the neighbours out of `any`, which have dots, that have some of a
 * size. */
ONES_INLINE unsigned of_size(unsigned set, unsigned any, unsigned size)
{
    for (int bit = 0; bit < PAPER_BITS; bit++, set >>= ROUND_NEIGHBOURS)
        any &= (size >> bit & 1) != 0 ? set : ~set;
    return any;
}

/* Finds the parts of a pixel that an ink covers by dots of any size; `mixed` is
 * room for them. */
ONES_INLINE const uint64_t *cover(const struct paper_light *paper, unsigned ink,
                                  unsigned set, uint64_t mixed[ROUND_WORDS])
{
    const struct round_dots *round = paper->round[paper->like[ink]];
    const unsigned any =
        (set | set >> ROUND_NEIGHBOURS | set >> 2 * ROUND_NEIGHBOURS) &
        ((1u << ROUND_NEIGHBOURS) - 1);
    unsigned of[PAPER_SIZES];

    if (set == any)
        return round[0].parts[set];
    for (unsigned i = 0; i < paper->sizes; i++) {
        of[i] = of_size(set, any, i + 1);
        if (of[i] == any) /* mostly the only one */
            return round[i].parts[any];
    }
    memset(mixed, 0, ROUND_WORDS * sizeof *mixed);
    for (unsigned i = 0; i < paper->sizes; i++)
        round_dots_cover(&round[i], of[i], mixed);
    return mixed;
}

/* A part of a pixel that the same inks cover. */
struct piece {
    uint64_t parts[ROUND_WORDS];
    unsigned count, set;
};

/* Computes the light through a pixel, in 1/WHOLE: each ink divides the pieces
 * that those before it made into what it covers and the rest. */
ONES_INLINE void let_through(const struct paper_light *paper,
                             const struct neighbours *around,
                             uint32_t through[3], bool instruction)
{
    struct piece pieces[ROUND_PARTS];
    unsigned count = 1;
    float light[3] = {0.5f, 0.5f, 0.5f};

    pieces[0].count = ROUND_PARTS;
    pieces[0].set = 0;
    memset(pieces[0].parts, 0xff, sizeof pieces[0].parts);
    for (unsigned ink = 0; ink < paper->inks; ink++) {
        uint64_t mixed[ROUND_WORDS];

        if (set_of(around, ink) == 0)
            continue;
        const uint64_t *ours = cover(paper, ink, set_of(around, ink), mixed);

        for (unsigned i = count; i-- > 0;) {
            struct piece *rest = &pieces[i], *met = &pieces[count];
            unsigned covered = 0;

#pragma GCC unroll 4
            for (int word = 0; word < ROUND_WORDS; word++)
                covered += ones(rest->parts[word] & ours[word], instruction);
            if (covered == 0)
                continue;
            if (covered == rest->count) {
                rest->set |= 1u << ink;
                continue;
            }
            met->count = covered;
            met->set = rest->set | 1u << ink;
            rest->count -= covered;
            for (int word = 0; word < ROUND_WORDS; word++) {
                met->parts[word] = rest->parts[word] & ours[word];
                rest->parts[word] &= ~ours[word];
            }
            count++;
        }
    }
    for (unsigned i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            light[c] += (float)pieces[i].count * paper->part[pieces[i].set][c];
    for (int c = 0; c < 3; c++)
        through[c] = (uint32_t)light[c];
}

/* ---- Rows ---------------------------------------------------------------- */

/* Moves to the next pixel, whose right neighbours are `dots` at x. Returns
 * whether its neighbours are others than the last one's. */
ONES_INLINE bool move(const struct paper_light *paper,
                      struct neighbours around[GROUPS],
                      const uint32_t *const dots[DOT_ROWS], size_t x,
                      unsigned groups)
{
    uint64_t changed = 0;

    for (unsigned group = 0; group < groups; group++)
        for (int i = 0; i < 2; i++) {
            uint64_t *word = &around[group].word[i], before = *word;

            *word = before >> 1 & (COLUMN | COLUMN << 1);
            for (int r = 0; r < DOT_ROWS; r++) {
                const uint32_t all = dots[r][x] >> PAPER_BITS * GROUP * group;

                *word |= paper->right[r][all % GROUP_DOTS].word[i];
            }
            changed |= *word ^ before;
        }
    return changed != 0;
}

/* Adds to the sums what the next row's pixels let through, of its dots and
 * those above and below, and takes off what the oldest row did. */
ONES_INLINE void next_through(struct paper_slice *slice, unsigned groups,
                              bool instruction)
{
    const size_t wide = (size_t)slice->columns + 2 * REACH;
    const size_t dots_wide = wide + 2;
    uint32_t *row = slice->through + slice->taken % ROWS * 3 * wide;
    uint32_t *sums = slice->sums;
    const uint32_t *dots[DOT_ROWS];
    uint32_t through[3] = {WHOLE, WHOLE, WHOLE};
    struct neighbours around[GROUPS] = {{{0}}};

    for (unsigned r = 0; r < DOT_ROWS; r++) /* the oldest above */
        dots[r] = slice->dots + (slice->taken + r) % DOT_ROWS * dots_wide;
    bool changed = move(slice->paper, around, dots, 0, groups);
    changed |= move(slice->paper, around, dots, 1, groups);
    for (size_t x = 0; x < wide; x++) {
        changed |= move(slice->paper, around, dots, x + 2, groups);
        if (changed)
            let_through(slice->paper, around, through, instruction);
        changed = false;
        for (size_t c = 0; c < 3; c++) {
            sums[c * wide + x] += through[c] - row[c * wide + x];
            row[c * wide + x] = through[c];
        }
    }
}

ONES_TARGET static void next_through_popcnt(struct paper_slice *slice)
{
    if (slice->paper->groups == 1)
        next_through(slice, 1, true);
    else
        next_through(slice, slice->paper->groups, true);
}

/* Makes the light of the row in the middle of those that are kept. */
static void make_light(struct paper_slice *slice)
{
    const struct paper_light *paper = slice->paper;
    const size_t columns = slice->columns, wide = columns + 2 * REACH;
    const uint32_t *row =
        slice->through + (slice->taken - REACH) % ROWS * 3 * wide + REACH;
    const uint32_t *sums = slice->sums;
    float *light = slice->light;
    uint32_t near[3] = {0};

    for (size_t c = 0; c < 3; c++)
        for (size_t x = 0; x < 2 * REACH; x++)
            near[c] += sums[c * wide + x];
    for (size_t x = 0; x < columns; x++) {
        float mixed[3];

        for (size_t c = 0; c < 3; c++) {
            near[c] += sums[c * wide + x + 2 * REACH];
            mixed[c] = (float)row[c * wide + x] * (float)near[c];
            near[c] -= sums[c * wide + x];
        }
        for (size_t i = 0; i < 3; i++)
            light[i * columns + x] = paper->rgb_of[i][0] * mixed[0] +
                                     paper->rgb_of[i][1] * mixed[1] +
                                     paper->rgb_of[i][2] * mixed[2] -
                                     paper->rgb_black[i];
    }
}

const float *paper_slice_row(struct paper_slice *slice, const uint32_t *dots)
{
    const size_t wide = (size_t)slice->columns + 2 * PAPER_MARGIN;

    memcpy(slice->dots + (slice->taken + 2) % DOT_ROWS * wide, dots,
           wide * sizeof *dots);
    if (has_popcnt())
        next_through_popcnt(slice);
    else
        next_through(slice, slice->paper->groups, false);
    make_light(slice);
    slice->taken++;
    return slice->light;
}
