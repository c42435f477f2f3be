/*
 * raster_file.h - files of pages for filters to read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_RASTER_FILE_H
#define BENCH_RASTER_FILE_H

#include <stdbool.h>

#include "lab/bench/content.h"

/*
 * Writes `pages` equal pages of uncompressed CUPS raster, K or CMYK chunked,
 * as gstoraster does; PWG raster if the path ends with .pwg. Removes the file
 * and returns false when it cannot be written; errno says why.
 *
 *   samples  from content_make(), inks 1 or 4
 */
bool raster_file_write(const char *path, const uint8_t *samples, uint32_t inks,
                       unsigned pages);

#endif
