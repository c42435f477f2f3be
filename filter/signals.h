/*
 * signals.h - SIGTERM cancels the job; a write that fails is no signal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_SIGNALS_H
#define FILTER_SIGNALS_H

#include <stdbool.h>

/*
 * Ignores SIGPIPE and SIGXFSZ, not SIGCHLD, and makes SIGTERM end the program
 * at once, with status 0: for as long as nothing has been written. Call it
 * first of all: what a job names, such as its PPD, may be slow to open and long
 * to read.
 */
void signals_catch(void);

/*
 * Makes SIGTERM cancel the job from now on: reads end, writes go on. Call it
 * once, before anything is written or a thread started. Only the calling thread
 * may wait for input: it alone takes SIGTERM, while it waits.
 */
void signals_keep(void);

/* Whether SIGTERM has come. Any thread may ask. */
bool canceled(void);

/* Whether a wait has taken SIGTERM. For reads, which come often: unlike
 * canceled() it makes no system call, and does not see a SIGTERM that no wait
 * has taken yet. */
bool signals_taken(void);

/* Waits until `fd` can be read, and takes SIGTERM meanwhile. False with errno
 * set; EINTR when a signal ended the wait. */
bool signals_wait(int fd);

#endif
