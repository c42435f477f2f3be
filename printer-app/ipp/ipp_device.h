/*
 * ipp_device.h - IPP as a client: printers that take PWG raster of one bit, as
 * devices of PAPPL, "ipp://HOST[:PORT][/PATH]" and "ipps://...".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_DEVICE_H
#define PRINTER_APP_IPP_DEVICE_H

#include <stdbool.h>
#include <pappl/pappl.h>

/*
 * Adds the schemes "ipp" and "ipps" to PAPPL's. What is written to such a
 * device is PWG raster of black dots; each raster, "RaS2" and its pages,
 * becomes a job at the printer, and is ended when the next one begins or the
 * device is closed. A raster that ends in the middle of a page is a job that
 * was canceled, and is canceled at the printer; so is one when the work of the
 * thread that writes or closes is canceled (page/owner.h). Open, and the first
 * write, refuse with one line what the printer does not take; after an error
 * all writes fail, up to ipp_device_end_job() or the end of the device.
 */
void ipp_device_add(void);

/* Whether the device at `uri` is of these schemes. */
bool ipp_device_has(const char *uri);

/*
 * Names the next job of `device`, opened at `uri`: PAPPL names only that for
 * which it opens the device. Nothing happens if it is of another scheme.
 */
void ipp_device_name_job(pappl_device_t *device, const char *uri,
                         const char *name);

/*
 * Ends the job that was written to `device`, opened at `uri`, or cancels it at
 * the printer, and makes the device ready for the next one. False if it was
 * canceled, or the printer has not taken all of it, of which papplDeviceError()
 * has been told. True if the device is of another scheme. Without this call the
 * printer's answer to a job comes when the next one begins or the device is
 * closed: too late for the job's state.
 */
bool ipp_device_end_job(pappl_device_t *device, const char *uri,
                        bool is_canceled);

#endif
