/*
 * pcl.h - functions that the readers of HP's languages share: escape sequences
 * and packed rows. HP, "PCL 5 Printer Language Technical Reference Manual".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_PCL_H
#define TEST_PCL_H

#include "test/readers/printed.h"

#define PCL_MAX_ROW 8192 /* bytes of a plane's row */

/*
 * Takes the sequence whose ESC and next character, `first`, were read, and runs
 * `command` for each number with a letter in it: "&l2a3H" is 2A and 3H of the
 * family "&l". The letter is a capital; the number, 0 where none stands, is
 * within 65535 of 0.
 */
void pcl_escape(struct job_bytes *in, unsigned first,
                void (*command)(void *context, const char *family, int number,
                                char letter),
                void *context);

/*
 * Unpacks the next `count` bytes, a row packed by method 0 (not), 1 (runs),
 * 2 (TIFF packed bits) or 3 (what differs from the row before), into `row`,
 * which holds the row before and has PCL_MAX_ROW bytes. Returns how many bytes
 * came, of method 3 the whole row's; what they leave of the row becomes 0.
 */
size_t pcl_unpack(struct job_bytes *in, size_t count, unsigned method,
                  unsigned char *row);

#endif
