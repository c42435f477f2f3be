/*
 * command.h - command lines of all tools: options, whole numbers, complaints,
 * and the exit status.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#define EXIT_USAGE 2 /* the command line is wrong */

/* The end of a tool's list of options. */
#define COMMAND_OPTIONS                                                        \
    {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'},     \
        {NULL, 0, NULL, 0},

/*
 * Returns the next of `options`, as getopt_long() does: a value is in optarg,
 * and after -1 the words that are no options are argv[optind] and on. Ends the
 * program for --help, which prints `usage`, for --version, and for an unknown
 * option.
 */
int command_option(int argc, char **argv, const struct option *options,
                   const char *usage);

/* command_option() for a tool that has `letters` of getopt(), too. */
int command_letter(int argc, char **argv, const char *letters,
                   const struct option *options, const char *usage);

/* Prints `usage` on standard error; ends the program with EXIT_USAGE. */
_Noreturn void command_misuse(const char *usage);

/* Writes a line on standard error: the file or option, and what went wrong.
 * Returns false. */
bool command_complain(const char *name, const char *text);

/* Reads all of `text` as a whole number in decimal, low..high. False after a
 * complaint about `option`, and `*out` is as it was. */
bool command_number(const char *option, const char *text, uint32_t low,
                    uint32_t high, uint32_t *out);

/* Returns the exit status of a tool: EXIT_SUCCESS if `ok` and if all output has
 * reached standard output; complains if not. */
int command_status(bool ok);

#endif
