/*
 * cpu_kernel.h - the CPU engine's kernel, included once an instruction set by
 * a file that defines LANES, 8 or 16, and, on vectors of so many 16-bit
 * numbers,
 *
 *   vec_weighted(e, w)      (e * w + 2^14) >> 15
 *   vec_min(a, b), vec_max(a, b)
 *   vec_abs(a)              not of -32768
 *   vec_top(a, b)           the first of each four lanes from a, others from b
 *   vec_bottom(a, b)        the last of each four lanes from a, others from b
 *   vec_to_next_strip(a)    strip s + 1 gets strip s, strip 0 gets 0
 *   vec_join(a, b)          of 16 lanes: two `eight`
 *
 * and, where the instruction set has masks, MASKS and those of "Masks" below.
 *
 * At each step every lane does the next pixel of its row. What the pixels
 * need is fetched, 16 bytes each, and transposed into vectors a step ahead:
 * that does not depend on the pixels before and overlaps with them. The chain
 * from step to step is two additions, a comparison, a choice, the bound and
 * one multiplication.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* A strip's four lanes as one number: to what row a lane belongs is a matter
 * of shifts. */
typedef uint64_t strips __attribute__((vector_size(2 * LANES)));

#define ROW_BITS 16
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOWN(strips, rows) ((strips) << (rows)*ROW_BITS) /* to rows below */
#define UP(strips, rows) ((strips) >> (rows)*ROW_BITS)
#else
#define DOWN(strips, rows) ((strips) >> (rows)*ROW_BITS)
#define UP(strips, rows) ((strips) << (rows)*ROW_BITS)
#endif

/* What later pixels have got so far from those that are done. */
struct chain {
    vec left;     /* the next pixel of the row */
    vec below[5]; /* the row below: a column ahead of the last, its own.. */
    vec done;     /* and what it inherits, HT_CPU_REACH columns behind */
};

/* ---- Masks -------------------------------------------------------------- */

#ifndef MASKS
typedef vec mask; /* -1 in some lanes, 0 in the others */

static inline mask mask_equal(vec a, vec b)
{
    return a == b;
}

static inline mask mask_greater(vec a, vec b)
{
    return a > b;
}

static inline mask mask_negative(vec a)
{
    return a >> 15;
}

/* b is added, or taken away, in the mask's lanes only. */
static inline vec vec_plus_where(mask m, vec a, vec b)
{
    return a + (b & m);
}

static inline vec vec_minus_where(mask m, vec a, vec b)
{
    return a - (b & m);
}
#endif

/* ---- What the pixels need ---------------------------------------------- */

#if LANES == 16
#define UNPACK_LOW(a, b)                                                       \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 8, 24, 9, 25,    \
                            10, 26, 11, 27)
#define UNPACK_HIGH(a, b)                                                      \
    __builtin_shufflevector(a, b, 4, 20, 5, 21, 6, 22, 7, 23, 12, 28, 13, 29,  \
                            14, 30, 15, 31)
#else
#define UNPACK_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UNPACK_HIGH(a, b)                                                      \
    __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#endif

/* A third of transposing 8 x 8. */
static inline __attribute__((always_inline)) void interleave(vec v[8])
{
    vec a = v[0], b = v[1], c = v[2], d = v[3];

    v[0] = UNPACK_LOW(a, v[4]);
    v[1] = UNPACK_HIGH(a, v[4]);
    v[2] = UNPACK_LOW(b, v[5]);
    v[3] = UNPACK_HIGH(b, v[5]);
    v[4] = UNPACK_LOW(c, v[6]);
    v[5] = UNPACK_HIGH(c, v[6]);
    a = UNPACK_LOW(d, v[7]);
    v[7] = UNPACK_HIGH(d, v[7]);
    v[6] = a;
}

/* Each strip's table of pixels. */
struct pixels {
    const int16_t *of[LANES / HT_CPU_ROWS];
};

static inline __attribute__((always_inline)) eight
fetch_one(const struct pixels *pixels, const struct ht_cpu_tape *tape,
          unsigned lane, size_t step, bool deep)
{
    eight pixel;

    memcpy(&pixel, pixels->of[lane / HT_CPU_ROWS] + tape->index[lane][step],
           sizeof pixel);
    if (deep)
        pixel[HT_CPU_TONE] = tape->tone[lane][step];
    return pixel;
}

/* Eight fields of the pixels of a step; all by name, which keeps them in
 * registers. */
static inline __attribute__((always_inline)) void
fetch(const struct pixels *pixels, const struct ht_cpu_tape *tape, size_t step,
      bool deep, vec field[8])
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
        field[HT_CPU_MARGIN] -= field[HT_CPU_TONE];
}

/* ---- A pixel of each lane ---------------------------------------------- */

/* What is dropped at white and solid pixels: e - 3 e / 4. */
static inline vec quarter(vec e)
{
    return (e + (~(e >> 15) & 3)) >> 2;
}

/* doc/halftone.md, "A pixel", to its error. `inherited` is E. */
static inline __attribute__((always_inline)) vec
find_error(const vec field[8], vec inherited, vec margin, bool forced, vec left,
           mask *dot)
{
    const vec one = (vec){0} + HT_ONE;
    vec sum = inherited + left;

    *dot = mask_greater(sum, margin);
    vec e = vec_minus_where(*dot, sum + field[HT_CPU_TONE], one);
    if (!forced)
        return vec_max(vec_min(e, one), -one);

    vec m = field[HT_CPU_MARGIN];
    mask extreme = mask_equal(m, (vec){0} + HT_CPU_WHITE) |
                   mask_equal(m, (vec){0} + HT_CPU_SOLID);
    vec bound = vec_minus_where(extreme, one, one / 2);
    e = vec_max(vec_min(e, bound), -bound);
    return vec_minus_where(extreme, e, quarter(e));
}

/* The same, from its error on. */
static inline __attribute__((always_inline)) void
spread(const vec field[8], vec e, bool far, struct chain *chain)
{
    vec right = vec_weighted(e, field[HT_CPU_RIGHT]);
    vec p1 = vec_weighted(e, field[HT_CPU_P1]);
    vec m1 = vec_weighted(e, field[HT_CPU_M1]);
    vec m2 = vec_weighted(e, field[HT_CPU_M2]);
    vec rest = e - right - p1 - m1 - m2;

    chain->left = right;
    chain->done = chain->below[4];
    chain->below[4] = chain->below[3];
    if (far) {
        vec m3_or_m4 = vec_weighted(e, vec_abs(field[HT_CPU_FAR]));
        mask m4 = mask_negative(field[HT_CPU_FAR]);

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

#if LANES == 16
#define PAIRS_LOW(a, b)                                                        \
    __builtin_shufflevector(a, b, 0, 1, 16, 17, 2, 3, 18, 19, 8, 9, 24, 25,    \
                            10, 11, 26, 27)
#define PAIRS_HIGH(a, b)                                                       \
    __builtin_shufflevector(a, b, 4, 5, 20, 21, 6, 7, 22, 23, 12, 13, 28, 29,  \
                            14, 15, 30, 31)
#else
#define PAIRS_LOW(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 2, 3, 10, 11)
#define PAIRS_HIGH(a, b)                                                       \
    __builtin_shufflevector(a, b, 4, 5, 12, 13, 6, 7, 14, 15)
#endif

/* Two lanes of each half. */
static inline void put_dots(uint64_t *dots, vec lanes)
{
    memcpy(dots, &lanes, 16);
#if LANES == 16
    memcpy(dots + 8, (const char *)&lanes + 16, 16);
#endif
}

/* The dots of four blocks become a word for each lane. */
static inline void join_dots(uint64_t dots[HT_CPU_MAX_LANES],
                             const vec block[4])
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    vec a = block[3], b = block[2], c = block[1], d = block[0];
#else
    vec a = block[0], b = block[1], c = block[2], d = block[3];
#endif
    vec ab = UNPACK_LOW(a, b), cd = UNPACK_LOW(c, d);

    put_dots(dots, PAIRS_LOW(ab, cd));
    put_dots(dots + 2, PAIRS_HIGH(ab, cd));
    ab = UNPACK_HIGH(a, b);
    cd = UNPACK_HIGH(c, d);
    put_dots(dots + 4, PAIRS_LOW(ab, cd));
    put_dots(dots + 6, PAIRS_HIGH(ab, cd));
}

/* ---- Inks that look at each other --------------------------------------- */

/* B of a step. */
static inline __attribute__((always_inline)) vec
load_before(const struct ht_cpu_tape *tape, size_t step)
{
    const vec zero = {0};
    vec before;

    memcpy(&before, tape->before[step], sizeof before);
    return vec_max(vec_min(before, zero + (HT_ONE - 1)),
                   zero + HT_LEAST_BEFORE);
}

/* Not held yet; for inks side by side, the next strip finds it where it
 * looks. */
static inline __attribute__((always_inline)) void
store_before(struct ht_cpu_tape *tape, size_t step, bool beside, vec before)
{
    if (beside) {
        before = vec_to_next_strip(before);
        step += HT_CPU_INK_LAG;
    }
    memcpy(tape->before[step], &before, sizeof before);
}

/* ---- Errors ------------------------------------------------------------- */

static inline uint64_t four_errors(const struct ht_cpu_tape *tape,
                                   unsigned strip, size_t step)
{
    uint64_t errors;

    memcpy(&errors, &tape->error[strip][step], sizeof errors);
    return errors;
}

/* By pairs: gcc puts four numbers together in memory, and the processor then
 * waits until all have got there. */
static inline strips load_errors(const struct ht_cpu_tape *tape, size_t step)
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
store_errors(struct ht_cpu_tape *tape, size_t step, strips error)
{
    for (unsigned s = 0; s < LANES / HT_CPU_ROWS; s++) {
        uint64_t errors = error[s];

        memcpy(&tape->error[s][step], &errors, sizeof errors);
    }
}

/* ---- A run ------------------------------------------------------------- */

/* One step, whose pixels need `field`, then the next ones; four columns of
 * error go in, and four come out of `left`. Adds a bit to each lane's dots. */
static inline __attribute__((always_inline)) void
do_step(const struct pixels *pixels, struct ht_cpu_tape *tape, size_t step,
        uint32_t rows, bool deep, bool forced, bool far, enum ht_cpu_inks inks,
        strips *error, strips *left, struct chain *chain, vec field[8],
        vec *dots)
{
    vec margin = field[HT_CPU_MARGIN], before = {0}, next[8];
    mask dot;

    if (inks == HT_CPU_INK_LATER || inks == HT_CPU_INKS_BESIDE) {
        before = load_before(tape, step);
        margin += vec_weighted(before, field[HT_CPU_AVOID]);
    }

    strips done = (strips)chain->done;
    vec inherited = vec_top((vec)*error, (vec)DOWN(done, 1));
    *left = (strips)vec_bottom((vec)DOWN(done, HT_CPU_ROWS - rows),
                               (vec)UP(*left, 1));
    *error = UP(*error, 1);

    vec e = find_error(field, inherited, margin, forced, chain->left, &dot);
    if (inks != HT_CPU_INK_ALONE)
        store_before(tape, step, inks == HT_CPU_INKS_BESIDE, before - e);
    fetch(pixels, tape, step + 1, deep, next);
    spread(field, e, far, chain);
    memcpy(field, next, sizeof next);
    *dots = vec_minus_where(dot, *dots + *dots, (vec){0} - 1);
}

static inline __attribute__((always_inline)) void
do_run(const struct ht_cpu_run *run, struct ht_cpu_tape *tape,
       struct ht_cpu_chain *kept, uint32_t rows, bool deep, bool forced,
       bool far, enum ht_cpu_inks inks)
{
    struct chain chain;
    struct pixels pixels;
    vec field[8], dots_of[4] = {{0}};

    memcpy(&chain, kept, sizeof chain);
    for (unsigned s = 0; s < LANES / HT_CPU_ROWS; s++)
        pixels.of[s] = (const int16_t *)run->pixels[s];
    fetch(&pixels, tape, 0, deep, field);
    for (size_t block = 0; block * HT_CPU_BLOCK < run->steps; block++) {
        size_t left_over = run->steps - block * HT_CPU_BLOCK;
        size_t steps = left_over < HT_CPU_BLOCK ? left_over : HT_CPU_BLOCK;
        vec dots = {0};

        for (size_t i = 0; i < steps; i += HT_CPU_ROWS) {
            size_t step = block * HT_CPU_BLOCK + i;
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
        dots_of[block % 4] = dots << (HT_CPU_BLOCK - steps);
        if (block % 4 == 3 || steps == left_over)
            join_dots(tape->dots[1 + block / 4], dots_of);
    }
    memcpy(kept, &chain, sizeof chain);
}

/* Each combination is compiled apart. Deep pages take the general one. */
static void run(const struct ht_cpu_run *run, struct ht_cpu_tape *tape,
                struct ht_cpu_chain *chain)
{
#define INKS(inks)                                                             \
    case inks:                                                                 \
        if (run->deep)                                                         \
            do_run(run, tape, chain, run->rows, true, true, true, inks);       \
        else if (run->rows == HT_CPU_ROWS && run->forced)                      \
            do_run(run, tape, chain, HT_CPU_ROWS, false, true, true, inks);    \
        else if (run->rows == HT_CPU_ROWS && run->far)                         \
            do_run(run, tape, chain, HT_CPU_ROWS, false, false, true, inks);   \
        else if (run->rows == HT_CPU_ROWS)                                     \
            do_run(run, tape, chain, HT_CPU_ROWS, false, false, false, inks);  \
        else if (run->forced)                                                  \
            do_run(run, tape, chain, run->rows, false, true, true, inks);      \
        else                                                                   \
            do_run(run, tape, chain, run->rows, false, false, true, inks);     \
        break;

    switch (run->inks) {
        INKS(HT_CPU_INK_ALONE)
        INKS(HT_CPU_INK_FIRST)
        INKS(HT_CPU_INK_LATER)
        INKS(HT_CPU_INKS_BESIDE)
    }
#undef INKS
}
