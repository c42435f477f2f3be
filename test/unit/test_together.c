/*
 * test_together.c - inks as one picture: rows worked by hand from
 * doc/dev/halftone.md "Inks together", by every engine, and the ranges of
 * "Sixteen bits are enough" under the most hostile rules.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "halftone/definition.h"
#include "halftone/together.h"
#include "test/unit/between.h"
#include "test/cases.h"
#include "test/unit/pages.h"

/* ---- A row between two states ------------------------------------------ */

enum { MOST = 48, INKS = 3, TONED = 32768, LIGHT = 8192, SOLID = 65535 };
enum { FIRST = 16387, LAST = 16384 }; /* a = 4097, 4096 */

/* Toned is a = 8192, light a = 2048. With these errors inherited a toned pixel
 * has a dot, or none, whatever is pushed here. */
enum { DOT = 8000, NO_DOT = -8000 };

/* What a row inherits, or leaves, and its samples. */
struct together_row {
    uint32_t width, inks, segment;
    uint64_t number; /* 0 runs to the right, 4 to the left */
    uint16_t sample[INKS][MOST];
    int16_t error[INKS][MOST];   /* E */
    int16_t company[INKS][MOST]; /* V; the first ink has none */
    int16_t light[MOST];         /* U */
    uint8_t dots[INKS][(MOST + 7) / 8];
};

/* Each of four inks absorbs half, and they meet fully from the first tone. */
static const ht_rules_t halves = {.together = true,
                                  .from = 0,
                                  .steps = HT_MAX_STEPS,
                                  .light = {0.5, 0.5, 0.5, 0.5}};

/* Thresholds of 1/2, so that the pattern does not matter, and weights that send
 * all of an error straight down. */
static ht_table_t *table_with(const ht_rules_t *rules)
{
    ht_tone_t tones[HT_TONES];
    ht_table_t *table = NULL;

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5,
                               .t_lower = 0.5,
                               .weight = {0.00004, 0, 0, 0.99996},
                               .column = {1, 1, -1, 0}};
    assert_int_equal(ht_table_new(&table, tones, NULL, rules), HT_OK);
    return table;
}

/* A row of toned pixels without dots, and nothing else inherited. */
static struct together_row plain_row(uint32_t width, uint32_t inks)
{
    struct together_row row = {.width = width, .inks = inks};

    for (uint32_t ink = 0; ink < inks; ink++)
        for (uint32_t x = 0; x < width; x++) {
            row.sample[ink][x] = TONED;
            row.error[ink][x] = NO_DOT;
        }
    return row;
}

/* Copies the lines of a state, E, V and U, to or from a row. */
static void copy_state(struct together_row *row, int16_t *state, bool to_state)
{
    for (uint32_t line = 0; line < 2 * row->inks; line++) {
        int16_t *at = state + (size_t)line * row->width;
        int16_t *of_row = line < row->inks ? row->error[line]
                          : line + 1 < 2 * row->inks
                              ? row->company[line - row->inks + 1]
                              : row->light;
        size_t bytes = row->width * sizeof *at;

        memcpy(to_state ? at : of_row, to_state ? of_row : at, bytes);
    }
}

/* Halftones the row, and returns what it leaves; false if the engine does not
 * do such pages here. */
static bool run(const char *engine_name, const ht_rules_t *rules,
                const struct together_row *row, struct together_row *left)
{
    ht_table_t *table = table_with(rules);
    ht_page_t page = {.method = HT_TDFED4,
                      .table = table,
                      .width = row->width,
                      .inks = row->inks,
                      .bits = 16,
                      .segment = row->segment,
                      .band = 1};
    bool able = engine_can_do(engine_name, &page);
    int16_t state[2 * INKS * MOST];
    uint16_t samples[INKS * MOST];
    uint8_t dots[INKS * ((MOST + 7) / 8)];
    size_t plane = (row->width + 7) / 8;
    ht_engine_t *engine = NULL;
    uint64_t number;

    *left = *row;
    if (able) {
        copy_state(left, state, true);
        for (uint32_t ink = 0; ink < row->inks; ink++)
            memcpy(samples + (size_t)ink * row->width, row->sample[ink],
                   row->width * sizeof *samples);
        assert_int_equal(ht_engine_open(&engine, engine_name, &page), HT_OK);
        assert_int_equal(ht_engine_state_lines(engine), 2 * row->inks);
        assert_int_equal(ht_engine_give_state(engine, row->number, state),
                         HT_OK);
        assert_int_equal(ht_engine_submit(engine, samples, NULL, 1), HT_OK);
        assert_int_equal(ht_engine_end(engine), HT_OK);
        assert_int_equal(ht_engine_collect(engine, dots, 1), HT_OK);
        assert_int_equal(ht_engine_take_state(engine, &number, state), HT_OK);
        ht_engine_close(engine);
        copy_state(left, state, false);
        for (uint32_t ink = 0; ink < row->inks; ink++)
            memcpy(left->dots[ink], dots + ink * plane, plane);
    }
    ht_table_free(table);
    return able;
}

#define EACH_ENGINE(name)                                                      \
    for (const char *const *name = ht_engine_names(); *name; name++)

static bool has_dot(const struct together_row *row, uint32_t ink, uint32_t x)
{
    return row->dots[ink][x / 8] >> (7 - x % 8) & 1;
}

static void check_line(const char *what, const int16_t *got, const int *wanted,
                       uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        if (got[x] != wanted[x])
            fail_msg("%s of column %u: %d instead of %d", what, x, got[x],
                     wanted[x]);
}

/* ---- Worked by hand ----------------------------------------------------- */

/*
 * Ink 0 has a dot at x 1, ink 1 at x 0 and 1. Of half a dot of ink 0 everywhere
 * A is 4096 of the light at ink 1, M 12288 and then 9216.
 *   x 0: s = 3/2 4096 = 6144. Dot: v = 6144, of which 3840 go on
 *   x 1: s = 3/2 (4096 - 8192) = -6144, v = 3840. Dot: v = -2304, -1440 go on
 *   x 2: s = 6144, v = -1440. No dot: -900 go on, which are lost
 * Light: m = 8192 - 9216 at x 0, 4096 - 9216 at x 1, 16384 - 9216 at x 2, half
 * of it to the column before, of which that of x 0 is lost.
 * A row to the left over the same, mirrored, leaves the same, mirrored; and in
 * any swath inks come in the same order.
 */
static void a_row_of_two_inks_worked_by_hand(void **state)
{
    static const int company[] = {2304, -864, -540};
    static const int light[] = {-512 - 2560, -2560 + 3584, 3584};
    static const uint64_t rows[] = {0, 4, 8, 12};
    struct together_row row = plain_row(3, 2), left;

    (void)state;
    for (int i = 0; i < 4; i++)
        EACH_ENGINE(name)
        {
            bool mirrored = i % 2;
            int wanted[2][3];

            case_is("%s, row %d", *name, (int)rows[i]);
            row.number = rows[i];
            row.error[0][1] = DOT;
            row.error[1][1] = DOT;
            row.error[1][mirrored ? 2 : 0] = DOT;
            row.error[1][mirrored ? 0 : 2] = NO_DOT;
            for (int x = 0; x < 3; x++) {
                wanted[0][mirrored ? 2 - x : x] = company[x];
                wanted[1][mirrored ? 2 - x : x] = light[x];
            }
            if (!run(*name, &halves, &row, &left))
                continue;
            assert_int_equal(left.dots[0][0], 0x40);
            assert_int_equal(left.dots[1][0], mirrored ? 0x60 : 0xc0);
            check_line("the company", left.company[1], wanted[0], 3);
            check_line("the light", left.light, wanted[1], 3);
        }
}

/*
 * The same with light of 2000 at x 1:
 *   ink 0: q = 8192, push = -2 R(2 q, 2000) = -2000
 *   ink 1: q = 4096, where ink 0 has a dot; push = 2 (R(-6144, 3840) -
 *          R(8192, 2000)) = 2 (-720 - 500) = -2440
 */
static void company_and_light_push_thresholds(void **state)
{
    static const int push[] = {-2000, -2440};
    struct together_row row = plain_row(3, 2), left;

    (void)state;
    row.error[1][0] = DOT;
    row.light[1] = 2000;
    for (uint32_t ink = 0; ink < 2; ink++)
        for (int below = 0; below < 2; below++)
            EACH_ENGINE(name)
            {
                case_is("%s, ink %u, u %s the threshold", *name, ink,
                        below ? "below" : "at");
                row.error[0][1] = DOT;
                row.error[ink][1] = (int16_t)(push[ink] - below);
                if (run(*name, &halves, &row, &left))
                    assert_int_equal(has_dot(&left, ink, 1), !below);
            }
}

/*
 * Ink 1 is white at x 1 and solid at x 3. It inherits company of 800 everywhere
 * and has no dot where it is toned: 300 stay, 500 go on and are dropped at the
 * next pixel. Where both inks are toned m = 16384 - 9216; elsewhere no light is
 * given on.
 */
static void an_ink_that_is_not_toned_keeps_no_company(void **state)
{
    static const int company[] = {300, 0, 300, 0, 300};
    static const int light[] = {3584, 3584, 3584, 3584, 3584};
    struct together_row row = plain_row(5, 2), left;

    (void)state;
    row.sample[1][1] = 0;
    row.sample[1][3] = SOLID;
    for (int x = 0; x < 5; x++)
        row.company[1][x] = 800;
    EACH_ENGINE(name)
    {
        case_is("%s", *name);
        if (!run(*name, &halves, &row, &left))
            continue;
        check_line("the company", left.company[1], company, 5);
        check_line("the light", left.light, light, 5);
    }
}

/*
 * Over solid ink 0, L = M = 8192. Ink 1 has the company that it should have, s
 * = 8192 - 8192, and no push from it; its dot changes nothing, and 3/8 of 1600
 * stay. M = 6144, so ink 2 wants 10240, and without a dot of ink 1 it finds
 * 8192: s = 3072, of which with a dot 1152 stay.
 */
static void solid_ink_is_company(void **state)
{
    struct together_row row = plain_row(1, 3), left;

    (void)state;
    row.sample[0][0] = SOLID;
    row.error[0][0] = 0;
    row.company[1][0] = 1600;
    EACH_ENGINE(name)
    for (int dot = 0; dot < 2; dot++) {
        case_is("%s, ink %d has a dot", *name, 1 + dot);
        row.error[1 + dot][0] = DOT;
        row.error[2 - dot][0] = NO_DOT;
        if (!run(*name, &halves, &row, &left))
            continue;
        assert_int_equal(left.company[1][0], 600);
        if (dot)
            assert_int_equal(left.company[2][0], 1152);
    }
}

/*
 * Inks meet from tone 1/4 on and fully 2^-steps later: of ink 1, which has a
 * dot, s is 3/2 of what ink 0, which has none, should absorb, and 3/8 of that
 * stay. The darker of the two says how much: toned is 1/4 above, light below,
 * and FIRST the first tone above, where A is 4.
 */
static void inks_meet_from_a_tone_on(void **state)
{
    static const struct {
        uint16_t first, second; /* samples */
        int steps, company;
    } cases[] = {{TONED, TONED, 0, 576},  {TONED, TONED, 1, 1152},
                 {TONED, TONED, 2, 2304}, {TONED, TONED, 5, 2304},
                 {TONED, LIGHT, 0, 576},  {TONED, LIGHT, 5, 2304},
                 {LIGHT, TONED, 1, 288},  {LIGHT, LIGHT, 5, 0},
                 {FIRST, FIRST, 5, 2},    {LAST, LAST, 5, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        EACH_ENGINE(name)
        {
            struct together_row row = plain_row(1, 2), left;
            ht_rules_t rules = halves;

            case_is("%s, case %zu", *name, i);
            rules.from = 0.25;
            rules.steps = cases[i].steps;
            row.sample[0][0] = cases[i].first;
            row.sample[1][0] = cases[i].second;
            row.error[1][0] = 15000;
            if (!run(*name, &rules, &row, &left))
                continue;
            assert_true(has_dot(&left, 1, 0));
            assert_int_equal(left.company[1][0], cases[i].company);
        }
}

/* Sets the first cut of the row from column `least` on. */
static uint32_t cut_of(const struct together_row *row, uint32_t least)
{
    struct ht_scan scan = {
        .width = row->width, .swath = 4, .segment = row->segment};
    struct ht_place place;
    uint64_t cut = 0;

    ht_place_first(&scan, &place);
    while (place.row < HT_PREROLL + row->number)
        ht_place_next(&scan, &place);
    for (uint32_t number = 0; cut < least; number++)
        cut = ht_cut(row->segment, place.shift,
                     (uint32_t)ht_swath(&scan, &place), number);
    return (uint32_t)cut;
}

/*
 * Company of 4800 at the last pixel of a segment: 1800 stay, and the 3000 that
 * would go on are lost; from the pixel before it they go on, and of these 1125
 * stay. Light is m = 7168 at every pixel: what the first pixel of a segment
 * gives back is lost, so the last one of the segment before has only its own
 * half.
 */
static void what_would_leave_a_segment_is_lost(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        EACH_ENGINE(name)
    for (uint32_t before = 0; before < 2; before++) {
        struct together_row row = plain_row(MOST, 2), left;
        int company[MOST] = {0};

        row.number = i == 0 ? 0 : 4;
        row.segment = 16;
        uint32_t cut = cut_of(&row, 8);
        uint32_t last = i == 0 ? cut - 1 : cut;
        uint32_t other = i == 0 ? last - before : last + before;
        case_is("%s, to the %s, cut before column %u", *name,
                i == 0 ? "right" : "left", cut);
        row.company[1][other] = 4800;
        company[other] = 1800;
        if (before)
            company[last] = 1125;
        if (!run(*name, &halves, &row, &left))
            continue;
        check_line("the company", left.company[1], company, MOST);
        assert_int_equal(left.light[last], 3584);
        assert_int_equal(left.light[i == 0 ? cut : cut - 1], 7168);
        assert_int_equal(left.light[i == 0 ? last - 1 : last + 1], 7168);
    }
}

/* E of each ink, V of each but the first, and U, where inks have rules. */
static void the_state_has_a_line_of_company_an_ink(void **state)
{
    (void)state;
    for (int method = HT_TDFED4; method < HT_METHODS; method++)
        for (uint32_t inks = 1; inks <= HT_MAX_INKS; inks++) {
            ht_page_t page = {.method = (ht_method_t)method,
                              .width = 9,
                              .inks = inks,
                              .bits = 8,
                              .band = 1};
            bool meet = inks > 1 && ht_method_info(page.method)->diffuses;

            case_is("%s, %u inks", ht_method_info(page.method)->choice, inks);
            EACH_ENGINE(name)
            {
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

            left = ht_together_part(row, ink, x, dot ? HT_ONE : 0, &found);
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
static void sums_of_inks_together_stay_in_their_ranges(void **state)
{
    static const int16_t absorbed[] = {32735, 16384, 0};
    uint64_t seed = 3;

    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cases_test(a_row_of_two_inks_worked_by_hand),
        cases_test(company_and_light_push_thresholds),
        cases_test(an_ink_that_is_not_toned_keeps_no_company),
        cases_test(solid_ink_is_company),
        cases_test(inks_meet_from_a_tone_on),
        cases_test(what_would_leave_a_segment_is_lost),
        cases_test(the_state_has_a_line_of_company_an_ink),
        cases_test(sums_of_inks_together_stay_in_their_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
