/*
 * update.c - cups-driverd lists the models scheme by scheme, and each one is
 * converted in a child.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/choice.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/program.h"
#include "ppd/convert/source.h"
#include "ppd/driver/child.h"
#include "ppd/driver/list.h"
#include "ppd/driver/models.h"

#define SAMPLES 12 /* models of a driver that are tried if all are refused */
#define GUTENPRINT_SAMPLES 3 /* models of a maker, where one stands for all */
#define LATE 3 /* models of a scheme that are waited for in vain */
#define CACHE "CUPS_CACHEDIR" /* names our folder of temporary files */

/* ---- A model, in a child ------------------------------------------------- */

/* Reads drv:///FILE.drv/PPD. ppdc compiles all PPDs of the file once, to a
 * folder of its name: cups-driverd reads the file again for each. NULL if the
 * PPD is not there. */
static char *read_compiled(const char *name, size_t *size)
{
    static const char scheme[] = "drv:///";
    char drv[PATH_MAX], path[PATH_MAX], bytes[4096], why[SOURCE_WHY];
    const char *const argv[] = {"ppdc", "-d", path, drv, NULL};
    struct other_program program;

    if (strncmp(name, scheme, sizeof scheme - 1) != 0)
        return NULL;
    name += sizeof scheme - 1;
    int file = (int)strcspn(name, "/");
    snprintf(drv, sizeof drv, "%s/drv/%.*s", choice_data_directory(), file,
             name);
    snprintf(path, sizeof path, "%s/%.*s", getenv(CACHE), file, name);
    if (mkdir(path, 0700) == 0 && program_start(&program, argv)) {
        while (read(program.output, bytes, sizeof bytes) > 0)
            ; /* a line for each PPD */
        close(program.output);
        program_end(&program);
    }
    snprintf(path, sizeof path, "%s/%s", getenv(CACHE), name);
    char *ppd = access(path, R_OK) == 0 ? source_read(path, size, why) : NULL;
    if (ppd != NULL && memmem(ppd, *size, "\n*% End of ", 11) != NULL)
        return ppd;
    free(ppd); /* ppdc does not say that a disk is full */
    return NULL;
}

/* Writes what the name of a PPD has more when it is converted. */
static enum child_end judge(void *name, FILE *out)
{
    static const char word[] = "\n*NickName:";
    char why[CONVERT_WHY];
    size_t size, converted_size;
    char *bytes = read_compiled(name, &size);

    if (bytes == NULL)
        bytes = source_read_listed(name, &size, why);
    char *converted = bytes == NULL ? NULL
                                    : ppd_convert(bytes, size, DOTS_BY_KIND,
                                                  &converted_size, why);
    if (converted == NULL)
        return errno == 0 ? CHILD_REFUSED : CHILD_LACKS;
    const char *line = memmem(converted, converted_size, word, strlen(word));
    if (line == NULL)
        return CHILD_REFUSED;
    size_t length = strcspn(++line, "\n");
    const char *end = memrchr(line, '"', length);
    const char *comma = memrchr(line, ',', length);
    if (comma == NULL || end == NULL || comma > end)
        return CHILD_REFUSED;
    fwrite(comma, 1, (size_t)(end - comma), out);
    return CHILD_DONE;
}

/* Judges without the drops, which a filter would have to be asked for. */
static enum child_end judge_gutenprint(void *name, FILE *out)
{
    char why[CONVERT_WHY];
    size_t size;
    char *bytes = source_read_listed(name, &size, why);

    if (bytes == NULL || !ppd_is_gutenprint(bytes, size, why))
        return errno == 0 ? CHILD_REFUSED : CHILD_LACKS;
    fputs(", " CONVERT_GUTENPRINT " dots", out);
    return CHILD_DONE;
}

/* ---- A scheme ------------------------------------------------------------ */

/* A list on its way, and who watches. */
struct new_list {
    FILE *out;
    list_watch *watch;
    void *context;
};

/* Writes the line with what the model's name has more. */
static void write_line(FILE *out, const char *line, const char *suffix)
{
    const char *mark = strchr(line, MODELS_MARK);

    fprintf(out, "%.*s%s%s\n", (int)(mark - line), line, suffix, mark + 1);
}

/* Writes the model's line if it can be converted. */
static enum child_end try_model(FILE *out, char *line, child_work_fn *work)
{
    char *name = line + strlen("\"" MODELS_SCHEME), *suffix;
    char *quote = strchr(name, '"');

    if (strchr(line, MODELS_MARK) == NULL || quote == NULL)
        return CHILD_REFUSED;
    *quote = '\0';
    enum child_end end = child_run(work, name, &suffix);
    *quote = '"';
    if (end == CHILD_DONE)
        write_line(out, line, suffix);
    free(suffix);
    return end;
}

/* A driver, as its models name it, and how many of them were refused. */
struct sampled_driver {
    char name[32];
    int refused; /* INT_MIN = one was converted */
};

/* Whether a scheme, or what begins with one, is Gutenprint's. */
static bool is_gutenprint(const char *scheme)
{
    return strncmp(scheme, "gutenprint.", strlen("gutenprint.")) == 0;
}

/* Finds or adds the driver of a line's model, or the maker for Gutenprint, in
 * whose names it comes first; "none" if it is not named. */
static struct sampled_driver *driver_of(struct sampled_driver *driver,
                                        const char *line)
{
    const char *word = strstr(line, " Foomatic/");
    char name[32] = "none";

    if (word != NULL)
        sscanf(word, " Foomatic/%31[^ \1]", name);
    else if (is_gutenprint(line + strlen("\"" MODELS_SCHEME)))
        sscanf(line, "%*[^/]//%31[^-_/]", name);
    while (driver->name[0] != '\0' && strcmp(driver->name, name) != 0)
        driver++;
    strcpy(driver->name, name);
    return driver;
}

/* Warns about what has not been listed. False if an update cannot go on. */
static bool goes_on(const struct new_list *list, enum child_end end,
                    const char *scheme)
{
    if (end == CHILD_LATE || end == CHILD_LACKS)
        list->watch(list->context, scheme, 0, 0);
    if (end == CHILD_LATE)
        warnx("%s: does not answer: PPDs are left out", scheme);
    else if (end == CHILD_LACKS)
        warnx("%s: memory, files, processes or CUPS's programs are lacking",
              scheme);
    return end != CHILD_LACKS && end != CHILD_STOPPED;
}

/* Lists a model of Gutenprint's, without a try, if another of its maker has
 * been converted. Leaves out all PPDs but the expert's. False if it is to be
 * tried. */
static bool list_known(FILE *out, const struct sampled_driver *maker,
                       const char *line)
{
    const bool expert = strstr(line, "/expert\"") != NULL;

    if (expert && maker->refused < 0)
        write_line(out, line, ", " CONVERT_GUTENPRINT " dots");
    return !expert || maker->refused < 0;
}

/* Tries the models. A driver program takes some 0.1 s for each: if the first
 * samples of a driver, from all over the list, are refused, no others are
 * tried. drivers: [count + 1], zeros. */
static bool try_models(const struct new_list *list, const char *scheme,
                       char **lines, size_t count,
                       struct sampled_driver *drivers)
{
    const bool all = strcmp(scheme, "drv") == 0 || strcmp(scheme, "file") == 0;
    const bool gutenprint = is_gutenprint(scheme);
    const int most = gutenprint ? GUTENPRINT_SAMPLES : SAMPLES;
    const size_t step = count / SAMPLES + 1;
    int late = 0;

    for (size_t i = 0; i < step * SAMPLES && late < LATE; i++) {
        list->watch(list->context, scheme, i, step * SAMPLES);
        size_t at = i % SAMPLES * step + i / SAMPLES;
        if (at >= count)
            continue;
        struct sampled_driver *driver = driver_of(drivers, lines[at]);
        if ((!all && driver->refused >= most) ||
            (gutenprint && list_known(list->out, driver, lines[at])))
            continue;
        enum child_end end = try_model(list->out, lines[at],
                                       gutenprint ? judge_gutenprint : judge);
        if (!goes_on(list, end, scheme))
            return false;
        if (end == CHILD_DONE)
            driver->refused = INT_MIN;
        driver->refused++;
        late += end == CHILD_LATE;
    }
    return true;
}

/* Tries all models of a scheme. */
static bool try_scheme(const struct new_list *list, char *scheme)
{
    char *text;
    size_t count = 0, room = 1;
    enum child_end end = child_run(models_list, scheme, &text);

    for (const char *c = text; end == CHILD_DONE && *c != '\0'; c++)
        room += *c == '\n';
    char **lines = calloc(room, sizeof *lines);
    struct sampled_driver *drivers = calloc(room, sizeof *drivers);
    if (lines == NULL || drivers == NULL)
        end = CHILD_LACKS;
    for (char *line = end == CHILD_DONE ? strtok(text, "\n") : NULL;
         line != NULL; line = strtok(NULL, "\n"))
        lines[count++] = line;
    bool ok = goes_on(list, end, scheme) &&
              try_models(list, scheme, lines, count, drivers);
    free(lines);
    free(drivers);
    free(text);
    return ok;
}

/* ---- All schemes --------------------------------------------------------- */

static enum child_end make_folder(void *context, FILE *out)
{
    const char *temporary = getenv("TMPDIR");
    char path[PATH_MAX];

    (void)context;
    if (temporary == NULL || access(temporary, W_OK) < 0)
        temporary = "/tmp";
    snprintf(path, sizeof path, "%s/halftone-ppd-XXXXXX", temporary);
    return mkdtemp(path) != NULL && fputs(path, out) >= 0 ? CHILD_DONE
                                                          : CHILD_LACKS;
}

static enum child_end remove_folder(void *context, FILE *out)
{
    (void)out;
    execlp("rm", "rm", "-rf", "--", (char *)context, (char *)NULL);
    return CHILD_LACKS;
}

static bool try_programs(const struct new_list *list)
{
    char pattern[CHOICE_MAX_PATH];
    glob_t programs;

    snprintf(pattern, sizeof pattern, "%s/driver/*",
             choice_program_directory());
    int failed = glob(pattern, 0, NULL, &programs);
    bool ok = failed == 0 || failed == GLOB_NOMATCH;
    for (size_t i = 0; failed == 0 && ok && i < programs.gl_pathc; i++) {
        char *name = strrchr(programs.gl_pathv[i], '/') + 1;
        ok = !models_is_other(name) || try_scheme(list, name);
    }
    globfree(&programs);
    return ok;
}

/* Lists the files first: in its first list after a .drv file has changed,
 * cups-driverd leaves some models of .drv files out. */
static bool write_list(const struct new_list *list)
{
    char files[] = "file", drv[] = "drv", *folder, *rest;

    if (!child_prepare() ||
        child_run(make_folder, NULL, &folder) != CHILD_DONE) {
        warnx("no folder for temporary files, or no user lp");
        return false;
    }
    bool ok = setenv(CACHE, folder, 1) == 0 && try_scheme(list, files) &&
              try_scheme(list, drv) && try_programs(list);
    child_run(remove_folder, folder, &rest);
    free(rest);
    free(folder);
    return ok;
}

/* ---- The file ------------------------------------------------------------ */

/* Makes the folder of `path` with those above, and takes its lock, which lasts
 * until the file is closed. -1 with errno. */
static int lock_folder(const char *path)
{
    char folder[PATH_MAX] = ".";

    for (int i = 1; path[i] != '\0' && i < PATH_MAX; i++)
        if (path[i] == '/') {
            snprintf(folder, sizeof folder, "%.*s", i, path);
            mkdir(folder, 0755);
        }
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (file >= 0 && flock(file, LOCK_EX) < 0 && errno == EINTR)
        ;
    return file;
}

/* Writes a list beside the one that there is, then in its place. */
bool list_update(list_watch *watch, void *context)
{
    const char *path = list_path();
    char next[PATH_MAX];
    int folder = lock_folder(path);

    snprintf(next, sizeof next, "%s.new", path);
    FILE *out = folder < 0 ? NULL : fopen(next, "we");
    if (out == NULL) {
        warn("%s", next);
        return false;
    }
    const struct new_list list = {out, watch, context};
    bool listed = write_list(&list);
    watch(context, path, 0, 0);
    bool ok = listed && fchmod(fileno(out), 0644) == 0 && fflush(out) == 0 &&
              !ferror(out) && fsync(fileno(out)) == 0 &&
              rename(next, path) == 0 && fsync(folder) == 0;
    if (listed && !ok)
        warn("%s", path);
    if (!ok)
        unlink(next);
    fclose(out);
    close(folder);
    return ok;
}
