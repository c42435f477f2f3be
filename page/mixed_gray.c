/*
 * mixed_gray.c - grays that the RIP has mixed of four inks become black ink
 * alone.
 *
 * MIXED_GRAY_NEAR and MIXED_GRAY_FAR fit 2,471 colors that Ghostscript has
 * turned to CMYK: a chroma of up to 1 in CIE L*a*b* is at most 3.2 from the
 * axis, of up to 2 at most 7, and of 13 and more at least 20.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "page/bytes.h"
#include "page/gray.h"
#include "page/mixed_gray.h"
#include "page/color/color.h"

#define INKS CURVE_INKS
#define STEP 257 /* 1/255 in 1/65535 */
#define SOLID 65535

/*
 * Made by Ghostscript 10.0:
 *
 *   gs -q -sDEVICE=cups -dcupsColorSpace=6 -dcupsBitsPerColor=8 -r72 -o out.ras
 *      -c '<< /PageSize [33 1] >> setpagedevice 0 1 32 { dup 32 div dup dup
 *          setrgbcolor 0 1 1 rectfill } for showpage'
 *   tail -c 132 out.ras | od -An -v -tu1 -w4
 */
const gray_axis ghostscript_grays = {
    {184, 173, 171, 226}, {182, 172, 171, 219}, {181, 172, 171, 211},
    {180, 171, 170, 202}, {178, 169, 167, 190}, {176, 166, 165, 174},
    {174, 163, 162, 157}, {172, 160, 158, 139}, {169, 156, 154, 121},
    {166, 151, 149, 105}, {163, 147, 145, 89},  {159, 142, 141, 75},
    {154, 136, 135, 62},  {149, 131, 130, 50},  {143, 125, 124, 38},
    {137, 118, 118, 28},  {130, 111, 112, 20},  {123, 105, 106, 13},
    {116, 98, 99, 7},     {109, 91, 92, 3},     {101, 84, 85, 1},
    {91, 75, 77, 0},      {81, 67, 69, 0},      {72, 59, 60, 0},
    {62, 52, 53, 0},      {53, 44, 45, 0},      {44, 36, 37, 0},
    {35, 29, 30, 0},      {27, 23, 23, 0},      {19, 16, 16, 0},
    {10, 10, 9, 0},       {4, 4, 4, 0},         {0, 0, 0, 0}};

/* ---- The axis ----------------------------------------------------------- */

static unsigned sum_of(const uint8_t inks[INKS])
{
    return inks[0] + inks[1] + inks[2] + inks[3];
}

/* Returns K, C, M or Y of a gray, 0..1. */
static double ink_at(const gray_axis axis, unsigned gray, unsigned k)
{
    return axis[gray][(k + INKS - 1) % INKS] / 255.0;
}

static double tone_at(double gray, bool screen)
{
    const double tone = 1 - gray / (MIXED_GRAYS - 1);

    return screen ? gray_tone(tone) : tone;
}

/* Returns the area of the dots of a tone: with a gain of 20 % it covers as much
 * of the paper as these do with the light that is caught under them (Yule and
 * Nielsen, n = 2), if solid ink leaves 3 % of the light. */
static double area_of(double tone)
{
    const double solid = 0.03, covered = tone + 0.8 * tone * (1 - tone);

    return (1 - sqrt(1 - (1 - solid) * covered)) / (1 - sqrt(solid));
}

/* Returns the cube root of the light that paper leaves, with `black` for K and
 * `share` of a gray's other inks. */
static double light_of(const gray_axis axis, unsigned gray, double black,
                       double share)
{
    double area[COLOR_INKS], of[COLOR_PRIMARIES], xyz[3];

    for (unsigned k = 0; k < INKS; k++)
        area[k] = area_of(k == 0 ? black : share * ink_at(axis, gray, k));
    color_shares(area, of);
    color_on_paper(of, xyz);
    return cbrt(xyz[1]);
}

/* Returns the K that `share` of a gray's inks need in addition to their shares
 * of K and of black ink alone. */
static double more_black(const gray_axis axis, unsigned gray, double tone,
                         double share)
{
    const double black = ink_at(axis, gray, 0);
    const double light = (1 - share) * light_of(axis, gray, tone, 0) +
                         share * light_of(axis, gray, black, 1);
    double least = 0, most = 1;

    for (unsigned i = 0; i < 20; i++) {
        const double middle = (least + most) / 2;

        if (light_of(axis, gray, middle, share) > light)
            least = middle;
        else
            most = middle;
    }
    return least - (1 - share) * tone - share * black;
}

/* Finds how much K mixtures of each gray need. The ends are none. */
static void find_more(const gray_axis axis, bool screen,
                      double more[MIXED_GRAYS][MIXED_GRAY_SHARES + 1])
{
    for (unsigned i = 0; i < MIXED_GRAYS; i++) {
        more[i][0] = more[i][MIXED_GRAY_SHARES] = 0;
        for (unsigned v = 1; v < MIXED_GRAY_SHARES; v++)
            more[i][v] = more_black(axis, i, tone_at(i, screen),
                                    (double)v / MIXED_GRAY_SHARES);
    }
}

/* Returns what is `share` of the way from `here` to `next`, 1/65535. */
static int along(double here, double next, double share)
{
    return (int)floor(SOLID * (here + share * (next - here)) + 0.5);
}

static uint8_t least(int of, int limit)
{
    return (uint8_t)(of < limit ? of : limit);
}

void mixed_grays_init(struct mixed_grays *m, const gray_axis axis, bool screen)
{
    double more[MIXED_GRAYS][MIXED_GRAY_SHARES + 1];
    unsigned gray = MIXED_GRAYS - 1, sum = sum_of(axis[gray]);
    int most[2] = {0, 0};

    find_more(axis, screen, more);
    /* Goes from white to black as the sum rises. Below white's, it is white. */
    for (unsigned s = 0; s <= MIXED_GRAY_SUMS; s++) {
        while (gray > 0 && sum_of(axis[gray - 1]) < s)
            sum = sum_of(axis[--gray]);

        struct mixed_gray *of = &m->of[s];
        const unsigned darker = gray > 0 ? gray - 1 : 0;
        const unsigned next = sum_of(axis[darker]);
        const double share =
            s > sum && next > sum ? (double)(s - sum) / (next - sum) : 0;

        for (unsigned k = 0; k < INKS; k++)
            of->inks[k] = (uint16_t)along(ink_at(axis, gray, k),
                                          ink_at(axis, darker, k), share);
        of->tone = (uint16_t)along(tone_at(gray - share, screen), 0, 0);
        for (unsigned v = 0; v <= MIXED_GRAY_SHARES; v++)
            of->more[v] = along(more[gray][v], more[darker][v], share);
    }
    for (unsigned i = 0; i < MIXED_GRAYS; i++)
        for (unsigned j = 0; j < 2; j++) {
            const int apart = abs(axis[i][j] - axis[i][j + 1]);

            most[j] = apart > most[j] ? apart : most[j];
        }
    for (unsigned j = 0; j < 2; j++)
        m->most[j] = least(most[j] + 2 * (int)MIXED_GRAY_FAR, UINT8_MAX);
}

/* ---- Pixels ------------------------------------------------------------- */

/* Returns what is `share`, 0..`all`, of the way from a to b. */
static int32_t between(int32_t a, int32_t b, int32_t share, int32_t all)
{
    return (a * (all - share) + b * share + all / 2) / all;
}

/* Returns how much K a mixture needs in addition that has `share` of `all` of
 * the RIP's inks, on the way from `low` to `high`. */
static int32_t more_of(const struct mixed_gray *low,
                       const struct mixed_gray *high, int32_t way,
                       int32_t share, int32_t all)
{
    const int32_t at = share * (int32_t)MIXED_GRAY_SHARES, v = at / all,
                  rest = at % all;

    return between(between(low->more[v], high->more[v], way, STEP),
                   between(low->more[v + 1], high->more[v + 1], way, STEP),
                   rest, all);
}

/* Changes K, C, M and Y of a pixel, 1/65535. */
static bool change(const struct mixed_grays *m, uint16_t pixel[INKS])
{
    const int32_t sum = pixel[0] + pixel[1] + pixel[2] + pixel[3];
    const struct mixed_gray *low = &m->of[sum / STEP], *high = low + 1;
    const int32_t way = sum % STEP;
    const int32_t near = MIXED_GRAY_NEAR * STEP, far = MIXED_GRAY_FAR * STEP;
    int32_t away = near;

    for (unsigned k = 0; k < INKS; k++) {
        const int32_t off =
            abs(between(low->inks[k], high->inks[k], way, STEP) - pixel[k]);

        away = off > away ? off : away;
    }
    if (away >= far)
        return false;

    const int32_t share = away - near, all = far - near;
    const int32_t tone = between(low->tone, high->tone, way, STEP);

    for (unsigned k = 0; k < INKS; k++) {
        int32_t ink = between(k == 0 ? tone : 0, pixel[k], share, all);

        if (k == 0 && share > 0)
            ink += more_of(low, high, way, share, all);
        pixel[k] = (uint16_t)(ink < 0 ? 0 : ink > SOLID ? SOLID : ink);
    }
    return true;
}

/* ---- Rows --------------------------------------------------------------- */

/* Rounds, but no ink to bare paper: that forces the dot. */
static uint8_t narrow(uint16_t sample)
{
    const uint8_t byte = (uint8_t)((sample + STEP / 2) / STEP);

    return byte == 0 && sample > 0 ? 1 : byte;
}

/* The last pixel that was changed, or looked at: neighbors are often equal. */
struct last {
    uint32_t came;
    uint8_t leaves[INKS];
    bool changed;
};

static void change_bytes(const struct mixed_grays *m, struct last *last,
                         uint32_t came)
{
    uint16_t pixel[INKS];

    last->came = came;
    for (unsigned k = 0; k < INKS; k++)
        pixel[k] = (uint16_t)((came >> 8 * k & 0xff) * STEP);
    last->changed = change(m, pixel);
    for (unsigned k = 0; k < INKS; k++)
        last->leaves[k] = narrow(pixel[k]);
}

static bool map_bytes(const struct mixed_grays *m, struct last *last,
                      uint8_t *row, size_t width, size_t first, size_t end)
{
    bool any = false;

    for (size_t x = first; x < end; x++) {
        const uint32_t c = row[width + x], magenta = row[2 * width + x],
                       y = row[3 * width + x];

        if ((c | magenta | y) == 0)
            continue;
        const uint32_t came = row[x] | c << 8 | magenta << 16 | y << 24;

        if (came != last->came)
            change_bytes(m, last, came);
        if (!last->changed)
            continue;
        any = true;
        for (unsigned k = 0; k < INKS; k++)
            row[k * width + x] = last->leaves[k];
    }
    return any;
}

static bool map_words(const struct mixed_grays *m, uint16_t *row, size_t width)
{
    bool any = false;

    for (size_t x = 0; x < width; x++) {
        uint16_t pixel[INKS] = {row[x], row[width + x], row[2 * width + x],
                                row[3 * width + x]};

        if ((pixel[1] | pixel[2] | pixel[3]) == 0 || !change(m, pixel))
            continue;
        any = true;
        for (unsigned k = 0; k < INKS; k++)
            row[k * width + x] = pixel[k];
    }
    return any;
}

/* Marks bytes that are at most `most` apart. */
static bytes are_close(bytes a, bytes b, uint8_t most)
{
    const bytes more = (bytes)(a > b);
    const bytes apart = ((a - b) & more) | ((b - a) & ~more);

    return (bytes)(apart <= most);
}

/* Nearly all pixels of 8 bits are bare paper, black ink alone or colors. */
bool mixed_grays_row(const struct mixed_grays *m, void *row, uint32_t width,
                     uint32_t bits)
{
    uint8_t *samples = row;
    struct last last = {.came = 0}; /* is not looked at */
    size_t x = 0;
    bool any = false;

    if (bits == 16)
        return map_words(m, row, width);
    for (; x + BYTES <= width; x += BYTES) {
        const uint8_t *at = samples + x;
        const bytes c = load(at + width),
                    magenta = load(at + 2 * (size_t)width),
                    y = load(at + 3 * (size_t)width);

        if (any_bit((bytes)((c | magenta | y) != 0) &
                    are_close(c, magenta, m->most[0]) &
                    are_close(magenta, y, m->most[1])))
            any = map_bytes(m, &last, samples, width, x, x + BYTES) || any;
    }
    return map_bytes(m, &last, samples, width, x, width) || any;
}
