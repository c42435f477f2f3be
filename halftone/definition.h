/*
 * definition.h - the names that doc/dev/halftone.md gives to tones, tables, the
 * scan and a pixel: what the reference and all other engines follow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_DEFINITION_H
#define HT_DEFINITION_H

#include "halftone/halftone.h"

#include <stdbool.h>

#ifdef __CUDACC__
#define HT_KERNELS_TOO __host__ __device__
#else
#define HT_KERNELS_TOO
#endif

/* ---- Numbers ----------------------------------------------------------- */

#define HT_ONE 16384      /* a whole dot; tones and errors have 14 bits */
#define HT_WEIGHT_BITS 15 /* fraction bits of weights */
#define HT_LEVELS 256     /* 0 = white, 255 = solid */

/* Each pair of inks sees the pattern shifted by so many columns and rows
 * against the pair before. */
#define HT_PATTERN_RIGHT 37
#define HT_PATTERN_DOWN 79

#define HT_RAISE_MOST (HT_ONE / 8)   /* the most that ht_raise() adds */
#define HT_RAISE_STEP (HT_ONE / 256) /* what it adds a level, .. */
#define HT_RAISE_END 64              /* .. down to 0 at this level */

/* The share of an ink's company (v) that goes on to the next pixel of the row,
 * 5/8 in HT_WEIGHT_BITS; the rest goes down. */
#define HT_COMPANY_ON 20480

/* Rows diffused before the page. An even number of swaths of any method, so
 * that the page begins with a swath that goes to the right. */
#define HT_PREROLL 64

/* Returns R(value, weight): value * weight, a weight with HT_WEIGHT_BITS,
 * rounded half up. */
HT_KERNELS_TOO static inline int32_t ht_weighted(int32_t value, int32_t weight)
{
    return (value * weight + (1 << (HT_WEIGHT_BITS - 1))) >> HT_WEIGHT_BITS;
}

/* Returns H(z), doc/dev/halftone.md "Scan". */
HT_KERNELS_TOO static inline uint32_t ht_hash(uint32_t z)
{
    z *= 0x9e3779b1u;
    z = (z ^ z >> 15) * 0x85ebca77u;
    z = (z ^ z >> 13) * 0xc2b2ae3du;
    return z ^ z >> 16;
}

/* ---- Tones -------------------------------------------------------------- */

/* Returns the tone (a) of a sample 0..full, doc/dev/halftone.md "Tones"; `full`
 * is solid: 255 or 65535. */
HT_KERNELS_TOO static inline int ht_tone_of(uint32_t sample, uint32_t full)
{
    return (int)((2u * HT_ONE * sample + full) / (2 * full));
}

/* Returns the level (l) of a sample of 16 bits. Only bare paper and solid ink
 * have 0 and 255, which force the dot: the faintest tint still prints its
 * share. */
HT_KERNELS_TOO static inline int ht_level_of(uint32_t sample)
{
    int nearest = (int)((510 * sample + 65535) / 131070);

    if (nearest == 0 && sample != 0)
        return 1;
    return nearest == 255 && sample != 65535 ? 254 : nearest;
}

/* Says whether an ink of this level is neither white nor solid. */
HT_KERNELS_TOO static inline bool ht_toned(uint8_t level)
{
    return level > 0 && level < HT_LEVELS - 1;
}

/* Turns `width` samples of `bits`, 8 or 16, into tones [width], 0..HT_ONE, and
 * levels [width], 0..255. */
void ht_tones_from_samples(const void *samples, uint32_t bits, uint32_t width,
                           int16_t *tone, uint8_t *level);

/* ht_tones_from_samples() for samples of 8 bits and the ink's ht_page_t.curves
 * [256]. */
void ht_tones_from_curve(const uint8_t *samples, const uint16_t *curve,
                         uint32_t width, int16_t *tone, uint8_t *level);

/* Maps `width` samples of 8 bits to samples of 16, `out` [width], by a curve
 * [256]. */
void ht_apply_curve(const uint16_t *curve, const uint8_t *samples,
                    uint32_t width, uint16_t *out);

/* ---- Tables ------------------------------------------------------------ */

/* The parameters of a level, in fixed point: doc/dev/halftone.md "Tables". */
struct ht_weights {
    int16_t weight[HT_TAPS - 1]; /* 15 fraction bits; the rest goes down */
    int16_t t_upper, t_lower;    /* 14 fraction bits */
    int16_t noise;               /* where it begins (n), 14 fraction bits */
    int16_t feedback;            /* of dots before and above (h), likewise */
    int8_t column[HT_TAPS - 1];  /* [0] is unused: tap 0 is (0,+1) */
};

/* The rules for inks together, in fixed point. */
struct ht_table_rules {
    int16_t from;             /* z, 14 fraction bits */
    int16_t steps;            /* i, 0..HT_MAX_STEPS */
    int16_t light[HT_LIGHTS]; /* d0..d3, 15 fraction bits */
};

/* Rules of a page's inks. */
struct ht_meeting_rules {
    int16_t from, steps;           /* likewise */
    int16_t absorbed[HT_MAX_INKS]; /* by each ink (f), 15 fraction bits */
};

struct ht_table {
    ht_tone_t tone[HT_TONES];           /* as it was given */
    ht_rules_t rules;                   /* for inks together, as given, */
    struct ht_table_rules meeting;      /* and in fixed point */
    struct ht_weights level[HT_LEVELS]; /* mirrors included */
    uint8_t pattern[HT_PATTERN_BYTES];
};

/* Says whether a tone is within its ranges; ht_table_new() checks more. */
bool ht_tone_valid(const ht_tone_t *tone);

/* Make the methods' own tables, struct ht_method; free with ht_table_free(). */
ht_status_t ht_table_tdfed4(ht_table_t **out);
ht_status_t ht_table_tdfed4_2x1(ht_table_t **out);
ht_status_t ht_table_tdfed4_1x2(ht_table_t **out);
ht_status_t ht_table_tdfed4_drops(ht_table_t **out);
ht_status_t ht_table_tdfed1(ht_table_t **out);
ht_status_t ht_table_floyd_steinberg(ht_table_t **out);

/* ---- A pixel ------------------------------------------------------------- */

/* Returns what is added to the threshold of a segment's last pixel, of level
 * 0..255: doc/dev/halftone.md "A pixel" (rise). Negative for dark levels. */
HT_KERNELS_TOO static inline int ht_raise(int level)
{
    bool dark = level >= HT_LEVELS / 2;
    int raise =
        HT_RAISE_STEP * (HT_RAISE_END - (dark ? HT_LEVELS - 1 - level : level));

    raise = raise < 0 ? 0 : raise > HT_RAISE_MOST ? HT_RAISE_MOST : raise;
    return dark ? -raise : raise;
}

/* Returns what the noise of an ink's row `row` (r) has in common: ht_noise().
 */
HT_KERNELS_TOO static inline uint32_t ht_noise_line(uint64_t row, uint32_t ink)
{
    return ht_hash((uint32_t)(16 * row + ink));
}

/* Returns the noise of a pixel, INT16_MIN..INT16_MAX. */
HT_KERNELS_TOO static inline int32_t ht_noise(uint32_t noise_line, uint32_t x)
{
    return (int32_t)(ht_hash(noise_line + x) >> 16) + INT16_MIN;
}

/* ---- The scan ------------------------------------------------------------ */

/* The sizes of a page's drops, doc/dev/halftone.md "Drop sizes": sizes.h. */
struct ht_sizes {
    uint32_t levels;             /* one more than there are sizes */
    int32_t area[HT_MAX_LEVELS]; /* A_0 .., of which A_0 = 0 */
    uint32_t mixed;
};

/* Whole dots alone. */
#define HT_ONE_SIZE                                                            \
    {                                                                          \
        .levels = 2, .area = { 0, HT_WHOLE_DOT }                               \
    }

/* Order in which a method walks over the page: doc/dev/halftone.md, "Scan". */
struct ht_scan {
    const ht_table_t *table;
    uint32_t width;
    uint32_t swath;   /* rows; 0 = the page is one swath, raster order */
    uint32_t segment; /* columns; 0 = unbroken rows */
    struct ht_sizes sizes;
};

/* A row of the scan. */
struct ht_place {
    uint64_t row;   /* counted from the start of the pre-roll (r) */
    uint32_t shift; /* h(S), 0..segment-1, where its swath's cuts begin; 0 of
                       unbroken rows */
};

/* Says whether a row is the first one of its swath; of a page that is one swath
 * none is. */
static inline bool ht_begins_swath(const struct ht_scan *scan, uint64_t row)
{
    return scan->swath != 0 && row % scan->swath == 0;
}

/* Returns the number of its swath (S). */
static inline uint64_t ht_swath(const struct ht_scan *scan,
                                const struct ht_place *place)
{
    return scan->swath != 0 ? place->row / scan->swath : 0;
}

/* Returns the column before which a swath of h(S) = `shift` is cut, for
 * number = 0, 1, 2, ..; it may be 0, or beyond the page. Each cut is shifted by
 * up to a quarter of a segment, so that a flat tint does not repeat from
 * segment to segment. */
HT_KERNELS_TOO static inline uint64_t ht_cut(uint32_t segment, uint32_t shift,
                                             uint32_t swath, uint32_t number)
{
    return (uint64_t)number * segment + shift +
           ht_hash(ht_hash(swath) + number) % (segment / 4);
}

/* Set `*place` to the first row of the pre-roll, and to the next row. */
void ht_place_first(const struct ht_scan *scan, struct ht_place *place);
void ht_place_next(const struct ht_scan *scan, struct ht_place *place);

/* Returns how many inks are black (b): the first of four or more. */
HT_KERNELS_TOO static inline uint32_t ht_black_inks(uint32_t inks)
{
    return inks >= 4;
}

/* Returns the copy of the pattern that an ink looks at (j), 0..15. */
HT_KERNELS_TOO static inline uint32_t ht_copy_of_ink(uint32_t ink,
                                                     uint32_t inks)
{
    return ink + ht_black_inks(inks);
}

/* Returns the pattern's [HT_PATTERN_BYTES] dot at a pixel, as a copy of it has
 * it (p). Every other copy is the inverse of the one before, and each pair is
 * shifted: without that, equal tones of two inks would print dot on dot. */
static inline bool ht_pattern_dot(const uint8_t *pattern, uint32_t copy,
                                  uint64_t row, uint32_t column)
{
    uint32_t x = (column + copy / 2 * HT_PATTERN_RIGHT) % HT_PATTERN_SIZE;
    uint32_t y =
        (uint32_t)((row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE);
    uint8_t byte = pattern[y * (HT_PATTERN_SIZE / 8) + x / 8];

    return (byte >> (7 - x % 8) & 1) != copy % 2;
}

/* Returns how many rows of a page lie between two states of it. */
uint32_t ht_swath_rows(const ht_page_t *page);

/* Returns the scan of a page that ht_method_info.diffuses. */
struct ht_scan ht_scan_of(const ht_page_t *page);

/* Says whether the page's inks have rules together. */
bool ht_inks_meet(const ht_page_t *page);

/* Returns these rules, of such a page: the table's, or those of several sizes
 * that are not mixed, which are always the same. */
struct ht_meeting_rules ht_rules_of(const ht_page_t *page);

/* Returns how many lines [width] of 16 bits the state of a page has between two
 * rows, doc/dev/halftone.md "State". */
uint32_t ht_state_lines(const ht_page_t *page);

/* ---- A row ------------------------------------------------------------- */

/* One row of one ink; the letters are those of doc/dev/halftone.md "A pixel".
 * Arrays have `width` elements, `dots` ht_row_bytes(). */
struct ht_row {
    uint32_t copy;        /* of the pattern, ht_copy_of_ink() (j) */
    const int16_t *tone;  /* (a) */
    const uint8_t *level; /* (l) */
    const int16_t *error; /* that this row inherits, 1/16384 dot (E[k]) */
    int16_t *below;       /* that the next row inherits: overwritten (F[k]) */
    uint8_t *dots;        /* overwritten (g) */
    uint32_t ink;         /* k */
    uint32_t left_out;    /* ht_size_left_out() (o) */
    const uint8_t *next;  /* the levels of the row below */
    int16_t *aside;       /* [width] for a while (D) */
    uint8_t *took;        /* [width], 1 where a toned pixel took the larger of
                             its sizes: of the row before, if it is of the same
                             swath, then of this one (c) */
    struct ht_together *inks; /* the row of all inks; NULL = no rules for them
                                 together */
};

/* Diffuses a row. This is the definition. */
void ht_diffuse_row(const struct ht_scan *scan, const struct ht_place *place,
                    const struct ht_row *row);

/* Prints a row of the method Threshold: tone [width], dots [ht_row_bytes()];
 * takes no ranks. */
void ht_threshold_row(const ht_page_t *page, const int16_t *tone,
                      const int16_t *rank, uint8_t *dots);

/* ht_threshold_row() for the method Screen, with the row's ranks
 * [HT_SCREEN_SIZE]. */
void ht_screen_row(const ht_page_t *page, const int16_t *tone,
                   const int16_t *rank, uint8_t *dots);

/* ---- Screen ------------------------------------------------------------ */

#define HT_SCREEN_SIZE 128u /* rows and columns of an ink's ranks */

/* Makes the ranks [inks][HT_SCREEN_SIZE][HT_SCREEN_SIZE], each 0..HT_ONE-1, of
 * a page, doc/dev/halftone.md "Screen"; free() them. HT_ERR_MEMORY. */
ht_status_t ht_ranks_new(int16_t **out, const ht_page_t *page);

#endif
