/*
 * cpu_kernel.h - the CPU engine's kernel, included once an instruction set by
 * a file that defines LANES and, on vectors of so many 16-bit numbers,
 *
 *   vec_weighted(e, w)      (e * w + 2^14) >> 15
 *   vec_min(a, b), vec_max(a, b)
 *   vec_select(mask, a, b)  a where mask is -1, b where it is 0
 *   vec_any(mask)           whether any is -1
 *
 * and, on `wide`, a vector of so many 32-bit numbers,
 *
 *   wide_plus(a, b)         a plus a vec
 *   wide_held(a)            as a vec, held to -ONE..ONE
 *
 * A lane is a segment. A row is done in chunks of columns: first what its
 * pixels need is fetched and transposed into vectors, then the errors are
 * diffused, so that the chain from pixel to pixel is only additions, a
 * comparison, a choice and one multiplication.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#define CHUNK 32 /* columns; the prepared fields stay in the first cache */

typedef int16_t eight __attribute__((vector_size(16)));

/* What the next pixel of a row and the row below have got so far. */
struct chain {
    vec left;
    vec below[HT_CPU_REACH + 1]; /* [0] this column, [1] the one before.. */
};

struct prepared {
    vec field[HT_CPU_FIELDS][CHUNK];
};

/* ---- Preparing -------------------------------------------------------- */

#define UNPACK_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UNPACK_HIGH(a, b)                                                      \
    __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

/* Eight at a time by name: the compiler keeps them in registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* A third of transposing 8 x 8. */
static inline void interleave(eight v[8])
{
    eight a = v[0], b = v[1], c = v[2], d = v[3];

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

/* Fetches the fields of columns from..from+count-1 of eight lanes; `ragged`
 * when some of them end before, `deep` when their tones are
 * not among the fields. */
static inline __attribute__((always_inline)) void
prepare_eight(struct prepared *out, unsigned block,
              const struct ht_cpu_swath *swath, const struct ht_cpu_lane *lane,
              size_t row_offset, uint32_t from, uint32_t count, bool ragged,
              bool deep)
{
    const uint16_t *index = swath->index + row_offset;
    const int16_t *tone = deep ? swath->tone + row_offset : NULL;

    for (uint32_t i = 0; i < count; i++) {
        eight v[8];
        ptrdiff_t offset = (ptrdiff_t)(from + i) * swath->step;

/* Behind a segment's end lies white. */
#define FETCH(k)                                                               \
    {                                                                          \
        bool inside = !ragged || from + i < lane[k].length;                    \
        ptrdiff_t x = inside ? (ptrdiff_t)lane[k].first + offset : 0;          \
        v[k] = *(const eight *)(const void *)&swath                            \
                    ->pixels[inside ? index[x] : 0];                           \
        if (deep)                                                              \
            v[k][HT_CPU_TONE] = inside ? tone[x] : 0;                          \
    }
        EACH(FETCH)
#undef FETCH
        interleave(v);
        interleave(v);
        interleave(v);
#define STORE(f)                                                               \
    memcpy((int16_t *)&out->field[f][i] + 8 * block, &v[f], sizeof v[f]);
        EACH(STORE)
#undef STORE
    }
}

/* What would leave the segment sideways is not split off. */
static inline void close_segments(struct prepared *out,
                                  const struct ht_cpu_lane *lane,
                                  unsigned count, uint32_t from,
                                  uint32_t columns)
{
    if (from == 0)
        for (unsigned reach = 1; reach <= HT_CPU_REACH; reach++)
            for (unsigned i = 0; i < reach && i < columns; i++)
                out->field[HT_CPU_M1 + reach - 1][i] = (vec){0};
    for (unsigned k = 0; k < count; k++) {
        uint32_t last = lane[k].length - 1;

        if (last >= from && last - from < columns) {
            out->field[HT_CPU_RIGHT][last - from][k] = 0;
            out->field[HT_CPU_P1][last - from][k] = 0;
        }
    }
}

/* ---- Diffusing -------------------------------------------------------- */

/* White and solid: bounded, and three quarters kept. */
static inline vec forced_error(vec e)
{
    const vec half = (vec){0} + HT_ONE / 2;
    vec three = vec_max(vec_min(e, half), -half) * 3;

    return (three + ((three >> 15) & 3)) >> 2;
}

/*
 * Columns from..from+count-1 of one ink: doc/halftone.md, "A pixel".
 *
 *   error   [column] what the row inherits; its element column - 3 becomes
 *           what the row below inherits
 *   before  [count] dots minus tones of the inks before; NULL when there is
 *           only one ink
 *   bits    [count / 8] each lane's dots, eight columns each
 */
static inline __attribute__((always_inline)) void
diffuse(const struct prepared *in, uint32_t from, uint32_t count, vec *error,
        wide *before, bool looks, struct chain *chain, vec *bits)
{
    const vec one = (vec){0} + HT_ONE, none = {0};
    vec left = chain->left, b0 = chain->below[0], b1 = chain->below[1],
        b2 = chain->below[2], b3 = chain->below[3], dots = none;

    for (uint32_t i = 0; i < count; i++) {
        vec tone = in->field[HT_CPU_TONE][i];
        vec threshold = in->field[HT_CPU_THRESHOLD][i];
        vec forced = (threshold == HT_CPU_WHITE) | (threshold == HT_CPU_SOLID);

        if (looks)
            threshold +=
                vec_weighted(wide_held(before[i]), in->field[HT_CPU_AVOID][i]);
        vec inherited = error[from + i] + left;
        vec dot = inherited > threshold - tone;
        vec e = vec_select(dot, inherited + (tone - one), inherited + tone);

        e = vec_max(vec_min(e, one), -one);
        if (vec_any(forced))
            e = vec_select(forced, forced_error(e), e);
        left = vec_weighted(e, in->field[HT_CPU_RIGHT][i]);

        vec p1 = vec_weighted(e, in->field[HT_CPU_P1][i]);
        vec m1 = vec_weighted(e, in->field[HT_CPU_M1][i]);
        vec m2 = vec_weighted(e, in->field[HT_CPU_M2][i]);
        vec m3 = vec_weighted(e, in->field[HT_CPU_M3][i]);
        vec down = e - left - p1 - m1 - m2 - m3;

        (error - HT_CPU_REACH)[from + i] = b3 + m3;
        b3 = b2 + m2;
        b2 = b1 + m1;
        b1 = b0 + down;
        b0 = p1;

        if (before != NULL)
            before[i] = wide_plus(before[i], (dot & one) - tone);
        dots = dots + dots - dot;
        if (i % 8 == 7) {
            bits[i / 8] = dots;
            dots = none;
        }
    }
    *chain = (struct chain){left, {b0, b1, b2, b3}};
}

/* ---- Lanes to rows ---------------------------------------------------- */

static inline unsigned reversed(unsigned byte)
{
    byte = (byte >> 4 & 0x0f) | (byte & 0x0f) << 4;
    byte = (byte >> 2 & 0x33) | (byte & 0x33) << 2;
    return (byte >> 1 & 0x55) | (byte & 0x55) << 1;
}

/* Puts eight dots at column x and behind; those outside the row are 0. */
static inline void put_dots(uint8_t *row, size_t row_bytes, ptrdiff_t x,
                            unsigned byte)
{
    unsigned shift = (unsigned)(x & 7), pair = byte << 8 >> shift;
    ptrdiff_t at = (x - (ptrdiff_t)shift) / 8;

    if (at >= 0)
        row[at] |= (uint8_t)(pair >> 8);
    if (at + 1 >= 0 && (size_t)(at + 1) < row_bytes)
        row[at + 1] |= (uint8_t)pair;
}

static inline void put_chunk(const struct ht_cpu_swath *swath, uint8_t *row,
                             const struct ht_cpu_lane *lane, unsigned count,
                             const vec *bits, uint32_t from, uint32_t columns)
{
    size_t row_bytes = ((size_t)swath->width + 7) / 8;

    for (unsigned k = 0; k < count; k++)
        for (uint32_t i = 0; i < columns && from + i < lane[k].length; i += 8) {
            unsigned byte = (uint16_t)bits[i / 8][k] & 0xff;
            ptrdiff_t x =
                (ptrdiff_t)lane[k].first + (ptrdiff_t)(from + i) * swath->step;

            if (byte == 0)
                continue;
            if (swath->step > 0)
                put_dots(row, row_bytes, x, byte);
            else
                put_dots(row, row_bytes, x - 7, reversed(byte));
        }
}

/* Errors of an ink in lanes: [stride], column c at [REACH + c]. */
static void load_errors(const struct ht_cpu_swath *swath, uint32_t ink,
                        const struct ht_cpu_lane *lane, unsigned count,
                        size_t stride, vec *error)
{
    const int16_t *row = swath->error + (size_t)ink * swath->width;

    memset(error, 0, stride * sizeof *error);
    for (unsigned k = 0; k < count; k++)
        for (uint32_t i = 0; i < lane[k].length; i++)
            error[HT_CPU_REACH + i][k] =
                row[(ptrdiff_t)lane[k].first + (ptrdiff_t)i * swath->step];
}

static void store_errors(const struct ht_cpu_swath *swath, uint32_t ink,
                         const struct ht_cpu_lane *lane, unsigned count,
                         const vec *error)
{
    int16_t *row = swath->error + (size_t)ink * swath->width;

    for (unsigned k = 0; k < count; k++)
        for (uint32_t i = 0; i < lane[k].length; i++)
            row[(ptrdiff_t)lane[k].first + (ptrdiff_t)i * swath->step] =
                error[HT_CPU_REACH + i][k];
}

/* ---- A group of segments ---------------------------------------------- */

/* A group's segments, padded with copies of the first. */
struct group {
    const struct ht_cpu_lane *lane; /* [LANES] */
    unsigned count;
    uint32_t longest, shortest;
    size_t stride; /* of the errors of an ink */
    vec *errors;   /* [inks][stride], column c at [REACH + c] */
};

/* A chunk of one ink; `columns` is rounded up to whole groups of eight, the
 * last of which are white. */
static void run_chunk(const struct ht_cpu_swath *swath,
                      const struct group *group, uint32_t row, uint32_t ink,
                      uint32_t from, uint32_t columns, struct chain *chain,
                      wide *before)
{
    struct prepared prepared;
    vec bits[CHUNK / 8];
    vec *error = group->errors + ink * group->stride + HT_CPU_REACH;
    size_t offset = ((size_t)row * swath->inks + ink) * swath->width;
    size_t plane = ((size_t)swath->width + 7) / 8;

    for (unsigned block = 0; block < LANES / 8; block++) {
        const struct ht_cpu_lane *lane = group->lane + 8 * block;

        if (swath->tone != NULL)
            prepare_eight(&prepared, block, swath, lane, offset, from, columns,
                          true, true);
        else if (from + columns > group->shortest)
            prepare_eight(&prepared, block, swath, lane, offset, from, columns,
                          true, false);
        else
            prepare_eight(&prepared, block, swath, lane, offset, from, columns,
                          false, false);
    }
    close_segments(&prepared, group->lane, group->count, from, columns);
    if (swath->inks == 1)
        diffuse(&prepared, from, columns, error, NULL, false, chain, bits);
    else
        diffuse(&prepared, from, columns, error, before, true, chain, bits);
    put_chunk(swath, swath->dots[row] + ink * plane, group->lane, group->count,
              bits, from, columns);
}

static void run_row(const struct ht_cpu_swath *swath, const struct group *group,
                    uint32_t row)
{
    struct chain chain[HT_MAX_INKS];
    uint32_t from, columns;

    memset(chain, 0, sizeof chain);
    for (from = 0; from < group->longest; from += columns) {
        wide before[CHUNK];

        columns = (group->longest - from + 7) / 8 * 8;
        columns = columns < CHUNK ? columns : CHUNK;
        memset(before, 0, sizeof before);
        for (uint32_t ink = 0; ink < swath->inks; ink++)
            if (!swath->blank[ink])
                run_chunk(swath, group, row, ink, from, columns, &chain[ink],
                          before);
    }
    for (uint32_t ink = 0; ink < swath->inks; ink++)
        for (int k = 1; k <= HT_CPU_REACH && !swath->blank[ink]; k++)
            group->errors[ink * group->stride + HT_CPU_REACH + from - k] =
                chain[ink].below[k];
}

static void run(const struct ht_cpu_swath *swath,
                const struct ht_cpu_lane *lane, unsigned count)
{
    struct ht_cpu_lane padded[LANES];
    struct group group = {.lane = padded,
                          .count = count,
                          .shortest = UINT32_MAX,
                          .errors = (vec *)(void *)swath->scratch};

    for (unsigned k = 0; k < LANES; k++) {
        padded[k] = lane[k < count ? k : 0];
        if (padded[k].length > group.longest)
            group.longest = padded[k].length;
        if (padded[k].length < group.shortest)
            group.shortest = padded[k].length;
    }
    group.stride = ht_cpu_stride(group.longest);
    for (uint32_t ink = 0; ink < swath->inks; ink++)
        if (!swath->blank[ink])
            load_errors(swath, ink, lane, count, group.stride,
                        group.errors + ink * group.stride);
    for (uint32_t row = 0; row < swath->rows; row++)
        run_row(swath, &group, row);
    for (uint32_t ink = 0; ink < swath->inks; ink++)
        if (!swath->blank[ink])
            store_errors(swath, ink, lane, count,
                         group.errors + ink * group.stride);
}
