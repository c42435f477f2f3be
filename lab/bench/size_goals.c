/*
 * size_goals.c - pages of three sizes of drops, 1/3, 2/3 and 1, mixed on all
 * pixels, beside pages of one size.
 *
 * Both are run by turns, and timed band by band. The least time of each band
 * counts: a band takes so short a time that others who use the machine leave
 * some runs of it alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "lab/bench/clock.h"
#include "lab/bench/engines.h"
#include "lab/bench/noise.h"
#include "lab/bench/size_goals.h"

#define MOST 1.3 /* times as long as one size may three take */
#define BANDS (CONTENT_ROWS / ENGINE_BAND)

static const struct {
    ht_method_t method;
    const char *name;
    uint32_t segment;
} methods[] = {{HT_TDFED4, "tdfed4", HT_DEFAULT_SEGMENT},
               {HT_FLOYD_STEINBERG, "fs", 0},
               {HT_THRESHOLD, "threshold", 0},
               {HT_SCREEN, "screen", 0}};

#define METHODS (sizeof methods / sizeof methods[0])
#define SAMPLES ((TEXT + 1) * 2 * 2) /* contents, inks, bits */

/* A goal's pages on their way. */
struct pair {
    struct size_goal *goal;
    struct engine_page one, three;
    double least_of_one[BANDS], least_of_three[BANDS]; /* seconds */
};

struct sizes_bench {
    uint8_t *samples[SAMPLES];
    uint8_t *dots; /* the same for all */
    struct pair pair[MAX_SIZE_GOALS];
};

/* Makes samples of 16 bits of those of 8: toned ones get bits that these have
 * not, as a photo's grain has. NULL without memory. */
static uint8_t *deepen(const uint8_t *samples, uint32_t inks)
{
    const size_t count = (size_t)CONTENT_ROWS * inks * PAGE_WIDTH;
    uint16_t *deep = malloc(count * sizeof *deep);

    for (size_t i = 0; deep != NULL && i < count; i++)
        deep[i] =
            samples[i] == 0 || samples[i] == 255
                ? (uint16_t)(samples[i] * 257)
                : (uint16_t)(samples[i] << 8 | (noise_hash((uint32_t)i) & 255));
    return (uint8_t *)deep;
}

/* Adds a goal, if the engine does such pages with one size and with three. */
static void enter(struct sizes_bench *bench, struct size_goals *goals,
                  const struct size_goal *goal, const struct engine_page *page)
{
    struct engine_page three = *page;

    three.shape.levels = 4;
    three.shape.area[0] = (HT_WHOLE_DOT + 1) / 3;
    three.shape.area[1] = (2 * HT_WHOLE_DOT + 1) / 3;
    three.shape.area[2] = HT_WHOLE_DOT;
    three.shape.mixed = HT_MAX_MIXED;
    if (goals->count < MAX_SIZE_GOALS && engine_can_do(page) &&
        engine_can_do(&three)) {
        struct pair *pair = &bench->pair[goals->count];

        *pair = (struct pair){&goals->goal[goals->count++], *page, three,
                              .least_of_one = {0}};
        *pair->goal = *goal;
    }
}

/* Adds the goals of some samples. */
static void enter_samples(struct sizes_bench *bench, struct size_goals *goals,
                          const uint8_t *samples, const char *content,
                          uint32_t inks, uint32_t bits, const char *engine)
{
    for (unsigned m = 0; m < METHODS; m++)
        for (const char *const *e = ht_engine_names() + 1; *e; e++)
            if (engine == NULL || strcmp(engine, *e) == 0)
                enter(bench, goals,
                      &(struct size_goal){*e, methods[m].name, content, inks,
                                          bits, 0, 0},
                      &(struct engine_page){
                          .engine = *e,
                          .shape = {.method = methods[m].method,
                                    .width = PAGE_WIDTH,
                                    .inks = inks,
                                    .bits = bits,
                                    .segment = methods[m].segment,
                                    .band = ENGINE_BAND,
                                    .threads = 1},
                          .samples = samples,
                          .rows = CONTENT_ROWS,
                          .dots = bench->dots});
}

/* Makes a content's samples of 8 bits and of 16, and adds their goals. */
static bool enter_content(struct sizes_bench *bench, struct size_goals *goals,
                          enum content content, uint32_t inks,
                          const char *engine)
{
    uint8_t **samples =
        &bench->samples[2 * (2 * (unsigned)content + (inks > 1))];
    const char *name = content_names[content];

    samples[0] = content_make(content, inks);
    if (samples[0] != NULL)
        samples[1] = deepen(samples[0], inks);
    if (samples[1] == NULL)
        return false;
    enter_samples(bench, goals, samples[0], name, inks, 8, engine);
    enter_samples(bench, goals, samples[1], name, inks, 16, engine);
    return true;
}

/* Runs a page, and keeps the least time of each band. */
static bool run_page(struct engine_page *page, double *least, bool first)
{
    double seconds[BANDS];

    page->seconds = seconds;
    if (engine_run_page(page) < 0)
        return false;
    for (unsigned i = 0; i < BANDS; i++)
        if (first || seconds[i] < least[i])
            least[i] = seconds[i];
    return true;
}

static double cost_of(const struct engine_page *page, const double *least)
{
    double sum = 0;

    for (unsigned i = 0; i < BANDS; i++)
        sum += least[i];
    return 1e9 * sum / ((double)page->rows * PAGE_WIDTH * page->shape.inks);
}

static bool run_all(struct sizes_bench *bench, struct size_goals *goals,
                    unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned i = 0; i < goals->count; i++) {
            struct pair *pair = &bench->pair[i];

            if (!run_page(&pair->one, pair->least_of_one, round == 0) ||
                !run_page(&pair->three, pair->least_of_three, round == 0))
                return false;
            pair->goal->one = cost_of(&pair->one, pair->least_of_one);
            pair->goal->three = cost_of(&pair->three, pair->least_of_three);
        }
    return true;
}

bool size_goals_measure(struct size_goals *goals, const char *engine,
                        unsigned rounds)
{
    struct sizes_bench *bench = calloc(1, sizeof *bench);
    bool ok = bench != NULL;

    goals->count = 0;
    if (ok)
        bench->dots = malloc(2 * ENGINE_DOTS(4)); /* of 2 bits */
    ok = ok && bench->dots != NULL;
    for (unsigned c = PHOTO; ok && c <= TEXT; c++)
        ok = enter_content(bench, goals, (enum content)c, 1, engine) &&
             enter_content(bench, goals, (enum content)c, 4, engine);
    if (!ok)
        fputs("halftone-bench: not enough memory\n", stderr);
    if (ok && goals->count == 0)
        fprintf(stderr, "halftone-bench: %s: no engine for several sizes\n",
                engine);
    ok = ok && goals->count > 0 && run_all(bench, goals, rounds);
    for (unsigned i = 0; bench != NULL && i < SAMPLES; i++)
        free(bench->samples[i]);
    if (bench != NULL)
        free(bench->dots);
    free(bench);
    return ok;
}

void size_goals_print(const struct size_goals *goals)
{
    fputs("\n| engine | method | page | inks | bits | one size, ns | three, ns "
          "| must | measured | |\n|---|---|---|---|---|---|---|---|---|---|\n",
          stdout);
    for (unsigned i = 0; i < goals->count; i++) {
        const struct size_goal *g = &goals->goal[i];

        printf("| %s | %s | %s | %u | %u | %.3f | %.3f | at most %g | %.2f | "
               "%s |\n",
               g->engine, g->method, g->content, g->inks, g->bits, g->one,
               g->three, MOST, g->three / g->one,
               g->three / g->one <= MOST ? "met" : "missed");
    }
    putchar('\n');
}

void size_goals_json(const struct size_goals *goals, FILE *out)
{
    for (unsigned i = 0; i < goals->count; i++) {
        const struct size_goal *g = &goals->goal[i];

        fprintf(out,
                "%s    {\"engine\": \"%s\", \"method\": \"%s\", "
                "\"content\": \"%s\", \"inks\": %u, \"bits\": %u, "
                "\"one_ns\": %.4f, \"three_ns\": %.4f, \"most\": %g, "
                "\"ratio\": %.3f}",
                i == 0 ? "\n" : ",\n", g->engine, g->method, g->content,
                g->inks, g->bits, g->one, g->three, MOST, g->three / g->one);
    }
}
