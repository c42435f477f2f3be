/*
 * engine.h - the calls of an engine, and the exports of a module.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_ENGINE_H
#define HT_ENGINE_H

#include "halftone/halftone.h"

/* The calls of halftone.h, whose contracts they have; engine.c has checked
 * their arguments. For those that may be NULL, the comment says what engine.c
 * does then. */
struct ht_engine_ops {
    const char *name;
    bool device;     /* an accelerator, not the host's processor */
    uint32_t levels; /* at most, of pages that are given to it */
    /* Says whether the engine can do this page on this machine. */
    bool (*available)(const ht_page_t *page);
    /* Only of devices: says whether it is the fastest for this page now, and
     * sets the reason. Asked before `available`, and only if the caller does
     * not name the engine. Waits for nothing. */
    bool (*pays)(const ht_page_t *page, const char **why);
    /* Sets engine->own. `close` is called after a failure, too. */
    ht_status_t (*open)(ht_engine_t *engine);
    void (*close)(ht_engine_t *engine);
    void *(*buffer)(ht_engine_t *engine, size_t *rows); /* NULL: has none */
    size_t (*room)(const ht_engine_t *engine);          /* NULL: 2 bands */
    ht_status_t (*submit)(ht_engine_t *engine, const void *tones,
                          const uint16_t *inked, size_t rows);
    void (*help)(ht_engine_t *engine, bool (*enough)(void *context),
                 void *context);             /* NULL: takes none */
    ht_status_t (*end)(ht_engine_t *engine); /* NULL: holds no rows back */
    size_t (*ready)(const ht_engine_t *engine);
    size_t (*done)(ht_engine_t *engine); /* NULL: all that are ready */
    ht_status_t (*collect)(ht_engine_t *engine, uint8_t *dots, size_t rows);
    ht_status_t (*take_state)(ht_engine_t *engine, uint64_t *row,
                              int16_t *errors);
    ht_status_t (*give_state)(ht_engine_t *engine, uint64_t row,
                              const int16_t *errors);
};

struct ht_engine {
    const struct ht_engine_ops *ops;
    ht_page_t page;        /* its table is never NULL if the method has one */
    ht_table_t *own_table; /* the method's own table, when none was given */
    int16_t *ranks;        /* ht_ranks_new(); NULL: the method has no cells */
    bool started;          /* rows or a state were given */
    bool ended;
    const char *why;  /* ht_engine_why(); static */
    char device[16];  /* ht_engine_device(); empty = none */
    char trouble[96]; /* ht_engine_trouble(); empty = none */
    void *own;        /* the engine's buffers */
};

/* ---- Modules ---------------------------------------------------------- */

/* Exported by an accelerator's module under HT_MODULE_SYMBOL. */
struct ht_module {
    const char *version; /* must be the library's own */
    const struct ht_engine_ops *ops;
    /* Returns how many seconds of a page the accelerator would save if it had
     * been started, with as many such pages at the same time as the caller may
     * open. The page's table may be NULL. Does not ask the driver, which would
     * begin to start the accelerator. */
    double (*gain)(const ht_page_t *page);
    void (*start)(void); /* begins to start the accelerator, in a thread: that
                            may take a second */
    bool (*rest)(void);  /* frees what it keeps for the next page; false if it
                            is being started, or hangs: the process should just
                            end */
};

/* Makefile.am makes that name from the text of the headers whose structs a
 * module shares with the library: a module of another build, whose structs may
 * differ, exports another name. */
#ifdef HT_MODULE_SYMBOL /* not for kernels */
extern const struct ht_module ht_exported_module __asm__(HT_MODULE_SYMBOL);
#endif

/* Return the installed modules, of CUDA and of OpenCL, which the first call
 * loads; NULL if there is none that fits this library. The functions below are
 * about CUDA's; OpenCL's is never taken unless it is asked for. */
const struct ht_module *ht_module(void);
const struct ht_module *ht_module_opencl(void);

/* Does ht_engine_prepare(), whose page is valid. */
void ht_module_prepare(const ht_page_t *page);

/* Says that the accelerator is going to be used, whatever else there is. */
void ht_module_insist(void);

/* Returns why nobody has begun to start the accelerator, static; NULL if
 * somebody has. */
const char *ht_module_idle(void);

#endif
