/*
 * convert.h - puts our dots before the driver of a PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_CONVERT_H
#define PPD_CONVERT_CONVERT_H

#include <stdbool.h>
#include <stddef.h>

#define CONVERT_WHY 600
#define CONVERT_GUTENPRINT                                                     \
    "Halftone" /* names the dots of Gutenprint's PPDs                          \
                */

/* Which dots: what prints well on this kind of printer, or others. */
enum convert_dots { DOTS_BY_KIND, DOTS_TDFED, DOTS_SCREEN, DOTS_THRESHOLD };

/* Converts the bytes of a PPD. Returns another PPD's bytes, which the caller
 * frees: with any of its choices, its RIP renders 8 bits in colors that we
 * print, and its driver gets our dots; `why` then has what is to be told of it,
 * or "". NULL with the reason if that is impossible; errno then tells a
 * shortage, such as of memory, or is 0. */
char *ppd_convert(const char *bytes, size_t size, enum convert_dots dots,
                  size_t *out_size, char why[CONVERT_WHY]);

/* Whether the bytes are a PPD of Gutenprint's that can be converted, unless its
 * filter has no drops for it. False with the reason and errno as above. */
bool ppd_is_gutenprint(const char *bytes, size_t size, char why[CONVERT_WHY]);

#endif
