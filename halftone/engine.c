/*
 * engine.c - opens engines by name and checks every call's arguments once,
 * for all of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/internal.h"

/* The reference first, the rest from slow to fast; a module's comes last.
 * Engines of one name, side by side, share the methods between them. */
static const struct ht_engine_ops *const engines[] = {
    &ht_reference_engine,       &ht_cpu_plain_engine,
    &ht_wavefront_plain_engine, &ht_cpu_avx2_engine,
    &ht_wavefront_avx2_engine,  &ht_cpu_avx512_engine,
    &ht_wavefront_avx512_engine};

#define ENGINES (sizeof engines / sizeof engines[0])

static const char *names[ENGINES + 2]; /* a module's, and NULL */
static pthread_once_t named = PTHREAD_ONCE_INIT;

static void list_names(void)
{
    size_t count = 0;

    for (size_t i = 0; i < ENGINES; i++)
        if (i == 0 || strcmp(engines[i]->name, engines[i - 1]->name) != 0)
            names[count++] = engines[i]->name;
    if (ht_module() != NULL)
        names[count] = ht_module()->ops->name;
}

const char *const *ht_engine_names(void)
{
    pthread_once(&named, list_names);
    return names;
}

static bool valid_page(const ht_page_t *page)
{
    if (page->method > HT_THRESHOLD || page->width < 1 ||
        page->width > HT_MAX_WIDTH || page->inks < 1 ||
        page->inks > HT_MAX_INKS || (page->bits != 8 && page->bits != 16) ||
        page->band < 1 || page->band > HT_MAX_BAND)
        return false;
    for (uint32_t ink = 0; page->curves != NULL && ink < page->inks; ink++)
        if (page->bits != 8 || page->curves[ink] == NULL ||
            !ht_curve_valid(page->curves[ink]))
            return false;
    if (page->segment != 0 &&
        (page->segment < HT_MIN_SEGMENT || page->segment > HT_MAX_WIDTH))
        return false;
    return page->table == NULL || page->method == HT_TDFED4 ||
           page->method == HT_TDFED1;
}

static bool is_called(const struct ht_engine_ops *ops, const char *name)
{
    return name == NULL || strcmp(name, ops->name) == 0 ||
           (strcmp(name, "cpu") == 0 && !ops->device);
}

/* Whether one of those above is meant, and no module. */
static bool is_our_own(const char *name)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (name != NULL && is_called(engines[i], name))
            return true;
    return false;
}

/* Opens the page with one engine; what is left of a failure is closed. */
static ht_status_t open_with(ht_engine_t *engine,
                             const struct ht_engine_ops *ops, const char *why)
{
    engine->ops = ops;
    engine->why = why;
    ht_status_t status = ops->open(engine);
    if (status != HT_OK) {
        ops->close(engine);
        engine->ops = NULL;
    }
    return status;
}

/* A module's engine: the caller's choice, or if the choice is ours the
 * fastest for this page now. HT_ERR_ENGINE: not this one. */
static ht_status_t open_module(ht_engine_t *engine, const char *name,
                               const char **why)
{
    const struct ht_engine_ops *ops = ht_module()->ops;

    if (!is_called(ops, name))
        return HT_ERR_ENGINE;
    if (!ops->available(&engine->page)) {
        *why = "no GPU here does such a page";
        return HT_ERR_ENGINE;
    }
    if (name == NULL && !ops->pays(&engine->page, why))
        return HT_ERR_ENGINE;
    /* Nobody helps the processor's engine that goes on when this one fails. */
    bool guest = engine->page.guest;
    engine->page.guest = false;
    ht_status_t status = open_with(engine, ops, *why);
    if (name != NULL || status == HT_OK || status == HT_ERR_BUSY)
        return status;
    engine->page.guest = guest;
    *why = "the GPU could not be used";
    return HT_ERR_ENGINE;
}

/* The same with all signals blocked: the module's threads, which are
 * started here, shall not take the program's. */
static ht_status_t try_module(ht_engine_t *engine, const char *name,
                              const char **why)
{
    sigset_t all, before;

    if (is_our_own(name))
        return HT_ERR_ENGINE;
    if (ht_module() == NULL) {
        *why = "no GPU module of this version";
        return HT_ERR_ENGINE;
    }
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    ht_status_t status = open_module(engine, name, why);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static ht_status_t open_any(ht_engine_t *engine, const char *name)
{
    const char *why = "";
    ht_status_t status = try_module(engine, name, &why);

    for (size_t i = ENGINES; i-- > 0 && status == HT_ERR_ENGINE;)
        if (is_called(engines[i], name) && engines[i]->available(&engine->page))
            return open_with(engine, engines[i], why);
    return status;
}

ht_status_t ht_engine_open(ht_engine_t **out, const char *name,
                           const ht_page_t *page)
{
    if (out == NULL || page == NULL || !valid_page(page))
        return HT_ERR_ARGUMENT;

    ht_engine_t *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return HT_ERR_MEMORY;
    engine->page = *page;

    ht_status_t status = HT_OK;
    if (page->table == NULL && page->method != HT_THRESHOLD) {
        status = ht_table_builtin(&engine->own_table, page->method);
        engine->page.table = engine->own_table;
    }
    if (status == HT_OK)
        status = open_any(engine, name);
    if (status != HT_OK) {
        ht_engine_close(engine);
        return status;
    }
    *out = engine;
    return HT_OK;
}

void ht_engine_alone(ht_engine_t *engine, bool alone)
{
    engine->alone = alone;
}

/* Rows that wait in an engine are bounded by what its queue was made for. */
size_t ht_engine_room(const ht_engine_t *engine)
{
    size_t most = 2 * (size_t)engine->page.band;
    size_t ready = engine->ops->ready(engine);

    if (engine->ops->room != NULL)
        return engine->ops->room(engine);
    return most > ready ? most - ready : 0;
}

ht_status_t ht_engine_submit(ht_engine_t *engine, const void *tones,
                             size_t rows)
{
    if (engine == NULL || tones == NULL || engine->ended || rows < 1 ||
        rows > engine->page.band || rows > ht_engine_room(engine))
        return HT_ERR_ARGUMENT;
    engine->started = true;
    return engine->ops->submit(engine, tones, rows);
}

void ht_engine_help(ht_engine_t *engine, bool (*enough)(void *context),
                    void *context)
{
    if (engine->ops->help != NULL)
        engine->ops->help(engine, enough, context);
}

ht_status_t ht_engine_submit_inked(ht_engine_t *engine, const void *tones,
                                   const uint16_t *inked, size_t rows)
{
    if (engine == NULL || inked == NULL)
        return HT_ERR_ARGUMENT;
    engine->inked = inked;
    ht_status_t status = ht_engine_submit(engine, tones, rows);
    engine->inked = NULL;
    return status;
}

void *ht_engine_place(ht_engine_t *engine, size_t *rows)
{
    if (engine == NULL || rows == NULL || engine->ended ||
        engine->ops->place == NULL)
        return NULL;
    return engine->ops->place(engine, rows);
}

ht_status_t ht_engine_end(ht_engine_t *engine)
{
    if (engine == NULL || engine->ended)
        return HT_ERR_ARGUMENT;
    engine->ended = true;
    return engine->ops->end(engine);
}

size_t ht_engine_ready(const ht_engine_t *engine)
{
    return engine == NULL ? 0 : engine->ops->ready(engine);
}

size_t ht_engine_done(ht_engine_t *engine)
{
    return engine->ops->done != NULL ? engine->ops->done(engine)
                                     : engine->ops->ready(engine);
}

ht_status_t ht_engine_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    if (engine == NULL || (dots == NULL && rows > 0) ||
        rows > engine->ops->ready(engine))
        return HT_ERR_ARGUMENT;
    return rows == 0 ? HT_OK : engine->ops->collect(engine, dots, rows);
}

ht_status_t ht_engine_take_state(ht_engine_t *engine, uint64_t *row,
                                 int16_t *errors)
{
    if (engine == NULL || row == NULL || errors == NULL || !engine->started)
        return HT_ERR_ARGUMENT;
    return engine->ops->take_state(engine, row, errors);
}

ht_status_t ht_engine_give_state(ht_engine_t *engine, uint64_t row,
                                 const int16_t *errors)
{
    if (engine == NULL || errors == NULL || engine->started || engine->ended ||
        row > HT_MAX_HEIGHT)
        return HT_ERR_ARGUMENT;
    engine->started = true;
    return engine->ops->give_state(engine, row, errors);
}

const char *ht_engine_name(const ht_engine_t *engine)
{
    return engine->ops->name;
}

const char *ht_engine_device(const ht_engine_t *engine)
{
    return engine->device[0] != '\0' ? engine->device : NULL;
}

const char *ht_engine_why(const ht_engine_t *engine)
{
    return engine->why;
}

const char *ht_engine_trouble(const ht_engine_t *engine)
{
    return engine->trouble[0] != '\0' ? engine->trouble : NULL;
}

void ht_engine_close(ht_engine_t *engine)
{
    if (engine == NULL)
        return;
    if (engine->ops != NULL)
        engine->ops->close(engine);
    ht_table_free(engine->own_table);
    free(engine);
}

const char *ht_status_text(ht_status_t status)
{
    switch (status) {
    case HT_OK:
        return "no error";
    case HT_ERR_ARGUMENT:
        return "an argument is out of range";
    case HT_ERR_MEMORY:
        return "not enough memory";
    case HT_ERR_TABLE:
        return "the tone table is not valid";
    case HT_ERR_FILE:
        return "the file cannot be read";
    case HT_ERR_ENGINE:
        return "no such halftoning engine here";
    case HT_ERR_DEVICE:
        return "the halftoning device failed";
    case HT_ERR_BUSY:
        return "other pages have the halftoning device's memory";
    }
    return "unknown status";
}
