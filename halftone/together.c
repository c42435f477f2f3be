/*
 * together.c - inks as one picture, doc/dev/halftone.md "Inks together" line by
 * line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/sizes.h"
#include "halftone/together.h"

/* ---- Memory ------------------------------------------------------------- */

bool ht_together_init(struct ht_together *row,
                      const struct ht_meeting_rules *rules, uint32_t inks,
                      uint32_t width, int16_t *company, int16_t *light)
{
    size_t n = width;

    *row = (struct ht_together){.rules = *rules,
                                .inks = inks,
                                .width = width,
                                .company = company,
                                .light = light};
    row->next = calloc(n, sizeof(int16_t));
    row->nearness = calloc(n, sizeof(int16_t));
    row->reflected = calloc(n, sizeof(int16_t));
    row->wanted = calloc(n, sizeof(int16_t));
    row->toned = calloc(n, 1);
    return row->next && row->nearness && row->reflected && row->wanted &&
           row->toned;
}

void ht_together_free(struct ht_together *row)
{
    free(row->next);
    free(row->nearness);
    free(row->reflected);
    free(row->wanted);
    free(row->toned);
}

/* ---- Rows --------------------------------------------------------------- */

void ht_together_begin(struct ht_together *row)
{
    size_t n = row->width;

    memset(row->next, 0, n * sizeof *row->next);
    memset(row->nearness, 0, n * sizeof *row->nearness);
    memset(row->toned, 0, n);
    for (size_t x = 0; x < n; x++)
        row->reflected[x] = row->wanted[x] = HT_ONE;
}

void ht_together_end(struct ht_together *row)
{
    memcpy(row->light, row->next, row->width * sizeof *row->light);
}

/* ---- A pixel ------------------------------------------------------------ */

static int32_t held(int32_t value)
{
    const int32_t most = HT_ONE - 1;

    return value < -most ? -most : value > most ? most : value;
}

/* The tone's share of full nearness, 0 up to z. */
static int32_t nearness(const struct ht_meeting_rules *rules, int32_t tone)
{
    int32_t above = tone - rules->from;

    if (above <= 0)
        return 0;
    above <<= rules->steps + 1;
    return above > INT16_MAX ? INT16_MAX : above;
}

/* Returns V of an ink that has one, any but the first. */
static int16_t *company_of(const struct ht_together *row, uint32_t ink,
                           uint32_t x)
{
    return row->company + (size_t)(ink - 1) * row->width + x;
}

struct ht_encounter ht_together_meet(struct ht_together *row, uint32_t ink,
                                     uint32_t x, int32_t tone, uint8_t level,
                                     int32_t left)
{
    int32_t near = nearness(&row->rules, tone);
    int32_t d = row->rules.absorbed[ink];
    struct ht_encounter found = {.tone = tone,
                                 .toned = ht_toned(level),
                                 .absorbed = ht_weighted(row->reflected[x], d)};

    if (!found.toned)
        return found;
    row->toned[x]++;
    if (near > row->nearness[x])
        row->nearness[x] = (int16_t)near;
    found.should = ht_weighted(HT_ONE - row->wanted[x], row->nearness[x]);
    if (ink > 0) {
        int32_t missing = found.should - (HT_ONE - row->reflected[x]);

        found.welcome = missing + (missing >> 1);
        found.company = left + *company_of(row, ink, x);
    }
    found.push = 2 * (ht_weighted(found.welcome, found.company) -
                      ht_weighted(2 * found.absorbed, row->light[x]));
    return found;
}

/* Takes what the ink's dot absorbs from the light that there is (L), and what
 * the ink should absorb from the light that there should be (M). */
static void absorb(struct ht_together *row, uint32_t ink, uint32_t x, bool dot,
                   const struct ht_encounter *found)
{
    int32_t d = row->rules.absorbed[ink], wanted = row->wanted[x];

    if (found->toned)
        wanted -= ht_weighted(2 * ht_weighted(HT_ONE - found->should, d),
                              found->tone);
    else if (dot)
        wanted -= ht_weighted(wanted, d);
    row->wanted[x] = (int16_t)(wanted < 0 ? 0 : wanted);
    row->reflected[x] = (int16_t)(row->reflected[x] - dot * found->absorbed);
}

int32_t ht_together_part(struct ht_together *row, uint32_t ink, uint32_t x,
                         bool dot, const struct ht_encounter *found)
{
    int32_t v = 0, left = 0;

    absorb(row, ink, x, dot, found);
    if (ink == 0)
        return 0;
    if (found->toned) {
        v = held(found->company + dot * found->welcome);
        left = ht_weighted(v, HT_COMPANY_ON);
    }
    *company_of(row, ink, x) = (int16_t)(v - left);
    return left;
}

void ht_together_shine(struct ht_together *row, uint32_t x, uint32_t behind,
                       bool first)
{
    int32_t m = held(row->light[x] + row->reflected[x] - row->wanted[x]);

    if (row->toned[x] < 2)
        return;
    if (!first)
        row->next[behind] = (int16_t)(row->next[behind] + (m >> 1));
    row->next[x] = (int16_t)(row->next[x] + m - (m >> 1));
}
