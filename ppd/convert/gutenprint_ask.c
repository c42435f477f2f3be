/*
 * gutenprint_ask.c - a child with the page on standard input, whose messages
 * are read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), memfd_create() */

#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "page/choice.h"
#include "ppd/convert/gutenprint_ask.h"

#define SECONDS 5         /* real filters take 0.1 */
#define MOST (1 << 20)    /* bytes of messages; real ones are 100,000 */
#define ROWS 8            /* of the page: more is not read before it is ended */
#define WIDEST (1U << 20) /* bytes of a row */

extern char **environ;

int gutenprint_file(const char *bytes, size_t size)
{
    int file = memfd_create("gutenprint", MFD_CLOEXEC);

    if (file < 0 || write(file, bytes, size) == (ssize_t)size)
        return file;
    close(file);
    return -1;
}

/* Returns a file with the page's first rows, or -1. */
static int blank_page(cups_page_header2_t *header)
{
    int file = gutenprint_file("", 0);
    unsigned char *row = calloc(1, WIDEST);
    cups_raster_t *raster = file < 0 || row == NULL
                                ? NULL
                                : cupsRasterOpen(file, CUPS_RASTER_WRITE);
    bool ok = raster != NULL && header->cupsBytesPerLine <= WIDEST &&
              cupsRasterWriteHeader2(raster, header) != 0;

    for (int i = 0; ok && i < ROWS; i++)
        ok = cupsRasterWritePixels(raster, row, header->cupsBytesPerLine) > 0;
    cupsRasterClose(raster);
    free(row);
    if (file < 0 || (ok && lseek(file, 0, SEEK_SET) == 0))
        return file;
    close(file);
    return -1;
}

/* Starts the filter by env(1), which the variables are for. Returns the end of
 * its messages, or -1. */
static int start(pid_t *process, const char *filter, int ppd, int page,
                 const char *options)
{
    char path[CHOICE_MAX_PATH];
    const char *const argv[] = {
        "env", "PPD=/dev/fd/3", "STP_DEBUG=4", "LC_ALL=C", path, "1",
        "lp",  "blank",         "1",           options,    NULL};
    posix_spawn_file_actions_t files;
    int ends[2];

    snprintf(path, sizeof path, "%s/filter/%s", choice_program_directory(),
             filter);
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, page, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, ppd, 3);
    int error = posix_spawnp(process, argv[0], &files, NULL,
                             (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    if (error == 0)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Gives whole lines to the trace; returns how many bytes are left of the last.
 */
static size_t take_lines(struct gutenprint_trace *trace, char *text,
                         size_t size)
{
    char *line = text, *end;

    while ((end = memchr(line, '\n', size)) != NULL) {
        *end = '\0';
        if (!trace->whole)
            trace_line(trace, line);
        size -= (size_t)(end + 1 - line);
        line = end + 1;
    }
    memmove(text, line, size);
    return size;
}

/* Reads messages until the trace is whole. Loses what is too long for a line.
 */
static void listen_to(struct gutenprint_trace *trace, int messages)
{
    struct pollfd file = {.fd = messages, .events = POLLIN};
    struct timespec now;
    char text[4096];
    size_t used = 0, all = 0;
    ssize_t count = 1;

    clock_gettime(CLOCK_MONOTONIC, &now);
    const time_t end = now.tv_sec + SECONDS;
    while (count > 0 && all < MOST && !trace->whole && now.tv_sec < end &&
           poll(&file, 1, SECONDS * 1000) > 0) {
        count = read(messages, text + used, sizeof text - used);
        all += count > 0 ? (size_t)count : 0;
        used = take_lines(trace, text, used + (count > 0 ? (size_t)count : 0));
        used = used == sizeof text ? 0 : used;
        clock_gettime(CLOCK_MONOTONIC, &now);
    }
}

bool gutenprint_ask(struct gutenprint_trace *trace, const char *filter, int ppd,
                    cups_page_header2_t *header, const char *options)
{
    int page = blank_page(header);
    pid_t process = 0;
    int messages = page < 0 ? -1 : start(&process, filter, ppd, page, options);

    *trace = (struct gutenprint_trace){.ink = NULL};
    if (page >= 0)
        close(page);
    if (messages < 0)
        return false;
    listen_to(trace, messages);
    close(messages);
    kill(process, SIGKILL);
    waitpid(process, NULL, 0);
    return trace->whole;
}
