/*
 * engine_rows.h - the rows of test_engine: kinds of pages of which every engine
 * has to leave the dots and the state of the reference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_ENGINE_ROWS_H
#define TEST_ENGINE_ROWS_H

#include "halftone/halftone.h"
#include "test/unit/pages.h"

/* A page. Its memory is from malloc(); the loop frees it. */
struct checked_page {
    ht_page_t page;
    size_t rows;
    uint8_t *samples;  /* [rows][inks][width] of page.bits */
    uint64_t first;    /* the number of its first row, if it has a state */
    int16_t *state;    /* [lines][width] before it; NULL: it begins a page */
    ht_table_t *table; /* that of the page, if it is no built-in one */
    struct curves curves;
    uint64_t seed; /* of any choice; not 0 */
};

/* Output of an engine for a page: both buffers are poisoned(); free() them. */
struct engine_result {
    uint8_t *dots;  /* [rows][inks][ht_row_bytes()] */
    int16_t *state; /* [lines][width] */
    size_t lines;
};

struct engine_row {
    const char *name;
    uint32_t count; /* of pages */
    uint32_t step;  /* one in so many is tried where tests are quick */
    void (*make)(struct checked_page *trial, uint32_t i);
};

/* Each ends with a row that has no name. */
extern const struct engine_row any_rows[], floyd_rows[], sizes_rows[];

/* Gives a trial its samples. */
void fill(struct checked_page *trial, enum content content);

/* Gives a trial a state without errors, and returns its first line. One in
 * `rare` of its company and light is any that a row can leave; 0: none is. */
int16_t *begin_state(struct checked_page *trial, uint32_t rare);

#endif
