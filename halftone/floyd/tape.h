/*
 * tape.h - a chunk of columns of one ink: samples to vectors, in scan order,
 * and dots from them. For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

typedef int8_t byte_vec __attribute__((vector_size(2 * LANES)));

/* ---- Samples to vectors ------------------------------------------------ */

/* The least and the most of samples, less 1: then white is the most. Samples of
 * 16 bits are less 32768, too, as signed numbers. */
struct range {
    levels least, most;
    vec deep_least, deep_most;
};

static inline void range_begin(struct range *range)
{
    range->least = ~(levels){0};
    range->most = (levels){0};
    range->deep_least = (vec){0} + INT16_MAX;
    range->deep_most = (vec){0} + INT16_MIN;
}

static inline void range_add(struct range *range, vec v)
{
    levels less = (levels)v - 1;

    range->least = levels_min(range->least, less);
    range->most = levels_max(range->most, less);
}

static inline void range_add_deep(struct range *range, vec v)
{
    vec less = v + INT16_MAX;

    range->deep_least = vec_min(range->deep_least, less);
    range->deep_most = vec_max(range->deep_most, less);
}

/* Says what samples within a range are. */
static inline struct seen range_seen(const struct range *range,
                                     const struct ht_floyd_sweep *sweep)
{
    const int32_t near = (int32_t)sweep->near - 1;

    if (sweep->bits == 8)
        return (struct seen){
            .white = !vec_any((vec)(range->least < 255)),
            .toned = vec_any((vec)(range->least < 254)),
            .near = !vec_any((vec)(range->least < (uint8_t)near)),
            .forced = vec_any((vec)(range->most >= 254)),
        };
    return (struct seen){
        .white = !vec_any(range->deep_least < INT16_MAX),
        .toned = vec_any(range->deep_least < INT16_MAX - 1),
        .near = !vec_any(range->deep_least < (int16_t)(near + INT16_MIN)),
        .forced = vec_any((range->deep_least < INT16_MIN + 15) |
                          (range->deep_most >= INT16_MAX - 16)),
    };
}

/* Eight at a time, by name: the compiler keeps them in registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* Does a third of transposing eight vectors, whose 16-byte parts stay apart. */
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

/* Turns 16 columns of 8-bit samples v into the 16-bit samples 257 v, which have
 * the same tones. */
static __attribute__((noinline)) void prepare_8_bits(vec *sample,
                                                     struct range *range,
                                                     const uint8_t *lane,
                                                     ptrdiff_t step)
{
    struct range seen = *range; /* which the loads cannot be */
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane, step);                                           \
    lane += step;                                                              \
    range_add(&seen, v[k]);
    EACH(LOAD)
#undef LOAD
    *range = seen;
    INTERLEAVE(v, low_bytes, high_bytes);
    INTERLEAVE(v, low_bytes, high_bytes);
    INTERLEAVE(v, low_bytes, high_bytes);
#define STORE(k)                                                               \
    sample[2 * (k)] = low_bytes(v[k], v[k]);                                   \
    sample[2 * (k) + 1] = high_bytes(v[k], v[k]);
    EACH(STORE)
#undef STORE
}

/* Transposes 8 columns of 16-bit samples. */
static __attribute__((noinline)) void prepare_16_bits(vec *sample,
                                                      struct range *range,
                                                      const uint8_t *lane,
                                                      ptrdiff_t step)
{
    struct range seen = *range; /* which the loads cannot be */
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane, step);                                           \
    lane += step;                                                              \
    range_add_deep(&seen, v[k]);
    EACH(LOAD)
#undef LOAD
    *range = seen;
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
    INTERLEAVE(v, low_words, high_words);
#define STORE(k) sample[k] = v[k];
    EACH(STORE)
#undef STORE
}

/* Fills `sample` [CHUNK] with the columns of an ink that lane 0 has from step
 * `from` on, and says what is among them. */
static ALWAYS_INLINE struct seen prepare(vec *sample,
                                         const struct ht_floyd_sweep *sweep,
                                         uint32_t ink, size_t from)
{
    ptrdiff_t size = sweep->bits / 8, row = (ptrdiff_t)sweep->row_samples;
    ptrdiff_t lane0 = (ptrdiff_t)(ink * sweep->ink_samples) +
                      (LANES - 1) * row + (ptrdiff_t)from - LAG * (LANES - 1);
    const uint8_t *lane = (const uint8_t *)sweep->samples + lane0 * size;
    ptrdiff_t step = (LAG - row) * size;
    struct range range;

    range_begin(&range);

    if (sweep->bits == 8)
        for (unsigned i = 0; i < CHUNK; i += 16)
            prepare_8_bits(sample + i, &range, lane + i, step);
    else
        for (unsigned i = 0; i < CHUNK; i += 8)
            prepare_16_bits(sample + i, &range, lane + 2 * i, step);
    return range_seen(&range, sweep);
}

/* ---- Dots to rows -------------------------------------------------------- */

_Static_assert(CHUNK == 32, "a row's dots of a chunk are four bytes, or eight");

/* Puts `bytes` of dots of a row, but those outside the page, at the byte `at`.
 */
static ALWAYS_INLINE void put_inside(uint8_t *row, size_t row_bytes,
                                     ptrdiff_t at, const uint8_t *dots,
                                     ptrdiff_t bytes)
{
    if (at >= 0 && (size_t)(at + bytes) <= row_bytes) {
        memcpy(row + at, dots, (size_t)bytes);
        return;
    }
    for (ptrdiff_t i = 0; i < bytes; i++)
        if (at + i >= 0 && (size_t)(at + i) < row_bytes)
            row[at + i] = dots[i];
}

/* Returns the lanes' words with the leftmost dots in the first byte. */
static inline vec in_bytes(vec dots)
{
    uvec v = (uvec)dots;

    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? (vec)(v << 8 | v >> 8)
                                                     : dots;
}

/* Puts the dots of a chunk, struct floyd_chain, of the steps from `from` on,
 * into the rows: `bits` of a pixel. */
static ALWAYS_INLINE void put_bits(const struct ht_floyd_sweep *sweep,
                                   uint32_t ink, size_t from, const vec *dots,
                                   unsigned bits)
{
    const size_t row_bytes = sweep->row_dots, at = from * bits / 8;
    const size_t bytes = CHUNK * bits / 8, lag = LAG * bits / 8;
    const size_t plane = ink * row_bytes;
    bool inside = at >= lag * (LANES - 1) && at + bytes <= row_bytes;
    vec a = in_bytes(dots[0]), b = in_bytes(dots[1]);
    /* Start with the lanes that come first in each 16-byte part of `bytes`. */
    vec part[4] = {low_words(a, b), high_words(a, b)};

    if (bits == 2) {
        vec c = in_bytes(dots[2]), d = in_bytes(dots[3]);
        vec low = low_words(c, d), high = high_words(c, d);

        part[3] = high_pairs(part[1], high);
        part[2] = low_pairs(part[1], high);
        part[1] = high_pairs(part[0], low);
        part[0] = low_pairs(part[0], low);
    }

#define DOTS_OF(k)                                                             \
    ((const uint8_t *)part + (k) % 8 * bytes / 16 * sizeof(vec) +              \
     (k) / 8 * 16 + (k) % 8 * bytes % 16)
    if (inside && sweep->rows == LANES)
#pragma GCC unroll 32
        for (unsigned i = 0; i < LANES; i++)
            memcpy(sweep->dots[i] + plane + at - lag * i,
                   DOTS_OF(LANES - 1 - i), bytes);
    else
        for (unsigned i = 0; i < sweep->rows; i++)
            put_inside(sweep->dots[i] + plane, row_bytes,
                       (ptrdiff_t)at - (ptrdiff_t)(lag * i),
                       DOTS_OF(LANES - 1 - i), (ptrdiff_t)bytes);
#undef DOTS_OF
}

/* put_bits() of three bits a pixel, of which the chunk has four. */
static void put_threes(const struct ht_floyd_sweep *sweep, uint32_t ink,
                       size_t from, const vec *dots)
{
    const size_t row_bytes = sweep->row_dots;
    const ptrdiff_t at = (ptrdiff_t)(from / 8 * 3), lag = LAG / 8 * 3;

    for (unsigned i = 0; i < sweep->rows; i++) {
        uint64_t fours[2] = {0};
        uint8_t packed[12];

        for (unsigned k = 0; k < 8; k++)
            fours[k / 4] =
                fours[k / 4] << 16 | (uint16_t)dots[k][LANES - 1 - i];
        ht_put_threes(packed, fours[0]);
        ht_put_threes(packed + 6, fours[1]);
        put_inside(sweep->dots[i] + ink * row_bytes, row_bytes, at - lag * i,
                   packed, sizeof packed);
    }
}

static void put_dots(const struct ht_floyd_sweep *sweep, uint32_t ink,
                     size_t from, const vec *dots)
{
    if (sweep->sizes != NULL && sweep->sizes->dot_bits == 4)
        put_threes(sweep, ink, from, dots);
    else if (sweep->sizes != NULL)
        put_bits(sweep, ink, from, dots, 2);
    else
        put_bits(sweep, ink, from, dots, 1);
}
