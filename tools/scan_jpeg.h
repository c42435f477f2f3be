/*
 * scan_jpeg.h - reads a scan of JPEG.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SCAN_JPEG_H
#define TOOLS_SCAN_JPEG_H

#include "tools/image.h"

/* Whether the file, at its beginning, is a JPEG; it stays there. */
bool scan_jpeg_is(FILE *file);

/* Reads one, gray or color. On failure `error` [IMAGE_ERROR_BYTES] says why.
 * Free with image_free() in any case. */
bool scan_jpeg_read(struct image *image, FILE *file, char *error);

#endif
