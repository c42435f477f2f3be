/*
 * test_tone.c - flat patches have the tones that are asked for, at their edges,
 * too, and of inks together; and how often inks meet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/unit/pages.h"
#include "test/quick.h"

enum { PATCH = 512, RUN_IN = 64 };

/* The dots of a page whose inks have the samples value [inks]. */
static uint8_t *patch_of(const ht_page_t *page, size_t rows,
                         const uint32_t *value)
{
    size_t count = rows * page->inks * page->width;
    uint8_t *samples = malloc(count * (page->bits / 8));
    uint8_t *dots = malloc(rows * dot_row_bytes(page));

    assert_non_null(samples);
    assert_non_null(dots);
    for (size_t i = 0; i < count; i++) {
        uint32_t of_ink = value[i / page->width % page->inks];

        if (page->bits == 8)
            samples[i] = (uint8_t)of_ink;
        else
            ((uint16_t *)(void *)samples)[i] = (uint16_t)of_ink;
    }
    halftone_page(NULL, NULL, page, samples, rows, SIZE_MAX, 0, dots);
    free(samples);
    return dots;
}

static uint8_t *flat_patch(const ht_page_t *page, size_t rows, uint32_t value)
{
    uint32_t all[HT_MAX_INKS];

    for (unsigned ink = 0; ink < HT_MAX_INKS; ink++)
        all[ink] = value;
    return patch_of(page, rows, all);
}

static ht_page_t patch_page(ht_method_t method, uint32_t inks, uint32_t bits)
{
    return (ht_page_t){.method = method,
                       .width = PATCH,
                       .inks = inks,
                       .bits = bits,
                       .segment = HT_DEFAULT_SEGMENT,
                       .band = 64};
}

static const char *name_of(int method)
{
    return ht_method_info((ht_method_t)method)->choice;
}

TEST(every_tone_is_kept)
{
    EACH_METHOD (method, diffuses) {
        double worst = 0;

        for (uint32_t tone = 1; tone < 255; tone += one_in(5)) {
            ht_page_t page = patch_page((ht_method_t)method, 1, 8);
            uint8_t *dots = flat_patch(&page, PATCH + RUN_IN, tone);
            double mean = (double)count_dots(&page, dots, 0, RUN_IN,
                                             PATCH + RUN_IN, 0, PATCH) *
                          255 / ((double)PATCH * PATCH);

            if (fabs(mean - tone) > 0.1)
                fail_msg("%s, tone %u prints %.3f", name_of(method), tone,
                         mean);
            worst = fmax(worst, fabs(mean - tone));
            free(dots);
        }
        print_message("# %s: worst tone error %.4f/255\n", name_of(method),
                      worst);
    }
}

/* Rules for inks together move dots; they neither add nor take any. */
TEST(every_ink_of_a_mixture_prints_its_tone)
{
    static const uint32_t mixtures[][4] = {
        {0, 13, 64, 77},   {0, 13, 13, 102},  {26, 26, 26, 26},
        {51, 51, 51, 51},  {40, 97, 210, 12}, {168, 158, 158, 138},
        {230, 3, 128, 252}};

    EACH_METHOD (method, diffuses)
        for (size_t i = 0; i < sizeof mixtures / sizeof mixtures[0]; i++)
            for (uint32_t inks = 2; inks <= 4; inks++) {
                const uint32_t *tone = mixtures[i] + 4 - inks;
                ht_page_t page = patch_page((ht_method_t)method, inks, 8);
                uint8_t *dots = patch_of(&page, PATCH + RUN_IN, tone);

                for (uint32_t ink = 0; ink < inks; ink++) {
                    double mean = (double)count_dots(&page, dots, ink, RUN_IN,
                                                     PATCH + RUN_IN, 0, PATCH) *
                                  255 / ((double)PATCH * PATCH);

                    case_is("%s, mixture %zu, ink %u of %u", name_of(method), i,
                            ink, inks);
                    assert_near(mean, tone[ink], 0.1);
                }
                free(dots);
            }
}

TEST(white_stays_white_and_solid_stays_solid)
{
    for (int method = HT_TDFED4; method < HT_METHODS; method++)
        for (uint32_t bits = 8; bits <= 16; bits += 8) {
            ht_page_t page = patch_page((ht_method_t)method, 4, bits);
            uint8_t *white = flat_patch(&page, 100, 0);
            uint8_t *solid = flat_patch(&page, 100, bits == 8 ? 255 : 65535);

            for (uint32_t ink = 0; ink < 4; ink++) {
                case_is("%s, %u bits, ink %u", name_of(method), bits, ink);
                assert_int_equal(
                    count_dots(&page, white, ink, 0, 100, 0, PATCH), 0);
                assert_int_equal(
                    count_dots(&page, solid, ink, 0, 100, 0, PATCH),
                    100 * PATCH);
            }
            free(white);
            free(solid);
        }
}

TEST(sixteen_bits_keep_the_tones_between)
{
    for (uint32_t tone = 3; tone < 253; tone += 25) {
        ht_page_t page = patch_page(HT_TDFED4, 1, 16);
        uint8_t *dots = flat_patch(&page, PATCH + RUN_IN, tone * 257 + 128);
        double mean = (double)count_dots(&page, dots, 0, RUN_IN, PATCH + RUN_IN,
                                         0, PATCH) *
                      255 / ((double)PATCH * PATCH);

        case_is("tone %u and a half", tone);
        assert_near(mean, tone + 128 / 257.0, 0.1);
        free(dots);
    }
}

TEST(eight_and_sixteen_bits_agree)
{
    int16_t tone8, tone16;
    uint8_t level8, level16;

    for (uint32_t v = 0; v < 256; v++) {
        uint8_t sample8 = (uint8_t)v;
        uint16_t sample16 = (uint16_t)(v * 257);

        case_is("sample %u", v);
        ht_tones_from_samples(&sample8, 8, 1, &tone8, &level8);
        ht_tones_from_samples(&sample16, 16, 1, &tone16, &level16);
        assert_int_equal(tone8, tone16);
        assert_int_equal(level8, level16);
    }
    for (uint32_t v = 1; v < 65535; v++) {
        uint16_t sample = (uint16_t)v;

        ht_tones_from_samples(&sample, 16, 1, &tone16, &level16);
        if (level16 < 1 || level16 > 254)
            fail_msg("sample %u has level %u", v, level16);
    }
}

/* By the formulas of doc/dev/halftone.md, wherever in a row a sample is. */
TEST(every_sample_has_its_tone_and_level)
{
    enum { ALL = 65536, OFFSETS = 9 };
    static uint16_t samples[ALL];
    static int16_t tone[ALL];
    static uint8_t level[ALL];

    for (uint32_t first = 0; first < OFFSETS; first++) {
        for (uint32_t i = 0; i < ALL; i++)
            samples[i] = (uint16_t)(i + first);
        ht_tones_from_samples(samples, 16, ALL - first, tone, level);
        for (uint32_t i = 0; i < ALL - first; i++) {
            uint32_t v = samples[i], l = (510 * v + 65535) / 131070;
            uint32_t a = (2 * HT_ONE * v + 65535) / 131070;

            l = l < 1 && v > 0 ? 1 : l > 254 && v < 65535 ? 254 : l;
            if (tone[i] != (int)a || level[i] != l)
                fail_msg("sample %u, %u columns in: tone %d, level %u instead "
                         "of %u, %u",
                         v, i, tone[i], level[i], a, l);
        }
    }
}

/* No worms where the page begins, none along its sides. */
TEST(tone_is_kept_at_the_top_and_at_the_sides)
{
    EACH_METHOD (method, table) {
        double worst_top = 0, worst_side = 0;

        for (uint32_t tone = 8; tone <= 247; tone += one_in(5)) {
            ht_page_t page = patch_page((ht_method_t)method, 1, 8);
            uint8_t *dots = flat_patch(&page, 1200, tone);
            double top = (double)count_dots(&page, dots, 0, 0, 32, 0, PATCH) /
                         (32.0 * PATCH);
            double left = (double)count_dots(&page, dots, 0, 0, 1200, 0, 8) /
                          (1200.0 * 8);
            double right =
                (double)count_dots(&page, dots, 0, 0, 1200, PATCH - 8, PATCH) /
                (1200.0 * 8);
            double a = tone / 255.0;

            if (fabs(top / a - 1) > 0.08 || fabs(left / a - 1) > 0.08 ||
                fabs(right / a - 1) > 0.08)
                fail_msg("%s, tone %u: top %.4f, left %.4f, right %.4f of %.4f",
                         name_of(method), tone, top, left, right, a);
            worst_top = fmax(worst_top, fabs(top / a - 1));
            worst_side =
                fmax(worst_side, fmax(fabs(left / a - 1), fabs(right / a - 1)));
            free(dots);
        }
        print_message("# %s: worst top %.4f, worst side %.4f\n",
                      name_of(method), worst_top, worst_side);
    }
}

/* Pixels with both of two neighbouring inks, the first one `first`, which
 * have the same tone, while the page's others have none; of what chance
 * gives. */
static double overprint(ht_method_t method, uint32_t inks, uint32_t first,
                        uint32_t tone)
{
    ht_page_t page = patch_page(method, inks, 8);
    uint32_t value[HT_MAX_INKS] = {0};
    size_t plane = PATCH / 8, over = 0;

    value[first] = value[first + 1] = tone;
    uint8_t *dots = patch_of(&page, PATCH, value);
    for (size_t y = RUN_IN; y < PATCH; y++)
        for (size_t x = 0; x < plane; x++) {
            const uint8_t *row = dots + y * dot_row_bytes(&page);

            row += first * plane;
            over += (size_t)__builtin_popcount(row[x] & row[plane + x]);
        }
    free(dots);
    return (double)over * 255 * 255 /
           ((double)tone * tone * PATCH * (PATCH - RUN_IN));
}

/* Two inks, and C and M on a page of K, C, M and Y. */
TEST(equal_inks_meet_as_if_by_chance_but_in_light_tints)
{
    static const struct {
        uint32_t percent;
        double least, most; /* overprinted dots, of what chance gives */
    } cases[] = {{5, 0, 0.05},
                 {10, 0, 0.05},
                 {20, 0.97, 1.03},
                 {30, 0.97, 1.03},
                 {75, 0.97, 1.03}};

    EACH_METHOD (method, diffuses)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
            for (uint32_t inks = 2; inks <= 4; inks += 2) {
                uint32_t tone = (cases[i].percent * 255 + 50) / 100;
                double over =
                    overprint((ht_method_t)method, inks, inks / 4, tone);

                if (over < cases[i].least || over > cases[i].most)
                    fail_msg("%s, %u%% on a page of %u inks: %.3f of chance",
                             name_of(method), cases[i].percent, inks, over);
            }
}

/* Pixels that have one of two inks but not the other. */
static size_t differing(const ht_page_t *page, const uint8_t *dots,
                        uint32_t one, uint32_t other)
{
    size_t plane = PATCH / 8, count = 0;

    for (size_t y = RUN_IN; y < PATCH; y++) {
        const uint8_t *row = dots + y * dot_row_bytes(page);

        for (size_t x = 0; x < plane; x++)
            count += (size_t)__builtin_popcount(row[one * plane + x] ^
                                                row[other * plane + x]);
    }
    return count;
}

/* K, C, M and Y of a tone differ from each other at least 0.85 times as often
 * as by chance. */
static void check_inks_differ(ht_method_t method, const ht_table_t *table,
                              uint32_t tone)
{
    ht_page_t page = patch_page(method, 4, 8);
    double a = tone / 255.0, chance = 2 * a * (1 - a);

    page.table = table;
    uint8_t *dots = flat_patch(&page, PATCH, tone);
    for (uint32_t ink = 1; ink < 4; ink++)
        for (uint32_t before = 0; before < ink; before++) {
            size_t count = differing(&page, dots, ink, before);

            if ((double)count < 0.85 * chance * PATCH * (PATCH - RUN_IN))
                fail_msg("%s, tone %u, %s: inks %u and %u differ at %zu pixels",
                         name_of(method), tone,
                         table == NULL ? "its own table" : "no rules", before,
                         ink, count);
        }
    free(dots);
}

/* Equal tones of K, C, M and Y, whose weights are the same, are not the same
 * dots: with rules for inks together, and without them where the pattern says
 * which threshold a pixel has, which it does in the middle. */
TEST(equal_inks_are_not_the_same_dots)
{
    EACH_METHOD (method, diffuses)
        for (uint32_t tone = 1; tone < 255;
             tone += tone < 8 || tone > 246 ? 1 : 7)
            check_inks_differ((ht_method_t)method, NULL, tone);
    EACH_METHOD (method, table) {
        ht_table_t *table = table_without_rules(method);

        for (uint32_t tone = 36; tone < 220; tone += 9)
            check_inks_differ(method, table, tone);
        ht_table_free(table);
    }
}
