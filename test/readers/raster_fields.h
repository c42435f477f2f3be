/*
 * raster_fields.h - the words by which tests know a raster: names of color
 * spaces and orders, and every field of a page header by its name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_RASTER_FIELDS_H
#define TEST_RASTER_FIELDS_H

#include <stdbool.h>

#include <cups/raster.h>

struct space {
    const char *name;
    cups_cspace_t space;
    const char *inks; /* in the order of the samples */
    bool additive;
};

/* Both are NULL for a space that the tests do not know. */
const struct space *space_of(cups_cspace_t number);
const struct space *space_named(const char *name);

#define ORDERS 3
extern const char *const orders[ORDERS]; /* names, by cups_order_t */

/* Reads all of `text` as a number: decimal, 0x... or 0...; false when it is
 * none, or is negative or too large. */
bool number_of(const char *text, unsigned long long *number);

/*
 * Carries out "NAME=VALUE" or "NAME[INDEX]=VALUE"; a text may fill its field,
 * then no NUL ends it. False when there is no such field or element, or the
 * value is no number of 32 bits where one is needed.
 */
bool set_field(cups_page_header2_t *header, const char *change);

/* Prints every element of every field, a line "NAME[INDEX]=VALUE" each. */
void print_fields(cups_page_header2_t *header);

/* Turns the header's numbers into the other byte order; texts stay. */
void swap_header(cups_page_header2_t *header);

#endif
