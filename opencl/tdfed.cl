/*
 * tdfed.cl - TDFED. A launch is a swath, as each swath needs the one before it.
 *
 *     group    a segment of the swath
 *     item     an ink of a row: item (i, t) has the ink whose turn t it is in
 *              row i. Items (n, t), n the number of rows, take what the last
 *              row leaves.
 *     step     a pixel of each item, with a barrier between steps: item (i, t)
 *              does pixel p of the segment, in scan order, in step p + i lag +
 *              t, so that all it needs is whole
 *     local    memory of ht_cl_find_room(): with NEAR the samples of the
 * segment and the state above it, too
 *
 * All that does not depend on errors is prepared a step before. What goes from
 * item to item stays RING steps in a ring of local memory; lag + 2 are needed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#define RING 32
#define PARTNERS 3

/* What a launch works on. */
typedef struct {
    uint width, inks;
    uint rows;     /* of the swath, 1..SWATH */
    uint first;    /* the band's row that is the swath's first */
    uint row_step; /* 1; 0: all rows have the samples of the band's first */
    uint row;      /* of the page, counted from the pre-roll */
    uint swath;    /* (S) */
    uint segment;  /* 0: unbroken rows */
    uint shift;    /* h(S) */
    uint middle;   /* of the table */
    uint lag;
    uint pairs;
    uint wanted;    /* whether dots are */
    uint local_row; /* with NEAR: vectors of an ink's row of samples */
    uint line_row;  /* and of a line of the state */
    uint pad;       /* bytes before the samples, a multiple of 16 */
} tdfed_t;

/* Rules for inks together: of each ink the light that it absorbs, and pairs,
 * doc/dev/halftone.md "State". */
typedef struct {
    int from, steps;
    int absorbed[MOST_INKS];
    int pair[MOST_INKS][MOST_INKS]; /* -1: none */
} rules_t;

/* What goes from turn to turn at a pixel, short8: B, Q, O, L, M. */
#define EXCESS s0
#define TONED s1
#define NEARNESS s2
#define REFLECTED s3
#define WANTED s4

/* The mark of an ink that has had its turn: its tone, and these. */
#define MARK_TONED 0x8000
#define MARK_DOT 0x10000
#define MARK_TONE 0x7fff

long cut_of(const tdfed_t at, uint number)
{
    return (long)number * at.segment + at.shift +
           hash(hash(at.swath) + number) % (at.segment / 4);
}

int rise(int level)
{
    const bool dark = level >= 128;
    const int raise =
        clamp(64 * (64 - (dark ? 255 - level : level)), 0, ONE / 8);

    return dark ? -raise : raise;
}

/* The ink of a turn, doc/dev/halftone.md "Turns". */
int ink_of_turn(int turn, int inks, uint swath)
{
    const int kept = inks >= 4;

    return swath / 2 % 2 == 0 || turn < kept ? turn : inks - 1 + kept - turn;
}

#define MOST_LIGHT (ONE - 1) /* of v, m and U in size */

/* O. */
int nearness_of(__constant rules_t *rules, int tone)
{
    const int above = tone - rules->from;

    return above <= 0 ? 0 : min(above << (rules->steps + 1), 32767);
}

#if NEAR
#define SAMPLES __local const sample_t
#define LINES __local const short
#else
#define SAMPLES __global const sample_t
#define LINES __global const short
#endif

/* A pixel of a segment, but for errors. */
typedef struct {
    int tone, level;
    bool toned, first, last;
    bool below;                  /* whether the pixel below is toned, */
    int under;                   /* and its sample */
    int place;                   /* of the rest */
    int right, weight1, weight2; /* 0 where the target takes nothing */
    int slot1, slot2;            /* of these targets */
    int t, t_inks;               /* thresholds: by the pattern, by the inks */
    int forced;                  /* threshold if the rest does not go down */
    int avoid;
} prepared_t;

/* What an item is about. */
typedef struct {
    int ink, step, begin, count;
    int from;  /* the segment's first column in scan order */
    uint row;  /* counted from the pre-roll */
    int shift; /* of the pattern's columns */
    int invert;
    size_t own, under; /* samples before that of the segment's left column */
} item_t;

prepared_t prepare(const item_t at, const int p, const int middle,
                   SAMPLES *samples, __local const short8 *levels,
                   __local const uchar *dbs, __global const ushort *curves)
{
    prepared_t to;
    const int i = at.from - at.begin + p * at.step;
    const int x = at.from + p * at.step;
    SAMPLES *own = samples + at.own, *under = samples + at.under;
    const int sample = own[i];
    const pixel_t pixel = pixel_of(sample, curves + 256 * at.ink);
    const short8 w = levels[pixel.level];
    const int c1 = (char)(w.s7 & 255), c2 = w.s7 >> 8;
    const int px = (x + at.shift) & 127;
    const bool dot = ((dbs[px >> 3] >> (7 - (px & 7)) & 1) ^ at.invert) != 0;
    const int end = at.count - 1;

    to.tone = pixel.tone;
    to.level = pixel.level;
    to.toned = is_toned(sample);
    to.first = p == 0;
    to.last = p == end;
    to.under = under[i];
    to.below = is_toned(to.under);

    /* A neighbour outside the segment is read at its end instead, and does not
     * count. */
    const int ahead_at = at.from - at.begin + min(p + 1, end) * at.step;
    const int behind_at = at.from - at.begin + max(p - 1, 0) * at.step;
    const int at1 = at.from - at.begin + clamp(p + c1, 0, end) * at.step;
    const int at2 = at.from - at.begin + clamp(p + c2, 0, end) * at.step;
    const bool ahead = !to.last && is_toned(own[ahead_at]);
    const bool behind_down = !to.first && is_toned(under[behind_at]);
    const bool ahead_down = !to.last && is_toned(under[ahead_at]);
    const bool gives1 = p + c1 >= 0 && p + c1 <= end && is_toned(under[at1]);
    const bool gives2 = p + c2 >= 0 && p + c2 <= end && is_toned(under[at2]);

    to.place = place_of_rest(to.below, ahead, behind_down, ahead_down);
    to.right = ahead ? w.s0 : 0;
    to.weight1 = gives1 ? w.s1 : 0;
    to.weight2 = gives2 ? w.s2 : 0;
    to.slot1 = (p + c1) & (RING - 1);
    to.slot2 = (p + c2) & (RING - 1);

    const int raise = to.last ? rise(pixel.level) : 0;
    to.t = (dot ? w.s4 : w.s3) + raise;
    to.t_inks = pixel.level >= middle && pixel.level < 256 - middle
                    ? to.t
                    : ((w.s3 + w.s4) >> 1) + raise;
    to.t = held_to_one(to.t);
    to.t_inks = held_to_one(to.t_inks);
    to.avoid = w.s5;
    to.forced = ONE - pixel.tone;
    if (to.place == NOWHERE)
        to.forced =
            ((noise_of(at.row, (uint)at.ink, (uint)x) + 32768) >> 2) + 1;
    return to;
}

/*
 *   samples  [rows + 1][inks][width] of the band, the last one below it
 *   levels   [256]: w0, w1, w2, tu, tl, s, n, c1 and c2 as bytes
 *   dots     [rows][inks][width], a byte each
 *   line     [lines][width]: the state above the swath, then below it
 */
__kernel void tdfed(__global const uchar *samples,
                    __global const ushort *curves,
                    __global const short8 *levels,
                    __global const uchar *pattern, __constant rules_t *rules,
                    __global uchar *dots, __global short *line,
                    __local uint4 *room, const tdfed_t at)
{
    const int items = (int)get_local_size(0), item = (int)get_local_id(0);
    const int inks = (int)at.inks, rows = (int)at.rows, width = (int)at.width;
    const uint number = get_group_id(0);
    const long begin_cut =
        number == 0 || at.segment == 0 ? 0 : cut_of(at, number - 1);
    const long end_cut = at.segment == 0 ? width : cut_of(at, number);
    const int begin = (int)min(begin_cut, (long)width);
    const int end = (int)min(end_cut, (long)width), count = end - begin;
    const int words = inks * SWATH * RING;
    const int lines = inks + (MEETS ? (int)at.pairs + 1 : 0);

    /* Local memory. */
    __local short8 *level_at = (__local short8 *)room;
    __local short8 *turns = level_at + 256;
    __local short *error = (__local short *)(turns + SWATH * RING);
    __local short *aside = error + words;
    __local uint *marks = (__local uint *)(aside + words);
    __local short *overlap = (__local short *)(marks + (MEETS ? words : 0));
    __local short *light = overlap + (MEETS ? PARTNERS * words : 0);
    __local uchar *dbs = (__local uchar *)(light + (MEETS ? SWATH * RING : 0));

    for (int n = item; n < 256; n += items)
        level_at[n] = levels[n];
    for (int n = item; n < words; n += items)
        error[n] = aside[n] = 0;
#if NEAR
    __local uint4 *near = (__local uint4 *)(dbs + (SWATH + 1) * inks * 16);
    __local uint4 *near_lines = near + (rows + 1) * inks * (int)at.local_row;

    if (count > 0) {
        const int per_row = (int)at.local_row, per_line = (int)at.line_row;

        for (int n = item; n < (rows + 1) * inks * per_row; n += items) {
            const int plane = n / per_row;
            const size_t from =
                at.pad + BYTES * ((size_t)(at.row_step ? at.first * inks + plane
                                                       : plane % inks) *
                                      width +
                                  begin);

            if ((uint)(n % per_row) * 16 < from % 16 + (uint)count * BYTES)
                near[n] =
                    ((__global const uint4 *)samples)[from / 16 + n % per_row];
        }
        for (int n = item; n < lines * per_line; n += items) {
            const size_t from = 2 * ((size_t)(n / per_line) * width + begin);

            if ((uint)(n % per_line) * 16 < from % 16 + (uint)count * 2)
                near_lines[n] =
                    ((__global const uint4 *)line)[from / 16 + n % per_line];
        }
    }
    SAMPLES *read = (SAMPLES *)near;
    LINES *above_lines = (LINES *)near_lines;
#define LINE_AT(k, x)                                                          \
    ((k)*8 * (int)at.line_row + (int)(((size_t)(k)*width + begin) & 7) +       \
     (x)-begin)
#else
    SAMPLES *read = (SAMPLES *)samples;
    LINES *above_lines = line;
#define LINE_AT(k, x) ((size_t)(k)*width + (x))
#endif

    /* The item's row, ink and partners; items without any have the last row's,
     * and do nothing with it. */
    const int i = item / inks, turn = item % inks;
    const bool works = i < rows, takes = i == rows;
    const int row = min(i, rows - 1);
    const bool first_turn = turn == 0, last_turn = turn == inks - 1;
    const int ring = (row * inks + turn) * RING;
    const int ring_above =
        ((i > 0 ? min(i, rows) - 1 : 0) * inks + turn) * RING;
    __local uchar *dbs_row = dbs + (row * inks + turn) * 16;
    item_t mine;

    mine.ink = ink_of_turn(turn, inks, at.swath);
    const int ink = mine.ink, copy = ink + (inks >= 4);

    mine.step = at.swath % 2 == 0 ? 1 : -1;
    mine.begin = begin;
    mine.count = count;
    mine.from = at.swath % 2 == 0 ? begin : end - 1;
    mine.row = at.row + (uint)row;
    mine.shift = 37 * (copy / 2);
    mine.invert = copy & 1;
    for (int n = 0; n < 2; n++) {
        const size_t plane =
            at.row_step ? (size_t)(at.first + row + n) * inks + ink : ink;
        const size_t bytes = at.pad + BYTES * (plane * width + begin);
#if NEAR
        const size_t to =
            (size_t)((row + n) * inks + ink) * at.local_row * (16 / BYTES) +
            bytes % 16 / BYTES;
#else
        const size_t to = bytes / BYTES;
#endif
        if (n == 0)
            mine.own = to;
        else
            mine.under = to;
    }
    if (works) {
        const uint y = (mine.row + 79 * (copy / 2)) % 128;

        for (int n = 0; n < 16; n++)
            dbs_row[n] = pattern[y * 16 + n];
    }

    int left = 0;
#if MEETS
    int partners = 0, partner[PARTNERS] = {0, 0, 0};
    int partner_pair[PARTNERS] = {0, 0, 0}, overlap_left[PARTNERS] = {0, 0, 0};
    int light_kept = 0;
    const int absorbs = rules->absorbed[ink];

    for (int before = 0; before < turn; before++) {
        const int other = ink_of_turn(before, inks, at.swath);
        const int pair = rules->pair[ink][other];

#pragma unroll
        for (int m = 0; m < PARTNERS; m++)
            if (pair >= 0 && m == partners) {
                partner[m] = other;
                partner_pair[m] = pair;
            }
        partners += pair >= 0;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    const int delay = i * (int)at.lag + turn;
    const int steps = count > 0 ? count + rows * (int)at.lag + inks - 1 : 0;
    prepared_t next;

    if (count > 0)
        next =
            prepare(mine, 0, (int)at.middle, read, level_at, dbs_row, curves);
    for (int s = 0; s < steps; s++) {
        const int p = s - delay, slot = p & (RING - 1);
        const int x = mine.from + p * mine.step;
        const bool active = i <= rows && p >= 0 && p < count;
        const prepared_t now = next;

        next = prepare(mine, clamp(p + 1, 0, count - 1), (int)at.middle, read,
                       level_at, dbs_row, curves);
        if (active) {
            /* What the row inherits; the ring's places are free again. */
            int above;

            if (i == 0) {
                above = above_lines[LINE_AT(ink, x)];
            } else {
                above = held_16(error[ring_above + slot] +
                                aside[ring_above + slot]);
                error[ring_above + slot] = 0;
                aside[ring_above + slot] = 0;
            }
            if (takes) {
                line[(size_t)ink * width + x] = (short)above;
#if MEETS
#pragma unroll
                for (int m = 0; m < PARTNERS; m++)
                    if (m < partners)
                        line[(size_t)(inks + partner_pair[m]) * width + x] =
                            overlap[PARTNERS * ring_above + m * RING + slot];
                if (last_turn)
                    line[(size_t)(inks + at.pairs) * width + x] =
                        light[(rows - 1) * RING + slot];
#endif
            } else {
                const int below0 = error[ring + slot];
                const int below1 = error[ring + now.slot1];
                const int below2 = error[ring + now.slot2];
                short8 before = (short8)(0, 0, 0, ONE, ONE, 0, 0, 0);

                if (!first_turn)
                    before = turns[i * RING + slot];

                const int u = now.tone + held_16(left + above);
                int t = before.TONED > 0 ? now.t_inks : now.t;

                t += weighted(before.EXCESS, now.avoid);
#if MEETS
                int met_overlap[PARTNERS], met_welcome[PARTNERS], sum = 0;
                bool met[PARTNERS];
                const int light_here =
                    i == 0 ? above_lines[LINE_AT(inks + (int)at.pairs, x)]
                           : light[(i - 1) * RING + slot];
                const int absorbed = weighted(before.REFLECTED, absorbs);

                if (now.toned)
                    before.NEARNESS = (short)max((int)before.NEARNESS,
                                                 nearness_of(rules, now.tone));
#pragma unroll
                for (int m = 0; m < PARTNERS; m++) {
                    const uint mark =
                        marks[(i * inks + partner[m]) * RING + slot];
                    const int v =
                        i == 0
                            ? above_lines[LINE_AT(inks + partner_pair[m], x)]
                            : overlap[PARTNERS * ring_above + m * RING + slot];

                    met[m] = m < partners && now.toned && (mark & MARK_TONED);
                    met_overlap[m] = held(overlap_left[m] + v, MOST_LIGHT);
                    met_welcome[m] =
                        weighted((int)(mark & MARK_TONE), before.NEARNESS) -
                        (mark & MARK_DOT ? ONE : 0);
                    sum +=
                        met[m] ? weighted(met_welcome[m], met_overlap[m]) : 0;
                }
                if (now.toned)
                    t += 4 *
                         weighted((sum >> 1) - weighted(absorbed, light_here),
                                  before.NEARNESS);
#endif
                t = held_to_one(t);
                if (now.place != DOWN)
                    t = now.forced;

                /* The dot, and its error's shares. */
                const bool dot = now.level == 255 || (now.toned && u >= t);
                const int e = error_of(u, dot, now.toned);
                const int right = weighted(e, now.right);
                const int e1 = weighted(e, now.weight1);
                const int e2 = weighted(e, now.weight2);
                const int rest = e - right - e1 - e2;
                int down = now.place == DOWN || now.place == NOWHERE ? rest : 0;

                left = right + (now.place == AHEAD ? rest : 0);
                if (now.place == BEHIND_DOWN)
                    aside[ring + ((p - 1) & (RING - 1))] += rest;
                if (now.place == AHEAD_DOWN)
                    aside[ring + ((p + 1) & (RING - 1))] += rest;
                if (!now.toned && now.below) {
                    const int level =
                        pixel_of(now.under, curves + 256 * ink).level;

                    down += weighted(noise_of(mine.row, (uint)ink, (uint)x),
                                     level_at[level].s6);
                }
                error[ring + slot] = (short)(below0 + down);
                error[ring + now.slot1] = (short)(below1 + e1);
                error[ring + now.slot2] = (short)(below2 + e2);
                if (at.wanted)
                    dots[((size_t)(at.first + i) * inks + ink) * width + x] =
                        (uchar)dot;

#if MEETS
                marks[(i * inks + ink) * RING + slot] =
                    (uint)now.tone | (now.toned ? MARK_TONED : 0) |
                    (dot ? MARK_DOT : 0);
#pragma unroll
                for (int m = 0; m < PARTNERS; m++) {
                    const int v =
                        held(met_overlap[m] + (dot ? met_welcome[m] : 0),
                             MOST_LIGHT);

                    overlap_left[m] = met[m] && !now.last ? v - (v >> 2) : 0;
                    overlap[PARTNERS * ring + m * RING + slot] =
                        (short)(met[m] ? v - overlap_left[m] : 0);
                }
                int wanted = before.WANTED;
                if (now.toned) {
                    const int seen =
                        ONE - weighted(ONE - wanted, before.NEARNESS);

                    wanted -= weighted(2 * weighted(seen, absorbs), now.tone);
                } else if (dot) {
                    wanted -= weighted(wanted, absorbs);
                }
                before.WANTED = (short)max(wanted, 0);
                if (dot)
                    before.REFLECTED = (short)(before.REFLECTED - absorbed);
#endif
                before.EXCESS = (short)with_ink(before.EXCESS, e, -ONE / 8);
                before.TONED += now.toned;
                turns[i * RING + slot] = before;
#if MEETS
                if (last_turn) {
                    const int m = before.TONED >= 2
                                      ? held(light_here + before.REFLECTED -
                                                 before.WANTED,
                                             MOST_LIGHT)
                                      : 0;
                    const int back = now.first ? 0 : m >> 1;

                    light[i * RING + ((p - 1) & (RING - 1))] =
                        (short)held(light_kept + back, MOST_LIGHT);
                    light_kept = m - back;
                    light[i * RING + slot] =
                        (short)held(light_kept, MOST_LIGHT);
                }
#endif
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
