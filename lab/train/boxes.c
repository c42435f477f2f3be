/*
 * boxes.c - judges the color that boxes of several inks begin and end with.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>

#include "lab/train/boxes.h"
#include "lab/train/color.h"
#include "lab/train/round_dots.h"
#include "lab/train/scielab.h"

#define BOX 64       /* pixels a side, and of the white above and beside */
#define TONES 9      /* a row of boxes for each */
#define BEGINNINGS 8 /* rows of two swaths of the 4-row scan */
#define FIRST_ROWS 8 /* judged */

static int tone_of(int row)
{
    return (row + 1) * 255 / 10;
}

static int left_of(int column)
{
    return BOX + column * 2 * BOX;
}

static int top_of(int row, int column)
{
    return BOX + row * 2 * BOX + column;
}

static void draw(struct plane *tones, int row, int column)
{
    int left = left_of(column), top = top_of(row, column);

    for (int ink = 1; ink < COLOR_INKS; ink++) /* not K */
        for (int y = top; y < top + BOX; y++)
            for (int x = left; x < left + BOX; x++)
                tones[ink].value[y * tones->width + x] = (uint8_t)tone_of(row);
}

/* Adds the color of some rows of a box, or a share of it. */
static void add_rows(const struct colors *colors, int row, int column, int from,
                     int count, double share, double sum[3])
{
    double xyz[3];

    colors_mean(colors, left_of(column), top_of(row, column) + from, BOX, count,
                xyz);
    for (int c = 0; c < 3; c++)
        sum[c] += share * xyz[c];
}

static double judge(const struct colors *colors, int row, int column)
{
    double a = tone_of(row) / 255.0, area[COLOR_INKS] = {0, a, a, a};
    double xyz[3], wanted[3], is[3], first[3] = {0};

    color_of_areas(area, xyz);
    color_lab(xyz, wanted);
    add_rows(colors, row, column, 0, FIRST_ROWS, 1, first);
    color_lab(first, is);
    return color_distance(is, wanted);
}

/* Returns the distance of the first or last `count` rows of a tone's boxes from
 * their middles. */
static double distance_of_end(const struct colors *colors, int row, int count,
                              bool last)
{
    double middle[3] = {0}, end[3] = {0}, lab[2][3];

    for (int i = 0; i < BEGINNINGS; i++) {
        add_rows(colors, row, i, BOX / 4, BOX / 2, 1. / BEGINNINGS, middle);
        add_rows(colors, row, i, last ? BOX - count : 0, count, 1. / BEGINNINGS,
                 end);
    }
    color_lab(middle, lab[0]);
    color_lab(end, lab[1]);
    return color_distance(lab[0], lab[1]);
}

static struct ends judge_ends(const struct colors *colors, int count)
{
    struct ends ends = {.mean = 0};

    for (int i = 0; i < 2 * TONES; i++) {
        double distance = distance_of_end(colors, i / 2, count, i % 2 != 0);

        ends.mean += distance / (2 * TONES);
        ends.worst = fmax(ends.worst, distance);
    }
    return ends;
}

/* Draws the boxes of a row in the color of their middles. */
static struct colors flat_boxes(const struct colors *of, int row)
{
    struct colors flat = colors_copy(of);
    double middle[3] = {0};

    for (int i = 0; i < BEGINNINGS; i++)
        add_rows(of, row, i, BOX / 4, BOX / 2, 1. / BEGINNINGS, middle);
    for (int i = 0; i < BEGINNINGS; i++)
        for (int y = 0; y < BOX; y++)
            for (int x = 0; x < BOX; x++)
                for (int c = 0; c < 3; c++)
                    flat.plane[c][(top_of(row, i) + y) * flat.width +
                                  left_of(i) + x] = middle[c];
    return flat;
}

/* Returns by how much a row of the first ones of a tone's boxes is seen
 * different from flat color. */
static double seen_top(const struct plane *dots, int row, double inches)
{
    static const double whole[HT_MAX_LEVELS] = {0, 1, 1, 1, 1, 1};
    const struct sight sight = scielab_sight(600, 600, inches);
    struct colors is = round_dots(dots, whole, &look_round),
                  flat = flat_boxes(&is, row);
    double most = 0;

    scielab_see_at(&is, sight);
    scielab_see_at(&flat, sight);
    colors_to_lab(&is);
    colors_to_lab(&flat);
    for (int y = 0; y < FIRST_ROWS; y++) {
        double a[3] = {0}, b[3] = {0};

        for (int i = 0; i < BEGINNINGS; i++) {
            add_rows(&is, row, i, y, 1, 1. / BEGINNINGS, a);
            add_rows(&flat, row, i, y, 1, 1. / BEGINNINGS, b);
        }
        most = fmax(most, color_distance(a, b));
    }
    colors_free(&is);
    colors_free(&flat);
    return most;
}

bool boxes_measure(struct boxes *boxes, const struct printer *printer)
{
    struct plane tones[COLOR_INKS], dots[COLOR_INKS];

    for (int ink = 0; ink < COLOR_INKS; ink++)
        tones[ink] = plane_new(left_of(BEGINNINGS), top_of(TONES, 0));
    for (int i = 0; i < TONES * BEGINNINGS; i++)
        draw(tones, i / BEGINNINGS, i % BEGINNINGS);
    bool ok = printer_print(printer, tones, COLOR_INKS, dots);
    planes_free(tones, COLOR_INKS);
    if (!ok)
        return false;
    struct colors colors = colors_of_dots(dots);
    *boxes = (struct boxes){.distance = 0};
    for (int i = 0; i < TONES * BEGINNINGS; i++)
        boxes->distance = fmax(boxes->distance,
                               judge(&colors, i / BEGINNINGS, i % BEGINNINGS));
    boxes->top[0] = seen_top(dots, 0, 12);
    boxes->top[1] = seen_top(dots, 0, 6);
    boxes->two_rows = judge_ends(&colors, 2);
    boxes->four_rows = judge_ends(&colors, 4);
    colors_free(&colors);
    planes_free(dots, COLOR_INKS);
    return true;
}
