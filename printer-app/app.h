/*
 * app.h - the interface between the parts of the application.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_APP_H
#define PRINTER_APP_APP_H

#include <pappl/pappl.h>

#define APP_NAME "halftone-printer-app"

/* Returns the folder of the application's state, in whose rastertohalftone/ the
 * curves of its printers are: systemd's $STATE_DIRECTORY, or else where PAPPL
 * keeps its own. Static; the same for the life of the process. */
const char *app_state_directory(void);

/* Returns the folder that has the sample, the names for people and, in
 * rastertohalftone/, the curve for scanned documents. */
const char *app_data_directory(void);

/* Languages that have all words: callbacks of pappl-fixes.h. */
extern const char *const app_languages[];

/* Makes the system of the server: papplMainloop()'s callback. NULL after a
 * message on standard error. `data` is the log file where the options name
 * none; NULL: a temporary one. */
pappl_system_t *app_system(int count, cups_option_t *options, void *data);

/* Fills in what a printer of a family can do: PAPPL's driver callback. */
bool app_driver(pappl_system_t *system, const char *name, const char *uri,
                const char *device_id, pappl_pr_driver_data_t *data,
                ipp_t **attributes, void *context);

/* Returns the drivers whose printers can be served here, `*count` of them.
 * Static, and not to be changed; made by the first call, before there are other
 * threads. NULL = no memory. */
pappl_pr_driver_t *app_drivers(int *count);

/* Returns the driver for a device that was found; NULL = none, and the reason
 * goes to the client. */
const char *app_driver_of_device(const char *info, const char *uri,
                                 const char *device_id, void *data);

/* Prints a PDF: PAPPL's callback for documents of that type. */
bool app_print_pdf(pappl_job_t *job, pappl_device_t *device, void *data);

/* Prints a JPEG or PNG file, likewise. */
bool app_print_picture(pappl_job_t *job, pappl_device_t *device, void *data);

/* Raster jobs, PAPPL's callbacks. */
bool app_start_job(pappl_job_t *job, pappl_pr_options_t *options,
                   pappl_device_t *device);
bool app_start_page(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned page);
bool app_write_line(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned y,
                    const unsigned char *line);
bool app_end_page(pappl_job_t *job, pappl_pr_options_t *options,
                  pappl_device_t *device, unsigned page);
bool app_end_job(pappl_job_t *job, pappl_pr_options_t *options,
                 pappl_device_t *device);

/* Prints a file of PWG or Apple raster: PAPPL's callback for documents of these
 * types that have waited. */
bool app_print_raster(pappl_job_t *job, pappl_device_t *device, void *data);

/* Sends a file in the printer's own language. */
bool app_print_file(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device);

#endif
