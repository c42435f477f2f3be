/*
 * picture_icc.h - the color profile that a picture brings along, or is made for
 * one that says its colors in numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_ICC_H
#define PRINTER_APP_PICTURE_ICC_H

#include <stdio.h>

#include "page/color/light.h"
#include "printer-app/picture/picture.h"

/* Keeps a copy of a profile of `size` bytes; one that is too large for any is
 * damaged. */
void picture_icc_keep(struct picture *picture, const void *icc, size_t size);
void picture_icc_drop(struct picture *picture);

/* Makes the profile of these colors. */
void picture_icc_make(struct picture *picture, const struct color_rgb *rgb);

/* Collects the profile of a JPEG file, which lies in several segments before
 * its first scan (ICC.1:2010, B.4), or is of the colors that EXIF names, and
 * the pose by EXIF; leaves the file somewhere in it. Other segments cost no
 * memory. False with the reason if there are too many. */
bool picture_icc_of_jpeg(struct picture *picture, FILE *file, unsigned *pose,
                         char why[PICTURE_WHY]);

#endif
