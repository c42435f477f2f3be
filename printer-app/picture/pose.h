/*
 * pose.h - the eight ways in which a picture can lie: turned or not, mirrored
 * or not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_POSE_H
#define PRINTER_APP_POSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A pose is a sum of these, done in this order. */
#define POSE_ACROSS 4u /* rows become columns */
#define POSE_LEFT 1u   /* right becomes left */
#define POSE_UP 2u     /* bottom becomes top */

/* Returns what an orientation of EXIF, 1 to 8, does to a picture as it is
 * stored; of another number, nothing. */
unsigned pose_of_exif(unsigned orientation);

/* Returns a turn by 0, 90, 180 or 270 degrees anticlockwise. */
unsigned pose_of_angle(int64_t degrees);

/* Returns what one does after the other. */
unsigned pose_then(unsigned first, unsigned second);

/*
 * Returns the orientation, 1 to 8, that EXIF data say, or 1 if they do not: the
 * tag 0x0112 of the first folder of a TIFF file (JEITA CP-3451, 4.6.4), which
 * may have "Exif" and two NULs before it.
 */
unsigned pose_exif(const uint8_t *data, size_t size);

/* Tells whether they say that the colors are Adobe RGB (DCF 2.0, 3.2.1): by the
 * name R03 of rules of interoperability, and not sRGB's number. */
bool pose_exif_is_adobe_rgb(const uint8_t *data, size_t size);

#endif
