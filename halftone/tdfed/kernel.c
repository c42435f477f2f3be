/*
 * kernel.c - diffuses what lies on the tapes; compiled once an instruction set,
 * simd/sets.h.
 *
 * At each step every lane does the next pixel of its row. The parameters of the
 * pixels are fetched, 16 bytes each, and transposed into vectors a step ahead:
 * that does not depend on the pixels before and overlaps with them. The chain
 * from step to step is two additions, a comparison, a choice, the bound and
 * one multiplication. Inks that meet take their turns every four steps: a row
 * needs what all inks have left in the row above, one column further, which is
 * four steps ago.
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
#define DOWN(strips, rows) ((strips) << ROW_BITS * (rows)) /* to rows below */
#define UP(strips, rows) ((strips) >> ROW_BITS * (rows))
#else
#define DOWN(strips, rows) ((strips) >> ROW_BITS * (rows))
#define UP(strips, rows) ((strips) << ROW_BITS * (rows))
#endif

/* The shares that later pixels have got so far: parts of ht_tdfed_chain. */
struct chain {
    vec left;     /* of the next pixel of the row */
    vec below[5]; /* of the row below, from a column ahead of the last pixel on
                     backwards */
    vec done;     /* complete, HT_TDFED_REACH columns behind: what the row below
                     inherits */
};

#include "halftone/tdfed/fetch.h"

/* ---- A pixel of each lane ---------------------------------------------- */

/* What is compiled apart. */
struct kind {
    uint32_t rows;
    bool deep;
    enum ht_tdfed_content content;
    bool meets;        /* ht_tdfed_run.meet, and of inks that do: */
    unsigned partners; /* how many each one has */
    bool toned;        /* ht_tdfed_run.toned */
    bool first;        /* its turn is the first */
};

/* Returns what white and solid pixels drop: e - 3 e / 4. */
static inline vec quarter(vec e)
{
    return (e + (~(e >> 15) & 3)) >> 2;
}

static inline mask white_or_solid(vec margin)
{
    return mask_equal(margin, (vec){0} + HT_TDFED_WHITE) |
           mask_equal(margin, (vec){0} + HT_TDFED_SOLID);
}

/* Finds the dots and errors of a step, doc/dev/halftone.md "A pixel".
 * `inherited` is E. */
static inline __attribute__((always_inline)) vec
find_error(const struct kind kind, const vec field[8], vec inherited,
           vec margin, vec left, mask *dot)
{
    const vec one = (vec){0} + HT_ONE, most = one - 1;
    vec sum = vec_add_held(inherited, left);

    *dot = mask_greater(sum, margin);
    vec e = vec_minus_where(*dot, sum + field[HT_TDFED_TONE], one);
    if (kind.content != HT_TDFED_KEPT)
        return vec_max(vec_min(e, most), -one);

    mask forced = white_or_solid(field[HT_TDFED_MARGIN]);
    vec bound = vec_minus_where(forced, one, one / 2);
    e = vec_max(vec_min(e, vec_min(bound, most)), -bound);
    return vec_minus_where(forced, e, quarter(e));
}

/* Spreads the errors of a step. */
static inline __attribute__((always_inline)) void
spread(const struct kind kind, const vec field[8], vec e, struct chain *chain)
{
    vec right = vec_weighted(e, field[HT_TDFED_RIGHT]);
    vec p1 = vec_weighted(e, field[HT_TDFED_P1]);
    vec m1 = vec_weighted(e, field[HT_TDFED_M1]);
    vec m2 = vec_weighted(e, field[HT_TDFED_M2]);
    vec rest = e - right - p1 - m1 - m2;

    chain->left = right;
    chain->done = chain->below[4];
    chain->below[4] = chain->below[3];
    if (kind.content == HT_TDFED_FAR_TOO) {
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

/* ---- Errors ------------------------------------------------------------- */

static inline uint64_t four_errors(const int16_t line[][HT_TDFED_STEPS],
                                   unsigned strip, size_t step)
{
    uint64_t errors;

    memcpy(&errors, &line[strip][step], sizeof errors);
    return errors;
}

/* Loads by pairs: gcc would put four numbers together in memory, and the
 * processor would then wait until all have got there. */
static inline strips load_errors(const int16_t line[][HT_TDFED_STEPS],
                                 size_t step)
{
    typedef uint64_t two __attribute__((vector_size(16)));
#define FOUR(strip) four_errors(line, strip, step)
#if LANES == 16
    return (strips)vec_join((eight)(two){FOUR(0), FOUR(1)},
                            (eight)(two){FOUR(2), FOUR(3)});
#else
    return (strips)(two){FOUR(0), FOUR(1)};
#endif
#undef FOUR
}

static inline __attribute__((always_inline)) void
store_errors(int16_t line[][HT_TDFED_STEPS], size_t step, strips error)
{
    for (unsigned s = 0; s < LANES / HT_TDFED_ROWS; s++) {
        uint64_t errors = error[s];

        memcpy(&line[s][step], &errors, sizeof errors);
    }
}

/* Passes errors down to the row below, in each strip of `count` rows: of `*in`
 * a column to its first row, of `done` to the others, and a column of its last
 * row to `*out`. Returns what the rows inherit. */
static inline __attribute__((always_inline)) vec
pass_errors_down(uint32_t count, vec done, strips *in, strips *out)
{
    strips rows = (strips)done;
    vec inherited = vec_top((vec)*in, (vec)DOWN(rows, 1));

    *out = (strips)vec_bottom((vec)DOWN(rows, HT_TDFED_ROWS - count),
                              (vec)UP(*out, 1));
    *in = UP(*in, 1);
    return inherited;
}

#include "halftone/tdfed/keep.h"
#include "halftone/tdfed/meet.h"

/* ---- A group of steps --------------------------------------------------- */

/* An ink at work, and what it looks at. */
struct work {
    const struct ht_tdfed_tape *tape;
    struct pixels pixels;
    unsigned turn;
    const struct bytes *kept; /* of the block */
    lanes *before;            /* of each step of the group: the excess of the
                                 inks before (B) */
    struct meeting *meeting;
    struct partners *partners;
};

/* What goes on from step to step. */
struct progress {
    struct chain chain;
    struct aside aside;
    strips in, out; /* a column of each strip's errors a step */
    vec dots;       /* of a block: a bit a step in each lane */
};

/* Returns the margins of pixels that look at inks before, and their excess in
 * `*before`. */
static inline __attribute__((always_inline)) vec
raise_margin(const struct kind kind, const struct work *work, unsigned k,
             const vec field[8], vec *before)
{
    const vec zero = {0};
    vec margin = field[HT_TDFED_MARGIN];

    if (!kind.first) {
        memcpy(before, work->before[k], sizeof *before);
        *before = vec_max(vec_min(*before, zero + (HT_ONE - 1)),
                          zero + HT_LEAST_BEFORE);
        margin += vec_weighted(*before, field[HT_TDFED_AVOID]);
    }
    return meet(kind, work->meeting, work->partners, work->turn, k, field,
                margin);
}

/* Tells the inks after this one of a step. The excess `before` is not held
 * yet. */
static inline __attribute__((always_inline)) void
tell(const struct kind kind, const struct work *work, unsigned k,
     const vec field[8], vec before, vec e, mask dot)
{
    vec excess = before - e;

    memcpy(work->before[k], &excess, sizeof excess);
    part(kind, work->meeting, work->partners, work->turn, k, field, dot);
}

/* Does step `step` + k, whose pixels have `field`; `fetches` those of the next
 * one then. */
static inline __attribute__((always_inline)) void
do_step(const struct kind kind, const struct work *work, size_t step,
        unsigned k, bool fetches, struct progress *progress, vec field[8])
{
    struct chain *chain = &progress->chain;
    vec margin = field[HT_TDFED_MARGIN], before = {0}, next[8];
    struct kept kept;
    mask dot;

    if (kind.meets)
        margin = raise_margin(kind, work, k, field, &before);
    if (kind.content == HT_TDFED_KEPT)
        margin = look_around(&kept, work->kept, work->tape, step + k, k, field,
                             margin);

    vec inherited =
        pass_errors_down(kind.rows, chain->done, &progress->in, &progress->out);
    vec e = find_error(kind, field, inherited, margin, chain->left, &dot);
    if (kind.meets)
        tell(kind, work, k, field, before, e, dot);
    if (fetches)
        fetch(&work->pixels, work->tape, step + k + 1, kind.deep, next);
    if (kind.content == HT_TDFED_KEPT)
        spread_kept(&kept, field, e, chain, &progress->aside);
    else
        spread(kind, field, e, chain);
    if (fetches)
        memcpy(field, next, sizeof next);
    progress->dots =
        vec_minus_where(dot, progress->dots + progress->dots, (vec){0} - 1);
}

/* Does four steps. `field` has the pixels of the first one; after it, if it
 * `goes_on`, those of the next group's. `line` has the errors. */
static inline __attribute__((always_inline)) void
do_group(const struct kind kind, const struct work *work,
         int16_t line[][HT_TDFED_STEPS], size_t step, bool goes_on,
         struct progress *progress, vec field[8])
{
    progress->in = load_errors(line, step);
    progress->out = (strips){0};
    do_step(kind, work, step, 0, true, progress, field);
    do_step(kind, work, step, 1, true, progress, field);
    do_step(kind, work, step, 2, true, progress, field);
    do_step(kind, work, step, 3, goes_on, progress, field);
    store_errors(line, step, progress->out);
}

/* ---- An ink -------------------------------------------------------------- */

static inline __attribute__((always_inline)) struct work
work_of(const struct ht_tdfed_run *run, unsigned turn)
{
    struct work work;

    work.tape = run->turn[turn].tape;
    work.turn = turn;
    for (unsigned s = 0; s < LANES / HT_TDFED_ROWS; s++)
        work.pixels.of[s] = (const int16_t *)run->turn[turn].pixels[s];
    return work;
}

/* All by name: gcc would copy structs by 64 bytes, and the processor would then
 * wait for what was stored by less. */
#define EACH_PART(DO)                                                          \
    DO(part[0], left)                                                          \
    DO(part[1], below[0])                                                      \
    DO(part[2], below[1])                                                      \
    DO(part[3], below[2])                                                      \
    DO(part[4], below[3])                                                      \
    DO(part[5], below[4])                                                      \
    DO(part[6], done)
#define EACH_ASIDE(DO)                                                         \
    DO(aside[0], ahead[0])                                                     \
    DO(aside[1], ahead[1])                                                     \
    DO(aside[2], done[0])                                                      \
    DO(aside[3], done[1])                                                      \
    DO(aside[4], done[2])

static inline __attribute__((always_inline)) void
take_up(const struct kind kind, const struct ht_tdfed_chain *kept,
        struct progress *progress)
{
    struct chain *chain = &progress->chain;
    struct aside *aside = &progress->aside;

#define TAKE(from, to) memcpy(&chain->to, kept->from, sizeof(vec));
    EACH_PART(TAKE)
#undef TAKE
#define TAKE(from, to) memcpy(&aside->to, kept->from, sizeof(vec));
    if (kind.content == HT_TDFED_KEPT) {
        EACH_ASIDE(TAKE)
    }
#undef TAKE
}

static inline __attribute__((always_inline)) void
put_down(const struct kind kind, struct ht_tdfed_chain *kept,
         const struct progress *progress)
{
    const struct chain *chain = &progress->chain;
    const struct aside *aside = &progress->aside;

#define PUT(to, from) memcpy(kept->to, &chain->from, sizeof(vec));
    EACH_PART(PUT)
#undef PUT
#define PUT(to, from) memcpy(kept->to, &aside->from, sizeof(vec));
    if (kind.content == HT_TDFED_KEPT) {
        EACH_ASIDE(PUT)
    }
#undef PUT
}

#undef EACH_PART
#undef EACH_ASIDE

/* Stores the dots of a block that has `steps`, or keeps them until there are
 * four blocks' or all. */
static inline void put_block(struct ht_tdfed_tape *tape, vec dots_of[4],
                             size_t block, size_t steps, bool all, vec dots)
{
    dots_of[block % 4] = dots << (HT_TDFED_BLOCK - steps);
    if (block % 4 == 3 || all)
        join_dots(tape->dots[1 + block / 4], dots_of);
}

/* ---- A run --------------------------------------------------------------- */

/* Runs an ink alone. */
static inline __attribute__((always_inline)) void
run_one(const struct kind kind, const struct ht_tdfed_run *run)
{
    struct ht_tdfed_tape *tape = run->turn[0].tape;
    struct work work = work_of(run, 0);
    struct progress progress;
    struct bytes kept;
    vec field[8], dots_of[4] = {{0}};

    work.kept = &kept;
    take_up(kind, run->turn[0].chain, &progress);
    fetch(&work.pixels, tape, 0, kind.deep, field);
    for (size_t block = 0; block * HT_TDFED_BLOCK < run->steps; block++) {
        size_t step = block * HT_TDFED_BLOCK, left_over = run->steps - step;
        size_t steps = left_over < HT_TDFED_BLOCK ? left_over : HT_TDFED_BLOCK;

        progress.dots = (vec){0};
        if (kind.content == HT_TDFED_KEPT)
            load_block(tape->kept[0] + step, sizeof tape->kept[0], &kept);
        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS)
            do_group(kind, &work, tape->error, step + i, true, &progress,
                     field);
        put_block(tape, dots_of, block, steps, steps == left_over,
                  progress.dots);
    }
    put_down(kind, run->turn[0].chain, &progress);
}

/* Each kind is a function of its own: compilers take a long time for large
 * ones. */
#define ALONE(name, rows, deep, content)                                       \
    static __attribute__((noinline)) void name(const struct ht_tdfed_run *run) \
    {                                                                          \
        run_one((struct kind){rows, deep, content, false, 0, false, false},    \
                run);                                                          \
    }

ALONE(near_alone, HT_TDFED_ROWS, false, HT_TDFED_NEAR)
ALONE(far_alone, HT_TDFED_ROWS, false, HT_TDFED_FAR_TOO)
ALONE(kept_alone, HT_TDFED_ROWS, false, HT_TDFED_KEPT)
ALONE(rows_alone, run->rows, false, HT_TDFED_FAR_TOO)
ALONE(kept_rows_alone, run->rows, false, HT_TDFED_KEPT)
ALONE(deep_alone, run->rows, true, HT_TDFED_FAR_TOO)
ALONE(kept_deep_alone, run->rows, true, HT_TDFED_KEPT)

#undef ALONE

static void run_alone(const struct ht_tdfed_run *run)
{
    const enum ht_tdfed_content content = run->turn[0].content;
    bool kept = content == HT_TDFED_KEPT;

    if (run->deep)
        (kept ? kept_deep_alone : deep_alone)(run);
    else if (run->rows < HT_TDFED_ROWS)
        (kept ? kept_rows_alone : rows_alone)(run);
    else if (kept)
        kept_alone(run);
    else
        (content == HT_TDFED_FAR_TOO ? far_alone : near_alone)(run);
}

#include "halftone/tdfed/turns.h"

static void run(const struct ht_tdfed_run *run)
{
    (run->meet ? run_meeting : run_alone)(run);
}

const struct ht_tdfed_kernel HT_KERNEL(tdfed) = {LANES / HT_TDFED_ROWS, lay,
                                                 any_forced, keep, run};
