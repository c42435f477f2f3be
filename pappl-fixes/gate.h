/*
 * gate.h - with which versions of PAPPL the server runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_GATE_H
#define PRINTER_APP_OVERRIDES_GATE_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Says which server is to be looked at when it starts, and whether it runs even
 * if it does not print well. */
void gate_open(pappl_system_t *system, bool runs_anyway);

#endif
