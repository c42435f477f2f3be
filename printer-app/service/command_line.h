/*
 * command_line.h - options that a subcommand has not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_COMMAND_LINE_H
#define PRINTER_APP_COMMAND_LINE_H

#include <stdbool.h>

/* Whether the subcommand has all options that are given to it; false after a
 * line on standard error. What no subcommand has is left to PAPPL. */
bool command_line_check(int argc, char *argv[]);

#endif
