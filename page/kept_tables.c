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
    struct kept_kind kind;
    const char *table; /* ht_table_name(); NULL without drops or set, .. */
    uint32_t cells;    /* .. which is 0 then, and but of Screen */
    struct curve_points curve[CURVE_INKS]; /* tables.drops, if there are any */
    struct ink_tables tables;
};

/* Makes the tables of a kind, in no list yet. NULL without memory. */
static struct kept_tables *make_tables(const struct kept_tables *like,
                                       const ht_page_t *shape)
{
    const struct kept_kind *kind = &like->kind;
    struct kept_tables *kept = malloc(sizeof *kept);

    if (kept == NULL)
        return NULL;
    *kept = *like;
    if (kind->drops != NULL && kind->drops->tones.solid[0] > 0)
        kept->tables.tones =
            kind->inks == 1 ? &kind->drops->gray : &kind->drops->tones;
    if (!kind->measured && kind->set == NULL)
        return kept;
    kept->tables.drops = kept->curve;
    if (drop_curve_make(kept->curve, shape, kind->set, kind->measured))
        return kept;
    free(kept);
    return NULL;
}

struct ink_tables *kept_tables_find(struct kept_tables **list,
                                    const struct kept_kind *kind,
                                    const ht_page_t *shape, bool *made)
{
    struct kept_tables like = {.next = *list, .kind = *kind};
    struct kept_tables *kept = *list;

    if (kind->drops != NULL || kind->set != NULL) {
        like.table = ht_table_name(shape);
        like.cells = ht_method_info(shape->method)->cells ? shape->cells : 0;
    } else {
        like.kind.inks = 0;
    }
    while (kept != NULL &&
           (kept->kind.drops != kind->drops || kept->kind.set != kind->set ||
            kept->table != like.table ||
            kept->kind.measured != kind->measured ||
            kept->kind.inks != like.kind.inks || kept->cells != like.cells))
        kept = kept->next;
    *made = kept == NULL;
    if (kept != NULL)
        return &kept->tables;
    kept = make_tables(&like, shape);
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
