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
 *     local    memory of find_room(), and of the samples where there is room
 *
 * What goes from item to item stays RING steps in a ring of local memory; lag +
 * 2 are needed.
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
    uint wanted;     /* whether dots are */
    uint local_row;  /* words of an ink's row of samples in local memory, or 0 */
    uint pad;        /* bytes before the samples, a multiple of 16 */
} tdfed_t;

/* Rules for inks together: of each ink the light that it absorbs, and pairs,
 * doc/dev/halftone.md "State". */
typedef struct {
    int from, steps;
    int absorbed[MOST_INKS];
    int pair[MOST_INKS][MOST_INKS]; /* -1: none */
} rules_t;

/* What goes from turn to turn at a pixel: B, Q, O, L, M. */
typedef struct {
    short excess, toned, nearness, reflected, wanted;
} turn_t;

/* A tone that has its bits; an ink that has had its turn. */
#define MARK_TONED 0x8000
#define MARK_DOT 0x10000
#define MARK_TONE 0x7fff

long cut_of(const tdfed_t at, uint number)
{
    long column = (long)number * at.segment + at.shift;

    if (SECOND)
        column += hash(hash(at.swath) + number) % (at.segment / 4);
    return column;
}

int rise(int level)
{
    const bool dark = level >= 128;
    const int raise = clamp(64 * (64 - (dark ? 255 - level : level)), 0, ONE / 8);

    return dark ? -raise : raise;
}

/* The ink of a turn, doc/dev/halftone.md "Turns". */
int ink_of_turn(int turn, int inks, uint swath)
{
    const int kept = inks >= 4;

    return swath / 2 % 2 == 0 || turn < kept ? turn : inks - 1 + kept - turn;
}

/* The samples of a row, with `first` the segment's first column: in local
 * memory, or on the device. */
typedef struct {
    __local const sample_t *near;
    __global const sample_t *far;
} row_t;

int sample_of(const row_t row, int x)
{
    return row.near ? row.near[x] : row.far[x];
}

#define MOST_LIGHT (ONE - 1) /* of v, m and U in size */

/* O. */
int nearness_of(__constant rules_t *rules, int tone)
{
    const int above = tone - rules->from;

    return above <= 0 ? 0 : min(above << (rules->steps + 1), 32767);
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

    /* Local memory. */
    __local short8 *level_at = (__local short8 *)room;
    __local turn_t *turns = (__local turn_t *)(level_at + 256);
    __local short *error = (__local short *)(turns + SWATH * RING);
    __local short *aside = error + words;
    __local uint *marks = (__local uint *)(aside + words);
    __local short *overlap = (__local short *)(marks + (MEETS ? words : 0));
    __local short *light = overlap + (MEETS ? PARTNERS * words : 0);
    __local uchar *dbs = (__local uchar *)(light + (MEETS ? SWATH * RING : 0));
    __local uint4 *near =
        (__local uint4 *)(dbs + (SWATH + 1) * inks * 16);

    for (int n = item; n < 256; n += items)
        level_at[n] = levels[n];
    for (int n = item; n < words; n += items)
        error[n] = aside[n] = 0;
    if (at.local_row > 0 && count > 0) {
        const int per_row = (int)at.local_row;

        for (int n = item; n < (rows + 1) * inks * per_row; n += items) {
            const int plane = n / per_row;
            const size_t from =
                at.pad + BYTES * ((size_t)(at.row_step ? at.first * inks + plane
                                                       : plane % inks) *
                                      width +
                                  begin);

            near[n] = ((__global const uint4 *)samples)[from / 16 + n % per_row];
        }
    }

    /* The item's row, ink and partners. */
    const int i = item / inks, turn = item % inks;
    const int ink = ink_of_turn(turn, inks, at.swath);
    const int copy = ink + (inks >= 4);
    const uint row = at.row + (uint)i;
    const bool works = i < rows, takes = i == rows;
    const bool first_turn = turn == 0, last_turn = turn == inks - 1;
    const int step = at.swath % 2 == 0 ? 1 : -1;
    const int from = at.swath % 2 == 0 ? begin : end - 1;
    const int ring = (i * inks + turn) * RING;
    const int ring_above = ring - inks * RING;
    __local uchar *dbs_row = dbs + item * 16;
    row_t own = {0, 0}, under = {0, 0};
    int partners = 0, partner[PARTNERS] = {0, 0, 0};
    int partner_pair[PARTNERS] = {0, 0, 0};
    int overlap_left[PARTNERS] = {0, 0, 0};
    int left = 0, light_kept = 0;

    if (works) {
        const uint y = (row + 79 * (copy / 2)) % 128;

        for (int n = 0; n < 16; n++)
            dbs_row[n] = pattern[y * 16 + n];
        for (int n = 0; n < 2; n++) {
            const size_t plane =
                at.row_step ? (size_t)(at.first + i + n) * inks + ink : ink;
            const size_t bytes = at.pad + BYTES * (plane * width + begin);
            row_t *to = n == 0 ? &own : &under;

            to->far = (__global const sample_t *)(samples + bytes) - begin;
            if (at.local_row > 0)
                to->near = (__local const sample_t
                                *)((__local const uchar *)(near +
                                                           ((i + n) * inks +
                                                            ink) *
                                                               at.local_row) +
                                   bytes % 16) -
                           begin;
        }
    }
#if MEETS
    for (int before = 0; before < turn; before++) {
        const int other = ink_of_turn(before, inks, at.swath);

        if (rules->pair[ink][other] >= 0) {
            partner[partners] = other;
            partner_pair[partners++] = rules->pair[ink][other];
        }
    }
    const int absorbs = rules->absorbed[ink];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);

    const int steps = count > 0 ? count + rows * (int)at.lag + inks - 1 : 0;

    for (int s = 0; s < steps; s++) {
        const int p = s - i * (int)at.lag - turn;
        const int slot = p & (RING - 1);
        const int x = from + p * step;

        if (takes && p >= 0 && p < count) {
            int whole = error[ring_above + slot];

            if (SECOND)
                whole = held_16(whole + aside[ring_above + slot]);
            error[ring_above + slot] = aside[ring_above + slot] = 0;
            line[(size_t)ink * width + x] = (short)whole;
#if MEETS
            for (int m = 0; m < partners; m++)
                line[(size_t)(inks + partner_pair[m]) * width + x] =
                    overlap[PARTNERS * ring_above + m * RING + slot];
            if (last_turn)
                line[(size_t)(inks + at.pairs) * width + x] =
                    light[(i - 1) * RING + slot];
#endif
        }
        if (works && p >= 0 && p < count) {
            const bool first = p == 0, last = p + 1 == count;
            const int sample = sample_of(own, x);
            const pixel_t pixel = pixel_of(sample, curves + 256 * ink);
            const bool toned = is_toned(sample);
            const int level = pixel.level;
            const short8 w = level_at[level];
            const int c1 = (char)(w.s7 & 255), c2 = w.s7 >> 8;
            turn_t before = {0, 0, 0, ONE, ONE};

            if (!first_turn)
                before = turns[i * RING + slot];

            /* What it inherits; the ring's places are free again. */
            int above;
            if (i == 0) {
                above = line[(size_t)ink * width + x];
            } else {
                above = error[ring_above + slot];
                if (SECOND)
                    above = held_16(above + aside[ring_above + slot]);
                error[ring_above + slot] = aside[ring_above + slot] = 0;
            }
            const int got = left + above;
            const int u = pixel.tone + (SECOND ? held_16(got) : got);

            /* Where its error may go. */
            const int under_here = sample_of(under, x);
            const bool below = is_toned(under_here);
            const bool ahead =
                !last && (!SECOND || is_toned(sample_of(own, x + step)));
            const bool behind_down =
                SECOND && !below && !first && is_toned(sample_of(under, x - step));
            const bool ahead_down =
                SECOND && !below && !last && is_toned(sample_of(under, x + step));
            const int place =
                place_of_rest(below, ahead, behind_down, ahead_down);
            const bool gives1 =
                p + c1 >= 0 && p + c1 < count &&
                (!SECOND || is_toned(sample_of(under, x + c1 * step)));
            const bool gives2 =
                p + c2 >= 0 && p + c2 < count &&
                (!SECOND || is_toned(sample_of(under, x + c2 * step)));

            /* The threshold. */
            const int px = (x + 37 * (copy / 2)) & 127;
            const bool dbs_dot =
                ((dbs_row[px >> 3] >> (7 - (px & 7)) & 1) ^ (copy & 1)) != 0;
            const bool middle =
                level >= (int)at.middle && level < 256 - (int)at.middle;
            int t = before.toned > 0 && !middle ? (w.s3 + w.s4) >> 1
                    : dbs_dot                   ? w.s4
                                                : w.s3;

            if (last)
                t += rise(level);
            if (SECOND)
                t = held_to_one(t);
            t += weighted(before.excess, w.s5);
#if MEETS
            int met_overlap[PARTNERS], met_welcome[PARTNERS], sum = 0;
            bool met[PARTNERS];
            const int light_here =
                i == 0 ? line[(size_t)(inks + at.pairs) * width + x]
                       : light[(i - 1) * RING + slot];
            const int absorbed = weighted(before.reflected, absorbs);

            if (toned)
                before.nearness = (short)max((int)before.nearness,
                                             nearness_of(rules, pixel.tone));
            for (int m = 0; m < partners; m++) {
                const uint mark = marks[(i * inks + partner[m]) * RING + slot];

                met[m] = toned && (mark & MARK_TONED);
                met_overlap[m] = met_welcome[m] = 0;
                if (met[m]) {
                    const int v =
                        i == 0 ? line[(size_t)(inks + partner_pair[m]) * width +
                                      x]
                               : overlap[PARTNERS * ring_above + m * RING +
                                         slot];

                    met_overlap[m] = held(overlap_left[m] + v, MOST_LIGHT);
                    met_welcome[m] =
                        weighted((int)(mark & MARK_TONE), before.nearness) -
                        (mark & MARK_DOT ? ONE : 0);
                    sum += weighted(met_welcome[m], met_overlap[m]);
                }
            }
            if (toned)
                t += 4 * weighted((sum >> 1) - weighted(absorbed, light_here),
                                  before.nearness);
#endif
            if (SECOND)
                t = held_to_one(t);
            if (place == NOWHERE)
                t = ((noise_of(row, (uint)ink, (uint)x) + 32768) >> 2) + 1;
            else if (place != DOWN)
                t = ONE - pixel.tone;

            /* The dot, and its error's shares. */
            const bool dot = level == 255 || (toned && u >= t);
            const int e = error_of(u, dot, toned);
            const int right = ahead ? weighted(e, w.s0) : 0;
            const int e1 = gives1 ? weighted(e, w.s1) : 0;
            const int e2 = gives2 ? weighted(e, w.s2) : 0;
            const int rest = e - right - e1 - e2;
            int down = place == DOWN || place == NOWHERE ? rest : 0;

            left = right + (place == AHEAD ? rest : 0);
            if (gives1)
                error[ring + (p + c1 & RING - 1)] += e1;
            if (gives2)
                error[ring + (p + c2 & RING - 1)] += e2;
            if (place == BEHIND_DOWN)
                aside[ring + (p - 1 & RING - 1)] += rest;
            if (place == AHEAD_DOWN)
                aside[ring + (p + 1 & RING - 1)] += rest;
            if (SECOND && !toned && below) {
                const int under_level =
                    pixel_of(under_here, curves + 256 * ink).level;

                down += weighted(noise_of(row, (uint)ink, (uint)x),
                                 level_at[under_level].s6);
            }
            error[ring + slot] += down;
            if (at.wanted)
                dots[((size_t)(at.first + i) * inks + ink) * width + x] =
                    (uchar)dot;

#if MEETS
            marks[(i * inks + ink) * RING + slot] =
                (uint)pixel.tone | (toned ? MARK_TONED : 0) |
                (dot ? MARK_DOT : 0);
            for (int m = 0; m < partners; m++) {
                int v = held(met_overlap[m] + (dot ? met_welcome[m] : 0), MOST_LIGHT);

                overlap_left[m] = met[m] && !last ? v - (v >> 2) : 0;
                overlap[PARTNERS * ring + m * RING + slot] =
                    (short)(met[m] ? v - overlap_left[m] : 0);
            }
            int wanted = before.wanted;
            if (toned) {
                const int seen =
                    ONE - weighted(ONE - wanted, before.nearness);

                wanted -= weighted(2 * weighted(seen, absorbs), pixel.tone);
            } else if (dot) {
                wanted -= weighted(wanted, absorbs);
            }
            before.wanted = (short)max(wanted, 0);
            if (dot)
                before.reflected = (short)(before.reflected - absorbed);
#endif
            before.excess = (short)with_ink(before.excess, e, -ONE / 8);
            before.toned += toned;
            turns[i * RING + slot] = before;
#if MEETS
            if (last_turn) {
                int m = before.toned >= 2
                            ? held(light_here + before.reflected -
                                       before.wanted,
                                   MOST_LIGHT)
                            : 0;
                const int back = first ? 0 : m >> 1;

                light[i * RING + (p - 1 & RING - 1)] =
                    (short)held(light_kept + back, MOST_LIGHT);
                light_kept = m - back;
                light[i * RING + slot] = (short)held(light_kept, MOST_LIGHT);
            }
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
