/*
 * limits.h - the options of the server that say what clients may take of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_LIMITS_H
#define PRINTER_APP_LIMITS_H

#include <stdbool.h>

#include <cups/cups.h>

/* Takes those that are given. False after a message on standard error. Call it
 * before there are clients. */
bool limits_take(int count, cups_option_t *options);

#endif
