/*
 * screen.c - judges the method Screen: dots that laser printers hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab/train/cluster.h"
#include "lab/train/hvs.h"
#include "lab/train/screen.h"

#define TILE 128    /* columns and rows after which Screen repeats */
#define SIDE 512    /* of a flat patch, pixels: whole tiles */
#define LEVELS 4096 /* tones of 16 bits that are counted */
#define FAR 2       /* S, where lines are looked for */
#define BELOW 0.9   /* of the screen's frequency: what is no part of it */
#define SETTLED 64  /* rows and columns of TDFED4 that are left out */

static const struct printer screen = {.method = HT_SCREEN},
                            tdfed4 = {.method = HT_TDFED4,
                                      .segment = HT_DEFAULT_SEGMENT};

/* ---- Clusters ---------------------------------------------------------- */

static bool add_clusters(struct quality *q)
{
    static const struct {
        int percent;
        double isolated, edges; /* at most; isolated in percent */
    } musts[] = {{10, 1, 2.4}, {30, 0, 1.5}, {50, 0, 1.1}};

    for (size_t i = 0; i < sizeof musts / sizeof musts[0]; i++) {
        int percent = musts[i].percent, tone = (255 * percent + 50) / 100;
        struct plane dots;
        double isolated, edges;
        char text[80];

        if (!printer_print_flat(&screen, SIDE, SIDE, &tone, 1, &dots))
            return false;
        cluster_measure(&dots, &isolated, &edges);
        snprintf(text, sizeof text, "isolated dots at %d %%, %%", percent);
        quality_add(q, text, 100 * isolated, musts[i].isolated, false);
        snprintf(text, sizeof text, "edges of an inked pixel at %d %%",
                 percent);
        quality_add(q, text, edges, musts[i].edges, false);
        snprintf(text, sizeof text, "PackBits bytes of %d x %d at %d %%", SIDE,
                 SIDE, percent);
        quality_inform(q, text, (double)cluster_packbits(&dots));
        plane_free(&dots);
    }
    return true;
}

/* ---- Tones ------------------------------------------------------------- */

/* Counts the dots of LEVELS + 1 tones of 16 bits on a tile each. */
static bool count_levels(uint32_t *count)
{
    ht_page_t page = {.method = HT_SCREEN,
                      .width = TILE,
                      .inks = 1,
                      .bits = 16,
                      .band = TILE};
    ht_engine_t *engine = NULL;
    static uint16_t samples[TILE * TILE];
    static uint8_t dots[TILE * TILE / 8];
    ht_status_t status = ht_engine_open(&engine, "cpu", &page);

    for (uint32_t level = 0; status == HT_OK && level <= LEVELS; level++) {
        for (int i = 0; i < TILE * TILE; i++)
            samples[i] = (uint16_t)(65535 * level / LEVELS);
        status = ht_engine_submit(engine, samples, NULL, TILE);
        if (status == HT_OK)
            status = ht_engine_collect(engine, dots, TILE);
        count[level] = 0;
        for (size_t i = 0; i < sizeof dots; i++)
            count[level] += (uint32_t)__builtin_popcount(dots[i]);
    }
    ht_engine_close(engine);
    if (status != HT_OK)
        fprintf(stderr, "printing: %s\n", ht_status_text(status));
    return status == HT_OK;
}

static bool add_tones(struct quality *q)
{
    static uint32_t count[LEVELS + 1];
    double worst = 0;
    int levels = 1;

    for (int tone = 0; tone < 256; tone++) {
        struct plane dots;

        if (!printer_print_flat(&screen, SIDE, SIDE, &tone, 1, &dots))
            return false;
        worst = fmax(worst, fabs(plane_mean(&dots) * 255 - tone));
        plane_free(&dots);
    }
    if (!count_levels(count))
        return false;
    for (int level = 1; level <= LEVELS; level++)
        levels += count[level] > count[level - 1];
    quality_add(q, "mean tone error, worst of 256 tones, /255", worst, 0.1,
                false);
    quality_add(q, "levels that 4097 tones of 16 bits have", levels, 1024,
                true);
    return true;
}

/* ---- Lines below the screen --------------------------------------------- */

/* The mean square that the eye sees of a flat tone of TDFED4. */
static bool grain_of_tdfed4(int tone, double *grain)
{
    int side = SIDE + 2 * SETTLED;
    struct plane dots;

    if (!printer_print_flat(&tdfed4, side, side, &tone, 1, &dots))
        return false;
    struct plane settled = plane_crop(&dots, SETTLED, SETTLED, SIDE, SIDE);
    *grain = hvs_error_flat(&settled, plane_mean(&settled), FAR * HVS_SCALE, 0);
    plane_free(&settled);
    plane_free(&dots);
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static bool add_lines(struct quality *q)
{
    double frequency = sqrt(2) * HT_DEFAULT_CELLS / TILE, ratio[254];
    double strongest = 0, seen = 0;

    for (int tone = 1; tone < 255; tone++) {
        struct plane dots;
        double grain, line;

        if (!printer_print_flat(&screen, TILE, TILE, &tone, 1, &dots))
            return false;
        double all =
            hvs_lines_below(&dots, BELOW * frequency, FAR * HVS_SCALE, &line);
        plane_free(&dots);
        if (!grain_of_tdfed4(tone, &grain))
            return false;
        ratio[tone - 1] = all / grain;
        seen = fmax(seen, all);
        strongest = fmax(strongest, line / grain);
    }
    qsort(ratio, 254, sizeof *ratio, ascending);
    quality_add(q, "lines below the screen / TDFED4's grain, worst", ratio[253],
                1, false);
    quality_inform(q, "the same, median", (ratio[126] + ratio[127]) / 2);
    quality_inform(q, "the strongest line alone / TDFED4's grain", strongest);
    quality_inform(q, "lines below the screen, seen rms, % of a dot, worst",
                   100 * sqrt(seen));
    return true;
}

/* ---- A photo ----------------------------------------------------------- */

static bool add_photo(struct quality *q, const char *path)
{
    struct plane tones = {0}, ours = {0}, grain = {0}, other = {0};
    bool ok = plane_read_pgm(&tones, path) &&
              printer_print(&screen, &tones, 1, &ours) &&
              printer_print(&tdfed4, &tones, 1, &grain) &&
              peer_ghostscript_600(&tones, &other);

    if (ok) {
        double size = (double)cluster_packbits(&other);

        quality_add(q, "photo, PackBits bytes / Ghostscript's screen",
                    (double)cluster_packbits(&ours) / size, 1.2, false);
        quality_inform(q, "the same of TDFED4",
                       (double)cluster_packbits(&grain) / size);
        quality_inform(q, "Ghostscript's bytes", size);
    }
    plane_free(&tones);
    plane_free(&ours);
    plane_free(&grain);
    plane_free(&other);
    return ok;
}

bool screen_quality(struct quality *quality, const char *path)
{
    return add_clusters(quality) && add_tones(quality) && add_lines(quality) &&
           (path == NULL || add_photo(quality, path));
}
