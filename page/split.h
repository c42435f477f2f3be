/*
 * split.h - the four inks of a pixel apart: the loop that sees every sample of
 * a CMYK page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SPLIT_H
#define PAGE_SPLIT_H

#include <stdint.h>

/* Takes four 8-bit channels apart, from [width][4] into planes
 * to[channel][width]. `zeros` are planes that hold nothing but zeros before,
 * bit 0 for channel 0. Returns the channels that have other samples. */
unsigned split_samples(const uint8_t *from, uint32_t width,
                       uint8_t *const to[4], unsigned zeros);

/* split_samples() on any processor, and on one with AVX2. */
unsigned split_samples_plain(const uint8_t *from, uint32_t width,
                             uint8_t *const to[4], unsigned zeros);
unsigned split_samples_avx2(const uint8_t *from, uint32_t width,
                            uint8_t *const to[4], unsigned zeros);

#endif
