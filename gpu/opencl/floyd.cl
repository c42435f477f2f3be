/*
 * floyd.cl - Floyd-Steinberg, in runs whose work groups do not need each
 * other's results. A page is cut into bricks of ITEMS rows by as many columns,
 * whose rows begin two columns further left from row to row; brick j of brick
 * row i needs the one before it and brick j + 2 of the row of bricks above it.
 * So all bricks with the same 3 i + j are a run. Twice as wide ones would need
 * brick j + 1, and a page 4 H + W steps in place of 3 H + W.
 *
 *   group    a brick; work item r its row r, which is two columns behind row
 *            r - 1, so that the errors above it are whole
 *   step     a column of all rows; a barrier between steps
 *   inks     one after the other at each pixel
 *   local    sizeof brick + inherited + sent, and the same of light
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#if SWATH == 0

#define COLUMNS ITEMS
#define MOST (INKS > 0 ? INKS : MOST_INKS)
#if INKS > 0
#define EACH_INK(k) _Pragma("unroll") for (int k = 0; k < INKS; k++)
#else
#define EACH_INK(k) for (int k = 0; k < (int)at.inks; k++)
#endif

/* Bytes of a row of a brick: its columns, three more for the row above, and
 * those before them in a word of 4 bytes. */
#define BRICK_WORDS ((COLUMNS + 4) * BYTES / 4 + 1)

#define LOADS 8 /* words of a brick that are on their way to an item */

/* Arguments of a run. */
typedef struct {
    uint width, inks, rows; /* of the band, */
    uint row_step;          /* 1; 0: all rows have the samples of the first */
    uint row;               /* of the page, counted from the pre-roll */
    uint diagonal;          /* 3 i + j */
    uint first;             /* the least i */
    uint wanted;            /* whether dots are */
    uint pad;               /* bytes before the samples, a multiple of 4 */
} floyd_t;

/* State of an ink's row that passes from brick to brick. */
typedef struct {
    int left;    /* to its next pixel */
    int behind;  /* what the row below has so far, a column behind that, */
    int below;   /* and straight below it */
    int sent;    /* what it sent down last: SENT() */
    int dots;    /* of a byte that is not whole */
    int company; /* to its next pixel (left_k) */
    int kept;    /* and what that below it gets (V), a column behind */
} carry_t;

/* State of a row's light: the part for the row below, a column behind (U'), and
 * the last part that was sent down. */
typedef struct {
    int kept, sent;
} carried_light_t;

/* An error and an ink's company (E, V), each of 16 bits. */
#define SENT(error, company) ((int)((company) << 16 | ((error)&0xffff)))
#define ERROR_OF(sent) ((int)(short)(sent))
#define COMPANY_OF(sent) ((sent) >> 16)

/* Window of a row onto an ink: its samples in the brick, and the last ones. */
typedef struct {
    int own, under; /* samples in the brick, at step 0 */
    int here;
    bool toned, behind, below; /* of it, of the one below and that behind it */
    int left_out;              /* left_out() */
} window_t;

/*
 *   samples  [rows + 1][inks][width], the last one below the band
 *   pattern  as of prepare()
 *   bits     [rows][inks][], rows of whole bytes
 *   line     [lines][width], the state above the first brick row, then above
 *            the next one, ..
 *   carry    [rows][inks], and carried_light_t [rows] behind that
 */
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
floyd(__global const uint *samples, __global const ushort *curves,
      __constant rules_t *rules, __global const drops_t *restrict drops,
      __global const uchar *restrict pattern, __global uchar *bits,
      __global short *line, __global carry_t *carry, const floyd_t at)
{
    __local uint brick[(ITEMS + 1) * MOST * BRICK_WORDS];
    __local int inherited[MOST][COLUMNS], sent[2][MOST][ITEMS];
    carry_t c[MOST];
    window_t window[MOST];
#if SIZES
    __local span_t spans[SPANS];
    const int3 inner = inner_sizes(drops);
#endif
#if MEETS
    __local int inherited_light[COLUMNS], sent_light[2][ITEMS];
    __global carried_light_t *carried =
        (__global carried_light_t *)(carry + (size_t)at.rows * at.inks);
    carried_light_t light = {0, 0};
#endif
    const int r = (int)get_local_id(0);
    const int i = (int)at.first + (int)get_group_id(0);
    const int j = (int)at.diagonal - 3 * i;
    const int width = (int)at.width, y = i * ITEMS + r;
    const int rows = min(ITEMS, (int)at.rows - i * ITEMS);
    const int begin = j * COLUMNS, last = r == rows - 1;
    const bool works = r < rows;

    /* Rows come in whole words: `skip` bytes of each stand before its first
     * column, which is 2 q columns before the brick's first row's. */
    const int inks = INKS > 0 ? INKS : (int)at.inks;
    const int words = (rows + 1) * inks * BRICK_WORDS;
    const uint bytes = (at.width + BYTE_DOTS - 1) / BYTE_DOTS;

    for (int first = r; first < words; first += LOADS * ITEMS) {
        uint got[LOADS];

#pragma unroll
        for (int m = 0; m < LOADS; m++) {
            const int n = min(first + m * ITEMS, words - 1);
            const int word = n % BRICK_WORDS, plane = n / BRICK_WORDS;
            const int q = plane / inks, ink = plane % inks;
            const size_t row = at.row_step ? i * ITEMS + q : 0;
            const size_t from =
                at.pad + BYTES * ((row * inks + ink) * width + begin - 2 * q);

            got[m] = samples[from / 4 + word];
        }
#pragma unroll
        for (int m = 0; m < LOADS; m++)
            if (first + m * ITEMS < words)
                brick[first + m * ITEMS] = got[m];
    }
    for (int n = r; n < (int)at.inks * COLUMNS; n += ITEMS) {
        const int ink = n / COLUMNS, s = n % COLUMNS;

        if (begin + s >= width)
            continue;
        const int error = line[(size_t)ink * width + begin + s];
        int company = 0;

#if MEETS
        if (ink > 0)
            company = line[(size_t)(inks + ink - 1) * width + begin + s];
        else
            inherited_light[s] =
                line[(size_t)(2 * inks - 1) * width + begin + s];
#endif
        inherited[ink][s] = SENT(error, company);
    }
#if SIZES
    if (r < SPANS)
        spans[r] = drops->span[r];
#endif
#if MEETS
    if (works && j > 0)
        light = carried[y];
    sent_light[1][r] = light.sent;
#endif
    EACH_INK(k)
    {
        carry_t none = {0, 0, 0, 0, 0, 0, 0};

        c[k] = works && j > 0 ? carry[(size_t)y * at.inks + k] : none;
        sent[1][k][r] = c[k].sent;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    __local const sample_t *read = (__local const sample_t *)brick;

    EACH_INK(k)
    {
        const size_t own =
            at.pad +
            BYTES *
                ((size_t)((at.row_step ? y * (int)at.inks : 0) + k) * at.width +
                 begin - 2 * r);
        const size_t under =
            own + BYTES * ((size_t)at.row_step * at.inks * at.width - 2);
        const int plane = min(r, rows - 1) * (int)at.inks + k;

        window[k].own = (plane * BRICK_WORDS * 4 + (int)(own % 4)) / BYTES;
        window[k].under =
            ((plane + (int)at.inks) * BRICK_WORDS * 4 + (int)(under % 4)) /
                BYTES +
            2;
        window[k].here = read[window[k].own];
        window[k].toned = is_toned(window[k].here);
        window[k].behind = is_toned(read[window[k].under - 1]);
        window[k].below = is_toned(read[window[k].under]);
        window[k].left_out =
            left_out(drops, pattern, at.row + (uint)y, begin - 2 * r, k, inks);
    }
    for (int s = 0; s < COLUMNS; s++) {
        const int x = begin - 2 * r + s;
        const bool inside = works && x >= 0 && x < width;
#if MEETS
        const int light_above =
            r == 0 ? inherited_light[s] : sent_light[~s & 1][r - 1];
        wish_t wished = {0, 0, ONE};
        int reflected = ONE; /* L */
#endif

        EACH_INK(k)
        {
            const size_t planes = (size_t)y * at.inks + k;
            const int sample = window[k].here;
            const bool toned = window[k].toned, below = window[k].below;
            const bool was_behind = window[k].behind;
            const int without = window[k].left_out;

            /* The next column's. */
            const int next = read[window[k].own + s + 1];
            const bool next_below = is_toned(read[window[k].under + s + 1]);

            window[k].here = next;
            window[k].toned = is_toned(next);
            window[k].behind = below;
            window[k].below = next_below;
            window[k].left_out =
                left_out(drops, pattern, at.row + (uint)y, x + 1, k, inks);
            if (works && x >= 0 && x <= width) {
                int whole = c[k].behind;

                int company = c[k].kept;

                if (inside) {
                    const bool ahead = x + 1 < width && window[k].toned;
                    const bool behind_down = x > 0 && was_behind;
                    const bool ahead_down = x + 1 < width && next_below;
                    const int place =
                        place_of_rest(below, ahead, behind_down, ahead_down);
                    const pixel_t pixel = pixel_of(sample, curves + 256 * k);
                    const int above =
                        r == 0 ? inherited[k][s] : sent[~s & 1][k][r - 1];
                    const int u =
                        pixel.tone + held_16(c[k].left + ERROR_OF(above));
                    int t = ONE / 2;
#if SIZES
                    const span_t span = spans[span_of(inner, pixel, without)];
                    const pixel_t together = pixel_within(span, pixel);
#else
                    const pixel_t together = pixel;
#endif

#if MEETS
                    const int absorbs = rules->absorbed[k];
                    const int missing =
                        wish(&wished, rules, absorbs, together, toned) -
                        (ONE - reflected);
                    const int met = c[k].company + COMPANY_OF(above);

                    const int absorbed = weighted(reflected, absorbs);
                    const int welcome = missing + (missing >> 1);

                    t = held_to_one(t +
                                    2 * (weighted(welcome, met) -
                                         weighted(2 * absorbed, light_above)));
#endif
                    if (place == NOWHERE)
                        t = ((noise_of(at.row + (uint)y, (uint)k, (uint)x) +
                              32768) >>
                             2) +
                            1;
                    const bool forced = place != NOWHERE && place != DOWN;
#if SIZES
                    const drop_t drop = drop_of(
                        span, u, forced ? AREA_OF(span.high) - pixel.tone : t,
                        forced ? ONE : span.wide);
#else
                    t = forced ? ONE - pixel.tone : t;
                    const drop_t drop =
                        drop_of(pixel.level == 255 || (toned && u >= t));
#endif
                    const int e = error_of(u, drop.area, toned);
                    const int right = ahead ? weighted(e, 7 << 11) : 0;
                    const int back = behind_down ? weighted(e, 3 << 11) : 0;
                    const int forth = ahead_down ? weighted(e, 1 << 11) : 0;
                    const int rest = e - right - back - forth;

                    c[k].left = right + (place == AHEAD ? rest : 0);
                    whole += back + (place == BEHIND_DOWN ? rest : 0);
                    c[k].behind =
                        c[k].below +
                        (place == DOWN || place == NOWHERE ? rest : 0);
                    c[k].below = forth + (place == AHEAD_DOWN ? rest : 0);
#if MEETS
                    const int v =
                        held(met + (drop.larger ? welcome : 0), MOST_LIGHT);

                    c[k].company = toned && k > 0 ? weighted(v, COMPANY_ON) : 0;
                    c[k].kept = toned && k > 0 ? v - c[k].company : 0;
                    reflected -= drop.larger ? absorbed : 0;
#endif

                    c[k].dots |= drop.size
                                 << (8 - DOT_BITS * (x % BYTE_DOTS + 1));
                    if (x % BYTE_DOTS == BYTE_DOTS - 1 || x + 1 == width) {
                        if (at.wanted)
                            bits[planes * bytes + x / BYTE_DOTS] =
                                (uchar)c[k].dots;
                        c[k].dots = 0;
                    }
                }
                whole = held_16(whole);
                sent[s & 1][k][r] = c[k].sent = SENT(whole, company);
                if (last && x > 0) {
                    line[(size_t)k * width + x - 1] = (short)whole;
#if MEETS
                    if (k > 0)
                        line[(size_t)(inks + k - 1) * width + x - 1] =
                            (short)company;
#endif
                }
            }
        }
#if MEETS
        if (works && x >= 0 && x <= width) {
            const int m =
                inside && wished.toned >= 2
                    ? held(light_above + reflected - wished.wanted, MOST_LIGHT)
                    : 0;

            sent_light[s & 1][r] = light.sent = light.kept + (m >> 1);
            light.kept = m - (m >> 1);
            if (last && x > 0)
                line[(size_t)(2 * inks - 1) * width + x - 1] =
                    (short)light.sent;
        }
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (works) {
        EACH_INK(k)
        {
            carry[(size_t)y * at.inks + k] = c[k];
        }
#if MEETS
        carried[y] = light;
#endif
    }
}
#endif
