/*
 * fail_call.c - makes a call of a program fail: a library to be preloaded.
 *
 *   FAIL_CALL=KIND:N      the Nth call of the kind fails
 *   FAIL_CALL=KIND:N+     and so do all behind it
 *   FAIL_CALL=short       reads and writes take at most 7 bytes
 *   FAIL_CALL=clock       no two looks at a clock are less than an hour apart
 *   FAIL_CALL_IN=NAME     only in the program of that name
 *   FAIL_CALL_COUNTS=FILE gets a line "KIND CALLS" for each kind at the end
 *
 * Kinds are in `kinds` below. Counted are the program's own calls and those of
 * its libraries, from the end of their constructors on; of libc's inner ones
 * those for memory alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* defines some of these functions itself */

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHORT 7 /* bytes */

enum kind { MEMORY, READ, WRITE, OPEN, MAP, THREAD, PROCESS, FILES, WAIT };

/* Value of errno, or returned error, of each kind of call when it fails. */
static const struct {
    const char *name;
    int error;
} kinds[] = {[MEMORY] = {"memory", ENOMEM},   [READ] = {"read", EIO},
             [WRITE] = {"write", ENOSPC},     [OPEN] = {"open", EMFILE},
             [MAP] = {"map", ENOMEM},         [THREAD] = {"thread", EAGAIN},
             [PROCESS] = {"process", EAGAIN}, [FILES] = {"files", EMFILE},
             [WAIT] = {"wait", ENOMEM}};

#define KINDS (sizeof kinds / sizeof kinds[0])

static atomic_bool counting;
static atomic_ulong calls[KINDS], looks;
static enum kind failing = KINDS;
static unsigned long first, last;
static bool shorter, jumping;

/* ---- Choice of the call -------------------------------------------------- */

static void parse(const char *text)
{
    const char *colon = strchr(text, ':');
    char *end;

    shorter = strcmp(text, "short") == 0;
    jumping = strcmp(text, "clock") == 0;
    if (colon == NULL)
        return;
    for (unsigned i = 0; i < KINDS; i++)
        if (strlen(kinds[i].name) == (size_t)(colon - text) &&
            strncmp(kinds[i].name, text, (size_t)(colon - text)) == 0)
            failing = (enum kind)i;
    first = strtoul(colon + 1, &end, 10);
    last = *end == '+' ? ~0UL : first;
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_CALL"), *in = getenv("FAIL_CALL_IN");

    if (in != NULL && strcmp(in, program_invocation_short_name) != 0)
        return;
    if (text != NULL)
        parse(text);
    atomic_store(&counting, true);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_CALL_COUNTS");

    if (!atomic_exchange(&counting, false) || path == NULL)
        return;
    FILE *file = fopen(path, "w");
    for (unsigned i = 0; file != NULL && i < KINDS; i++)
        fprintf(file, "%s %lu\n", kinds[i].name, atomic_load(&calls[i]));
    if (file != NULL)
        fclose(file);
}

/* Counts a call; true with errno set if it is to fail. */
static bool fails(enum kind kind)
{
    if (!atomic_load(&counting))
        return false;

    unsigned long number = atomic_fetch_add(&calls[kind], 1) + 1;

    if (kind != failing || number < first || number > last)
        return false;
    errno = kinds[kind].error;
    return true;
}

/* ---- The calls ------------------------------------------------------------
 */

/* The function of that name behind ours. */
#define NEXT(name) ((__typeof__(&(name)))next(#name, &next_##name))
#define BEHIND(name) static _Atomic(void *) next_##name

static void *next(const char *name, _Atomic(void *) *kept)
{
    void *function = atomic_load(kept);

    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        atomic_store(kept, function);
    }
    return function;
}

/* FUNCTION(name, kind, failure, declared, given) - one that fails so. */
#define FUNCTION(type, name, kind, failure, declared, given)                   \
    BEHIND(name);                                                              \
    type name declared                                                         \
    {                                                                          \
        return fails(kind) ? failure : NEXT(name) given;                       \
    }

FUNCTION(void *, malloc, MEMORY, NULL, (size_t size), (size))
FUNCTION(void *, calloc, MEMORY, NULL, (size_t n, size_t size), (n, size))
FUNCTION(void *, realloc, MEMORY, NULL, (void *old, size_t size), (old, size))
FUNCTION(void *, memalign, MEMORY, NULL, (size_t to, size_t size), (to, size))
FUNCTION(void *, aligned_alloc, MEMORY, NULL, (size_t to, size_t size),
         (to, size))
FUNCTION(int, posix_memalign, MEMORY, ENOMEM,
         (void **out, size_t to, size_t size), (out, to, size))

FUNCTION(void *, mmap, MAP, MAP_FAILED,
         (void *at, size_t size, int may, int flags, int fd, off_t from),
         (at, size, may, flags, fd, from))
FUNCTION(int, pthread_create, THREAD, EAGAIN,
         (pthread_t * thread, const pthread_attr_t *as, void *(*begins)(void *),
          void *context),
         (thread, as, begins, context))
FUNCTION(int, posix_spawn, PROCESS, EAGAIN,
         (pid_t * process, const char *path,
          const posix_spawn_file_actions_t *files, const posix_spawnattr_t *as,
          char *const argv[], char *const environment[]),
         (process, path, files, as, argv, environment))
FUNCTION(pid_t, fork, PROCESS, -1, (void), ())
FUNCTION(pid_t, waitpid, PROCESS, -1, (pid_t which, int *status, int options),
         (which, status, options))
FUNCTION(int, pipe, FILES, -1, (int ends[2]), (ends))
FUNCTION(int, pipe2, FILES, -1, (int ends[2], int flags), (ends, flags))
FUNCTION(int, dup, FILES, -1, (int fd), (fd))
FUNCTION(int, memfd_create, FILES, -1, (const char *name, unsigned flags),
         (name, flags))
FUNCTION(int, dup2, FILES, -1, (int fd, int as), (fd, as))
FUNCTION(int, fstat, FILES, -1, (int fd, struct stat *file), (fd, file))
FUNCTION(off_t, lseek, FILES, -1, (int fd, off_t to, int from), (fd, to, from))
FUNCTION(FILE *, fdopen, FILES, NULL, (int fd, const char *mode), (fd, mode))
FUNCTION(FILE *, fopen, OPEN, NULL, (const char *path, const char *mode),
         (path, mode))
FUNCTION(FILE *, fopen64, OPEN, NULL, (const char *path, const char *mode),
         (path, mode))
FUNCTION(int, poll, WAIT, -1, (struct pollfd * fds, nfds_t n, int ms),
         (fds, n, ms))
FUNCTION(int, ppoll, WAIT, -1,
         (struct pollfd * fds, nfds_t n, const struct timespec *most,
          const sigset_t *blocked),
         (fds, n, most, blocked))

/* Opens by the functions whose mode is optional. */
#define OPENER(name)                                                           \
    BEHIND(name);                                                              \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        va_list rest;                                                          \
        mode_t mode;                                                           \
                                                                               \
        va_start(rest, flags);                                                 \
        mode =                                                                 \
            (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;   \
        va_end(rest);                                                          \
        return fails(OPEN) ? -1 : NEXT(name)(path, flags, mode);               \
    }

OPENER(open)
OPENER(open64)

/* Programs that were compiled with _FORTIFY_SOURCE call these. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
ssize_t __read_chk(int fd, void *data, size_t size, size_t room);
int __poll_chk(struct pollfd *fds, nfds_t n, int ms, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *most,
                const sigset_t *blocked, size_t room);

FUNCTION(int, __open_2, OPEN, -1, (const char *path, int flags), (path, flags))
FUNCTION(int, __open64_2, OPEN, -1, (const char *path, int flags),
         (path, flags))
FUNCTION(int, __poll_chk, WAIT, -1,
         (struct pollfd * fds, nfds_t n, int ms, size_t room),
         (fds, n, ms, room))
FUNCTION(int, __ppoll_chk, WAIT, -1,
         (struct pollfd * fds, nfds_t n, const struct timespec *most,
          const sigset_t *blocked, size_t room),
         (fds, n, most, blocked, room))

static size_t shortened(size_t size)
{
    return shorter && size > SHORT ? SHORT : size;
}

FUNCTION(ssize_t, read, READ, -1, (int fd, void *data, size_t size),
         (fd, data, shortened(size)))
FUNCTION(ssize_t, __read_chk, READ, -1,
         (int fd, void *data, size_t size, size_t room),
         (fd, data, shortened(size), room))
FUNCTION(ssize_t, write, WRITE, -1, (int fd, const void *data, size_t size),
         (fd, data, shortened(size)))

/* Goes forward and back by turns. */
static time_t jump(void)
{
    unsigned long look = atomic_fetch_add(&looks, 1);

    return jumping ? (time_t)(look % 2 == 0 ? 3600 : -3600) : 0;
}

BEHIND(clock_gettime);
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = NEXT(clock_gettime)(clock, now);

    now->tv_sec += jump();
    return result;
}

BEHIND(time);
time_t time(time_t *out)
{
    time_t now = NEXT(time)(NULL) + jump();

    if (out != NULL)
        *out = now;
    return now;
}
