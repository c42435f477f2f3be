/*
 * kernel.c - diffuses what lies on the tapes; compiled once an instruction set,
 * simd/sets.h.
 *
 * At each step every lane does the next pixel of its row. The parameters of the
 * pixels are fetched, 16 bytes each, and transposed into vectors a step ahead:
 * that does not depend on the pixels before and overlaps with them. The chain
 * from step to step is two additions, a comparison, a choice, the bound and
 * one multiplication. Strips of inks that meet lie side by side, each a step
 * behind the one before, from which it hears what inks have left: meet.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "halftone/tdfed/kernel.h"

#define HT_MOST_LANES 16 /* HT_TDFED_MAX_LANES */
#include "halftone/simd/vec.h"

#include "halftone/simd/table.h"

#include "halftone/tdfed/lay.h"
#include "halftone/tdfed/mark.h"
#include "halftone/tdfed/span_levels.h"

_Static_assert(HT_MOST_LANES == HT_TDFED_MAX_LANES, "of all strips");

#define STRIPS (LANES / HT_TDFED_ROWS)

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

/* The shares that later pixels have got so far: ht_tdfed_chain.part. */
struct chain {
    vec left;     /* of the next pixel of the row */
    vec below[5]; /* of the row below, from a column ahead of the last pixel on
                     backwards */
    vec done;     /* complete, HT_TDFED_REACH columns behind: what the row below
                     inherits */
};

/* Parameters that a kernel is compiled for. */
struct kind {
    uint32_t rows;
    bool deep;
    enum ht_tdfed_content content;
    uint32_t vectors; /* of inks that meet; 0: inks alone, in one */
    bool sized;       /* drops have several sizes, .. */
    uint32_t bits;    /* .. of so many bits each on the tape */
};

#include "halftone/tdfed/fetch.h"

/* ---- A pixel of each lane ---------------------------------------------- */

/* Returns what white and solid pixels drop: e - 3 e / 4. */
static inline vec quarter(vec e)
{
    return (e + (~(e >> 15) & 3)) >> 2;
}

#include "halftone/tdfed/sizes.h"

/* Says which pixels are neither white nor solid. */
static inline mask toned_pixels(const struct kind kind, const vec field[8])
{
    if (kind.sized)
        return toned_spans(field[HT_TDFED_SPAN]);
    return ~mask_negative(field[HT_TDFED_NEARNESS]);
}

/* The dots of a step. */
struct dots {
    mask any; /* of several sizes the larger ones of the choice */
    struct step_drops drops; /* of several sizes */
};

/* Finds the errors of a step, doc/dev/halftone.md "A pixel", of pixels that
 * print what is taken from u. */
static inline __attribute__((always_inline)) vec
held_error(const struct kind kind, const vec field[8], vec e)
{
    const vec one = (vec){0} + HT_ONE, most = one - 1;

    if (kind.content != HT_TDFED_KEPT)
        return vec_max(vec_min(e, most), -one);

    mask forced = ~toned_pixels(kind, field);
    vec bound = vec_minus_where(forced, one, one / 2);
    e = vec_max(vec_min(e, vec_min(bound, most)), -bound);
    return vec_minus_where(forced, e, quarter(e));
}

/* Finds the dots and errors of a step: one size has a dot where u is above
 * `limit`, several have `span`. */
static inline __attribute__((always_inline)) vec
find_error(const struct kind kind, const vec field[8], vec u, vec limit,
           const struct span *span, struct dots *dots)
{
    const vec one = (vec){0} + HT_ONE;

    if (kind.sized) {
        dots->any = ~mask_greater(span->limit, u);
        dots->drops = find_sizes(span, u);
        return held_error(kind, field, u + dots->drops.minus);
    }
    dots->any = mask_greater(u, limit);
    return held_error(kind, field, vec_minus_where(dots->any, u, one));
}

/* Returns the weights (1,-4). */
static inline vec far_weight(const vec field[8])
{
    return vec_max(-field[HT_TDFED_FAR], (vec){0});
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
        vec m4 = vec_weighted(e, far_weight(field));

        chain->done += m4;
        rest -= m4;
    }
    chain->below[3] = chain->below[2] + m2;
    chain->below[2] = chain->below[1] + m1;
    chain->below[1] = chain->below[0] + rest;
    chain->below[0] = p1;
}

/* ---- Dots --------------------------------------------------------------- */

/* Adds the dots of a step to those of the steps before. */
static inline vec add_dots(vec dots, mask any)
{
    uvec before = (uvec)dots;

    return vec_minus_where(any, (vec)(before + before), (vec){0} - 1);
}

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
    for (unsigned s = 0; s < STRIPS; s++) {
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

#include "halftone/tdfed/feedback.h"
#include "halftone/tdfed/targets.h"
#include "halftone/tdfed/meet.h"

/* ---- A group of steps --------------------------------------------------- */

/* A vector of strips at work, and what it looks at. */
struct work {
    const struct ht_tdfed_tape *tape;
    struct pixels pixels;
    const struct bytes *targets; /* of the block */
    const struct rules *rules;
    const struct span_sizes *sizes;
    const int16_t *absorbed; /* the share of light that inks absorb (d) */
    struct ht_tdfed_chain *chain;
};

/* State that passes from step to step. */
struct progress {
    struct chain chain;
    struct aside aside;
    strips in, out; /* a column of each strip's errors a step */
    struct company company;
    struct met met;
    struct fed_back choices;
    vec dots; /* of a block, a bit a step in each lane, unless they are the
                 choices; of several sizes two bits, of half a block, or four,
                 of a quarter */
};

static inline __attribute__((always_inline)) struct work
work_of(const struct ht_tdfed_run *run, unsigned vector)
{
    struct work work;

    work.tape = run->vector[vector].tape;
    work.chain = run->vector[vector].chain;
    work.absorbed = run->vector[vector].absorbed;
    for (unsigned s = 0; s < STRIPS; s++)
        work.pixels.of[s] = (const int16_t *)run->vector[vector].pixels[s];
    return work;
}

/* Returns u of a step: a + left + E. */
static inline __attribute__((always_inline)) vec
sum_up(const struct kind kind, struct progress *progress, const vec field[8])
{
    vec inherited = pass_errors_down(kind.rows, progress->chain.done,
                                     &progress->in, &progress->out);

    return vec_add_held(vec_add_held(inherited, progress->chain.left),
                        field[HT_TDFED_TONE]);
}

/* Does step `step` + k, whose pixels have `field`; `fetches` those of the next
 * one then. */
static inline __attribute__((always_inline)) void
do_step(const struct kind kind, const struct work *work, size_t step,
        unsigned k, bool fetches, struct progress *progress, vec field[8])
{
    const bool early = kind.sized && kind.vectors == 0;
    struct chain *chain = &progress->chain;
    struct fed_back *choices = &progress->choices;
    vec limit = feed_back(kind, field, choices), next[8];
    vec tone = field[HT_TDFED_TONE]; /* or a*, of inks that meet */
    struct encounter found;
    struct step_targets targets;
    struct span span;
    struct dots dots;
    vec u;

    /* Several sizes need more registers: the compiler would keep `left` in
     * memory until it is added, and the chain would wait for that. */
    if (early)
        u = sum_up(kind, progress, field);
    if (kind.vectors > 0 && kind.sized)
        tone = share_of(work->sizes, field);
    if (kind.vectors > 0)
        limit = meet(kind, work->rules, work->absorbed, &progress->company,
                     &progress->met, field, tone, limit, &found);
    if (kind.content == HT_TDFED_KEPT) {
        look_around(kind, &targets, work->targets, work->tape, step + k, k,
                    field);
        if (kind.sized)
            span = span_kept(&targets, work->sizes, field, limit);
        else
            limit = limit_kept(&targets, field, limit);
    } else if (kind.sized) {
        span = span_of(work->sizes, field, limit);
    }

    if (!early)
        u = sum_up(kind, progress, field);
    vec e = find_error(kind, field, u, limit, &span, &dots);
    if (kind.sized)
        progress->dots = add_sizes(progress->dots, dots.drops.size, kind.bits);
    if (kind.vectors > 0)
        part(kind, work->absorbed, work->tape->goes_on[1 + step + k],
             &progress->company, &progress->met, tone, &found, &dots);
    if (fetches)
        fetch(kind, &work->pixels, work->tape, step + k + 1, next);
    choices->last = dots.any;
    if (kind.content == HT_TDFED_KEPT) {
        spread_kept(&targets, field, e, chain, &progress->aside);
        choices->last &= ~targets.forced;
    } else {
        spread(kind, field, e, chain);
    }
    if (fetches)
        memcpy(field, next, sizeof next);
    if (!kind.sized && kind.content == HT_TDFED_KEPT)
        progress->dots = add_dots(progress->dots, dots.any);
}

/* ---- From run to run ------------------------------------------------------
 */

/* All by name: gcc would copy structs by 64 bytes, and the processor would then
 * wait for what was stored by less. */
#define EACH_SHARE(DO)                                                         \
    DO(0, chain.left)                                                          \
    DO(1, chain.below[0])                                                      \
    DO(2, chain.below[1])                                                      \
    DO(3, chain.below[2])                                                      \
    DO(4, chain.below[3])                                                      \
    DO(5, chain.below[4])                                                      \
    DO(6, chain.done)                                                          \
    DO(19, choices.before)
#define EACH_ASIDE(DO)                                                         \
    DO(7, aside.ahead[0])                                                      \
    DO(8, aside.ahead[1])                                                      \
    DO(9, aside.done[0])                                                       \
    DO(10, aside.done[1])                                                      \
    DO(11, aside.done[2])
#define EACH_MET(DO)                                                           \
    DO(12, company.left)                                                       \
    DO(13, company.done)                                                       \
    DO(14, met.taken)                                                          \
    DO(15, met.due)                                                            \
    DO(16, met.near)                                                           \
    DO(17, met.light)                                                          \
    DO(18, met.count)

#define LAST 20 /* choices.last */

_Static_assert(HT_TDFED_PARTS == 21, "all parts of a chain");

static inline __attribute__((always_inline)) void
take_up(const struct kind kind, const struct ht_tdfed_chain *kept,
        struct progress *progress)
{
#define TAKE(i, to) memcpy(&progress->to, kept->part[i], sizeof(vec));
    EACH_SHARE(TAKE)
    if (kind.content == HT_TDFED_KEPT) {
        EACH_ASIDE(TAKE)
    }
    if (kind.vectors > 0) {
        EACH_MET(TAKE)
    }
#undef TAKE
    vec last;

    memcpy(&last, kept->part[LAST], sizeof last);
    progress->choices.last = mask_negative(last);
}

static inline __attribute__((always_inline)) void
put_down(const struct kind kind, struct ht_tdfed_chain *kept,
         const struct progress *progress)
{
#define PUT(i, from) memcpy(kept->part[i], &progress->from, sizeof(vec));
    EACH_SHARE(PUT)
    if (kind.content == HT_TDFED_KEPT) {
        EACH_ASIDE(PUT)
    }
    if (kind.vectors > 0) {
        EACH_MET(PUT)
    }
#undef PUT
    vec last = vec_where(progress->choices.last, (vec){0} - 1);

    memcpy(kept->part[LAST], &last, sizeof last);
}

#undef EACH_SHARE
#undef EACH_ASIDE
#undef EACH_MET

/* Stores the dots of a block that has `steps` from `step` on, or keeps them
 * until there are four blocks' or all. */
static inline void put_block(const struct kind kind, struct ht_tdfed_tape *tape,
                             vec dots_of[4], size_t step, size_t steps,
                             size_t all, const struct progress *progress)
{
    size_t block = step / HT_TDFED_BLOCK;
    vec dots = progress->dots;

    if (kind.sized) /* put_part() has done so */
        return;

    if (kind.content != HT_TDFED_KEPT)
        dots = add_dots(progress->choices.before, progress->choices.last);
    dots_of[block % 4] = dots << (HT_TDFED_BLOCK - steps);
    if (block % 4 == 3 || step + steps == all)
        join_dots(tape->dots[1 + block / 4], dots_of);
}

/* put_block() for the part of a block of several sizes that makes 16 bits, if
 * the group of steps from `step` on ends one. */
static inline __attribute__((always_inline)) void
put_part(const struct kind kind, struct ht_tdfed_tape *tape, vec dots_of[4],
         size_t step, size_t all, struct progress *progress)
{
    const size_t bits = kind.bits * step, part = bits / HT_TDFED_BLOCK;
    const size_t end = step + HT_TDFED_ROWS, left = kind.bits * end % 16;

    if (!kind.sized || (left != 0 && end != all))
        return;
    dots_of[part % 4] = progress->dots << (16 - left) % 16;
    progress->dots = (vec){0};
    if (part % 4 == 3 || end == all)
        join_dots(tape->dots[1 + part / 4], dots_of);
}

/* ---- Inks alone -----------------------------------------------------------
 */

/* Does four steps. `field` has the pixels of the first one; after it, those of
 * the next group's. `line` has the errors. */
static inline __attribute__((always_inline)) void
do_group(const struct kind kind, const struct work *work,
         int16_t line[][HT_TDFED_STEPS], size_t step, struct progress *progress,
         vec field[8])
{
    progress->in = load_errors(line, step);
    progress->out = (strips){0};
    do_step(kind, work, step, 0, true, progress, field);
    do_step(kind, work, step, 1, true, progress, field);
    do_step(kind, work, step, 2, true, progress, field);
    do_step(kind, work, step, 3, true, progress, field);
    store_errors(line, step, progress->out);
}

/* Returns how many steps a block has from `step` on. */
static inline size_t steps_of_block(const struct ht_tdfed_run *run, size_t step)
{
    size_t left = run->steps - step;

    return left < HT_TDFED_BLOCK ? left : HT_TDFED_BLOCK;
}

static inline __attribute__((always_inline)) void
run_strips(const struct kind kind, const struct ht_tdfed_run *run)
{
    struct ht_tdfed_tape *tape = run->vector[0].tape;
    struct work work = work_of(run, 0);
    struct progress progress;
    struct bytes targets;
    struct span_sizes sizes;
    vec field[8], dots_of[4] = {{0}};

    work.targets = &targets;
    work.sizes = &sizes;
    if (kind.sized)
        sizes = sizes_of(run->sizes);
    take_up(kind, work.chain, &progress);
    fetch(kind, &work.pixels, tape, 0, field);
    for (size_t step = 0; step < run->steps; step += HT_TDFED_BLOCK) {
        size_t steps = steps_of_block(run, step);

        progress.dots = (vec){0};
        if (kind.content == HT_TDFED_KEPT)
            load_block(tape->targets[0] + step, sizeof tape->targets[0],
                       &targets);
        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS) {
            do_group(kind, &work, tape->error, step + i, &progress, field);
            put_part(kind, tape, dots_of, step + i, run->steps, &progress);
        }
        put_block(kind, tape, dots_of, step, steps, run->steps, &progress);
    }
    put_down(kind, work.chain, &progress);
}

/* Each kind is a function of its own: compilers take a long time for large
 * ones. */
#define ALONE(name, rows, deep, content, sized, bits)                          \
    static __attribute__((noinline)) void name(const struct ht_tdfed_run *run) \
    {                                                                          \
        run_strips((struct kind){rows, deep, content, 0, sized, bits}, run);   \
    }

ALONE(near_alone, HT_TDFED_ROWS, false, HT_TDFED_NEAR, false, 1)
ALONE(far_alone, HT_TDFED_ROWS, false, HT_TDFED_FAR_TOO, false, 1)
ALONE(kept_alone, HT_TDFED_ROWS, false, HT_TDFED_KEPT, false, 1)
ALONE(rows_alone, run->rows, false, HT_TDFED_FAR_TOO, false, 1)
ALONE(kept_rows_alone, run->rows, false, HT_TDFED_KEPT, false, 1)
ALONE(deep_alone, run->rows, true, HT_TDFED_FAR_TOO, false, 1)
ALONE(kept_deep_alone, run->rows, true, HT_TDFED_KEPT, false, 1)
ALONE(sizes_alone, HT_TDFED_ROWS, false, HT_TDFED_FAR_TOO, true, 2)
ALONE(kept_sizes_alone, HT_TDFED_ROWS, false, HT_TDFED_KEPT, true, 2)
ALONE(deep_sizes_alone, HT_TDFED_ROWS, true, HT_TDFED_FAR_TOO, true, 2)
ALONE(any_sizes_alone, run->rows, run->deep, HT_TDFED_FAR_TOO, true,
      run->dot_bits)
ALONE(any_kept_sizes_alone, run->rows, run->deep, HT_TDFED_KEPT, true,
      run->dot_bits)

#undef ALONE

static void run_sizes_alone(const struct ht_tdfed_run *run)
{
    bool kept = run->content == HT_TDFED_KEPT;

    if (run->deep && run->rows == HT_TDFED_ROWS && !kept && run->dot_bits == 2)
        deep_sizes_alone(run);
    else if (run->deep || run->rows < HT_TDFED_ROWS || run->dot_bits > 2)
        (kept ? any_kept_sizes_alone : any_sizes_alone)(run);
    else
        (kept ? kept_sizes_alone : sizes_alone)(run);
}

static void run_alone(const struct ht_tdfed_run *run)
{
    bool kept = run->content == HT_TDFED_KEPT;

    if (run->sizes != NULL)
        run_sizes_alone(run);
    else if (run->deep)
        (kept ? kept_deep_alone : deep_alone)(run);
    else if (run->rows < HT_TDFED_ROWS)
        (kept ? kept_rows_alone : rows_alone)(run);
    else if (kept)
        kept_alone(run);
    else
        (run->content == HT_TDFED_FAR_TOO ? far_alone : near_alone)(run);
}

#include "halftone/tdfed/vectors.h"

static void run(const struct ht_tdfed_run *run)
{
    (run->meeting != NULL ? run_meeting : run_alone)(run);
}

const struct ht_tdfed_kernel HT_KERNEL(tdfed) = {.strips = STRIPS,
                                                 .lay = lay,
                                                 .span = span,
                                                 .mark = mark,
                                                 .copy = copy,
                                                 .find_targets = find_targets,
                                                 .run = run};
