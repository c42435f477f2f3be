/*
 * tape.h - a chunk of columns of one ink: samples to vectors, in scan order,
 * and dots from them. For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

typedef int8_t byte_vec __attribute__((vector_size(2 * LANES)));

/* A chunk of one ink. */
struct chunk {
    vec below[CHUNK + DELAY];
    vec dots[CHUNK / 16]; /* 16 columns each, leftmost in the top bit */
};

/* ---- Samples to vectors ------------------------------------------------ */

/* Return the `forced` of samples, struct seen. */
static inline vec forced_8_bits(vec v)
{
    return (vec)(((byte_vec)v == 0) | ((byte_vec)v == -1));
}

static inline vec forced_16_bits(vec v)
{
    return (v >> 4 == 0) | (v >> 4 == -1);
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
static ALWAYS_INLINE void prepare_8_bits(vec *sample, struct seen *seen,
                                         const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + step * (k), step);                              \
    seen->other_than_white |= v[k];                                            \
    seen->forced |= forced_8_bits(v[k]);                                       \
    seen->toned |= ~forced_8_bits(v[k]);
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

/* Transposes 8 columns of 16-bit samples. */
static ALWAYS_INLINE void prepare_16_bits(vec *sample, struct seen *seen,
                                          const uint8_t *lane, ptrdiff_t step)
{
    vec v[8];

#define LOAD(k)                                                                \
    v[k] = load_eighths(lane + step * (k), step);                              \
    seen->other_than_white |= v[k];                                            \
    seen->forced |= forced_16_bits(v[k]);                                      \
    seen->toned |= (v[k] != 0) & (v[k] != -1);
    EACH(LOAD)
#undef LOAD
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
    struct seen seen = {{0}, {0}, {0}};

    if (sweep->bits == 8)
        for (unsigned i = 0; i < CHUNK; i += 16)
            prepare_8_bits(sample + i, &seen, lane + i, step);
    else
        for (unsigned i = 0; i < CHUNK; i += 8)
            prepare_16_bits(sample + i, &seen, lane + 2 * i, step);
    return seen;
}

/* ---- Dots to rows -------------------------------------------------------- */

_Static_assert(CHUNK == 32, "a row's dots of a chunk are four bytes");

/* Puts the dots of a row, but those outside the page, at the byte `at`. */
static inline void put_inside(uint8_t *row, size_t row_bytes, ptrdiff_t at,
                              const uint8_t *dots)
{
    for (ptrdiff_t i = 0; i < CHUNK / 8; i++)
        if (at + i >= 0 && (size_t)(at + i) < row_bytes)
            row[at + i] = dots[i];
}

/* Puts chunk->dots, of the steps from `from` on, into the rows. */
static inline void put_dots(const struct ht_floyd_sweep *sweep, uint32_t ink,
                            size_t from, const vec *dots)
{
    size_t row_bytes = ((size_t)sweep->width + 7) / 8, at = from / 8;
    bool inside = at >= LANES - 1 && at + CHUNK / 8 <= row_bytes;
    uvec a = (uvec)dots[0], b = (uvec)dots[1];

    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        a = a << 8 | a >> 8;
        b = b << 8 | b >> 8;
    }
    /* Four lanes of four bytes in each 16-byte part. */
    vec half[2] = {low_words((vec)a, (vec)b), high_words((vec)a, (vec)b)};

    for (unsigned i = 0; i < sweep->rows; i++) {
        unsigned k = LANES - 1 - i;
        uint8_t *row = sweep->dots[i] + ink * row_bytes;
        const uint8_t *four =
            (const uint8_t *)&half[k / 4 % 2] + k / 8 * 16 + k % 4 * 4;

        if (inside)
            memcpy(row + at - i, four, CHUNK / 8);
        else
            put_inside(row, row_bytes, (ptrdiff_t)at - (ptrdiff_t)i, four);
    }
}
