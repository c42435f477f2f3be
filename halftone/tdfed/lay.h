/*
 * lay.h - samples to the indices of their pixels, for kernel.c:
 * ht_tdfed_kernel.lay; which kinds of pixels they are, .look; and .copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* ---- Indices ------------------------------------------------------------ */

static inline void lay_some(uint16_t *index, const uint8_t *level,
                            const uint16_t *pattern, bool mirrored)
{
    uvec some, own = vec_of_bytes(level) * HT_TDFED_LEVEL;

    memcpy(&some, pattern, sizeof some);
    some += own;
    if (mirrored)
        some = vec_reversed(some);
    memcpy(index, &some, sizeof some);
}

static inline __attribute__((always_inline)) void
lay_levels(uint16_t *index, const uint8_t *level, const uint16_t *pattern,
           uint32_t count, bool mirrored)
{
    const uint32_t tail = count - LANES;
    uint32_t i = 0;

    for (; i + LANES <= count; i += LANES)
        lay_some(index + (mirrored ? tail - i : i), level + i, pattern + i,
                 mirrored);
    if (i < count) /* some of them again */
        lay_some(index + (mirrored ? 0 : tail), level + tail, pattern + tail,
                 mirrored);
}

/* Lays less than LANES levels, by way of arrays that are long enough. */
static void lay_few(uint16_t *index, const uint8_t *level,
                    const uint16_t *pattern, uint32_t count, bool mirrored)
{
    uint8_t few[LANES] = {0};
    uint16_t some[LANES];

    memcpy(few, level, count);
    lay_some(some, few, pattern, mirrored);
    memcpy(index, some + (mirrored ? LANES - count : 0), count * sizeof *index);
}

/* Both directions are compiled apart. */
static void lay(uint16_t *index, const uint8_t *level, const uint16_t *pattern,
                uint32_t count, bool mirrored)
{
    if (count < LANES)
        lay_few(index, level, pattern, count, mirrored);
    else if (mirrored)
        lay_levels(index, level, pattern, count, true);
    else
        lay_levels(index, level, pattern, count, false);
}

/* ---- Kinds of pixels ----------------------------------------------------- */

#define AT_ONCE (2 * LANES) /* columns */

struct span {
    levels least, most;
};

static inline void widen(struct span *span, const uint8_t *level)
{
    levels l;

    memcpy(&l, level, sizeof l);
    span->least = levels_min(span->least, l);
    span->most = levels_max(span->most, l);
}

static inline void look_at_row(struct span *span, const uint8_t *level,
                               uint32_t count)
{
    uint8_t few[AT_ONCE];
    uint32_t i = 0;

    for (; i + AT_ONCE <= count; i += AT_ONCE)
        widen(span, level + i);
    if (i == count)
        return;
    if (count >= AT_ONCE) {
        widen(span, level + count - AT_ONCE); /* some again */
        return;
    }
    memset(few, HT_LEVELS / 2, sizeof few);
    memcpy(few, level, count);
    widen(span, few);
}

/* ht_tdfed_kernel.look. */
static enum ht_tdfed_content look(const uint8_t *const *row, uint32_t rows,
                                  size_t at, uint32_t count, uint8_t near)
{
    const levels zero = {0}, middle = zero + HT_LEVELS / 2;
    const levels most = zero + (HT_LEVELS - 2), limit = zero + near;
    struct span span = {middle, middle};

    for (uint32_t i = 0; i < rows; i++)
        look_at_row(&span, row[i] + at, count);
    levels extremity = levels_max(span.most, ~span.least);
    if (vec_any((vec)(levels_max(extremity, most) ^ most)))
        return HT_TDFED_KEPT;
    return vec_any((vec)(levels_max(extremity, limit) ^ limit))
               ? HT_TDFED_FAR_TOO
               : HT_TDFED_NEAR;
}

/* ---- Lines --------------------------------------------------------------- */

static inline __attribute__((always_inline)) void
copy_line(int16_t *to, const int16_t *from, uint32_t count, bool mirrored)
{
    const uint32_t tail = count - LANES;
    uvec some;

    for (uint32_t i = 0; i < count; i += LANES) {
        uint32_t at = i < tail ? i : tail; /* some again */

        memcpy(&some, from + at, sizeof some);
        if (mirrored)
            some = vec_reversed(some);
        memcpy(to + (mirrored ? tail - at : at), &some, sizeof some);
    }
}

/* ht_tdfed_kernel.copy. */
static void copy(int16_t *to, const int16_t *from, uint32_t count,
                 bool mirrored)
{
    if (count < LANES)
        for (uint32_t i = 0; i < count; i++)
            to[i] = from[mirrored ? count - 1 - i : i];
    else if (mirrored)
        copy_line(to, from, count, true);
    else
        copy_line(to, from, count, false);
}
