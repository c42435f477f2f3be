/*
 * test_profile.c - the generic profile: what it says of colors is what the
 * model of a printer prints, and the program makes it again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <sys/stat.h>

#include <lcms2.h>

#include "page/round_dots.h"
#include "lab/train/press.h"
#include "lab/train/printer.h"
#include "lab/train/profile.h"
#include "lab/train/separate.h"
#include "test/cases.h"

#define PROFILE DATA "/profiles/generic.icc"
#define GRAYS 15

static cmsHPROFILE shipped;
static struct press_model press;

void tests_begin(void)
{
    shipped = cmsOpenProfileFromFile(PROFILE, "r");
    assert_true(shipped != NULL && press_open(&press));
}

void tests_end(void)
{
    cmsCloseProfile(shipped);
}

static void assert_at_most(double value, double most)
{
    if (!(value <= most))
        fail_msg("%.4g is more than %.4g", value, most);
}

/* The color of tones [COLOR_INKS], C, M, Y, K in percent, on the model. */
static void printed(const double *cmyk, double lab[3])
{
    double area[COLOR_INKS];

    for (int k = 0; k < COLOR_INKS; k++)
        area[(k + 1) % COLOR_INKS] =
            press_area(&press, (k + 1) % COLOR_INKS, cmyk[k] / 100);
    separate_lab(area, lab);
}

/* ---- Transforms -------------------------------------------------------- */

static cmsHTRANSFORM to_inks(cmsHPROFILE from, cmsUInt32Number format,
                             cmsUInt32Number intent, cmsUInt32Number flags)
{
    cmsHTRANSFORM transform =
        cmsCreateTransform(from, format, shipped, TYPE_CMYK_DBL, intent,
                           flags | cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);

    assert_non_null(transform);
    assert_true(cmsCloseProfile(from));
    return transform;
}

static cmsHTRANSFORM srgb_to_inks(cmsUInt32Number intent, cmsUInt32Number flags)
{
    return to_inks(cmsCreate_sRGBProfile(), TYPE_RGB_DBL, intent, flags);
}

static cmsHTRANSFORM srgb_to_lab(void)
{
    cmsHPROFILE srgb = cmsCreate_sRGBProfile(),
                lab = cmsCreateLab4Profile(NULL);
    cmsHTRANSFORM transform =
        cmsCreateTransform(srgb, TYPE_RGB_DBL, lab, TYPE_Lab_DBL,
                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);

    cmsCloseProfile(srgb);
    cmsCloseProfile(lab);
    assert_non_null(transform);
    return transform;
}

/* The inks of sRGB grays 0 = black .. GRAYS = white. */
static void inks_of_grays(double cmyk[GRAYS + 1][4])
{
    cmsHTRANSFORM transform = srgb_to_inks(INTENT_RELATIVE_COLORIMETRIC,
                                           cmsFLAGS_BLACKPOINTCOMPENSATION);

    for (int i = 0; i <= GRAYS; i++) {
        const double gray = (double)i / GRAYS, rgb[3] = {gray, gray, gray};

        cmsDoTransform(transform, rgb, cmyk[i], 1);
    }
    cmsDeleteTransform(transform);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(is_an_output_profile_of_version_2)
{
    static const cmsTagSignature tags[] = {
        cmsSigAToB0Tag,     cmsSigAToB1Tag,
        cmsSigAToB2Tag,     cmsSigBToA0Tag,
        cmsSigBToA1Tag,     cmsSigBToA2Tag,
        cmsSigGamutTag,     cmsSigProfileDescriptionTag,
        cmsSigCopyrightTag, cmsSigMediaWhitePointTag};
    struct stat file;

    assert_int_equal(cmsGetDeviceClass(shipped), cmsSigOutputClass);
    assert_int_equal(cmsGetColorSpace(shipped), cmsSigCmykData);
    assert_int_equal(cmsGetPCS(shipped), cmsSigLabData);
    assert_int_equal(cmsGetEncodedICCversion(shipped) >> 24, 2);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        assert_non_null(cmsReadTag(shipped, tags[i]));
    assert_int_equal(stat(PROFILE, &file), 0);
    assert_true(file.st_size < 512 * 1024);
}

TEST(is_what_the_program_makes)
{
    static const cmsTagSignature tags[] = {cmsSigAToB1Tag, cmsSigBToA0Tag,
                                           cmsSigBToA1Tag, cmsSigBToA2Tag,
                                           cmsSigGamutTag};
    cmsHPROFILE made = profile_make();

    assert_non_null(made);
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        cmsPipeline *a = cmsReadTag(shipped, tags[i]),
                    *b = cmsReadTag(made, tags[i]);
        const cmsUInt32Number inputs = cmsPipelineInputChannels(a);

        for (int n = 0; n < 9 * 9 * 9 * 9; n++) {
            cmsUInt16Number in[4], of_a[4] = {0}, of_b[4] = {0};

            for (cmsUInt32Number c = 0, rest = (cmsUInt32Number)n; c < inputs;
                 c++, rest /= 9)
                in[c] = (cmsUInt16Number)(rest % 9 * 65535 / 8);
            cmsPipelineEval16(in, of_a, a);
            cmsPipelineEval16(in, of_b, b);
            for (int c = 0; c < 4; c++)
                assert_at_most(abs(of_a[c] - of_b[c]), 65535 * 0.004);
        }
    }
    cmsCloseProfile(made);
}

TEST(colors_of_inks_are_those_of_the_model)
{
    cmsHPROFILE lab_profile = cmsCreateLab4Profile(NULL);
    cmsHTRANSFORM transform =
        cmsCreateTransform(shipped, TYPE_CMYK_DBL, lab_profile, TYPE_Lab_DBL,
                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE);

    cmsCloseProfile(lab_profile);
    assert_non_null(transform);
    for (int i = 0; i < 7 * 7 * 7 * 7; i++) {
        double cmyk[4], said[3], lab[3];

        for (int k = 0, rest = i; k < 4; k++, rest /= 7)
            cmyk[k] = rest % 7 * 100 / 6.0;
        cmsDoTransform(transform, cmyk, said, 1);
        printed(cmyk, lab);
        assert_at_most(color_difference(said, lab), 0.6);
    }
    cmsDeleteTransform(transform);
}

/* A model color through the table to inks is printed again. */
TEST(colors_of_the_gamut_are_printed)
{
    cmsHTRANSFORM transform = to_inks(cmsCreateLab4Profile(NULL), TYPE_Lab_DBL,
                                      INTENT_RELATIVE_COLORIMETRIC, 0);
    double sum = 0;
    int count = 0;

    for (int i = 0; i < 6 * 6 * 6 * 6; i++) {
        double cmyk[4], wanted[3], again[4], lab[3], ink = 0;

        for (int k = 0, rest = i; k < 4; k++, rest /= 6)
            ink += cmyk[k] = rest % 6 * 20;
        if (ink > 280)
            continue;
        printed(cmyk, wanted);
        cmsDoTransform(transform, wanted, again, 1);
        printed(again, lab);
        const double off = color_difference(lab, wanted);
        assert_at_most(off, 2);
        assert_at_most(again[0] + again[1] + again[2] + again[3], 300);
        sum += off;
        count++;
    }
    assert_at_most(sum / count, 0.3);
    cmsDeleteTransform(transform);
}

/* Patch colors of the chart by McCamy et al. (1976), as sRGB. */
TEST(the_color_checker_is_near)
{
    static const uint32_t patches[24] = {
        0x735244, 0xc29682, 0x627a9d, 0x576c43, 0x8580b1, 0x67bdaa,
        0xd67e2c, 0x505ba6, 0xc15a63, 0x5e3c6c, 0x9dbc40, 0xe0a32e,
        0x383d96, 0x469449, 0xaf363c, 0xe7c71f, 0xbb5695, 0x0885a1,
        0xf3f3f2, 0xc8c8c8, 0xa0a0a0, 0x7a7a79, 0x555555, 0x343434};
    cmsHTRANSFORM exact = srgb_to_inks(INTENT_RELATIVE_COLORIMETRIC, 0),
                  mapped = srgb_to_inks(INTENT_PERCEPTUAL, 0),
                  seen = srgb_to_lab();
    double sum[2] = {0};

    for (int i = 0; i < 24; i++) {
        const double rgb[3] = {(patches[i] >> 16) / 255.0,
                               (patches[i] >> 8 & 255) / 255.0,
                               (patches[i] & 255) / 255.0};
        double cmyk[4], wanted[3], lab[3];

        cmsDoTransform(seen, rgb, wanted, 1);
        cmsDoTransform(exact, rgb, cmyk, 1);
        printed(cmyk, lab);
        sum[0] += color_difference(lab, wanted);
        assert_at_most(color_difference(lab, wanted), 3);
        cmsDoTransform(mapped, rgb, cmyk, 1);
        printed(cmyk, lab);
        sum[1] += color_difference(lab, wanted);
    }
    assert_at_most(sum[0] / 24, 0.5);
    assert_at_most(sum[1] / 24, 2.5);
    cmsDeleteTransform(exact);
    cmsDeleteTransform(mapped);
    cmsDeleteTransform(seen);
}

TEST(grays_are_neutral_and_mostly_black)
{
    double cmyk[GRAYS + 1][4], lab[3], before = 0;

    inks_of_grays(cmyk);
    for (int i = 0; i <= GRAYS; i++) {
        printed(cmyk[i], lab);
        assert_at_most(fabs(lab[1]), 1);
        assert_at_most(fabs(lab[2]), 1);
        assert_true(i == 0 || lab[0] > before + 1);
        before = lab[0];
        if (i > 2 && i < GRAYS - 1)
            assert_true(cmyk[i][3] >
                        2 * (cmyk[i][0] + cmyk[i][1] + cmyk[i][2]));
    }
    for (int k = 0; k < 4; k++)
        assert_at_most(cmyk[GRAYS][k], 0.01);
}

/* In inks and in the colors that they have, along ramps from white to a hue
 * and from there to black, with all intents. */
TEST(ramps_have_no_steps)
{
    static const cmsUInt32Number intents[] = {
        INTENT_PERCEPTUAL, INTENT_RELATIVE_COLORIMETRIC, INTENT_SATURATION};
    for (int n = 0; n < 3 * 24; n++) {
        cmsHTRANSFORM transform = srgb_to_inks(
            intents[n % 3], n % 3 == 1 ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0);
        const int hue_of_24 = n / 3;
        double last[2][3];

        for (int i = 0; i <= 256; i++) {
            double rgb[3], cmyk[4], lab[3];

            for (int c = 0; c < 3; c++) {
                const double turn = fmod(hue_of_24 / 4.0 + 6 - 2 * c, 6);
                const double hue = fmin(1, fmax(0, fabs(turn - 3) - 1));
                rgb[c] =
                    i < 128 ? 1 + (hue - 1) * i / 128 : hue * (256 - i) / 128;
            }
            cmsDoTransform(transform, rgb, cmyk, 1);
            printed(cmyk, lab);
            for (int c = 0; i >= 2 && i != 129 && c < 3; c++)
                assert_at_most(fabs(lab[c] - 2 * last[1][c] + last[0][c]), 1.5);
            memcpy(last[0], last[1], sizeof lab);
            memcpy(last[1], lab, sizeof lab);
        }
        cmsDeleteTransform(transform);
    }
}

/* ---- Dots ---------------------------------------------------------------- */

#define SIDE 256
#define BORDER 32

/* The color of printed dots, with magenta `right` and `down` pixels off. */
static void color_of_dots(const struct plane *dots, int right, int down,
                          double lab[3])
{
    static struct round_dots round[COLOR_INKS];
    double share[COLOR_PRIMARIES] = {0}, xyz[3];

    for (int ink = 0; ink < COLOR_INKS; ink++)
        round_dots_init(&round[ink], round_diameters[ink], 0, 0);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE, y = i / SIDE;
        double pixel[COLOR_PRIMARIES];
        unsigned sets[COLOR_INKS] = {0};

        if (x < BORDER || y < BORDER || x >= SIDE - BORDER ||
            y >= SIDE - BORDER)
            continue;
        for (int n = 0; n < COLOR_INKS * ROUND_NEIGHBOURS; n++) {
            const int ink = n / ROUND_NEIGHBOURS, at = n % ROUND_NEIGHBOURS;
            const int row = y + at / 3 - 1 - (ink == 2 ? down : 0),
                      column = x + at % 3 - 1 - (ink == 2 ? right : 0);

            sets[ink] |= (unsigned)dots[ink].value[row * SIDE + column] << at;
        }
        round_dots_shares(round, sets, pixel);
        for (int p = 0; p < COLOR_PRIMARIES; p++)
            share[p] += pixel[p] / ((SIDE - 2 * BORDER) * (SIDE - 2 * BORDER));
    }
    color_on_paper(share, xyz);
    color_lab(xyz, lab);
}

TEST(grays_stay_when_magenta_is_a_pixel_off)
{
    const struct printer printer = {.method = HT_TDFED4,
                                    .segment = HT_DEFAULT_SEGMENT};
    double cmyk[GRAYS + 1][4];

    inks_of_grays(cmyk);
    for (int i = 0; i <= GRAYS; i++) {
        struct plane dots[COLOR_INKS];
        double right[3], down[3], lab[3], model[3];
        int tones[COLOR_INKS];

        for (int k = 0; k < COLOR_INKS; k++)
            tones[(k + 1) % COLOR_INKS] = (int)lround(
                255 * curve_points_at(&press.curve.ink[k], cmyk[i][k] / 100));
        assert_true(
            printer_print_flat(&printer, SIDE, SIDE, tones, COLOR_INKS, dots));
        color_of_dots(dots, 0, 0, lab);
        color_of_dots(dots, 1, 0, right);
        color_of_dots(dots, 0, 1, down);
        printed(cmyk[i], model);
        assert_at_most(color_difference(lab, model), 1.5);
        assert_at_most(color_distance(lab, right), 3);
        assert_at_most(color_distance(lab, down), 3);
        planes_free(dots, COLOR_INKS);
    }
}

/* Pairs by Sharma, Wu and Dalal (2005). */
TEST(color_differences_are_those_published)
{
    static const double pairs[][7] = {
        {50, 2.6772, -79.7751, 50, 0, -82.7485, 2.0425},
        {50, -1, 2, 50, 0, 0, 2.3669},
        {50, 2.49, -0.001, 50, -2.49, 0.0009, 7.1792},
        {50, 2.49, -0.001, 50, -2.49, 0.0011, 7.2195},
        {50, 2.5, 0, 73, 25, -18, 27.1492},
        {22.7233, 20.0904, -46.694, 23.0331, 14.973, -42.5619, 2.0373},
        {2.0776, 0.0795, -1.135, 0.9033, -0.0636, -0.5514, 0.9082}};

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_at_most(
            fabs(color_difference(pairs[i], pairs[i] + 3) - pairs[i][6]), 1e-4);
        assert_at_most(
            fabs(color_difference(pairs[i] + 3, pairs[i]) - pairs[i][6]), 1e-4);
    }
}
