/*
 * apply_avx2.c - sixteen pixels at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "page/color/apply.h"

#ifdef __AVX2__
#include <immintrin.h>

#define PIXELS 16u

/* Places of the colors around sixteen pixels, and their shares. */
struct corners {
    uint16_t at[3][PIXELS];  /* corner 3 is STEP_ALL after corner 0 */
    uint32_t share[2][2][8]; /* of corners 0 and 1, and of 2 and 3: the second
                                in the high half. First those of pixels 0 to 3
                                and 8 to 11, then of the others */
};

_Static_assert(sizeof(struct color_table) <= UINT16_MAX * sizeof(uint64_t),
               "places of colors fit in 16 bits");

static inline __m256i each(unsigned number)
{
    return _mm256_set1_epi16((short)number);
}

static inline __m256i load(const void *from)
{
    return _mm256_loadu_si256(from);
}

static inline void put(void *to, __m256i numbers)
{
    _mm256_storeu_si256(to, numbers);
}

/* Loads 16 bytes for each half, which has eight pixels. */
static inline __m256i halves(const uint8_t *light)
{
    return _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128((const void *)light)),
        _mm_loadu_si128((const void *)(light + 24)), 1);
}

/* Samples of a channel, in 1/65535. The last three pixels of a half come from
 * `late`, 8 bytes after `early`. */
static inline __m256i channel(__m256i early, __m256i late, int i)
{
    const __m256i order =
        _mm256_setr_epi16(0, 0x303, 0x606, 0x909, 0xc0c, 0xf0f, 0x1212, 0x1515,
                          0, 0x303, 0x606, 0x909, 0xc0c, 0xf0f, 0x1212, 0x1515);
    const __m256i here = _mm256_add_epi8(order, _mm256_set1_epi8((char)i));
    const __m256i there = _mm256_sub_epi8(here, _mm256_set1_epi8(8));

    return _mm256_blend_epi16(_mm256_shuffle_epi8(early, here),
                              _mm256_shuffle_epi8(late, there), 0xe0);
}

/* Cells before a sample, and its share of the next color. */
static inline __m256i split(__m256i sample, __m256i *cell)
{
    /* 65536 * cell + low is 65535 * cell + rest. */
    const __m256i low = _mm256_mullo_epi16(sample, each(CELLS));

    *cell = _mm256_mulhi_epu16(sample, each(CELLS));
    const __m256i rest = _mm256_add_epi16(low, *cell);

    /* (rest + 128) / 256, in 16 bits. */
    return _mm256_srli_epi16(_mm256_avg_epu16(rest, each(127)), 7);
}

/* The step of the channel with this share; of any, if some have the same. */
static inline __m256i step(__m256i share, __m256i red, __m256i green)
{
    return _mm256_blendv_epi8(
        _mm256_blendv_epi8(each(STEP_BLUE), each(STEP_GREEN),
                           _mm256_cmpeq_epi16(share, green)),
        each(STEP_RED), _mm256_cmpeq_epi16(share, red));
}

/* Finds the corners of sixteen pixels. */
static inline void find(const uint8_t *light, struct corners *corners)
{
    const __m256i early = halves(light), late = halves(light + 8);
    __m256i red, green, blue;
    const __m256i r = split(channel(early, late, 0), &red);
    const __m256i g = split(channel(early, late, 1), &green);
    const __m256i b = split(channel(early, late, 2), &blue);
    const __m256i most = _mm256_max_epi16(r, _mm256_max_epi16(g, b));
    const __m256i least = _mm256_min_epi16(r, _mm256_min_epi16(g, b));
    const __m256i middle =
        _mm256_sub_epi16(_mm256_add_epi16(r, _mm256_add_epi16(g, b)),
                         _mm256_add_epi16(most, least));
    const __m256i first = _mm256_add_epi16(
        _mm256_add_epi16(_mm256_mullo_epi16(red, each(STEP_RED)),
                         _mm256_mullo_epi16(green, each(STEP_GREEN))),
        blue);
    const __m256i last = _mm256_add_epi16(first, each(STEP_ALL));
    const __m256i x = _mm256_sub_epi16(each(256), most),
                  y = _mm256_sub_epi16(most, middle),
                  z = _mm256_sub_epi16(middle, least);

    put(corners->at[0], first);
    put(corners->at[1], _mm256_add_epi16(first, step(most, r, g)));
    put(corners->at[2], _mm256_sub_epi16(last, step(least, r, g)));
    put(corners->share[0][0], _mm256_unpacklo_epi16(x, y));
    put(corners->share[0][1], _mm256_unpackhi_epi16(x, y));
    put(corners->share[1][0], _mm256_unpacklo_epi16(z, least));
    put(corners->share[1][1], _mm256_unpackhi_epi16(z, least));
}

/* Loads the color at a corner of pixels i and i + 8, each in its half. */
static inline __m256i corner(const int16_t (*node)[COLOR_TABLE_INKS],
                             const uint16_t at[PIXELS], int i)
{
    const __m128i low = _mm_loadl_epi64((const void *)node[at[i]]);
    const __m128i high = _mm_loadl_epi64((const void *)node[at[i + 8]]);

    return _mm256_blend_epi32(_mm256_castsi128_si256(low),
                              _mm256_broadcastq_epi64(high), 0xf0);
}

/* Mixes two corners of pixels i and i + 8. */
static inline __m256i mix(__m256i a, __m256i b, const uint32_t share[2][8],
                          int i)
{
    const __m256i order = _mm256_set1_epi32(0x3020100 + 0x4040404 * (i % 4));
    const __m256i shares = _mm256_shuffle_epi8(load(share[i / 4]), order);

    return _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), shares);
}

/* The inks of pixels i and i + 8, 32 bits each. */
static inline __m256i inks_of(const struct color_table *table,
                              const struct corners *c, int i)
{
    const __m256i sum = _mm256_add_epi32(
        mix(corner(table->node, c->at[0], i), corner(table->node, c->at[1], i),
            c->share[0], i),
        mix(corner(table->node, c->at[2], i),
            corner(table->node + STEP_ALL, c->at[0], i), c->share[1], i));

    return _mm256_srli_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(BIAS)),
                             16);
}

/* The inks of pixels i to i + 3 and i + 8 to i + 11, with i a constant. */
static inline __attribute__((always_inline)) __m256i
eight(const struct color_table *table, const struct corners *corners, int i)
{
    return _mm256_packus_epi16(
        _mm256_packus_epi32(inks_of(table, corners, i),
                            inks_of(table, corners, i + 1)),
        _mm256_packus_epi32(inks_of(table, corners, i + 2),
                            inks_of(table, corners, i + 3)));
}

static void separate(const struct color_table *table,
                     const struct corners *corners, uint8_t *inks)
{
    const __m256i a = eight(table, corners, 0), b = eight(table, corners, 4);

    put(inks, _mm256_permute2x128_si256(a, b, 0x20));
    put(inks + 32, _mm256_permute2x128_si256(a, b, 0x31));
}

/* Whether sixteen pixels are of one color. */
static inline bool are_equal(const uint8_t *light)
{
    const __m256i same =
        _mm256_and_si256(_mm256_cmpeq_epi8(load(light), load(light + 3)),
                         _mm256_cmpeq_epi8(load(light + 13), load(light + 16)));

    return _mm256_movemask_epi8(same) == -1;
}

/* Pages are paper for the most part: a color that goes on is kept. Other pixels
 * wait until the corners of the next ones are found: by then their own are in
 * memory, and the processor can load colors without waiting. */
void color_table_line_avx2(const struct color_table *table,
                           const uint8_t *light, uint32_t width, uint8_t *inks)
{
    uint8_t color[3] = {255, 255, 255}, row[32];
    __m256i kept = _mm256_setzero_si256();
    uint8_t *waiting = NULL;
    struct corners corners[2];
    unsigned next = 0;

    for (; width >= PIXELS; width -= PIXELS, light += 48, inks += 64) {
        if (are_equal(light)) {
            if (memcmp(light, color, 3) != 0) {
                memcpy(color, light, 3);
                color_table_line_plain(table, light, 8, row);
                kept = load(row);
            }
            put(inks, kept);
            put(inks + 32, kept);
            continue;
        }
        find(light, &corners[next]);
        next ^= 1;
        if (waiting != NULL)
            separate(table, &corners[next], waiting);
        waiting = inks;
    }
    if (waiting != NULL)
        separate(table, &corners[next ^ 1], waiting);
    color_table_line_plain(table, light, width, inks);
}

#else

void color_table_line_avx2(const struct color_table *table,
                           const uint8_t *light, uint32_t width, uint8_t *inks)
{
    color_table_line_plain(table, light, width, inks);
}

#endif
