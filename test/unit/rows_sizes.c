/*
 * rows_sizes.c - pages of other rows, with drops of several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "test/unit/engine_rows.h"

#define WIDEST 1500 /* columns and rows that suffice */
#define MOST_ROWS 40

/* Makes page i of all the rows' first, second, .. pages, with sizes; any that
 * a row has not is one of its others. */
static void make_of(const struct engine_row *rows, struct checked_page *t,
                    uint32_t i)
{
    uint32_t count = 0;

    do
        count++;
    while (rows[count].name != NULL);
    const struct engine_row *row = &rows[i % count];
    /* Steps of 31, which has no divisor in common with the rows' counts. */
    row->make(t, i / count * 31 % row->count);
    if (t->page.width > WIDEST)
        t->page.width = WIDEST;
    if (t->rows > MOST_ROWS)
        t->rows = MOST_ROWS;
    give_sizes(&t->page, t->seed, HT_MAX_LEVELS);
}

static void make_any(struct checked_page *t, uint32_t i)
{
    make_of(any_rows, t, i);
}

static void make_floyd(struct checked_page *t, uint32_t i)
{
    make_of(floyd_rows, t, i);
}

const struct engine_row sizes_rows[] = {
    {"drops of several sizes", 130, 3, make_any},
    {"Floyd-Steinberg's of several sizes", 40, 1, make_floyd},
    {0}};
