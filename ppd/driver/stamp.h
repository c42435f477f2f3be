/*
 * stamp.h - tells whether a driver, a PPD or this program is another than when
 * its PPDs were judged.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_STAMP_H
#define DRIVER_STAMP_H

#include <stdbool.h>
#include <stddef.h>

#define STAMP_BYTES 65 /* of a SHA-256 in hexadecimal digits */

/* Hashes bytes. False where libcups cannot. */
bool stamp_bytes(const void *bytes, size_t size, char stamp[STAMP_BYTES]);

enum { STAMP_FOR_GOOD, STAMP_FOR_TODAY, STAMPS };

/* Hashes what it depends on which PPDs of a source can be converted: the name,
 * times and size of its files, of CUPS's program and of ours, and our version;
 * the other stamp is one of the date as well. `source` is the path of a driver
 * program or a .drv file, or "" for the folders of PPDs. False without
 * memory. */
bool stamp_source(const char *source, char stamps[STAMPS][STAMP_BYTES]);

#endif
