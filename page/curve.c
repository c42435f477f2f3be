/*
 * curve.c - tone curves and the text files that hold them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/curve.h"
#include "halftone/base/text.h"

#define FORMAT_LINE "halftone-curve 1"

static const uint8_t default_text[] = {
#include "halftone/tables/default-curve.inc"
};

/* ---- Interpolation ------------------------------------------------------ */

static double slope(const struct curve_points *p, unsigned i)
{
    return (p->y[i + 1] - p->y[i]) / (p->x[i + 1] - p->x[i]);
}

/* The derivative at point i: the weighted harmonic mean of the slopes beside
 * it, which keeps the cubics monotone; the slope beside it at an end. */
static double derivative(const struct curve_points *p, unsigned i)
{
    if (i == 0)
        return slope(p, 0);
    if (i == p->count - 1)
        return slope(p, i - 1);

    double before = slope(p, i - 1), after = slope(p, i);
    double h0 = p->x[i] - p->x[i - 1], h1 = p->x[i + 1] - p->x[i];
    double share = (h0 + 2 * h1) / (3 * (h0 + h1));

    if (before <= 0 || after <= 0)
        return 0;
    return before * after / (share * after + (1 - share) * before);
}

double curve_points_at(const struct curve_points *p, double x)
{
    unsigned i = 0;

    assert(p->count >= 2 && p->count <= CURVE_MAX_POINTS);
    if (x <= p->x[0])
        return p->y[0];
    if (x >= p->x[p->count - 1])
        return p->y[p->count - 1];
    while (x > p->x[i + 1])
        i++;

    double h = p->x[i + 1] - p->x[i], t = (x - p->x[i]) / h;
    double from = p->y[i], rise = p->y[i + 1] - from;
    double d0 = h * derivative(p, i), d1 = h * derivative(p, i + 1);

    return from +
           t * (d0 + t * (3 * rise - 2 * d0 - d1 + t * (d0 + d1 - 2 * rise)));
}

/* ---- Files -------------------------------------------------------------- */

static bool add_point(struct curve_points *p, double x, double y)
{
    if (p->count == CURVE_MAX_POINTS ||
        (p->count > 0 && (x <= p->x[p->count - 1] || y < p->y[p->count - 1])) ||
        (x <= 0 && y > 0) || (x >= 1 && y < 1))
        return false;
    p->x[p->count] = x;
    p->y[p->count] = y;
    p->count++;
    return true;
}

/* Adds (0,0), which all curves have and a file may leave out. */
static bool add_start(struct curve_points *p, double x)
{
    return p->count > 0 || x <= 0 || add_point(p, 0, 0);
}

/* Adds (1,1), in the same way. */
static bool add_end(struct curve_points *p)
{
    return add_start(p, 1) && (p->x[p->count - 1] >= 1 || add_point(p, 1, 1));
}

/* Parses "IN OUT", in percent, the rest of a line. */
static bool parse_numbers(char *rest, double *x, double *y)
{
    char *in = strtok_r(rest, TEXT_BLANKS, &rest);
    char *out = strtok_r(NULL, TEXT_BLANKS, &rest);

    if (out == NULL || strtok_r(NULL, TEXT_BLANKS, &rest) != NULL ||
        !text_decimal(in, 0, 100, x) || !text_decimal(out, 0, 100, y))
        return false;
    *x /= 100;
    *y /= 100;
    return true;
}

/* Parses "pixel IN OUT" behind the keyword. */
static bool parse_pixel(struct curve *curve, char *rest)
{
    double x, y;

    return parse_numbers(rest, &x, &y) && add_start(&curve->pixel, x) &&
           add_point(&curve->pixel, x, y);
}

/* Parses "point INKS IN OUT" behind the keyword. */
static bool parse_point(struct curve *curve, char *rest)
{
    char *inks = strtok_r(rest, TEXT_BLANKS, &rest);
    double x, y;

    if (inks == NULL || !parse_numbers(rest, &x, &y))
        return false;
    for (; *inks != '\0'; inks++) {
        const char *letter = strchr(CURVE_LETTERS, *inks);

        if (letter == NULL)
            return false;
        struct curve_points *p = &curve->ink[letter - CURVE_LETTERS];
        if (!add_start(p, x) || !add_point(p, x, y))
            return false;
    }
    return true;
}

static const struct curve_shade *find_shade(const struct curve *curve,
                                            const char *name)
{
    for (unsigned i = 0; i < curve->shades; i++)
        if (strcmp(curve->shade[i].name, name) == 0)
            return &curve->shade[i];
    return NULL;
}

bool curve_shade(const struct curve *curve, const char *name,
                 struct curve_points *points)
{
    const struct curve_shade *shade = find_shade(curve, name);

    if (shade == NULL)
        return false;
    points->count = shade->count;
    for (unsigned i = 0; i < shade->count; i++) {
        points->x[i] = (double)shade->x[i];
        points->y[i] = (double)shade->y[i];
    }
    return true;
}

/* Adds a shade without points. NULL if there is no room, or that is no name. */
static struct curve_shade *add_shade(struct curve *curve, const char *name)
{
    const size_t letters = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    if (curve->shades == CURVE_MAX_SHADES || letters == 0 ||
        letters >= CURVE_NAME || name[letters] != '\0')
        return NULL;
    struct curve_shade *shade = &curve->shade[curve->shades++];

    memcpy(shade->name, name, letters + 1);
    shade->count = 1; /* (0,0) */
    return shade;
}

/* Parses "ink NAME IN OUT" behind the keyword. */
static bool parse_shade(struct curve *curve, char *rest)
{
    const char *name = strtok_r(rest, TEXT_BLANKS, &rest);
    double x, y;

    if (name == NULL || !parse_numbers(rest, &x, &y))
        return false;
    struct curve_shade *shade = (struct curve_shade *)find_shade(curve, name);

    if (shade == NULL)
        shade = add_shade(curve, name);
    if (shade == NULL || shade->count == CURVE_SHADE_POINTS ||
        (float)x <= shade->x[shade->count - 1])
        return false;
    shade->x[shade->count] = (float)x;
    shade->y[shade->count++] = (float)y;
    return true;
}

/* Passes over lines that say who made the curve, empty lines and comments. */
static bool parse_line(struct curve *curve, char *line)
{
    line += strspn(line, TEXT_BLANKS);
    if (*line == '\0' || *line == '#' || text_begins(line, "name") ||
        text_begins(line, "made-by"))
        return true;
    if (strcmp(line, "whole-dots") == 0) {
        curve->whole_dots = true;
        return true;
    }
    if (text_begins(line, "ink"))
        return parse_shade(curve, line + 3);
    if (text_begins(line, "pixel"))
        return parse_pixel(curve, line + 5);
    return text_begins(line, "point") && parse_point(curve, line + 5);
}

bool curve_parse(struct curve *curve, const char *text, size_t size,
                 unsigned *line)
{
    struct text in = {.rest = text, .size = size};

    *curve = (struct curve){0};
    *line = 1;
    if (size > CURVE_MAX_BYTES)
        return false;

    bool ok = text_next(&in) && strcmp(in.line, FORMAT_LINE) == 0;
    while (ok && text_next(&in))
        ok = parse_line(curve, in.line);
    *line = in.number;
    if (!ok || in.size > 0)
        return false;
    for (unsigned i = 0; i < CURVE_INKS; i++)
        if (!add_end(&curve->ink[i]))
            return false;
    return curve->pixel.count == 0 || add_end(&curve->pixel);
}

enum curve_status curve_load(struct curve *curve, const char *path,
                             unsigned *line)
{
    char *text = malloc(CURVE_MAX_BYTES + 1); /* too large for a stack */
    enum curve_status status = CURVE_NO_FILE;

    *line = 0;
    if (text == NULL)
        return status;
    const ssize_t size = text_read(path, text, CURVE_MAX_BYTES + 1);
    const int error = errno;

    if (size >= 0)
        status = curve_parse(curve, text, (size_t)size, line) ? CURVE_OK
                                                              : CURVE_BROKEN;
    free(text);
    errno = error;
    return status;
}

void curve_default(struct curve *curve)
{
    unsigned line;
    bool ok = curve_parse(curve, (const char *)default_text,
                          sizeof default_text, &line);

    assert(ok);
    (void)ok;
}
