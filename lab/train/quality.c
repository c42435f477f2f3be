/*
 * quality.c - the quality that the product has to reach, must by must.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lab/train/jobs.h"
#include "lab/train/quality.h"

bool maker_print(const struct maker *maker, const struct plane *tones,
                 struct plane *dots)
{
    return maker->printer ? printer_print(maker->printer, tones, 1, dots)
                          : maker->peer->print(tones, dots);
}

/* ---- The list --------------------------------------------------------- */

static void add(struct quality *quality, const char *quantity, struct must must)
{
    assert(quality->count < QUALITY_MUSTS);
    snprintf(must.quantity, sizeof must.quantity, "%s%s",
             quality->square ? "square: " : "", quantity);
    quality->must[quality->count++] = must;
}

void quality_add(struct quality *quality, const char *quantity, double value,
                 double limit, bool at_least)
{
    add(quality, quantity,
        (struct must){"", value, limit, at_least,
                      !quality->unlimited && !quality->square});
}

void quality_inform(struct quality *quality, const char *quantity, double value)
{
    add(quality, quantity, (struct must){"", value, 0, false, false});
}

void quality_square(struct quality *quality, bool square)
{
    quality->square = square;
}

bool must_kept(const struct must *must)
{
    return !must->stated || (must->at_least ? must->value >= must->limit
                                            : must->value <= must->limit);
}

/* ---- Flat patches ----------------------------------------------------- */

struct flat_job {
    const struct maker *maker;
    const struct reference *usual, *best;
    struct measured *measured;
};

static bool measure_tone(int job, void *context)
{
    struct flat_job *flat = context;
    int tone = job + 1;
    struct plane tones = plane_flat(MEASURE_WIDTH, MEASURE_HEIGHT, tone), dots;
    bool ok = maker_print(flat->maker, &tones, &dots);

    if (ok) {
        measure_flat(&flat->measured[tone], &dots, tone, &flat->usual[tone],
                     &flat->best[tone]);
        plane_free(&dots);
    }
    plane_free(&tones);
    return ok;
}

struct measured *quality_measure(const struct maker *maker,
                                 const struct reference *usual,
                                 const struct reference *best, uint32_t jobs)
{
    struct measured *measured =
        mmap(NULL, 256 * sizeof *measured, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct flat_job flat = {maker, usual, best, measured};
    struct plane tones = plane_flat(64, 64, 128), dots;

    /* Prints once before the processes start, so that each of them finds the
     * tables that a peer makes at its first use. */
    if (measured == MAP_FAILED || !maker_print(maker, &tones, &dots))
        return NULL;
    plane_free(&tones);
    plane_free(&dots);
    return jobs_run(254, jobs, maker->name, measure_tone, &flat) ? measured
                                                                 : NULL;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *value, int count)
{
    qsort(value, (size_t)count, sizeof *value, ascending);
    return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Maxima: [0] over tones 1 to 6 and their mirrors, [1] over the others. */
struct extremes {
    double ratio[2], ratio_far[2], best[2], best_far[2], anisotropy[2];
    double texture, rows, row_range, tone, line, jump;
};

static struct extremes extremes_of(const struct measured *measured)
{
    struct extremes e = {.anisotropy = {-100, -100}};

    for (int tone = 1; tone < 255; tone++) {
        const struct measured *m = &measured[tone];
        int k = tone > 6 && tone < 249;

        e.ratio[k] = larger(e.ratio[k], m->ratio[0]);
        e.ratio_far[k] = larger(e.ratio_far[k], m->ratio[1]);
        e.best[k] = larger(e.best[k], m->best_ratio[0]);
        e.best_far[k] = larger(e.best_far[k], m->best_ratio[1]);
        e.anisotropy[k] = larger(e.anisotropy[k], m->anisotropy);
        e.texture = larger(e.texture, m->texture);
        e.rows = larger(e.rows, m->rows);
        e.row_range = larger(e.row_range, m->row_range);
        e.tone = larger(e.tone, fabs(m->tone));
        e.line = larger(e.line, m->line);
        if (tone >= 5 && tone < 250)
            e.jump = larger(e.jump, measure_jump(m, m + 1));
    }
    return e;
}

void quality_flat(struct quality *q, const struct measured *measured,
                  const struct measured *rival)
{
    struct extremes e = extremes_of(measured);
    double texture[254], rows[254], row_range[254];
    int ahead = 0;

    for (int tone = 1; tone < 255; tone++) {
        texture[tone - 1] = measured[tone].texture;
        rows[tone - 1] = measured[tone].rows;
        row_range[tone - 1] = measured[tone].row_range;
        if (tone < 128 && rival != NULL)
            ahead += measured[tone].texture <= rival[tone].texture;
    }
    quality_add(q, "HVS error / DBS at S, worst tone",
                larger(e.ratio[0], e.ratio[1]), 1.05, false);
    quality_add(q, "HVS error / DBS at 2S, tones 1-6", e.ratio_far[0], 1.25,
                false);
    quality_add(q, "HVS error / DBS at 2S, tones 7 and up", e.ratio_far[1], 1,
                false);
    quality_inform(q, "HVS error / best DBS at S, tones 1-6", e.best[0]);
    quality_inform(q, "HVS error / best DBS at S, tones 7 and up", e.best[1]);
    quality_inform(q, "HVS error / best DBS at 2S, tones 1-6", e.best_far[0]);
    quality_inform(q, "HVS error / best DBS at 2S, tones 7 and up",
                   e.best_far[1]);
    quality_add(q, "texture distance, worst tone", e.texture, 0.016, false);
    quality_add(q, "texture distance, median", median(texture, 254), 0.009,
                false);
    if (rival != NULL)
        quality_add(q, "tones of 127 with texture <= Zhou-Fang's", ahead, 115,
                    true);
    quality_add(q, "anisotropy, tones 1-6, dB", e.anisotropy[0], -5, false);
    quality_add(q, "anisotropy, tones 7 and up, dB", e.anisotropy[1], -8.5,
                false);
    quality_add(q, "spread of row means, worst tone, /255", e.rows, 3.5, false);
    quality_add(q, "spread of row means, median, /255", median(rows, 254), 1,
                false);
    quality_inform(q, "range of row means, worst tone, /255", e.row_range);
    quality_inform(q, "range of row means, median, /255",
                   median(row_range, 254));
    quality_add(q, "mean tone error, worst tone, /255", e.tone, 0.05, false);
    quality_add(q, "texture jump to the next tone, from 5", e.jump, 0.013,
                false);
    quality_inform(q, "strongest spectral line, worst tone, dB", e.line);
}

/* ---- Pictures --------------------------------------------------------- */

/* FNV-1a: pictures of one name are not the same picture. */
static uint32_t checksum(const struct plane *tones)
{
    size_t count = (size_t)tones->width * (size_t)tones->height;
    uint32_t sum = 2166136261u;

    for (size_t i = 0; i < count; i++)
        sum = (sum ^ tones->value[i]) * 16777619u;
    return sum;
}

/* DBS's dots of a picture, from `work` or made now. */
static struct plane picture_of_dbs(const struct plane *tones, const char *work,
                                   const char *name)
{
    char path[4096];
    struct plane dots;

    snprintf(path, sizeof path, "%s/dbs-picture-%s-%08x.pbm", work, name,
             checksum(tones));
    if (access(path, R_OK) == 0 && plane_read_pbm(&dots, path)) {
        if (dots.width == tones->width && dots.height == tones->height)
            return dots;
        plane_free(&dots);
    }
    dots = dbs_picture(tones, HVS_SCALE, 1);
    plane_write_pbm(&dots, path);
    return dots;
}

/* Measures a picture against DBS's: ratio[0..1] at S and 2S, [2..3] the same
 * with the least errors over displacements. */
static bool picture_ratios(const struct maker *maker, const struct plane *tones,
                           const char *work, const char *name, double *ratio)
{
    struct measured_picture ours, dbs;
    struct plane dots, of_dbs;

    if (!maker_print(maker, tones, &dots))
        return false;
    of_dbs = picture_of_dbs(tones, work, name);
    measure_picture(&ours, &dots, tones);
    measure_picture(&dbs, &of_dbs, tones);
    for (int k = 0; k < 2; k++) {
        ratio[k] = ours.error[k] / dbs.error[k];
        ratio[2 + k] = ours.displaced[k] / dbs.displaced[k];
    }
    plane_free(&dots);
    plane_free(&of_dbs);
    return true;
}

bool quality_ramp(struct quality *q, const struct maker *maker,
                  const char *work)
{
    struct plane ramp = plane_new(1024, 512);
    double ratio[4];

    for (int i = 0; i < ramp.width * ramp.height; i++)
        ramp.value[i] = (uint8_t)(i % ramp.width / 4);
    bool ok = picture_ratios(maker, &ramp, work, "ramp", ratio);
    plane_free(&ramp);
    if (ok) {
        quality_add(q, "gray ramp, HVS error / DBS at S", ratio[0], 1.06,
                    false);
        quality_add(q, "gray ramp, HVS error / DBS at 2S", ratio[1], 0.85,
                    false);
    }
    return ok;
}

bool quality_photo(struct quality *q, const struct maker *maker,
                   const char *work, const char *path, double limit)
{
    const char *slash = strrchr(path, '/');
    char name[40], text[80];
    struct plane tones;
    double ratio[4];

    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    if (!plane_read_pgm(&tones, path))
        return false;
    bool ok = measure_picture_fits(&tones, path) &&
              picture_ratios(maker, &tones, work, name, ratio);
    plane_free(&tones);
    for (int k = 0; ok && k < 4; k++) {
        snprintf(text, sizeof text, "photo %s, HVS error / DBS at %s%s", name,
                 k % 2 ? "2S" : "S", k > 1 ? ", displaced" : "");
        if (k == 0)
            quality_add(q, text, ratio[k], limit, false);
        else
            quality_inform(q, text, ratio[k]);
    }
    return ok;
}

/* ---- White and solid -------------------------------------------------- */

/* A round gradient in the middle of white on the left half and of solid on
 * the right half. */
bool quality_forced(struct quality *q, const struct maker *maker)
{
    struct plane tones = plane_new(768, 384), dots;
    long wrong = 0;

    for (int y = 0; y < tones.height; y++)
        for (int x = 0; x < tones.width; x++) {
            bool right = x >= 384;
            double r = hypot(x - (right ? 576 : 192), y - 192);
            tones.value[y * tones.width + x] =
                (uint8_t)(r >= 128 ? (right ? 255 : 0) : r * 255 / 128);
        }
    bool ok = maker_print(maker, &tones, &dots);
    for (int i = 0; ok && i < tones.width * tones.height; i++)
        wrong += (tones.value[i] == 0 && dots.value[i]) ||
                 (tones.value[i] == 255 && !dots.value[i]);
    plane_free(&tones);
    if (ok) {
        plane_free(&dots);
        quality_add(q, "wrong dots on pure white and solid", (double)wrong, 0,
                    false);
    }
    return ok;
}
