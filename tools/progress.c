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

void progress_begin(struct progress *progress, const char *what)
{
    *progress = (struct progress){.what = what, .begun = now()};
    progress->next =
        isatty(STDERR_FILENO) ? progress->begun + PATIENCE : INFINITY;
}

void progress_show(struct progress *progress, uint64_t done, uint64_t all)
{
    if (progress->next == (double)INFINITY)
        return;
    const double time = now(), passed = time - progress->begun;

    if (time < progress->next || all == 0)
        return;
    fprintf(stderr, "\r%s: %" PRIu64 " %%", progress->what, done * 100 / all);
    if (done > 0)
        fprintf(stderr, ", %.0f s left",
                passed / (double)done * (double)(all - done));
    fputs("\033[K", stderr); /* the rest of a longer line before */
    fflush(stderr);
    progress->next = time + PAUSE;
    progress->written = true;
}

void progress_end(struct progress *progress)
{
    if (progress->written)
        fputs("\r\033[K", stderr);
    progress->written = false;
}
