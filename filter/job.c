/*
 * job.c - command line, environment, PPD and job options (filter(7)).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/ink_choice.h"
#include "filter/job.h"
#include "filter/memory.h"
#include "filter/message.h"
#include "filter/option.h"
#include "base/text.h"

#define MAX_OPTIONS_TEXT 65536 /* of all options; CUPS sends a few hundred */

/* ---- The choices ------------------------------------------------------ */

enum content { ANY_CONTENT, TEXT, TEXT_AND_TONES, TONES };

/* Says what is on the page: print-content-optimize, which other drivers know
 * too, overrides HalftoneContent, which a PPD can have. */
static bool choose_content(const struct choices *from, enum content *content)
{
    static const enum content named[] = {[CONTENT_AUTO] = ANY_CONTENT,
                                         [CONTENT_TEXT] = TEXT,
                                         [CONTENT_BOTH] = TEXT_AND_TONES,
                                         [CONTENT_GRAPHIC] = TONES,
                                         [CONTENT_PHOTO] = TONES};
    static const enum content optimized[] = {[OPTIMIZE_TEXT] = TEXT,
                                             [OPTIMIZE_BOTH] = TEXT_AND_TONES,
                                             [OPTIMIZE_GRAPHIC] = TONES,
                                             [OPTIMIZE_PHOTO] = TONES};
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

static bool choose_method(struct job *job, const struct choices *from,
                          enum content content)
{
    struct option_value mode, color;

    if (!option_read(from, OPTION_MODE, &mode) ||
        !option_read(from, OPTION_COLOR_MODE, &color))
        return false;
    job->method =
        method_for(&mode, color.choice == COLOR_MODE_BI_LEVEL, content);
    job->method_name = ht_method_info(job->method)->choice;
    return true;
}

/* Auto does not wait for a GPU where rows inherit nothing: none is faster. */
static bool choose_engine(struct job *job, const struct choices *from)
{
    static const char *const engines[] = {[ENGINE_AUTO] = NULL,
                                          [ENGINE_CPU] = "cpu",
                                          [ENGINE_GPU] = "cuda",
                                          [ENGINE_OPENCL] = "opencl"};
    struct option_value engine;

    if (!option_read(from, OPTION_ENGINE, &engine))
        return false;
    job->engine = engines[engine.choice];
    if (job->engine == NULL && !ht_method_info(job->method)->diffuses)
        job->engine = "cpu";
    return true;
}

static bool choose_lines(struct job *job, const struct choices *from)
{
    struct option_value lines;

    if (!option_read(from, OPTION_LINES, &lines))
        return false;
    job->lines = lines.choice == LINES_AUTO
                     ? 0
                     : (uint32_t)strtoul(lines.text, NULL, 10);
    return true;
}

static bool choose_segment(struct job *job, const struct choices *from)
{
    struct option_value segments;

    if (!option_read(from, OPTION_SEGMENTS, &segments))
        return false;
    job->segment = segments.choice == SEGMENTS_ON ? HT_DEFAULT_SEGMENT : 0;
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
static bool takes_table(const struct job *job, const struct option_value *table)
{
    return job->method == HT_TDFED4 ||
           (job->method == HT_TDFED1 && table->of_job);
}

/* HalftoneTable names a file of the package's data directory, never a path:
 * a job must not make the filter read what it likes. The file is checked even
 * if the method does not take a table. */
static bool choose_table(struct job *job, const struct choices *from)
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
    ht_status_t status = ht_table_load(&job->table, path, &line);
    if (status != HT_OK) {
        blame_table(path, status, line);
        return false;
    }
    if (!takes_table(job, &table)) {
        message("DEBUG", "rastertohalftone: HalftoneTable=%s is not for %s",
                table.text, job->method_name);
        ht_table_free(job->table);
        job->table = NULL;
        return true;
    }
    snprintf(job->table_name, sizeof job->table_name, "%s", table.text);
    return true;
}

/* ---- The environment -------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The packer is not started where our dots are to leave as raster. (For
 * application/vnd.cups-raster see choose_output().) Ours would start itself for
 * ever. */
static bool choose_packer(struct job *job, const struct choices *from)
{
    struct option_value packer;

    if (!option_read(from, OPTION_PACKER, &packer))
        return false;
    if (!paper_choose(&job->paper, from))
        return false;
    job->banded = packer.choice != PACKER_NONE; /* unless the PPD says more */
    if (!job->banded)
        job->paper = (struct paper){0};
    if (!job->banded || job->pwg ||
        choice_is(getenv("FINAL_CONTENT_TYPE"),
                  "application/vnd.cups-halftone-raster"))
        return true;
    if (choice_is(packer.text, "rastertohalftone")) {
        message("ERROR", "HalftonePacker is the filter itself");
        return false;
    }
    snprintf(job->packer, sizeof job->packer, "%s", packer.text);
    job->last = false;
    return true;
}

/* FINAL_CONTENT_TYPE is what the last filter of the chain makes, and unset
 * without a chain. A PPD with cupsFilter, not cupsFilter2, does not say what
 * its filter makes: then the variable has what the filter before that one
 * makes, or "printer/..." if there is none. So if the variable has our own
 * type, a filter that packs our dots may follow. PAPPL's printer applications
 * set what the filter before makes for any PPD. */
static void choose_output(struct job *job, const struct choices *from)
{
    const char *type = getenv("FINAL_CONTENT_TYPE");
    bool of_ppd =
        type == NULL || choice_is(type, "application/vnd.cups-raster");

    job->pwg = choice_is(type, "image/pwg-raster") ||
               (of_ppd && choice_makes(from, "image/pwg-raster"));
    job->last = of_ppd || job->pwg || starts_with(type, "printer/") ||
                (choice_is(type, "application/vnd.cups-halftone-raster") &&
                 !choice_has_packer(from));
}

/* How sheets leave: the order of colors that the next filter can read, and the
 * way in which the RIP turns back sides. */
static bool choose_sheets(struct job *job, const struct choices *from)
{
    struct option_value order, back;

    if (!option_read(from, OPTION_COLOR_ORDER, &order) ||
        !option_read(from, OPTION_BACK_SIDE, &back))
        return false;
    if (order.choice != COLOR_ORDER_AUTO)
        job->banded = order.choice == COLOR_ORDER_BANDED;
    job->back = (enum back_side)back.choice;
    return true;
}

static bool read_options(struct job *job, const char *text)
{
    struct choices from;
    enum content content;
    bool ok;

    memory_insist("the job's options and the PPD");
    ok = choices_open(&from, text);
    memory_insist(NULL);
    job->makes_copies = from.ppd == NULL || from.ppd->manual_copies;
    job->expects_tones =
        choice_of_queue(&from, option_info(OPTION_MODE)->name) != NULL ||
        choice_of_queue(&from, option_info(OPTION_PACKER)->name) != NULL;
    choose_output(job, &from);
    ok = ok && choose_packer(job, &from) && choose_sheets(job, &from) &&
         choose_content(&from, &content) &&
         choose_method(job, &from, content) && choose_lines(job, &from) &&
         choose_engine(job, &from) && choose_segment(job, &from) &&
         choose_count(&from, OPTION_THREADS, &job->threads) &&
         choose_count(&from, OPTION_GPU_MEMORY, &job->gpu_mib) &&
         choose_table(job, &from) &&
         ink_choose(&job->ink, &from, !ht_method_info(job->method)->tones,
                    content == TEXT_AND_TONES);
    choices_close(&from);
    return ok;
}

/* Copies that are no number count as 1, as in CUPS's own filters. */
static unsigned copies_of(const char *text)
{
    long copies = strtol(text, NULL, 10);

    return copies < 1                ? 1
           : copies > JOB_MAX_COPIES ? JOB_MAX_COPIES
                                     : (unsigned)copies;
}

/* Opens the file that the first filter of a chain is given. That filter makes
 * the copies, unless the PPD leaves them to the printer: then the backend asks
 * for them. */
static bool open_file(struct job *job, const char *copies, const char *path)
{
    /* To open a FIFO would wait, and SIGTERM could not end that. */
    job->input = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (job->makes_copies)
        job->copies = copies_of(copies);
    if (job->input < 0 ||
        (job->copies > 1 && lseek(job->input, 0, SEEK_CUR) < 0)) {
        message("ERROR", "Cannot %s \"%s\": %s",
                job->input < 0 ? "open" : "make copies of", path,
                strerror(errno));
        return false;
    }
    return true;
}

bool job_open(struct job *job, int argc, char *argv[])
{
    *job = (struct job){
        .table_name = "Default", .input = STDIN_FILENO, .copies = 1};
    if (argc != 6 && argc != 7) {
        fputs("Usage: rastertohalftone job-id user title copies options "
              "[file]\n",
              stderr);
        message("ERROR", "rastertohalftone needs 5 or 6 arguments");
        return false;
    }
    if (strlen(argv[5]) > MAX_OPTIONS_TEXT) {
        message("ERROR", "The job's options are longer than %d characters",
                MAX_OPTIONS_TEXT);
        return false;
    }
    return read_options(job, argv[5]) &&
           (argc == 6 || open_file(job, argv[4], argv[6]));
}

bool job_asks_for_gpu(const struct job *job)
{
    return job->engine != NULL && strcmp(job->engine, "cuda") == 0;
}

bool job_leaves_choice(const struct job *job)
{
    return job->engine == NULL;
}

void job_close(struct job *job)
{
    if (job->input > STDIN_FILENO)
        close(job->input);
    ht_table_free(job->table);
}
