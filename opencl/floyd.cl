/*
 * floyd.cl - Floyd-Steinberg, by launches that need nothing of each other's
 * work groups. A page is cut into bricks of ROWS rows by as many columns, whose
 * rows begin two columns further left from row to row; brick j of brick row i
 * needs the one before it and brick j + 2 of the row of bricks above it. So all
 * bricks with the same 3 i + j are a launch. Twice as wide ones need brick j +
 * 1: a page takes 4 H + W steps then, and 3 H + W so.
 *
 *     group    a brick; work item r its row r, which is two columns behind row
 *              r - 1, so that the errors above it are whole
 *     step     a column of all rows; a barrier between steps
 *     inks     one after the other at each pixel
 *     local    sizeof brick + inherited + sent
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#define COLUMNS ROWS
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

/* What a launch works on. */
typedef struct {
    uint width, inks, rows; /* of the band, */
    uint row_step;          /* 1; 0: all rows have the samples of the first */
    uint row;               /* of the page, counted from the pre-roll */
    uint diagonal;          /* 3 i + j */
    uint first;             /* the least i */
    uint wanted;            /* whether dots are */
    uint pad;               /* bytes before the samples, a multiple of 4 */
} floyd_t;

/* What a row hands from brick to brick, of an ink. */
typedef struct {
    int left;   /* to its next pixel */
    int behind; /* what the row below has so far, a column behind that, */
    int below;  /* and straight below it */
    int sent;   /* what it sent down last */
    int dots;   /* of a byte that is not whole */
} carry_t;

/* What a row sees of an ink: where its samples are in the brick, and the last
 * ones. */
typedef struct {
    int own, under; /* samples in the brick, at step 0 */
    int here;
    bool toned, behind, below; /* of it, of the one below and that behind it */
} window_t;

/*
 *   samples  [rows + 1][inks][width], the last one below the band
 *   bits     [rows][inks][(width+7)/8]
 *   line     [inks][width], errors above the first brick row, then above the
 *            next one, ..
 *   carry    [rows][inks]
 */
__kernel __attribute__((reqd_work_group_size(ROWS, 1, 1))) void
floyd(__global const uint *samples, __global const ushort *curves,
      __global uchar *bits, __global short *line, __global carry_t *carry,
      const floyd_t at)
{
    __local uint brick[(ROWS + 1) * MOST * BRICK_WORDS];
    __local int inherited[MOST][COLUMNS], sent[2][MOST][ROWS];
    carry_t c[MOST];
    window_t window[MOST];
    const int r = (int)get_local_id(0);
    const int i = (int)at.first + (int)get_group_id(0);
    const int j = (int)at.diagonal - 3 * i;
    const int width = (int)at.width, y = i * ROWS + r;
    const int rows = min(ROWS, (int)at.rows - i * ROWS);
    const int begin = j * COLUMNS, last = r == rows - 1;
    const bool works = r < rows;

    /* Rows come in whole words: `skip` bytes of each stand before its first
     * column, which is 2 q columns before the brick's first row's. */
    const int inks = INKS > 0 ? INKS : (int)at.inks;
    const int words = (rows + 1) * inks * BRICK_WORDS;

    for (int first = r; first < words; first += LOADS * ROWS) {
        uint got[LOADS];

#pragma unroll
        for (int m = 0; m < LOADS; m++) {
            const int n = min(first + m * ROWS, words - 1);
            const int word = n % BRICK_WORDS, plane = n / BRICK_WORDS;
            const int q = plane / inks, ink = plane % inks;
            const size_t row = at.row_step ? i * ROWS + q : 0;
            const size_t from =
                at.pad + BYTES * ((row * inks + ink) * width + begin - 2 * q);

            got[m] = samples[from / 4 + word];
        }
#pragma unroll
        for (int m = 0; m < LOADS; m++)
            if (first + m * ROWS < words)
                brick[first + m * ROWS] = got[m];
    }
    for (int n = r; n < (int)at.inks * COLUMNS; n += ROWS) {
        const int ink = n / COLUMNS, s = n % COLUMNS;

        if (begin + s < width)
            inherited[ink][s] = line[(size_t)ink * width + begin + s];
    }
    EACH_INK(k)
    {
        carry_t none = {0, 0, 0, 0, 0};

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
    }
    for (int s = 0; s < COLUMNS; s++) {
        const int x = begin - 2 * r + s;
        int excess = 0;

        EACH_INK(k)
        {
            const size_t planes = (size_t)y * at.inks + k;
            const int sample = window[k].here;
            const bool toned = window[k].toned, below = window[k].below;
            const bool was_behind = window[k].behind;

            /* The next column's. */
            const int next = read[window[k].own + s + 1];
            const bool next_below = is_toned(read[window[k].under + s + 1]);

            window[k].here = next;
            window[k].toned = is_toned(next);
            window[k].behind = below;
            window[k].below = next_below;
            if (works && x >= 0 && x <= width) {
                int whole = c[k].behind;

                if (x < width) {
                    const bool ahead = x + 1 < width && window[k].toned;
                    const bool behind_down = x > 0 && was_behind;
                    const bool ahead_down = x + 1 < width && next_below;
                    const int place =
                        place_of_rest(below, ahead, behind_down, ahead_down);
                    const pixel_t pixel = pixel_of(sample, curves + 256 * k);
                    const int avoid =
                        min(pixel.level, 255 - pixel.level) < 85 ? 6554 : 3277;
                    const int above =
                        r == 0 ? inherited[k][s] : sent[~s & 1][k][r - 1];
                    const int u = pixel.tone + held_16(c[k].left + above);
                    int t = held_to_one(ONE / 2 + weighted(excess, avoid));

                    if (place == NOWHERE)
                        t = ((noise_of(at.row + (uint)y, (uint)k, (uint)x) +
                              32768) >>
                             2) +
                            1;
                    else if (place != DOWN)
                        t = ONE - pixel.tone;

                    const bool dot = pixel.level == 255 || (toned && u >= t);
                    const int e = error_of(u, dot, toned);
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
                    excess = with_ink(excess, e, -ONE);

                    c[k].dots |= (int)dot << (7 - x % 8);
                    if (x % 8 == 7 || x + 1 == width) {
                        if (at.wanted)
                            bits[planes * ((at.width + 7) / 8) + x / 8] =
                                (uchar)c[k].dots;
                        c[k].dots = 0;
                    }
                }
                whole = held_16(whole);
                sent[s & 1][k][r] = c[k].sent = whole;
                if (last && x > 0)
                    line[(size_t)k * width + x - 1] = (short)whole;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (works)
        EACH_INK(k)
    carry[(size_t)y * at.inks + k] = c[k];
}
