/*
 * jobs.c - does numbered jobs in several processes at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/train/jobs.h"
#include "tools/progress.h"

/* Says on a terminal how much of all is done and how long the rest will take;
 * the time counts from the first call with this pointer. */
static void show_progress(const char *what, int done, int all)
{
    static struct progress_line line;

    if (line.what == NULL)
        progress_begin(&line, what);
    else if (line.what != what)
        progress_part(&line, what);
    progress_show(&line, (uint64_t)done, (uint64_t)all);
    if (done == all)
        progress_end(&line);
}

static bool reap(void)
{
    int status;

    return wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool jobs_run(int count, uint32_t at_once, const char *what,
              bool (*job)(int number, void *context), void *context)
{
    uint32_t running = 0;
    int done = 0;
    bool ok = true;

    if (at_once == 0)
        at_once = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (int number = 0; ok && number < count; number++) {
        if (running == at_once) {
            ok = reap();
            running--;
            show_progress(what, ++done, count);
        }
        pid_t child = ok ? fork() : -1;
        if (child == 0)
            _exit(job(number, context) ? 0 : 1);
        if (child > 0)
            running++;
        else
            ok = false;
    }
    for (; running > 0; running--) {
        ok = reap() && ok;
        show_progress(what, ++done, count);
    }
    return ok;
}
