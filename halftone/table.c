/*
 * table.c - tone tables: their rules, and the 16-bit form that engines use
 * (doc/dev/halftone.md, "Tables").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/definition.h"

#define SUM_TOLERANCE 1e-6
#define MAX_BEGIN 0.5
#define MAX_FEEDBACK 0.25
#define MAX_FROM 0.25
#define MAX_LIGHT 0.999
#define MAX_WEIGHT 32767 /* 15 fraction bits, less than 1 */

/* The DBS pattern that is compiled in. */
static const uint8_t builtin_pattern[] = {
#include "halftone/tables/dbs-128.inc"
};

_Static_assert(sizeof builtin_pattern == HT_PATTERN_BYTES,
               "halftone/tables/dbs-128.pbm is 128 x 128");

static bool within(double value, double low, double high)
{
    return isfinite(value) && value >= low && value <= high;
}

bool ht_tone_valid(const ht_tone_t *tone)
{
    double sum = 0;

    if (!within(tone->t_upper, 0, 1) ||
        !within(tone->t_lower, 0, tone->t_upper) ||
        !within(tone->begin, 0, MAX_BEGIN) ||
        !within(tone->feedback, 0, MAX_FEEDBACK) || tone->column[0] != 1 ||
        tone->column[HT_TAPS - 1] != 0)
        return false;
    for (unsigned k = 0; k < HT_TAPS; k++) {
        if (!within(tone->weight[k], 0, MAX_WEIGHT / 32768.0))
            return false;
        sum += tone->weight[k];
    }
    if (fabs(sum - 1) > SUM_TOLERANCE)
        return false;
    for (unsigned k = 1; k < HT_TAPS; k++) {
        if (tone->column[k] < -HT_REACH || tone->column[k] > 1)
            return false;
        for (unsigned j = 1; j < k; j++)
            if (tone->column[j] == tone->column[k])
                return false;
    }
    return true;
}

/* Says whether feedback leaves all thresholds of a level in fixed point, with
 * two dots and with none, within 0..ONE: no engine holds them for inks alone.
 */
static bool feedback_fits(const struct ht_weights *w, unsigned level)
{
    return w->feedback == 0 ||
           (level >= HT_FEEDBACK_FROM && 2 * w->feedback <= w->t_lower &&
            2 * w->feedback <= HT_ONE - w->t_upper);
}

static bool rules_valid(const ht_rules_t *rules)
{
    bool valid =
        !rules->together || (within(rules->from, 0, MAX_FROM) &&
                             rules->steps >= 0 && rules->steps <= HT_MAX_STEPS);

    for (unsigned i = 0; valid && rules->together && i < HT_LIGHTS; i++)
        valid = within(rules->light[i], 0, MAX_LIGHT);
    return valid;
}

static struct ht_table_rules fixed_point_rules(const ht_rules_t *rules)
{
    struct ht_table_rules meeting = {.from =
                                         (int16_t)lround(rules->from * HT_ONE),
                                     .steps = (int16_t)rules->steps};

    for (unsigned i = 0; i < HT_LIGHTS; i++)
        meeting.light[i] = (int16_t)lround(rules->light[i] * 32768);
    return meeting;
}

static struct ht_weights fixed_point(const ht_tone_t *tone)
{
    struct ht_weights w = {0};

    for (unsigned k = 0; k < HT_TAPS - 1; k++)
        w.weight[k] = (int16_t)lround(tone->weight[k] * 32768);
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        w.column[k] = (int8_t)tone->column[k];
    w.t_upper = (int16_t)lround(tone->t_upper * HT_ONE);
    w.t_lower = (int16_t)lround(tone->t_lower * HT_ONE);
    w.noise = (int16_t)lround(tone->begin * HT_ONE);
    w.feedback = (int16_t)lround(tone->feedback * HT_ONE);
    return w;
}

/* Returns the parameters of the mirrored level, where dots are what bare paper
 * is here. */
static struct ht_weights mirror_of(const struct ht_weights *w)
{
    struct ht_weights mirror = *w;

    mirror.t_upper = (int16_t)(HT_ONE - w->t_lower);
    mirror.t_lower = (int16_t)(HT_ONE - w->t_upper);
    return mirror;
}

/* Returns the weight of a column of the next row, with 15 fraction bits. */
static int weight_at(const struct ht_weights *w, int column)
{
    if (column == 0)
        return 32768 - w->weight[0] - w->weight[1] - w->weight[2];
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        if (w->column[k] == column)
            return w->weight[k];
    return 0;
}

static int largest_at(const ht_table_t *table, int column)
{
    int largest = 0;

    for (unsigned i = 0; i < HT_TONES; i++) {
        int w = weight_at(&table->level[i], column);
        largest = w > largest ? w : largest;
    }
    return largest;
}

/*
 * Returns the most weight that can meet on a pixel, whatever the tones of the
 * pixels that give it, where the row above has it `behind` columns from the
 * start of a segment and `ahead` from its end: doc/dev/halftone.md, "Sixteen
 * bits are enough". The pixel's own row may go the other way or be cut
 * elsewhere, so that what comes along it counts anywhere.
 */
static int most_weight(const ht_table_t *table, int behind, int ahead)
{
    int left = 0, straight = 0;

    for (unsigned i = 0; i < HT_TONES; i++) {
        const struct ht_weights *w = &table->level[i];
        int down = weight_at(w, 0);

        if (w->weight[0] > left)
            left = w->weight[0];
        if (ahead == 0)
            down += w->weight[0] + weight_at(w, 1);
        for (int column = -HT_REACH; column < -behind; column++)
            down += weight_at(w, column);
        if (down > straight)
            straight = down;
    }

    int sum = left + straight + (behind > 0 ? largest_at(table, 1) : 0);
    for (int column = -HT_REACH; column < 0; column++)
        if (ahead >= -column)
            sum += largest_at(table, column);
    return sum;
}

/* Returns the most weight that the row above can give a pixel where what goes
 * straight down is all of an error: its other targets are not toned. */
static int most_weight_below(const ht_table_t *table)
{
    int sum = 32768 + largest_at(table, 1);

    for (int column = -HT_REACH; column < 0; column++)
        sum += largest_at(table, column);
    return sum;
}

/* Says whether no sum of errors leaves 16 bits: doc/dev/halftone.md, "Sixteen
 * bits are enough". An error is at most one dot, so what meets on a pixel is at
 * most the sum of its weights and the rounding of its shares, for which twice
 * the room is left. */
static bool fits_16_bits(const ht_table_t *table)
{
    const int shares = 1 + HT_REACH + 2; /* its own row's; -6..-1, 0 and +1 */
    const int rounding = 2 * (2 * shares);

    if (most_weight_below(table) / 2 + rounding > INT16_MAX)
        return false;
    for (int behind = 0; behind <= HT_REACH; behind++)
        for (int ahead = 0; ahead <= HT_REACH; ahead++)
            if (most_weight(table, behind, ahead) / 2 + rounding > INT16_MAX)
                return false;
    return true;
}

ht_status_t ht_table_new(ht_table_t **out, const ht_tone_t *tones,
                         const uint8_t *pattern, const ht_rules_t *rules)
{
    if (out == NULL || tones == NULL)
        return HT_ERR_ARGUMENT;
    if (rules != NULL && !rules_valid(rules))
        return HT_ERR_TABLE;
    for (unsigned i = 0; i < HT_TONES; i++)
        if (!ht_tone_valid(&tones[i]))
            return HT_ERR_TABLE;

    ht_table_t *table = calloc(1, sizeof *table);
    if (table == NULL)
        return HT_ERR_MEMORY;
    memcpy(table->tone, tones, sizeof table->tone);
    memcpy(table->pattern, pattern ? pattern : builtin_pattern,
           sizeof table->pattern);
    for (unsigned i = 0; i < HT_TONES; i++) {
        table->level[i] = fixed_point(&tones[i]);
        table->level[HT_LEVELS - 1 - i] = mirror_of(&table->level[i]);
    }
    if (rules != NULL) {
        table->rules = *rules;
        table->meeting = fixed_point_rules(rules);
    }
    bool fits = fits_16_bits(table);
    for (unsigned i = 0; fits && i < HT_TONES; i++)
        fits = feedback_fits(&table->level[i], i);
    if (!fits) {
        free(table);
        return HT_ERR_TABLE;
    }
    *out = table;
    return HT_OK;
}

ht_status_t ht_table_floyd_steinberg(ht_table_t **out)
{
    static const ht_rules_t rules = {.together = true,
                                     .from = 0.104,
                                     .steps = 4,
                                     .light = {0.964, 0.677, 0.781, 0.122}};
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = (ht_tone_t){.t_upper = 0.5,
                               .t_lower = 0.5,
                               .weight = {7 / 16., 3 / 16., 1 / 16., 5 / 16.},
                               .column = {1, -1, 1, 0}};
    return ht_table_new(out, tones, NULL, &rules);
}

const ht_tone_t *ht_table_tones(const ht_table_t *table)
{
    return table->tone;
}

const ht_rules_t *ht_table_rules(const ht_table_t *table)
{
    return &table->rules;
}

void ht_table_free(ht_table_t *table)
{
    free(table);
}
