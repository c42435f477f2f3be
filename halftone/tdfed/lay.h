/*
 * lay.h - samples to the indices of their pixels, for kernel.c:
 * ht_tdfed_kernel.lay; and .copy.
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
    for (uint32_t i = 0; i < count; i += LANES) {
        ptrdiff_t from =
            mirrored ? (ptrdiff_t)count - (ptrdiff_t)i - LANES : (ptrdiff_t)i;

        lay_some(index + i, level + from, pattern + from, mirrored);
    }
}

static inline __attribute__((always_inline)) void
lay_toned(uint8_t *toned, const uint8_t *level, uint32_t count, bool mirrored)
{
    const uint32_t at_once = sizeof(levels);

    for (uint32_t i = 0; i < count; i += at_once) {
        ptrdiff_t from =
            mirrored ? (ptrdiff_t)count - (ptrdiff_t)i - at_once : (ptrdiff_t)i;
        levels l;

        memcpy(&l, level + from, sizeof l);
        l = ~(levels)((l == 0) | (l == HT_LEVELS - 1));
        if (mirrored)
            l = levels_reversed(l);
        memcpy(toned + i, &l, sizeof l);
    }
}

/* ht_tdfed_kernel.lay; directions are compiled apart. */
static inline __attribute__((always_inline)) void
lay_rows(const struct ht_tdfed_laying *laying, bool mirrored)
{
    const uint32_t count = laying->count;
    const uvec nothing = (uvec){0} + HT_TDFED_NOTHING;
    const levels none = {0};

    for (unsigned row = 0; row < laying->rows; row++) {
        uint16_t *index = laying->index[row];

        lay_levels(index, laying->level[row], laying->pattern[row], count,
                   mirrored);
        memcpy(index + count, &nothing, sizeof nothing);
    }
    for (unsigned row = 0; row < laying->asked; row++) {
        uint8_t *toned = laying->toned[row];

        lay_toned(toned, laying->level[row], count, mirrored);
        memcpy(toned + count, &none, sizeof none);
    }
}

static void lay(const struct ht_tdfed_laying *laying, bool mirrored)
{
    if (mirrored)
        lay_rows(laying, true);
    else
        lay_rows(laying, false);
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

static inline uint64_t four_reversed(uint64_t v)
{
    v = v >> 32 | v << 32;
    return (v >> 16 & 0x0000ffff0000ffff) | (v & 0x0000ffff0000ffff) << 16;
}

/* Copies less than LANES numbers, some of them twice. */
static inline __attribute__((always_inline)) void
copy_few(int16_t *to, const int16_t *from, uint32_t count, bool mirrored)
{
    uint64_t some;

    for (uint32_t i = 0; count >= 4 && i < count; i += 4) {
        uint32_t at = i < count - 4 ? i : count - 4;

        memcpy(&some, from + at, sizeof some);
        if (mirrored)
            some = four_reversed(some);
        memcpy(to + (mirrored ? count - 4 - at : at), &some, sizeof some);
    }
    for (uint32_t i = 0; count < 4 && i < count; i++)
        to[i] = from[mirrored ? count - 1 - i : i];
}

/* ht_tdfed_kernel.copy. */
static void copy(int16_t *to, const int16_t *from, uint32_t count,
                 bool mirrored)
{
    if (count < LANES && mirrored)
        copy_few(to, from, count, true);
    else if (count < LANES)
        copy_few(to, from, count, false);
    else if (mirrored)
        copy_line(to, from, count, true);
    else
        copy_line(to, from, count, false);
}
