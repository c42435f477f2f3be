/*
 * settings.c - the choices of a job that its pages' dots depend on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/ink_choice.h"
#include "page/message.h"
#include "page/settings.h"
#include "halftone/base/text.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum content { ANY_CONTENT, TEXT, TEXT_AND_TONES, TONES };

/* Says what is on the page: print-content-optimize, which other drivers know
 * too, overrides HalftoneContent, which a PPD can have. */
static enum content content_of(const struct option_value options[OPTIONS])
{
    static const enum content named[] = {
        [CONTENT_AUTO] = ANY_CONTENT,
        [CONTENT_TEXT] = TEXT,
        [CONTENT_TEXT_AND_GRAPHIC] = TEXT_AND_TONES,
        [CONTENT_GRAPHIC] = TONES,
        [CONTENT_PHOTO] = TONES,
    };
    static const enum content optimized[] = {
        [OPTIMIZE_TEXT] = TEXT,
        [OPTIMIZE_TEXT_AND_GRAPHIC] = TEXT_AND_TONES,
        [OPTIMIZE_GRAPHIC] = TONES,
        [OPTIMIZE_PHOTO] = TONES,
    };
    int optimize = options[OPTION_OPTIMIZE].choice;

    return optimize == OPTION_NO_CHOICE ? named[options[OPTION_CONTENT].choice]
                                        : optimized[optimize];
}

/* Takes the job's own HalftoneMode first; then Threshold for two-level color
 * and text, which ask for crisp edges; then the queue's method, unless it has
 * no tones and the page has some. */
static ht_method_t method_of(const struct option_value options[OPTIONS],
                             enum content content)
{
    ht_method_t named = (ht_method_t)options[OPTION_MODE].choice;
    bool bi_level = options[OPTION_COLOR_MODE].choice == COLOR_MODE_BI_LEVEL;

    if (options[OPTION_MODE].of_job)
        return named;
    if (content == TEXT || bi_level)
        return HT_THRESHOLD;
    return content != ANY_CONTENT && !ht_method_info(named)->tones ? HT_TDFED4
                                                                   : named;
}

/* Tells whether four inks are to become K although the RIP renders them: the
 * job names monochrome and, as dialogs do, the usual ColorModel, too. To queues
 * whose usual one is not CMYK or RGB cupsd adds monochrome by itself, and a
 * job's ColorModel is what the user wants. */
static bool is_monochrome(const struct choices *from,
                          const struct option_value options[OPTIONS])
{
    const char *named = choice_of_job(from, "ColorModel");
    const ppd_option_t *model =
        from->ppd != NULL ? ppdFindOption(from->ppd, "ColorModel") : NULL;

    if (options[OPTION_COLOR_MODE].choice != COLOR_MODE_MONOCHROME)
        return false;
    return model == NULL ||
           ((choice_is(model->defchoice, "CMYK") ||
             choice_is(model->defchoice, "RGB")) &&
            (named == NULL || choice_is(named, model->defchoice)));
}

/* Auto does not wait for a GPU where rows inherit nothing: none is faster. */
static const char *engine_of(const struct option_value options[OPTIONS],
                             ht_method_t method)
{
    static const char *const engines[] = {[ENGINE_AUTO] = NULL,
                                          [ENGINE_CPU] = "cpu",
                                          [ENGINE_GPU] = "cuda",
                                          [ENGINE_OPENCL] = "opencl"};
    const char *engine = engines[options[OPTION_ENGINE].choice];

    return engine == NULL && !ht_method_info(method)->diffuses ? "cpu" : engine;
}

/* Writes an ERROR line about a table that cannot be used; `line` is the one at
 * fault, 0 if it is no single one. */
static void blame_table(const char *path, ht_status_t status, unsigned line)
{
    if (status == HT_ERR_TABLE && line > 0)
        message("ERROR", "Tone table %s: line %u is not valid", path, line);
    else if (status == HT_ERR_TABLE)
        message("ERROR", "Tone table %s is not valid", path);
    else
        message("ERROR", "Tone table %s: %s", path,
                status == HT_ERR_FILE ? text_error(errno)
                                      : ht_status_text(status));
}

/* A queue's table is for its usual scan, of four rows. TDFED1 has its own
 * unless the job names one. */
static bool takes_table(const struct settings *settings,
                        const struct option_value *table)
{
    return settings->method == HT_TDFED4 ||
           (settings->method == HT_TDFED1 && table->of_job);
}

/* HalftoneTable names a file of the package's data directory, never a path:
 * a job must not make the filter read what it likes. The file is checked even
 * if the method does not take a table. */
static bool choose_table(struct settings *settings,
                         const struct option_value *table)
{
    char path[CHOICE_MAX_PATH];
    unsigned line;

    if (table->choice == TABLE_DEFAULT)
        return true;
    snprintf(path, sizeof path, "%s/rastertohalftone/%s.table",
             choice_data_directory(), table->text);
    ht_status_t status = ht_table_load(&settings->table, path, &line);
    if (status != HT_OK) {
        blame_table(path, status, line);
        return false;
    }
    if (!takes_table(settings, table)) {
        message("DEBUG", "rastertohalftone: HalftoneTable=%s is not for %s",
                table->text, settings->method_name);
        ht_table_free(settings->table);
        settings->table = NULL;
        return true;
    }
    snprintf(settings->table_name, sizeof settings->table_name, "%s",
             table->text);
    return true;
}

/* Takes the sizes of the queue's printer. A threshold prints the largest. */
static bool choose_drops(struct settings *settings, const struct choices *from,
                         const struct option_value options[OPTIONS])
{
    const struct option_value *mixing = &options[OPTION_MIXING];
    const struct option_value *printer = &options[OPTION_DROP_SIZES];
    const bool sized = options[OPTION_DROPS].choice == DROPS_THREE;

    settings->mixed = mixing->choice == MIXING_AUTO ? -1 : (int)mixing->number;
    settings->sized = sized && ht_method_info(settings->method)->tones;
    if (printer->choice == DROP_SIZES_PPD)
        return drops_of_queue(&settings->drops, from);
    if (printer->choice != DROP_SIZES_NONE)
        return drops_load(&settings->drops, printer->text);
    if (sized)
        message("ERROR", "HalftoneDrops=Three is for printers with drops of "
                         "several sizes, and this queue's has none");
    return !sized;
}

/* Takes all inks of the queue's printer, and the toning of its grays. */
static bool choose_inks(struct settings *settings, const struct choices *from,
                        const struct option_value options[OPTIONS])
{
    const char *set = choice_of_queue_at(from, "HalftoneInkSet", "StpInkSet");

    if (options[OPTION_INKS_USED].choice != INKS_ALL)
        return true;
    if (set == NULL)
        message("ERROR",
                "HalftoneInks=All is for printers with light inks, and "
                "this queue's PPD has no HalftoneInkSet");
    else if (!ink_set_parse(&settings->set, set))
        message("ERROR", "The PPD's HalftoneInkSet is not valid");
    else
        settings->ink.set = &settings->set;
    settings->ink.alone = settings->monochrome;
    return settings->ink.set != NULL;
}

bool settings_choose(struct settings *settings, const struct choices *from,
                     const struct option_value options[OPTIONS])
{
    const enum content content = content_of(options);
    const ht_method_t method = method_of(options, content);
    const bool cut = options[OPTION_SEGMENTS].choice == SEGMENTS_ON;

    *settings = (struct settings){
        .method = method,
        .method_name = ht_method_info(method)->choice,
        .engine = engine_of(options, method),
        .threads = (uint32_t)options[OPTION_THREADS].number,
        .gpu_memory = (size_t)options[OPTION_GPU_MEMORY].number << 20,
        .segment = cut ? HT_DEFAULT_SEGMENT : 0,
        .lines = (uint32_t)options[OPTION_LINES].number,
        .monochrome = is_monochrome(from, options)};
    return choose_table(settings, &options[OPTION_TABLE]) &&
           choose_drops(settings, from, options) &&
           ink_choose(&settings->ink, from, options,
                      !ht_method_info(method)->tones,
                      content == TEXT_AND_TONES) &&
           choose_inks(settings, from, options);
}

bool settings_ask_for_gpu(const struct settings *settings)
{
    return settings->engine != NULL && strcmp(settings->engine, "cuda") == 0;
}

bool settings_leave_choice(const struct settings *settings)
{
    return settings->engine == NULL;
}

void settings_free(struct settings *settings)
{
    ht_table_free(settings->table);
    settings->table = NULL;
    drops_free(&settings->drops);
}
