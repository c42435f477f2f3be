/*
 * halftone.c - the program by which CUPS lists the PPDs of other drivers with
 * our dots, and makes them: doc/user/queues.md. Who lists them does not wait
 * until it is known which can be converted: another process finds out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* dup3(), closefrom() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "ppd/driver/cache.h"
#include "ppd/driver/crew.h"
#include "ppd/driver/list.h"
#include "ppd/driver/models.h"
#include "ppd/driver/sources.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/source.h"

#define MOST 600                 /* s, for a PPD */
#define KEPT (STDERR_FILENO + 1) /* the number of the lock */

/* A line for the log of CUPS. Always false. */
static bool complain(const char *what, const char *why)
{
    char line[CONVERT_WHY + 600];

    snprintf(line, sizeof line, "%s: %s", what, why);
    for (char *c = line; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    fprintf(stderr, "ERROR: halftone: %s\n", line);
    return false;
}

/* ---- Listing ------------------------------------------------------------- */

/* Judges in a process that holds no file of ours but the lock, and works when
 * nobody else does. It is of our session, in which alone its priority counts
 * where Linux groups processes by session. */
static void judge_behind(int lock)
{
    fflush(NULL);
    if (fork() != 0)
        return;
    setpgid(0, 0);
    setpriority(PRIO_PROCESS, 0, 19);
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (null >= 0)
            dup2(null, file);
    bool ok = lock == KEPT || dup3(lock, KEPT, O_CLOEXEC) == KEPT;
    closefrom(KEPT + 1);
    _exit(ok && null >= 0 && chdir("/") == 0 && list_judge() ? 0 : 1);
}

/* Prints what is known of the sources that there are. */
static bool print(const struct sources *sources)
{
    bool ok = true;

    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        ok = ok && (source->size == 0 || fwrite(source->lines, 1, source->size,
                                                stdout) == source->size);
    }
    return ok;
}

/* Started by cups-driverd that we have started, it has nothing to say. */
static bool list(void)
{
    struct sources sources;

    if (getenv(DRIVER_GUARD) != NULL)
        return true;
    bool ok = sources_find(&sources) && cache_read(&sources);
    if (!ok)
        complain("list", strerror(errno));
    ok = ok && print(&sources);
    if (ok && !list_is_judged(&sources)) {
        int lock = cache_lock(false);
        if (lock >= 0)
            judge_behind(lock);
        else if (errno != EWOULDBLOCK)
            fprintf(stderr, "WARNING: halftone: cannot keep a list: %s\n",
                    strerror(errno));
    }
    sources_free(&sources);
    return ok;
}

/* Judges what has changed, behind whoever does. */
static bool judge(void)
{
    return cache_lock(true) >= 0 ? list_judge()
                                 : complain("judge", strerror(errno));
}

/* ---- A PPD --------------------------------------------------------------- */

/* Writes the PPD of `context`, a name, with our dots. */
static bool convert(void *context, size_t worker, int output)
{
    const char *name = context;
    size_t size, converted_size;
    char why[CONVERT_WHY];
    char *bytes = source_read_listed(name + strlen(DRIVER_SCHEME), &size, why);
    char *converted = bytes == NULL ? NULL
                                    : ppd_convert(bytes, size, DOTS_BY_KIND,
                                                  &converted_size, why);

    (void)worker;
    if (converted == NULL)
        return complain(name, why);
    for (size_t at = 0; at < converted_size;) {
        ssize_t count = write(output, converted + at, converted_size - at);
        if (count < 0)
            return complain(name, strerror(errno));
        at += (size_t)count;
    }
    return true;
}

static bool cat(char *name)
{
    struct crew crew;
    size_t size;
    char *text = NULL;

    if (strncmp(name, DRIVER_SCHEME, strlen(DRIVER_SCHEME)) != 0 ||
        !source_is_other(name + strlen(DRIVER_SCHEME)))
        return complain(name, "not the name of a PPD that can have our dots");
    if (!crew_open(&crew, MOST))
        return complain(name, strerror(errno));
    enum crew_end end = crew_run_one(&crew, convert, name, &text, &size);
    if (crew.canceled)
        ; /* who has ended us wants no line */
    else if (end == CREW_LATE)
        complain(name, "its driver does not answer");
    else if (end == CREW_CRASHED)
        complain(name, "the conversion has crashed");
    else if (end == CREW_KILLED)
        complain(name, "no memory, or no more processes");
    bool ok = end == CREW_DONE && fwrite(text, 1, size, stdout) == size;
    free(text);
    crew_close(&crew);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok;

    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        ok = list();
    } else if (argc == 2 && strcmp(argv[1], "judge") == 0) {
        ok = judge();
    } else if (argc == 3 && strcmp(argv[1], "cat") == 0) {
        ok = cat(argv[2]);
    } else {
        fputs("Usage: halftone list\n       halftone cat halftone:PPD\n"
              "       halftone judge\n",
              stderr);
        return 2;
    }
    return fflush(stdout) == 0 && ok ? 0 : 1;
}
