/*
 * kept_tables.c - tables of a job's ink, made once for all pages of a kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "page/drop_curve.h"
#include "page/kept_tables.h"

struct kept_tables {
    struct kept_tables *next;
    const struct drops *drops; /* NULL = none; then the others are 0 */
    const char *table;         /* ht_table_name() */
    uint32_t inks, cells;      /* cells: 0 but of Screen */
    struct curve_points curve[CURVE_INKS]; /* tables.drops, if there are any */
    struct ink_tables tables;
};

/* Makes the tables of a kind, in no list yet. NULL without memory. */
static struct kept_tables *make_tables(const struct kept_tables *kind,
                                       bool measured, const ht_page_t *shape)
{
    struct kept_tables *kept = malloc(sizeof *kept);

    if (kept == NULL)
        return NULL;
    *kept = *kind;
    if (kept->drops != NULL && kept->drops->tones.solid[0] > 0)
        kept->tables.tones =
            kind->inks == 1 ? &kept->drops->gray : &kept->drops->tones;
    if (!measured)
        return kept;
    kept->tables.drops = kept->curve;
    if (drop_curve_make(kept->curve, shape))
        return kept;
    free(kept);
    return NULL;
}

struct ink_tables *kept_tables_find(struct kept_tables **list,
                                    const struct drops *drops, bool measured,
                                    const ht_page_t *shape, bool *made)
{
    struct kept_tables kind = {.next = *list, .drops = drops};
    struct kept_tables *kept = *list;

    if (drops != NULL) {
        kind.table = ht_table_name(shape);
        kind.inks = shape->inks;
        kind.cells = ht_method_info(shape->method)->cells ? shape->cells : 0;
    }
    while (kept != NULL &&
           (kept->drops != kind.drops || kept->table != kind.table ||
            (kept->tables.drops != NULL) != measured ||
            kept->inks != kind.inks || kept->cells != kind.cells))
        kept = kept->next;
    *made = kept == NULL;
    if (kept != NULL)
        return &kept->tables;
    kept = make_tables(&kind, measured, shape);
    if (kept == NULL)
        return NULL;
    *list = kept;
    return &kept->tables;
}

void kept_tables_free(struct kept_tables **list)
{
    while (*list != NULL) {
        struct kept_tables *kept = *list;

        *list = kept->next;
        ink_tables_free(&kept->tables);
        free(kept);
    }
}
