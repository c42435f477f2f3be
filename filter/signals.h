/*
 * signals.h - makes SIGTERM cancel the job, and writes fail without a signal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_SIGNALS_H
#define FILTER_SIGNALS_H

#include "page/owner.h"

/*
 * Ignores SIGPIPE and SIGXFSZ, resets SIGCHLD, and makes SIGTERM end the
 * program at once, with status 0: for as long as nothing has been written. Call
 * it first of all: what a job names, such as its PPD, may be slow to open and
 * long to read.
 */
void signals_catch(void);

/*
 * Makes SIGTERM cancel the job from now on: reads end, writes go on. Call it
 * once, before anything is written or a thread started. Only the calling thread
 * may wait for input: it alone takes SIGTERM, while it waits.
 */
void signals_keep(void);

/* The owner of the filter's work: SIGTERM cancels it, and a wait that takes it
 * is told so; messages go to standard error. Static. */
struct owner *signals_owner(void);

#endif
