/*
 * progress.c - says on a terminal how far a command is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tools/progress.h"

#define PATIENCE 2.0 /* seconds without a line */
#define PAUSE 0.2    /* seconds between two of them */

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void progress_begin(struct progress_line *line, const char *what)
{
    *line = (struct progress_line){
        .what = what, .begun = now(), .from = UINT64_MAX};
    line->next = isatty(STDERR_FILENO) ? line->begun + PATIENCE : INFINITY;
}

void progress_part(struct progress_line *line, const char *what)
{
    if (line == NULL)
        return;
    line->what = what;
    line->begun = now();
    line->from = UINT64_MAX;
}

void progress_show(struct progress_line *line, uint64_t done, uint64_t all)
{
    if (line == NULL || line->next == (double)INFINITY)
        return;
    if (line->from == UINT64_MAX)
        line->from = done;
    const double time = now(), passed = time - line->begun;

    if (time < line->next || all == 0)
        return;
    fprintf(stderr, "\r%s: %" PRIu64 " %%", line->what, done * 100 / all);
    if (done > line->from) {
        const double left =
            passed / (double)(done - line->from) * (double)(all - done);

        if (left < 100)
            fprintf(stderr, ", %.0f s left", left);
        else
            fprintf(stderr, ", %.0f min left", left / 60);
    }
    fputs("\033[K", stderr); /* the rest of a longer line before */
    fflush(stderr);
    line->next = time + PAUSE;
    line->written = true;
}

void progress_end(struct progress_line *line)
{
    if (line == NULL)
        return;
    if (line->written)
        fputs("\r\033[K", stderr);
    line->written = false;
}
