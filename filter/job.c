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

#include <cups/cups.h>
#include <cups/ppd.h>

#include "filter/job.h"
#include "filter/message.h"
#include "halftone/text.h"

/* CUPS marks all of its PPD functions so; they are what a filter of CUPS 2
 * has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define MAX_OPTIONS_TEXT 65536 /* of all options; CUPS sends a few hundred */
#define MAX_VALUE 255          /* of one of ours */
#define MAX_PATH 1024
#define MAX_GPU_MIB 1048576
#define MAX_THREADS 256
#define GHOSTSCRIPT_BLACK "184,173,171,226" /* C, M, Y, K of RGB 0 0 0 */

/* Where a choice comes from: the job, else the queue's PPD, in which an
 * attribute will do where there is no option of the name. */
struct source {
    ppd_file_t *ppd; /* marked; may be NULL */
    int count;
    cups_option_t *options;
};

static const char *job_option(const struct source *from, const char *keyword)
{
    return cupsGetOption(keyword, from->count, from->options);
}

static const char *choice(const struct source *from, const char *keyword)
{
    const char *value = job_option(from, keyword);

    if (value == NULL && from->ppd != NULL) {
        ppd_choice_t *marked = ppdFindMarkedChoice(from->ppd, keyword);
        ppd_attr_t *attribute = ppdFindAttr(from->ppd, keyword, NULL);

        value = marked ? marked->choice : attribute ? attribute->value : NULL;
    }
    return value;
}

static bool is(const char *value, const char *expected)
{
    return value != NULL && strcasecmp(value, expected) == 0;
}

/* ---- The choices ------------------------------------------------------ */

static const struct {
    const char *name;
    ht_method_t method;
} methods[] = {{"TDFED4", HT_TDFED4},
               {"TDFED1", HT_TDFED1},
               {"FloydSteinberg", HT_FLOYD_STEINBERG},
               {"Threshold", HT_THRESHOLD}};

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

static bool unknown(const char *keyword, const char *value)
{
    message("ERROR", "%s has no choice \"%.*s\"", keyword, MAX_VALUE, value);
    return false;
}

/* What is on the page: print-content-optimize, which other drivers know too,
 * else HalftoneContent, which a PPD can have. */
static bool choose_content(const struct source *from, enum content *content)
{
    const char *value = choice(from, "HalftoneContent");
    const char *optimize = job_option(from, "print-content-optimize");
    bool known = value == NULL;

    *content = ANY_CONTENT;
    for (size_t i = 0; i < COUNT(contents); i++)
        if (is(value, contents[i].name)) {
            *content = contents[i].content;
            known = true;
        }
    for (size_t i = 0; i < COUNT(contents); i++)
        if (is(optimize, contents[i].ipp) && contents[i].content != ANY_CONTENT)
            *content = contents[i].content;
    return known || unknown("HalftoneContent", value);
}

/* The job's own HalftoneMode wins; then two-level color and text, which ask
 * for crisp edges; then the queue's default, unless it has no tones and the
 * page has. */
static const char *mode_for(const struct source *from, enum content content)
{
    const char *value = job_option(from, "HalftoneMode");

    if (value != NULL)
        return value;
    if (content == TEXT || is(job_option(from, "print-color-mode"), "bi-level"))
        return "Threshold";
    value = choice(from, "HalftoneMode");
    if (value == NULL || (content == TONES && is(value, "Threshold")))
        return methods[0].name;
    return value;
}

static bool choose_method(struct job *job, const struct source *from)
{
    enum content content;

    if (!choose_content(from, &content))
        return false;

    const char *value = mode_for(from, content);
    for (size_t i = 0; i < COUNT(methods); i++)
        if (is(value, methods[i].name)) {
            job->method = methods[i].method;
            job->method_name = methods[i].name;
            return true;
        }
    return unknown("HalftoneMode", value);
}

static bool choose_engine(struct job *job, const struct source *from)
{
    const char *value = choice(from, "HalftoneEngine");

    for (size_t i = 0; i < COUNT(engines); i++)
        if (value == NULL || is(value, engines[i].name)) {
            job->engine = engines[i].engine;
            return true;
        }
    return unknown("HalftoneEngine", value);
}

static bool choose_segment(struct job *job, const struct source *from)
{
    const char *value = choice(from, "HalftoneSegments");

    if (value == NULL || is(value, "On"))
        job->segment = HT_DEFAULT_SEGMENT;
    else if (is(value, "Off"))
        job->segment = 0;
    else
        return unknown("HalftoneSegments", value);
    return true;
}

/* A whole number up to `most`; left alone when nobody says any. */
static bool choose_count(const struct source *from, const char *name,
                         unsigned long most, uint32_t *number)
{
    const char *value = choice(from, name);
    size_t digits = value == NULL ? 0 : strspn(value, "0123456789");

    if (value == NULL)
        return true;
    if (digits < 1 || digits > 9 || value[digits] != '\0' ||
        strtoul(value, NULL, 10) > most) {
        message("ERROR", "%s is a whole number from 0 to %lu, not \"%.*s\"",
                name, most, MAX_VALUE, value);
        return false;
    }
    *number = (uint32_t)strtoul(value, NULL, 10);
    return true;
}

static bool plain_name(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz"
                                 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    return length > 0 && length <= JOB_MAX_NAME && name[length] == '\0';
}

/* A queue's name comes from cupsd, which takes what can be printed but '/' and
 * a few more; '.' in front would lead to what is hidden, or out. */
static bool is_queue_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) <= MAX_VALUE;
}

static const char *data_directory(void)
{
    const char *data = getenv("CUPS_DATADIR");

    return data != NULL ? data : CUPS_DATADIR;
}

/* An ERROR line about a table that cannot be used; `line` is 0 when it is none
 * alone that is wrong. */
static void blame_table(const char *path, ht_status_t status, unsigned line)
{
    if (status == HT_ERR_TABLE && line > 0)
        message("ERROR", "Tone table %s breaks its rules (line %u)", path,
                line);
    else if (status == HT_ERR_TABLE)
        message("ERROR", "Tone table %s breaks its rules", path);
    else
        message("ERROR", "Tone table %s: %s", path,
                status == HT_ERR_FILE ? strerror(errno)
                                      : ht_status_text(status));
}

/* A queue's table is for its usual scan, of four rows; the other has its own
 * unless the job says. */
static bool takes_table(const struct job *job, const struct source *from)
{
    return job->method == HT_TDFED4 ||
           (job->method == HT_TDFED1 &&
            job_option(from, "HalftoneTable") != NULL);
}

/* HalftoneTable names a file of the package's data directory, never a path:
 * a job must not make the filter read what it likes. One that the method does
 * not take has to be right all the same. */
static bool choose_table(struct job *job, const struct source *from)
{
    const char *name = choice(from, "HalftoneTable");
    char path[MAX_PATH];
    unsigned line;

    if (name == NULL || is(name, "Default"))
        return true;
    if (!plain_name(name))
        return unknown("HalftoneTable", name);
    snprintf(path, sizeof path, "%s/rastertohalftone/%s.table",
             data_directory(), name);
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

/* ---- Ink -------------------------------------------------------------- */

struct curve_file {
    char path[MAX_PATH];
    unsigned line; /* at fault */
    enum curve_status status;
};

/* Loads NAME.curve of a directory's rastertohalftone/. False when there is no
 * such file or no directory, so that another may be tried. */
static bool find_curve(struct curve *curve, struct curve_file *file,
                       const char *directory, const char *name)
{
    if (directory == NULL)
        return false;
    snprintf(file->path, sizeof file->path, "%s/rastertohalftone/%s.curve",
             directory, name);
    file->status = curve_load(curve, file->path, &file->line);
    return file->status != CURVE_NO_FILE || errno != ENOENT;
}

static bool usable(const struct curve_file *file)
{
    if (file->status == CURVE_NO_FILE)
        message("ERROR", "Tone curve %s: %s", file->path, strerror(errno));
    if (file->status == CURVE_BROKEN)
        message("ERROR", "Tone curve %s breaks its rules (line %u)", file->path,
                file->line);
    if (file->status == CURVE_OK)
        message("DEBUG", "rastertohalftone: tone curve %s", file->path);
    return file->status == CURVE_OK;
}

/* Curves that were made for the printers of this server lie beside CUPS's own
 * configuration; the default is the one with the queue's name, if there is
 * one. */
static bool choose_curve(struct job *job, const struct source *from)
{
    const char *name = choice(from, "HalftoneCurve");
    const char *queue = getenv("PRINTER"), *root = getenv("CUPS_SERVERROOT");
    struct curve *curve = &job->ink.curve;
    struct curve_file file;

    job->ink.curved = name != NULL && !is(name, "None");
    if (!job->ink.curved)
        return true;
    if (is(name, "Default")) {
        if (queue != NULL && is_queue_name(queue) &&
            find_curve(curve, &file, root, queue))
            return usable(&file);
        curve_default(curve);
        return true;
    }
    if (!plain_name(name))
        return unknown("HalftoneCurve", name);
    if (find_curve(curve, &file, root, name) ||
        find_curve(curve, &file, data_directory(), name))
        return usable(&file);
    message("ERROR", "Tone curve %s.curve is not in %s%s%s/rastertohalftone",
            name, root != NULL ? root : "",
            root != NULL ? "/rastertohalftone and not in " : "",
            data_directory());
    return false;
}

/* A number that is divided by `unit` and stays as it is when nobody says one.
 */
static bool choose_number(const struct source *from, const char *keyword,
                          double low, double high, double unit, double *out)
{
    const char *value = choice(from, keyword);

    if (value == NULL)
        return true;
    if (!ht_text_decimal(value, low, high, out)) {
        message("ERROR", "%s is a number from %g to %g, not \"%.*s\"", keyword,
                low, high, MAX_VALUE, value);
        return false;
    }
    *out /= unit;
    return true;
}

/* C,M,Y,K of 0..255. Black has an ink that is more than half, or paper might be
 * taken for it. */
static bool black_of(const char *value, uint8_t black[CURVE_INKS])
{
    bool dark = false;

    for (unsigned i = 0; i < CURVE_INKS; i++) {
        size_t digits = strspn(value, "0123456789");
        char end = i + 1 < CURVE_INKS ? ',' : '\0';

        if (digits < 1 || digits > 3 || value[digits] != end ||
            strtoul(value, NULL, 10) > UINT8_MAX)
            return false;
        black[i] = (uint8_t)strtoul(value, NULL, 10);
        dark = dark || black[i] > UINT8_MAX / 2;
        value += digits + 1;
    }
    return dark;
}

/* What is black for the RIP, and is to be black ink alone. "Pure" is what
 * Ghostscript's own profile makes of RGB 0 0 0. */
static bool choose_black(struct job *job, const struct source *from)
{
    const char *value = choice(from, "HalftoneBlack");
    struct ink_settings *ink = &job->ink;

    if (value == NULL || is(value, "None"))
        return true;
    ink->pure_black = true;
    if (black_of(is(value, "Pure") ? GHOSTSCRIPT_BLACK : value, ink->black))
        return true;
    message("ERROR",
            "HalftoneBlack is Pure, None or C,M,Y,K, numbers from 0 to 255 and "
            "one above 127, not \"%.*s\"",
            MAX_VALUE, value);
    return false;
}

static void say_ink(const struct ink_settings *ink, const char *black,
                    const char *curve)
{
    if (!ink->pure_black)
        black = "None";
    if (ink->two_level)
        message("DEBUG",
                "rastertohalftone: black %s, gamma %g; no curve, density or "
                "ink limit: of four inks two are the most",
                black, ink->gamma);
    else
        message("DEBUG",
                "rastertohalftone: black %s, curve %s, gamma %g, density %g "
                "%%, ink limit %g %%",
                black, ink->curved ? curve : "None", ink->gamma,
                100 * ink->density, 100 * ink->limit);
}

/* A threshold has no tones for a printer to gain on: of these it takes only
 * black and gamma, which moves the cut, and prints what is black with one ink.
 */
static bool choose_ink(struct job *job, const struct source *from)
{
    struct ink_settings *ink = &job->ink;

    *ink = INK_AS_IT_IS;
    if (!choose_black(job, from) ||
        !choose_number(from, "HalftoneGamma", 0.25, 4, 1, &ink->gamma) ||
        !choose_curve(job, from) ||
        !choose_number(from, "HalftoneDensity", 10, 200, 100, &ink->density) ||
        !choose_number(from, "HalftoneInkLimit", 100, 400, 100, &ink->limit))
        return false;
    if (job->method == HT_THRESHOLD) {
        ink->curved = false;
        ink->density = INK_AS_IT_IS.density;
        ink->limit = INK_AS_IT_IS.limit;
        ink->two_level = true;
    }
    say_ink(ink, choice(from, "HalftoneBlack"), choice(from, "HalftoneCurve"));
    return true;
}

/* ---- The environment -------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* FINAL_CONTENT_TYPE is what the last filter of the chain makes; it is ours
 * when it is a type that only we make, or unset when there is no chain.
 * "printer/..." is what a PPD with cupsFilter, not cupsFilter2, gives. */
static void choose_output(struct job *job)
{
    const char *type = getenv("FINAL_CONTENT_TYPE");

    job->pwg = is(type, "image/pwg-raster");
    job->last = type == NULL || job->pwg || starts_with(type, "printer/") ||
                is(type, "application/vnd.cups-raster") ||
                is(type, "application/vnd.cups-halftone-raster");
}

static ppd_file_t *open_ppd(void)
{
    const char *path = getenv("PPD");
    ppd_file_t *ppd;

    if (path == NULL)
        return NULL;
    ppd = ppdOpenFile(path);
    if (ppd == NULL) {
        int line;
        ppd_status_t status = ppdLastError(&line);
        message("WARNING",
                "The PPD cannot be used (%s, line %d); using "
                "defaults",
                ppdErrorString(status), line);
    }
    return ppd;
}

static bool read_options(struct job *job, const char *text)
{
    struct source from = {.ppd = open_ppd()};
    bool ok;

    from.count = cupsParseOptions(text, 0, &from.options);
    if (from.ppd != NULL) {
        ppd_attr_t *order;

        ppdMarkDefaults(from.ppd);
        cupsMarkOptions(from.ppd, from.count, from.options);
        order = ppdFindAttr(from.ppd, "HalftoneColorOrder", NULL);
        job->banded = order != NULL && is(order->value, "Banded");
    }
    ok = choose_method(job, &from) && choose_engine(job, &from) &&
         choose_segment(job, &from) &&
         choose_count(&from, "HalftoneThreads", MAX_THREADS, &job->threads) &&
         choose_count(&from, "HalftoneGPUMemory", MAX_GPU_MIB, &job->gpu_mib) &&
         choose_table(job, &from) && choose_ink(job, &from);
    cupsFreeOptions(from.count, from.options);
    ppdClose(from.ppd);
    return ok;
}

bool job_open(struct job *job, int argc, char *argv[])
{
    *job = (struct job){.table_name = "Default", .input = STDIN_FILENO};
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
    choose_output(job);
    if (!read_options(job, argv[5]))
        return false;
    if (argc == 7) {
        /* To open a FIFO would wait, and SIGTERM could not end that. */
        job->input = open(argv[6], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (job->input < 0) {
            message("ERROR", "Cannot open \"%s\": %s", argv[6],
                    strerror(errno));
            return false;
        }
    }
    return true;
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
