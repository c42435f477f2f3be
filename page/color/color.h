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

/* The color of inks that lie upon each other, of which each has `density`
 * [COLOR_INKS] times its solid's: a primary where all are 0 or 1. Each layer
 * absorbs alike, so logarithms are linear in each density. */
void color_of_densities(const double density[COLOR_INKS], double xyz[3]);

/* The density, 1 of its solid's, of an ink that absorbs `share`, 0..1, of the
 * light that the solid does, in roots of Y as in color_on_paper(). */
double color_density(int ink, double share);

/* The share of the paper that each combination of inks has, of inks that cover
 * `area` [COLOR_INKS], 0..1, and meet by chance (Demichel). */
void color_shares(const double *area, double share[COLOR_PRIMARIES]);

/* The color of paper of which the combinations of inks have these shares.
 * Light scatters in it (Yule and Nielsen, n = 2: it leaves the paper anywhere,
 * so what a light meets on its ways in and out is independent): the square of
 * the mean of the primaries' roots. */
void color_on_paper(const double share[COLOR_PRIMARIES], double xyz[3]);

/* The mean color of inks that cover `area` [COLOR_INKS], 0..1, meet by chance,
 * and do not scatter light. */
void color_of_areas(const double *area, double xyz[3]);

/* CIE 1976 L*a*b*, relative to paper, and the distance of two of these. */
void color_lab(const double xyz[3], double lab[3]);
double color_distance(const double a[3], const double b[3]);

/* CIEDE2000 of two colors in L*a*b*, as CIE 142-2001 has it: 1 is just seen. */
double color_difference(const double a[3], const double b[3]);

#endif
