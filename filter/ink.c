/*
 * ink.c - how much ink each sample of a page becomes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filter/bytes.h"
#include "filter/ink.h"
#include "halftone/halftone.h"

#define SOLID 65535u

/* How far from black, in 1/255, a pixel is still black, and no black any more.
 * With K alone, black is lighter than the grays up to 45 of 255 are with four
 * inks: there the transition ends (doc/user/color.md). */
#define BLACK_WITHIN 24u
#define BLACK_REACH 64u

/* From where on, in percent, K alone becomes darker, twice as fast. */
#define DARK 72u

/* ---- Tables ------------------------------------------------------------- */

static double ink_of_tone(const struct ink_settings *s, unsigned letter,
                          double tone)
{
    tone = pow(tone, s->gamma);
    if (s->curved)
        tone = curve_points_at(&s->curve.ink[letter], tone);
    return fmin(s->density * tone, 1);
}

/* Rounds, but to 0 and SOLID only what is exactly that: they force the dot. */
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

/* The table of an ink, made if there is none yet. NULL without memory. */
static const uint16_t *table_of(struct ink_tables *tables, uint32_t bits,
                                const struct ink_settings *s, unsigned letter)
{
    uint16_t **table = &tables->made[bits == 16][letter];
    unsigned full = bits == 8 ? UINT8_MAX : UINT16_MAX;

    if (*table == NULL) {
        *table = malloc((full + 1) * sizeof **table);
        if (*table != NULL)
            fill_table(*table, full, s, letter);
    }
    return *table;
}

void ink_tables_free(struct ink_tables *tables)
{
    for (unsigned i = 0; i < CURVE_INKS; i++) {
        free(tables->made[0][i]);
        free(tables->made[1][i]);
    }
    *tables = (struct ink_tables){0};
}

static bool changes_tones(const struct ink_settings *s)
{
    return s->curved || s->gamma != 1 || s->density != 1;
}

static unsigned letter_index(char letter)
{
    return (unsigned)(strchr(CURVE_LETTERS, letter) - CURVE_LETTERS);
}

/* Prepares what only pages with K have. */
static void init_black(struct ink *ink, const struct ink_settings *s)
{
    unsigned shift = ink->in_bits - 8;

    ink->pure_black =
        s->pure_black && (ink->inks == 4 || (ink->inks == 1 && s->curved));
    for (uint32_t k = 0; k < 4; k++)
        ink->black[k] = (uint16_t)(s->black[letter_index("KCMY"[k])] << shift);
    ink->black_span = (uint16_t)((1u << shift) - 1);
}

/* Leaves the tables to the engine if it can take them, and no later change
 * here needs the tones that they give. */
static void leave_curves(struct ink *ink)
{
    if (ink->in_bits != 8 || ink->limit > 0)
        return;
    for (uint32_t k = 0; k < ink->inks; k++)
        if (!ht_curve_valid(ink->table[k]))
            return;
    ink->curved = true;
    ink->bits = 8;
}

/* Prepares what is done to tones. False without memory. */
static bool init_tones(struct ink *ink, const struct ink_settings *s,
                       struct ink_tables *tables, const char *letters)
{
    bool limited = s->limit < ink->inks;

    if (!changes_tones(s) && !limited)
        return true;
    ink->bits = 16;
    if (limited)
        ink->limit = (uint32_t)(s->limit * SOLID);
    for (uint32_t k = 0; k < ink->inks; k++) {
        ink->table[k] =
            table_of(tables, ink->in_bits, s, letter_index(letters[k]));
        if (ink->table[k] == NULL)
            return false;
    }
    leave_curves(ink);
    return true;
}

bool ink_init(struct ink *ink, const struct ink_settings *s,
              struct ink_tables *tables, uint32_t inks, uint32_t width,
              uint32_t bits)
{
    const char *letters = inks == 1   ? "K"
                          : inks == 3 ? "CMY"
                          : inks == 4 ? "KCMY"
                                      : NULL;

    *ink = (struct ink){.inks = inks,
                        .width = width,
                        .in_bits = bits,
                        .bits = bits,
                        .sharpness = bits > 1 ? s->sharpness : 0};
    if (bits == 1 || letters == NULL)
        return true;
    init_black(ink, s);
    ink->cut = s->two_level;
    ink->strokes = s->strokes && !s->two_level;
    if (ink->cut || ink->strokes)
        two_level_init(&ink->two_level, inks, s->gamma);
    return ink->cut || init_tones(ink, s, tables, letters);
}

size_t ink_row_bytes(const struct ink *ink)
{
    return (size_t)ink->inks * ink->width * (ink->bits / 8);
}

/* ---- Black ------------------------------------------------------------ */

/* The next functions are for rows of 8 and of 16 bits; callers give `bits` as a
 * constant, so that the compiler makes one of each. */
static inline uint32_t sample(const void *plane, uint32_t bits, size_t x)
{
    return bits == 8 ? ((const uint8_t *)plane)[x]
                     : ((const uint16_t *)plane)[x];
}

static inline void set_sample(void *plane, uint32_t bits, size_t x, uint32_t v)
{
    if (bits == 8)
        ((uint8_t *)plane)[x] = (uint8_t)v;
    else
        ((uint16_t *)plane)[x] = (uint16_t)v;
}

/* Returns how far a sample of ink k is from black. */
static inline uint32_t from_black(const struct ink *ink, size_t k, uint32_t v)
{
    uint32_t least = ink->black[k], most = least + ink->black_span;

    return v < least ? least - v : v > most ? v - most : 0;
}

/* Draws the row's pixels first..end-1 towards black; whether any changed. */
static inline bool blacken(const struct ink *ink, void *row, uint32_t bits,
                           size_t first, size_t end)
{
    const uint32_t full = bits == 8 ? UINT8_MAX : UINT16_MAX;
    const uint32_t unit = full / UINT8_MAX, reach = BLACK_REACH * unit;
    const uint32_t within = BLACK_WITHIN * unit, range = reach - within;
    bool any = false;

    for (size_t x = first; x < end; x++) {
        uint32_t d = 0;

        for (size_t k = 0; k < 4 && d < reach; k++) {
            uint32_t v = sample(row, bits, k * ink->width + x);
            uint32_t off = from_black(ink, k, v);

            d = off > d ? off : d;
        }
        if (d >= reach)
            continue;
        any = true;
        for (size_t k = 0; k < 4; k++) {
            size_t at = k * ink->width + x;
            uint32_t v = k == 0 ? full : 0;

            if (d > within)
                v = ((d - within) * sample(row, bits, at) + (reach - d) * v +
                     range / 2) /
                    range;
            set_sample(row, bits, at, v);
        }
    }
    return any;
}

typedef uint16_t words __attribute__((vector_size(16)));
#define WORDS 8u

/* All ones where a sample is at most `most` away from `middle`. */
static inline bytes near(bytes v, unsigned middle, unsigned most)
{
    uint8_t low = (uint8_t)(middle < most ? 0 : middle - most);
    uint8_t high =
        (uint8_t)(middle + most > UINT8_MAX ? UINT8_MAX : middle + most);

    return (bytes)(v - low <= (uint8_t)(high - low));
}

/* Does blacken() for sizeof(bytes) pixels from `x`. Nearly all are either black
 * or far from it. */
static inline bool blacken_bytes(const struct ink *ink, uint8_t *row, size_t x)
{
    bytes close = near(load(row + x), ink->black[0], BLACK_REACH - 1);
    bytes black = ~(bytes){0};

    if (!any_bit(close))
        return false;
    for (size_t k = 0; k < 4; k++) {
        bytes v = load(row + k * ink->width + x);

        close &= near(v, ink->black[k], BLACK_REACH - 1);
        black &= near(v, ink->black[k], BLACK_WITHIN);
    }
    if (any_bit(close ^ black))
        return blacken(ink, row, 8, x, x + sizeof black);
    for (size_t k = 0; k < 4; k++) {
        bytes v = load(row + k * ink->width + x);

        v = k == 0 ? v | black : v & ~black;
        memcpy(row + k * ink->width + x, &v, sizeof v);
    }
    return any_bit(black);
}

/* Does blacken() for WORDS pixels from `x`, if there may be black. */
static inline bool blacken_words(const struct ink *ink, uint16_t *row, size_t x)
{
    const unsigned reach = BLACK_REACH * (UINT16_MAX / UINT8_MAX);
    unsigned k = ink->black[0], most = k + ink->black_span + reach;
    unsigned low = k < reach ? 0 : k - reach;
    unsigned high = most > UINT16_MAX ? UINT16_MAX : most;
    words v;

    memcpy(&v, row + x, sizeof v);
    return any_bit((bytes)(v - (uint16_t)low <= (uint16_t)(high - low))) &&
           blacken(ink, row, 16, x, x + WORDS);
}

static bool blacken_row(const struct ink *ink, void *row)
{
    size_t x = 0;
    bool any = false;

    if (ink->in_bits == 16) {
        for (; x + WORDS <= ink->width; x += WORDS)
            any |= blacken_words(ink, row, x);
        return blacken(ink, row, 16, x, ink->width) || any;
    }
    for (; x + sizeof(bytes) <= ink->width; x += sizeof(bytes))
        any |= blacken_bytes(ink, row, x);
    return blacken(ink, row, 8, x, ink->width) || any;
}

/* Returns 2 v - least for a sample v of at least that, at most solid. */
static inline uint32_t darkened(uint32_t v, uint32_t least, uint32_t full)
{
    if (v < least)
        return v;
    return 2 * v - least < full ? 2 * v - least : full;
}

/* Makes solid what is nearly so, where K is the only ink. */
static void darken_row(const struct ink *ink, void *row)
{
    uint16_t *wide = row;
    uint8_t *narrow = row;
    size_t x = 0;

    if (ink->in_bits == 16) {
        for (; x < ink->width; x++)
            wide[x] = (uint16_t)darkened(wide[x], DARK * UINT16_MAX / 100,
                                         UINT16_MAX);
        return;
    }
    const uint8_t least = DARK * UINT8_MAX / 100;
    for (; x + sizeof(bytes) <= ink->width; x += sizeof(bytes)) {
        bytes v = load(narrow + x), dark = (bytes)(v >= least);

        if (!any_bit(dark))
            continue;
        bytes twice = v + ((v - least) & dark);
        v = twice | (bytes)(twice < v);
        memcpy(narrow + x, &v, sizeof v);
    }
    for (; x < ink->width; x++)
        narrow[x] = (uint8_t)darkened(narrow[x], least, UINT8_MAX);
}

/* ---- Rows --------------------------------------------------------------- */

/* Goes backwards, as each sample becomes wider where it stands. */
static void look_up_8(const struct ink *ink, void *row, uint16_t inked)
{
    const uint8_t *in = row;
    uint16_t *out = row;

    for (uint32_t k = ink->inks; k-- > 0;) {
        const uint16_t *table = ink->table[k];
        size_t first = (size_t)k * ink->width;

        if ((inked >> k & 1) == 0) {
            memset(out + first, 0, ink->width * sizeof *out);
            continue;
        }
        for (size_t i = first + ink->width; i-- > first;)
            out[i] = table[in[i]];
    }
}

static void look_up_16(const struct ink *ink, uint16_t *row)
{
    for (uint32_t k = 0; k < ink->inks; k++, row += ink->width) {
        const uint16_t *table = ink->table[k];

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
    bool black = ink->inks == 4;
    uint16_t *c = row + (black ? ink->width : 0);
    uint16_t *m = c + ink->width, *y = m + ink->width;

    for (uint32_t x = 0; x < ink->width; x++) {
        uint32_t sum = (uint32_t)c[x] + m[x] + y[x];
        uint32_t room = ink->limit - (black ? row[x] : 0);

        if (sum <= room)
            continue;
        c[x] = scaled(c[x], room, sum);
        m[x] = scaled(m[x], room, sum);
        y[x] = scaled(y[x], room, sum);
    }
}

/* The inks that have samples other than 0. */
static uint16_t inks_in(const struct ink *ink, const void *row, uint32_t bits)
{
    size_t plane = (size_t)ink->width * (bits / 8);
    const uint8_t *from = row;
    uint16_t inked = 0;

    for (unsigned k = 0; k < ink->inks; k++, from += plane)
        if (from[0] != 0 || memcmp(from, from + 1, plane - 1) != 0)
            inked |= (uint16_t)(1u << k);
    return inked;
}

uint16_t ink_blacken(const struct ink *ink, void *row, uint16_t inked)
{
    if (!ink->pure_black || inked == 0)
        return inked;
    if (ink->inks == 1)
        darken_row(ink, row);
    else if (blacken_row(ink, row))
        return inks_in(ink, row, ink->in_bits);
    return inked;
}

uint16_t ink_change_tones(const struct ink *ink, void *row, uint16_t inked)
{
    if (ink->curved)
        return inked;
    if (ink->table[0] != NULL && ink->in_bits == 8)
        look_up_8(ink, row, inked);
    else if (ink->table[0] != NULL)
        look_up_16(ink, row);
    if (ink->limit > 0)
        limit_row(ink, row);
    if (!ink->cut || inked == 0)
        return inked;
    two_level_row(&ink->two_level, row, ink->width, ink->bits);
    return inks_in(ink, row, ink->bits);
}

uint16_t ink_apply(const struct ink *ink, void *row, uint16_t inked)
{
    return ink_change_tones(ink, row, ink_blacken(ink, row, inked));
}
