/*
 * dbs_main.c - program dbs: direct binary search on a torus.
 *
 *   dbs patch TONE SIDE SEED OUT.pbm      a flat patch, tone 0..255
 *   dbs pattern SIDE FIRST COUNT OUT.pbm  tone 127.5, the best of COUNT seeds
 *   dbs references WORK [JOBS]            every tone's patches into WORK
 *   dbs picture IN.pgm OUT.pbm [FAR]      a picture; looks FAR pixels
 *   dbs reach TONE                        what looking less far costs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "train/dbs.h"
#include "train/hvs.h"
#include "train/jobs.h"
#include "train/reference.h"

static bool patch(double tone, int side, enum dbs_kind kind, uint64_t seed,
                  const char *out)
{
    struct plane dots = dbs_patch(side, side, tone, HVS_SCALE, kind, seed);
    bool ok = plane_write_pbm(&dots, out);

    plane_free(&dots);
    return ok;
}

static bool pattern(int side, uint64_t first, int count, const char *out)
{
    struct plane best = {0}, flat = plane_flat(side, side, 128);
    double least = 1;

    for (int i = 0; i < count; i++) {
        struct plane dots = dbs_patch(side, side, 127.5, HVS_SCALE, DBS_BEST,
                                      first + (uint64_t)i * 1000);
        double error = hvs_error(&dots, &flat, HVS_SCALE, 0);

        fprintf(stderr, "seed %llu: HVS error %.6e\n",
                (unsigned long long)(first + (uint64_t)i * 1000), error);
        if (error < least) {
            least = error;
            plane_free(&best);
            best = dots;
        } else {
            plane_free(&dots);
        }
    }
    plane_free(&flat);
    bool ok = best.value != NULL && plane_write_pbm(&best, out);
    plane_free(&best);
    return ok;
}

/* The patches of a tone and a kind, those that are not there yet; `work`
 * names their place. */
static bool references(int job, void *work)
{
    int tone = 1 + job / 2;
    enum dbs_kind kind = job % 2 ? DBS_USUAL : DBS_BEST;

    for (int i = 0; i < reference_patches(kind); i++) {
        char path[4096], part[4096 + 8];

        reference_path(path, work, kind, tone, i);
        if (access(path, R_OK) == 0)
            continue;
        snprintf(part, sizeof part, "%s.part", path);
        if (!patch(tone, REFERENCE_SIDE, kind,
                   (uint64_t)(tone * 100000 + i * 1000), part) ||
            rename(part, path) != 0)
            return false;
    }
    return true;
}

/* Prints, for some distances that the search looks, the HVS errors of three
 * patches over those of patches that look 40 pixels. */
static void reach(int tone)
{
    static const int far[] = {40, 24, 20, 19, 18, 17, 16, 12, 8};
    struct plane flat = plane_flat(REFERENCE_SIDE, REFERENCE_SIDE, tone);
    double first[2] = {0};

    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        double error[2] = {0};

        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct plane dots =
                dbs_patch_far(REFERENCE_SIDE, REFERENCE_SIDE, tone, HVS_SCALE,
                              far[i], seed * 1000);
            for (int k = 0; k < 2; k++)
                error[k] += hvs_error(&dots, &flat, HVS_SCALE * (k + 1), 0);
            plane_free(&dots);
        }
        for (int k = 0; i == 0 && k < 2; k++)
            first[k] = error[k];
        printf("%2d pixels: HVS error at S %.3f, at 2S %.3f\n", far[i],
               error[0] / first[0], error[1] / first[1]);
    }
    plane_free(&flat);
}

static bool picture(const char *in, const char *out, int far)
{
    struct plane tones;

    if (!plane_read_pgm(&tones, in))
        return false;
    struct plane dots = dbs_picture(&tones, HVS_SCALE, far, 1);
    bool ok = plane_write_pbm(&dots, out);
    plane_free(&tones);
    plane_free(&dots);
    return ok;
}

int main(int argc, char **argv)
{
    if (argc == 6 && strcmp(argv[1], "patch") == 0)
        return !patch(atof(argv[2]), atoi(argv[3]), DBS_USUAL,
                      strtoull(argv[4], NULL, 10), argv[5]);
    if (argc == 6 && strcmp(argv[1], "pattern") == 0)
        return !pattern(atoi(argv[2]), strtoull(argv[3], NULL, 10),
                        atoi(argv[4]), argv[5]);
    if ((argc == 3 || argc == 4) && strcmp(argv[1], "references") == 0)
        return !jobs_run(2 * (REFERENCE_TONES - 1),
                         argc == 4 ? atoi(argv[3]) : 0, "references",
                         references, argv[2]);
    if (argc == 3 && strcmp(argv[1], "reach") == 0 && atoi(argv[2]) > 0 &&
        atoi(argv[2]) < 255) {
        reach(atoi(argv[2]));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "picture") == 0)
        return !picture(argv[2], argv[3], DBS_USUAL_FAR);
    if (argc == 5 && strcmp(argv[1], "picture") == 0 && atoi(argv[4]) > 0)
        return !picture(argv[2], argv[3], atoi(argv[4]));
    fprintf(stderr, "Usage: dbs patch TONE SIDE SEED OUT.pbm\n"
                    "       dbs pattern SIDE FIRST COUNT OUT.pbm\n"
                    "       dbs references WORK [JOBS]\n"
                    "       dbs picture IN.pgm OUT.pbm [FAR]\n"
                    "       dbs reach TONE\n");
    return 2;
}
