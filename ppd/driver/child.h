/*
 * child.h - works in a process of its own, which ends after some time with all
 * that it has started.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_DRIVER_CHILD_H
#define PPD_DRIVER_CHILD_H

#include <stdbool.h>
#include <stdio.h>

/* End of a child; the first three are returned by its work. */
enum child_end {
    CHILD_DONE,
    CHILD_REFUSED,
    CHILD_LACKS,   /* memory, files, processes or room; or it was killed */
    CHILD_CRASHED, /* by SIGSEGV, SIGABRT and the like */
    CHILD_LATE,    /* after 60 s, or HALFTONE_DRIVER_SECONDS */
    CHILD_STOPPED  /* by a signal to us */
};

/* Prepares children: SIGTERM, SIGINT and SIGHUP end them, and not this process,
 * and root's children run as lp, as programs that cupsd starts do. False if
 * there is no such user. */
bool child_prepare(void);

/* Runs in the child and writes to `out`. */
typedef enum child_end child_work_fn(void *context, FILE *out);

/* Runs `work` in a child, and waits for its
 * end. `*text` is what it has written if it is DONE, and may be NULL if not;
 * the caller frees it. */
enum child_end child_run(child_work_fn *work, void *context, char **text);

#endif
