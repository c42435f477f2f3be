/*
 * profile.c - makes the generic profile: color tables of the press, by lcms2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/gamut.h"
#include "lab/train/plane.h"
#include "lab/train/press.h"
#include "lab/train/profile.h"
#include "lab/train/separate.h"

#define INK_SIDE 9  /* nodes of a table from inks, each way */
#define LAB_SIDE 25 /* of one to inks; odd, so that grays are on nodes */
#define LAB_NODES (LAB_SIDE * LAB_SIDE * LAB_SIDE)
#define LAB_AT(l, a, b) (((l)*LAB_SIDE + (a)) * LAB_SIDE + (b))
#define ENTRIES 1024 /* of a curve */
#define FULL 65535.0
#define LIGHTEST (65280 / FULL) /* how profiles of version 2 write L* 100 */
#define NEUTRAL (32768 / FULL)  /* and a* or b* of 0 */

/* The inks of profiles are C, M, Y, K; ours K, C, M, Y. */
static const int ink_of[COLOR_INKS] = {1, 2, 3, 0};

static cmsUInt16Number sixteen(double value)
{
    return (cmsUInt16Number)(fmin(1, fmax(0, value)) * FULL + 0.5);
}

static double at_node(int node, int side)
{
    return (double)node / (side - 1);
}

/* ---- Curves ------------------------------------------------------------- */

struct curve_of {
    const struct press_model *press;
    int channel; /* from 0, in the order of profiles */
};

static double same(struct curve_of of, double value)
{
    (void)of;
    return value;
}

static double from_tone(struct curve_of of, double tone)
{
    return press_area(of.press, ink_of[of.channel], tone);
}

static double to_tone(struct curve_of of, double area)
{
    return press_tone(of.press, ink_of[of.channel], area);
}

/* Nodes are closer together in shadows, where K ends; paper is the last. */
static double lightness_curve(struct curve_of of, double value)
{
    const double v = value / LIGHTEST;

    (void)of;
    return 1.5 * v / (1 + 0.5 * v);
}

/* Nodes are closest together around grays, where the eye is most sensitive. */
static double chroma_curve(struct curve_of of, double value)
{
    const double v = (value - NEUTRAL) / (1 - NEUTRAL);

    (void)of;
    return 0.5 + v / (1 + fabs(v));
}

/* The color of a node. */
static void lab_of_node(int l, int a, int b, double lab[3])
{
    const int node[3] = {l, a, b};
    const double light = at_node(l, LAB_SIDE);

    lab[0] = 100 * light / (1.5 - 0.5 * light);
    for (int c = 1; c < 3; c++) {
        const double w = at_node(node[c], LAB_SIDE) - 0.5;

        lab[c] = 128 * w / (1 - fabs(w));
    }
}

typedef double (*curve_function)(struct curve_of of, double value);

static cmsStage *curves_stage(const struct press_model *press, int count,
                              const curve_function *function)
{
    cmsUInt16Number table[ENTRIES];
    cmsToneCurve *curves[COLOR_INKS] = {NULL};

    for (int i = 0; i < count; i++) {
        for (int e = 0; e < ENTRIES; e++)
            table[e] = sixteen(
                function[i]((struct curve_of){press, i}, e / (ENTRIES - 1.0)));
        curves[i] = cmsBuildTabulatedToneCurve16(NULL, ENTRIES, table);
    }
    cmsStage *stage =
        cmsStageAllocToneCurves(NULL, (cmsUInt32Number)count, curves);
    for (int i = 0; i < count; i++)
        cmsFreeToneCurve(curves[i]);
    return stage;
}

static const curve_function four_same[] = {same, same, same, same},
                            from_tones[] = {from_tone, from_tone, from_tone,
                                            from_tone},
                            to_tones[] = {to_tone, to_tone, to_tone, to_tone},
                            from_lab[] = {lightness_curve, chroma_curve,
                                          chroma_curve};

/* ---- Tables -------------------------------------------------------------- */

struct shape {
    int inputs, outputs, side;
    const curve_function *before, *after;
};

static bool write_table(cmsHPROFILE profile, cmsTagSignature tag,
                        const struct press_model *press,
                        const struct shape *shape, const cmsUInt16Number *table)
{
    cmsPipeline *pipeline = cmsPipelineAlloc(
        NULL, (cmsUInt32Number)shape->inputs, (cmsUInt32Number)shape->outputs);
    cmsStage *nodes = cmsStageAllocCLut16bit(
        NULL, (cmsUInt32Number)shape->side, (cmsUInt32Number)shape->inputs,
        (cmsUInt32Number)shape->outputs, table);
    bool ok = cmsPipelineInsertStage(
                  pipeline, cmsAT_END,
                  curves_stage(press, shape->inputs, shape->before)) &&
              cmsPipelineInsertStage(pipeline, cmsAT_END, nodes) &&
              cmsPipelineInsertStage(
                  pipeline, cmsAT_END,
                  curves_stage(press, shape->outputs, shape->after)) &&
              cmsWriteTag(profile, tag, pipeline);

    cmsPipelineFree(pipeline);
    return ok;
}

/* L*, a*, b* of inks, for every intent. */
static bool write_colors(cmsHPROFILE profile, const struct press_model *press)
{
    static cmsUInt16Number table[INK_SIDE * INK_SIDE * INK_SIDE * INK_SIDE][3];
    static const struct shape shape = {4, 3, INK_SIDE, from_tones, four_same};

    for (int i = 0; i < INK_SIDE * INK_SIDE * INK_SIDE * INK_SIDE; i++) {
        double area[COLOR_INKS], lab[3];

        for (int k = COLOR_INKS - 1, rest = i; k >= 0; k--, rest /= INK_SIDE)
            area[ink_of[k]] = at_node(rest % INK_SIDE, INK_SIDE);
        separate_lab(area, lab);
        table[i][0] = sixteen(lab[0] / 100 * LIGHTEST);
        for (int c = 1; c < 3; c++)
            table[i][c] = sixteen((lab[c] + 128) * 256 / FULL);
    }
    return write_table(profile, cmsSigAToB1Tag, press, &shape, table[0]) &&
           cmsLinkTag(profile, cmsSigAToB0Tag, cmsSigAToB1Tag) &&
           cmsLinkTag(profile, cmsSigAToB2Tag, cmsSigAToB1Tag);
}

/* The mean of a node's black and those around it, nearer ones more, within
 * what the color allows; a gray's own. */
static double smooth_black(const struct black_share *blacks, int l, int a,
                           int b)
{
    double sum = 0, weights = 0;

    for (int n = 0; n < 27; n++) {
        const int i = l + n / 9 - 1, j = a + n / 3 % 3 - 1, k = b + n % 3 - 1;
        const double weight = (n / 9 == 1 ? 2 : 1) * (n / 3 % 3 == 1 ? 2 : 1) *
                              (n % 3 == 1 ? 2 : 1);

        if (i < 0 || j < 0 || k < 0 || i >= LAB_SIDE || j >= LAB_SIDE ||
            k >= LAB_SIDE)
            continue;
        sum += weight * blacks[LAB_AT(i, j, k)].wanted;
        weights += weight;
    }
    const struct black_share *black = &blacks[LAB_AT(l, a, b)];
    const double smooth =
        black->gray * black->wanted + (1 - black->gray) * sum / weights;
    return fmin(black->most, fmax(black->least, smooth));
}

/* An intent: how colors come into the gamut before the nearest is looked for.
 * Without a knee only that is done. */
struct intent {
    cmsTagSignature tag;
    double knee, stretch;
};

static void find_blacks(const struct gamut *gamut, const struct intent *intent,
                        struct black_share *blacks)
{
    for (int i = 0; i < LAB_NODES; i++) {
        double lab[3];

        lab_of_node(i / (LAB_SIDE * LAB_SIDE), i / LAB_SIDE % LAB_SIDE,
                    i % LAB_SIDE, lab);
        if (intent->knee > 0)
            gamut_map(gamut, intent->knee, intent->stretch, lab);
        blacks[i] = separate_black(lab);
    }
}

/* The areas of inks for L*, a*, b*. */
static bool write_inks(cmsHPROFILE profile, const struct press_model *press,
                       const struct black_share *blacks, cmsTagSignature tag)
{
    static cmsUInt16Number table[LAB_NODES][COLOR_INKS];
    static const struct shape shape = {3, 4, LAB_SIDE, from_lab, to_tones};

    for (int i = 0; i < LAB_NODES; i++) {
        double area[COLOR_INKS];

        separate_with_black(blacks[i].lab,
                            smooth_black(blacks, i / (LAB_SIDE * LAB_SIDE),
                                         i / LAB_SIDE % LAB_SIDE, i % LAB_SIDE),
                            area);
        for (int k = 0; k < COLOR_INKS; k++)
            table[i][k] = sixteen(area[ink_of[k]]);
    }
    return write_table(profile, tag, press, &shape, table[0]);
}

/* Writes the distance of colors from the gamut, as separate_nearest() finds it,
 * in 1/100. */
static bool write_gamut(cmsHPROFILE profile, const struct press_model *press,
                        const struct black_share *blacks)
{
    static cmsUInt16Number table[LAB_NODES];
    static const struct shape shape = {3, 1, LAB_SIDE, from_lab, four_same};

    for (int i = 0; i < LAB_NODES; i++)
        table[i] = blacks[i].off < 0.5 ? 0 : sixteen(blacks[i].off / 100);
    return write_table(profile, cmsSigGamutTag, press, &shape, table);
}

static bool write_tables(cmsHPROFILE profile, const struct press_model *press)
{
    static const struct intent intents[] = {
        {cmsSigBToA1Tag, 0, 0},
        {cmsSigBToA0Tag, 0.75, 1},
        {cmsSigBToA2Tag, 0.85, 1.2},
    };
    struct black_share *blacks = train_alloc(LAB_NODES, sizeof *blacks);
    struct gamut gamut;
    bool ok = write_colors(profile, press);

    gamut_init(&gamut);
    for (size_t i = 0; ok && i < sizeof intents / sizeof intents[0]; i++) {
        find_blacks(&gamut, &intents[i], blacks);
        ok = write_inks(profile, press, blacks, intents[i].tag) &&
             (i > 0 || write_gamut(profile, press, blacks));
    }
    free(blacks);
    return ok;
}

/* ---- Profile ------------------------------------------------------------- */

static bool write_text(cmsHPROFILE profile, cmsTagSignature tag,
                       const char *text)
{
    cmsMLU *words = cmsMLUalloc(NULL, 1);
    bool ok = cmsMLUsetASCII(words, "en", "US", text) &&
              cmsWriteTag(profile, tag, words);

    cmsMLUfree(words);
    return ok;
}

cmsHPROFILE profile_make(void)
{
    struct press_model press;

    if (!press_open(&press))
        return NULL;
    cmsHPROFILE profile = cmsCreateProfilePlaceholder(NULL);

    cmsSetProfileVersion(profile, 2.4);
    cmsSetDeviceClass(profile, cmsSigOutputClass);
    cmsSetColorSpace(profile, cmsSigCmykData);
    cmsSetPCS(profile, cmsSigLabData);
    cmsSetHeaderRenderingIntent(profile, INTENT_RELATIVE_COLORIMETRIC);
    if (write_text(profile, cmsSigProfileDescriptionTag,
                   "rastertohalftone generic") &&
        write_text(profile, cmsSigCopyrightTag,
                   "Apache License 2.0; made by lab/train/profile") &&
        cmsWriteTag(profile, cmsSigMediaWhitePointTag, cmsD50_XYZ()) &&
        write_tables(profile, &press))
        return profile;
    cmsCloseProfile(profile);
    return NULL;
}
