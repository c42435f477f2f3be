/*
 * reconnect.h - replaces connections to network printers that vanish. PAPPL 1.3
 * keeps a printer's connection while jobs wait, even a broken one: every job
 * would fail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RECONNECT_H
#define PRINTER_APP_RECONNECT_H

#include <stdbool.h>

#include <pappl/pappl.h>

/* Remembers that the connection of the job's printer, `device`, has broken, if
 * it is one to a network printer of PAPPL's own: those of USB are not opened
 * twice, and IPP connects for each job. */
void reconnect_note(pappl_job_t *job, pappl_device_t *device);

/* Tells whether reconnect_note() has been called for the device. */
bool reconnect_is_due(pappl_device_t *device);

/* Connects anew, and waits as long as the printer does not answer. Close with
 * papplDeviceClose(). NULL if the job is canceled meanwhile or the server ends.
 */
pappl_device_t *reconnect(pappl_job_t *job);

#endif
