/*
 * reference.c - the results of direct binary search at each tone, kept in the
 * files of a work directory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "lab/train/reference.h"

#define STEP (SPECTRUM_SIDE / 2) /* between windows */

void reference_path(char *path, const char *work, enum dbs_kind kind, int tone,
                    int patch)
{
    snprintf(path, 4096, "%s/%s-%03d-%d.pbm", work,
             kind == DBS_USUAL ? "dbs-usual" : "dbs-best", tone, patch);
}

int reference_patches(enum dbs_kind kind)
{
    return kind == DBS_USUAL ? REFERENCE_PATCHES : 3;
}

bool reference_load(struct reference *out, const char *work, enum dbs_kind kind,
                    int tone)
{
    static struct spectrum spectra[REFERENCE_PATCHES];
    int light = tone > 127 ? 255 - tone : tone;
    struct plane flat = plane_flat(REFERENCE_SIDE, REFERENCE_SIDE, light);
    int patches = reference_patches(kind);
    bool ok = true;

    out->hvs[0] = out->hvs[1] = 0;
    for (int patch = 0; ok && patch < patches; patch++) {
        char path[4096];
        struct plane dots;

        reference_path(path, work, kind, light, patch);
        ok = plane_read_pbm(&dots, path);
        if (!ok)
            break;
        ok = dots.width == REFERENCE_SIDE && dots.height == REFERENCE_SIDE;
        if (ok) {
            spectrum_of(&spectra[patch], &dots, light, STEP, true);
            for (int k = 0; k < 2; k++)
                out->hvs[k] +=
                    hvs_error(&dots, &flat, HVS_SCALE * (k + 1), 0) / patches;
        } else {
            fprintf(stderr, "%s: not %d x %d\n", path, REFERENCE_SIDE,
                    REFERENCE_SIDE);
        }
        plane_free(&dots);
    }
    plane_free(&flat);
    if (ok) {
        spectrum_mean(&out->spectrum, spectra, patches);
        spectrum_symmetrise(&out->spectrum);
    }
    return ok;
}

struct reference *reference_load_all(const char *work, enum dbs_kind kind)
{
    struct reference *all = train_alloc(256, sizeof *all);

    for (int tone = 1; tone < REFERENCE_TONES; tone++) {
        if (!reference_load(&all[tone], work, kind, tone)) {
            free(all);
            return NULL;
        }
        all[255 - tone] = all[tone];
    }
    return all;
}
