/*
 * test_color_table.c - the separation by a table against that by lcms2 itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <lcms2.h>

#include "page/color/table.h"
#include "test/cases.h"

#define COLORS 20000u
#define GUARD 0x88
#define RUN 64u /* pixels, the most of one color */

static struct profile generic;
static struct color_table *table; /* of sRGB, as usual */

void tests_begin(void)
{
    char why[PROFILE_WHY];

    assert_true(profile_load(&generic, GENERIC, PROFILE_OUTPUT, why));
    table =
        color_table_make(COLOR_SRGB, NULL, &generic, COLOR_RELATIVE_BLACK, why);
    assert_non_null(table);
}

void tests_end(void)
{
    free(table);
    profile_free(&generic);
}

static uint32_t seed = 1;

static unsigned any(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (unsigned)(((uint64_t)seed * below) >> 32);
}

/* Opens lcms2's own transform of sRGB by the file, with all of its tags. */
static cmsHTRANSFORM lcms(cmsUInt32Number from, cmsUInt32Number to)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile(),
                printer = cmsOpenProfileFromFile(GENERIC, "r");
    cmsHTRANSFORM transform = cmsCreateTransform(
        srgb, from, printer, to, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOOPTIMIZE);

    assert_non_null(transform);
    cmsCloseProfile(srgb);
    cmsCloseProfile(printer);
    return transform;
}

/* ---- Tests -------------------------------------------------------------- */

/* In 1/65535 of a solid. */
TEST(is_near_lcms2)
{
    cmsHTRANSFORM transform = lcms(TYPE_RGB_16, TYPE_KCMY_16);
    double sum = 0;
    int most = 0;

    for (unsigned i = 0; i < COLORS; i++) {
        uint16_t light[3], got[4], wanted[4];

        for (int c = 0; c < 3; c++)
            light[c] = (uint16_t)any(65536);
        cmsDoTransform(transform, light, wanted, 1);
        color_table_line_16(table, light, 1, got);
        for (int c = 0; c < 4; c++) {
            const int off = abs(got[c] - wanted[c]);

            sum += off;
            most = off > most ? off : most;
        }
    }
    cmsDeleteTransform(transform);
    print_message("# mean %.1f, most %d of 65535\n", sum / COLORS / 4, most);
    assert_true(sum / COLORS / 4 < 100);
    assert_true(most < 4000);
}

/* But for roundings, of the place of a color, too. */
TEST(is_lcms2_at_the_colors_of_the_table)
{
    cmsHTRANSFORM transform = lcms(TYPE_RGB_16, TYPE_KCMY_16);

    for (unsigned i = 0; i < 1000; i++) {
        uint16_t light[3], got[4], wanted[4];

        for (int c = 0; c < 3; c++)
            light[c] = (uint16_t)((any(32) * 65535 + 16) / 32);
        cmsDoTransform(transform, light, wanted, 1);
        color_table_line_16(table, light, 1, got);
        for (int c = 0; c < 4; c++) {
            case_is("%u %u %u: ink %d", light[0], light[1], light[2], c);
            assert_near(got[c], wanted[c], 5);
        }
    }
    cmsDeleteTransform(transform);
}

TEST(has_8_bits_like_16)
{
    for (unsigned i = 0; i < COLORS; i++) {
        uint8_t light[3], got[4];
        uint16_t light_16[3], wanted[4];

        for (int c = 0; c < 3; c++) {
            light[c] = (uint8_t)any(256);
            light_16[c] = (uint16_t)(light[c] * 257u);
        }
        color_table_line(table, light, 1, got);
        color_table_line_16(table, light_16, 1, wanted);
        for (int c = 0; c < 4; c++) {
            case_is("%u %u %u: ink %d", light[0], light[1], light[2], c);
            assert_near(got[c], wanted[c] / 257.0, 1);
        }
    }
}

/* Each color, as a single pixel or a run, of any width. */
TEST(is_the_same_on_any_processor)
{
    static uint8_t light[256 * RUN][3], plain[256 * RUN + 1][4],
        fast[256 * RUN + 1][4];

    for (unsigned color = 0; color < 65536; color++) {
        uint32_t width = 0;

        case_is("red and green %#x", color);
        for (unsigned blue = 0; blue < 256; blue++)
            for (unsigned more = any(32) > 0 && blue < 255 ? 1 : 1 + any(RUN);
                 more > 0; more--, width++) {
                light[width][0] = (uint8_t)(color >> 8);
                light[width][1] = (uint8_t)color;
                light[width][2] = (uint8_t)blue;
            }
        memset(plain, GUARD, sizeof plain[0] * (width + 1));
        memset(fast, GUARD, sizeof fast[0] * (width + 1));
        color_table_line_plain(table, light[0], width, plain[0]);
        color_table_line(table, light[0], width, fast[0]);
        assert_memory_equal(plain, fast, sizeof plain[0] * (width + 1));
        assert_int_equal(plain[width][0], GUARD);
    }
}

TEST(leaves_white_paper_bare_and_black_dark)
{
    static const uint8_t white[3] = {255, 255, 255}, bare[4] = {0};

    for (int intent = 0; intent <= COLOR_ABSOLUTE; intent++) {
        char why[PROFILE_WHY];
        struct color_table *t = color_table_make(
            COLOR_SRGB, NULL, &generic, (enum color_intent)intent, why);
        uint8_t inks[4];

        case_is("intent %d", intent);
        assert_non_null(t);
        color_table_line(t, white, 1, inks);
        assert_memory_equal(inks, bare, 4);
        color_table_black(t, inks);
        assert_true(inks[3] > 127);
        free(t);
    }
}

/* Its green and red are more saturated, its grays nearly the same. */
TEST(knows_adobe_rgb)
{
    static const uint8_t green[3] = {60, 200, 60}, gray[3] = {128, 128, 128};
    char why[PROFILE_WHY];
    struct color_table *adobe = color_table_make(
        COLOR_ADOBE_RGB, NULL, &generic, COLOR_RELATIVE_BLACK, why);
    uint8_t a[4], b[4];

    assert_non_null(adobe);
    color_table_line(adobe, green, 1, a);
    color_table_line(table, green, 1, b);
    assert_true(a[1] + a[3] > b[1] + b[3] + 10);
    color_table_line(adobe, gray, 1, a);
    color_table_line(table, gray, 1, b);
    for (int i = 0; i < 4; i++)
        assert_near(a[i], b[i], 4);
    free(adobe);
}
