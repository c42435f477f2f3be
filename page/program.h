/*
 * program.h - another program that has a part in the work, such as a packer of
 * dots: its standard input and output are given, and its messages are those of
 * the work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PROGRAM_H
#define PAGE_PROGRAM_H

#include <pthread.h>
#include <stdio.h>
#include <sys/types.h>

/* The first open file that a program does not inherit: behind standard error
 * or, in a chain of CUPS, behind the back and side channels. */
#define PROGRAM_CLOSED 3
#define PROGRAM_CLOSED_FILTER 5

#define PROGRAM_FILES 5 /* standard ones, back and side channel */

/*
 * Spawns the program at `path` with the signals of one that CUPS starts, with
 * `files` but those that are -1, and with our open files below `closed`; with a
 * `folder`, which may be NULL, in that, and in a process group of its own.
 * Returns an errno, or 0; then the caller waits for its end.
 */
int program_spawn(pid_t *process, const char *path, char *const argv[],
                  char *const environment[], const int files[PROGRAM_FILES],
                  int closed, const char *folder);

struct program {
    pid_t process;
    FILE *messages; /* what it says on standard error */
    pthread_t thread;
};

/*
 * Starts the program at `path` with `argv` and `environment`, both NULL-ended,
 * and the signals of a program that CUPS starts. It reads `input` and writes to
 * `output`, which stay the caller's. Open files from number `closed` on are not
 * inherited: PROGRAM_CLOSED, or PROGRAM_CLOSED_FILTER in a chain of CUPS. A
 * `channel` of 0 or more becomes files 3 and 4, where CUPS's backends look for
 * the back and side channels; -1: they are as `closed` says. The program's
 * messages are handed on (message_hand_on()), but for the errors of canceled
 * work: its input may have no pages.
 *
 * Returns an errno, or 0; then call program_end().
 */
int program_start(struct program *program, const char *path, char *const argv[],
                  char *const environment[], int input, int output, int closed,
                  int channel);

/* Waits until the program has ended, with what waitpid() calls `*status`, and
 * its messages have been handed on. Returns an errno, or 0. */
int program_end(struct program *program, int *status);

#endif
