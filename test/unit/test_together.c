/*
 * test_together.c - inks as one picture: the lines of a state, and the ranges
 * of doc/dev/halftone.md "Sixteen bits are enough" under the most hostile
 * rules.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "halftone/together.h"
#include "test/cases.h"
#include "test/unit/pages.h"

/* E of each ink, V of each but the first, and U, where inks have rules. */
TEST(the_state_has_a_line_of_company_an_ink)
{
    for (int method = HT_TDFED4; method < HT_METHODS; method++)
        for (uint32_t inks = 1; inks <= HT_MAX_INKS; inks++) {
            ht_page_t page = {.method = (ht_method_t)method,
                              .width = 9,
                              .inks = inks,
                              .bits = 8,
                              .band = 1};
            bool meet = inks > 1 && ht_method_info(page.method)->diffuses;

            case_is("%s, %u inks", ht_method_info(page.method)->choice, inks);
            for (const char *const *name = ht_engine_names(); *name; name++) {
                ht_engine_t *engine = NULL;

                if (!engine_can_do(*name, &page))
                    continue;
                assert_int_equal(ht_engine_open(&engine, *name, &page), HT_OK);
                assert_int_equal(ht_engine_state_lines(engine),
                                 meet ? 2 * inks : inks);
                ht_engine_close(engine);
            }
        }
}

/* ---- Sixteen bits are enough --------------------------------------------- */

enum { SUMS = 24 }; /* columns */

/* Which dots an ink gets at a pixel: what makes `v` grow or fall, or any. */
static bool choose_dot(unsigned kind, const struct ht_encounter *found,
                       uint64_t *seed)
{
    if (kind == 0)
        return found->welcome > 0;
    if (kind == 1)
        return found->welcome < 0;
    return random_below(seed, 2) == 0;
}

static void check_size(const char *what, int32_t value, int32_t most)
{
    if (value < -most || value > most)
        fail_msg("%s is %d, beyond %d", what, value, most);
}

/* Fails unless what an ink finds, and leaves, at a pixel is in its range. */
static void check_ranges(const struct ht_together *row, uint32_t ink,
                         uint32_t x, const struct ht_encounter *found,
                         int32_t left)
{
    const int one = HT_ONE;

    assert_between(row->reflected[x], 0, one);
    assert_between(row->wanted[x], 0, one);
    assert_between(2 * found->absorbed, 0, 32736);
    assert_between(found->should, 0, one);
    check_size("s", found->welcome, 3 * one / 2);
    check_size("v", found->company, one - 1);
    check_size("push", found->push, 7 * one / 2);
    check_size("left", left, 10239);
    if (ink > 0)
        check_size("V", row->company[(ink - 1) * row->width + x], 6144);
}

/* Diffuses company and light through the pixels of a row of any tones, in one
 * segment that runs to the right; the dots are of a kind. */
static void diffuse_sums(struct ht_together *row, unsigned kind, uint64_t *seed)
{
    ht_together_begin(row);
    for (uint32_t ink = 0; ink < row->inks; ink++) {
        int32_t left = 0;

        for (uint32_t x = 0; x < row->width; x++) {
            uint8_t level = (uint8_t)random_below(seed, 256);

            if (random_below(seed, 3) == 0)
                level =
                    (const uint8_t[]){1, 254, 0, 255}[random_below(seed, 4)];
            int16_t tone = (int16_t)ht_tone_of(level, 255);
            struct ht_encounter found =
                ht_together_meet(row, ink, x, tone, level, left);
            bool dot =
                ht_toned(level) ? choose_dot(kind, &found, seed) : level == 255;

            left = ht_together_part(row, ink, x, dot, &found);
            check_ranges(row, ink, x, &found, left);
        }
    }
    for (uint32_t x = 0; x < row->width; x++)
        ht_together_shine(row, x, x - 1, x == 0);
    ht_together_end(row);
    for (uint32_t x = 0; x < row->width; x++)
        check_size("U", row->light[x], HT_ONE - 1);
}

/* Inks that meet from the first tone on and absorb nearly all light, or half,
 * or nothing. */
TEST(sums_of_inks_together_stay_in_their_ranges)
{
    static const int16_t absorbed[] = {32735, 16384, 0};
    uint64_t seed = 3;

    for (uint32_t inks = 2; inks <= HT_MAX_INKS; inks++)
        for (unsigned kind = 0; kind < 9; kind++) {
            struct ht_meeting_rules rules = {.from = 0, .steps = HT_MAX_STEPS};
            int16_t company[(HT_MAX_INKS - 1) * SUMS] = {0}, light[SUMS] = {0};
            struct ht_together row;

            case_is("%u inks, kind %u", inks, kind);
            for (unsigned i = 0; i < HT_LIGHTS; i++)
                rules.absorbed[i] = absorbed[(kind / 3 + i * (kind % 2)) % 3];
            assert_true(
                ht_together_init(&row, &rules, inks, SUMS, company, light));
            for (int y = 0; y < 200; y++)
                diffuse_sums(&row, kind % 3, &seed);
            ht_together_free(&row);
        }
}
