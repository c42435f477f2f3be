/*
 * prepare.cl - makes a record for each pixel of some rows of TDFED, which has
 * everything but errors, and which tdfed.cl then reads one after the other. A
 * work item takes a column of a row, with its inks one after the other, because
 * their wishes are passed from ink to ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if SWATH > 0

/* A record: s0 = tone, t; s1 = w0, w1; s2 = w2, A; s3 = flags, M; each pair the
 * lower and the upper 16 bits. Weights are 0 where the target takes nothing.
 * t is not held yet, and that of a pixel without dots before and above it; with
 * several sizes it is of a whole dot unless the rest goes elsewhere, then hi -
 * a. M is that behind this ink. Pixels that are not toned have noise for the
 * pixel below in the place of A. The flags: */
#define TONED 1
#define SOLID 2
#define FREE 4     /* t is pushed: it is not forced by where the rest goes */
#define LIT 8      /* at least two inks up to this one are toned */
#define LEVEL 4    /* shift of seven bits: the level or its mirror, */
#define LEVELS 128 /* which have the same columns and feedback */
#define PLACE 11   /* shift of two bits: DOWN .. AHEAD_DOWN */
#define PLACES (3 << PLACE)
#define SPAN 13 /* shift of three bits: the number of the span, drops.cl */

/* Records of rows that are diffused to the left are in scan order, too. Before
 * the first and behind the last one are as many that are read and ignored. */
#define SLACK 128

#define MOST_SWATHS 64 /* of rows that are prepared at once */

/* Arguments of a run. */
typedef struct {
    uint width, inks, rows;
    uint first;    /* the band's row that is the first */
    uint row_step; /* 1; 0: all rows have the samples of the band's first */
    uint row;      /* of the page, counted from the pre-roll, of the first */
    uint swath;    /* that it begins (S) */
    uint segment;  /* 0: unbroken rows */
    uint pad;      /* bytes before the samples */
    uint shift[MOST_SWATHS]; /* h(S) of each swath */
} rows_t;

int cut_of(uint segment, uint shift, uint swath, int number)
{
    return number * (int)segment +
           (int)(shift + hash(hash(swath) + (uint)number) % (segment / 4));
}

/* A segment: columns begin .. end - 1, in steps of `step`. */
typedef struct {
    int begin, end, step;
} segment_t;

/* Returns the segment of column x of a row, in swath `number` of the run. */
segment_t segment_of(const rows_t at, uint number, int x)
{
    const uint swath = at.swath + number, shift = at.shift[number];
    segment_t to = {0, (int)at.width, swath % 2 == 0 ? 1 : -1};

    if (at.segment == 0)
        return to;
    const int over = x - (int)shift;
    int cut = over < 0 ? -1 : over / (int)at.segment;

    if (cut >= 0 && x < cut_of(at.segment, shift, swath, cut))
        cut--;
    if (cut >= 0)
        to.begin = cut_of(at.segment, shift, swath, cut);
    to.end = min(to.end, cut_of(at.segment, shift, swath, cut + 1));
    return to;
}

/* Whether column x of a row of samples takes a share. */
bool takes(const segment_t in, __global const sample_t *samples, int x)
{
    return x >= in.begin && x < in.end && is_toned(samples[x]);
}

int rise(int level)
{
    const bool dark = level >= 128;
    const int raise =
        clamp(64 * (64 - (dark ? 255 - level : level)), 0, ONE / 8);

    return dark ? -raise : raise;
}

/* p of an ink's pixel. */
bool pattern_dot(__global const uchar *pattern, uint row, int x, int copy)
{
    return pattern_bit(pattern, row, x, copy) != (copy & 1);
}

/* t of a toned pixel, whose parameters are those of a level, if there is no dot
 * before it or above it. `forced`: t where the rest goes elsewhere but not
 * down; `near`: how many pixels before and above feed back. */
int threshold(const short8 parameters, int level, int forced, int place,
              bool dot, bool last, int noise, int near)
{
    if (place == NOWHERE)
        return ((noise + 32768) >> 2) + 1;
    if (place != DOWN)
        return forced;
    return (dot ? parameters.s4 : parameters.s3) + (last ? rise(level) : 0) +
           parameters.s7 * near / 2;
}

/*
 *   samples  [rows + 1][inks][width] of the band, the last one below it
 *   levels   [256]: w0, w1, w2, tu, tl, n, c1 and c2 as bytes, 2 h
 *   pattern  with more behind it, left_out()
 *   records  [rows][inks][width] behind the slack
 */
__kernel void prepare(__global const sample_t *samples,
                      __global const ushort *curves,
                      __global const short8 *levels,
                      __global const uchar *pattern, __constant rules_t *rules,
                      __global const drops_t *drops, __global uint4 *records,
                      const rows_t at)
{
    const int width = (int)at.width, inks = (int)at.inks;
    const size_t item = get_global_id(0);
    const uint i = (uint)(item / at.width), row = at.row + i;
    const int x = (int)(item % at.width);

    if (i >= at.rows)
        return;
    const segment_t in = segment_of(at, i / SWATH, x);
    const bool last = x + in.step < in.begin || x + in.step >= in.end;
    const int near = x == (in.step > 0 ? in.begin : in.end - 1) ? 0
                     : i % SWATH == 0                           ? 1
                                                                : 2;
    __global const sample_t *own =
        samples + at.pad / BYTES +
        (at.row_step ? (size_t)(at.first + i) * inks * width : 0);
    __global const sample_t *under =
        own + (at.row_step ? (size_t)inks * width : 0);
    __global uint4 *to = records + SLACK + (size_t)i * inks * width +
                         (in.step > 0 ? x : width - 1 - x);
    wish_t wished = {0, 0, ONE};

    for (int k = 0; k < inks; k++, own += width, under += width, to += width) {
        const pixel_t pixel = pixel_of(own[x], curves + 256 * k);
#if SIZES
        const int number = span_of(inner_sizes(drops), pixel,
                                   left_out(drops, pattern, row, x, k, inks));
        const span_t span = drops->span[number];
        const int level = level_within(span, pixel);
        const int forced = AREA_OF(span.high) - pixel.tone;
#else
        const int number = 0, level = pixel.level, forced = ONE - pixel.tone;
#endif
        const short8 parameters = levels[level];
        const int c1 = (char)(parameters.s6 & 255), c2 = parameters.s6 >> 8;
        const bool toned = is_toned(own[x]), below = is_toned(under[x]);
        const bool ahead = takes(in, own, x + in.step);
        const int place =
            place_of_rest(below, ahead, takes(in, under, x - in.step),
                          takes(in, under, x + in.step));
        const bool dot = pattern_dot(pattern, row, x, copy_of(k, inks));
        const int noise = noise_of(row, (uint)k, (uint)x);
        int should = 0;

#if MEETS && SIZES
        should = wish(&wished, rules, rules->absorbed[k],
                      pixel_within(span, pixel), toned);
#elif MEETS
        should = wish(&wished, rules, rules->absorbed[k], pixel, toned);
#endif
        if (!toned && below)
            should = weighted(
                noise, levels[pixel_of(under[x], curves + 256 * k).level].s5);

        const int t =
            threshold(parameters, level, forced, place, dot, last, noise, near);
        const int w0 = ahead ? parameters.s0 : 0;
        const int w1 = takes(in, under, x + c1 * in.step) ? parameters.s1 : 0;
        const int w2 = takes(in, under, x + c2 * in.step) ? parameters.s2 : 0;
        const int flags =
            (toned ? TONED : 0) | (pixel.level == 255 ? SOLID : 0) |
            (toned && place == DOWN ? FREE : 0) |
            (wished.toned >= 2 ? LIT : 0) |
            (level < LEVELS ? level : 255 - level) << LEVEL |
            (place == NOWHERE ? DOWN : place) << PLACE | number << SPAN;

        *to = (uint4)((uint)pixel.tone | (uint)t << 16,
                      (uint)w0 | (uint)w1 << 16, (uint)w2 | (uint)should << 16,
                      (uint)flags | (uint)wished.wanted << 16);
    }
}
#endif
