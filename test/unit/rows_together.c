/*
 * rows_together.c - inks as one picture: rows worked by hand from
 * doc/dev/halftone.md "Inks together".
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
#include "test/unit/engine_rows.h"

enum { MOST = 48, TONED = 32768, LIGHT = 8192, SOLID = 65535 };
enum { FIRST = 16387, LAST = 16384 }; /* a = 4097, 4096 */

/* Toned is a = 8192, light a = 2048. With these errors inherited a toned pixel
 * has a dot, or none, whatever is pushed here. */
enum { DOT = 8000, NO_DOT = -8000 };

/* Each of four inks absorbs half, and they meet fully from the first tone. */
static const ht_rules_t halves = {.together = true,
                                  .from = 0,
                                  .steps = HT_MAX_STEPS,
                                  .light = {0.5, 0.5, 0.5, 0.5}};

/* The lines of a state, or of a row of samples of 16 bits. */
static int16_t *error_of(const struct checked_page *t, int16_t *state,
                         uint32_t ink)
{
    return state + (size_t)ink * t->page.width; /* E */
}

static int16_t *company_of(const struct checked_page *t, int16_t *state,
                           uint32_t ink)
{
    return error_of(t, state, t->page.inks + ink - 1); /* V, but of ink 0 */
}

static int16_t *light_of(const struct checked_page *t, int16_t *state)
{
    return error_of(t, state, 2 * t->page.inks - 1); /* U */
}

static uint16_t *samples_of(const struct checked_page *t, uint32_t ink)
{
    return (uint16_t *)(void *)t->samples + (size_t)ink * t->page.width;
}

/* A row of toned pixels without dots, and nothing else inherited. Thresholds
 * are 1/2, so that the pattern does not matter, and weights send all of an
 * error straight down. Row 0 runs to the right, row 4 to the left. */
static void plain_row(struct checked_page *t, uint32_t width, uint32_t inks,
                      const ht_rules_t *rules, uint64_t number)
{
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5,
                               .t_lower = 0.5,
                               .weight = {0.00004, 0, 0, 0.99996},
                               .column = {1, 1, -1, 0}};
    assert_int_equal(ht_table_new(&t->table, tones, NULL, rules), HT_OK);
    t->page = (ht_page_t){.method = HT_TDFED4,
                          .table = t->table,
                          .width = width,
                          .inks = inks,
                          .bits = 16,
                          .band = 1};
    t->rows = 1;
    t->first = number;
    fill(t, NOISE);
    begin_state(t, 0);
    for (size_t i = 0; i < (size_t)inks * width; i++) {
        samples_of(t, 0)[i] = TONED;
        t->state[i] = NO_DOT;
    }
}

static void set_error(struct checked_page *t, uint32_t ink, uint32_t x,
                      int error)
{
    error_of(t, t->state, ink)[x] = (int16_t)error;
}

static bool has_dot(const struct checked_page *t,
                    const struct engine_result *left, uint32_t ink, uint32_t x)
{
    return count_dots(&t->page, left->dots, ink, 0, 1, x, x + 1) == 1;
}

static void check_line(const char *what, const int16_t *got, const int *wanted,
                       uint32_t width)
{
    for (uint32_t x = 0; x < width; x++)
        if (got[x] != wanted[x])
            fail_msg("%s of column %u: %d instead of %d", what, x, got[x],
                     wanted[x]);
}

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
static void make_two_inks(struct checked_page *t, uint32_t i)
{
    bool mirrored = i % 2;

    plain_row(t, 3, 2, &halves, 4 * i);
    set_error(t, 0, 1, DOT);
    set_error(t, 1, 1, DOT);
    set_error(t, 1, mirrored ? 2 : 0, DOT);
}

static void check_two_inks(const struct checked_page *t, uint32_t i,
                           const struct engine_result *left)
{
    static const int company[] = {2304, -864, -540, -864, 2304};
    static const int light[] = {-512 - 2560, -2560 + 3584, 3584, -2560 + 3584,
                                -512 - 2560};
    int from = i % 2 ? 2 : 0;

    assert_int_equal(left->dots[0], 0x40);
    assert_int_equal(left->dots[1], from ? 0x60 : 0xc0);
    check_line("the company", company_of(t, left->state, 1), company + from, 3);
    check_line("the light", light_of(t, left->state), light + from, 3);
}

/*
 * make_two_inks() with light of 2000 at x 1:
 *   ink 0: q = 8192, push = -2 R(2 q, 2000) = -2000
 *   ink 1: q = 4096, where ink 0 has a dot; push = 2 (R(-6144, 3840) -
 *          R(8192, 2000)) = 2 (-720 - 500) = -2440
 */
static void make_pushed(struct checked_page *t, uint32_t i)
{
    static const int push[] = {-2000, -2440};

    plain_row(t, 3, 2, &halves, 0);
    set_error(t, 0, 1, DOT);
    set_error(t, 1, 0, DOT);
    light_of(t, t->state)[1] = 2000;
    set_error(t, i / 2, 1, push[i / 2] - (int)(i % 2));
}

static void check_pushed(const struct checked_page *t, uint32_t i,
                         const struct engine_result *left)
{
    assert_int_equal(has_dot(t, left, i / 2, 1), i % 2 == 0);
}

/*
 * Ink 1 is white at x 1 and solid at x 3. It inherits company of 800 everywhere
 * and has no dot where it is toned: 300 stay, 500 go on and are dropped at the
 * next pixel. Where both inks are toned m = 16384 - 9216; elsewhere no light is
 * given on.
 */
static void make_untoned(struct checked_page *t, uint32_t i)
{
    (void)i;
    plain_row(t, 5, 2, &halves, 0);
    samples_of(t, 1)[1] = 0;
    samples_of(t, 1)[3] = SOLID;
    for (int x = 0; x < 5; x++)
        company_of(t, t->state, 1)[x] = 800;
}

static void check_untoned(const struct checked_page *t, uint32_t i,
                          const struct engine_result *left)
{
    static const int company[] = {300, 0, 300, 0, 300};
    static const int light[] = {3584, 3584, 3584, 3584, 3584};

    (void)i;
    check_line("the company", company_of(t, left->state, 1), company, 5);
    check_line("the light", light_of(t, left->state), light, 5);
}

/*
 * Over solid ink 0, L = M = 8192. Ink 1 has the company that it should have, s
 * = 8192 - 8192, and no push from it; its dot changes nothing, and 3/8 of 1600
 * stay. M = 6144, so ink 2 wants 10240, and without a dot of ink 1 it finds
 * 8192: s = 3072, of which with a dot 1152 stay.
 */
static void make_over_solid(struct checked_page *t, uint32_t i)
{
    plain_row(t, 1, 3, &halves, 0);
    samples_of(t, 0)[0] = SOLID;
    set_error(t, 0, 0, 0);
    set_error(t, 1 + i, 0, DOT);
    company_of(t, t->state, 1)[0] = 1600;
}

static void check_over_solid(const struct checked_page *t, uint32_t i,
                             const struct engine_result *left)
{
    assert_int_equal(company_of(t, left->state, 1)[0], 600);
    if (i == 1)
        assert_int_equal(company_of(t, left->state, 2)[0], 1152);
}

/*
 * Inks meet from tone 1/4 on and fully 2^-steps later: of ink 1, which has a
 * dot, s is 3/2 of what ink 0, which has none, should absorb, and 3/8 of that
 * stay. The darker of the two says how much: toned is 1/4 above, light below,
 * and FIRST the first tone above, where A is 4.
 */
static const struct {
    uint16_t first, second; /* samples */
    int steps, company;
} meetings[] = {{TONED, TONED, 0, 576},  {TONED, TONED, 1, 1152},
                {TONED, TONED, 2, 2304}, {TONED, TONED, 5, 2304},
                {TONED, LIGHT, 0, 576},  {TONED, LIGHT, 5, 2304},
                {LIGHT, TONED, 1, 288},  {LIGHT, LIGHT, 5, 0},
                {FIRST, FIRST, 5, 2},    {LAST, LAST, 5, 0}};

static void make_meeting(struct checked_page *t, uint32_t i)
{
    ht_rules_t rules = halves;

    rules.from = 0.25;
    rules.steps = meetings[i].steps;
    plain_row(t, 1, 2, &rules, 0);
    samples_of(t, 0)[0] = meetings[i].first;
    samples_of(t, 1)[0] = meetings[i].second;
    set_error(t, 1, 0, 15000);
}

static void check_meeting(const struct checked_page *t, uint32_t i,
                          const struct engine_result *left)
{
    assert_true(has_dot(t, left, 1, 0));
    assert_int_equal(company_of(t, left->state, 1)[0], meetings[i].company);
}

/* Sets the first cut of the row from column `least` on. */
static uint32_t cut_of(const struct checked_page *t, uint32_t least)
{
    struct ht_scan scan = {
        .width = t->page.width, .swath = 4, .segment = t->page.segment};
    struct ht_place place;
    uint64_t cut = 0;

    ht_place_first(&scan, &place);
    while (place.row < HT_PREROLL + t->first)
        ht_place_next(&scan, &place);
    for (uint32_t number = 0; cut < least; number++)
        cut = ht_cut(t->page.segment, place.shift,
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
static void make_cut(struct checked_page *t, uint32_t i)
{
    bool left = i / 2, before = i % 2;

    plain_row(t, MOST, 2, &halves, left ? 4 : 0);
    t->page.segment = 16;
    uint32_t cut = cut_of(t, 8);
    company_of(t, t->state, 1)[left ? cut + before : cut - 1 - before] = 4800;
}

static void check_cut(const struct checked_page *t, uint32_t i,
                      const struct engine_result *left)
{
    const int16_t *light = light_of(t, left->state);
    uint32_t cut = cut_of(t, 8), before = i % 2;
    uint32_t last = i / 2 ? cut : cut - 1;
    int company[MOST] = {0};

    if (before)
        company[last] = 1125;
    company[i / 2 ? last + before : last - before] = 1800;
    check_line("the company", company_of(t, left->state, 1), company, MOST);
    assert_int_equal(light[last], 3584);
    assert_int_equal(light[i / 2 ? cut - 1 : cut], 7168);
    assert_int_equal(light[i / 2 ? last + 1 : last - 1], 7168);
}

const struct engine_row together_rows[] = {
    {"two inks worked by hand", 4, 1, make_two_inks, check_two_inks},
    {"company and light push", 4, 1, make_pushed, check_pushed},
    {"what is not toned keeps none", 1, 1, make_untoned, check_untoned},
    {"solid ink is company", 2, 1, make_over_solid, check_over_solid},
    {"inks meet from a tone on", sizeof meetings / sizeof meetings[0], 1,
     make_meeting, check_meeting},
    {"what leaves a segment is lost", 4, 1, make_cut, check_cut},
    {0}};
