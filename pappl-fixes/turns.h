/*
 * turns.h - a printer has one job at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_TURNS_H
#define PAPPL_FIXES_TURNS_H

#include <pappl/pappl.h>

/* Prints a job of raster as it comes from its client, if the printer has
 * nothing else to do and may do that; else false, and it has to wait in a file.
 */
bool turns_stream(pappl_job_t *job, pappl_client_t *client);

#endif
