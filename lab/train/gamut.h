/*
 * gamut.h - brings the gamut of screens into that of paper: how far colors go
 * from a gray in the middle, on both.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_GAMUT_H
#define TRAIN_GAMUT_H

#define GAMUT_HUES 72
#define GAMUT_ELEVATIONS 37 /* from straight down to straight up */

/* The distances of the gamut's surface from the middle gray, in L*a*b*. */
struct gamut {
    double black; /* the light of the printer's black, of paper's 1 */
    double printer[GAMUT_ELEVATIONS][GAMUT_HUES];
    double screen[GAMUT_ELEVATIONS][GAMUT_HUES]; /* of sRGB, as dark as that */
};

void gamut_init(struct gamut *gamut);

/*
 * Maps L*, a*, b* of a screen to a color that the printer has: first its light,
 * so that black becomes the printer's; then on the line to the middle gray.
 * What is nearer to that than the share `knee` of the way to the printer's
 * surface stays; the rest is compressed, so that sRGB's surface becomes the
 * printer's. Where the screen has less color than the printer, up to `stretch`
 * times its color is printed.
 */
void gamut_map(const struct gamut *gamut, double knee, double stretch,
               double lab[3]);

#endif
