/*
 * common.cl - numbers, samples, dots and rules for inks together that the
 * kernels share, in OpenCL C 1.2. The letters are those of
 * doc/dev/halftone.md; all arithmetic is that of halftone/definition.h, in
 * integers of 32 bits.
 *
 * The program is built for a kind of pages, with these macros:
 *
 *   BYTES   1 or 2, of a sample
 *   CURVES  1: a sample of 8 bits stands for one of 16
 *   MEETS   1: inks have rules together
 *   SIZES   1: drops have several sizes
 *   INKS    the number of inks where errors are diffused, 1..4; 0: any
 *   SWATH   the rows of a swath of TDFED, 1 or 4; 0: Floyd-Steinberg
 *   ITEMS   the work items of a group that diffuses: rows of a brick of
 *           Floyd-Steinberg; of TDFED 32, and 64 for more than four inks
 *   BLOCK   the pixels of TDFED between two barriers
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#define ONE 16384
#define PREROLL 64
#define MOST_INKS 15
#define PATTERN_BYTES 2048
#define DOT_BITS (1 + SIZES)     /* of a pixel */
#define BYTE_DOTS (8 / DOT_BITS) /* pixels of a byte */

#if BYTES == 2
#define FULL 65535
typedef ushort sample_t;
#else
#define FULL 255
typedef uchar sample_t;
#endif

int held(int value, int limit)
{
    return clamp(value, -limit, limit);
}

int held_16(int value)
{
    return clamp(value, -32768, 32767);
}

int held_to_one(int value)
{
    return clamp(value, 0, ONE);
}

/* R(value, weight) */
int weighted(int value, int weight)
{
    return (value * weight + (1 << 14)) >> 15;
}

uint hash(uint z)
{
    z *= 0x9e3779b1u;
    z = (z ^ z >> 15) * 0x85ebca77u;
    z = (z ^ z >> 13) * 0xc2b2ae3du;
    return z ^ z >> 16;
}

/* The noise of column x in row `row` of an ink, counted from the pre-roll. */
int noise_of(uint row, uint ink, uint x)
{
    return (int)(hash(hash(16 * row + ink) + x) >> 16) - 32768;
}

/* The copy of the pattern that an ink looks at (j). */
int copy_of(int ink, int inks)
{
    return ink + (inks >= 4);
}

/* The bit of a bitmap [128][16] where a copy of the pattern has it. */
bool pattern_bit(__global const uchar *bitmap, uint row, int x, int copy)
{
    const uint px = (uint)(x + 37 * (copy / 2)) % 128;
    const uint y = (row + 79 * (uint)(copy / 2)) % 128;

    return bitmap[y * 16 + px / 8] >> (7 - px % 8) & 1;
}

bool is_toned(int sample)
{
    return sample > 0 && sample < FULL;
}

/* Tone (a) and level (l) of a sample. */
typedef struct {
    int tone, level;
} pixel_t;

pixel_t pixel_of_16(uint sample)
{
    pixel_t pixel;
    int nearest = (int)((510 * sample + 65535) / 131070);

    pixel.tone = (int)((2 * ONE * sample + 65535) / 131070);
    pixel.level = sample > 0 && nearest == 0         ? 1
                  : sample < 65535 && nearest == 255 ? 254
                                                     : nearest;
    return pixel;
}

/* `curve`: [256] of the ink, if there are curves. */
pixel_t pixel_of(int sample, __global const ushort *curve)
{
#if BYTES == 2
    return pixel_of_16((uint)sample);
#elif CURVES
    return pixel_of_16(curve[sample]);
#else
    pixel_t pixel;

    pixel.tone = (int)((2 * ONE * (uint)sample + 255) / 510);
    pixel.level = sample;
    return pixel;
#endif
}

/* The error e of a pixel whose drop is known. */
int error_of(int u, int area, bool toned)
{
    int e = clamp(u - area, -ONE, ONE - 1);

    return toned ? e : held(e, ONE / 2) * 3 / 4;
}

/* Targets of the rest of an error. */
enum { DOWN, AHEAD, BEHIND_DOWN, AHEAD_DOWN, NOWHERE };

int place_of_rest(bool below, bool ahead, bool behind_down, bool ahead_down)
{
    return below         ? DOWN
           : ahead       ? AHEAD
           : behind_down ? BEHIND_DOWN
           : ahead_down  ? AHEAD_DOWN
                         : NOWHERE;
}

/* ---- Inks together ------------------------------------------------------ */

#define MOST_LIGHT (ONE - 1) /* of v and m in size */
#define COMPANY_ON 20480     /* the share of v that goes on in the row */

/* Rules for inks together, and the share of light that each ink absorbs. */
typedef struct {
    int from, steps;
    int absorbed[MOST_INKS];
} rules_t;

/* Wishes of the tones at a pixel, up to the last ink seen. */
typedef struct {
    int toned;    /* Q */
    int nearness; /* O */
    int wanted;   /* M */
} wish_t;

/* Adds an ink that absorbs the share `absorbs`; returns what the inks before
 * it should absorb (A), 0 if it is not toned. */
int wish(wish_t *all, __constant rules_t *rules, int absorbs,
         const pixel_t pixel, bool toned)
{
    if (!toned) {
        if (pixel.level == 255)
            all->wanted -= weighted(all->wanted, absorbs);
        return 0;
    }
    const int above = (pixel.tone - rules->from) << (rules->steps + 1);

    all->toned++;
    all->nearness = max(all->nearness, clamp(above, 0, 32767));
    const int should = weighted(ONE - all->wanted, all->nearness);
    const int absorbed = 2 * weighted(ONE - should, absorbs);

    all->wanted = max(0, all->wanted - weighted(absorbed, pixel.tone));
    return should;
}

/* ---- Dots --------------------------------------------------------------- */

/* Threshold and Screen: a drop of as many sizes up as the sample is not below
 * the least ones that have these there, `least` [sizes][inks][128][128]; a work
 * item a byte of dots. */
__kernel void compare(__global const sample_t *samples,
                      __global const sample_t *least, __global uchar *bits,
                      uint width, uint inks, uint rows, uint first, uint pad,
                      uint sizes)
{
    const uint bytes = (width + BYTE_DOTS - 1) / BYTE_DOTS;
    const size_t item = get_global_id(0), line = item / bytes;
    const uint x = (uint)(item % bytes) * BYTE_DOTS;
    uint byte = 0;

    if (line >= (size_t)rows * inks)
        return;
    const uint ink = (uint)(line % inks), row = (uint)(line / inks) + first;
    __global const sample_t *from =
        least + ((size_t)ink * 128 + row % 128) * 128;

    for (uint i = 0; i < BYTE_DOTS && x + i < width; i++) {
        const sample_t sample = samples[pad / BYTES + line * width + x + i];
        uint size = sample >= from[(x + i) % 128];

        for (uint n = 1; SIZES && n < sizes; n++)
            size += sample >= from[(size_t)n * inks * 16384 + (x + i) % 128];
        byte |= size << (8 - DOT_BITS * (i + 1));
    }
    bits[item] = (uchar)byte;
}
