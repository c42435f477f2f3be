/*
 * own_file.h - a printer's own files in the application's folder: the tone
 * curve that halftone-curve=default takes (page/curve_file.h), and the profile
 * of halftone-profile=default (page/color/profile_file.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OWN_FILE_H
#define PRINTER_APP_OWN_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Endings of the files' names, behind the printer's name. */
#define OWN_CURVE ".curve"
#define OWN_PROFILE ".icc"

/* Whether the printer has such a file. */
bool own_file_has(const char *printer, const char *end);

/* Saves a file of `size` bytes for the printer, which a job reads wholly or not
 * at all. False with errno set. */
bool own_file_save(const char *printer, const char *end, const void *data,
                   size_t size);

/* Removes the printer's file, if there is one. False with errno set. */
bool own_file_remove(const char *printer, const char *end);

#endif
