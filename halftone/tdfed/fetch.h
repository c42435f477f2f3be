/*
 * fetch.h - fetches the kernel's steps from the tapes, transposed: a lane's row
 * becomes a lane of vectors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Defines a third of transposing 8 x 8 `units`. */
#define INTERLEAVE(name, units)                                                \
    static inline __attribute__((always_inline)) void name(vec v[8])           \
    {                                                                          \
        vec a = v[0], b = v[1], c = v[2], d = v[3];                            \
                                                                               \
        v[0] = low_##units(a, v[4]);                                           \
        v[1] = high_##units(a, v[4]);                                          \
        v[2] = low_##units(b, v[5]);                                           \
        v[3] = high_##units(b, v[5]);                                          \
        v[4] = low_##units(c, v[6]);                                           \
        v[5] = high_##units(c, v[6]);                                          \
        a = low_##units(d, v[7]);                                              \
        v[7] = high_##units(d, v[7]);                                          \
        v[6] = a;                                                              \
    }

INTERLEAVE(interleave, words)
INTERLEAVE(interleave_bytes, bytes)

#undef INTERLEAVE

/* ---- The pixels of a step ------------------------------------------------ */

/* The table of pixels of each strip. */
struct pixels {
    const int16_t *of[LANES / HT_TDFED_ROWS];
};

static inline __attribute__((always_inline)) eight
fetch_one(const struct kind kind, const struct pixels *pixels,
          const struct ht_tdfed_tape *tape, unsigned lane, size_t step)
{
    eight pixel;
    size_t index = tape->index[lane][step];

    memcpy(&pixel, pixels->of[lane / HT_TDFED_ROWS] + HT_TDFED_UNIT * index,
           sizeof pixel);
    if (kind.deep)
        pixel[HT_TDFED_TONE] = tape->tone[lane][step];
    return pixel;
}

/* Fetches the eight fields of a step's pixels; all by name, which keeps them in
 * registers. */
static inline __attribute__((always_inline)) void
fetch(const struct kind kind, const struct pixels *pixels,
      const struct ht_tdfed_tape *tape, size_t step, vec field[8])
{
#if LANES == 16
#define FETCH(k)                                                               \
    field[k] = vec_join(fetch_one(kind, pixels, tape, k, step),                \
                        fetch_one(kind, pixels, tape, k + 8, step));
#else
#define FETCH(k) field[k] = fetch_one(kind, pixels, tape, k, step);
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
}

/* ---- A block of steps ---------------------------------------------------- */

/* Bytes of each lane at the 16 steps of a block, transposed: two steps to each
 * 16 bytes, of up to 8 lanes. */
struct bytes {
    vec steps[HT_TDFED_BLOCK / 2];
};

/* Loads the bytes of a block that begins at `lane`[step] of lane 0; the lanes
 * are `size` bytes apart. */
static inline __attribute__((always_inline)) void
load_block(const uint8_t *lane, size_t size, struct bytes *bytes)
{
    for (unsigned k = 0; k < 8; k++)
        bytes->steps[k] = load_eighths(lane + k * size, (ptrdiff_t)size);
    interleave_bytes(bytes->steps);
    interleave_bytes(bytes->steps);
    interleave_bytes(bytes->steps);
}

/* Returns the bytes of a step, of which `k` is odd or even as it is. */
static inline __attribute__((always_inline)) vec
bytes_of_step(const struct bytes *bytes, size_t step, unsigned k)
{
    vec two = bytes->steps[step % HT_TDFED_BLOCK / 2], zero = {0};

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return k % 2 == 0 ? low_bytes(two, zero) : high_bytes(two, zero);
#else
    return k % 2 == 0 ? low_bytes(zero, two) : high_bytes(zero, two);
#endif
}
