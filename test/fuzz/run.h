/*
 * run.h - runs a program of ours in this process, for fuzzing: its main() has
 * another name here, and its standard streams are memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Standard input as a file's name, which opens anew from the beginning. */
#define RUN_INPUT "/proc/self/fd/0"

#define RUN_MOST (1u << 20) /* bytes that fit in the output; no more do */

enum run_input { RUN_FILE, RUN_PIPE };

/* Result of a program. */
struct run {
    int status;
    uint8_t *out; /* its standard output, [size] */
    size_t size;
    bool full;  /* there was no room for all of it */
    char *said; /* its standard error, with a NUL */
};

/* The main() of a target's program, which has this name there: -Dmain=... */
typedef int run_main(int argc, char *argv[]);
run_main program_main;

/*
 * Runs `program` with `size` bytes at `data` on standard input. argv[]
 * ends with NULL. What signals do is as before afterwards. A pipe holds at most
 * 64 KiB: more comes as a file. Free with run_free().
 */
void run_program(struct run *run, run_main *program, char *const argv[],
                 const uint8_t *data, size_t size, enum run_input way);
void run_free(struct run *run);

/* Returns how many lines of standard error begin with `prefix`. */
unsigned run_lines(const struct run *run, const char *prefix);

/* Says on the real standard error what does not hold, and aborts. */
_Noreturn void run_fail(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Fails unless each line said is one of a filter's, in UTF-8 without controls,
 * and there is one ERROR line if `failed`, none if not. */
void run_check_messages(const struct run *run, bool failed);

/* Fails unless both have the same status, output, and PAGE, WARNING and ERROR
 * lines: between these three the order may differ, as threads say them. */
void run_check_same(const struct run *a, const struct run *b, const char *what);

/* Opens a file in memory that has these bytes; close() it. */
int run_file(const uint8_t *data, size_t size);

/* "/proc/self/fd/FD", in memory that lasts until the next call. */
const char *run_path(int fd);

/* A folder for what programs write by name, in memory where /dev/shm is; it is
 * removed, with its files, when the process ends. */
const char *run_folder(void);

/* Writes a file there. */
void run_write(const char *name, const void *bytes, size_t size);

#endif
