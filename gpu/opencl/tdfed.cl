/*
 * tdfed.cl - TDFED. A run diffuses a swath, since each swath needs the one
 * before it.
 *
 *   group    a segment of the swath
 *   lane     a work item, an ink of a row: lane i inks + k has ink k of row i
 *   block    BLOCK pixels of each lane, between two barriers. With rules for
 *            inks together, ink k is k blocks behind the first one; and a row
 *            is `lag` blocks behind the row above it. So all that a block
 *            needs is whole before it begins
 *   round    four blocks, of ROUND pixels: records of so many are on their way
 *            to a lane, and as many columns of the state below are then
 *            written
 *
 * Lanes exchange values in rings of RING columns of local memory. Windows of
 * WINDOW columns behind them hold the state above the swath, so that a lane of
 * the first row differs from others only in where it looks for the row above.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if SWATH > 0

#if INKS > 0
#define INKS_OF(page) INKS
#define LANE_INKS INKS
#define WINDOW 256
#else
#define INKS_OF(page) ((int)(page).inks)
#define LANE_INKS MOST_INKS
#define WINDOW 64
#endif

/* Keeps a function's arrays and structures in registers. */
#define INLINED __attribute__((always_inline))

#define FETCH (WINDOW / 4) /* columns of the state that come at once */
#define ROUND (4 * BLOCK)

/* Columns of a ring: more than the lag and a block; and more than the lead of
 * the first ink of the last row over the columns that are then written: (inks -
 * 1) BLOCK, a block, 6 columns of reach and a round. */
#define RING 32
#define RING_PLACES (RING * ITEMS)

/* Places in local memory, an int each. Rings are [RING][ITEMS], windows
 * [WINDOW][inks]. */
#define ERROR 0 /* E, being added up, and c DOT bits further up */
#define DOT 24
#define ERROR_WINDOW (ERROR + RING_PLACES)
#define COMPANY                                                                \
    (ERROR_WINDOW + WINDOW * LANE_INKS) /* V, upper 16 bits; L, lower ones */
#define COMPANY_WINDOW (COMPANY + RING_PLACES)
#define LIGHT (COMPANY_WINDOW + WINDOW * LANE_INKS) /* U, [RING][SWATH] */
#define LIGHT_WINDOW (LIGHT + RING * SWATH)         /* [WINDOW] */
#define PLACES_MEET (LIGHT_WINDOW + WINDOW)

/* Arguments of a columns. */
typedef struct {
    uint width, inks;
    uint rows;     /* 1..SWATH */
    uint prepared; /* the records' row that is the swath's first */
    uint first;    /* the band's row, likewise */
    uint swath;    /* (S) */
    uint segment;  /* 0: unbroken rows */
    uint shift;    /* h(S) */
    uint lag;      /* blocks */
    uint reach;    /* columns that errors go back, at least 1 */
} swath_t;

/* Columns of a segment, the same for all its lanes. */
typedef struct {
    int count; /* columns, of which number p, in scan order, is */
    int from;  /* from + p step */
    int step;
    int width, inks, rows;
} columns_t;

columns_t columns_of(const swath_t at, int number)
{
    const bool right = at.swath % 2 == 0;
    int begin = 0, end = (int)at.width;

    if (at.segment > 0 && number > 0)
        begin = min(end, cut_of(at.segment, at.shift, at.swath, number - 1));
    if (at.segment > 0)
        end = min(end, cut_of(at.segment, at.shift, at.swath, number));

    const columns_t columns = {end - begin,    right ? begin : end - 1,
                               right ? 1 : -1, (int)at.width,
                               INKS_OF(at),    (int)at.rows};
    return columns;
}

/* Returns the error in a sum of errors with dots. */
int error_in(int value)
{
    return value << (32 - DOT) >> (32 - DOT);
}

/* Returns how many dots are in it. */
int dots_in(int value)
{
    return (value + (1 << (DOT - 1))) >> DOT;
}

/* Fetches FETCH columns of the state above the swath, from number p on. */
INLINED void fetch(const columns_t columns, __local int *places,
                   __global const short *line, int p)
{
    const int inks = INKS_OF(columns), lines = MEETS ? 2 * inks : inks;

#if INKS > 0
#pragma unroll
#endif
    for (int n = 0; n < lines * FETCH; n += ITEMS) {
        const int at = n + (int)get_local_id(0);
        if (INKS == 0 && at >= lines * FETCH)
            break;
        const int number = at / FETCH, column = p + at % FETCH;
        const int slot = column & (WINDOW - 1);
        const size_t x =
            (size_t)(columns.from +
                     min(column, columns.count - 1) * columns.step);
        const int value = line[(size_t)number * columns.width + x];

        if (number < inks)
            places[ERROR_WINDOW + slot * inks + number] = value;
        else if (number < 2 * inks - 1)
            places[COMPANY_WINDOW + slot * inks + number - inks + 1] = value
                                                                       << 16;
        else
            places[LIGHT_WINDOW + slot] = value;
    }
}

/* Writes ROUND columns of the state below the swath, from number p on. */
void leave(const columns_t columns, __local const int *places,
           __global short *line, int p)
{
    const int inks = INKS_OF(columns);

    for (int n = (int)get_local_id(0); n < ROUND * inks; n += ITEMS) {
        const int k = n / ROUND, column = p + n % ROUND;
        const int slot = column & (RING - 1);
        const int place = slot * ITEMS + (columns.rows - 1) * inks + k;
        __global short *to = line + columns.from + column * columns.step;

        if (column < 0 || column >= columns.count)
            continue;
        to[(size_t)k * columns.width] =
            (short)held_16(error_in(places[ERROR + place]));
#if MEETS
        if (k > 0)
            to[(size_t)(inks + k - 1) * columns.width] =
                (short)(places[COMPANY + place] >> 16);
        else
            to[(size_t)(2 * inks - 1) * columns.width] =
                (short)places[LIGHT + slot * SWATH + columns.rows - 1];
#endif
    }
}

/* A lane, and what it keeps from pixel to pixel. */
typedef struct {
    int item;    /* its place in a column of the rings */
    int row;     /* (i) */
    bool first;  /* its ink is the first one, */
    bool shines; /* or the last one, which knows the light of all */
    int behind;  /* pixels by which it is behind the first lane */
    int count;   /* its pixels; 0: it idles */
    int absorbs; /* f */
    __local const short2 *taps; /* [LEVELS], tdfed() */
#if SIZES
    __local const span_t *spans; /* [SPANS] */
#endif

    /* Places of the row above; column p is p & mask steps on. */
    int mask;
    int above, above_step;             /* its ink's error, and its company */
    int light_above, light_above_step; /* and the light */

    int left;    /* and b, as c is in E */
    int company; /* left_k */
    int light;   /* U' of its last pixel, so far */
} lane_t;

/* Inherited by a pixel from the row above and from the ink before. */
typedef struct {
    int error, company, light; /* E with c, V, U */
    int reflected;             /* L */
} inherited_t;

/* State of an ink at a pixel, before its dot is chosen. */
typedef struct {
    int absorbed; /* q */
    int welcome;  /* s */
    int company;  /* v, before the dot is known */
    int push;
} encounter_t;

encounter_t meet(const lane_t *lane, const inherited_t from, int should)
{
    const int missing = should - ONE + from.reflected;
    encounter_t to;

    to.absorbed = weighted(from.reflected, lane->absorbs);
    to.welcome = missing + (missing >> 1);
    to.company = lane->company + from.company;
    to.push = 2 * (weighted(to.welcome, to.company) -
                   weighted(2 * to.absorbed, from.light));
    return to;
}

/* Three quarters of the error of a pixel that is not toned. */
int error_of_untoned(int e)
{
    const int three = 3 * held(e, ONE / 2);

    return (three + (three >> 31 & 3)) >> 2;
}

/* Diffuses the pixel of number p. Returns the size of its drop. */
INLINED uchar diffuse(lane_t *lane, __local int *places, const inherited_t from,
                      const uint4 record, int p)
{
    const int here = p * ITEMS + lane->item;
    const uint flags = record.s3;
    const bool toned = (flags & TONED) != 0, solid = (flags & SOLID) != 0;
    const int slot = here & (RING_PLACES - 1);
    const short2 taps = lane->taps[flags >> LEVEL & (LEVELS - 1)];
    const int slot1 = (here + (char)taps.s0 * ITEMS) & (RING_PLACES - 1);
    const int slot2 = (here + (taps.s0 >> 8) * ITEMS) & (RING_PLACES - 1);
    const int sum = places[ERROR + slot];
    const int sum1 = places[ERROR + slot1], sum2 = places[ERROR + slot2];
    const int u = (int)(record.s0 & 0xffff) +
                  held_16(error_in(lane->left) + held_16(error_in(from.error)));
    int push = -dots_in(lane->left + from.error) * taps.s1;
    encounter_t found = {0, 0, 0, 0};

#if MEETS
    found = meet(lane, from, (int)(record.s2 >> 16));
    push += found.push;
#endif
    const int t = ((int)record.s0 >> 16) + (flags & FREE ? push : 0);

#if SIZES
    const span_t span = lane->spans[flags >> SPAN & 7];
    const drop_t drop =
        drop_of(span, u, held_to_one(t), flags & PLACES ? ONE : span.wide);
#else
    const drop_t drop = drop_of((toned & (u >= held_to_one(t))) | solid);
#endif
    const int e = toned ? clamp(u - drop.area, -ONE, ONE - 1)
                        : error_of_untoned(u - (solid ? ONE : 0));

    /* Its error's shares. */
    const int right = weighted(e, (int)(record.s1 & 0xffff));
    const int e1 = weighted(e, (int)(record.s1 >> 16));
    const int e2 = weighted(e, (int)(record.s2 & 0xffff));
    const int rest = e - right - e1 - e2;
    const int noise = toned ? 0 : (int)record.s2 >> 16;
    const int dot = (toned & drop.larger) << DOT;

    lane->left = right + dot;
    places[ERROR + slot] = sum + rest + noise + dot;
    places[ERROR + slot1] = sum1 + e1;
    places[ERROR + slot2] = sum2 + e2;
    if (flags & PLACES) {
        const int place = (int)(flags >> PLACE & 3);
        const int aside = place == AHEAD_DOWN ? here + ITEMS : here - ITEMS;

        places[ERROR + slot] -= rest;
        if (place == AHEAD)
            lane->left += rest;
        else
            places[ERROR + (aside & (RING_PLACES - 1))] += rest;
    }
#if MEETS
    const int v =
        held(found.company + (drop.larger ? found.welcome : 0), MOST_LIGHT);
    const int reflected = from.reflected - (drop.larger ? found.absorbed : 0);
    const int m =
        flags & LIT
            ? held(from.light + reflected - (int)(record.s3 >> 16), MOST_LIGHT)
            : 0;

    lane->company = toned ? weighted(v, COMPANY_ON) : 0;
    places[COMPANY + slot] = (toned ? v - lane->company : 0) << 16 | reflected;
    if (lane->shines) {
        const int light = p * SWATH + lane->row;

        places[LIGHT + ((light - SWATH) & (RING * SWATH - 1))] =
            lane->light + (m >> 1);
        places[LIGHT + (light & (RING * SWATH - 1))] = m - (m >> 1);
    }
    lane->light = m - (m >> 1);
#endif
    return (uchar)drop.size;
}

/* Returns the values that pixel p inherits. */
inherited_t inherit(const lane_t *lane, __local const int *places, int p)
{
    const int column = p & lane->mask;
    const int place = lane->above + column * lane->above_step;
    const int error = places[place];
    inherited_t from = {p > 0 ? error : error_in(error), 0, 0, ONE};

#if MEETS
    const int before = (p * ITEMS + lane->item - 1) & (RING_PLACES - 1);

    from.company = places[COMPANY - ERROR + place] >> 16;
    from.light = places[lane->light_above + column * lane->light_above_step];
    if (!lane->first)
        from.reflected = places[COMPANY + before] & 0xffff;
#endif
    return from;
}

/* Diffuses the lane's pixels p .. p + BLOCK - 1, as far as it has them. */
INLINED void diffuse_block(lane_t *lane, __local int *places,
                           const uint4 *records, __global uchar *dots, int p)
{
    inherited_t from[BLOCK];

    if (p < 0 || p >= lane->count)
        return;
#pragma unroll
    for (int j = 0; j < BLOCK; j++)
        from[j] = inherit(lane, places, p + j);
#pragma unroll
    for (int j = 0; j < BLOCK; j++)
        places[ERROR +
               (((p + j + 1) * ITEMS + lane->item) & (RING_PLACES - 1))] = 0;
#pragma unroll
    for (int j = 0; j < BLOCK; j++)
        if (j == 0 || p + j < lane->count)
            dots[j] = diffuse(lane, places, from[j], records[j], p + j);
}

/* Diffuses the block from number p on, by its records, and then replaces these
 * by the records of a round later. */
INLINED void take_block(lane_t *lane, __local int *places, uint4 *records,
                        __global const uint4 *later, __global uchar *dots,
                        int p)
{
    diffuse_block(lane, places, records, dots, p);
#pragma unroll
    for (int j = 0; j < BLOCK; j++)
        records[j] = later[j];
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Returns the lane of a work item. */
lane_t lane_of(const columns_t columns, __constant rules_t *rules, int lag)
{
    const int item = (int)get_local_id(0), inks = INKS_OF(columns);
    const int i = item / inks, k = item % inks;
    lane_t lane = {.item = item, .row = i, .absorbs = rules->absorbed[k]};

    lane.first = k == 0;
    lane.shines = MEETS && k == inks - 1;
    if (i < columns.rows) {
        lane.behind = BLOCK * (i * lag + (MEETS ? k : 0));
        lane.count = columns.count;
    }
    if (i == 0) {
        lane.mask = WINDOW - 1;
        lane.above = ERROR_WINDOW + k;
        lane.above_step = inks;
        lane.light_above = LIGHT_WINDOW;
        lane.light_above_step = 1;
    } else {
        lane.mask = RING - 1;
        lane.above = ERROR + item - inks;
        lane.above_step = ITEMS;
        lane.light_above = LIGHT + i - 1;
        lane.light_above_step = SWATH;
    }
    return lane;
}

/* Prepares local memory, with the columns of the state that come first. */
INLINED void begin(const columns_t columns, __local int *places,
                   __global const short *line)
{
    const int item = (int)get_local_id(0);

    for (int n = item; n < RING_PLACES; n += ITEMS)
        places[ERROR + n] = 0;
#if MEETS
    for (int n = item; n < WINDOW; n += ITEMS)
        places[COMPANY_WINDOW + n * INKS_OF(columns)] =
            0; /* of the first ink */
#endif
    for (int p = 0; p < 3 * FETCH && p < columns.count; p += FETCH)
        fetch(columns, places, line, p);
}

/*
 *   records  of prepare.cl, [rows][inks][width] behind the slack
 *   dots     [rows][inks][width], sizes of drops, in scan order
 *   line     [lines][width]: the state above the swath, then below it
 *   levels   as prepare.cl has them
 */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
tdfed(__global const uint4 *restrict records, __constant rules_t *rules,
      __global const drops_t *drops, __global uchar *restrict dots,
      __global short *restrict line, __global const short8 *levels,
      const swath_t at)
{
    __local int places[MEETS ? PLACES_MEET : COMPANY];
    __local short2 taps[LEVELS];
#if SIZES
    __local span_t spans[SPANS];
#endif
    const columns_t columns = columns_of(at, (int)get_group_id(0));
    const int inks = INKS_OF(columns), lag = (int)at.lag, reach = (int)at.reach;
    const int slowest =
        BLOCK * ((columns.rows - 1) * lag + (MEETS ? inks - 1 : 0));
    lane_t lane = lane_of(columns, rules, lag);
    const int plane = lane.count > 0 ? lane.item : 0;
    const int column =
        columns.step > 0 ? columns.from : columns.width - 1 - columns.from;
    __global const uint4 *record =
        records + SLACK + ((size_t)at.prepared * inks + plane) * columns.width +
        column - lane.behind;
    __global uchar *dot = dots +
                          ((size_t)at.first * inks + plane) * columns.width +
                          column - lane.behind;
    uint4 next[ROUND];

    if (columns.count <= 0)
        return;
    begin(columns, places, line);
    lane.taps = taps;
    for (int n = lane.item; n < LEVELS; n += ITEMS)
        taps[n] = levels[n].s67;
#if SIZES
    lane.spans = spans;
    if (get_local_id(0) < SPANS)
        spans[get_local_id(0)] = drops->span[get_local_id(0)];
#endif
#pragma unroll
    for (int n = 0; n < ROUND; n++)
        next[n] = record[n];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int s = 0; s < slowest + columns.count + reach; s += ROUND) {
        const int p = s - lane.behind;

        if (s > 0 && s % FETCH == 0 && s + 2 * FETCH < columns.count)
            fetch(columns, places, line, s + 2 * FETCH);
        record += ROUND;
        take_block(&lane, places, next, record, dot, p);
        take_block(&lane, places, next + BLOCK, record + BLOCK, dot + BLOCK,
                   p + BLOCK);
        take_block(&lane, places, next + 2 * BLOCK, record + 2 * BLOCK,
                   dot + 2 * BLOCK, p + 2 * BLOCK);
        take_block(&lane, places, next + 3 * BLOCK, record + 3 * BLOCK,
                   dot + 3 * BLOCK, p + 3 * BLOCK);
        dot += ROUND;
        leave(columns, places, line, s - slowest - reach);
    }
}

/* Packs sizes of drops, [rows][inks][width] and in scan order, into bits
 * [rows][inks][], rows of whole bytes; a work item a byte of them. `row`: the
 * first one, counted from the pre-roll. */
__kernel void pack(__global const uchar *dots, __global uchar *bits, uint width,
                   uint inks, uint rows, uint row)
{
    const uint bytes = (width + BYTE_DOTS - 1) / BYTE_DOTS;
    const size_t item = get_global_id(0), line = item / bytes;
    const uint x = (uint)(item % bytes) * BYTE_DOTS;
    uint byte = 0;

    if (line >= (size_t)rows * inks)
        return;
    const bool right = (row + (uint)(line / inks)) / SWATH % 2 == 0;
    __global const uchar *from = dots + line * width;

    for (uint i = 0; i < BYTE_DOTS && x + i < width; i++)
        byte |= (uint)from[right ? x + i : width - 1 - x - i]
                << (8 - DOT_BITS * (i + 1));
    bits[item] = (uchar)byte;
}
#endif
