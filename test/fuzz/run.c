/*
 * run.c - runs a program of ours in this process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "halftone/base/utf8.h"
#include "test/fuzz/run.h"

#define PIPE_BYTES 65536 /* that a pipe takes without a reader */

/* libcups loses some bytes of a PPD with mistakes, and when it marks options.
 * Weak: .ci/run links suppressions of its own. */
__attribute__((weak)) const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libcups.so\nleak:libgutenprint.so\n";
}

void run_fail(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vdprintf(STDERR_FILENO, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "\n");
    abort();
}

static void must(bool ok, const char *what)
{
    if (!ok)
        run_fail("fuzz: cannot %s", what);
}

int run_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size &&
             lseek(fd, 0, SEEK_SET) == 0,
         "make a file in memory");
    return fd;
}

const char *run_path(int fd)
{
    static char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* ---- The folder --------------------------------------------------------- */

static char folder[64];
static pid_t folder_owner;

static void remove_folder(void)
{
    DIR *all = getpid() == folder_owner ? opendir(folder) : NULL;
    struct dirent *file;

    while (all != NULL && (file = readdir(all)) != NULL)
        if (file->d_name[0] != '.')
            unlinkat(dirfd(all), file->d_name, 0);
    if (all != NULL)
        closedir(all);
    rmdir(folder);
}

const char *run_folder(void)
{
    if (folder_owner == getpid())
        return folder;
    snprintf(folder, sizeof folder, "%s/fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    must(mkdtemp(folder) != NULL, "make a folder");
    folder_owner = getpid();
    atexit(remove_folder);
    return folder;
}

void run_write(const char *name, const void *bytes, size_t size)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", run_folder(), name);
    FILE *file = fopen(path, "w");
    must(file != NULL && fwrite(bytes, 1, size, file) == size &&
             fclose(file) == 0,
         "write a file");
}

/* ---- Streams ------------------------------------------------------------ */

/* The program's output: of a fixed size, so that writes beyond it fail as on a
 * full disk. */
static int out_file = -1;
static uint8_t *out_bytes;

static void make_output(void)
{
    out_file = memfd_create("out", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    must(out_file >= 0 && ftruncate(out_file, RUN_MOST) == 0 &&
             fcntl(out_file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK) == 0,
         "make a file in memory");
    out_bytes = mmap(NULL, RUN_MOST, PROT_READ, MAP_SHARED, out_file, 0);
    must(out_bytes != MAP_FAILED, "map it");
}

static int make_input(const uint8_t *data, size_t size, enum run_input way)
{
    int ends[2];

    if (way == RUN_FILE || size > PIPE_BYTES)
        return run_file(data, size);
    must(pipe2(ends, O_CLOEXEC) == 0 &&
             write(ends[1], data, size) == (ssize_t)size,
         "fill a pipe");
    close(ends[1]);
    return ends[0];
}

/* State of the process before a program runs, which the program may change. */
struct before {
    int in, out;
    FILE *error;
    sigset_t blocked;
    struct sigaction term, pipe;
};

static void enter(struct before *before, int in, struct run *run)
{
    static size_t length; /* of what is said, which ends with a NUL as well */

    if (out_file < 0)
        make_output();
    lseek(out_file, 0, SEEK_SET);
    sigprocmask(SIG_SETMASK, NULL, &before->blocked);
    sigaction(SIGTERM, NULL, &before->term);
    sigaction(SIGPIPE, NULL, &before->pipe);
    before->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
    before->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    before->error = stderr;
    fflush(stdout);
    must(dup2(in, STDIN_FILENO) >= 0 && dup2(out_file, STDOUT_FILENO) >= 0,
         "change standard streams");
    stderr = open_memstream(&run->said, &length);
    must(stderr != NULL, "open a stream in memory");
}

static void put_back(int fd, int saved)
{
    if (saved >= 0) {
        dup2(saved, fd);
        close(saved);
    } else {
        close(fd);
    }
}

static void leave(const struct before *before)
{
    fclose(stderr);
    stderr = before->error;
    __fpurge(stdout);
    clearerr(stdout);
    __fpurge(stdin);
    clearerr(stdin);
    put_back(STDIN_FILENO, before->in);
    put_back(STDOUT_FILENO, before->out);
    sigaction(SIGTERM, &before->term, NULL);
    sigaction(SIGPIPE, &before->pipe, NULL);
    sigprocmask(SIG_SETMASK, &before->blocked, NULL);
}

void run_program(struct run *run, run_main *program, char *const argv[],
                 const uint8_t *data, size_t size, enum run_input way)
{
    struct before before;
    char *words[16] = {NULL};
    int count = 0, in = make_input(data, size, way);

    for (; argv[count] != NULL && count < 15; count++)
        words[count] = argv[count];
    *run = (struct run){.said = NULL};
    enter(&before, in, run);
    optind = 0; /* getopt() of glibc begins anew */
    run->status = program(count, words);
    run->full = fflush(stdout) != 0;
    leave(&before);
    close(in);
    run->size = (size_t)lseek(out_file, 0, SEEK_CUR);
    run->full = run->full || run->size == RUN_MOST;
    run->out = malloc(run->size + 1);
    must(run->out != NULL, "keep the output");
    memcpy(run->out, out_bytes, run->size);
}

void run_free(struct run *run)
{
    free(run->out);
    free(run->said);
}

/* ---- What was said ------------------------------------------------------ */

static bool begins(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

/* The line behind; NULL behind the last. */
static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');

    return end == NULL || end[1] == '\0' ? NULL : end + 1;
}

static const char *first_line(const char *said)
{
    return said[0] == '\0' ? NULL : said;
}

unsigned run_lines(const struct run *run, const char *prefix)
{
    unsigned count = 0;

    for (const char *l = first_line(run->said); l != NULL; l = next_line(l))
        count += begins(l, prefix);
    return count;
}

/* Fails unless this is UTF-8, and line feeds are its only controls. */
static void check_text(const char *text)
{
    size_t bytes;

    for (const char *at = text; *at != '\0'; at += bytes) {
        bytes = *at == '\n' ? 1 : utf8_character(at);
        if (bytes == 0)
            run_fail("no UTF-8 or a control, byte %td of: %s", at - text, text);
    }
}

void run_check_messages(const struct run *run, bool failed)
{
    static const char *const prefixes[] = {
        "DEBUG: ", "INFO: ", "WARNING: ", "ERROR: ", "PAGE: ", "ATTR: "};
    unsigned errors = run_lines(run, "ERROR: ");

    for (const char *l = first_line(run->said); l != NULL; l = next_line(l)) {
        size_t i = 0, count = sizeof prefixes / sizeof prefixes[0];

        while (i < count && !begins(l, prefixes[i]))
            i++;
        if (i == count)
            run_fail("a line that is none of a filter: %s", l);
    }
    check_text(run->said);
    if (errors != failed)
        run_fail("%s with %u ERROR lines: %s", failed ? "failed" : "went well",
                 errors, run->said);
}

/* Goes on to a line with that prefix. */
static const char *find_line(const char *line, const char *prefix)
{
    while (line != NULL && !begins(line, prefix))
        line = next_line(line);
    return line;
}

static void check_same_lines(const struct run *a, const struct run *b,
                             const char *prefix, const char *what)
{
    const char *x = find_line(first_line(a->said), prefix);
    const char *y = find_line(first_line(b->said), prefix);

    while (x != NULL && y != NULL && strcspn(x, "\n") == strcspn(y, "\n") &&
           memcmp(x, y, strcspn(x, "\n")) == 0) {
        x = find_line(next_line(x), prefix);
        y = find_line(next_line(y), prefix);
    }
    if (x != NULL || y != NULL)
        run_fail("%s: other messages: %s---\n%s", what, a->said, b->said);
}

void run_check_same(const struct run *a, const struct run *b, const char *what)
{
    if (a->status != b->status)
        run_fail("%s: status %d and %d: %s---\n%s", what, a->status, b->status,
                 a->said, b->said);
    if (a->size != b->size || memcmp(a->out, b->out, a->size) != 0)
        run_fail("%s: other output, %zu and %zu bytes: %s", what, a->size,
                 b->size, a->said);
    check_same_lines(a, b, "PAGE: ", what);
    check_same_lines(a, b, "WARNING: ", what);
    check_same_lines(a, b, "ERROR: ", what);
}
