/*
 * drops.cl - the drop that a pixel gets: a whole dot or none, or one of several
 * sizes, doc/dev/halftone.md "Drop sizes".
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* A pixel's drop. */
typedef struct {
    int size, area; /* its number, and what it covers (g) */
    bool larger;    /* of its choice: u is at least T; a dot of other pixels */
} drop_t;

#if !SIZES
typedef int drops_t; /* not looked at */

int left_out(__global const drops_t *drops, __global const uchar *pattern,
             uint row, int x, int ink, int inks)
{
    return 0;
}

drop_t drop_of(bool dot)
{
    const drop_t drop = {dot, dot ? ONE : 0, dot};

    return drop;
}
#else
#define MOST_SIZES 3

/* A size is its area and its number. */
#define AREA_OF(size) ((size) >> 2)
#define NUMBER_OF(size) ((size)&3)

/* Between which sizes pixels have the choice. */
typedef struct __attribute__((aligned(16))) {
    int low, high;     /* sizes, of areas lo and hi, */
    int below, above;  /* and the next ones */
    int least, most;   /* where u is less, or more, the pixel takes these */
    int wide;          /* D */
    int low_area;      /* lo */
    int factor, times; /* struct ht_share */
    int unused[2];
} span_t;

/* The number of the span from size i to the next, or to the one behind that;
 * and of those in which pixels that are not toned have one size. */
#define TO_NEXT(i) (i)
#define TO_NEXT_BUT_ONE(i) (MOST_SIZES + (i))
#define BARE 5
#define WHOLE 6
#define SPANS 7

/* The sizes of a page, and the one that each ink may leave out, 0: none. */
typedef struct {
    span_t span[SPANS];
    int inner[2]; /* A_1, A_2 below ONE; of two sizes the other one is above
                     every tone */
    int sizes;    /* n */
    int left_out[MOST_INKS];
} drops_t;

/* Returns R(x, 2 area). */
int part_of(int x, int area)
{
    return weighted(x, 2 * area);
}

/* Returns the size that an ink's pixel in a row of the page, counted from the
 * pre-roll, leaves out (o). `pattern`: behind the pattern's bitmap one of the
 * pixels that do for each kind of copies. */
int left_out(__global const drops_t *drops, __global const uchar *pattern,
             uint row, int x, int ink, int inks)
{
    const int copy = copy_of(ink, inks);
    __global const uchar *leaves = pattern + (1 + copy % 2) * PATTERN_BYTES;

    return pattern_bit(leaves, row, x, copy) * drops->left_out[ink];
}

/* Returns the inner sizes and the largest, as span_of() takes them. */
int3 inner_sizes(__global const drops_t *drops)
{
    return (int3)(drops->inner[0], drops->inner[1], drops->sizes);
}

/* Returns the number of the span of a pixel that leaves a size out, or none. */
int span_of(const int3 inner, const pixel_t pixel, int without)
{
    const bool has1 = without != 1, has2 = without != 2;
    const bool above1 = inner.s0 <= pixel.tone, above2 = inner.s1 <= pixel.tone;
    const int low = has2 && above2 ? 2 : has1 && above1 ? 1 : 0;
    const int high = has1 && !above1 ? 1 : has2 && !above2 ? 2 : inner.s2;

    return pixel.level == 0     ? BARE
           : pixel.level == 255 ? WHOLE
           : high - low == 1    ? TO_NEXT(low)
                                : TO_NEXT_BUT_ONE(low);
}

/* Returns the level of a pixel that chooses its parameters (l'). */
int level_within(const span_t span, const pixel_t pixel)
{
    const int above = pixel.tone - span.low_area;

    return span.wide == ONE
               ? pixel.level
               : clamp((510 * above + span.wide) / (2 * span.wide), 1, 254);
}

/* Returns a pixel as the rules for inks together see it, with the tone a*. */
pixel_t pixel_within(const span_t span, const pixel_t pixel)
{
    const uint above = (uint)(pixel.tone - span.low_area) * (uint)span.factor;
    pixel_t to = pixel;

    to.tone = (int)(above * (uint)span.times >> 16);
    return to;
}

/* Returns whether u is at least lo + R(t, 2 wide). With rules for inks together
 * t is known last: without its shift it is one step less to the answer. */
bool takes_high(const span_t span, int u, int t, int wide)
{
#if MEETS
    return t * wide + ONE / 2 < (u - span.low_area + 1) * ONE;
#else
    return u >= span.low_area + part_of(t, wide);
#endif
}

/* Returns the drop of a pixel, t being out of `wide`. Both possible drops are
 * known before t is. */
drop_t drop_of(const span_t span, int u, int t, int wide)
{
    const int low = u < span.least ? span.below : span.low;
    const int high = u > span.most ? span.above : span.high;
    const bool more = takes_high(span, u, t, wide);
    const int size = more ? high : low;
    const bool larger = (more || span.low == span.high) && AREA_OF(size) > 0;
    const drop_t drop = {NUMBER_OF(size), AREA_OF(size), larger};

    return drop;
}
#endif
