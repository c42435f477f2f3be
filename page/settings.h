/*
 * settings.h - settings of a job's pages: the choices of the job and of its
 * queue, checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SETTINGS_H
#define PAGE_SETTINGS_H

#include <stdbool.h>

#include "page/drops.h"
#include "page/ink.h"
#include "page/option.h"
#include "halftone/halftone.h"

struct settings {
    ht_method_t method;
    const char *method_name;              /* as in the PPD; static */
    ht_table_t *table;                    /* NULL = the method's own */
    char table_name[OPTION_MAX_NAME + 1]; /* of `table` */
    const char *engine; /* for ht_engine_open(); static, NULL = fastest */
    uint32_t threads;   /* at most; 0 = as many as the page keeps busy */
    size_t gpu_memory;  /* bytes at most; 0 = a quarter of what is free */
    uint32_t segment;   /* columns; 0 = unbroken rows */
    uint32_t lines;     /* an inch, of Screen; 0 = as the resolution asks */
    bool sized;         /* dots have the sizes of `drops` */
    int mixed;          /* of 16 pixels; -1 = as `drops` says */
    struct printer_drops drops; /* count 0 = the printer has no sizes */
    struct ink_set set;         /* of HalftoneInks=All: ink.set; else count 0 */
    struct ink_settings ink;
    bool monochrome; /* pages of four inks in K alone */
};

/*
 * Makes settings of options[OPTIONS], which options_read() read of `from`.
 * False after an ERROR line when they are not acceptable. Whatever it returned,
 * call settings_free().
 */
bool settings_choose(struct settings *settings, const struct choices *from,
                     const struct option_value options[OPTIONS]);

/* Whether they ask for a GPU by CUDA, or leave the choice to the library. */
bool settings_ask_for_gpu(const struct settings *settings);
bool settings_leave_choice(const struct settings *settings);

void settings_free(struct settings *settings); /* {0} is allowed */

#endif
