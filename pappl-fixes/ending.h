/*
 * ending.h - what a server keeps until its process has ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_ENDING_H
#define PRINTER_APP_OVERRIDES_ENDING_H

#include <pappl/pappl.h>

/* Keeps the system, which is about to run, from being deleted. */
void ending_keep(pappl_system_t *system);

#endif
