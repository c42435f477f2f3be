/*
 * program.h - programs whose standard output is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_PROGRAM_H
#define PPD_CONVERT_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

struct other_program {
    pid_t process;
    int output; /* the caller closes it, then ends the program */
};

/* Starts argv[0], a path or a name to look for in PATH; NULL ends argv. It
 * reads nothing, and what it says on standard error is lost. False with
 * errno. */
bool program_start(struct other_program *program, const char *const argv[]);

/* Waits for the end. Whether the exit status was 0. */
bool program_end(const struct other_program *program);

#endif
