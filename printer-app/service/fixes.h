/*
 * fixes.h - the application's part in pappl-fixes/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SERVICE_FIXES_H
#define PRINTER_APP_SERVICE_FIXES_H

/* Call it first in main(). Ends the process where PAPPL cannot be mended. */
void fixes_start(void);

/* Runs the command "self-test", which tests whether the application prints with
 * the PAPPL that is installed, and prints one line. Returns its exit status. */
int self_test(void);

#endif
