/*
 * fixes.h - the application's part in pappl-fixes/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SERVICE_FIXES_H
#define PRINTER_APP_SERVICE_FIXES_H

/* Call it first in main(). Ends the process where PAPPL cannot be mended. */
void fixes_start(void);

#endif
