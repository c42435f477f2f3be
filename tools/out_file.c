/*
 * out_file.c - a file that is written whole or not at all: under another name
 * first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/out_file.h"

static const char same_file[] = "the input; another file has to be the output";

/* ---- Signals ------------------------------------------------------------- */

/* Of the program, as signals are. */
static char *volatile unfinished[OUT_FILES];

static void remove_unfinished(int number)
{
    for (int i = 0; i < OUT_FILES; i++)
        if (unfinished[i] != NULL)
            unlink(unfinished[i]);
    signal(number, SIG_DFL);
    raise(number);
}

/* Takes the signals that would end the program. */
static void take_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGXFSZ};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction action;

        if (sigaction(numbers[i], NULL, &action) == 0 &&
            action.sa_handler == SIG_DFL)
            signal(numbers[i], remove_unfinished);
    }
}

/* Replaces a name of the list, one of which may be NULL. */
static void note(const char *before, char *after)
{
    for (int i = 0; i < OUT_FILES; i++)
        if (unfinished[i] == before) {
            unfinished[i] = after;
            return;
        }
}

/* ---- Open ---------------------------------------------------------------- */

static bool is_input(const struct stat *out, const char *in)
{
    struct stat info;

    return in != NULL && S_ISREG(out->st_mode) &&
           (strcmp(in, "-") == 0 ? fstat(STDIN_FILENO, &info)
                                 : stat(in, &info)) == 0 &&
           info.st_dev == out->st_dev && info.st_ino == out->st_ino;
}

/* Gives the file the mode and the owner of what it replaces, or the mode of
 * any new file. Only root can give files away. */
static bool dress(int fd, const struct stat *before)
{
    const mode_t mask = umask(0);

    umask(mask);
    if (before != NULL && fchown(fd, before->st_uid, before->st_gid) < 0)
        errno = 0;
    return fchmod(fd, before != NULL ? before->st_mode & 0777 : 0666 & ~mask) ==
           0;
}

/* Opens a file beside the target; `before` is what is there, or NULL. */
static bool open_fresh(struct out_file *out, const struct stat *before)
{
    const size_t size = strlen(out->target) + sizeof ".XXXXXX";

    out->fresh = malloc(size);
    if (out->fresh == NULL)
        return false;
    snprintf(out->fresh, size, "%s.XXXXXX", out->target);
    take_signals();
    const int fd = mkstemp(out->fresh);

    if (fd < 0) {
        free(out->fresh);
        out->fresh = NULL;
        return false;
    }
    note(NULL, out->fresh);
    if (!dress(fd, before) || (out->file = fdopen(fd, "wb")) == NULL) {
        close(fd);
        return false;
    }
    return true;
}

const char *out_file_open(struct out_file *out, const char *path,
                          const char *in)
{
    struct stat info;
    const char *why;

    *out = (struct out_file){.file = NULL};
    if (strcmp(path, "-") == 0) {
        out->file = stdout;
        return NULL;
    }
    const bool exists = stat(path, &info) == 0;

    if (!exists && (errno != ENOENT || lstat(path, &info) == 0))
        return strerror(errno); /* also of a link to nothing */
    if (exists && is_input(&info, in))
        return same_file;
    if (exists && !S_ISREG(info.st_mode)) {
        out->file = fopen(path, "wb");
        return out->file != NULL ? NULL : strerror(errno);
    }
    if (exists && access(path, W_OK) < 0)
        return strerror(errno);
    out->target = exists ? realpath(path, NULL) : strdup(path);
    if (out->target != NULL && open_fresh(out, exists ? &info : NULL))
        return NULL;
    why = strerror(errno);
    out_file_close(out, false);
    return why;
}

/* ---- Close --------------------------------------------------------------- */

const char *out_file_close(struct out_file *out, bool ok)
{
    const char *why = NULL;

    /* Closing may be the first call that reports a full disk. */
    if (out->file != NULL && (fflush(out->file) != 0 || ferror(out->file)) &&
        ok)
        why = strerror(errno);
    if (out->file != NULL && out->file != stdout && fclose(out->file) != 0 &&
        ok && why == NULL)
        why = strerror(errno);
    if (out->fresh != NULL) {
        if (ok && why == NULL && rename(out->fresh, out->target) < 0)
            why = strerror(errno);
        if (!ok || why != NULL)
            unlink(out->fresh);
        note(out->fresh, NULL);
    }
    free(out->fresh);
    free(out->target);
    *out = (struct out_file){.file = NULL};
    return why;
}

bool out_file_other(const char *path, const char *list)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    if (dot == NULL || dot == name)
        return false;
    for (; *list != '\0'; list += strlen(list) + 1)
        if (strcasecmp(dot + 1, list) == 0)
            return false;
    return true;
}
