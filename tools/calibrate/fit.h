/*
 * fit.h - the curve that gives a printer the tones that are wanted, from what
 * it printed without one.
 *
 * The effective coverage of a patch is that of Murray and Davies: the share
 * of the way from bare paper to solid ink. The curve is the inverse: how much
 * ink has to be asked for to get the coverage that is wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_FIT_H
#define CALIBRATE_FIT_H

#include "tools/calibrate/readings.h"

#define FIT_GAIN 0.20        /* of coverage at 50 %, what a press has */
#define FIT_MOST_NAME 200    /* bytes */
#define FIT_TEXT_BYTES 4096u /* no curve's text is longer, with its NUL */

/* Measured response of an ink; inks are in the order of CURVE_LETTERS. */
struct fit_ink {
    bool measured;                /* otherwise it stays as it is */
    struct curve_points response; /* effective coverage by tone */
    /* Noise makes coverage fall between steps and is taken out: at `noisy`, a
     * tone, the most, by `noise` of coverage. */
    double noisy, noise;
};
struct fit {
    struct fit_ink ink[CURVE_INKS];
};

/* Fits a curve to readings. Refuses inks whose paper, solid or steps between
 * were not measured, or whose solid is no darker than paper. */
bool fit_readings(struct fit *fit, const struct readings *readings,
                  struct refusal *refusal);

/* Whether the readings are as smooth as a printer is: `*doubt` tells of the
 * first ink with a noise of more than 5 %, such as that of a reading with a
 * wrong digit. The curve can be used all the same. */
bool fit_is_smooth(const struct fit *fit, struct refusal *doubt);

/* Reads the gain at 50 %, given as 0..25 percent, as a share. */
bool fit_gain(const char *text, double *gain, struct refusal *refusal);

/* Refuses names that are not one line of at most FIT_MOST_NAME bytes. */
bool fit_name_check(const char *name, struct refusal *refusal);

/*
 * Writes the file of the curve, which curve_parse() accepts, with a NUL.
 * Returns its bytes without the NUL.
 *
 *   gain     of coverage wanted at 50 %, 0 .. 0.25
 *   name     as fit_name_check() wants it, or NULL
 *   made_by  noted in the file, in the same way, or NULL
 */
size_t fit_write(const struct fit *fit, double gain, const char *name,
                 const char *made_by, char text[FIT_TEXT_BYTES]);

#endif
