/*
 * profile_tag.h - chooses the tags of a profile that a separation needs, and
 * checks that each has all that it announces.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_PROFILE_TAG_H
#define COLOR_PROFILE_TAG_H

#include <stddef.h>
#include <stdint.h>

enum tag_verdict { TAG_UNWANTED, TAG_WANTED, TAG_WRONG };

/* Judges the tag `name` [4] with `size` bytes at `data`, in a profile of a
 * device with so many channels. */
enum tag_verdict profile_tag_judge(const uint8_t *name, const uint8_t *data,
                                   size_t size, unsigned channels);

/* Numbers of a profile: 4 bytes, of which the first counts most. */
static inline uint32_t profile_number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

static inline void profile_put(uint8_t *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(number >> (24 - 8 * i));
}

#endif
