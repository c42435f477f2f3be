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
#include "filter/message.h"
#include "base/text.h"

#define MAX_OPTIONS_TEXT 65536 /* of all options; CUPS sends a few hundred */
#define MAX_GPU_MIB 1048576
#define MAX_THREADS 256

/* ---- The choices ------------------------------------------------------ */

static const struct {
    const char *name;
    const char *engine;
} engines[] = {{"Auto", NULL}, {"CPU", "cpu"}, {"GPU", "cuda"}};

enum content { ANY_CONTENT, TEXT, TONES };

static const struct {
    const char *name, *ipp;
    enum content content;
} contents[] = {{"Auto", "auto", ANY_CONTENT},
                {"Text", "text", TEXT},
                {"TextAndGraphic", "text-and-graphic", TONES},
                {"Graphic", "graphic", TONES},
                {"Photo", "photo", TONES}};

#define COUNT(list) (sizeof list / sizeof list[0])

/* What is on the page: print-content-optimize, which other drivers know too,
 * else HalftoneContent, which a PPD can have. */
static bool choose_content(const struct choices *from, enum content *content)
{
    const char *value = choice_of(from, "HalftoneContent");
    const char *optimize = choice_of_job(from, "print-content-optimize");
    bool known = value == NULL;

    *content = ANY_CONTENT;
    for (size_t i = 0; i < COUNT(contents); i++)
        if (choice_is(value, contents[i].name)) {
            *content = contents[i].content;
            known = true;
        }
    for (size_t i = 0; i < COUNT(contents); i++)
        if (choice_is(optimize, contents[i].ipp) &&
            contents[i].content != ANY_CONTENT)
            *content = contents[i].content;
    return known || choice_unknown("HalftoneContent", value);
}

/* The job's own HalftoneMode wins; then two-level color and text, which ask
 * for crisp edges; then the queue's default, unless it has no tones and the
 * page has. */
static ht_method_t method_for(const struct choices *from, ht_method_t named,
                              enum content content)
{
    if (choice_of_job(from, "HalftoneMode") != NULL)
        return named;
    if (content == TEXT ||
        choice_is(choice_of_job(from, "print-color-mode"), "bi-level"))
        return HT_THRESHOLD;
    return content == TONES && !ht_method_info(named)->tones ? HT_TDFED4
                                                             : named;
}

static bool choose_method(struct job *job, const struct choices *from)
{
    const char *value = choice_of(from, "HalftoneMode");
    ht_method_t named = HT_TDFED4;
    enum content content;

    if (!choose_content(from, &content))
        return false;
    while (value != NULL && !choice_is(value, ht_method_info(named)->choice))
        if (++named == HT_METHODS)
            return choice_unknown("HalftoneMode", value);
    job->method = method_for(from, named, content);
    job->method_name = ht_method_info(job->method)->choice;
    return true;
}

/* No GPU is faster where rows inherit nothing: Auto does not wait for one. */
static bool choose_engine(struct job *job, const struct choices *from)
{
    const char *value = choice_of(from, "HalftoneEngine");

    for (size_t i = 0; i < COUNT(engines); i++)
        if (value == NULL || choice_is(value, engines[i].name)) {
            job->engine = engines[i].engine;
            if (job->engine == NULL && !ht_method_info(job->method)->diffuses)
                job->engine = "cpu";
            return true;
        }
    return choice_unknown("HalftoneEngine", value);
}

static bool choose_segment(struct job *job, const struct choices *from)
{
    const char *value = choice_of(from, "HalftoneSegments");

    if (value == NULL || choice_is(value, "On"))
        job->segment = HT_DEFAULT_SEGMENT;
    else if (choice_is(value, "Off"))
        job->segment = 0;
    else
        return choice_unknown("HalftoneSegments", value);
    return true;
}

/* An ERROR line about a table that cannot be used; `line` is 0 when it is none
 * alone that is wrong. */
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

/* A queue's table is for its usual scan, of four rows; the other has its own
 * unless the job says. */
static bool takes_table(const struct job *job, const struct choices *from)
{
    return job->method == HT_TDFED4 ||
           (job->method == HT_TDFED1 &&
            choice_of_job(from, "HalftoneTable") != NULL);
}

/* HalftoneTable names a file of the package's data directory, never a path:
 * a job must not make the filter read what it likes. One that the method does
 * not take has to be right all the same. */
static bool choose_table(struct job *job, const struct choices *from)
{
    const char *name = choice_of(from, "HalftoneTable");
    char path[CHOICE_MAX_PATH];
    unsigned line;

    if (name == NULL || choice_is(name, "Default"))
        return true;
    if (!choice_is_plain_name(name))
        return choice_unknown("HalftoneTable", name);
    snprintf(path, sizeof path, "%s/rastertohalftone/%s.table",
             choice_data_directory(), name);
    ht_status_t status = ht_table_load(&job->table, path, &line);
    if (status != HT_OK) {
        blame_table(path, status, line);
        return false;
    }
    if (!takes_table(job, from)) {
        message("DEBUG", "rastertohalftone: HalftoneTable=%s is not for %s",
                name, job->method_name);
        ht_table_free(job->table);
        job->table = NULL;
        return true;
    }
    snprintf(job->table_name, sizeof job->table_name, "%s", name);
    return true;
}

/* ---- The environment -------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* FINAL_CONTENT_TYPE is unset when there is no chain, else what its last filter
 * makes. With cupsFilter, not cupsFilter2, a PPD does not say what that is;
 * then it is what the filter before makes, or "printer/..." when there is none.
 * So a filter that packs our dots may follow when it is our own type. */
static void choose_output(struct job *job, const struct choices *from)
{
    const char *type = getenv("FINAL_CONTENT_TYPE");

    job->pwg = choice_is(type, "image/pwg-raster");
    job->last = type == NULL || job->pwg || starts_with(type, "printer/") ||
                choice_is(type, "application/vnd.cups-raster") ||
                (choice_is(type, "application/vnd.cups-halftone-raster") &&
                 !choice_has_packer(from));
}

/* The order of colors that the next filter can read. */
static bool choose_order(struct job *job, const struct choices *from)
{
    const char *value = choice_of_queue(from, "HalftoneColorOrder");

    job->banded = choice_is(value, "Banded");
    return value == NULL || job->banded || choice_is(value, "Chunked") ||
           choice_unknown("HalftoneColorOrder", value);
}

/* Of what is no value of PPDs the RIP makes nothing either. */
static enum back_side back_of(const struct choices *from)
{
    const char *value = choice_of_queue(from, "cupsBackSide");

    return choice_is(value, "ManualTumble") ? BACK_MANUAL_TUMBLE
           : choice_is(value, "Rotated")    ? BACK_ROTATED
           : choice_is(value, "Flipped")    ? BACK_FLIPPED
                                            : BACK_NORMAL;
}

static bool read_options(struct job *job, const char *text)
{
    struct choices from;
    bool ok;

    choices_open(&from, text);
    job->makes_copies = from.ppd == NULL || from.ppd->manual_copies;
    choose_output(job, &from);
    job->back = back_of(&from);
    ok = choose_order(job, &from) && choose_method(job, &from) &&
         choose_engine(job, &from) && choose_segment(job, &from) &&
         choice_count(&from, "HalftoneThreads", MAX_THREADS, &job->threads) &&
         choice_count(&from, "HalftoneGPUMemory", MAX_GPU_MIB, &job->gpu_mib) &&
         choose_table(job, &from) &&
         ink_choose(&job->ink, &from, !ht_method_info(job->method)->tones);
    choices_close(&from);
    return ok;
}

/* What is no number counts as 1, as in CUPS's own filters. */
static unsigned copies_of(const char *text)
{
    long copies = strtol(text, NULL, 10);

    return copies < 1                ? 1
           : copies > JOB_MAX_COPIES ? JOB_MAX_COPIES
                                     : (unsigned)copies;
}

/* The first filter of a chain is given a file, and makes the copies, unless the
 * PPD leaves them to the printer: then the backend asks for them. */
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
        fprintf(stderr, "Usage: %s job-id user title copies options [file]\n",
                argc > 0 ? argv[0] : "rastertohalftone");
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

bool job_uses_cpu(const struct job *job)
{
    return job->engine != NULL && strcmp(job->engine, "cpu") == 0;
}

void job_close(struct job *job)
{
    if (job->input > STDIN_FILENO)
        close(job->input);
    ht_table_free(job->table);
}
