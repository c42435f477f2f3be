/*
 * kernel.c - diffuses what lies on a tape; compiled once an instruction set,
 * simd/sets.h.
 *
 * At each step every lane does the next pixel of its row. The parameters of the
 * pixels are fetched, 16 bytes each, and transposed into vectors a step ahead:
 * that does not depend on the pixels before and overlaps with them. The chain
 * from step to step is two additions, a comparison, a choice, the bound and
 * one multiplication.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/tdfed/kernel.h"

#define HT_MOST_LANES 16 /* HT_TDFED_MAX_LANES */
#include "halftone/simd/vec.h"

#include "halftone/tdfed/lay.h"

_Static_assert(HT_MOST_LANES == HT_TDFED_MAX_LANES, "of all strips");

/* A strip's four lanes as one number: shifts take them to other rows. */
typedef uint64_t strips __attribute__((vector_size(2 * LANES)));

#define ROW_BITS 16
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOWN(strips, rows) ((strips) << (rows)*ROW_BITS) /* to rows below */
#define UP(strips, rows) ((strips) >> (rows)*ROW_BITS)
#else
#define DOWN(strips, rows) ((strips) >> (rows)*ROW_BITS)
#define UP(strips, rows) ((strips) << (rows)*ROW_BITS)
#endif

/* The shares that later pixels have got so far. */
struct chain {
    vec left;     /* of the next pixel of the row */
    vec below[5]; /* of the row below, from a column ahead of the last pixel on
                     backwards */
    vec done;     /* complete, HT_TDFED_REACH columns behind: what the row below
                     inherits */
};

/* ---- What the pixels need ---------------------------------------------- */

/* A third of transposing 8 x 8. */
static inline __attribute__((always_inline)) void interleave(vec v[8])
{
    vec a = v[0], b = v[1], c = v[2], d = v[3];

    v[0] = low_words(a, v[4]);
    v[1] = high_words(a, v[4]);
    v[2] = low_words(b, v[5]);
    v[3] = high_words(b, v[5]);
    v[4] = low_words(c, v[6]);
    v[5] = high_words(c, v[6]);
    a = low_words(d, v[7]);
    v[7] = high_words(d, v[7]);
    v[6] = a;
}

/* The table of pixels of each strip. */
struct pixels {
    const int16_t *of[LANES / HT_TDFED_ROWS];
};

static inline __attribute__((always_inline)) eight
fetch_one(const struct pixels *pixels, const struct ht_tdfed_tape *tape,
          unsigned lane, size_t step, bool deep)
{
    eight pixel;

    memcpy(&pixel, pixels->of[lane / HT_TDFED_ROWS] + tape->index[lane][step],
           sizeof pixel);
    if (deep)
        pixel[HT_TDFED_TONE] = tape->tone[lane][step];
    return pixel;
}

/* Fetches the eight fields of a step's pixels; all by name, which keeps them in
 * registers. */
static inline __attribute__((always_inline)) void
fetch(const struct pixels *pixels, const struct ht_tdfed_tape *tape,
      size_t step, bool deep, vec field[8])
{
#if LANES == 16
#define FETCH(k)                                                               \
    field[k] = vec_join(fetch_one(pixels, tape, k, step, deep),                \
                        fetch_one(pixels, tape, k + 8, step, deep));
#else
#define FETCH(k) field[k] = fetch_one(pixels, tape, k, step, deep);
#endif
    FETCH(0)
    FETCH(1)
    FETCH(2)
    FETCH(3)
    FETCH(4)
    FETCH(5)
    FETCH(6)
    FETCH(7)
#undef FETCH
    interleave(field);
    interleave(field);
    interleave(field);
    if (deep)
        field[HT_TDFED_MARGIN] -= field[HT_TDFED_TONE];
}

/* ---- A pixel of each lane ---------------------------------------------- */

/* Returns what white and solid pixels drop: e - 3 e / 4. */
static inline vec quarter(vec e)
{
    return (e + (~(e >> 15) & 3)) >> 2;
}

/* Finds the dots and errors of a step, doc/dev/halftone.md "A pixel".
 * `inherited` is E. */
static inline __attribute__((always_inline)) vec
find_error(const vec field[8], vec inherited, vec margin, bool forced, vec left,
           mask *dot)
{
    const vec one = (vec){0} + HT_ONE;
    vec sum = inherited + left;

    *dot = mask_greater(sum, margin);
    vec e = vec_minus_where(*dot, sum + field[HT_TDFED_TONE], one);
    if (!forced)
        return vec_max(vec_min(e, one), -one);

    vec m = field[HT_TDFED_MARGIN];
    mask extreme = mask_equal(m, (vec){0} + HT_TDFED_WHITE) |
                   mask_equal(m, (vec){0} + HT_TDFED_SOLID);
    vec bound = vec_minus_where(extreme, one, one / 2);
    e = vec_max(vec_min(e, bound), -bound);
    return vec_minus_where(extreme, e, quarter(e));
}

/* Spreads the errors of a step. */
static inline __attribute__((always_inline)) void
spread(const vec field[8], vec e, bool far, struct chain *chain)
{
    vec right = vec_weighted(e, field[HT_TDFED_RIGHT]);
    vec p1 = vec_weighted(e, field[HT_TDFED_P1]);
    vec m1 = vec_weighted(e, field[HT_TDFED_M1]);
    vec m2 = vec_weighted(e, field[HT_TDFED_M2]);
    vec rest = e - right - p1 - m1 - m2;

    chain->left = right;
    chain->done = chain->below[4];
    chain->below[4] = chain->below[3];
    if (far) {
        vec m3_or_m4 = vec_weighted(e, vec_abs(field[HT_TDFED_FAR]));
        mask m4 = mask_negative(field[HT_TDFED_FAR]);

        chain->done = vec_plus_where(m4, chain->done, m3_or_m4);
        chain->below[4] = vec_plus_where(~m4, chain->below[4], m3_or_m4);
        rest -= m3_or_m4;
    }
    chain->below[3] = chain->below[2] + m2;
    chain->below[2] = chain->below[1] + m1;
    chain->below[1] = chain->below[0] + rest;
    chain->below[0] = p1;
}

/* ---- Dots --------------------------------------------------------------- */

/* Stores two lanes of each half. */
static inline void put_dots(uint64_t *dots, vec lanes)
{
    memcpy(dots, &lanes, 16);
#if LANES == 16
    memcpy(dots + 8, (const char *)&lanes + 16, 16);
#endif
}

/* Joins the dots of four blocks to a word for each lane. */
static inline void join_dots(uint64_t dots[HT_TDFED_MAX_LANES],
                             const vec block[4])
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    vec a = block[3], b = block[2], c = block[1], d = block[0];
#else
    vec a = block[0], b = block[1], c = block[2], d = block[3];
#endif
    vec ab = low_words(a, b), cd = low_words(c, d);

    put_dots(dots, low_pairs(ab, cd));
    put_dots(dots + 2, high_pairs(ab, cd));
    ab = high_words(a, b);
    cd = high_words(c, d);
    put_dots(dots + 4, low_pairs(ab, cd));
    put_dots(dots + 6, high_pairs(ab, cd));
}

/* ---- Inks that look at each other --------------------------------------- */

/* Loads B of a step, and clamps it. */
static inline __attribute__((always_inline)) vec
load_before(const struct ht_tdfed_tape *tape, size_t step)
{
    const vec zero = {0};
    vec before;

    memcpy(&before, tape->before[step], sizeof before);
    return vec_max(vec_min(before, zero + (HT_ONE - 1)),
                   zero + HT_LEAST_BEFORE);
}

/* Stores B, not clamped yet; for inks side by side, where the next strip will
 * load it. */
static inline __attribute__((always_inline)) void
store_before(struct ht_tdfed_tape *tape, size_t step, bool beside, vec before)
{
    if (beside) {
        before = vec_to_next_strip(before);
        step += HT_TDFED_INK_LAG;
    }
    memcpy(tape->before[step], &before, sizeof before);
}

/* ---- Errors ------------------------------------------------------------- */

static inline uint64_t four_errors(const struct ht_tdfed_tape *tape,
                                   unsigned strip, size_t step)
{
    uint64_t errors;

    memcpy(&errors, &tape->error[strip][step], sizeof errors);
    return errors;
}

/* Loads by pairs: gcc would put four numbers together in memory, and the
 * processor would then wait until all have got there. */
static inline strips load_errors(const struct ht_tdfed_tape *tape, size_t step)
{
    typedef uint64_t two __attribute__((vector_size(16)));
#define FOUR(strip) four_errors(tape, strip, step)
#if LANES == 16
    return (strips)vec_join((eight)(two){FOUR(0), FOUR(1)},
                            (eight)(two){FOUR(2), FOUR(3)});
#else
    return (strips)(two){FOUR(0), FOUR(1)};
#endif
#undef FOUR
}

static inline __attribute__((always_inline)) void
store_errors(struct ht_tdfed_tape *tape, size_t step, strips error)
{
    for (unsigned s = 0; s < LANES / HT_TDFED_ROWS; s++) {
        uint64_t errors = error[s];

        memcpy(&tape->error[s][step], &errors, sizeof errors);
    }
}

/* ---- A run ------------------------------------------------------------- */

/* Does a step, whose pixels have `field`, which it then fetches for the next.
 * Takes a column of each strip's errors from `error`, puts one into `left`, and
 * adds a bit to each lane's dots. */
static inline __attribute__((always_inline)) void
do_step(const struct pixels *pixels, struct ht_tdfed_tape *tape, size_t step,
        uint32_t rows, bool deep, bool forced, bool far,
        enum ht_tdfed_inks inks, strips *error, strips *left,
        struct chain *chain, vec field[8], vec *dots)
{
    vec margin = field[HT_TDFED_MARGIN], before = {0}, next[8];
    mask dot;

    if (inks == HT_TDFED_INK_LATER || inks == HT_TDFED_INKS_BESIDE) {
        before = load_before(tape, step);
        margin += vec_weighted(before, field[HT_TDFED_AVOID]);
    }

    strips done = (strips)chain->done;
    vec inherited = vec_top((vec)*error, (vec)DOWN(done, 1));
    *left = (strips)vec_bottom((vec)DOWN(done, HT_TDFED_ROWS - rows),
                               (vec)UP(*left, 1));
    *error = UP(*error, 1);

    vec e = find_error(field, inherited, margin, forced, chain->left, &dot);
    if (inks != HT_TDFED_INK_ALONE)
        store_before(tape, step, inks == HT_TDFED_INKS_BESIDE, before - e);
    fetch(pixels, tape, step + 1, deep, next);
    spread(field, e, far, chain);
    memcpy(field, next, sizeof next);
    *dots = vec_minus_where(dot, *dots + *dots, (vec){0} - 1);
}

static inline __attribute__((always_inline)) void
do_run(const struct ht_tdfed_run *run, struct ht_tdfed_tape *tape,
       struct ht_tdfed_chain *kept, uint32_t rows, bool deep, bool forced,
       bool far, enum ht_tdfed_inks inks)
{
    struct chain chain;
    struct pixels pixels;
    vec field[8], dots_of[4] = {{0}};

    memcpy(&chain, kept, sizeof chain);
    for (unsigned s = 0; s < LANES / HT_TDFED_ROWS; s++)
        pixels.of[s] = (const int16_t *)run->pixels[s];
    fetch(&pixels, tape, 0, deep, field);
    for (size_t block = 0; block * HT_TDFED_BLOCK < run->steps; block++) {
        size_t left_over = run->steps - block * HT_TDFED_BLOCK;
        size_t steps = left_over < HT_TDFED_BLOCK ? left_over : HT_TDFED_BLOCK;
        vec dots = {0};

        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS) {
            size_t step = block * HT_TDFED_BLOCK + i;
            strips error = load_errors(tape, step), left = {0};

#define STEP(k)                                                                \
    do_step(&pixels, tape, step + k, rows, deep, forced, far, inks, &error,    \
            &left, &chain, field, &dots);
            STEP(0)
            STEP(1)
            STEP(2)
            STEP(3)
#undef STEP
            store_errors(tape, step, left);
        }
        dots_of[block % 4] = dots << (HT_TDFED_BLOCK - steps);
        if (block % 4 == 3 || steps == left_over)
            join_dots(tape->dots[1 + block / 4], dots_of);
    }
    memcpy(kept, &chain, sizeof chain);
}

/* Each combination is compiled apart. Deep pages take the most general one. */
static void run(const struct ht_tdfed_run *run, struct ht_tdfed_tape *tape,
                struct ht_tdfed_chain *chain)
{
#define INKS(inks)                                                             \
    case inks:                                                                 \
        if (run->deep)                                                         \
            do_run(run, tape, chain, run->rows, true, true, true, inks);       \
        else if (run->rows == HT_TDFED_ROWS && run->forced)                    \
            do_run(run, tape, chain, HT_TDFED_ROWS, false, true, true, inks);  \
        else if (run->rows == HT_TDFED_ROWS && run->far)                       \
            do_run(run, tape, chain, HT_TDFED_ROWS, false, false, true, inks); \
        else if (run->rows == HT_TDFED_ROWS)                                   \
            do_run(run, tape, chain, HT_TDFED_ROWS, false, false, false,       \
                   inks);                                                      \
        else if (run->forced)                                                  \
            do_run(run, tape, chain, run->rows, false, true, true, inks);      \
        else                                                                   \
            do_run(run, tape, chain, run->rows, false, false, true, inks);     \
        break;

    switch (run->inks) {
        INKS(HT_TDFED_INK_ALONE)
        INKS(HT_TDFED_INK_FIRST)
        INKS(HT_TDFED_INK_LATER)
        INKS(HT_TDFED_INKS_BESIDE)
    }
#undef INKS
}

const struct ht_tdfed_kernel HT_KERNEL(tdfed) = {LANES / HT_TDFED_ROWS, lay,
                                                 run};
