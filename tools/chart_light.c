/*
 * chart_light.c - finds what light a scanner's values stand for, from the known
 * grays of a chart.
 *
 * A scanner blurs light, which keeps its mean, before it makes values of it. So
 * the mean of the light of all values in a gray is the gray's: of lines that
 * cover a share a of the pitch P
 *
 *   1 - c - k q     c = a + g / P     g: what a printer makes a line wider
 *
 * q is the light that enters beside a line and would leave under it, or the
 * other way round, where light goes x far in the paper with e^(-|x|/L) / 2L; k
 * = (1 - t) / (1 + t) of a solid that lets t through once.
 *
 * Some kinds of scanners are tried. Of each, three unknowns are sought, which
 * have ranges where they usually are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "halftone/base/text.h"
#include "tools/calibrate/by_eye.h"
#include "tools/chart_scan.h"
#include "tools/srgb.h"

#ifndef ROUNDS
#define ROUNDS 200 /* of the search */
#endif

#define GRAYS (CHART_GRAYS - 1) /* without the solid */
#define GRAY_DEVIATION 0.003    /* of light: what the equation leaves out */
#define EYE_DEVIATION 0.015     /* of light: what an eye sees */

/* Limits of what is accepted, in square deviations, and of light. */
#define MOST_SCORE 20      /* where the gamma is named, */
#define MOST_SCORE_SEEN 16 /* and where an eye has to tell it */
#define MUCH_WORSE 6       /* than another kind */
#define AS_WELL 2
#define MOST_DOUBT 0.03

/* What lines are wider by and L, in points, and the darkest value. */
enum unknown { WIDER, REACH, BLACK, UNKNOWNS };
static const double usual[UNKNOWNS] = {LINES_WIDER, LINES_REACH, 0};
static const double deviation[UNKNOWNS] = {LINES_WIDER, LINES_WIDER, 0.03};

#define SRGB 0.0
#define LIGHTNESS -1.0
static const struct scan_gamma kinds[] = {{"sRGB", SRGB},
                                          {"2.2", 2.2},
                                          {"1.8", 1.8},
                                          {"linear", 1},
                                          {"L*", LIGHTNESS}};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* What is known of a channel whose light is sought. */
struct sought {
    const struct chart *chart;
    const struct scan_sample *sample;
    double paper, solid; /* their values */
};

/* A kind and its unknowns. */
struct answer {
    struct scan_gamma kind;
    double unknown[UNKNOWNS];
    double score; /* square deviations */
};

static double decode(const struct answer *answer, double value)
{
    const double black = answer->unknown[BLACK];
    const double v = fmax((value / (SCAN_VALUES - 1) - black) / (1 - black), 0);

    if (answer->kind.power == SRGB)
        return srgb_to_light(v);
    if (answer->kind.power == LIGHTNESS)
        return v > 0.08 ? pow((v + 0.16) / 1.16, 3) : v / 9.033;
    return pow(v, answer->kind.power);
}

/* Fills the light of all values. */
static void fill_light(const struct sought *sought, const struct answer *answer,
                       double light[SCAN_VALUES])
{
    const double dark = decode(answer, sought->solid);
    const double bare = decode(answer, sought->paper);

    for (int i = 0; i < SCAN_VALUES; i++)
        light[i] = (decode(answer, i) - dark) / (bare - dark);
}

/* Returns the square deviations of an answer: of what is usual, of the grays,
 * and of what an eye has seen. */
static double score_of(const struct sought *sought, const struct answer *answer)
{
    const struct scan_sample *sample = sought->sample;
    const double *unknown = answer->unknown;
    double light[SCAN_VALUES];

    if (unknown[BLACK] * (SCAN_VALUES - 1) > sought->solid)
        return INFINITY;

    /* Solids have 1.15 to 1.75, most of them. */
    const double density = log10(fmax(decode(answer, sought->paper), 1e-3) /
                                 fmax(decode(answer, sought->solid), 1e-3));
    double sum = pow((density - 1.45) / 0.3, 2);

    fill_light(sought, answer, light);
    for (int i = 0; i < UNKNOWNS; i++)
        sum += pow((unknown[i] - usual[i]) / deviation[i], 2);
    for (unsigned i = 0; i < GRAYS; i++) {
        const struct chart_gray gray = chart_gray(sought->chart, i);
        const double wanted =
            lines_light(gray.pitch, gray.share, unknown[WIDER], unknown[REACH]);

        sum += pow((scan_light_of(&sample->gray[i], light) - wanted) /
                       GRAY_DEVIATION,
                   2);
    }
    if (sample->seen)
        sum += pow((scan_light_of(&sample->half, light) -
                    lines_light(CHART_EYE_PITCH, 0.5, unknown[WIDER],
                                unknown[REACH])) /
                       EYE_DEVIATION,
                   2);
    return sum;
}

/* Moves an answer if its score becomes less. */
static void try_move(const struct sought *sought, struct answer *best,
                     const double move[UNKNOWNS])
{
    struct answer next = *best;

    for (int i = 0; i < UNKNOWNS; i++)
        next.unknown[i] += move[i];
    next.score = score_of(sought, &next);
    if (next.score < best->score)
        *best = next;
}

/* Finds the most probable unknowns of a kind (Hooke and Jeeves 1961): goes
 * along each, and on along where that led, in smaller and smaller steps. */
static struct answer find(const struct sought *sought, struct scan_gamma kind)
{
    struct answer best = {.kind = kind};
    double step = 0.5;

    memcpy(best.unknown, usual, sizeof usual);
    best.score = score_of(sought, &best);
    for (int round = 0; round < ROUNDS; round++) {
        const struct answer before = best;
        double led[UNKNOWNS];

        for (int i = 0; i < 2 * UNKNOWNS; i++) {
            double move[UNKNOWNS] = {0};

            move[i / 2] = (i % 2 ? step : -step) * deviation[i / 2];
            try_move(sought, &best, move);
        }
        for (int i = 0; i < UNKNOWNS; i++)
            led[i] = best.unknown[i] - before.unknown[i];
        for (double least = INFINITY; best.score < least;) {
            least = best.score;
            try_move(sought, &best, led);
        }
        if (best.score == before.score)
            step /= 2;
    }
    return best;
}

/* ---- Checks ------------------------------------------------------------- */

/* Share of values beyond those of paper and solid, which noise does not
 * reach. */
static double beyond(const struct sought *search)
{
    const double range = 0.08 * (search->paper - search->solid);
    double sum = 0;

    for (unsigned i = 0; i < GRAYS; i++)
        for (int v = 0; v < SCAN_VALUES; v++)
            if (v > search->paper + range || v < search->solid - range)
                sum += search->sample->gray[i].share[v] / GRAYS;
    return sum;
}

static bool check_values(const struct sought *search, struct refusal *refusal)
{
    static const char advice[] = "scan without automatic corrections";

    if (search->sample->paper.share[SCAN_VALUES - 1] > 0.02)
        return refuse(refusal, 0,
                      "the paper is cut off at white: %s, or "
                      "darker",
                      advice);
    if (search->sample->gray[GRAYS].share[0] > 0.02)
        return refuse(refusal, 0,
                      "the solid is cut off at black: %s, or "
                      "lighter",
                      advice);
    if (search->paper - search->solid < SCAN_VALUES / 4)
        return refuse(refusal, 0,
                      "paper and solid hardly differ: is this the chart's "
                      "scan?");
    return beyond(search) < 0.01 ||
           refuse(refusal, 0, "the scan has been sharpened: %s", advice);
}

/* Whether two answers that fit as well have the same light. */
static bool agree(const struct sought *sought, const struct answer *a,
                  const struct answer *b)
{
    double light[2][SCAN_VALUES], most = 0;

    if (b->score >= a->score + AS_WELL)
        return true;
    fill_light(sought, a, light[0]);
    fill_light(sought, b, light[1]);
    for (int v = (int)sought->solid; v < sought->paper; v++)
        most = fmax(most, fabs(light[0][v] - light[1][v]));
    return most <= MOST_DOUBT;
}

bool scan_learn(struct scan_light *light, const struct chart *chart,
                const struct scan_sample *sample,
                const struct scan_gamma *gamma, struct refusal *refusal)
{
    const struct sought sought = {chart, sample, scan_mean(&sample->paper),
                                  scan_mean(&sample->gray[GRAYS])};
    struct answer answers[KINDS], best = {.score = INFINITY};

    if (!check_values(&sought, refusal))
        return false;
    for (size_t i = 0; i < KINDS; i++) {
        answers[i] = find(&sought, kinds[i]);
        if (answers[i].score < best.score)
            best = answers[i];
    }
    const double least = best.score;
    if (gamma->name != NULL)
        best = find(&sought, *gamma);
    else if (!sample->seen)
        return refuse(refusal, 0,
                      "the scanner's gamma has to be known: name it, or match "
                      "K by eye");
    if (best.score > least + MUCH_WORSE ||
        best.score > (gamma->name != NULL ? MOST_SCORE : MOST_SCORE_SEEN))
        return refuse(refusal, 0,
                      "the known grays of the chart do not fit %s: scan "
                      "without automatic corrections",
                      gamma->name != NULL ? "that gamma" : "a usual scanner");
    for (size_t i = 0; i < KINDS && gamma->name == NULL; i++)
        if (!agree(&sought, &best, &answers[i]))
            return refuse(refusal, 0,
                          "the scanner's gamma may be %s or %s, which the "
                          "chart cannot tell: name it, or match it by eye",
                          best.kind.name, answers[i].kind.name);
    light->as = best.kind.name;
    fill_light(&sought, &best, light->of);
    return true;
}

bool scan_gamma_read(struct scan_gamma *gamma, const char *text)
{
    gamma->name = text;
    for (size_t i = 0; i < KINDS; i++)
        if (strcmp(text, kinds[i].name) == 0) {
            gamma->power = kinds[i].power;
            return true;
        }
    return text_decimal(text, 1, 3, &gamma->power);
}
