/*
 * halftone-printer-app.c - the printer application: IPP printers with our dots,
 * for printers that cannot speak IPP. PAPPL provides commands and server.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/halftone.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/service/command_line.h"
#include "printer-app/service/heap.h"
#include "printer-app/ipp/ipp_device.h"
#include "printer-app/service/fixes.h"

/* Footer of each web page. PAPPL 1.3 crashes without one. */
static const char footer[] = "rastertohalftone " PACKAGE_VERSION;

int main(int argc, char *argv[])
{
    int count;
    pappl_pr_driver_t *drivers;

    fixes_start();
    if (!command_line_check(argc, argv))
        return 1;
    drivers = app_drivers(&count);
    heap_prepare();
    if (drivers == NULL) {
        fputs(APP_NAME ": No memory.\n", stderr);
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error */
    /* The curve for documents is in the application's folder: it does without
     * CUPS. */
    setenv("CUPS_DATADIR", app_data_directory(), 0);
    if (argc > 1 && strcmp(argv[1], "self-test") == 0)
        return self_test();
    ipp_device_add();
    const int status =
        papplMainloop(argc, argv, PACKAGE_VERSION, footer, count, drivers,
                      app_driver_of_device, app_driver, "reprint",
                      papplfixes_reprint, app_system, NULL, NULL);

    ht_engine_release();
    return status;
}
