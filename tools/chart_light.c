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
 * Several kinds of scanners are tried. Each leaves a few unknowns, which have
 * ranges where they usually are; the most probable ones are found by damped
 * Gauss-Newton steps (Levenberg 1944, Marquardt 1963).
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

#define STEPS 40 /* of Gauss and Newton */

#define GRAYS (CHART_GRAYS - 1) /* without the solid */
#define GRAY_DEVIATION 0.003    /* of light: what the equation leaves out */
#define MATCH_DEVIATION 0.015   /* of light: what an eye sees */

/* Limits of what is accepted. */
#define MOST_SCORE 16   /* square deviations of a kind */
#define MOST_DOUBT 0.03 /* of light, between two kinds that fit as well */
#define MUCH_WORSE 6    /* in square deviations, than another kind */
#define AS_WELL 2       /* in square deviations */

/* What is sought: the darkest value, what lines are wider by and L in points,
 * and a correction of three terms with its power, for scanners of no standard.
 */
enum unknown { BLACK, WIDER, REACH, POWER, BEND, LEAN, CURL, UNKNOWNS };

static const struct usual {
    double mean, deviation;
} usual[UNKNOWNS] = {{0, 0.03},
                     {LINES_WIDER, LINES_WIDER},
                     {LINES_REACH, LINES_WIDER},
                     {0.7, 0.3},
                     {0, 0.05},
                     {0, 0.05},
                     {0, 0.05}};

/* A kind of scanner: its values by light, and how rare it is, in square
 * deviations. The last one has any power and a correction. */
#define SRGB 0.0
#define LIGHTNESS -1.0
static const struct kind {
    const char *name;
    double power;
    double rare;
    int unknowns;
} kinds[] = {{"sRGB", SRGB, 0, POWER},    {"2.2", 2.2, 0.5, POWER},
             {"1.8", 1.8, 1, POWER},      {"linear", 1, 1, POWER},
             {"L*", LIGHTNESS, 1, POWER}, {"odd", 2, 6, UNKNOWNS}};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* What is known of a channel whose light is sought. */
struct sought {
    const struct chart *chart;
    const struct scan_sample *sample;
    double paper, solid; /* their values */
};

/* A kind and its unknowns. */
struct answer {
    struct kind kind;
    double unknown[UNKNOWNS];
    double score; /* square deviations, with how rare it is */
};

static double decode(const struct answer *answer, double value)
{
    const double black = answer->unknown[BLACK];
    const double v = fmax((value / (SCAN_VALUES - 1) - black) / (1 - black), 0);

    if (answer->kind.power == SRGB)
        return srgb_to_light(v);
    if (answer->kind.power == LIGHTNESS)
        return v > 0.08 ? pow((v + 0.16) / 1.16, 3) : v / 9.033;
    return pow(v, answer->kind.unknowns > POWER ? exp(answer->unknown[POWER])
                                                : answer->kind.power);
}

/* Fills the light of all values. */
static void fill_light(const struct sought *search, const struct answer *answer,
                       double light[SCAN_VALUES])
{
    const double *unknown = answer->unknown;
    const double dark = decode(answer, search->solid);
    const double bare = decode(answer, search->paper);

    for (int i = 0; i < SCAN_VALUES; i++) {
        const double u = (i - search->solid) / (search->paper - search->solid);
        const double v = 2 * u - 1;

        light[i] = (decode(answer, i) - dark) / (bare - dark);
        if (answer->kind.unknowns > BEND)
            light[i] += u * (1 - u) *
                        (unknown[BEND] + unknown[LEAN] * v +
                         unknown[CURL] * (2 * v * v - 1));
    }
}

/* Of the grays, the unknowns, the density of the solid, and a match. */
#define TERMS (GRAYS + UNKNOWNS + 2)

static double light_in(const struct scan_values *values,
                       const double light[SCAN_VALUES])
{
    double sum = 0;

    for (int v = 0; v < SCAN_VALUES; v++)
        sum += values->share[v] * light[v];
    return sum;
}

/* Fills what is left over, in deviations. */
static void leave_over(const struct sought *search, const struct answer *answer,
                       double left[TERMS])
{
    const struct scan_sample *sample = search->sample;
    double light[SCAN_VALUES];

    fill_light(search, answer, light);
    for (unsigned i = 0; i < GRAYS; i++) {
        const struct chart_gray gray = chart_gray(search->chart, i);

        left[i] = (light_in(&sample->gray[i], light) -
                   lines_light(gray.pitch, gray.share, answer->unknown[WIDER],
                               answer->unknown[REACH])) /
                  GRAY_DEVIATION;
    }
    for (int i = 0; i < UNKNOWNS; i++)
        left[GRAYS + i] =
            (answer->unknown[i] - usual[i].mean) / usual[i].deviation;

    /* Solids have 1.15 to 1.75, most of them. */
    const double density = log10(fmax(decode(answer, search->paper), 1e-3) /
                                 fmax(decode(answer, search->solid), 1e-3));
    left[TERMS - 2] = (density - 1.45) / 0.3;

    left[TERMS - 1] =
        sample->matched
            ? (light_in(&sample->match, light) -
               lines_light(CHART_EYE_PITCH, 0.5, answer->unknown[WIDER],
                           answer->unknown[REACH])) /
                  MATCH_DEVIATION
            : 0;
}

static double square_sum(const double left[TERMS])
{
    double sum = 0;

    for (int i = 0; i < TERMS; i++)
        sum += left[i] * left[i];
    return sum;
}

/* Solves a x = b, `size` of them, symmetric and positive, in place: x in b
 * (Gauss). */
static void solve(double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS], int size)
{
    for (int i = 0; i < size; i++)
        for (int j = i + 1; j < size; j++) {
            const double factor = a[j][i] / a[i][i];

            for (int k = i; k < size; k++)
                a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
        }
    for (int i = size - 1; i >= 0; i--) {
        for (int k = i + 1; k < size; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
}

/* Makes a damped step from an answer, of which `left` is left over. */
static struct answer step_from(const struct sought *search,
                               const struct answer *answer,
                               const double left[TERMS], double damping)
{
    const int size = answer->kind.unknowns;
    double slope[UNKNOWNS][TERMS], normal[UNKNOWNS][UNKNOWNS] = {{0}};
    double step[UNKNOWNS] = {0};
    struct answer next = *answer;

    for (int i = 0; i < size; i++) {
        const double small = usual[i].deviation * 1e-3;
        struct answer moved = *answer;

        moved.unknown[i] += small;
        leave_over(search, &moved, slope[i]);
        for (int t = 0; t < TERMS; t++) {
            slope[i][t] = (slope[i][t] - left[t]) / small;
            step[i] -= slope[i][t] * left[t];
        }
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            for (int t = 0; t < TERMS; t++)
                normal[i][j] +=
                    slope[i][t] * slope[j][t] * (i == j ? 1 + damping : 1);
    solve(normal, step, size);
    for (int i = 0; i < size; i++)
        next.unknown[i] += step[i];
    return next;
}

/* Finds the most probable unknowns of a kind. */
static struct answer find(const struct sought *search, const struct kind *kind)
{
    struct answer answer = {.kind = *kind};
    double left[TERMS], damping = 1;

    for (int i = 0; i < UNKNOWNS; i++)
        answer.unknown[i] = usual[i].mean;
    leave_over(search, &answer, left);
    answer.score = square_sum(left) + kind->rare;
    for (int i = 0; i < STEPS; i++) {
        struct answer next = step_from(search, &answer, left, damping);
        double then[TERMS];

        leave_over(search, &next, then);
        next.score = square_sum(then) + kind->rare;
        damping *= next.score < answer.score ? 0.3 : 4;
        if (next.score < answer.score) {
            answer = next;
            memcpy(left, then, sizeof left);
        }
    }
    return answer;
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

/* Returns the most that two answers differ by. */
static double doubt_of(const struct sought *search, const struct answer *a,
                       const struct answer *b)
{
    double light[2][SCAN_VALUES], most = 0;

    fill_light(search, a, light[0]);
    fill_light(search, b, light[1]);
    for (int v = (int)search->solid; v < search->paper; v++)
        most = fmax(most, fabs(light[0][v] - light[1][v]));
    return most;
}

/* Chooses among kinds that nobody has named. */
static bool choose(const struct sought *search, struct answer *best,
                   const struct answer answers[KINDS], struct refusal *refusal)
{
    const double as_well = search->sample->matched ? AS_WELL : MUCH_WORSE;

    for (size_t i = 0; i < KINDS; i++) {
        const double doubt = doubt_of(search, best, &answers[i]);

        if (answers[i].score < best->score + as_well && doubt > MOST_DOUBT)
            return refuse(refusal, 0,
                          "the scanner's gamma may be %s or %s, which the "
                          "chart cannot tell: name it, or match it by eye",
                          best->kind.name, answers[i].kind.name);
    }
    return true;
}

bool scan_learn(struct scan_light *light, const struct chart *chart,
                const struct scan_sample *sample,
                const struct scan_gamma *gamma, struct refusal *refusal)
{
    const struct sought search = {chart, sample, scan_mean(&sample->paper),
                                  scan_mean(&sample->gray[GRAYS])};
    struct answer answers[KINDS];
    size_t at = 0;

    if (!check_values(&search, refusal))
        return false;
    for (size_t i = 0; i < KINDS; i++) {
        answers[i] = find(&search, &kinds[i]);
        at = answers[i].score < answers[at].score ? i : at;
    }
    struct answer best = answers[at];
    if (gamma->named)
        best =
            find(&search, &(struct kind){gamma->name, gamma->power, 0, POWER});
    else if (!choose(&search, &best, answers, refusal))
        return false;
    if (best.score > MOST_SCORE || best.kind.unknowns > POWER ||
        best.score > answers[at].score + MUCH_WORSE)
        return refuse(refusal, 0,
                      "the known grays of the chart do not fit %s: scan "
                      "without automatic corrections",
                      gamma->named ? "that gamma" : "a usual scanner");
    light->as = best.kind.name;
    fill_light(&search, &best, light->of);
    return true;
}

bool scan_gamma_read(struct scan_gamma *gamma, const char *text)
{
    gamma->named = true;
    gamma->name = text;
    for (size_t i = 0; i + 1 < KINDS; i++)
        if (strcmp(text, kinds[i].name) == 0) {
            gamma->power = kinds[i].power;
            return true;
        }
    return text_decimal(text, 1, 3, &gamma->power);
}
