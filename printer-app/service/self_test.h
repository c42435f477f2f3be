/*
 * self_test.h - tests whether the application prints with the PAPPL that is
 * installed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SELF_TEST_H
#define PRINTER_APP_SELF_TEST_H

/* Set for the server that is tested. */
#define SELF_TEST_VARIABLE "HALFTONE_APP_IS_TESTED"

/* The command "self-test": prints on a server of its own, in a folder of its
 * own that goes again, at a socket in there. Prints one line, and returns 0 if
 * each job came out whole, once and in order. */
int self_test(void);

#endif
