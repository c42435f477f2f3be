/*
 * lookup.h - what a pixel's sample decides, and how inks look at each other.
 * For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* The least sample of 16 bits that has a level, 1..254. */
#define SAMPLE_OF(level) ((131070 * (level) + 509 - 65535) / 510)

/* Returns what avoidance adds to a threshold: R(B, s) of doc/dev/halftone.md,
 * "A pixel". */
static inline vec raised(vec sample, vec before)
{
    const unsigned begin = SAMPLE_OF(HT_FS_MIDDLE);
    const unsigned end = SAMPLE_OF(HT_LEVELS - HT_FS_MIDDLE);
    vec middle =
        (vec)((uvec)sample - (uint16_t)begin < (uint16_t)(end - begin));

    return vec_weighted(before,
                        (middle & HT_FS_AVOID_LESS) | (~middle & HT_FS_AVOID));
}

/* Holds numbers to -ONE..ONE - 1: doubles of those are what 16 bits hold. */
static inline vec held_to_dots(vec a)
{
    return vec_add_held(a, a) >> 1;
}

/* Adds an ink's excess, -e, to that of the inks before (B), and clamps it. */
static inline vec with_ink(vec before, vec e)
{
    return held_to_dots(before - e);
}
