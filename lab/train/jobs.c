/*
 * jobs.c - does numbered jobs in several processes at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lab/train/jobs.h"

void jobs_progress(const char *what, int done, int all)
{
    static const char *at_work;
    static time_t begun, last;
    static int first;
    time_t now = time(NULL);

    if (at_work != what) {
        at_work = what;
        begun = now;
        first = done;
    }
    if (now - last < 2 && done < all)
        return;
    last = now;
    double left =
        done > first ? difftime(now, begun) / (done - first) * (all - done) / 60
                     : 0;
    fprintf(stderr, "%s: %d/%d, %.1f min left\n", what, done, all, left);
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
            jobs_progress(what, ++done, count);
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
        jobs_progress(what, ++done, count);
    }
    return ok;
}
