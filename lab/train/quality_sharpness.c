/*
 * quality_sharpness.c - the musts on fine detail, and what it costs in error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "halftone/halftone.h"
#include "lab/train/quality.h"
#include "lab/train/sharpness.h"

#define SLACK 0.03 /* of a transfer from what it must be */

/* Limits for TDFED4, at 50 %. */
static const double must[HT_MAX_SHARPNESS + 1] = {0.96, 1.1, 1.2, 1.3};

static const struct level {
    const char *name;
    int low, high, swing;
} levels[] = {{"50 %", 90, 165, 50}, {"20 %", 35, 67, 20}};

/* Begins a quantity's name with the library's sharpness; peers have none. */
static void prefix_of(char prefix[20], const struct maker *maker,
                      uint32_t sharpness)
{
    prefix[0] = '\0';
    if (maker->printer != NULL)
        snprintf(prefix, 20, "sharpness %u: ", sharpness);
}

static bool print_sharper(const struct maker *maker, const struct plane *tones,
                          uint32_t sharpness, struct plane *dots)
{
    struct plane sharper = sharpness_apply(tones, sharpness);
    bool ok = maker_print(maker, &sharper, dots);

    plane_free(&sharper);
    return ok;
}

/* The mean of several waves. */
static bool transfer_of(const struct maker *maker, const struct level *level,
                        enum sharpness_direction direction, uint32_t sharpness,
                        double *transfer)
{
    bool ok = true;

    *transfer = 0;
    for (int wave = 0; ok && wave < SHARPNESS_WAVES; wave++) {
        struct plane dots = {0};
        struct plane tones = sharpness_waves(direction, wave, level->low,
                                             level->high, level->swing);

        ok = print_sharper(maker, &tones, sharpness, &dots);
        if (ok)
            *transfer += sharpness_transfer(&dots, &tones, direction, wave) /
                         SHARPNESS_WAVES;
        plane_free(&tones);
        plane_free(&dots);
    }
    return ok;
}

static bool add_transfers(struct quality *q, const struct maker *maker,
                          uint32_t sharpness)
{
    static const char *const names[] = {"horizontal", "vertical", "diagonal"};
    char text[80], prefix[20];

    prefix_of(prefix, maker, sharpness);
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        double transfer[SHARPNESS_DIRECTIONS];

        for (int d = 0; d < SHARPNESS_DIRECTIONS; d++) {
            if (!transfer_of(maker, &levels[i], (enum sharpness_direction)d,
                             sharpness, &transfer[d]))
                return false;
            snprintf(text, sizeof text, "%stransfer at 1/4 cycle, %s, %s",
                     prefix, levels[i].name, names[d]);
            quality_inform(q, text, transfer[d]);
        }
        double mean =
            (transfer[SHARPNESS_HORIZONTAL] + transfer[SHARPNESS_VERTICAL]) / 2;
        if (i > 0 || maker->printer == NULL ||
            maker->printer->method != HT_TDFED4)
            continue;
        snprintf(text, sizeof text, "%s50 %%, distance from %g", prefix,
                 must[sharpness]);
        quality_add(q, text, fabs(mean - must[sharpness]), SLACK, false);
    }
    return true;
}

/* Errors against the picture as it was, before it was sharpened. */
static bool add_error(struct quality *q, const struct maker *maker,
                      const struct plane *tones, const char *name,
                      uint32_t sharpness)
{
    struct plane dots;
    char text[80], prefix[20];

    if (!print_sharper(maker, tones, sharpness, &dots))
        return false;
    prefix_of(prefix, maker, sharpness);
    snprintf(text, sizeof text, "%s%s, HVS error at S, 1e-5", prefix, name);
    quality_inform(
        q, text,
        1e5 * hvs_error(&dots, tones, HVS_SCALE, MEASURE_PICTURE_MARGIN));
    snprintf(text, sizeof text, "%s%s, the same, displaced", prefix, name);
    quality_inform(
        q, text,
        1e5 * hvs_error_displaced(&dots, tones, HVS_SCALE, NULL, NULL));
    plane_free(&dots);
    return true;
}

/* Peers are as sharp as they are. */
static uint32_t most_of(const struct maker *maker)
{
    return maker->printer != NULL ? HT_MAX_SHARPNESS : 0;
}

bool quality_sharpness(struct quality *q, const struct maker *maker)
{
    struct plane picture = sharpness_picture();
    bool ok = true;

    for (uint32_t s = 0; ok && s <= most_of(maker); s++)
        ok = add_transfers(q, maker, s) &&
             add_error(q, maker, &picture, "made picture", s);
    plane_free(&picture);
    return ok;
}

bool quality_sharp_photo(struct quality *q, const struct maker *maker,
                         const char *path)
{
    const char *slash = strrchr(path, '/');
    struct plane tones;
    char name[40];
    bool ok;

    snprintf(name, sizeof name, "photo %s", slash ? slash + 1 : path);
    if (!plane_read_pgm(&tones, path))
        return false;
    ok = measure_picture_fits(&tones, path);
    for (uint32_t s = 0; ok && s <= most_of(maker); s++)
        ok = add_error(q, maker, &tones, name, s);
    plane_free(&tones);
    return ok;
}
