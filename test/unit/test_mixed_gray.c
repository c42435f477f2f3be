/*
 * test_mixed_gray.c - rows through mixed_gray.c and through ink.c, compared
 * with what mixed_gray.h says, pixel by pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/color/color.h"
#include "page/gray.h"
#include "page/ink.h"
#include "test/cases.h"
#include "test/unit/pages.h"

#define INKS 4u
#define WIDTH 4001u /* has pixels behind its last whole vector */

/* An axis of a profile with much black, which gets lighter once on its way. */
static const gray_axis steep = {
    {153, 133, 145, 255}, {132, 110, 126, 255}, {103, 79, 101, 254},
    {70, 50, 70, 253},    {40, 21, 39, 252},    {39, 22, 35, 232},
    {37, 22, 31, 212},    {36, 22, 30, 216},    {34, 20, 28, 212},
    {32, 18, 26, 205},    {29, 16, 22, 198},    {26, 14, 20, 191},
    {24, 13, 18, 185},    {22, 12, 16, 178},    {20, 11, 14, 170},
    {17, 9, 12, 160},     {14, 7, 10, 151},     {13, 6, 9, 142},
    {11, 6, 8, 133},      {9, 5, 7, 124},       {8, 4, 6, 114},
    {7, 4, 5, 103},       {6, 3, 4, 93},        {5, 3, 4, 83},
    {4, 2, 3, 72},        {4, 2, 3, 62},        {4, 2, 2, 52},
    {3, 2, 2, 43},        {3, 2, 2, 35},        {5, 3, 4, 20},
    {6, 4, 4, 12},        {3, 2, 2, 5},         {0, 0, 0, 0}};

/* ---- What is wanted ------------------------------------------------------ */

static double sum_at(const gray_axis axis, unsigned i)
{
    return axis[i][0] + axis[i][1] + axis[i][2] + axis[i][3];
}

/* Finds the lightest gray of that sum, 0 = black .. 32 = white. */
static double gray_of(const gray_axis axis, double sum)
{
    for (unsigned i = MIXED_GRAYS - 1; i > 0; i--) {
        const double light = sum_at(axis, i), dark = sum_at(axis, i - 1);

        if (sum <= dark)
            return dark > light ? i - fmax(sum - light, 0) / (dark - light) : i;
    }
    return 0;
}

static double ink_of(const gray_axis axis, double gray, unsigned k)
{
    const unsigned dark = gray < 31 ? (unsigned)gray : 31;
    const double here = axis[dark][(k + 3) % 4],
                 next = axis[dark + 1][(k + 3) % 4];

    return (here + (gray - dark) * (next - here)) / 255;
}

static double tone_of(double gray, bool screen)
{
    return screen ? gray_tone(1 - gray / 32) : 1 - gray / 32;
}

/* The cube root of light on paper, of K and a share of the other inks of a gray
 * of the axis. Solid ink reflects 3 %. */
static double light(const gray_axis axis, double gray, double black,
                    double share)
{
    double area[COLOR_INKS], shares[COLOR_PRIMARIES], xyz[3];

    for (unsigned k = 0; k < INKS; k++) {
        const double t = k == 0 ? black : share * ink_of(axis, gray, k);
        const double left = 1 - 0.97 * (t + 0.8 * t * (1 - t));

        area[k] = (1 - sqrt(left)) / (1 - sqrt(0.03));
    }
    color_shares(area, shares);
    color_on_paper(shares, xyz);
    return cbrt(xyz[1]);
}

/* The K that a gray of the axis needs, with v eighths of the inks, in steps of
 * 1/4096. */
static double more_at(const gray_axis axis, bool screen, unsigned gray,
                      unsigned v)
{
    const double share = v / 8.0, tone = tone_of(gray, screen),
                 black = ink_of(axis, gray, 0);
    const double wanted = (1 - share) * light(axis, gray, tone, 0) +
                          share * light(axis, gray, black, 1);
    unsigned k = 0;

    if (v == 0 || v == 8)
        return 0;
    while (k < 4096 && light(axis, gray, k / 4096.0, share) > wanted)
        k++;
    return k / 4096.0 - (1 - share) * tone - share * black;
}

/* The same of all, for want(). */
struct needs {
    double more[MIXED_GRAYS][9 + 1];
};

static struct needs needs_of(const gray_axis axis, bool screen)
{
    struct needs n = {0};

    for (unsigned i = 0; i < MIXED_GRAYS; i++)
        for (unsigned v = 0; v <= 8; v++)
            n.more[i][v] = more_at(axis, screen, i, v);
    return n;
}

/* Changes K, C, M and Y of a pixel, in 1/255. */
static void want(const gray_axis axis, bool screen, const struct needs *needs,
                 double pixel[INKS])
{
    const double gray =
        gray_of(axis, pixel[0] + pixel[1] + pixel[2] + pixel[3]);
    const unsigned dark = gray < 31 ? (unsigned)gray : 31;
    double away = 0;

    if (pixel[1] + pixel[2] + pixel[3] == 0)
        return;
    for (unsigned k = 0; k < INKS; k++)
        away = fmax(away, fabs(255 * ink_of(axis, gray, k) - pixel[k]));

    const double w = fmin(fmax((20 - away) / (20 - 4), 0), 1);
    const double v = 8 * (1 - w), rest = v - floor(v);
    const double *d = &needs->more[dark][(unsigned)v],
                 *l = &needs->more[dark + 1][(unsigned)v];
    const double in_dark = d[0] + rest * (d[1] - d[0]),
                 in_light = l[0] + rest * (l[1] - l[0]);

    for (unsigned k = 1; k < INKS; k++)
        pixel[k] *= 1 - w;
    pixel[0] += w * (255 * tone_of(gray, screen) - pixel[0]) +
                255 * (in_dark + (gray - dark) * (in_light - in_dark));
    pixel[0] = fmin(fmax(pixel[0], 0), 255);
}

/* ---- Rows ---------------------------------------------------------------- */

/* Sets a pixel to a gray of the axis, often with some ink beside it, to K
 * alone, to nothing, or to any color. */
static void any_pixel(const gray_axis axis, uint64_t *seed, uint8_t kcmy[INKS])
{
    const uint32_t i = random_below(seed, MIXED_GRAYS);
    const uint32_t kind = random_below(seed, 8);
    const uint32_t off = 1 + random_below(seed, 25);

    for (unsigned k = 0; k < INKS; k++) {
        const int beside =
            kind < 2 ? 0 : (int)random_below(seed, 2 * off) - (int)off;
        const int ink = axis[i][(k + 3) % 4] + beside;

        kcmy[k] = (uint8_t)(kind == 7   ? (int)random_below(seed, 256)
                            : kind == 6 ? (k == 0 ? (int)i * 7 : 0)
                            : ink < 0   ? 0
                            : ink > 255 ? 255
                                        : ink);
    }
}

static void fill(const gray_axis axis, uint64_t seed, uint8_t *row)
{
    for (uint32_t x = 0; x < WIDTH; x++) {
        uint8_t pixel[INKS];

        any_pixel(axis, &seed, pixel);
        if (random_below(&seed, 3) == 0 && x > 0)
            for (unsigned k = 0; k < INKS; k++)
                pixel[k] = row[k * WIDTH + x - 1];
        for (unsigned k = 0; k < INKS; k++)
            row[k * WIDTH + x] = pixel[k];
    }
}

/* Compares a row of both depths. `low` are bits below those of 8, of the
 * deeper one. */
static void compare(const gray_axis axis, bool screen,
                    const struct needs *needs, uint64_t seed, uint32_t low)
{
    static uint8_t before[INKS * WIDTH], row8[INKS * WIDTH];
    static uint16_t deep[INKS * WIDTH], row16[INKS * WIDTH];
    struct mixed_grays grays;
    uint32_t changed = 0;

    mixed_grays_init(&grays, axis, screen);
    fill(axis, seed, before);
    memcpy(row8, before, sizeof row8);
    for (uint32_t i = 0; i < INKS * WIDTH; i++) {
        const uint32_t more = low > 0 ? random_below(&seed, low) : 0;

        deep[i] = (uint16_t)(before[i] * 257);
        if (before[i] > 0 && before[i] < 255)
            deep[i] = (uint16_t)(deep[i] + more);
        row16[i] = deep[i];
    }
    assert_true(mixed_grays_row(&grays, row8, WIDTH, 8));
    assert_true(mixed_grays_row(&grays, row16, WIDTH, 16));
    for (uint32_t x = 0; x < WIDTH; x++) {
        double from8[INKS], from16[INKS];

        for (unsigned k = 0; k < INKS; k++) {
            from8[k] = before[k * WIDTH + x];
            from16[k] = deep[k * WIDTH + x] / 257.0;
        }
        case_is("screen %d, seed %d, pixel %u: K %g C %g M %g Y %g", screen,
                (int)seed, x, from8[0], from8[1], from8[2], from8[3]);
        changed += row8[3 * WIDTH + x] != before[3 * WIDTH + x];
        want(axis, screen, needs, from8);
        want(axis, screen, needs, from16);
        for (unsigned k = 0; k < INKS; k++) {
            const uint32_t at = k * WIDTH + x;

            assert_near(row8[at],
                        from8[k] > 0.002 && from8[k] < 1 ? 1 : from8[k],
                        k > 0 ? 0.55 : 0.68);
            assert_near(row16[at] / 257.0, from16[k], k > 0 ? 0.06 : 0.13);
        }
    }
    assert_in_range(changed, WIDTH / 3, WIDTH);
}

TEST(pixels_near_the_axis_become_black_ink)
{
    for (int screen = 0; screen <= 1; screen++) {
        const struct needs needs = needs_of(ghostscript_grays, screen),
                           others = needs_of(steep, screen);

        for (uint64_t seed = 1; seed <= 20; seed++) {
            compare(ghostscript_grays, screen, &needs, seed, 0);
            compare(ghostscript_grays, screen, &needs, seed, 128);
            compare(steep, screen, &others, seed, 0);
        }
    }
}

/* ---- As ink -------------------------------------------------------------- */

/* Grays of Ghostscript's, which are K alone then, and as the K of DeviceGray.
 */
TEST(grays_are_printed_as_those_of_black_ink)
{
    const struct ink_settings plain = {
        .gamma = 1, .density = 1, .limit = INKS, .gray = true};
    struct ink_settings settings = plain;

    settings.mixed_gray = settings.mixed_screen = true;
    memcpy(settings.axis, ghostscript_grays, sizeof settings.axis);
    for (uint32_t bits = 8; bits <= 16; bits += 8) {
        struct ink_tables tables = {0}, others = {0};
        struct ink ink, other;
        uint16_t mixed[INKS * MIXED_GRAYS], alone[INKS * MIXED_GRAYS] = {0};

        case_is("%u bits", bits);
        for (uint32_t i = 0; i < MIXED_GRAYS; i++) {
            const uint16_t tone =
                (uint16_t)((32 - i) * (bits == 8 ? 255 : 65535) / 32.0 + 0.5);

            for (uint32_t k = 0; k < INKS; k++) {
                const uint32_t at = k * MIXED_GRAYS + i;
                const uint8_t sample = ghostscript_grays[i][(k + 3) % 4];

                if (bits == 8)
                    ((uint8_t *)mixed)[at] = sample;
                else
                    mixed[at] = (uint16_t)(257 * sample);
            }
            if (bits == 8)
                ((uint8_t *)alone)[i] = (uint8_t)tone;
            else
                alone[i] = tone;
        }
        assert_true(
            ink_init(&ink, &settings, &tables, INKS, MIXED_GRAYS, bits));
        assert_true(ink_init(&other, &plain, &others, INKS, MIXED_GRAYS, bits));
        assert_int_equal(ink_apply(&ink, mixed, 0xf), 1);
        ink_apply(&other, alone, 0xf);
        for (uint32_t i = 0; i < INKS * MIXED_GRAYS; i++)
            if (bits == 8)
                assert_near(((uint8_t *)mixed)[i], ((uint8_t *)alone)[i], 1);
            else
                assert_near(mixed[i], alone[i], 2);
        ink_tables_free(&tables);
        ink_tables_free(&others);
    }
}

TEST(colors_and_black_ink_stay)
{
    /* Brown, skin, sky, a gray of K, solid K, paper; and no pixel else. */
    static const uint8_t stay[][INKS] = {
        {120, 60, 140, 150}, {5, 20, 60, 80},     {0, 90, 30, 0},
        {128, 0, 0, 0},      {3, 0, 0, 0},        {255, 0, 0, 0},
        {0, 0, 0, 0},        {255, 255, 255, 255}};
    const uint32_t width = sizeof stay / sizeof *stay;
    struct mixed_grays grays;
    uint8_t row[INKS * sizeof stay / sizeof *stay], before[sizeof row];
    uint16_t deep[sizeof row];

    mixed_grays_init(&grays, ghostscript_grays, true);
    for (uint32_t i = 0; i < INKS * width; i++) {
        row[i] = before[i] = stay[i % width][i / width];
        deep[i] = (uint16_t)(257 * row[i]);
    }
    assert_false(mixed_grays_row(&grays, row, width, 8));
    assert_false(mixed_grays_row(&grays, deep, width, 16));
    assert_memory_equal(row, before, sizeof row);
    for (uint32_t i = 0; i < INKS * width; i++)
        assert_int_equal(deep[i], 257 * before[i]);
}
