/*
 * cpu_lay.h - samples to a tape of the CPU engine, included once an
 * instruction set, behind cpu_kernel.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "halftone/cpu.h"

/* Columns at once: levels, what they look at, and their indices. */
#if LANES == 16 /* AVX2 */
#define AT_ONCE 32

typedef uint8_t levels __attribute__((vector_size(AT_ONCE)));

static inline levels larger(levels a, levels b)
{
    return (levels)_mm256_max_epu8((__m256i)a, (__m256i)b);
}

static inline levels smaller(levels a, levels b)
{
    return (levels)_mm256_min_epu8((__m256i)a, (__m256i)b);
}

/* Quarters of a vector so that the instructions that interleave the lower and
 * the upper half of each 16 bytes give the first and the second 16 columns. */
static inline __m256i in_order(levels v, bool mirrored)
{
    enum { QUARTERS_0213 = 0xd8, QUARTERS_2031 = 0x72 };
    const __m256i backwards = _mm256_broadcastsi128_si256(
        _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));

    if (!mirrored)
        return _mm256_permute4x64_epi64((__m256i)v, QUARTERS_0213);
    return _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)v, backwards),
                                    QUARTERS_2031);
}

static inline void put_indices(uint16_t *index, levels level, levels view,
                               bool mirrored)
{
    __m256i l = in_order(level, mirrored), v = in_order(view, mirrored);
    __m256i first = _mm256_slli_epi16(_mm256_unpacklo_epi8(l, v), 3);
    __m256i second = _mm256_slli_epi16(_mm256_unpackhi_epi8(l, v), 3);

    _Static_assert(HT_CPU_LEVEL == 1 << 3 && HT_CPU_VIEW == 256 << 3,
                   "an index is a view, a level and three bits");
    memcpy(index, &first, sizeof first);
    memcpy(index + AT_ONCE / 2, &second, sizeof second);
}
#else
#define AT_ONCE 16

typedef uint8_t levels __attribute__((vector_size(AT_ONCE)));
typedef uint16_t indices __attribute__((vector_size(2 * AT_ONCE)));

static inline levels larger(levels a, levels b)
{
#if defined __SSE2__
    return (levels)_mm_max_epu8((__m128i)a, (__m128i)b);
#elif defined __ARM_NEON
    return (levels)vmaxq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    levels first = (levels)(a > b);

    return (a & first) | (b & ~first);
#endif
}

static inline levels smaller(levels a, levels b)
{
    return ~larger(~a, ~b);
}

static inline void put_indices(uint16_t *index, levels level, levels view,
                               bool mirrored)
{
    indices both = __builtin_convertvector(level, indices) * HT_CPU_LEVEL +
                   __builtin_convertvector(view, indices) * HT_CPU_VIEW;
    struct {
        ht_cpu_words left, right;
    } h, m;

    memcpy(&h, &both, sizeof h);
    m = h;
    if (mirrored) {
        m.left = ht_cpu_reversed(h.right);
        m.right = ht_cpu_reversed(h.left);
    }
    memcpy(index, &m, sizeof m);
}
#endif

/* What pixels look at, of which the pattern says one thing, and another whether
 * the inks before are all forced. */
static inline levels look(levels level, levels pattern, levels forced_before,
                          struct ht_cpu_levels middle)
{
    const levels none = {0}, inks = none + HT_INKS;
    const levels all = none + (HT_LEVELS - 1);
    const levels place = level - middle.first, more = none + middle.more;
#ifdef MASKS
    __mmask32 at_inks =
        _mm256_cmpneq_epu8_mask((__m256i)forced_before, (__m256i)all);

    at_inks =
        _mm256_mask_cmpgt_epu8_mask(at_inks, (__m256i)place, (__m256i)more);
    return (levels)_mm256_mask_mov_epi8((__m256i)pattern, at_inks,
                                        (__m256i)inks);
#else
    levels at_inks = (levels)((forced_before != all) & (place > more));

    return (pattern & ~at_inks) | (at_inks & inks);
#endif
}

static inline __attribute__((always_inline)) void
look_up(uint16_t *index, const uint8_t *level, const uint8_t *pattern,
        const uint8_t *forced_before, uint8_t *forced,
        struct ht_cpu_levels middle, bool mirrored, levels *extreme)
{
    levels l, view, least;

    memcpy(&l, level, sizeof l);
    memcpy(&view, pattern, sizeof view);
    levels extremity = larger(l, ~l);
    *extreme = larger(*extreme, extremity);
    least = extremity;
    if (forced_before != NULL) {
        memcpy(&least, forced_before, sizeof least);
        view = look(l, view, least, middle);
        least = smaller(least, extremity);
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

static inline uint16_t look_up_one(uint8_t level, uint8_t view,
                                   const uint8_t *forced_before,
                                   uint8_t *forced, struct ht_cpu_levels middle,
                                   levels *extreme)
{
    uint8_t extremity = ht_cpu_extremity(level), least = extremity;

    if (extremity > (*extreme)[0])
        (*extreme)[0] = extremity;
    if (forced_before != NULL) {
        if (*forced_before != HT_LEVELS - 1 &&
            (uint8_t)(level - middle.first) > middle.more)
            view = HT_INKS;
        least = *forced_before < extremity ? *forced_before : extremity;
    }
    if (forced != NULL)
        *forced = least;
    return (uint16_t)(level * HT_CPU_LEVEL + view * HT_CPU_VIEW);
}

static inline __attribute__((always_inline)) uint8_t
lay_levels(uint16_t *index, const uint8_t *level, const uint8_t *pattern,
           const uint8_t *forced_before, uint8_t *forced,
           struct ht_cpu_levels middle, uint32_t count, bool mirrored)
{
    levels extreme = {0};
    uint32_t i = 0;
#define AT_COLUMN(row) ((row) != NULL ? (row) + i : NULL)

    for (; i + AT_ONCE <= count; i += AT_ONCE)
        look_up(index + (mirrored ? count - AT_ONCE - i : i), level + i,
                pattern + i, AT_COLUMN(forced_before), AT_COLUMN(forced),
                middle, mirrored, &extreme);
    for (; i < count; i++)
        index[mirrored ? count - 1 - i : i] =
            look_up_one(level[i], pattern[i], AT_COLUMN(forced_before),
                        AT_COLUMN(forced), middle, &extreme);
#undef AT_COLUMN
    return largest(extreme);
}

/* ht_cpu_kernel.lay; each combination is compiled apart. */
static uint8_t lay(uint16_t *index, const uint8_t *level,
                   const uint8_t *pattern, uint32_t at,
                   const uint8_t *forced_before, uint8_t *forced,
                   struct ht_cpu_levels middle, uint32_t count, bool mirrored)
{
    pattern += at % HT_PATTERN_SIZE;
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
