/*
 * goals.c - each goal is a ratio of two results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "lab/bench/goals.h"

#define ALL_CPUS 0u /* stands for their number */

struct side {
    const char *name, *method, *content;
    uint32_t inks, threads;
};

static const struct {
    const char *what;
    double least, most; /* of the ratio of rates; 0 = no bound */
    bool as_time;       /* the bound and the ratio are of times */
    struct side of, to;
} goals[] = {
    {"TDFED, gray photo, to zimg's error diffusion",
     0.7,
     0,
     false,
     {"cpu*", "tdfed4", "photo", 1, 1},
     {"zimg", "fs", "photo", 1, 1}},
    {"TDFED, gray photo, to pgmtopbm -fs",
     6,
     0,
     false,
     {"cpu*", "tdfed4", "photo", 1, 1},
     {"pgmtopbm", "fs", "photo", 1, 1}},
    {"TDFED, gray, text to photo",
     4,
     0,
     false,
     {"cpu*", "tdfed4", "text", 1, 1},
     {"cpu*", "tdfed4", "photo", 1, 1}},
    {"TDFED, gray, text without gray edges to photo",
     4,
     0,
     false,
     {"cpu*", "tdfed4", "sharp-text", 1, 1},
     {"cpu*", "tdfed4", "photo", 1, 1}},
    {"TDFED unbroken, CMYK photo, to zimg's error diffusion",
     0.7,
     0,
     false,
     {"cpu*", "tdfed4-unbroken", "photo", 4, 1},
     {"zimg", "fs", "photo", 4, 1}},
    {"Floyd-Steinberg, gray photo, to zimg's error diffusion",
     1.3,
     0,
     false,
     {"cpu*", "fs", "photo", 1, 1},
     {"zimg", "fs", "photo", 1, 1}},
    {"TDFED, CMYK photo, to zimg's error diffusion",
     1,
     0,
     false,
     {"cpu*", "tdfed4", "photo", 4, 1},
     {"zimg", "fs", "photo", 4, 1}},
    {"TDFED, CMYK photo, all CPUs to one thread",
     1.7,
     0,
     false,
     {"cpu*", "tdfed4", "photo", 4, ALL_CPUS},
     {"cpu*", "tdfed4", "photo", 4, 1}},
    {"Whole filter, CMYK photo, time to the null filter's",
     0,
     4,
     true,
     {"rastertohalftone", "tdfed4", "photo", 4, ALL_CPUS},
     {"null-filter", "none", "photo", 4, 1}},
    {"Whole filter, CMYK text, time to the null filter's",
     0,
     1.5,
     true,
     {"rastertohalftone", "tdfed4", "text", 4, ALL_CPUS},
     {"null-filter", "none", "text", 4, 1}},
    {"Whole filter, CMYK text without gray edges, time to the null filter's",
     0,
     1.5,
     true,
     {"rastertohalftone", "tdfed4", "sharp-text", 4, ALL_CPUS},
     {"null-filter", "none", "sharp-text", 4, 1}},
    {"AVX-512 to AVX2, TDFED, CMYK photo",
     0,
     0,
     false,
     {"cpu-avx512", "tdfed4", "photo", 4, 1},
     {"cpu-avx2", "tdfed4", "photo", 4, 1}},
    {"AVX-512 to AVX2, Floyd-Steinberg, CMYK photo",
     0,
     0,
     false,
     {"cpu-avx512", "fs", "photo", 4, 1},
     {"cpu-avx2", "fs", "photo", 4, 1}},
    {"Screen, gray photo, to a copy of its samples",
     0.5,
     0,
     false,
     {"cpu*", "screen", "photo", 1, 1},
     {"copy", "none", "photo", 1, 1}},
    {"Sharpness, gray photo, to a copy of its samples",
     0,
     0,
     false,
     {"ht_sharpen", "sharpness", "photo", 1, 1},
     {"copy", "none", "photo", 1, 1}},
};

_Static_assert(sizeof goals / sizeof goals[0] <= MAX_GOALS, "no room");

static const struct result *find(const struct bench_report *report,
                                 const struct side *side, uint32_t cpus)
{
    return report_best(report, side->name, side->method, side->content,
                       side->inks,
                       side->threads == ALL_CPUS ? cpus : side->threads);
}

unsigned goals_of(const struct bench_report *report, struct goal *out)
{
    unsigned count = sizeof goals / sizeof goals[0];
    uint32_t cpus = report->machine.cpus;

    for (unsigned i = 0; i < count; i++) {
        const struct result *of = find(report, &goals[i].of, cpus);
        const struct result *to = find(report, &goals[i].to, cpus);
        struct goal *goal = &out[i];

        *goal = (struct goal){.what = goals[i].what,
                              .measured = of != NULL && to != NULL};
        if (goals[i].least > 0)
            snprintf(goal->must, sizeof goal->must, "at least %g",
                     goals[i].least);
        else if (goals[i].most > 0)
            snprintf(goal->must, sizeof goal->must, "at most %g",
                     goals[i].most);
        if (of == NULL || to == NULL)
            continue;
        goal->ratio = goals[i].as_time ? of->timing.median / to->timing.median
                                       : megapixels(of) / megapixels(to);
        goal->busy = of->timing.busy / to->timing.busy;
        if (!goals[i].as_time)
            goal->busy = of->pixels / to->pixels / goal->busy;
        goal->rate = megapixels(of);
        goal->met = (goals[i].least == 0 || goal->ratio >= goals[i].least) &&
                    (goals[i].most == 0 || goal->ratio <= goals[i].most);
    }
    return count;
}

void goals_print(const struct bench_report *report)
{
    struct goal list[MAX_GOALS];
    unsigned count = goals_of(report, list);

    printf("\n| what | must | measured | of busy time | Mpixel/s | |\n"
           "|---|---|---|---|---|---|\n");
    for (unsigned i = 0; i < count; i++)
        if (list[i].measured)
            printf("| %s | %s | %.2f | %.2f | %.0f | %s |\n", list[i].what,
                   list[i].must, list[i].ratio, list[i].busy, list[i].rate,
                   list[i].must[0] == '\0' ? ""
                   : list[i].met           ? "met"
                                           : "missed");
        else
            printf("| %s | %s | not measured | | | |\n", list[i].what,
                   list[i].must);
}
