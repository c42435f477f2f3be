/*
 * interleave.h - four inks of a pixel beside each other, and apart: the loops
 * that see every sample and every dot of a CMYK page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_INTERLEAVE_H
#define FILTER_INTERLEAVE_H

#include <stdint.h>

/* Takes four 8-bit channels apart: from [width][4] becomes planes
 * to[channel][width]. Planes of `zeros`, bit 0 for channel 0, hold nothing but
 * zeros before. Returns the channels that have other samples. */
unsigned split_samples(const uint8_t *from, uint32_t width,
                       uint8_t *const to[4], unsigned zeros);

/* Puts the dots of four channels together: from[channel][(width+7)/8] becomes
 * [width] half bytes, channel 0 in the top bit, (width+1)/2 bytes. */
void merge_dots(const uint8_t *const from[4], uint32_t width, uint8_t *to);

#endif
