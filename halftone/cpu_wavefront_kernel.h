/*
 * cpu_wavefront_kernel.h - the Floyd-Steinberg kernel, included once an
 * instruction set by a file that defines LANES, `vec` and `uvec`, vectors of
 * so many int16_t and uint16_t, and
 *
 *   vec_sixteenths(e, n)        (n * e + 8) >> 4, n = 1, 3 or 7
 *   vec_weighted(e, w)          (e * w + 2^14) >> 15
 *   vec_tone(sample)            the tones of 16-bit samples
 *   vec_min(a, b), vec_max(a, b)
 *   vec_select(mask, a, b)      a where mask is -1, b where it is 0
 *   vec_any(a)                  whether any bit is 1
 *   vec_passed_down(a, first)   element i + 1 of `a` in i, *first in the last;
 *                               8 elements can be read there
 *   load_eighths(lane, step)    16 bytes from each eighth lane, `step` bytes
 *                               apart a lane, into the 16-byte parts of a vec
 *   low_bytes(a, b), high_bytes(a, b), low_words(a, b), high_words(a, b)
 *                               in each 16-byte part, the low (high) halves of
 *                               `a` and `b` interleaved
 *
 * Row i of a group is lane LANES - 1 - i, and in column s - LAG * i at step s.
 * A chunk of steps is prepared, diffused and written, ink after ink, and then
 * the next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#define LAG HT_WAVEFRONT_LAG
#define CHUNK HT_WAVEFRONT_CHUNK

/* What a row leaves at a column is complete after the next column; the row
 * below asks for it so many steps later. */
#define DELAY (LAG - 1)

#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef int8_t byte_vec __attribute__((vector_size(2 * LANES)));

/* What a chunk leaves to the next one of the same ink. */
struct chain {
    vec left;   /* for the next column */
    vec down;   /* for the row below, this column and .. */
    vec corner; /* .. the next, so far */
    vec below[DELAY];
};

/* A chunk of one ink. */
struct chunk {
    vec sample[CHUNK]; /* of 16 bits */
    vec below[CHUNK + DELAY];
    vec keep_behind[CHUNK]; /* -1 where the column before is inside, or 0 */
    vec keep_ahead[CHUNK];  /* .. the column behind */
    vec dots[CHUNK / 16];   /* 16 columns each, leftmost in the top bit */
};

/* ---- Preparing -------------------------------------------------------- */

/* What there is among samples: -1 in an element that has seen it. `forced`
 * are white, solid and the tones less than 4 beside them. */
struct seen {
    vec other_than_white, other_than_solid, forced;
};

/* Eight at a time by name: the compiler keeps them in registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* A third of transposing eight vectors, whose 16-byte parts stay apart. */
#define INTERLEAVE(v, low, high)                                               \
    do {                                                                       \
        vec a = v[0], b = v[1], c = v[2], d = v[3];                            \
                                                                               \
        v[0] = low(a, v[4]);                                                   \
        v[1] = high(a, v[4]);                                                  \
        v[2] = low(b, v[5]);                                                   \
        v[3] = high(b, v[5]);                                                  \
        v[4] = low(c, v[6]);                                                   \
        v[5] = high(c, v[6]);                                                  \
        a = low(d, v[7]);                                                      \
        v[7] = high(d, v[7]);                                                  \
        v[6] = a;                                                              \
    } while (0)

/* 16 columns of 8-bit samples v become the 16-bit samples 257 v, which have
 * the same tones (doc/halftone.md, "Tones"). */
static ALWAYS_INLINE void prepare_8_bits(vec *sample, struct seen *seen,
                                         const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + (k)*step, step);                                \
    seen->other_than_white |= v[k];                                            \
    seen->other_than_solid |= ~v[k];                                           \
    seen->forced |= (vec)(((byte_vec)v[k] == 0) | ((byte_vec)v[k] == -1));
    EACH(LOAD)
#undef LOAD
    INTERLEAVE(v, low_bytes, high_bytes);
    INTERLEAVE(v, low_bytes, high_bytes);
    INTERLEAVE(v, low_bytes, high_bytes);
#define STORE(k)                                                               \
    sample[2 * (k)] = low_bytes(v[k], v[k]);                                   \
    sample[2 * (k) + 1] = high_bytes(v[k], v[k]);
    EACH(STORE)
#undef STORE
}

/* 8 columns of 16-bit samples. */
static ALWAYS_INLINE void prepare_16_bits(vec *sample, struct seen *seen,
                                          const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + (k)*step, step);                                \
    seen->other_than_white |= v[k];                                            \
    seen->other_than_solid |= ~v[k];                                           \
    seen->forced |= (v[k] >> 4 == 0) | (v[k] >> 4 == -1);
    EACH(LOAD)
#undef LOAD
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
#define STORE(k) sample[k] = v[k];
    EACH(STORE)
#undef STORE
}

static ALWAYS_INLINE struct seen prepare(struct chunk *chunk,
                                         const struct ht_wavefront_group *group,
                                         uint32_t ink, size_t from)
{
    ptrdiff_t size = group->bits / 8, row = (ptrdiff_t)group->row_samples;
    ptrdiff_t lane0 = ((ptrdiff_t)ink * LANES + LANES - 1) * row +
                      (ptrdiff_t)from - LAG * (LANES - 1);
    const uint8_t *lane = (const uint8_t *)group->samples + lane0 * size;
    ptrdiff_t step = (LAG - row) * size;
    struct seen seen = {{0}, {0}, {0}};

    if (group->bits == 8)
        for (unsigned i = 0; i < CHUNK; i += 16)
            prepare_8_bits(chunk->sample + i, &seen, lane + i, step);
    else
        for (unsigned i = 0; i < CHUNK; i += 8)
            prepare_16_bits(chunk->sample + i, &seen, lane + 2 * i, step);
    return seen;
}

/* What would leave the page sideways is not split off. */
static inline void close_sides(struct chunk *chunk, uint32_t width, size_t from)
{
    for (unsigned i = 0; i < CHUNK; i++)
        chunk->keep_behind[i] = chunk->keep_ahead[i] = (vec){0} - 1;
    for (unsigned k = 0; k < LANES; k++) {
        size_t first = (size_t)LAG * (LANES - 1 - k);
        size_t last = first + width - 1;

        if (first >= from && first - from < CHUNK)
            chunk->keep_behind[first - from][k] = 0;
        if (last >= from && last - from < CHUNK)
            chunk->keep_ahead[last - from][k] = 0;
    }
}

/* ---- Diffusing -------------------------------------------------------- */

/* The least sample of 16 bits whose tone index is `level`, 1..254. */
#define SAMPLE_OF(level) (((level)*131070 - 65535 + 509) / 510)

/* R(B, s) of doc/halftone.md, "A pixel". */
static inline vec raised(vec sample, vec before)
{
    const unsigned begin = SAMPLE_OF(HT_FS_MIDDLE);
    const unsigned end = SAMPLE_OF(HT_LEVELS - HT_FS_MIDDLE);
    vec middle =
        (vec)((uvec)sample - (uint16_t)begin < (uint16_t)(end - begin));

    return vec_weighted(before,
                        (middle & HT_FS_AVOID_LESS) | (~middle & HT_FS_AVOID));
}

/* B with an ink's error. */
static inline vec with_ink(vec before, vec e)
{
    const vec one = (vec){0} + HT_ONE;

    return vec_max(vec_min(before - e, one - 1), -one);
}

/* White and solid: bounded, and three quarters kept. */
static inline vec forced_error(vec e)
{
    const vec half = (vec){0} + HT_ONE / 2;

    e = vec_max(vec_min(e, half), -half);
    return (e + e + e + ((e >> 15) & 3)) >> 2;
}

/*
 * One chunk of one ink: doc/halftone.md, "A pixel". Where no pixel is forced
 * or at a side, nothing needs to be held to -ONE..ONE: the shares that meet
 * there have weights that sum to 1, and 3 units of rounding.
 *
 *   error   what the first row inherits, from the chunk's first step on
 *   before  [CHUNK]  what the inks before have put too much; NULL when there is
 *           only one ink
 */
static ALWAYS_INLINE void diffuse_ink(struct chunk *chunk, struct chain *chain,
                                      const int16_t *error, vec *before,
                                      bool forced, bool sides)
{
    const vec one = (vec){0} + HT_ONE;
    vec left = chain->left, down = chain->down, corner = chain->corner;

    for (size_t block = 0; block < CHUNK; block += 16) {
        vec dots = {0};

        for (size_t k = 0; k < 16; k++) {
            size_t i = block + k;
            vec sample = chunk->sample[i], tone = vec_tone(sample);
            vec share = tone + vec_passed_down(chunk->below[i], error + i);
            vec limit = HT_ONE / 2 - 1 - share;

            if (before != NULL)
                limit += raised(sample, before[i]);

            vec dot = left > limit;
            vec e = share + left - (dot & one);

            if (forced) {
                vec white = sample == 0, solid = sample == -1;
                vec kept = forced_error(share - (solid & one) + left);

                e = vec_max(vec_min(e, one), -one);
                e = vec_select(white | solid, kept, e);
                dot = (dot & ~white) | solid;
            }

            vec next = vec_sixteenths(e, 7);
            vec behind = vec_sixteenths(e, 3);
            vec ahead = vec_sixteenths(e, 1);

            if (sides) {
                next &= chunk->keep_ahead[i];
                behind &= chunk->keep_behind[i];
                ahead &= chunk->keep_ahead[i];
            }
            left = next;
            chunk->below[i + DELAY] = down + behind;
            down = corner + (e - next - behind - ahead);
            corner = ahead;

            dots = dots + dots - dot;
            if (before != NULL)
                before[i] = with_ink(before[i], e);
        }
        chunk->dots[block / 16] = dots;
    }
    chain->left = left;
    chain->down = down;
    chain->corner = corner;
    memcpy(chain->below, chunk->below + CHUNK, sizeof chain->below);
}

static ALWAYS_INLINE void diffuse(struct chunk *chunk, struct chain *chain,
                                  const int16_t *error, vec *before,
                                  bool forced, bool sides)
{
    if (before == NULL)
        diffuse_ink(chunk, chain, error, NULL, forced, sides);
    else
        diffuse_ink(chunk, chain, error, before, forced, sides);
}

/* ---- Lanes to rows ---------------------------------------------------- */

_Static_assert(CHUNK == 32, "a row's dots of a chunk are four bytes");

/* Puts the dots of a row at the byte `at`; outside the page are none. */
static inline void put_inside(uint8_t *row, size_t row_bytes, ptrdiff_t at,
                              const uint8_t *dots)
{
    for (ptrdiff_t i = 0; i < CHUNK / 8; i++)
        if (at + i >= 0 && (size_t)(at + i) < row_bytes)
            row[at + i] = dots[i];
}

static inline void put_dots(const struct ht_wavefront_group *group,
                            uint32_t ink, size_t from, const vec *dots)
{
    size_t row_bytes = ((size_t)group->width + 7) / 8, at = from / 8;
    bool inside = at >= LANES - 1 && at + CHUNK / 8 <= row_bytes;
    uvec a = (uvec)dots[0], b = (uvec)dots[1];

    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        a = a << 8 | a >> 8;
        b = b << 8 | b >> 8;
    }
    /* Four lanes of four bytes in each 16-byte part. */
    vec half[2] = {low_words((vec)a, (vec)b), high_words((vec)a, (vec)b)};

    for (unsigned i = 0; i < group->rows; i++) {
        unsigned k = LANES - 1 - i;
        uint8_t *row = group->dots[i] + ink * row_bytes;
        const uint8_t *four =
            (const uint8_t *)&half[k / 4 % 2] + k / 8 * 16 + k % 4 * 4;

        if (inside)
            memcpy(row + at - i, four, CHUNK / 8);
        else
            put_inside(row, row_bytes, (ptrdiff_t)at - (ptrdiff_t)i, four);
    }
}

/* ---- A group of rows -------------------------------------------------- */

/* Nothing comes into the chunk from the columns or the row before. */
static inline bool quiet(const struct chain *chain, const int16_t *error)
{
    vec any = chain->left | chain->down | chain->corner;

    for (unsigned i = 0; i < DELAY; i++)
        any |= chain->below[i];
    for (unsigned i = 0; i < CHUNK; i += LANES) {
        vec row;

        memcpy(&row, error + i, sizeof row);
        any |= row;
    }
    return !vec_any(any);
}

/* The chunk of steps from..from+CHUNK-1 of one ink. */
static void run_chunk(const struct ht_wavefront_group *group, uint32_t ink,
                      size_t from, struct chunk *chunk, struct chain *chain,
                      vec *before)
{
    struct seen seen = prepare(chunk, group, ink, from);
    bool white = !vec_any(seen.other_than_white);
    bool solid = !vec_any(seen.other_than_solid);
    size_t last = group->rows - 1;
    const int16_t *error = group->error[ink] + from;
    int16_t *leaves = group->error[ink] + (ptrdiff_t)(from - LAG * last) - 1;

    if ((white || solid) && quiet(chain, error)) {
        for (unsigned i = 0; i < CHUNK / 16; i++)
            chunk->dots[i] = (vec){0} - (int16_t)solid;
        memset(leaves, 0, CHUNK * sizeof *leaves);
    } else {
        memcpy(chunk->below, chain->below, sizeof chain->below);
        if (from <= LAG * (LANES - 1) || from + CHUNK >= group->width) {
            close_sides(chunk, group->width, from);
            diffuse(chunk, chain, error, before, true, true);
        } else if (group->foreign || vec_any(seen.forced)) {
            diffuse(chunk, chain, error, before, true, false);
        } else {
            diffuse(chunk, chain, error, before, false, false);
        }
        for (unsigned i = 0; i < CHUNK; i++)
            leaves[i] = chunk->below[i + DELAY][LANES - 1 - last];
    }
    put_dots(group, ink, from, chunk->dots);
}

static void run(const struct ht_wavefront_group *group)
{
    size_t steps = group->width + LAG * (size_t)(group->rows - 1) + 1;
    struct chain chain[HT_MAX_INKS];
    struct chunk chunk;
    vec before[CHUNK];
    bool several = group->inks > 1;

    for (uint32_t ink = 0; ink < group->inks; ink++)
        chain[ink] = (struct chain){.left = {0}};
    for (size_t from = 0; from < steps; from += CHUNK) {
        if (several)
            memset(before, 0, sizeof before);
        for (uint32_t ink = 0; ink < group->inks; ink++)
            run_chunk(group, ink, from, &chunk, &chain[ink],
                      several ? before : NULL);
    }
}
