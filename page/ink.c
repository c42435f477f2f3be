/*
 * ink.c - turns the samples of a page into ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/gray.h"
#include "page/ink.h"
#include "page/pixel_curve.h"
#include "halftone/halftone.h"

#define SOLID 65535u

/* ---- Tables ------------------------------------------------------------- */

/* The ink of a tone, 0..1, in drops of which tables->drops says so much; NULL =
 * whole dots. */
typedef double ink_function(const struct ink_settings *s, unsigned letter,
                            const struct curve_points *drops, double tone);

static double ink_of_tone(const struct ink_settings *s, unsigned letter,
                          const struct curve_points *drops, double tone)
{
    tone = pow(tone, s->gamma);
    if (s->curved)
        tone = curve_points_at(&s->curve.ink[letter], tone);
    tone = fmin(s->density * tone, 1);
    return drops != NULL ? curve_points_at(drops, tone) : tone;
}

/* Rounds ink to a sample. Only ink 0 becomes 0, and only solid ink becomes
 * `full`, because these force the dot. */
static uint16_t sample_of_ink(double ink, unsigned full)
{
    unsigned sample = (unsigned)(ink * full + 0.5);

    if (sample == 0 && ink > 0)
        return 1;
    if (sample == full && ink < 1)
        return (uint16_t)(full - 1);
    return (uint16_t)sample;
}

/* Whether the curve has a function of whole pixels. */
static bool changes_pixels(const struct ink_settings *s)
{
    return s->curved && s->curve.pixel.count > 0;
}

static double tone_of_pixel(const struct ink_settings *s, unsigned letter,
                            const struct curve_points *drops, double tone)
{
    (void)letter;
    (void)drops;
    return curve_points_at(&s->curve.pixel, tone);
}

/* A pixel of one ink is done with here. */
static double ink_of_gray(const struct ink_settings *s, unsigned letter,
                          const struct curve_points *drops, double tone)
{
    tone = gray_tone(tone);
    if (changes_pixels(s))
        tone = tone_of_pixel(s, letter, drops, tone);
    return ink_of_tone(s, letter, drops, tone);
}

static double tone_of_gray(const struct ink_settings *s, unsigned letter,
                           const struct curve_points *drops, double tone)
{
    (void)s;
    (void)letter;
    (void)drops;
    return gray_tone(tone);
}

/* Returns the table of samples of `bits` to inks of 0..`most`, made if there is
 * none yet. NULL without memory. */
static const uint16_t *table_of(uint16_t *tables[2], uint32_t bits,
                                unsigned most, ink_function *ink,
                                const struct ink_settings *s, unsigned letter,
                                const struct curve_points *drops)
{
    uint16_t **table = &tables[bits == 16];
    const unsigned full = bits == 16 ? UINT16_MAX : UINT8_MAX;

    if (*table != NULL)
        return *table;
    *table = malloc((full + 1) * sizeof **table);
    for (unsigned v = 0; *table != NULL && v <= full; v++)
        (*table)[v] =
            sample_of_ink(ink(s, letter, drops, (double)v / full), most);
    return *table;
}

void ink_tables_free(struct ink_tables *tables)
{
    for (unsigned wide = 0; wide < 2; wide++) {
        for (unsigned i = 0; i < CURVE_INKS; i++)
            free(tables->made[i][wide]);
        free(tables->gray[wide]);
        free(tables->grays[wide]);
        free(tables->pixels[wide]);
    }
    free(tables->mixed);
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

/* Prepares what becomes black ink alone. Pages with K alone keep black as it
 * is, so that a chart for calibration, printed without a curve, stays the same.
 * A threshold makes black of it all the same. */
static void init_black(struct ink *ink, const struct ink_settings *s)
{
    uint8_t kcmy[4];

    ink->black = s->pure_black && !s->two_level &&
                 (ink->inks == 4 || (ink->inks == 1 && s->curved));
    for (uint32_t k = 0; k < 4; k++)
        kcmy[k] = s->black[letter_index("KCMY"[k])];
    if (ink->black)
        black_init(&ink->black_pixels, kcmy, ink->inks, ink->width,
                   ink->in_bits);
}

/* Prepares what is done to grays. False without memory. */
static bool init_grays(struct ink *ink, const struct ink_settings *s,
                       struct ink_tables *tables)
{
    const unsigned most = ink->in_bits == 16 ? UINT16_MAX : UINT8_MAX;

    if (ink->inks != 4)
        return true;
    if (s->gray)
        ink->grays = table_of(tables->grays, ink->in_bits, most, tone_of_gray,
                              s, 0, NULL);
    if (s->mixed_gray && tables->mixed == NULL) {
        tables->mixed = malloc(sizeof *tables->mixed);
        if (tables->mixed != NULL)
            mixed_grays_init(tables->mixed, s->axis, s->mixed_screen);
    }
    if (s->mixed_gray)
        ink->mixed = tables->mixed;
    /* Inks that are sharpened one by one leave the axis. */
    ink->gray_first = s->mixed_gray && ink->sharpness > 0;
    return (!s->gray || ink->grays != NULL) &&
           (!s->mixed_gray || ink->mixed != NULL);
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
        const unsigned letter = letter_index(letters[k]);
        const struct curve_points *drops =
            tables->drops != NULL ? &tables->drops[k] : NULL;

        ink->table[k] = s->gray && ink->inks == 1
                            ? table_of(tables->gray, ink->in_bits, SOLID,
                                       ink_of_gray, s, letter, drops)
                            : table_of(tables->made[letter], ink->in_bits,
                                       SOLID, ink_of_tone, s, letter, drops);
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
    if (ink->cut)
        return true;
    const unsigned most = bits == 16 ? UINT16_MAX : UINT8_MAX;
    const bool pixels = changes_pixels(s) && !(s->gray && inks == 1);

    if (pixels)
        ink->pixels =
            table_of(tables->pixels, bits, most, tone_of_pixel, s, 0, NULL);
    if (pixels && ink->pixels == NULL)
        return false;
    return init_grays(ink, s, tables) && init_tones(ink, s, tables, letters);
}

size_t ink_row_bytes(const struct ink *ink)
{
    return (size_t)ink->inks * ink->width * (ink->bits / 8);
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

uint16_t ink_inked(const struct ink *ink, const void *row)
{
    return inks_in(ink, row, ink->in_bits);
}

uint16_t ink_gray(const struct ink *ink, void *row, uint16_t inked)
{
    if (ink->grays != NULL && (inked & 1) != 0)
        gray_row(ink->grays, row, ink->width, ink->in_bits);
    if (ink->mixed != NULL && (inked & 0xe) != 0 &&
        mixed_grays_row(ink->mixed, row, ink->width, ink->in_bits))
        return ink_inked(ink, row);
    return inked;
}

uint16_t ink_apply(const struct ink *ink, void *row, uint16_t inked)
{
    if (!ink->gray_first)
        inked = ink_gray(ink, row, inked);
    if (ink->pixels != NULL && inked != 0)
        pixel_curve_row(ink->pixels, row, ink->inks, ink->width, ink->in_bits);
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
