/*
 * tone.c - samples to tones: doc/dev/halftone.md, "Tones".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/definition.h"

#define AT_ONCE 8 /* samples of 16 bits */

typedef uint16_t words __attribute__((vector_size(2 * AT_ONCE)));
typedef int16_t shorts __attribute__((vector_size(2 * AT_ONCE)));
typedef uint8_t bytes __attribute__((vector_size(AT_ONCE)));

static void tones_from_8_bits(const uint8_t *sample, uint32_t width,
                              int16_t *tone, uint8_t *level)
{
    for (uint32_t x = 0; x < width; x++) {
        tone[x] = (int16_t)ht_tone_of(sample[x], 255);
        level[x] = sample[x];
    }
}

/*
 * Does AT_ONCE samples of 16 bits, without divisions. With v = 256 h + l,
 * v / 257 = h + (l - h) / 257, which rounds to h or a neighbour of it; and
 * v * 16384 / 65535 is so little above v / 4 that it rounds alike, half up. A
 * comparison gives -1 where it holds.
 */
static void tones_at_once(const uint16_t *sample, int16_t *tone, uint8_t *level)
{
    words v, a, l;
    shorts high, rest;
    bytes narrow;

    memcpy(&v, sample, sizeof v);
    a = (v >> 2) + (v >> 1 & 1);
    high = (shorts)(v >> 8);
    rest = (shorts)(v & 255) - high;
    l = (words)(high - (rest > 128) + (rest < -128));
    l -= (words)((l == 0) & (v != 0));
    l += (words)((l == 255) & (v != 65535));
    narrow = __builtin_convertvector(l, bytes);
    memcpy(tone, &a, sizeof a);
    memcpy(level, &narrow, sizeof narrow);
}

static void tones_from_16_bits(const uint16_t *sample, uint32_t width,
                               int16_t *tone, uint8_t *level)
{
    uint32_t x = 0;

    for (; x + AT_ONCE <= width; x += AT_ONCE)
        tones_at_once(sample + x, tone + x, level + x);
    for (; x < width; x++) {
        tone[x] = (int16_t)ht_tone_of(sample[x], 65535);
        level[x] = (uint8_t)ht_level_of(sample[x]);
    }
}

bool ht_curve_valid(const uint16_t *curve)
{
    const uint16_t solid = UINT16_MAX;
    bool valid = curve != NULL && curve[0] == 0 && curve[UINT8_MAX] == solid;

    for (unsigned v = 1; valid && v < UINT8_MAX; v++)
        valid = curve[v] >= curve[v - 1] && curve[v] != 0 && curve[v] != solid;
    return valid;
}

void ht_tones_from_curve(const uint8_t *samples, const uint16_t *curve,
                         uint32_t width, int16_t *tone, uint8_t *level)
{
    for (uint32_t x = 0; x < width; x++) {
        tone[x] = (int16_t)ht_tone_of(curve[samples[x]], 65535);
        level[x] = (uint8_t)ht_level_of(curve[samples[x]]);
    }
}

void ht_apply_curve(const uint16_t *curve, const uint8_t *samples,
                    uint32_t width, uint16_t *out)
{
    static const uint8_t bare[AT_ONCE];
    uint32_t x = 0;

    for (; x + AT_ONCE <= width; x += AT_ONCE)
        if (memcmp(samples + x, bare, sizeof bare) == 0)
            memset(out + x, 0, AT_ONCE * sizeof *out);
        else
            for (uint32_t i = x; i < x + AT_ONCE; i++)
                out[i] = curve[samples[i]];
    for (; x < width; x++)
        out[x] = curve[samples[x]];
}

void ht_tones_from_samples(const void *samples, uint32_t bits, uint32_t width,
                           int16_t *tone, uint8_t *level)
{
    if (bits == 8)
        tones_from_8_bits(samples, width, tone, level);
    else
        tones_from_16_bits(samples, width, tone, level);
}
