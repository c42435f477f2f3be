/*
 * test_shades.c - sets of inks, and tones that are separated into their shades.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/ink.h"
#include "page/ranks.h"
#include "page/shades.h"
#include "test/cases.h"

static struct ink_set set_of(const char *text)
{
    struct ink_set set;

    assert_true(ink_set_parse(&set, text));
    return set;
}

TEST(accepts_sets_of_inks)
{
    static const struct {
        const char *text;
        unsigned count; /* 0 = refused */
    } cases[] = {{"K C M Y", 4},
                 {" Y M\tC K ", 4},
                 {"K LK:35 LLK:14 C LC:33 M LM:33 Y", 8},
                 {"K LK:35 LLK:14 VLK:1 C LC:99 M VLM:20.5 Y O GR", 11},
                 {"K C M Y A B D E F G H I J L N", 15},
                 {"", 0},
                 {"K C M", 0},
                 {"K C M Y Y", 0},
                 {"K C M Y LC", 0},
                 {"K C M Y LC:0", 0},
                 {"K C M Y LC:100", 0},
                 {"K C M Y LC:", 0},
                 {"K:50 C M Y", 0},
                 {"K C M Y O:50", 0},
                 {"K C M Y ABCD", 0},
                 {"K C M Y lc:30", 0},
                 {"K C M Y LC:33%", 0},
                 {"K C M Y A B D E F G H I J L N P", 0},
                 {"K C M Y                                                    "
                  "             O",
                  0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ink_set set;

        case_is("%s", cases[i].text);
        assert_int_equal(ink_set_parse(&set, cases[i].text),
                         cases[i].count > 0);
        if (cases[i].count > 0)
            assert_int_equal(set.count, cases[i].count);
    }
}

TEST(the_four_come_first)
{
    static const uint8_t wanted[] = {0, 3, 5, 7, 1, 2, 4, 6};
    const struct ink_set set = set_of("K LK:35 LLK:14 C LC:33 M LM:33 Y");
    uint8_t order[HT_MAX_INKS];
    ht_lighter_t lighter[HT_MAX_INKS] = {{0}};

    ink_set_order(&set, order);
    assert_memory_equal(order, wanted, sizeof wanted);
    ink_set_lighter(&set, lighter);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(lighter[i].share > 0, i >= 4);
    assert_int_equal(lighter[5].of, 0);
    assert_int_equal(lighter[6].of, 1);
    /* 0.4 of what 14 % with its gain absorbs. */
    assert_int_equal(lighter[5].share, lround(32768 * 0.4 * 0.23632));
}

static double cover_of(double ink)
{
    return ink + 0.8 * ink * (1 - ink);
}

/* No step, all as dark as the tone, and light ink first. */
TEST(all_shades_together_are_the_tone)
{
    static const char *const sets[] = {"K LK:35 LLK:14 C LC:33 M LM:80 Y",
                                       "K VLK:1 LK:99 LLK:2 C M LM:5 Y"};

    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; k++) {
        const struct ink_set set = set_of(sets[k]);
        struct shades shades[SHADES_COLORS];

        shades_of(&set, shades);
        for (unsigned color = 0; color < SHADES_COLORS; color++) {
            const struct shades *s = &shades[color];
            double before[SHADES_MOST] = {0}, ink[SHADES_MOST];

            case_is("%s, color %u", sets[k], color);
            for (int tone = 0; tone <= 100000; tone++) {
                double light = 0, below = 0;

                shades_split(s, tone / 100000.0, ink);
                for (unsigned i = s->count; i-- > 0;) {
                    const double c = cover_of(ink[i]);

                    assert_true(ink[i] >= -1e-9 && ink[i] <= 1 + 1e-9);
                    assert_true(fabs(ink[i] - before[i]) < 0.05);
                    light = s->strength[i] * c * (1 + s->upon[i] * below) +
                            light * (1 - c);
                    below = c;
                    before[i] = ink[i];
                }
                /* With three shades the third may lie below the second, too. */
                assert_true(fabs(light - cover_of(tone / 100000.0)) <
                            (s->count < 3 ? 1e-6 : 0.08));
            }
            assert_true(ink[0] == 1);
            shades_split(s, 0.2 * s->strength[s->count - 1], ink);
            for (unsigned i = 0; i + 1 < s->count; i++)
                assert_true(ink[i] == 0);
        }
    }
}

/* Prepares a page's ink with a set, as a job does. */
static void begin(struct ink *ink, struct ink_settings *settings,
                  struct ink_tables *tables, const struct ink_set *set,
                  uint32_t inks, uint32_t width)
{
    *tables = (struct ink_tables){0};
    settings->set = set;
    assert_true(ink_init(ink, settings, tables, inks, width, 8));
}

/* Returns an ink's tone, which the engine finds by its curve. */
static uint16_t tone_at(const struct ink *ink, const void *row, unsigned k,
                        unsigned x)
{
    assert_true(ink->curved && ht_curve_valid(ink->table[k]));
    return ink->table[k][((const uint8_t *)row)[k * ink->width + x]];
}

TEST(rows_get_the_inks_of_a_set)
{
    enum { WIDTH = 3, INKS = 8 };
    const struct ink_set set = set_of("K LK:35 LLK:14 C LC:33 M LM:33 Y");
    static const uint8_t colored[4 * WIDTH] = {255, 0, 0, 0, 20, 200,
                                               0,   0, 0, 0, 0,  128};
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables;
    uint8_t row[INKS * WIDTH];
    struct ink ink;

    begin(&ink, &settings, &tables, &set, 4, WIDTH);
    assert_int_equal(ink.out_inks, INKS);
    assert_int_equal(ink_row_bytes(&ink), sizeof row);
    memcpy(row, colored, sizeof colored);
    /* K is solid, C is light, then dark with a little light, and Y a half. */
    const uint16_t inked = ink_apply(&ink, row, 0xb);
    assert_int_equal(inked, 1 << 0 | 1 << 1 | 1 << 3 | 1 << 6);
    assert_int_equal(tone_at(&ink, row, 0, 0), UINT16_MAX);
    assert_int_equal(tone_at(&ink, row, 1, 1), 0);
    assert_in_range(tone_at(&ink, row, 6, 1), 10000, 11000);
    assert_in_range(tone_at(&ink, row, 1, 2), 37000, 50000);
    assert_in_range(tone_at(&ink, row, 6, 2), 2000, 64000);
    assert_in_range(tone_at(&ink, row, 3, 2), 32000, 33500);
    for (unsigned i = 0; i < WIDTH; i++)
        assert_int_equal(tone_at(&ink, row, 2, i) + tone_at(&ink, row, 5, i),
                         0);
    ink_tables_free(&tables);
}

/* Grays have black and gray inks alone, unless they are toned. */
TEST(grays_have_gray_inks_and_their_toning)
{
    enum { WIDTH = 256, INKS = 8 };
    const struct ink_set set = set_of("K LK:35 LLK:14 C LC:33 M LM:33 Y");
    uint8_t row[INKS * WIDTH];

    for (int toned = 0; toned < 2; toned++) {
        struct ink_settings settings = INK_AS_IT_IS;
        struct ink_tables tables;
        struct ink ink;

        settings.toning[1] = toned * 0.1;
        begin(&ink, &settings, &tables, &set, 1, WIDTH);
        for (int x = 0; x < WIDTH; x++)
            row[x] = (uint8_t)x;
        assert_int_equal(ink_apply(&ink, row, 1), 0x31 | toned << 7);
        assert_int_equal(tone_at(&ink, row, 0, 255), UINT16_MAX);
        for (unsigned x = 0; x < WIDTH; x++) {
            const double k = tone_at(&ink, row, 0, x) / 65535.0,
                         lk = tone_at(&ink, row, 4, x) / 65535.0,
                         llk = tone_at(&ink, row, 5, x) / 65535.0;
            const double light = 0.532 * cover_of(lk) +
                                 (1 - cover_of(lk)) * 0.23632 * cover_of(llk);
            const double black = cover_of(k) + (1 - cover_of(k)) * light;

            /* Ink upon lighter ink is darker. */
            assert_true(black < cover_of(x / 255.0) + 1e-4);
            assert_true(toned || black > cover_of(x / 255.0) - 0.08);
            assert_int_equal(tone_at(&ink, row, 7, x) > 0,
                             toned && x > 0 && x < 255);
        }
        ink_tables_free(&tables);
    }
}

/* The light that two inks absorb, the lighter one r of what the dark one does.
 */
static double light_of(uint16_t dark, uint16_t lighter, double r)
{
    const double cover = cover_of(dark / 65535.0);

    return cover + r * cover_of(lighter / 65535.0) * (1 - cover);
}

/* Dark ink takes the place of light ink; only then colors get lighter. */
TEST(the_limit_takes_light_ink_first)
{
    enum { INKS = 8 };
    const struct ink_set set = set_of("K LK:35 LLK:14 C LC:33 M LM:33 Y");
    static const uint16_t full[INKS] = {30000, 20000, 20000, 40000,
                                        30000, 0,     60000, 50000};
    struct shades shades[SHADES_COLORS];

    shades_of(&set, shades);
    for (uint32_t limit = 100000; limit < 300000; limit += 10000) {
        uint16_t row[INKS];
        uint32_t sum = 0;

        case_is("limit %u", limit);
        memcpy(row, full, sizeof row);
        shades_limit(shades, INKS, limit, row, 1);
        for (unsigned i = 0; i < INKS; i++)
            sum += row[i];
        assert_true(sum <= limit);
        assert_true(row[0] >= full[0] && row[3] <= full[3]);
        for (unsigned dark = 1; dark < 3; dark++) {
            const double r = set.ink[4].strength; /* of LC and LM */
            const double had = light_of(full[dark], full[dark + 5], r);
            const double has = light_of(row[dark], row[dark + 5], r);

            assert_true(has < had + 1e-3);
            /* 190000 is nearly what dark inks alone take. */
            if (limit >= 190000)
                assert_true(has > 0.98 * had);
        }
        if (limit < 150000)
            assert_int_equal(row[4] + row[5] + row[6] + row[7], 0);
    }
}

/* Tables of any shape, of few inks and of 256. */
TEST(ranks_are_the_inks_of_a_table)
{
    uint64_t seed = 7;

    for (int kind = 0; kind < 60; kind++) {
        uint16_t table[256];
        struct ranks ranks;

        case_is("kind %d", kind);
        for (int v = 0; v < 256; v++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            table[v] = kind == 0   ? 0
                       : kind == 1 ? UINT16_MAX
                                   : (uint16_t)(seed >> 48 >> kind % 16);
        }
        table[0] = 0;
        table[7] = table[8]; /* or there might be 255 */
        ranks_fill(&ranks, table);
        assert_true(ht_curve_valid(ranks.curve));
        for (int v = 0; v < 256; v++)
            assert_int_equal(ranks.curve[ranks.of[v]], table[v]);
    }
}

/* 255 inks between: the two least become one, and no others change. */
TEST(only_the_least_ranks_meet)
{
    uint16_t table[256] = {0};
    struct ranks ranks;

    for (int v = 1; v < 256; v++)
        table[v] = (uint16_t)(200 * v);
    ranks_fill(&ranks, table);
    assert_true(ht_curve_valid(ranks.curve));
    assert_int_equal(ranks.curve[ranks.of[1]], 400);
    for (int v = 2; v < 256; v++)
        assert_int_equal(ranks.curve[ranks.of[v]], table[v]);
}
