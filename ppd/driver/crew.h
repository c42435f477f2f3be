/*
 * crew.h - processes that work side by side, within a time, and end with all
 * that they have started.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_CREW_H
#define DRIVER_CREW_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define CREW_MOST 16 /* processes; more are slower: disks, memory */

/* How one has ended. */
enum crew_end {
    CREW_DONE,
    CREW_FAILED,  /* with an exit status, after what it said */
    CREW_CRASHED, /* of what it was at: SIGSEGV, SIGABRT and their kin */
    CREW_KILLED,  /* by another signal, as where memory is short */
    CREW_LATE     /* wrote nothing for so long that we have killed it */
};

struct crew {
    int signals; /* a signalfd; readable when we are to end */
    int seconds; /* in which each process has to write something */
    sigset_t before;
    bool canceled; /* by a signal, or since the time for all is over */
};

/* Takes SIGTERM, SIGINT and SIGHUP for a wish to end, and `total` seconds from
 * now, too. False with errno. */
bool crew_open(struct crew *crew, unsigned total);
void crew_close(struct crew *crew);

/* In a process of its own, number `worker`: writes to `output`. What it returns
 * becomes the exit status. */
typedef bool crew_work_fn(void *context, size_t worker, int output);

/* Takes some of what a process wrote. What it writes at once, in pieces of one
 * size, a divisor of 4096 bytes, comes in whole pieces. */
typedef void crew_take_fn(void *context, size_t worker, const char *bytes,
                          size_t size);

/*
 * Runs `count` processes, at most CREW_MOST, until all have ended; the first
 * that ends as KILLED, FAILED or LATE ends the others. With each goes what it
 * has started. ends: [count], out. False, with errno, if a process could not be
 * started or waited for, and when we are to end, `canceled`; `ends` is set in
 * any case.
 */
bool crew_run(struct crew *crew, size_t count, crew_work_fn *work,
              crew_take_fn *take, void *context, enum crew_end *ends);

/* Runs one process. `text` gets all that it has written, which the caller
 * frees; NULL unless it is DONE. */
enum crew_end crew_run_one(struct crew *crew, crew_work_fn *work, void *context,
                           char **text, size_t *size);

#endif
