/*
 * together.c - inks as one picture, doc/dev/halftone.md "Inks together" line by
 * line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/together.h"

#define MOST (HT_ONE - 1) /* of v, m and U in size */
#define MOST_NEARNESS INT16_MAX
#define STRENGTH 4

/* ---- Pairs -------------------------------------------------------------- */

static bool is_pair(uint32_t inks, uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i;

    return high - low <= 2 || (low == 0 && ht_inks_kept(inks) > 0);
}

uint32_t ht_pairs(uint32_t inks)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < inks; i++)
        for (uint32_t j = i + 1; j < inks; j++)
            count += is_pair(inks, i, j);
    return count;
}

void ht_number_pairs(uint32_t inks, uint8_t pair[HT_MAX_INKS][HT_MAX_INKS])
{
    uint8_t next = 0;

    for (uint32_t i = 0; i < inks; i++)
        for (uint32_t j = i + 1; j < inks; j++)
            pair[i][j] = pair[j][i] = is_pair(inks, i, j) ? next++ : HT_NO_PAIR;
}

/* ---- Memory ------------------------------------------------------------- */

bool ht_together_init(struct ht_together *row,
                      const struct ht_meeting_rules *rules, uint32_t inks,
                      uint32_t width, int16_t *overlap, int16_t *light)
{
    size_t n = width;

    *row = (struct ht_together){.rules = rules,
                                .inks = inks,
                                .width = width,
                                .overlap = overlap,
                                .light = light};
    ht_number_pairs(inks, row->pair);
    row->overlap_below = calloc(ht_pairs(inks) * n, sizeof(int16_t));
    row->light_below = calloc(n, sizeof(int16_t));
    row->nearness = calloc(n, sizeof(int16_t));
    row->reflected = calloc(n, sizeof(int16_t));
    row->wanted = calloc(n, sizeof(int16_t));
    row->tone = calloc(inks * n, sizeof(int16_t));
    row->toned = calloc(inks, n);
    row->dot = calloc(inks, n);
    return row->overlap_below && row->light_below && row->nearness &&
           row->reflected && row->wanted && row->tone && row->toned && row->dot;
}

void ht_together_free(struct ht_together *row)
{
    free(row->overlap_below);
    free(row->light_below);
    free(row->nearness);
    free(row->reflected);
    free(row->wanted);
    free(row->tone);
    free(row->toned);
    free(row->dot);
}

/* ---- Rows and turns ----------------------------------------------------- */

void ht_together_begin(struct ht_together *row)
{
    row->turns = 0;
    memset(row->nearness, 0, row->width * sizeof *row->nearness);
    for (uint32_t x = 0; x < row->width; x++)
        row->reflected[x] = row->wanted[x] = HT_ONE;
}

void ht_together_turn(struct ht_together *row, uint32_t ink,
                      const int16_t *tone, const uint8_t *level)
{
    size_t from = (size_t)ink * row->width;

    row->had[row->turns++] = ink;
    memcpy(row->tone + from, tone, row->width * sizeof *tone);
    for (uint32_t x = 0; x < row->width; x++)
        row->toned[from + x] = ht_toned(level[x]);
}

static int32_t held(int32_t value)
{
    return value < -MOST ? -MOST : value > MOST ? MOST : value;
}

void ht_together_end(struct ht_together *row)
{
    size_t n = row->width, pairs = ht_pairs(row->inks);

    memcpy(row->overlap, row->overlap_below, pairs * n * sizeof(int16_t));
    memset(row->overlap_below, 0, pairs * n * sizeof(int16_t));
    for (size_t x = 0; x < n; x++) {
        row->light[x] = (int16_t)held(row->light_below[x]);
        row->light_below[x] = 0;
    }
}

/* ---- A pixel ------------------------------------------------------------ */

/* The tone's share of full nearness, 0 up to z. */
static int32_t nearness(const struct ht_meeting_rules *rules, int32_t tone)
{
    int32_t above = tone - rules->from;

    if (above <= 0)
        return 0;
    above <<= rules->steps + 1;
    return above > MOST_NEARNESS ? MOST_NEARNESS : above;
}

static struct ht_partner partner_of(const struct ht_together *row, uint32_t ink,
                                    uint32_t other, uint32_t x,
                                    const int32_t *left)
{
    size_t n = row->width, at = other * n + x;
    struct ht_partner with = {.ink = other,
                              .pair = row->pair[ink][other],
                              .toned =
                                  row->toned[ink * n + x] && row->toned[at]};

    if (with.toned) {
        with.overlap = held(left[other] + row->overlap[with.pair * n + x]);
        with.welcome = ht_weighted(row->tone[at], row->nearness[x]) -
                       HT_ONE * row->dot[at];
    }
    return with;
}

int16_t ht_absorption(const struct ht_meeting_rules *rules, uint32_t ink,
                      uint32_t inks)
{
    uint32_t which = ink + 1 - ht_inks_kept(inks);

    return rules->absorbed[which < HT_LIGHTS ? which : HT_LIGHTS - 1];
}

struct ht_encounter ht_together_meet(struct ht_together *row, uint32_t x,
                                     const int32_t *left)
{
    uint32_t ink = row->had[row->turns - 1];
    size_t at = (size_t)ink * row->width + x;
    int32_t near = nearness(row->rules, row->tone[at]);
    struct ht_encounter found = {
        .absorbed = ht_weighted(row->reflected[x],
                                ht_absorption(row->rules, ink, row->inks))};
    int32_t overlap = 0, light = ht_weighted(found.absorbed, row->light[x]);

    if (row->toned[at] && near > row->nearness[x])
        row->nearness[x] = (int16_t)near;
    for (uint32_t turn = 0; turn + 1 < row->turns; turn++)
        if (row->pair[ink][row->had[turn]] != HT_NO_PAIR) {
            struct ht_partner with =
                partner_of(row, ink, row->had[turn], x, left);
            overlap += ht_weighted(with.welcome, with.overlap);
            found.with[found.partners++] = with;
        }
    if (row->toned[at])
        found.push =
            STRENGTH * ht_weighted((overlap >> 1) - light, row->nearness[x]);
    return found;
}

/* Takes what the ink absorbs from the light that there is (L), if it has a dot,
 * and from the light that there should be (M). */
static void absorb(struct ht_together *row, uint32_t x, bool dot,
                   int32_t absorbed)
{
    uint32_t ink = row->had[row->turns - 1];
    size_t at = (size_t)ink * row->width + x;
    int32_t d = ht_absorption(row->rules, ink, row->inks),
            wanted = row->wanted[x];

    if (row->toned[at]) {
        int32_t seen = HT_ONE - ht_weighted(HT_ONE - wanted, row->nearness[x]);
        wanted -= ht_weighted(2 * ht_weighted(seen, d), row->tone[at]);
    } else if (dot)
        wanted -= ht_weighted(wanted, d);
    row->wanted[x] = (int16_t)(wanted < 0 ? 0 : wanted);
    if (dot)
        row->reflected[x] = (int16_t)(row->reflected[x] - absorbed);
}

void ht_together_part(struct ht_together *row, uint32_t x, bool last, bool dot,
                      const struct ht_encounter *found, int32_t *left)
{
    uint32_t ink = row->had[row->turns - 1];

    row->dot[(size_t)ink * row->width + x] = dot;
    absorb(row, x, dot, found->absorbed);
    for (uint32_t k = 0; k < found->partners; k++) {
        const struct ht_partner *with = &found->with[k];
        int16_t *below = row->overlap_below + (size_t)with->pair * row->width;
        int32_t v = held(with->overlap + (dot ? with->welcome : 0));

        left[with->ink] = 0;
        if (!with->toned)
            continue;
        if (!last)
            left[with->ink] = v - (v >> 2);
        v -= left[with->ink];
        below[x] = (int16_t)(below[x] + v);
    }
}

void ht_together_shine(struct ht_together *row, uint32_t x, uint32_t behind,
                       bool first, uint8_t before)
{
    int16_t *below = row->light_below;
    int32_t m = held(row->light[x] + row->reflected[x] - row->wanted[x]);

    if (before < 2)
        return;
    if (!first) {
        below[behind] = (int16_t)(below[behind] + (m >> 1));
        m -= m >> 1;
    }
    below[x] = (int16_t)(below[x] + m);
}
