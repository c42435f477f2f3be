/*
 * test_sharpen.c - ht_sharpen() gives what doc/dev/halftone.md, "Sharpness",
 * says, of every width and with every instruction set, and flat areas, paper
 * and solid ink stay.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/halftone.h"
#include "halftone/sharpen.h"
#include "test/cases.h"
#include "test/unit/pages.h"

enum { WIDEST = 150, ROWS = 5 };

static const int16_t strength[] = {0, 4, 7, 10};

static uint32_t full_of(uint32_t bits)
{
    return bits == 8 ? UINT8_MAX : UINT16_MAX;
}

static uint32_t sample_at(const void *row, uint32_t bits, int64_t x)
{
    return bits == 8 ? ((const uint8_t *)row)[x] : ((const uint16_t *)row)[x];
}

/* A page [ROWS][width] and what becomes of it; free() both. */
struct sharpened {
    uint32_t bits, width, sharpness;
    uint8_t *before, *after;
};

/* A kernel gives what ht_sharpen() gave. */
static void check_kernel(const struct sharpened *page, const char *name,
                         void (*kernel)(const void *, const void *,
                                        const void *, uint32_t, uint32_t,
                                        int16_t, void *))
{
    size_t row = (size_t)page->width * (page->bits / 8);
    uint8_t *after = poisoned(ROWS * row);

    for (size_t y = 0; y < ROWS; y++) {
        const uint8_t *middle = page->before + y * row;

        kernel(y > 0 ? middle - row : middle, middle,
               y + 1 < ROWS ? middle + row : middle, page->bits, page->width,
               strength[page->sharpness], after + y * row);
    }
    check_guard(after, ROWS * row);
    for (size_t i = 0; i < ROWS * row; i++)
        if (after[i] != page->after[i])
            fail_msg("%s: byte %zu", name, i);
    free(after);
}

static struct sharpened sharpen(uint32_t bits, uint32_t width,
                                uint32_t sharpness, uint8_t *before)
{
    size_t row = (size_t)width * (bits / 8);
    struct sharpened page = {bits, width, sharpness, before,
                             poisoned(ROWS * row)};

    for (size_t y = 0; y < ROWS; y++)
        ht_sharpen(y > 0 ? before + (y - 1) * row : NULL, before + y * row,
                   y + 1 < ROWS ? before + (y + 1) * row : NULL, bits, width,
                   sharpness, page.after + y * row);
    check_guard(page.after, ROWS * row);
#define TRY(set, text, runs_here)                                              \
    if (runs_here)                                                             \
        check_kernel(&page, text, ht_sharpen_##set);
    HT_SETS(TRY)
    return page;
}

/* A sample before; outside the page, that of `y`, `x`. */
static int64_t near_by(const struct sharpened *page, int64_t y, int64_t x,
                       int down, int right)
{
    int64_t v = y + down, u = x + right;

    if (v < 0 || v >= ROWS || u < 0 || u >= page->width) {
        v = y;
        u = x;
    }
    return sample_at(page->before, page->bits, v * page->width + u);
}

/* v' as the text has it, divisions rounded down by hand. */
static int64_t wanted(const struct sharpened *page, int64_t y, int64_t x)
{
    static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    const int64_t full = full_of(page->bits), v = near_by(page, y, x, 0, 0);
    int64_t sum = 0, change;

    if (v == 0 || v == full)
        return v;
    for (int i = 0; i < 4; i++) {
        int64_t n = near_by(page, y, x, sides[i][0], sides[i][1]);

        if (n > 0 && n < full)
            sum += v - n;
    }
    change = strength[page->sharpness] * sum + 32;
    change = change >= 0 ? change / 64 : -((63 - change) / 64);
    return v + change < 1 ? 1 : v + change > full - 1 ? full - 1 : v + change;
}

static void check(const struct sharpened *page)
{
    for (int64_t i = 0; i < ROWS * (int64_t)page->width; i++)
        if (sample_at(page->after, page->bits, i) !=
            wanted(page, i / page->width, i % page->width))
            fail_msg("row %d, column %d: %u becomes %u, not %d",
                     (int)(i / page->width), (int)(i % page->width),
                     sample_at(page->before, page->bits, i),
                     sample_at(page->after, page->bits, i),
                     (int)wanted(page, i / page->width, i % page->width));
}

TEST(every_width_is_sharpened_as_the_text_says)
{
    for (uint32_t bits = 8; bits <= 16; bits += 8)
        for (uint32_t sharpness = 0; sharpness <= HT_MAX_SHARPNESS; sharpness++)
            for (uint32_t width = 1; width <= WIDEST; width++)
                for (int content = 0; content < CONTENTS; content++) {
                    case_is("%u bits, sharpness %u, width %u, content %d", bits,
                            sharpness, width, content);
                    struct sharpened page =
                        sharpen(bits, width, sharpness,
                                make_samples((enum content)content, width, ROWS,
                                             1, bits, width));
                    check(&page);
                    free(page.before);
                    free(page.after);
                }
}

/* Checkerboards of all pairs of 8 bits, and of the extremes of 16, have the
 * largest sums. */
TEST(the_largest_differences_stay_in_range)
{
    static const uint32_t deep[] = {0, 1, 2, 32767, 32768, 65533, 65534, 65535};

    for (uint32_t bits = 8; bits <= 16; bits += 8)
        for (uint32_t i = 0; i < (bits == 8 ? 256u * 256 : 64u); i++) {
            uint32_t dark = bits == 8 ? i / 256 : deep[i / 8];
            uint32_t light = bits == 8 ? i % 256 : deep[i % 8];
            uint16_t *samples = malloc(ROWS * WIDEST * sizeof *samples);

            case_is("%u bits, %u and %u", bits, dark, light);
            assert_non_null(samples);
            for (size_t at = 0; at < ROWS * WIDEST; at++) {
                uint32_t v = (at / WIDEST + at) % 2 ? dark : light;

                if (bits == 8)
                    ((uint8_t *)samples)[at] = (uint8_t)v;
                else
                    samples[at] = (uint16_t)v;
            }
            struct sharpened page =
                sharpen(bits, WIDEST, HT_MAX_SHARPNESS, (uint8_t *)samples);
            check(&page);
            free(page.before);
            free(page.after);
        }
}

TEST(paper_solids_and_flat_areas_stay)
{
    for (uint32_t bits = 8; bits <= 16; bits += 8)
        for (uint32_t sharpness = 0; sharpness <= HT_MAX_SHARPNESS; sharpness++)
            for (uint32_t tone = 0; tone <= UINT8_MAX; tone++) {
                /* Left of it is paper, right of it is solid ink. */
                size_t count = ROWS * WIDEST;
                uint16_t *samples = malloc(count * sizeof *samples);

                case_is("%u bits, sharpness %u, tone %u", bits, sharpness,
                        tone);
                assert_non_null(samples);
                for (size_t at = 0; at < count; at++) {
                    size_t x = at % WIDEST;
                    uint32_t v = x < 20 ? 0 : x < 50 ? tone : UINT8_MAX;

                    if (bits == 8)
                        ((uint8_t *)samples)[at] = (uint8_t)v;
                    else
                        samples[at] = (uint16_t)(v * 257);
                }
                struct sharpened page =
                    sharpen(bits, WIDEST, sharpness, (uint8_t *)samples);
                assert_memory_equal(page.before, page.after,
                                    count * (bits / 8));
                free(page.before);
                free(page.after);
            }
}
