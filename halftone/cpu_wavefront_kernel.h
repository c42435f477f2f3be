/*
 * cpu_wavefront_kernel.h - the Floyd-Steinberg kernel, included once an
 * instruction set by a file that defines LANES, `vec`, a vector of so many
 * int16_t, and
 *
 *   vec_sixteenths(e, n)        (n * e + 8) >> 4, n = 1, 3 or 7
 *   vec_weighted(e, w)          (e * w + 2^14) >> 15
 *   vec_min(a, b), vec_max(a, b)
 *   vec_any(a)                  whether any bit is 1
 *   vec_passed_down(a, first)   element i + 1 of `a` in i, *first in the last;
 *                               16 elements behind `first` can be read
 *   load_eighths(lane, step)    16 bytes from each eighth lane, `step` bytes
 *                               apart a lane, into the 16-byte parts of a vec
 *   low_bytes(a, b), high_bytes(a, b), low_words(a, b), high_words(a, b)
 *                               in each 16-byte part, the low (high) halves of
 *                               `a` and `b` interleaved
 *
 * Row i of a group is lane LANES - 1 - i, and in column s - LAG * i at step s.
 * Each chunk of steps is prepared, diffused and written, ink after ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include <string.h>

#define LAG HT_WAVEFRONT_LAG
#define CHUNK HT_WAVEFRONT_CHUNK

/* A row's error for the column before is complete after this column; the row
 * below asks for it so many steps later. */
#define DELAY (LAG - 1)

typedef uint16_t uvec __attribute__((vector_size(2 * LANES)));
typedef int8_t svec __attribute__((vector_size(2 * LANES)));

/* What a chunk leaves to the next one of the same ink. */
struct chain {
    vec left;   /* for the next column */
    vec down;   /* for the row below, this column, .. */
    vec corner; /* .. and the next, so far */
    vec below[DELAY];
};

/* A chunk of one ink. */
struct chunk {
    vec sample[CHUNK]; /* of 16 bits */
    vec below[CHUNK + DELAY];
    vec keep_down[CHUNK]; /* -1 where the left neighbour is inside, or 0 */
    vec keep_next[CHUNK]; /* .. the right neighbour */
    vec dots[CHUNK / 16]; /* 16 columns each, leftmost in the top bit */
};

/* Dots minus tones of the inks before, modulo 2^16 and in 1/16, rounded. */
struct before {
    vec low[CHUNK], high[CHUNK];
};

/* ---- Preparing -------------------------------------------------------- */

/* Eight at a time by name: the compiler keeps them in registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* A third of transposing 8 x 8, of two such at once with bytes. */
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

/* What there is among samples: -1 in an element that has seen it. */
struct seen {
    vec other_than_white, other_than_solid, forced;
};

/* 16 columns of 8 bits become 16 bits, the same tones (doc/halftone.md,
 * "Tones"). */
static inline void prepare_8_bits(vec *sample, struct seen *seen,
                                  const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + (k)*step, step);                                \
    seen->other_than_white |= v[k];                                            \
    seen->other_than_solid |= ~v[k];                                           \
    seen->forced |= (vec)(((svec)v[k] == 0) | ((svec)v[k] == -1));
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

/* 8 columns of 16 bits. */
static inline void prepare_16_bits(vec *sample, struct seen *seen,
                                   const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + (k)*step, step);                                \
    seen->other_than_white |= v[k];                                            \
    seen->other_than_solid |= ~v[k];                                           \
    seen->forced |= (v[k] == 0) | (v[k] == -1);
    EACH(LOAD)
#undef LOAD
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
#define STORE(k) sample[k] = v[k];
    EACH(STORE)
#undef STORE
}

static inline struct seen prepare(struct chunk *chunk,
                                  const struct ht_wavefront_group *group,
                                  uint32_t ink, size_t from)
{
    ptrdiff_t sample_bytes = group->bits / 8,
              row = (ptrdiff_t)group->row_samples;
    ptrdiff_t first = ((ptrdiff_t)ink * LANES + LANES - 1) * row +
                      (ptrdiff_t)from - LAG * (LANES - 1);
    const uint8_t *lane =
        (const uint8_t *)group->samples + first * sample_bytes;
    ptrdiff_t step = (LAG - row) * sample_bytes;
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
static inline void close_sides(struct chunk *chunk,
                               const struct ht_wavefront_group *group,
                               size_t from)
{
    for (unsigned i = 0; i < CHUNK; i++)
        chunk->keep_down[i] = chunk->keep_next[i] = (vec){0} - 1;
    for (unsigned k = 0; k < LANES; k++) {
        size_t first = (size_t)LAG * (LANES - 1 - k);
        size_t last = first + group->width - 1;

        if (first >= from && first - from < CHUNK)
            chunk->keep_down[first - from][k] = 0;
        if (last >= from && last - from < CHUNK)
            chunk->keep_next[last - from][k] = 0;
    }
}

/* ---- Diffusing -------------------------------------------------------- */

/* R(B, s) of doc/halftone.md "A pixel". `high` is B / 16, at most 14 off, so
 * that `low` is B wherever `high` does not say that B is beyond its bound. */
static inline vec raised(vec sample, vec low, vec high)
{
    const vec one = (vec){0} + HT_ONE, far = (vec){0} + HT_ONE / 16 + 64;
    vec held = vec_max(vec_min(low, one), -one);
    vec over = high > far, under = high < -far;
    /* Levels 85 to 170. */
    vec middle = (vec)(((uvec)sample - 21717) <= 43818 - 21717);

    held = (held & ~(over | under)) | (one & over) | (-one & under);
    return vec_weighted(held, (middle & 1638) | (~middle & 6554));
}

/*
 * One chunk of one ink: doc/halftone.md, "A pixel".
 *
 *   error   what the first row inherits, from the chunk's first step on
 *   before  NULL when there is only one ink
 *   special whether there are sides, white or solid in the chunk
 */
static inline __attribute__((always_inline)) void
diffuse(struct chunk *chunk, struct chain *chain, const int16_t *error,
        struct before *before, bool special)
{
    const vec one = (vec){0} + HT_ONE, half = (vec){0} + HT_ONE / 2;
    vec left = chain->left, below = chain->down, corner = chain->corner;

    for (unsigned block = 0; block < CHUNK / 16; block++) {
        vec dots = {0};

        for (unsigned i = 16 * block; i < 16 * block + 16; i++) {
            vec sample = chunk->sample[i];
            vec tone = (vec)((((uvec)sample >> 1) + 1) >> 1);
            vec limit = half - 1 - tone, bound = one, forced = {0};
            vec inherited = vec_passed_down(chunk->below[i], error + i);

            if (before != NULL)
                limit += raised(sample, before->low[i], before->high[i]);
            if (special) {
                vec white = sample == 0, solid = sample == -1;

                forced = white | solid;
                limit = (limit & ~forced) | (white & INT16_MAX) |
                        (solid & INT16_MIN);
                bound -= forced & half;
            }

            vec sum = inherited + left;
            vec dot = sum > limit;
            vec e = sum + tone - (dot & one);

            e = vec_max(vec_min(e, bound), -bound);
            if (special) /* a quarter, rounded up, is dropped */
                e -= forced & ((e + (~(e >> 15) & 3)) >> 2);

            vec next = vec_sixteenths(e, 7);
            vec behind = vec_sixteenths(e, 3);
            vec ahead = vec_sixteenths(e, 1);

            if (special) {
                next &= chunk->keep_next[i];
                behind &= chunk->keep_down[i];
                ahead &= chunk->keep_next[i];
            }
            chunk->below[i + DELAY] = below + behind;
            below = corner + (e - behind - ahead - next);
            corner = ahead;
            left = next;

            dots = dots + dots - dot;
            if (before != NULL) {
                vec more = (dot & one) - tone;

                before->low[i] += more;
                before->high[i] += more >> 4;
            }
        }
        chunk->dots[block] = dots;
    }
    chain->left = left;
    chain->down = below;
    chain->corner = corner;
}

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

/* ---- Lanes to rows ---------------------------------------------------- */

/* The dots of a row, from the byte at `at` on; outside the page are none. */
static inline void put_dots(uint8_t *row, size_t row_bytes, ptrdiff_t at,
                            const vec *dots, unsigned lane)
{
    for (unsigned i = 0; i < CHUNK / 16; i++, at += 2) {
        unsigned pair = (uint16_t)dots[i][lane];

        if (at >= 0 && (size_t)at < row_bytes)
            row[at] = (uint8_t)(pair >> 8);
        if (at + 1 >= 0 && (size_t)(at + 1) < row_bytes)
            row[at + 1] = (uint8_t)pair;
    }
}

static inline void put_chunk(const struct ht_wavefront_group *group,
                             uint32_t ink, size_t from, const vec *dots)
{
    size_t row_bytes = ((size_t)group->width + 7) / 8;

    for (unsigned i = 0; i < group->rows; i++)
        put_dots(group->dots[i] + ink * row_bytes, row_bytes,
                 (ptrdiff_t)(from / 8) - (ptrdiff_t)i, dots, LANES - 1 - i);
}

/* ---- A group of rows -------------------------------------------------- */

/* The chunk of steps from..from+CHUNK-1 of one ink. */
static inline __attribute__((always_inline)) void
run_chunk(const struct ht_wavefront_group *group, uint32_t ink, size_t from,
          struct chunk *chunk, struct chain *chain, struct before *before)
{
    struct seen seen = prepare(chunk, group, ink, from);
    bool side = from <= LAG * (LANES - 1) || from + CHUNK >= group->width;
    const int16_t *error = group->error[ink] + from;
    unsigned last = LANES - group->rows;
    int16_t *left_behind = group->error[ink] + (ptrdiff_t)from -
                           LAG * (ptrdiff_t)(group->rows - 1) - 1;

    bool white = !vec_any(seen.other_than_white);
    bool solid = !vec_any(seen.other_than_solid);

    if ((white || solid) && quiet(chain, error)) {
        for (unsigned i = 0; i < CHUNK / 16; i++)
            chunk->dots[i] = (vec){0} - (int16_t)solid;
        memset(left_behind, 0, CHUNK * sizeof *left_behind);
    } else {
        memcpy(chunk->below, chain->below, sizeof chain->below);
        if (side || vec_any(seen.forced)) {
            close_sides(chunk, group, from);
            diffuse(chunk, chain, error, before, true);
        } else {
            diffuse(chunk, chain, error, before, false);
        }
        for (unsigned i = 0; i < CHUNK; i++)
            left_behind[i] = chunk->below[i + DELAY][last];
        memcpy(chain->below, chunk->below + CHUNK, sizeof chain->below);
    }
    put_chunk(group, ink, from, chunk->dots);
}

static void run(const struct ht_wavefront_group *group)
{
    size_t steps = group->width + LAG * (size_t)(group->rows - 1) + 1;
    struct chain chain[HT_MAX_INKS];
    struct chunk chunk;
    struct before before;

    memset(chain, 0, group->inks * sizeof *chain);
    for (size_t from = 0; from < steps; from += CHUNK)
        if (group->inks == 1) {
            run_chunk(group, 0, from, &chunk, chain, NULL);
        } else {
            memset(&before, 0, sizeof before);
            for (uint32_t ink = 0; ink < group->inks; ink++)
                run_chunk(group, ink, from, &chunk, &chain[ink], &before);
        }
}
