/*
 * command_line.h - refuses options that a subcommand does not have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_COMMAND_LINE_H
#define PRINTER_APP_COMMAND_LINE_H

#include <stdbool.h>

/* Tells whether the subcommand has all options that are given to it; false
 * after a line on standard error. Unknown options are left to PAPPL. */
bool command_line_check(int argc, char *argv[]);

#endif
