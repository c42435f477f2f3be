/*
 * ink.c - how much ink each sample of a page becomes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ink.h"

#define SOLID 65535u

/* ---- Tables ------------------------------------------------------------- */

static double ink_of_tone(const struct ink_settings *s, unsigned letter,
                          double tone)
{
    tone = pow(tone, s->gamma);
    if (s->curved)
        tone = curve_points_at(&s->curve.ink[letter], tone);
    return fmin(s->density * tone, 1);
}

/* Only what is exactly bare or solid may round to it: those force the dot. */
static uint16_t sample_of_ink(double ink)
{
    unsigned sample = (unsigned)(ink * SOLID + 0.5);

    if (sample == 0 && ink > 0)
        return 1;
    if (sample == SOLID && ink < 1)
        return SOLID - 1;
    return (uint16_t)sample;
}

static void fill_table(uint16_t *table, unsigned full,
                       const struct ink_settings *s, unsigned letter)
{
    for (unsigned v = 0; v <= full; v++)
        table[v] = sample_of_ink(ink_of_tone(s, letter, (double)v / full));
}

static bool changes_tones(const struct ink_settings *s)
{
    return s->curved || s->gamma != 1 || s->density != 1;
}

bool ink_init(struct ink *ink, const struct ink_settings *s, uint32_t inks,
              uint32_t width, uint32_t bits)
{
    const char *letters = bits == 1   ? ""
                          : inks == 1 ? "K"
                          : inks == 3 ? "CMY"
                          : inks == 4 ? "KCMY"
                                      : "";
    bool limited = letters[0] != '\0' && s->limit < inks;
    unsigned full = bits == 8 ? UINT8_MAX : UINT16_MAX;

    *ink = (struct ink){
        .inks = inks, .width = width, .in_bits = bits, .bits = bits};
    if (letters[0] == '\0' || !(changes_tones(s) || limited))
        return true;
    ink->bits = 16;
    if (limited)
        ink->limit = (uint32_t)(s->limit * SOLID);
    if (bits == 16 && !changes_tones(s))
        return true;

    ink->table = calloc(inks, (full + 1) * sizeof *ink->table);
    if (ink->table == NULL)
        return false;
    for (uint32_t k = 0; k < inks; k++)
        fill_table(
            ink->table + (size_t)k * (full + 1), full, s,
            (unsigned)(strchr(CURVE_LETTERS, letters[k]) - CURVE_LETTERS));
    return true;
}

void ink_free(struct ink *ink)
{
    free(ink->table);
    ink->table = NULL;
}

size_t ink_row_bytes(const struct ink *ink)
{
    return (size_t)ink->inks * ink->width * (ink->bits / 8);
}

/* ---- Rows --------------------------------------------------------------- */

/* Backwards, as each sample becomes wider where it stands. */
static void look_up_8(const struct ink *ink, void *row)
{
    const uint8_t *in = row;
    uint16_t *out = row;

    for (uint32_t k = ink->inks; k-- > 0;) {
        const uint16_t *table = ink->table + (size_t)k * (UINT8_MAX + 1);
        size_t first = (size_t)k * ink->width;

        for (size_t i = first + ink->width; i-- > first;)
            out[i] = table[in[i]];
    }
}

static void look_up_16(const struct ink *ink, uint16_t *row)
{
    for (uint32_t k = 0; k < ink->inks; k++, row += ink->width) {
        const uint16_t *table = ink->table + (size_t)k * (UINT16_MAX + 1);

        for (uint32_t x = 0; x < ink->width; x++)
            row[x] = table[row[x]];
    }
}

static uint16_t scaled(uint16_t sample, uint32_t room, uint32_t sum)
{
    return (uint16_t)((uint64_t)sample * room / sum);
}

static void limit_row(const struct ink *ink, uint16_t *row)
{
    const uint16_t *black = ink->inks == 4 ? row : NULL;
    uint16_t *c = row + (black ? ink->width : 0);
    uint16_t *m = c + ink->width, *y = m + ink->width;

    for (uint32_t x = 0; x < ink->width; x++) {
        uint32_t sum = (uint32_t)c[x] + m[x] + y[x];
        uint32_t room = ink->limit - (black ? black[x] : 0);

        if (sum <= room)
            continue;
        c[x] = scaled(c[x], room, sum);
        m[x] = scaled(m[x], room, sum);
        y[x] = scaled(y[x], room, sum);
    }
}

void ink_apply(const struct ink *ink, void *row)
{
    if (ink->table != NULL && ink->in_bits == 8)
        look_up_8(ink, row);
    else if (ink->table != NULL)
        look_up_16(ink, row);
    if (ink->limit > 0)
        limit_row(ink, row);
}
