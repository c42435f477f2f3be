/*
 * sources.h - the quickest way to each of the PPDs that CUPS offers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_SOURCES_H
#define DRIVER_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "driver/models.h"
#include "ppd-convert/source.h"

/* Whether a driver program makes the PPD, which takes some 0.1 s, each. */
bool driver_sources_is_program(const char *name);

/* The file or folder that a PPD is made of: a .drv file, a driver program, or
 * "" for the folders of files. */
void driver_sources_of(const char *name, char *path, size_t size);

/* Compiles all .drv files that the models have to PPDs, by ppdc, in a folder of
 * its own, whose path goes to `folder`; "" where that cannot be. */
void driver_sources_compile(const struct driver_models *models, char *folder,
                            size_t size);

/* Reads what `cups-driverd cat NAME` prints: a PPD that was compiled, a file,
 * or its output. Returns bytes that the caller frees; NULL with the reason. */
char *driver_sources_read(const char *folder, const char *name, size_t *size,
                          char why[SOURCE_WHY]);

/* Removes the folder, with all that is in it. */
void driver_sources_remove(const char *folder);

#endif
