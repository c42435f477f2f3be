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
#include "base/text.h"

enum content { ANY_CONTENT, TEXT, TEXT_AND_TONES, TONES };

/* Says what is on the page: print-content-optimize, which other drivers know
 * too, overrides HalftoneContent, which a PPD can have. */
static bool choose_content(const struct choices *from, enum content *content)
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
    struct option_value ours, optimize;

    if (!option_read(from, OPTION_CONTENT, &ours) ||
        !option_read(from, OPTION_OPTIMIZE, &optimize))
        return false;
    *content = optimize.choice == OPTION_NO_CHOICE ? named[ours.choice]
                                                   : optimized[optimize.choice];
    return true;
}

/* Takes the job's own HalftoneMode first; then Threshold for two-level color
 * and text, which ask for crisp edges; then the queue's method, unless it has
 * no tones and the page has some. */
static ht_method_t method_for(const struct option_value *mode, bool bi_level,
                              enum content content)
{
    ht_method_t named = (ht_method_t)mode->choice;

    if (mode->of_job)
        return named;
    if (content == TEXT || bi_level)
        return HT_THRESHOLD;
    return content != ANY_CONTENT && !ht_method_info(named)->tones ? HT_TDFED4
                                                                   : named;
}

static bool choose_method(struct settings *settings, const struct choices *from,
                          enum content content)
{
    struct option_value mode, color;

    if (!option_read(from, OPTION_MODE, &mode) ||
        !option_read(from, OPTION_COLOR_MODE, &color))
        return false;
    settings->method =
        method_for(&mode, color.choice == COLOR_MODE_BI_LEVEL, content);
    settings->method_name = ht_method_info(settings->method)->choice;
    return true;
}

/* Auto does not wait for a GPU where rows inherit nothing: none is faster. */
static bool choose_engine(struct settings *settings, const struct choices *from)
{
    static const char *const engines[] = {[ENGINE_AUTO] = NULL,
                                          [ENGINE_CPU] = "cpu",
                                          [ENGINE_GPU] = "cuda",
                                          [ENGINE_OPENCL] = "opencl"};
    struct option_value engine;

    if (!option_read(from, OPTION_ENGINE, &engine))
        return false;
    settings->engine = engines[engine.choice];
    if (settings->engine == NULL && !ht_method_info(settings->method)->diffuses)
        settings->engine = "cpu";
    return true;
}

static bool choose_lines(struct settings *settings, const struct choices *from)
{
    struct option_value lines;

    if (!option_read(from, OPTION_LINES, &lines))
        return false;
    settings->lines = lines.choice == LINES_AUTO
                          ? 0
                          : (uint32_t)strtoul(lines.text, NULL, 10);
    return true;
}

static bool choose_segment(struct settings *settings,
                           const struct choices *from)
{
    struct option_value segments;

    if (!option_read(from, OPTION_SEGMENTS, &segments))
        return false;
    settings->segment = segments.choice == SEGMENTS_ON ? HT_DEFAULT_SEGMENT : 0;
    return true;
}

static bool choose_count(const struct choices *from, enum option_id id,
                         uint32_t *count)
{
    struct option_value value;

    if (!option_read(from, id, &value))
        return false;
    *count = (uint32_t)value.number;
    return true;
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
static bool choose_table(struct settings *settings, const struct choices *from)
{
    struct option_value table;
    char path[CHOICE_MAX_PATH];
    unsigned line;

    if (!option_read(from, OPTION_TABLE, &table))
        return false;
    if (table.choice == TABLE_DEFAULT)
        return true;
    snprintf(path, sizeof path, "%s/rastertohalftone/%s.table",
             choice_data_directory(), table.text);
    ht_status_t status = ht_table_load(&settings->table, path, &line);
    if (status != HT_OK) {
        blame_table(path, status, line);
        return false;
    }
    if (!takes_table(settings, &table)) {
        message("DEBUG", "rastertohalftone: HalftoneTable=%s is not for %s",
                table.text, settings->method_name);
        ht_table_free(settings->table);
        settings->table = NULL;
        return true;
    }
    snprintf(settings->table_name, sizeof settings->table_name, "%s",
             table.text);
    return true;
}

bool settings_choose(struct settings *settings, const struct choices *from)
{
    enum content content;

    *settings = (struct settings){.table_name = "Default"};
    return choose_content(from, &content) &&
           choose_method(settings, from, content) &&
           choose_lines(settings, from) && choose_engine(settings, from) &&
           choose_segment(settings, from) &&
           choose_count(from, OPTION_THREADS, &settings->threads) &&
           choose_count(from, OPTION_GPU_MEMORY, &settings->gpu_mib) &&
           choose_table(settings, from) &&
           ink_choose(&settings->ink, from,
                      !ht_method_info(settings->method)->tones,
                      content == TEXT_AND_TONES);
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
}
