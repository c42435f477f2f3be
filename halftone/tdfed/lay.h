/*
 * lay.h - samples to the indices of their pixels, for kernel.c:
 * ht_tdfed_kernel.lay; and whether any are white or solid.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define AT_ONCE (2 * LANES) /* columns */

static inline void put_indices(uint16_t *index, levels level, levels view,
                               bool mirrored)
{
    struct two words = levels_to_words(level, view, mirrored);
    uvec first = words.first * HT_TDFED_LEVEL;
    uvec second = words.second * HT_TDFED_LEVEL;

    _Static_assert(HT_TDFED_VIEW == 256 * HT_TDFED_LEVEL,
                   "an index is a view and a level, times the fields");
    memcpy(index, &first, sizeof first);
    memcpy(index + LANES, &second, sizeof second);
}

/* Returns the views of pixels: the inks before where one of these is not forced
 * and the level is outside the middle, elsewhere what the pattern has. */
static inline levels look(levels level, levels pattern, levels forced_before,
                          struct ht_tdfed_levels middle)
{
    const levels none = {0}, inks = none + HT_INKS;
    const levels all = none + (HT_LEVELS - 1);
    const levels above = level - middle.first, more = none + middle.more;
#ifdef MASKS
    __mmask32 at_inks =
        _mm256_cmpneq_epu8_mask((__m256i)forced_before, (__m256i)all);

    at_inks =
        _mm256_mask_cmpgt_epu8_mask(at_inks, (__m256i)above, (__m256i)more);
    return (levels)_mm256_mask_mov_epi8((__m256i)pattern, at_inks,
                                        (__m256i)inks);
#else
    levels at_inks = (levels)((forced_before != all) & (above > more));

    return (pattern & ~at_inks) | (at_inks & inks);
#endif
}

/* `before` is forced_before of these levels, or NULL. */
static inline __attribute__((always_inline)) void
index_some(uint16_t *index, const uint8_t *level, const uint8_t *pattern,
           levels *before, uint8_t *forced, struct ht_tdfed_levels middle,
           bool mirrored, levels *extreme)
{
    levels l, view;

    memcpy(&l, level, sizeof l);
    memcpy(&view, pattern, sizeof view);
    levels extremity = levels_max(l, ~l), least = extremity;
    *extreme = levels_max(*extreme, extremity);
    if (before != NULL) {
        view = look(l, view, *before, middle);
        least = levels_min(*before, extremity);
    }
    if (forced != NULL)
        memcpy(forced, &least, sizeof least);
    put_indices(index, l, view, mirrored);
}

static inline uint8_t largest(levels v)
{
    uint8_t byte[AT_ONCE], most = 0;

    memcpy(byte, &v, sizeof byte);
    for (unsigned i = 0; i < AT_ONCE; i++)
        most = byte[i] > most ? byte[i] : most;
    return most;
}

static inline __attribute__((always_inline)) uint8_t
lay_levels(uint16_t *index, const uint8_t *level, const uint8_t *pattern,
           const uint8_t *forced_before, uint8_t *forced,
           struct ht_tdfed_levels middle, uint32_t count, bool mirrored)
{
    levels extreme = {0}, before = {0}, last = {0};
    const uint32_t tail = count - AT_ONCE;
    uint32_t i = 0;
#define LAY_SOME(i, before)                                                    \
    index_some(index + (mirrored ? tail - (i) : (i)), level + (i),             \
               pattern + (i), forced_before != NULL ? &(before) : NULL,        \
               forced != NULL ? forced + (i) : NULL, middle, mirrored,         \
               &extreme)

    if (forced_before != NULL)
        memcpy(&last, forced_before + tail, sizeof last);
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        if (forced_before != NULL)
            memcpy(&before, forced_before + i, sizeof before);
        LAY_SOME(i, before);
    }
    if (i < count)
        LAY_SOME(tail, last); /* some of them again */
#undef LAY_SOME
    return largest(extreme);
}

/* Lays less than AT_ONCE levels, by way of arrays that are long enough. */
static uint8_t lay_few(uint16_t *index, const uint8_t *level,
                       const uint8_t *pattern, const uint8_t *forced_before,
                       uint8_t *forced, struct ht_tdfed_levels middle,
                       uint32_t count, bool mirrored)
{
    uint8_t few[AT_ONCE], inks[AT_ONCE] = {0};
    uint16_t some[AT_ONCE];

    memset(few, HT_LEVELS / 2, sizeof few); /* of the least extremity */
    memcpy(few, level, count);
    if (forced_before != NULL)
        memcpy(inks, forced_before, count);
    uint8_t extremity =
        lay_levels(some, few, pattern, forced_before != NULL ? inks : NULL,
                   inks, middle, AT_ONCE, mirrored);
    memcpy(index, some + (mirrored ? AT_ONCE - count : 0),
           count * sizeof *index);
    if (forced != NULL)
        memcpy(forced, inks, count);
    return extremity;
}

/* Each combination is compiled apart. */
static uint8_t lay(uint16_t *index, const uint8_t *level,
                   const uint8_t *pattern, const uint8_t *forced_before,
                   uint8_t *forced, struct ht_tdfed_levels middle,
                   uint32_t count, bool mirrored)
{
    if (count < AT_ONCE)
        return lay_few(index, level, pattern, forced_before, forced, middle,
                       count, mirrored);
#define LAY(forced_before, forced)                                             \
    (mirrored ? lay_levels(index, level, pattern, forced_before, forced,       \
                           middle, count, true)                                \
              : lay_levels(index, level, pattern, forced_before, forced,       \
                           middle, count, false))
    if (forced_before == NULL)
        return forced == NULL ? LAY(NULL, NULL) : LAY(NULL, forced);
    return forced == NULL ? LAY(forced_before, NULL)
                          : LAY(forced_before, forced);
#undef LAY
}

/* ht_tdfed_kernel.any_forced. */
static bool any_forced(const uint8_t *level, uint32_t count)
{
    levels extreme = {0}, l = {0};
    uint32_t i = 0;

    l += HT_LEVELS / 2;
    for (; i + AT_ONCE <= count; i += AT_ONCE) {
        memcpy(&l, level + i, sizeof l);
        extreme = levels_max(extreme, levels_max(l, ~l));
    }
    if (count >= AT_ONCE)
        memcpy(&l, level + count - AT_ONCE, sizeof l); /* some again */
    else
        memcpy(&l, level, count);
    return largest(levels_max(extreme, levels_max(l, ~l))) == HT_LEVELS - 1;
}
