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

#include "halftone/definition.h"
#include "halftone/engine.h"
#include "halftone/engines.h"
#include "halftone/method.h"

/* The reference first, the rest from slow to fast; a module's comes last.
 * Engines with one name, side by side, share the methods between them. */
#define ENGINES_OF(set, text, runs_here)                                       \
    &ht_tdfed_##set##_engine, &ht_floyd_##set##_engine,
static const struct ht_engine_ops *const engines[] = {
    &ht_reference_engine, &ht_compare_engine, HT_SETS(ENGINES_OF)};

#define ENGINES (sizeof engines / sizeof engines[0])

static const char *names[ENGINES + 3]; /* with the modules', and NULL */
static pthread_once_t named = PTHREAD_ONCE_INIT;

static void list_names(void)
{
    size_t count = 0;

    for (size_t i = 0; i < ENGINES; i++)
        if (i == 0 || strcmp(engines[i]->name, engines[i - 1]->name) != 0)
            names[count++] = engines[i]->name;
    if (ht_module_opencl() != NULL)
        names[count++] = ht_module_opencl()->ops->name;
    if (ht_module() != NULL)
        names[count] = ht_module()->ops->name;
}

const char *const *ht_engine_names(void)
{
    pthread_once(&named, list_names);
    return names;
}

static bool valid_curves(const ht_page_t *page)
{
    for (uint32_t ink = 0; page->curves != NULL && ink < page->inks; ink++)
        if (page->bits != 8 || !ht_curve_valid(page->curves[ink]))
            return false;
    return true;
}

static bool valid_sizes(const ht_page_t *page)
{
    uint16_t before = 0;

    if (page->levels == 0 || page->levels == 2)
        return true;
    if (page->levels < 2 || page->levels > HT_MAX_LEVELS ||
        page->mixed > (page->levels <= HT_MIXED_LEVELS ? HT_MAX_MIXED : 0))
        return false;
    for (uint32_t i = 0; i + 1 < page->levels; i++) {
        if (page->area[i] <= before)
            return false;
        before = page->area[i];
    }
    return before == HT_WHOLE_DOT;
}

static bool valid_lighter(const ht_page_t *page)
{
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (page->lighter[ink].share > INT16_MAX ||
            (page->lighter[ink].share > 0 && page->lighter[ink].of >= ink))
            return false;
    return true;
}

static bool valid_page(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_method_info(page->method);

    return info != NULL && page->width >= 1 && page->width <= HT_MAX_WIDTH &&
           page->inks >= 1 && page->inks <= HT_MAX_INKS &&
           (page->bits == 8 || page->bits == 16) && page->band >= 1 &&
           page->band <= HT_MAX_BAND && page->lent <= HT_MAX_LENT &&
           page->across <= HT_MAX_DPI && page->down <= HT_MAX_DPI &&
           (page->segment == 0 || (page->segment >= HT_MIN_SEGMENT &&
                                   page->segment <= HT_MAX_WIDTH)) &&
           (page->cells == 0 ||
            (page->cells >= HT_MIN_CELLS && page->cells <= HT_MAX_CELLS)) &&
           (page->table == NULL || info->table) && valid_curves(page) &&
           valid_sizes(page) && valid_lighter(page);
}

void ht_page_init(ht_page_t *page)
{
    *page = (ht_page_t){.method = HT_TDFED4,
                        .inks = 1,
                        .bits = 8,
                        .segment = HT_DEFAULT_SEGMENT,
                        .band = 64,
                        .pages = 1};
}

void ht_engine_prepare(const ht_page_t *page)
{
    if (page == NULL || valid_page(page))
        ht_module_prepare(page);
}

/* Says whether an engine does this page on this machine. */
static bool does(const struct ht_engine_ops *ops, const ht_page_t *page)
{
    return page->levels <= ops->levels && ops->available(page);
}

/* Says whether a name of ht_engine_open() means this engine. */
static bool is_named(const struct ht_engine_ops *ops, const char *name)
{
    return name == NULL || strcmp(name, ops->name) == 0 ||
           (strcmp(name, "cpu") == 0 && !ops->device);
}

/* Says whether the name means one of `engines`, and so no module's. */
static bool is_built_in(const char *name)
{
    for (size_t i = 0; i < ENGINES; i++)
        if (name != NULL && is_named(engines[i], name))
            return true;
    return false;
}

/* Opens the page with one engine, and closes it again after a failure. */
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

/* Says whether the module's engine is the fastest for a page now, and sets the
 * reason. */
static bool pays(const struct ht_engine_ops *ops, const ht_page_t *page,
                 const char **why)
{
    bool so = ops->pays(page, why);
    const char *idle = ht_module_idle();

    if (idle != NULL)
        *why = idle;
    return so && idle == NULL;
}

/* Opens the page with the module's engine, if the caller names it or, with
 * `name` NULL, if it is the fastest for this page now. Otherwise returns
 * HT_ERR_ENGINE and sets the reason. */
static ht_status_t open_module(ht_engine_t *engine, const char *name,
                               const char **why)
{
    const struct ht_engine_ops *ops = ht_module()->ops;

    if (!is_named(ops, name))
        return HT_ERR_ENGINE;
    if (name != NULL)
        ht_module_insist();
    else if (!pays(ops, &engine->page, why))
        return HT_ERR_ENGINE;
    if (!does(ops, &engine->page)) {
        *why = "no GPU here does such a page";
        return HT_ERR_ENGINE;
    }
    /* A guest helps the processor's engine from the beginning of a page or not
     * at all: the rescuer of a device that failed uses all threads itself. */
    bool guest = engine->page.guest;
    engine->page.guest = false;
    ht_status_t status = open_with(engine, ops, *why);
    if (name != NULL || status == HT_OK || status == HT_ERR_BUSY)
        return status;
    engine->page.guest = guest;
    *why = "the GPU could not be used";
    return HT_ERR_ENGINE;
}

/* Opens the page with OpenCL's engine, if the caller names it. */
static ht_status_t open_opencl(ht_engine_t *engine, const char *name)
{
    const struct ht_module *module = name == NULL ? NULL : ht_module_opencl();

    if (module == NULL || !is_named(module->ops, name) ||
        !does(module->ops, &engine->page))
        return HT_ERR_ENGINE;
    engine->page.guest = false;
    return open_with(engine, module->ops, NULL);
}

/* Opens the page with a module's engine, with all signals blocked: modules
 * start threads, which must not take the program's signals. */
static ht_status_t try_modules(ht_engine_t *engine, const char *name,
                               const char **why)
{
    sigset_t all, before;
    ht_status_t status;

    if (is_built_in(name))
        return HT_ERR_ENGINE;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = open_opencl(engine, name);
    if (status == HT_ERR_ENGINE && ht_module() == NULL)
        *why = "no GPU module of this version";
    else if (status == HT_ERR_ENGINE)
        status = open_module(engine, name, why);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static ht_status_t open_any(ht_engine_t *engine, const char *name)
{
    const char *why = NULL;
    ht_status_t status = try_modules(engine, name, &why);

    for (size_t i = ENGINES; i-- > 0 && status == HT_ERR_ENGINE;)
        if (is_named(engines[i], name) && does(engines[i], &engine->page))
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
    if (page->levels == 0)
        engine->page.levels = 2;

    ht_status_t status = HT_OK;
    const struct ht_own_table *own = ht_own_table(page);
    if (page->table == NULL && own->make != NULL) {
        status = own->make(&engine->own_table);
        engine->page.table = engine->own_table;
    }
    if (status == HT_OK && ht_info_of(page)->cells)
        status = ht_ranks_new(&engine->ranks, page);
    if (status == HT_OK)
        status = open_any(engine, name);
    if (status != HT_OK) {
        ht_engine_close(engine);
        return status;
    }
    *out = engine;
    return HT_OK;
}

size_t ht_engine_room(const ht_engine_t *engine)
{
    size_t most = 2 * (size_t)engine->page.band;
    size_t ready = engine->ops->ready(engine);

    if (engine->ops->room != NULL)
        return engine->ops->room(engine);
    return most > ready ? most - ready : 0;
}

ht_status_t ht_engine_submit(ht_engine_t *engine, const void *tones,
                             const uint16_t *inked, size_t rows)
{
    if (engine == NULL || tones == NULL || engine->ended || rows < 1 ||
        rows > engine->page.band || rows > ht_engine_room(engine))
        return HT_ERR_ARGUMENT;
    engine->started = true;
    return engine->ops->submit(engine, tones, inked, rows);
}

void ht_engine_help(ht_engine_t *engine, bool (*enough)(void *context),
                    void *context)
{
    if (engine->ops->help != NULL)
        engine->ops->help(engine, enough, context);
}

void *ht_engine_buffer(ht_engine_t *engine, size_t *rows)
{
    if (engine == NULL || rows == NULL || engine->ended ||
        engine->ops->buffer == NULL)
        return NULL;
    return engine->ops->buffer(engine, rows);
}

ht_status_t ht_engine_end(ht_engine_t *engine)
{
    if (engine == NULL || engine->ended)
        return HT_ERR_ARGUMENT;
    engine->ended = true;
    return engine->ops->end != NULL ? engine->ops->end(engine) : HT_OK;
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

size_t ht_engine_state_lines(const ht_engine_t *engine)
{
    return ht_state_lines(&engine->page);
}

ht_status_t ht_engine_give_state(ht_engine_t *engine, uint64_t row,
                                 const int16_t *errors)
{
    if (engine == NULL || errors == NULL || engine->started || engine->ended ||
        row > HT_MAX_HEIGHT || row % ht_swath_rows(&engine->page) != 0)
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
    free(engine->ranks);
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
    case HT_ERR_FORMAT:
        return "its format, an earlier one, is no longer read: make the table "
               "anew with train";
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
