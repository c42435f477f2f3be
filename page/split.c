/*
 * split.c - the choice of a way to take samples apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/base/instruction_sets.h"
#include "page/split.h"

unsigned split_samples(const uint8_t *from, uint32_t width,
                       uint8_t *const to[4], unsigned zeros)
{
    return has_avx2() ? split_samples_avx2(from, width, to, zeros)
                      : split_samples_plain(from, width, to, zeros);
}
