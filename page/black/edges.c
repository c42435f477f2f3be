/*
 * edges.c - prints pixels of strokes, of soft edges and of hairlines as a
 * threshold does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "page/color/color.h"
#include "page/black/edges.h"

#define SOLID_LEAST 230u /* of 255: solid */
#define GRAY_MOST 8.0    /* chroma: more is seen beside black */
#define STEP_LEAST 64u   /* of 255: a line or a panel to be seen as such */

/* ---- Cuts --------------------------------------------------------------- */

/* Returns the inks of black, a bit each. */
static unsigned black_inks(const struct strokes *s)
{
    return s->ring.inks == 3 ? 7 : 1;
}

/* Tells whether a color is gray. Most have been asked about before. */
static bool is_gray(struct strokes *s, const uint8_t sample[4])
{
    double area[COLOR_INKS] = {0}, xyz[3], lab[3];
    uint32_t asked;

    if (s->ring.inks == 1)
        return true;
    memcpy(&asked, sample, sizeof asked);
    const uint32_t place = asked * 2654435761u >> 24;
    if (asked == s->asked[place])
        return s->gray[place];
    for (uint32_t k = 0; k < s->ring.inks; k++)
        area[k + (s->ring.inks == 3)] = sample[k] / 255.0;
    color_of_areas(area, xyz);
    color_lab(xyz, lab);
    s->asked[place] = asked;
    s->gray[place] = hypot(lab[1], lab[2]) <= GRAY_MOST;
    return s->gray[place];
}

/* Returns the inks, a bit each, of a pixel that has none but solid ones. */
static unsigned solid_inks(const struct strokes *s, const uint8_t sample[4])
{
    unsigned inks = 0;

    for (uint32_t k = 0; k < s->ring.inks; k++) {
        if (sample[k] > STROKES_PAPER && sample[k] < SOLID_LEAST)
            return 0;
        inks |= (unsigned)(sample[k] > STROKES_PAPER) << k;
    }
    return inks;
}

static unsigned find_cut(struct strokes *s, size_t row, size_t x)
{
    const unsigned black = black_inks(s);
    uint8_t sample[4] = {0};

    sample_at(s, row, x, sample);
    const unsigned solid = solid_inks(s, sample);
    if (solid != 0 || kinds_at(s, row)[x] == WIDE)
        return solid;
    return two_level_dots(s->dots, sample) == black && is_gray(s, sample)
               ? black
               : 0;
}

/* Returns the solid inks, a bit each, that a pixel has or becomes by itself; 0
 * where it stays. */
static unsigned cut_of(struct strokes *s, size_t row, size_t x)
{
    uint8_t *cut = cuts_at(s, row) + x;

    if (kinds_at(s, row)[x] == PAPER)
        return 0;
    if (*cut == STROKES_UNKNOWN)
        *cut = (uint8_t)find_cut(s, row, x);
    return *cut;
}

/* ---- Edges -------------------------------------------------------------- */

/* A pixel, and one of eight ways to go on from it. */
struct way {
    size_t row, x;
    int down, across; /* -1, 0 or 1 */
};

/* Goes on by a pixel. False at the page's edge. */
static bool go_on(const struct strokes *s, struct way *way)
{
    way->row += (size_t)way->down;
    way->x += (size_t)way->across;
    return way->row < s->ring.put && way->x < s->ring.width;
}

/* Tells whether a way leads to bare paper within reach, lighter by the pixel.
 */
static bool ends_in_paper(const struct strokes *s, struct way way)
{
    unsigned depth = depth_at(s, way.row, way.x);

    for (unsigned i = 0; i < s->reach && go_on(s, &way); i++) {
        if (kinds_at(s, way.row)[way.x] == PAPER)
            return true;
        const unsigned next = depth_at(s, way.row, way.x);
        if (next > depth)
            return false;
        depth = next;
    }
    return false;
}

/* Tells whether all pixels from one on are equal for twice the reach. */
static bool is_flat(const struct strokes *s, struct way way)
{
    uint8_t first[4] = {0}, next[4] = {0};

    sample_at(s, way.row, way.x, first);
    for (unsigned i = 1; i < 2 * s->reach; i++) {
        if (!go_on(s, &way))
            return false;
        sample_at(s, way.row, way.x, next);
        if (memcmp(first, next, sizeof first) != 0)
            return false;
    }
    return true;
}

/* Follows a way to a dark end that is fewer than `most` pixels away, darker by
 * the pixel: solid inks, or a flat panel. Returns how many pixels away it is;
 * `most` if there is none. */
static unsigned follow_to_dark(struct strokes *s, struct way *way,
                               unsigned most)
{
    const unsigned first = depth_at(s, way->row, way->x);
    unsigned depth = first;

    for (unsigned i = 1; i < most && go_on(s, way); i++) {
        const unsigned next = depth_at(s, way->row, way->x);

        if (kinds_at(s, way->row)[way->x] == PAPER || next < depth)
            break;
        if (next > first && (cut_of(s, way->row, way->x) != 0 ||
                             (next >= STEP_LEAST && is_flat(s, *way))))
            return i;
        depth = next;
    }
    return most;
}

/* Finds the dark end of the edge that a pixel is part of. The nearest counts:
 * where a light line touches a dark one, that lies along the light one. */
static bool find_end(struct strokes *s, size_t row, size_t x, struct way *end)
{
    static const int ways[][2] = {{0, 1}, {1, 0},  {0, -1}, {-1, 0},
                                  {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    unsigned most = s->reach + 1;

    *end = (struct way){row, x, 0, 0};
    for (int i = 0; i < 8 && most > 1; i++) {
        struct way way = {row, x, ways[i][0], ways[i][1]};
        const unsigned steps = follow_to_dark(s, &way, most);

        if (steps < most)
            *end = way;
        most = steps;
    }
    return most <= s->reach &&
           ends_in_paper(s, (struct way){row, x, -end->down, -end->across});
}

/* Counts the pixels of a line from one on, which are no darker than it, up to
 * bare paper; more than a hairline where there is none. */
static unsigned count_line(struct strokes *s, struct way way)
{
    const unsigned depth = depth_at(s, way.row, way.x);
    unsigned pixels = 0;

    while (pixels <= s->hairline) {
        if (!go_on(s, &way))
            return s->hairline + 1;
        if (kinds_at(s, way.row)[way.x] == PAPER)
            break;
        if (cut_of(s, way.row, way.x) != 0 ||
            depth_at(s, way.row, way.x) > depth)
            return s->hairline + 1;
        pixels++;
    }
    return pixels;
}

/* Tells whether a pixel is the darkest across a line that is at most as wide as
 * the reach, gray and not too light. */
static bool is_hairline(struct strokes *s, size_t row, size_t x,
                        const uint8_t sample[4])
{
    if (kinds_at(s, row)[x] != STROKE || depth_at(s, row, x) < STEP_LEAST ||
        !is_gray(s, sample))
        return false;
    for (int down = 0; down <= 1; down++) {
        const struct way on = {row, x, down, 1 - down};
        const struct way back = {row, x, -down, down - 1};

        if (count_line(s, on) + count_line(s, back) < s->hairline)
            return true;
    }
    return false;
}

/* ---- White letters ------------------------------------------------------ */

/* Tells whether a way leads over a white letter: first to less than half of
 * `panel`, lighter by the pixel up to bare paper, and then to no paper, all a
 * pixel further than the reach at most. */
static bool crosses_letter(const struct strokes *s, struct way way,
                           unsigned panel)
{
    unsigned depth = panel;
    bool paper = false;

    for (unsigned i = 0; i <= s->reach && go_on(s, &way); i++) {
        const unsigned next = depth_at(s, way.row, way.x);

        if (kinds_at(s, way.row)[way.x] == PAPER) {
            depth = 0;
            paper = true;
        } else if (paper) {
            return true;
        } else if (next > depth || (i == 0 && 2 * next >= panel)) {
            return false;
        }
        depth = next;
    }
    return false;
}

/* Tells whether a pixel as dark as a panel touches a white letter in it. */
static bool touches_letter(const struct strokes *s, size_t row, size_t x,
                           unsigned panel)
{
    for (int i = 0; i < 4; i++)
        if (crosses_letter(s, (struct way){row, x, (i - 1) % 2, (i - 2) % 2},
                           panel))
            return true;
    return false;
}

/* Returns the inks, a bit each, of the outline that white letters get in a
 * panel of that color. */
static unsigned outline_of(struct strokes *s, const uint8_t sample[4])
{
    unsigned inks = 0;

    if (is_gray(s, sample))
        return black_inks(s);
    for (uint32_t k = 0; k < s->ring.inks; k++)
        inks |= (unsigned)(sample[k] >= STEP_LEAST) << k;
    return inks;
}

/* ---- Dots ---------------------------------------------------------- */

/* Tells whether a pixel may lie between solid inks and bare paper. */
static bool fades(struct strokes *s, const uint8_t sample[4], unsigned solid)
{
    if (solid == black_inks(s))
        return is_gray(s, sample);
    for (uint32_t k = 0; k < s->ring.inks; k++)
        if ((solid >> k & 1) == 0 && sample[k] > STROKES_PAPER)
            return false;
    return true;
}

/* Writes a pixel of solid inks, a bit each, and bare paper. */
static void print(const struct strokes *s, uint8_t *row, size_t x,
                  unsigned dots)
{
    for (uint32_t k = 0; k < s->ring.inks; k++, row += s->ring.plane)
        if (s->ring.bits == 8)
            row[x] = (dots >> k & 1) != 0 ? UINT8_MAX : 0;
        else
            ((uint16_t *)(void *)row)[x] =
                (dots >> k & 1) != 0 ? UINT16_MAX : 0;
}

/* Prints a pixel as another one is. */
static void copy_pixel(const struct strokes *s, uint8_t *row, size_t x,
                       const struct way *from)
{
    const size_t unit = s->ring.bits / 8;
    const uint8_t *sample = row_ring_at(&s->ring, from->row);

    for (uint32_t k = 0; k < s->ring.inks; k++)
        memcpy(row + k * s->ring.plane + x * unit,
               sample + k * s->ring.plane + from->x * unit, unit);
}

/* Prints a pixel of an edge as its dark end or as bare paper, or leaves it.
 * Returns the inks that it may have got. */
static unsigned print_edge(struct strokes *s, uint8_t *row, size_t x,
                           const uint8_t sample[4], const struct way *end)
{
    const unsigned solid = cut_of(s, end->row, end->x);
    const unsigned dots = two_level_dots(s->dots, sample);
    uint8_t panel[4] = {0};

    if (solid != 0) {
        if (fades(s, sample, solid) && (dots == 0 || dots == solid))
            print(s, row, x, dots);
        return dots == solid ? dots : 0;
    }
    if (2 * depth_at(s, s->ring.taken, x) < depth_at(s, end->row, end->x)) {
        print(s, row, x, 0);
        return 0;
    }
    if (touches_letter(s, s->ring.taken, x, depth_at(s, end->row, end->x))) {
        sample_at(s, end->row, end->x, panel);
        print(s, row, x, outline_of(s, panel));
        return outline_of(s, panel);
    }
    copy_pixel(s, row, x, end);
    return *row_ring_inked(&s->ring, end->row);
}

/* Prints the pixel at `x` of the row that is taken; returns the inks that it
 * may have got. */
unsigned strokes_print(struct strokes *s, uint8_t *row, size_t x)
{
    const unsigned solid = cut_of(s, s->ring.taken, x);
    uint8_t sample[4] = {0};
    struct way end;

    if (solid != 0) {
        if (kinds_at(s, s->ring.taken)[x] == STROKE)
            print(s, row, x, solid);
        return solid;
    }
    sample_at(s, s->ring.taken, x, sample);
    if (s->edges[x] != 0 && find_end(s, s->ring.taken, x, &end))
        return print_edge(s, row, x, sample, &end);
    const unsigned depth = depth_at(s, s->ring.taken, x);
    unsigned dots = 0;
    if (is_hairline(s, s->ring.taken, x, sample))
        dots = black_inks(s);
    else if (depth >= STEP_LEAST && kinds_at(s, s->ring.taken)[x] == WIDE &&
             touches_letter(s, s->ring.taken, x, depth))
        dots = outline_of(s, sample);
    if (dots != 0)
        print(s, row, x, dots);
    return dots;
}
