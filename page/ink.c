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
#include "halftone/halftone.h"

#define SOLID 65535u

/* ---- Tables ------------------------------------------------------------- */

/* Contents of a table. */
struct tabled {
    const struct ink_settings *settings;
    unsigned letter;
    const struct curve_points *drops; /* tables->drops of the ink, or NULL */
    const struct drop_tones *tones;   /* tables->tones */
    const struct shades *shades;      /* of the color, or NULL: */
    unsigned shade;                   /* whose ink it is */
    bool own; /* the curve separates the color: by `points`, NULL = no ink */
    const struct curve_points *points;
    double keep, toned; /* of a tone t, and of t (1 - t^3): 1 and 0 without
                           toning */
};

/* The ink of a tone, 0..1. */
typedef double ink_function(const struct tabled *of, double tone);

bool ink_has_own_tones(const struct ink_settings *s, const struct drops *drops)
{
    return drops != NULL && drops->tones.solid[0] > 0 && s->curved && s->usual;
}

/* The drops' curve, ink.h; `ink` is one of DROPS_INKS. */
static double tone_of_drops(const struct drop_tones *tones, unsigned ink,
                            double a)
{
    const double dark = pow(0.25, 0.25), b = tones->brightness;
    const double near = pow(2 * fmin(a, 1 - a), tones->contrast) / 2;
    const double u = a < 0.5 ? near : 1 - near;
    const double x = b <= 1 ? 1 - pow(1 - u, b) : pow(u, 2 - b);
    const double p = (1 - pow(1 - 0.75 * x, 0.25)) / (1 - dark);
    const double q = 1 - pow(fmax(1 - p, 0), tones->gamma[ink]);
    double power = 1 + 9 * (tones->print_gamma - 1);

    if (fabs(power) < 1e-6) /* the limit is not computed */
        power = 1e-6;
    return (pow(0.75 + q / 4, power) - pow(0.75, power)) /
           (1 - pow(0.75, power));
}

static unsigned ink_of_drops(unsigned letter)
{
    return (letter + 1) % DROPS_INKS; /* K comes first */
}

/* Returns how much of an ink a solid has. */
static double solid_of(const struct ink_settings *s,
                       const struct drop_tones *tones, unsigned letter)
{
    const double solid = tones != NULL ? tones->solid[ink_of_drops(letter)] : 1;

    return fmin(solid * s->density, 1);
}

/* Returns the ink of a tone of a dark ink in shades. */
static double in_shades(const struct tabled *of, double tone)
{
    double ink[SHADES_MOST];

    if (of->shades == NULL)
        return tone;
    if (of->own)
        return of->points != NULL ? curve_points_at(of->points, tone) : 0;
    shades_split(of->shades, fmin(tone, 1), ink);
    return ink[of->shade];
}

static double ink_of_tone(const struct tabled *of, double tone)
{
    const struct ink_settings *s = of->settings;
    const struct drop_tones *tones = of->tones;

    tone = tone * (of->keep + of->toned * (1 - tone * tone * tone));
    tone = pow(tone, s->gamma);
    if (s->curved && s->usual && tones != NULL)
        tone = tone_of_drops(tones, ink_of_drops(of->letter), tone);
    else if (s->curved)
        tone = curve_points_at(&s->curve.ink[of->letter], tone);
    tone *= s->density;
    if (of->drops != NULL)
        tone = curve_points_at(of->drops, tone);
    tone = in_shades(of, tone);
    if (tones != NULL)
        tone *= tones->solid[ink_of_drops(of->letter)];
    return fmin(tone, 1);
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

static double tone_of_pixel(const struct tabled *of, double tone)
{
    return curve_points_at(&of->settings->curve.pixel, tone);
}

/* A pixel of one ink is done with here. */
static double ink_of_gray(const struct tabled *of, double tone)
{
    tone = gray_tone(tone);
    if (changes_pixels(of->settings))
        tone = tone_of_pixel(of, tone);
    return ink_of_tone(of, tone);
}

static double tone_of_gray(const struct tabled *of, double tone)
{
    (void)of;
    return gray_tone(tone);
}

/* Returns the table of samples of `bits` to inks of 0..`most`, made if there is
 * none yet. NULL without memory. */
static uint16_t *table_of(uint16_t *tables[2], uint32_t bits, unsigned most,
                          ink_function *ink, const struct tabled *of)
{
    uint16_t **table = &tables[bits == 16];
    const unsigned full = bits == 16 ? UINT16_MAX : UINT8_MAX;

    if (*table != NULL)
        return *table;
    *table = malloc((full + 1) * sizeof **table);
    for (unsigned v = 0; *table != NULL && v <= full; v++)
        (*table)[v] = sample_of_ink(ink(of, (double)v / full), most);
    return *table;
}

void ink_tables_free(struct ink_tables *tables)
{
    for (unsigned wide = 0; wide < 2; wide++) {
        for (unsigned i = 0; i < HT_MAX_INKS; i++)
            free(tables->made[i][wide]);
        for (unsigned i = 0; wide == 0 && i < HT_MAX_INKS; i++)
            free(tables->ranked[i]);
        free(tables->gray[wide]);
        free(tables->grays[wide]);
        free(tables->pixels[wide]);
    }
    free(tables->mixed);
    *tables = (struct ink_tables){0};
}

static bool changes_tones(const struct ink_settings *s,
                          const struct drop_tones *tones)
{
    return s->curved || s->gamma != 1 || s->density != 1 || tones != NULL;
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
        ink->grays =
            table_of(tables->grays, ink->in_bits, most, tone_of_gray, NULL);
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

/* Makes room at 255 in a table of samples of 8 bits, once: 1 and 2 share an
 * ink, their mean, and all above are one less. A solid that is no whole dot is
 * at 254 then. */
static void lower(uint16_t table[UINT8_MAX + 1])
{
    if (table[UINT8_MAX] == SOLID)
        return;
    table[1] = (uint16_t)((table[1] + table[2]) / 2);
    memmove(table + 2, table + 3, (UINT8_MAX - 2) * sizeof *table);
    table[UINT8_MAX] = SOLID;
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

/* Returns the most ink of a pixel, in 1/SOLID; 0 if no pixel exceeds it. */
static uint32_t limit_of(const struct ink_settings *s,
                         const struct drop_tones *tones, const char *letters)
{
    double limit = s->limit, most = 0;

    for (; *letters != '\0'; letters++)
        most += solid_of(s, tones, letter_index(*letters));
    if (tones != NULL && tones->limit > 0)
        limit = fmin(limit, tones->limit);
    return limit < most ? (uint32_t)(limit * SOLID) : 0;
}

/* limit_of() of a set, whose colors may have more ink than a solid each. */
static uint32_t limit_of_set(const struct ink_settings *s,
                             const struct drop_tones *tones)
{
    const double of_drops = tones != NULL ? tones->limit : 0;
    const double limit = of_drops > 0 ? fmin(s->limit, of_drops) : s->limit;

    return limit < INK_AS_IT_IS.limit ? (uint32_t)(limit * SOLID) : 0;
}

/* Describes the table of an ink whose tone is a color's, without shades. */
static struct tabled tabled_of(const struct ink_settings *s,
                               const struct ink_tables *tables, char color,
                               uint32_t number)
{
    return (struct tabled){
        .settings = s,
        .letter = letter_index(color),
        .drops = tables->drops != NULL ? &tables->drops[number] : NULL,
        .tones = tables->tones,
        .keep = 1};
}

/* Says what of K's tone a color gets in its place, and K keeps beside others:
 * less by their light, so that a gray stays as light. */
static void tone_gray(struct tabled *of, const struct ink_settings *s,
                      unsigned color)
{
    of->keep = color == 0;
    of->toned = color > 0 ? s->toning[color - 1] : 0;
    for (unsigned other = 1; color == 0 && other < SHADES_COLORS; other++)
        of->toned -=
            s->toning[other - 1] * shades_light(other) / shades_light(0);
}

/* Whether the curve has points for an ink of a set, by the engine's number;
 * fills them in. */
static bool points_of(const struct ink_settings *s, unsigned ink,
                      struct curve_points *points)
{
    uint8_t order[HT_MAX_INKS];

    ink_set_order(s->set, order);
    return s->curved &&
           curve_shade(&s->curve, s->set->ink[order[ink]].name, points);
}

/* Prepares a color's inks of a set. False without memory. */
static bool init_color(struct ink *ink, const struct ink_settings *s,
                       struct ink_tables *tables, const char *letters,
                       unsigned color)
{
    const char letter = "KCMY"[color];
    const bool alone = ink->inks == 1 || s->alone;
    const char *at = strchr(letters, alone ? 'K' : letter);
    struct tabled of = tabled_of(s, tables, letter, color);
    struct curve_points points;

    if (at == NULL || (alone && color > 0 && s->toning[color - 1] <= 0))
        return true;
    if (alone)
        tone_gray(&of, s, color);
    of.shades = &ink->shades[color];
    for (unsigned i = 0; i < of.shades->count; i++)
        of.own = points_of(s, of.shades->ink[i], &points) || of.own;
    if (of.own)
        of.drops = NULL;
    for (; of.shade < of.shades->count; of.shade++) {
        const unsigned k = of.shades->ink[of.shade];

        of.points = points_of(s, k, &points) ? &points : NULL;
        ink->source[k] = (uint8_t)(at - letters);
        ink->table[k] = table_of(
            tables->made[k], ink->in_bits, SOLID,
            s->gray && ink->inks == 1 ? ink_of_gray : ink_of_tone, &of);
        if (ink->table[k] == NULL)
            return false;
    }
    return true;
}

/* Leaves the tables of a set to the engine, of ranks. False without memory. */
static bool leave_ranks(struct ink *ink, struct ink_tables *tables)
{
    static const uint16_t bare[UINT8_MAX + 1];

    for (uint32_t k = 0; k < ink->out_inks; k++) {
        struct ranks **ranks = &tables->ranked[k];

        if (*ranks == NULL) {
            *ranks = malloc(sizeof **ranks);
            if (*ranks == NULL)
                return false;
            ranks_fill(*ranks, ink->table[k] != NULL ? ink->table[k] : bare);
        }
        ink->rank[k] = ink->table[k] != NULL ? (*ranks)->of : NULL;
        ink->table[k] = (*ranks)->curve;
    }
    ink->curved = true;
    ink->bits = 8;
    return true;
}

/* Prepares what is done to tones that all inks of a set print. False without
 * memory. */
static bool init_shades(struct ink *ink, const struct ink_settings *s,
                        struct ink_tables *tables, const char *letters)
{
    bool ok = true;

    ink->limit = limit_of_set(s, tables->tones);
    ink->bits = 16;
    for (unsigned color = 0; ok && color < SHADES_COLORS; color++)
        ok = init_color(ink, s, tables, letters, color);
    return ok &&
           (ink->in_bits != 8 || ink->limit > 0 || leave_ranks(ink, tables));
}

/* Prepares what is done to tones. False without memory. */
static bool init_tones(struct ink *ink, const struct ink_settings *s,
                       struct ink_tables *tables, const char *letters)
{
    ink->limit = limit_of(s, tables->tones, letters);
    if (!changes_tones(s, tables->tones) && ink->limit == 0)
        return true;
    ink->bits = 16;
    for (uint32_t k = 0; k < ink->inks; k++) {
        const unsigned letter = letter_index(letters[k]);
        const struct tabled of = tabled_of(s, tables, letters[k], k);
        const bool gray = s->gray && ink->inks == 1;
        uint16_t *table =
            table_of(gray ? tables->gray : tables->made[letter], ink->in_bits,
                     SOLID, gray ? ink_of_gray : ink_of_tone, &of);

        if (table == NULL)
            return false;
        if (tables->tones != NULL && ink->in_bits == 8 && ink->limit == 0 &&
            solid_of(s, tables->tones, letter) < 1) {
            lower(table);
            ink->lowered |= (uint16_t)(1u << k);
        }
        ink->table[k] = table;
    }
    leave_curves(ink);
    return true;
}

/* Prepares inks of a set: each dark one is what comes of its color, until more
 * is known. */
static void take_set(struct ink *ink, const struct ink_set *set,
                     const char *letters)
{
    ink->out_inks = set->count;
    shades_of(set, ink->shades);
    memset(ink->source, INK_NONE, sizeof ink->source);
    for (unsigned color = 0; color < SHADES_COLORS; color++) {
        const char *at = strchr(letters, "KCMY"[color]);

        if (at != NULL)
            ink->source[color] = (uint8_t)(at - letters);
    }
}

bool ink_init(struct ink *ink, const struct ink_settings *s,
              struct ink_tables *tables, uint32_t inks, uint32_t width,
              uint32_t bits)
{
    const char *letters = inks == 1   ? "K"
                          : inks == 3 ? "CMY"
                          : inks == 4 ? "KCMY"
                                      : NULL;
    struct ink_settings as_it_is;

    *ink = (struct ink){.inks = inks,
                        .out_inks = inks,
                        .width = width,
                        .in_bits = bits,
                        .bits = bits,
                        .sharpness = bits > 1 ? s->sharpness : 0};
    for (uint32_t k = 0; k < inks; k++)
        ink->source[k] = (uint8_t)k;
    if (bits == 1 || letters == NULL)
        return true;
    if (s->set != NULL)
        take_set(ink, s->set, letters);
    if (tables->tones != NULL && s->curved && s->usual) {
        as_it_is = *s;
        as_it_is.gray = as_it_is.mixed_screen = false;
        s = &as_it_is;
    }
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
        ink->pixels = table_of(tables->pixels, bits, most, tone_of_pixel,
                               &(struct tabled){.settings = s});
    if (pixels && ink->pixels == NULL)
        return false;
    return init_grays(ink, s, tables) &&
           (s->set != NULL ? init_shades : init_tones)(ink, s, tables, letters);
}

bool ink_moves(const struct ink *ink)
{
    return ink->bits > ink->in_bits || ink->out_inks > ink->inks;
}

size_t ink_row_bytes(const struct ink *ink)
{
    return (size_t)ink->out_inks * ink->width * (ink->bits / 8);
}
