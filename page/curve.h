/*
 * curve.h - tone curves: how much ink a printer gets for a tone of the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_CURVE_H
#define PAGE_CURVE_H

#include <stdbool.h>
#include <stddef.h>

#define CURVE_INKS 4
#define CURVE_LETTERS "CMYK"
#define CURVE_MAX_POINTS 64
#define CURVE_MAX_BYTES 65536 /* a larger curve file is refused */
#define CURVE_MAX_SHADES 15
#define CURVE_SHADE_POINTS 16
#define CURVE_NAME 4 /* bytes of an ink's name, with a NUL */

/* A function through points: x rises, y never falls. */
struct curve_points {
    unsigned count; /* 2..CURVE_MAX_POINTS */
    double x[CURVE_MAX_POINTS], y[CURVE_MAX_POINTS];
};

/* An ink of a set (ink_set.h) by the tone of its color: x rises, from (0,0). A
 * curve is on stacks, so that it has few of these. */
struct curve_shade {
    char name[CURVE_NAME];
    unsigned count;
    float x[CURVE_SHADE_POINTS], y[CURVE_SHADE_POINTS];
};

/* One function an ink, in the order of CURVE_LETTERS, from (0,0) to (1,1). */
struct curve {
    /* Comes first: what a pixel's largest ink becomes, and the others follow
     * (pixel_curve.h). `count` is 0 if there is none. */
    struct curve_points pixel;
    struct curve_points ink[CURVE_INKS];
    unsigned shades; /* inks that are separated so, not by shades.h */
    struct curve_shade shade[CURVE_MAX_SHADES];
    bool
        whole_dots; /* it is for dots of one size: drop_curve.h does the rest */
};

/* The value at `x` of the monotone cubic through the points (Fritsch and
 * Butland 1984); beyond the first and last point, theirs. */
double curve_points_at(const struct curve_points *points, double x);

/* Whether the curve has points of an ink of a set; fills them in. */
bool curve_shade(const struct curve *curve, const char *name,
                 struct curve_points *points);

/*
 * Reads the text of a curve file, `size` bytes at `text` (no final NUL
 * needed), doc/user/calibration.md. False when it breaks the rules: then
 * `*line` is the line at fault, from 1. It is the last line if an ink has no
 * room for its end, and 1 if the text is longer than CURVE_MAX_BYTES.
 */
bool curve_parse(struct curve *curve, const char *text, size_t size,
                 unsigned *line);

enum curve_status {
    CURVE_OK,
    CURVE_NO_FILE, /* errno says why */
    CURVE_BROKEN   /* as curve_parse() */
};

/* curve_parse() of the regular file at `path`, which may not be a link. */
enum curve_status curve_load(struct curve *curve, const char *path,
                             unsigned *line);

/* The compiled-in curve, halftone/tables/default.curve. */
void curve_default(struct curve *curve);

#endif
