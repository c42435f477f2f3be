/*
 * ppds.h - the quickest way to each of the PPDs that CUPS offers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_PPDS_H
#define DRIVER_PPDS_H

#include <stddef.h>

#include "ppd/driver/crew.h"
#include "ppd/convert/source.h"

#define PPDS_PATH 2048 /* bytes, of a file in a folder */

/* The path of the source (sources.h) that has a PPD of this name. */
void ppds_source(const char *name, char path[PPDS_PATH]);

/* Compiles a .drv file to PPDs, by ppdc, in a folder of its own, whose path
 * goes to `folder`; "" where that cannot be. Others have no folder. */
void ppds_compile(struct crew *crew, const char *drv, char folder[PPDS_PATH]);

/* Reads what `cups-driverd cat NAME` prints: a PPD that was compiled, a file,
 * or its output. Returns bytes that the caller frees; NULL with the reason, and
 * errno as source.h has it. */
char *ppds_read(const char *folder, const char *name, size_t *size,
                char why[SOURCE_WHY]);

/* Removes the folder, with all that is in it. */
void ppds_remove(const char *folder);

#endif
