/*
 * printer.h - prints planes with the library's engines, so that training and
 * measuring see what users get.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PRINTER_H
#define TRAIN_PRINTER_H

#include "halftone/halftone.h"
#include "tools/sizes.h"
#include "lab/train/plane.h"

struct printer {
    ht_method_t method;
    const ht_table_t *table; /* NULL = the method's own, which depends on: */
    uint32_t across, down;   /* dots an inch; 0 = square pixels */
    uint32_t segment;
    const char *engine;      /* NULL = the fastest that needs no start; the
                                dots are the same */
    struct drop_sizes drops; /* of 0 levels: whole dots alone */
    const uint16_t *const *curves; /* as in ht_page_t; NULL = none */
};

/* Writes the share of a pixel that each level of ink covers, 0..1:
 * area[HT_MAX_LEVELS]. */
void printer_areas(const struct printer *printer, double *area);

/*
 * Prints `inks` planes of tones of one size, the darkest ink first, into
 * dots[inks] (new planes): the number of each drop's size, 0 = none. False when
 * the library refuses; a message says why.
 */
bool printer_print(const struct printer *printer, const struct plane *tones,
                   int inks, struct plane *dots);

/* ht_table_load(); NULL with a message when there is no table. */
ht_table_t *printer_load_table(const char *path);

/* Reads a PBM file of 128 x 128 dots as a pattern [HT_PATTERN_BYTES]. */
bool printer_load_pattern(uint8_t *pattern, const char *path);

/* Reads "4" or "1", and columns; false after a complaint. */
bool printer_parse_method(const char *text, ht_method_t *method);
bool printer_parse_segment(const char *text, uint32_t *segment);

/* Prints a flat patch of tones [inks], 0..255. */
bool printer_print_flat(const struct printer *printer, int width, int height,
                        const int *tones, int inks, struct plane *dots);

#endif
