/*
 * strokes.c - finds thin strokes, and where a row may change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/black/strokes.h"

#define TONE_REACH 8u /* of 255: one tone, of a JPEG, too */

static inline void store(uint8_t *to, bytes v)
{
    memcpy(to, &v, sizeof v);
}

uint32_t strokes_pixels(uint32_t dpi)
{
    uint32_t pixels = dpi * 12 / 254;

    return pixels < 2 ? 2 : pixels > STROKES_MOST ? STROKES_MOST : pixels;
}

/* ---- Memory ------------------------------------------------------------- */

static uint8_t *marks_at(const struct strokes *s, size_t row)
{
    return s->marked + BYTES + row % s->ring.rows * padded(s);
}

/* Returns the rows above one that it may look at: the dark end of an edge, and
 * what is flat behind it. */
static size_t rows_above(const struct strokes *s)
{
    return 3 * (size_t)s->reach - 1;
}

/* Begins with nothing in the rows above the page. */
static bool open_since(const struct strokes *s, struct since *since)
{
    since->rows = malloc(padded(s));
    if (since->rows != NULL)
        memset(since->rows, UINT8_MAX, padded(s));
    return since->rows != NULL;
}

bool strokes_open(struct strokes *s, const struct two_level *dots,
                  uint32_t width, uint32_t bits, uint32_t across, uint32_t down)
{
    assert(across >= 1 && down >= 1 && down <= STROKES_MOST);
    *s = (struct strokes){.dots = dots, .across = across, .down = down};
    const size_t most =
        STROKES_MOST_BYTES / ((size_t)dots->inks * width * (bits / 8));
    if (s->down > most)
        s->down = (uint32_t)most;
    s->reach = ((s->across < s->down ? s->across : s->down) + 1) / 2;
    if (s->reach > STROKES_REACH)
        s->reach = STROKES_REACH;
    s->hairline = (s->reach + 2) / 3;
    s->ahead = s->down + s->reach + 2;
    if (s->ahead < 3 * s->reach + 5) /* as sort_row() looks for gaps */
        s->ahead = 3 * s->reach + 5;
    const size_t rows = s->ahead + rows_above(s);
    const bool ring = row_ring_open(&s->ring, dots->inks, width, bits, rows);
    s->marked = malloc(s->ring.rows * padded(s) + 2 * BYTES);
    s->full = malloc(s->ring.rows);
    s->kinds = calloc(1, STROKES_KINDS * (padded(s) + BYTES) + BYTES);
    s->cuts = malloc(STROKES_KINDS * padded(s));
    s->depths = malloc(STROKES_KINDS * padded(s) + 2 * BYTES);
    s->beside = calloc(1, padded(s) + 4 * BYTES);
    s->work = malloc(padded(s) + BYTES);
    s->edges = malloc(padded(s));
    s->above = calloc(1, padded(s));
    s->tall = malloc(padded(s));
    const bool counts = open_since(s, &s->square) && open_since(s, &s->wide) &&
                        open_since(s, &s->paper) && open_since(s, &s->step);
    memset(s->gray, true, sizeof s->gray); /* what is 0 is */
    return ring && counts && s->marked != NULL && s->full != NULL &&
           s->kinds != NULL && s->cuts != NULL && s->depths != NULL &&
           s->beside != NULL && s->work != NULL && s->edges != NULL &&
           s->above != NULL && s->tall != NULL;
}

void strokes_close(struct strokes *s)
{
    row_ring_close(&s->ring);
    free(s->marked);
    free(s->full);
    free(s->kinds);
    free(s->cuts);
    free(s->depths);
    free(s->beside);
    free(s->work);
    free(s->edges);
    free(s->above);
    free(s->tall);
    free(s->square.rows);
    free(s->wide.rows);
    free(s->paper.rows);
    free(s->step.rows);
}

/* ---- Rows come -------------------------------------------------------- */

bool strokes_want(const struct strokes *s)
{
    return s->ring.put < s->ring.taken + s->ahead;
}

/* Tells whether a row is bare paper from side to side. It has no marks. */
static bool is_bare(const struct strokes *s, size_t row)
{
    return *row_ring_inked(&s->ring, row) == 0;
}

/* Marks the pixels of a row that are no bare paper. */
static void mark(struct strokes *s, size_t number)
{
    const uint8_t *row = row_ring_at(&s->ring, number);
    uint8_t *marks = marks_at(s, number);
    const uint16_t inked = *row_ring_inked(&s->ring, number);

    memset(marks, 0, padded(s));
    for (uint32_t k = 0; k < s->ring.inks; k++, row += s->ring.plane) {
        size_t x = 0;

        if ((inked >> k & 1) == 0)
            continue;
        for (; s->ring.bits == 8 && x + BYTES <= s->ring.width; x += BYTES) {
            bytes now = load(marks + x) |
                        (bytes)(load(row + x) > (uint8_t)STROKES_PAPER);

            store(marks + x, now);
        }
        for (; x < s->ring.width; x++)
            if (upper(s, row, x) > STROKES_PAPER)
                marks[x] = UINT8_MAX;
    }
}

/* Finds how dark the pixels of a row are. */
static void find_depths(struct strokes *s, size_t number)
{
    static const unsigned shifts[] = {0, 2, 1, 2};
    const uint32_t inks = s->ring.inks;
    const uint8_t *row = row_ring_at(&s->ring, number);
    uint8_t *depths = depths_at(s, number);

    memset(depths, 0, padded(s));
    for (uint32_t k = 0; k < inks; k++, row += s->ring.plane) {
        const unsigned shift = shifts[k + (inks == 3)];
        size_t x = 0;

        if ((*row_ring_inked(&s->ring, number) >> k & 1) == 0)
            continue;
        for (; s->ring.bits == 8 && x + BYTES <= s->ring.width; x += BYTES) {
            const bytes sum = load(depths + x) + (load(row + x) >> shift);

            store(depths + x, sum | (bytes)(sum < load(depths + x)));
        }
        for (; x < s->ring.width; x++) {
            const unsigned sum = depths[x] + (upper(s, row, x) >> shift);

            depths[x] = (uint8_t)(sum < UINT8_MAX ? sum : UINT8_MAX);
        }
    }
}

void strokes_put(struct strokes *s, const void *row, uint16_t inked)
{
    assert(strokes_want(s));
    row_ring_put(&s->ring, row, inked);
    if (inked != 0)
        mark(s, s->ring.put - 1);
    s->full[(s->ring.put - 1) % s->ring.rows] =
        inked != 0 &&
        memchr(marks_at(s, s->ring.put - 1), 0, s->ring.width) == NULL;
}

/* ---- Thin pixels ------------------------------------------------------ */

/* Makes counts of rows those up to the last row. */
static void settle(const struct strokes *s, struct since *since)
{
    const uint8_t more =
        (uint8_t)(since->more < UINT8_MAX ? since->more : UINT8_MAX);

    if (since->anew)
        memset(since->rows, 0, padded(s));
    for (size_t x = 0; more > 0 && x < s->ring.width; x += BYTES) {
        const bytes now = load(since->rows + x), left = ~now;
        const bytes full = (bytes)(left < more);

        store(since->rows + x, now + ((left & full) | (more & ~full)));
    }
    since->anew = false;
    since->more = 0;
}

/* Counts a row that has it in all columns. */
static void begin_anew(struct since *since)
{
    since->anew = true;
    since->more = 0;
}

/* Counts the marked pixels of each column up to the row after those seen.
 * `marks` are its marks, or NULL below the page, which goes on as its last row
 * does; above it, as its first. */
static void count_columns(struct strokes *s, const uint8_t *marks)
{
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes above = load(s->above + x), since = load(s->square.rows + x);
        const bytes marked =
            marks != NULL ? load(marks + x) : (bytes)(above > (uint8_t)0);

        if (s->seen == 0)
            above |= marked & (uint8_t)s->down;
        else
            above = (above - (bytes)(above < (uint8_t)s->down)) & marked;
        since -= (bytes)(since < (uint8_t)UINT8_MAX);
        store(s->above + x, above);
        store(s->square.rows + x, since);
        store(s->tall + x, (bytes)(above == (uint8_t)s->down));
    }
}

/* Ends, in the row after those seen, the squares of which it is the last row. A
 * stretch at a side of the page goes on there. */
static void find_squares(struct strokes *s, const uint8_t *marks)
{
    const size_t width = s->ring.width;

    settle(s, &s->square);
    count_columns(s, marks);
    for (size_t first, end = 0;
         find_stretch(s->tall, width, UINT8_MAX, &first, &end);)
        if (end - first >= s->across || first == 0 || end == width)
            memset(s->square.rows + first, 0, end - first);
}

/* Tells whether a row has no paper, or lies below the page and goes on as its
 * last row. */
static bool is_full(const struct strokes *s, size_t row)
{
    if (row >= s->ring.put)
        row = s->ring.put - 1;
    return s->full[row % s->ring.rows] != 0;
}

/* Sees the row after those seen. */
static void see_row(struct strokes *s)
{
    const bool full = is_full(s, s->seen);

    if (full && s->full_seen >= s->down) {
        begin_anew(&s->square);
        s->all_square = s->seen + 1;
    } else if (s->seen < s->ring.put && is_bare(s, s->seen)) {
        memset(s->above, 0, padded(s));
        s->square.more++;
    } else {
        find_squares(s, s->seen < s->ring.put ? marks_at(s, s->seen) : NULL);
    }
    /* Above the page it goes on as its first row. */
    s->full_seen = !full ? 0 : s->seen == 0 ? s->down : s->full_seen + 1;
    s->seen++;
}

/* ---- Pixels that hang on wide ones --------------------------------------- */

/* Tells whether two pixels have one tone. */
static bool is_one_tone(const struct strokes *s, size_t row, size_t x,
                        size_t row2, size_t x2)
{
    uint8_t a[4] = {0}, b[4] = {0};

    sample_at(s, row, x, a);
    sample_at(s, row2, x2, b);
    for (uint32_t k = 0; k < s->ring.inks; k++)
        if (a[k] > b[k] + TONE_REACH || b[k] > a[k] + TONE_REACH)
            return false;
    return true;
}

/* Tells whether a pixel touches a wide one of its tone, above it. */
static bool hangs_on_above(const struct strokes *s, size_t x,
                           const uint8_t *above)
{
    const size_t row = s->sorted, last = x + 1 < s->ring.width ? x + 1 : x;

    for (size_t i = x > 0 ? x - 1 : 0; i <= last; i++)
        if (above[i] == WIDE && is_one_tone(s, row, x, row - 1, i))
            return true;
    return false;
}

/* Makes strokes wide that touch something wide of their tone, in the row above
 * or in theirs. */
static void widen(struct strokes *s)
{
    uint8_t *kinds = kinds_at(s, s->sorted);
    const uint8_t *above = s->sorted > 0 ? kinds_at(s, s->sorted - 1) : NULL;

    if (above != NULL && memchr(above, WIDE, s->ring.width) == NULL)
        above = NULL;
    if (above == NULL && memchr(kinds, WIDE, s->ring.width) == NULL)
        return;
    for (size_t x = 0; x < s->ring.width; x++)
        if (kinds[x] == STROKE &&
            ((above != NULL && hangs_on_above(s, x, above)) ||
             (x > 0 && kinds[x - 1] == WIDE &&
              is_one_tone(s, s->sorted, x, s->sorted, x - 1))))
            kinds[x] = WIDE;
    for (size_t x = s->ring.width - 1; x-- > 0;)
        if (kinds[x] == STROKE && kinds[x + 1] == WIDE &&
            is_one_tone(s, s->sorted, x, s->sorted, x + 1))
            kinds[x] = WIDE;
}

/* Makes strokes wide that white letters enclose in a panel: they lie between
 * two wide stretches of their tone that are as near as a stroke is wide, and so
 * does all that is between them; somewhere above them is something wide. */
static void widen_enclosed(struct strokes *s)
{
    const size_t row = s->sorted;
    uint8_t *kinds = kinds_at(s, row);
    size_t first = 0; /* pixel that may be enclosed */
    size_t end = 0;   /* of the last stretch */
    bool there = false, below = false;

    for (size_t x = 0; x < s->ring.width;) {
        if (kinds[x] == PAPER) {
            x++;
            continue;
        }
        if (there &&
            (x - end > s->across || !is_one_tone(s, row, x, row, end - 1)))
            there = false;
        if (there && below && kinds[x] == WIDE)
            for (size_t i = first; i < end; i++)
                kinds[i] = kinds[i] == PAPER ? PAPER : WIDE;
        for (end = x; end < s->ring.width && kinds[end] != PAPER; end++)
            below |= s->wide.rows[end] < UINT8_MAX;
        if (kinds[end - 1] == WIDE) {
            there = true;
            below = false;
            first = end;
        }
        x = end;
    }
}

/* Counts on the rows since there was something of a kind in each column. */
static void count_since(const struct strokes *s, struct since *since,
                        uint8_t kind)
{
    const uint8_t *kinds = kinds_at(s, s->sorted);

    settle(s, since);
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes rows = load(since->rows + x);

        rows -= (bytes)(rows < (uint8_t)UINT8_MAX);
        rows &= ~(bytes)(load(kinds + x) == kind);
        store(since->rows + x, rows);
    }
}

/* Gives all ones where two tones touch: of BYTES pixels from `x`, and of others
 * in the row `down` rows below, `across` columns further. */
static inline bytes steps(const struct strokes *s, size_t x, size_t down,
                          int across)
{
    const size_t row = s->sorted, at = x + BYTES + (size_t)across;
    bytes here[2], there[2];

    here[0] = load(marks_at(s, row) + x);
    here[1] = load(depths_at(s, row) + x);
    there[0] = load(marks_at(s, row + down) + at - BYTES);
    there[1] = load(depths_at(s, row + down) + at - BYTES);
    return here[0] & there[0] & (bytes)(here[1] != there[1]);
}

/* Counts on the rows since two tones touched in each column; what touches in
 * the row below or beside counts as of this one. */
static void count_steps(struct strokes *s)
{
    const bool below =
        s->sorted + 1 < s->ring.put && !is_bare(s, s->sorted + 1);

    settle(s, &s->step);
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes rows = load(s->step.rows + x), step = steps(s, x, 0, 1);

        for (int across = -1; below && across <= 1; across++)
            step |= steps(s, x, 1, across);
        rows -= (bytes)(rows < (uint8_t)UINT8_MAX);
        store(s->step.rows + x, rows & ~step);
    }
}

/* Finds out the kinds of the pixels of the next row, which is not bare. */
static void find_kinds(struct strokes *s)
{
    const uint8_t *marks = marks_at(s, s->sorted);
    uint8_t *kinds = kinds_at(s, s->sorted);

    settle(s, &s->square);
    settle(s, &s->wide);
    for (size_t x = 0; x < s->ring.width; x += BYTES) {
        bytes wide = (bytes)(load(s->square.rows + x) < (uint8_t)s->down);

        store(kinds + x, ((bytes){0} + STROKE - (wide & 1)) & load(marks + x));
    }
    if (memchr(kinds, STROKE, s->ring.width) != NULL) {
        widen(s);
        if (memchr(kinds, WIDE, s->ring.width) != NULL)
            widen_enclosed(s);
    }
    count_since(s, &s->wide, WIDE);
    count_since(s, &s->paper, PAPER);
    count_steps(s);
    memset(cuts_at(s, s->sorted), STROKES_UNKNOWN, s->ring.width);
}

/* Tells whether the next row is wide all over, and so far from all paper that
 * no edge reaches it, or what an edge looks at. */
static bool is_far(struct strokes *s)
{
    const size_t row = s->sorted, most = 2 * (size_t)s->reach + 2;

    if (s->gap < row)
        s->gap = row;
    while (s->gap < s->ring.put && is_full(s, s->gap))
        s->gap++;
    return s->all_square > row && row >= s->gap_end + most &&
           s->gap > row + most;
}

/* Sorts the next row; any square that its pixels may be of has ended `down` - 1
 * rows below it at the latest. */
static void sort_row(struct strokes *s)
{
    const size_t row = s->sorted;

    while (s->seen < row + s->down)
        see_row(s);
    s->far[row % STROKES_KINDS] = is_far(s);
    if (s->far[row % STROKES_KINDS]) {
        memset(kinds_at(s, row), WIDE, s->ring.width);
        begin_anew(&s->wide);
        s->paper.more++;
        s->step.more++;
    } else if (is_bare(s, row)) {
        memset(kinds_at(s, row), PAPER, padded(s));
        begin_anew(&s->paper);
        s->wide.more++;
        s->step.more++;
    } else {
        if (s->measured < row)
            s->measured = row;
        for (; s->measured <= row + 1 && s->measured < s->ring.put;
             s->measured++)
            if (!is_bare(s, s->measured))
                find_depths(s, s->measured);
        find_kinds(s);
    }
    if (!is_full(s, row))
        s->gap_end = row + 1;
    s->sorted++;
}

/* ---- Rows leave --------------------------------------------------------- */

/* Sets s->beside to 255 where `since` began to count within reach of a pixel of
 * the row that is taken. */
static void find_beside(struct strokes *s, struct since *since)
{
    const size_t width = s->ring.width, reach = s->reach;
    const size_t rows = s->sorted - 1 - s->ring.taken + reach;
    uint8_t *beside = s->beside + 2 * BYTES;

    settle(s, since);
    for (size_t x = 0; x < width; x += BYTES)
        store(beside + x, (bytes)(load(since->rows + x) <= (uint8_t)rows));
    memset(beside + width, 0, padded(s) + BYTES - width);
    if (memchr(beside, UINT8_MAX, width) == NULL)
        return;
    /* Each takes in those up to twice as far to its right, then all moves. */
    size_t far = 1;
    for (; 2 * far <= 2 * reach + 1; far *= 2)
        for (size_t x = BYTES; x < width + 2 * BYTES; x += BYTES)
            store(s->beside + x,
                  load(s->beside + x) | load(s->beside + x + far));
    for (size_t x = padded(s); x > 0; x -= BYTES)
        store(beside + x - BYTES,
              load(beside + x - BYTES - reach) |
                  load(beside + x - BYTES + reach + 1 - far));
}

/* Sets s->work where the row that is taken may change: it has tones there, and
 * is a stroke or near paper; and s->edges where two tones touch nearby, too. */
static void find_work(struct strokes *s)
{
    const size_t y = s->ring.taken, width = s->ring.width;
    const uint8_t *kinds = kinds_at(s, y), *row = row_ring_at(&s->ring, y);
    const uint16_t inked = *row_ring_inked(&s->ring, y);

    find_beside(s, &s->paper);
    for (size_t x = 0; x < width; x += BYTES) {
        const bytes kind = load(kinds + x);
        bytes toned = {0};

        for (uint32_t k = 0; s->ring.bits == 8 && k < s->ring.inks; k++)
            if ((inked >> k & 1) != 0)
                toned |=
                    (bytes)((uint8_t)1 + load(row + k * s->ring.plane + x) >
                            (uint8_t)1);
        if (s->ring.bits == 16)
            toned = ~toned;
        bytes work = toned & (bytes)(kind == STROKE);
        bytes paper = {0};
        if (any_bit(toned))
            paper = load(s->beside + 2 * BYTES + x);
        work |= toned & (bytes)(kind == WIDE) & paper;
        store(s->work + x, work & 1);
        store(s->edges + x, work & paper);
    }
    memset(s->work + width, 0, BYTES);
    find_beside(s, &s->step);
    for (size_t x = 0; x < width; x += BYTES)
        if (any_bit(load(s->edges + x)))
            store(s->edges + x,
                  load(s->edges + x) & load(s->beside + 2 * BYTES + x));
}

uint16_t strokes_take(struct strokes *s, void *row)
{
    uint16_t inked = *row_ring_inked(&s->ring, s->ring.taken);
    size_t first, end = 0;

    while (s->sorted < s->ring.taken + s->reach + 2 && s->sorted < s->ring.put)
        sort_row(s);
    if (inked != 0 && !s->far[s->ring.taken % STROKES_KINDS]) {
        find_work(s);
        while (find_stretch(s->work, s->ring.width, 1, &first, &end))
            for (size_t x = first; x < end; x++)
                inked |= (uint16_t)strokes_print(s, row, x);
    }
    row_ring_take(&s->ring, rows_above(s));
    return inked;
}
