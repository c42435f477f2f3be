/*
 * dbs_main.c - program dbs: direct binary search on a torus.
 *
 *   dbs pattern SIDE FIRST COUNT OUT.pbm  tone 127.5, the best of COUNT seeds
 *   dbs references WORK [JOBS]            every tone's patches into WORK
 *   dbs reach TONE                        what looking less far costs
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"
#include "lab/train/dbs.h"
#include "lab/train/hvs.h"
#include "lab/train/jobs.h"
#include "lab/train/reference.h"

#define MAX_SIDE 4096

static const char usage[] = "Usage: dbs pattern SIDE FIRST COUNT OUT.pbm\n"
                            "       dbs references WORK [JOBS]\n"
                            "       dbs reach TONE\n";

static bool pattern(int side, uint64_t first, uint32_t count, const char *out)
{
    struct plane best = {0}, flat = plane_flat(side, side, 128);
    double least = 1;

    for (uint32_t i = 0; i < count; i++) {
        uint64_t seed = first + (uint64_t)i * 1000;
        struct plane dots =
            dbs_patch(side, side, 127.5, HVS_SCALE, DBS_BEST, seed);
        double error = hvs_error(&dots, &flat, HVS_SCALE, 0);

        fprintf(stderr, "seed %" PRIu64 ": HVS error %.6e\n", seed, error);
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
        struct plane dots =
            dbs_patch(REFERENCE_SIDE, REFERENCE_SIDE, tone, HVS_SCALE, kind,
                      (uint64_t)tone * 100000 + (uint64_t)i * 1000);
        bool ok = plane_write_pbm(&dots, part) && rename(part, path) == 0;
        plane_free(&dots);
        if (!ok)
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

/* ---- Commands, with the words behind their names ----------------------- */

static int make_pattern(char **word)
{
    uint32_t side, first, count;

    if (!command_number("SIDE", word[0], DBS_LEAST, MAX_SIDE, &side) ||
        !command_number("FIRST", word[1], 0, UINT32_MAX, &first) ||
        !command_number("COUNT", word[2], 1, UINT32_MAX, &count))
        return EXIT_USAGE;
    return command_status(pattern((int)side, first, count, word[3]));
}

static int make_references(int count, char **word)
{
    uint32_t jobs = 0;

    if (count == 2 && !command_number("JOBS", word[1], 0, JOBS_MAX, &jobs))
        return EXIT_USAGE;
    return command_status(jobs_run(2 * (REFERENCE_TONES - 1), jobs,
                                   "references", references, word[0]));
}

static int tell_reach(char **word)
{
    uint32_t tone;

    if (!command_number("TONE", word[0], 1, 254, &tone))
        return EXIT_USAGE;
    reach((int)tone);
    return command_status(true);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {COMMAND_OPTIONS};

    command_option(argc, argv, options, usage);
    char **word = argv + optind;
    int count = argc - optind;
    if (count == 5 && strcmp(word[0], "pattern") == 0)
        return make_pattern(word + 1);
    if ((count == 2 || count == 3) && strcmp(word[0], "references") == 0)
        return make_references(count - 1, word + 1);
    if (count == 2 && strcmp(word[0], "reach") == 0)
        return tell_reach(word + 1);
    command_misuse(usage);
}
