/*
 * apply_avx2.c - eight pixels at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "page/color/apply.h"

#ifdef __AVX2__
#include <immintrin.h>

#define PIXELS 8u

/* Places of the colors around eight pixels, and their shares. */
struct corners {
    uint32_t at[4][PIXELS];
    uint32_t share[2][PIXELS]; /* of corners 0 and 1, and of 2 and 3: the second
                                  in the high half */
};

static inline __m128i load(const uint8_t *from)
{
    return _mm_loadu_si128((const void *)from);
}

/* Cells before a sample, and its share of the next color above its step. */
static inline __m256i split(__m256i sample, unsigned step, __m256i *cell)
{
    const __m256i at = (__m256i)((__v8su)sample * CELLS);
    /* at / 255: at is less than 2^16. */
    const __m256i whole = _mm256_srli_epi32(
        _mm256_add_epi32(_mm256_add_epi32(at, _mm256_set1_epi32(1)),
                         _mm256_srli_epi32(at, 8)),
        8);

    *cell = _mm256_min_epi32(whole, _mm256_set1_epi32(CELLS - 1));
    const __m256i rest = _mm256_add_epi32(
        _mm256_sub_epi32(at, _mm256_slli_epi32(*cell, 8)), *cell);
    const __m256i share = _mm256_add_epi32(rest, _mm256_srli_epi32(rest, 7));

    return _mm256_or_si256(_mm256_slli_epi32(share, 16),
                           _mm256_set1_epi32((int)step));
}

static inline __m256i channel(__m256i pixels, int i)
{
    const __m128i order = _mm_setr_epi8(0, -1, -1, -1, 3, -1, -1, -1, 6, -1, -1,
                                        -1, 9, -1, -1, -1);
    /* The high half begins four bytes before its first pixel. */
    const __m256i from = _mm256_add_epi8(
        _mm256_inserti128_si256(
            _mm256_castsi128_si256(order),
            _mm_add_epi8(order, _mm_setr_epi8(4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0,
                                              0, 4, 0, 0, 0)),
            1),
        _mm256_set1_epi32(i));

    return _mm256_shuffle_epi8(pixels, from);
}

static inline void put(uint32_t to[PIXELS], __m256i numbers)
{
    _mm256_storeu_si256((void *)to, numbers);
}

/* Finds the corners of eight pixels. */
static inline void find(const uint8_t *light, struct corners *corners)
{
    const __m256i low = _mm256_set1_epi32(0xffff);
    const __m256i pixels = _mm256_inserti128_si256(
        _mm256_castsi128_si256(load(light)), load(light + 8), 1);
    __m256i red, green, blue;
    const __m256i r = split(channel(pixels, 0), STEP_RED, &red);
    const __m256i g = split(channel(pixels, 1), STEP_GREEN, &green);
    const __m256i b = split(channel(pixels, 2), STEP_BLUE, &blue);
    const __m256i most = _mm256_max_epi32(r, _mm256_max_epi32(g, b));
    const __m256i least = _mm256_min_epi32(r, _mm256_min_epi32(g, b));
    const __m256i middle =
        _mm256_sub_epi32(_mm256_add_epi32(r, _mm256_add_epi32(g, b)),
                         _mm256_add_epi32(most, least));
    const __m256i first = _mm256_add_epi32(
        _mm256_add_epi32(
            _mm256_mullo_epi32(red, _mm256_set1_epi32(STEP_RED)),
            _mm256_mullo_epi32(green, _mm256_set1_epi32(STEP_GREEN))),
        blue);
    const __m256i last = _mm256_add_epi32(first, _mm256_set1_epi32(STEP_ALL));
    const __m256i x = _mm256_srli_epi32(most, 16),
                  y = _mm256_srli_epi32(middle, 16),
                  z = _mm256_srli_epi32(least, 16);

    put(corners->at[0], first);
    put(corners->at[1], _mm256_add_epi32(first, _mm256_and_si256(most, low)));
    put(corners->at[2], _mm256_sub_epi32(last, _mm256_and_si256(least, low)));
    put(corners->at[3], last);
    put(corners->share[0],
        _mm256_or_si256(_mm256_sub_epi32(_mm256_set1_epi32(256), x),
                        _mm256_slli_epi32(_mm256_sub_epi32(x, y), 16)));
    put(corners->share[1],
        _mm256_or_si256(_mm256_sub_epi32(y, z), _mm256_slli_epi32(z, 16)));
}

/* Loads the color at a corner of pixels i and i + 4, each in its half. */
static inline __m256i corner(const struct color_table *table,
                             const uint32_t at[PIXELS], unsigned i)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(
            _mm_loadl_epi64((const void *)table->node[at[i]])),
        _mm_loadl_epi64((const void *)table->node[at[i + 4]]), 1);
}

/* Mixes corners a and b = a + 1 of pixels i and i + 4. */
static inline __m256i mix(const struct color_table *table,
                          const struct corners *corners, unsigned a, unsigned i)
{
    const __m256i shares =
        _mm256_loadu_si256((const void *)corners->share[a / 2]);
    const __m256i nodes = _mm256_unpacklo_epi16(
        corner(table, corners->at[a], i), corner(table, corners->at[a + 1], i));
    const __m256i all = i == 0   ? _mm256_shuffle_epi32(shares, 0x00)
                        : i == 1 ? _mm256_shuffle_epi32(shares, 0x55)
                        : i == 2 ? _mm256_shuffle_epi32(shares, 0xaa)
                                 : _mm256_shuffle_epi32(shares, 0xff);

    return _mm256_madd_epi16(nodes, all);
}

/* The inks of pixels i and i + 4, 32 bits each. */
static inline __m256i inks_of(const struct color_table *table,
                              const struct corners *corners, unsigned i)
{
    const __m256i sum =
        _mm256_add_epi32(mix(table, corners, 0, i), mix(table, corners, 2, i));

    return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(BIAS)),
                             16);
}

/* The inks of eight pixels. */
static inline __m256i eight(const struct color_table *table,
                            const struct corners *corners)
{
    return _mm256_packus_epi16(_mm256_packus_epi32(inks_of(table, corners, 0),
                                                   inks_of(table, corners, 1)),
                               _mm256_packus_epi32(inks_of(table, corners, 2),
                                                   inks_of(table, corners, 3)));
}

/* Whether eight pixels are of one color. */
static inline bool are_equal(const uint8_t *light)
{
    const __m128i same =
        _mm_and_si128(_mm_cmpeq_epi8(load(light), load(light + 3)),
                      _mm_cmpeq_epi8(load(light + 5), load(light + 8)));

    return _mm_movemask_epi8(same) == 0xffff;
}

/* Pages are paper for the most part: a color that goes on is kept. */
void color_table_line_avx2(const struct color_table *table,
                           const uint8_t *light, uint32_t width, uint8_t *inks)
{
    uint8_t color[3] = {255, 255, 255};
    __m256i kept = _mm256_setzero_si256();

    for (; width >= PIXELS; width -= PIXELS, light += 24, inks += 32) {
        const bool equal = are_equal(light);
        __m256i made = kept;

        if (!equal || memcmp(light, color, 3) != 0) {
            struct corners corners;

            find(light, &corners);
            made = eight(table, &corners);
        }
        _mm256_storeu_si256((void *)inks, made);
        if (equal) {
            memcpy(color, light, 3);
            kept = made;
        }
    }
    color_table_line_plain(table, light, width, inks);
}

#else

void color_table_line_avx2(const struct color_table *table,
                           const uint8_t *light, uint32_t width, uint8_t *inks)
{
    color_table_line_plain(table, light, width, inks);
}

#endif
