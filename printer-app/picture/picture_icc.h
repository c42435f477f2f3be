/*
 * picture_icc.h - the color profile that a picture brings along.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_ICC_H
#define PRINTER_APP_PICTURE_ICC_H

#include <stdio.h>

#include "printer-app/picture/picture.h"

/* Keeps a copy of a profile of `size` bytes; one that is too large for any is
 * damaged. */
void picture_icc_keep(struct picture *picture, const void *icc, size_t size);
void picture_icc_drop(struct picture *picture);

/* Collects the profile of a JPEG file, which lies in several segments before
 * its first scan (ICC.1:2010, B.4), and leaves the file somewhere in it. */
void picture_icc_of_jpeg(struct picture *picture, FILE *file);

#endif
