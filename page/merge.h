/*
 * merge.h - four inks of a pixel beside each other, and apart again: the loops
 * that see every dot of a CMYK page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MERGE_H
#define PAGE_MERGE_H

#include <stdint.h>

/* Puts the dots of four channels together: from[channel][(width+7)/8] becomes
 * [width] half bytes, channel 0 in the top bit, (width+1)/2 bytes. */
void merge_dots(const uint8_t *const from[4], uint32_t width, uint8_t *to);

/* Takes the dots apart: from [width] half bytes becomes
 * to[channel][(width+7)/8]. The bits behind the last pixel are 0. */
void part_dots(const uint8_t *from, uint32_t width, uint8_t *const to[4]);

#endif
