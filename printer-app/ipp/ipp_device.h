/*
 * ipp_device.h - printers that take PWG raster of one bit by IPP, as devices of
 * PAPPL, "ipp://HOST[:PORT][/PATH]" and "ipps://...".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_IPP_DEVICE_H
#define PRINTER_APP_IPP_IPP_DEVICE_H

#include <stdbool.h>
#include <pappl/pappl.h>

/*
 * Adds the schemes "ipp" and "ipps" to PAPPL's. A job's pages, PWG raster of
 * black dots, are kept in a file; CUPS's backend "ipp" sends them when the job
 * ends. Open refuses with one line a printer that does not answer, or does not
 * take such pages.
 */
void ipp_device_add(void);

/* Begins a job of `device`, opened at `uri`. Nothing happens if the device is
 * of another scheme. */
void ipp_device_begin_job(pappl_device_t *device, const char *uri,
                          pappl_job_t *job);

/*
 * Sends the job that was written to `device`, opened at `uri`, and waits until
 * the printer has all of it; it is sent again if the printer vanishes, and
 * canceled there if PAPPL's job is. A job that has `failed` is not sent. False
 * after an ERROR line, or if the job is canceled or the server ends. True if
 * the device is of another scheme.
 */
bool ipp_device_end_job(pappl_device_t *device, const char *uri, bool failed);

#endif
