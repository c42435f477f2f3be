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

static_assert(ROUND_WORDS == 4, "let_through() looks at four");
static_assert((uint64_t)WHOLE * ROWS * ROWS < UINT32_MAX, "a sum fits");

/* The dots of a pixel's neighbours: ink i in half i % 2 of word i / 2,
 * ROUND_NEIGHBOURS bits for each bit of their sizes' numbers, the lowest first.
 */
struct neighbours {
    uint64_t word[2];
};

/* A bit of each row of neighbours, in both halves of a word: on the way to
 * the next pixel the left and the middle column stay. */
#define COLUMN (UINT64_C(0111111111) << 32 | 0111111111)
#define HALF_BITS 32
#define ALL_DOTS (1u << PAPER_BITS * COLOR_INKS) /* that a pixel may have */

static_assert(PAPER_BITS * ROUND_NEIGHBOURS <= HALF_BITS, "an ink fits");

struct paper_light {
    unsigned sizes; /* that drops may have */
    struct round_dots round[COLOR_INKS][PAPER_SIZES];
    float whole[COLOR_PRIMARIES][3]; /* light through solid inks, in WHOLE */
    /* By how much all inks of a second set change it in a part where those of a
     * first one are solid, less what fewer of the second change, in WHOLE /
     * ROUND_PARTS. */
    float change[COLOR_PRIMARIES][COLOR_PRIMARIES][3];
    /* By a pixel's dots on the right. */
    struct neighbours right[DOT_ROWS][ALL_DOTS];
    float rgb_of[3][3], rgb_black[3]; /* t T to linear sRGB */
};

struct paper_slice {
    const struct paper_light *paper;
    uint32_t columns;
    uint64_t taken;    /* rows of dots */
    uint16_t *dots;    /* [DOT_ROWS][columns + 2 PAPER_MARGIN] */
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

    for (int i = 0; i < COLOR_PRIMARIES; i++)
        for (int c = 0; c < 3; c++)
            paper->whole[i][c] =
                (float)(WHOLE * sqrt(color_primaries[i][c] / white[c]));
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

/* Fills what each set of inks changes where the inks of `solid` are. */
static void fill_changes(struct paper_light *paper, int solid)
{
    float(*change)[3] = paper->change[solid];

    for (int set = 1; set < COLOR_PRIMARIES; set++)
        for (int c = 0; c < 3; c++) {
            change[set][c] =
                (paper->whole[solid | set][c] - paper->whole[solid][c]) /
                ROUND_PARTS;
            for (int fewer = 1; fewer < set; fewer++)
                if ((fewer & ~set) == 0)
                    change[set][c] -= change[fewer][c];
        }
}

/* Fills what the dots of a pixel, PAPER_BITS an ink, add as right neighbours.
 */
static void fill_right(struct paper_light *paper, const struct layout *layout)
{
    static const char inks[] = "KCMY";

    for (unsigned dots = 0; dots < ALL_DOTS; dots++)
        for (uint32_t i = 0; i < PAPER_BITS * layout->inks; i++) {
            const unsigned bit = i % PAPER_BITS;
            const char letter = layout->letters[i / PAPER_BITS];
            const unsigned ink = (unsigned)(strchr(inks, letter) - inks);

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
    for (int ink = 0; ink < COLOR_INKS; ink++) /* the largest is the model's */
        for (unsigned size = 0; size < paper->sizes; size++)
            round_drops_init(&paper->round[ink][size], round_diameters[ink],
                             area != NULL ? area[size] : 1);
    fill_colors(paper);
    for (int solid = 0; solid < COLOR_PRIMARIES; solid++)
        fill_changes(paper, solid);
    fill_right(paper, layout);
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
    return (uint32_t)(around->word[ink / 2] >> (HALF_BITS * (ink % 2)));
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
    const struct round_dots *round = paper->round[ink];
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

/* Computes the light through a pixel, in 1/WHOLE: where some of the inks meet
 * that do not cover all of it, by parts times what these change. */
ONES_INLINE void let_through(const struct paper_light *paper,
                             const struct neighbours *around,
                             uint32_t through[3], bool instruction)
{
    uint64_t met[COLOR_PRIMARIES][ROUND_WORDS], mixed[COLOR_INKS][ROUND_WORDS];
    const uint64_t *parts[COLOR_INKS];
    unsigned inks = 0, solid = 0;

    for (unsigned ink = 0; ink < COLOR_INKS; ink++)
        if (set_of(around, ink) != 0) {
            const uint64_t *ours =
                cover(paper, ink, set_of(around, ink), mixed[ink]);
            const bool all =
                (ours[0] & ours[1] & ours[2] & ours[3]) == UINT64_MAX;

            parts[ink] = ours;
            solid |= (unsigned)all << ink;
            inks |= (unsigned)!all << ink;
        }

    float light[3] = {paper->whole[solid][0], paper->whole[solid][1],
                      paper->whole[solid][2]};
    memset(met[0], 0xff, sizeof met[0]);
    for (unsigned set = 0; (set = (set - inks) & inks) != 0;) {
        const uint64_t *others = met[set & (set - 1)];
        const uint64_t *lowest = parts[__builtin_ctz(set)];
        const float *change = paper->change[solid][set];
        uint32_t count = 0;

#pragma GCC unroll 4
        for (int word = 0; word < ROUND_WORDS; word++) {
            met[set][word] = others[word] & lowest[word];
            count += ones(met[set][word], instruction);
        }
        light[0] += (float)count * change[0];
        light[1] += (float)count * change[1];
        light[2] += (float)count * change[2];
    }
    for (int c = 0; c < 3; c++)
        through[c] = (uint32_t)(light[c] + 0.5f);
}

/* ---- Rows ---------------------------------------------------------------- */

/* Moves to the next pixel, whose right neighbours are `dots` at x. */
ONES_INLINE void move(const struct paper_light *paper,
                      struct neighbours *around,
                      const uint16_t *const dots[DOT_ROWS], size_t x)
{
    for (int i = 0; i < 2; i++)
        around->word[i] = (around->word[i] >> 1 & (COLUMN | COLUMN << 1)) |
                          paper->right[0][dots[0][x]].word[i] |
                          paper->right[1][dots[1][x]].word[i] |
                          paper->right[2][dots[2][x]].word[i];
}

/* Adds to the sums what the next row's pixels let through, of its dots and
 * those above and below, and takes off what the oldest row did. */
ONES_INLINE void next_through(struct paper_slice *slice, bool instruction)
{
    const size_t wide = (size_t)slice->columns + 2 * REACH;
    const size_t dots_wide = wide + 2;
    uint32_t *row = slice->through + slice->taken % ROWS * 3 * wide;
    uint32_t *sums = slice->sums;
    const uint16_t *dots[DOT_ROWS];
    uint32_t through[3] = {WHOLE, WHOLE, WHOLE};
    struct neighbours around = {{0}}, before = {{0}};

    for (unsigned r = 0; r < DOT_ROWS; r++) /* the oldest above */
        dots[r] = slice->dots + (slice->taken + r) % DOT_ROWS * dots_wide;
    move(slice->paper, &around, dots, 0);
    move(slice->paper, &around, dots, 1);
    for (size_t x = 0; x < wide; x++) {
        move(slice->paper, &around, dots, x + 2);
        if (around.word[0] != before.word[0] ||
            around.word[1] != before.word[1])
            let_through(slice->paper, &around, through, instruction);
        before = around;
        for (size_t c = 0; c < 3; c++) {
            sums[c * wide + x] += through[c] - row[c * wide + x];
            row[c * wide + x] = through[c];
        }
    }
}

ONES_TARGET static void next_through_popcnt(struct paper_slice *slice)
{
    next_through(slice, true);
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

const float *paper_slice_row(struct paper_slice *slice, const uint16_t *dots)
{
    const size_t wide = (size_t)slice->columns + 2 * PAPER_MARGIN;

    memcpy(slice->dots + (slice->taken + 2) % DOT_ROWS * wide, dots,
           wide * sizeof *dots);
    if (has_popcnt())
        next_through_popcnt(slice);
    else
        next_through(slice, false);
    make_light(slice);
    slice->taken++;
    return slice->light;
}
