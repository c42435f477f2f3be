/*
 * color.h - the color of inks: Neugebauer's primaries, Demichel's areas, CIE
 * L*a*b*.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_COLOR_H
#define BASE_COLOR_H

#define COLOR_INKS 4 /* K, C, M, Y, as pages have them */
#define COLOR_PRIMARIES (1 << COLOR_INKS)

/* X, Y, Z of solid inks, by bits K = 1, C = 2, M = 4, Y = 8: what Ghostscript's
 * default_cmyk.icc gives with transicc -t1 (relative colorimetric),
 * doc/user/color.md. Paper is D50, Y = 100. */
extern const double color_primaries[COLOR_PRIMARIES][3];

/* The mean color of inks that cover `area` [COLOR_INKS], 0..1, and meet by
 * chance (Demichel). */
void color_of_areas(const double *area, double xyz[3]);

/* CIE 1976 L*a*b*, relative to paper, and the distance of two of these. */
void color_lab(const double xyz[3], double lab[3]);
double color_distance(const double a[3], const double b[3]);

#endif
