/*
 * gather.c - segments without most of their white and solid columns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/gather.h"

static uint32_t length_of(const struct ht_tdfed_segment *segment)
{
    return segment->end - segment->begin;
}

/* ---- Columns ------------------------------------------------------------- */

/* Columns of a segment, the first in the lowest bit of the first word. */
struct columns {
    uint64_t word[HT_TDFED_GATHER_FROM / 64 + 1];
};

#define AT_ONCE 16u /* columns */

/* Adds those of some columns from `at` on that have toned pixels or errors. */
static inline void add_busy(struct columns *columns, uint32_t at,
                            const struct ht_tdfed_page *page,
                            const struct ht_tdfed_segment *segment,
                            uint32_t ink)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const uint32_t x = segment->begin + at;
    const int16_t *error = page->error + (size_t)ink * page->width + x;
    ht_bytes idle = (ht_bytes){0} - 1, l;
    ht_words first, second;

    for (uint32_t row = 0; row <= swath->rows; row++) {
        memcpy(&l, ht_tdfed_samples(page, swath, row, ink) + x, sizeof l);
        idle &= (ht_bytes)((l == 0) | (l == HT_LEVELS - 1));
    }
    memcpy(&first, error, sizeof first);
    memcpy(&second, error + AT_ONCE / 2, sizeof second);
    idle &= ht_join_masks((ht_words)(first == 0), (ht_words)(second == 0));

    uint64_t busy = ht_top_bits(~idle);
    columns->word[at / 64] |= busy << at % 64;
    if (at % 64 > 64 - AT_ONCE)
        columns->word[at / 64 + 1] |= busy >> (64 - at % 64);
}

/* Finds the columns of a segment that have to stay. */
static void find_columns(const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, uint32_t ink,
                         struct columns *columns)
{
    const uint32_t length = length_of(segment);
    const uint32_t last = segment->swath->step > 0 ? length - 1 : 0;
    uint64_t before = 0;

    memset(columns, 0, sizeof *columns);
    for (uint32_t at = 0; at + AT_ONCE <= length; at += AT_ONCE)
        add_busy(columns, at, page, segment, ink);
    add_busy(columns, length - AT_ONCE, page, segment, ink);
    columns->word[last / 64] |= (uint64_t)1 << last % 64;
    for (uint32_t i = 0; i < length; i += 64) {
        uint64_t own = columns->word[i / 64];

        for (unsigned apart = 1; apart <= HT_TDFED_REACH; apart++)
            columns->word[i / 64] |= own << apart | before >> (64 - apart);
        before = own;
    }
}

/* Returns the first column from `from` on that is, or else is not, in a set of
 * the first `length`; `length` if none is. */
static uint32_t next_column(const struct columns *columns, uint32_t from,
                            uint32_t length, bool in)
{
    while (from < length) {
        uint64_t word = columns->word[from / 64];
        uint64_t left = (in ? word : ~word) >> from % 64;

        if (left != 0) {
            from += (uint32_t)__builtin_ctzll(left);
            break;
        }
        from = from / 64 * 64 + 64;
    }
    return from < length ? from : length;
}

#define FEW 8 /* columns that cost less than a run more */

/* Finds the runs of columns of a segment that have to stay, which are to lie
 * side by side from column `at` on. Returns the column after them. */
static uint32_t find_runs(const struct ht_tdfed_page *page,
                          const struct ht_tdfed_segment *segment, uint32_t ink,
                          uint32_t at, struct ht_tdfed_runs *runs)
{
    const uint32_t length = length_of(segment);
    struct columns columns;
    uint32_t from, end, next;

    find_columns(page, segment, ink, &columns);
    runs->count = 0;
    for (from = next_column(&columns, 0, length, true); from < length;
         from = next) {
        next = from;
        do {
            end = next_column(&columns, next, length, false);
            next = next_column(&columns, end, length, true);
        } while (next < length && next - end <= FEW);
        runs->run[runs->count].from = segment->begin + from;
        runs->run[runs->count].to = at;
        runs->run[runs->count++].count = end - from;
        at += end - from;
    }
    return at;
}

/* ---- Gathering ----------------------------------------------------------- */

/* Copies `count` elements of `size` bytes; where `more` can be read and written
 * behind them, by 16 bytes. */
static inline __attribute__((always_inline)) void
copy_run(void *to, const void *from, size_t size, uint32_t count, bool more)
{
    if (!more)
        memcpy(to, from, count * size);
    for (size_t i = 0; more && i < count * size; i += 16)
        memcpy((uint8_t *)to + i, (const uint8_t *)from + i, 16);
}

/* Fills the columns of a segment whose runs are known. */
static void fill_segment(struct ht_tdfed_gathered *gathered,
                         const struct ht_tdfed_page *page,
                         const struct ht_tdfed_segment *segment, uint32_t ink,
                         unsigned n)
{
    const struct ht_tdfed_swath *swath = segment->swath;
    const struct ht_tdfed_runs *runs = &gathered->runs[n];
    const uint32_t copy = ht_copy_of_ink(ink, page->inks);
    const int16_t *error = page->error + (size_t)ink * page->width;

    for (unsigned i = 0; i < runs->count; i++) {
        const uint32_t from = runs->run[i].from, to = runs->run[i].to;
        const uint32_t count = runs->run[i].count;
        const bool more = from + count + 16 <= page->width;

        for (uint32_t row = 0; row <= swath->rows; row++)
            copy_run(gathered->samples[row] + to,
                     ht_tdfed_samples(page, swath, row, ink) + from, 1, count,
                     more);
        for (uint32_t row = 0; row < swath->rows; row++)
            copy_run(gathered->pattern[row] + to,
                     ht_tdfed_pattern(page, copy, swath->row + row, from),
                     sizeof(uint16_t), count, true);
        /* Errors behind the segment may be another thread's. */
        copy_run(gathered->error + to, error + from, sizeof *error, count,
                 from + count + 16 / sizeof *error <= segment->end);
        for (uint32_t c = 0; c < count; c++)
            gathered->column[to + c] = from + c;
    }
}

/* Describes a segment, which may follow the one before as it did in its swath:
 * then they can be joined. */
static void describe_segment(struct ht_tdfed_gathered *gathered,
                             const struct ht_tdfed_segment *segment, unsigned n,
                             bool follows, uint32_t begin, uint32_t end)
{
    struct ht_tdfed_swath *swath = &gathered->swath[n];
    struct ht_tdfed_segment *own = &gathered->segment[n];

    *own = *segment;
    memset(own->edge, 0, sizeof own->edge);
    own->swath = follows ? own[-1].swath : swath;
    own->begin = begin;
    own->end = end;
    if (follows)
        return;
    *swath = *segment->swath;
    for (uint32_t row = 0; row <= swath->rows; row++)
        swath->samples[row] = gathered->samples[row];
    for (uint32_t row = 0; row < swath->rows; row++)
        if (swath->dots[row] != NULL)
            swath->dots[row] = gathered->dots[row];
}

_Static_assert(HT_TDFED_GATHER_FROM <= HT_TDFED_AT_ONCE,
               "a run's pattern is read at once");

bool ht_tdfed_gather(struct ht_tdfed_gathered *gathered,
                     const struct ht_tdfed_page *page,
                     struct ht_tdfed_segment *const *segments, unsigned count,
                     uint32_t ink)
{
    uint32_t columns = 0, at = 0;

    for (unsigned n = 0; n < count; n++) {
        uint32_t length = length_of(segments[n]);

        if ((segments[n]->forced >> ink & 1) == 0 || length < AT_ONCE ||
            length > HT_TDFED_GATHER_FROM)
            return false;
        columns += length;
    }
    for (unsigned n = 0; n < count; n++) {
        const bool follows = n > 0 &&
                             segments[n]->swath == segments[n - 1]->swath &&
                             segments[n]->begin == segments[n - 1]->end;
        uint32_t begin =
            follows ? at : (at + 7) / 8 * 8; /* of a byte of dots */

        at = find_runs(page, segments[n], ink, begin, &gathered->runs[n]);
        if (2 * at > columns || at > HT_TDFED_GATHERED)
            return false;
        describe_segment(gathered, segments[n], n, follows, begin, at);
    }
    gathered->page = *page;
    gathered->page.width = 0;
    gathered->page.error = gathered->error;
    gathered->page.gathered = gathered;
    memset(gathered->dots, 0, sizeof gathered->dots);
    for (unsigned n = 0; n < count; n++)
        fill_segment(gathered, page, segments[n], ink, n);
    return true;
}

/* ---- Scattering ---------------------------------------------------------- */

/* A call of memcpy() would take longer for so few. */
static void copy_errors(int16_t *to, const int16_t *from, uint32_t count)
{
    for (; count >= 4; count -= 4, to += 4, from += 4)
        memcpy(to, from, 4 * sizeof *to);
    for (; count > 0; count--)
        *to++ = *from++;
}

static uint64_t dots_of_bytes(const uint8_t *bytes)
{
    uint8_t dots[8];
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    ht_dots_to_bytes(dots, word);
    memcpy(&word, dots, sizeof word);
    return word;
}

/* Copies `count` dots. Eight bytes from the byte of each dot on are read. */
static void copy_dots(uint8_t *to, uint32_t at, const uint8_t *from,
                      uint32_t first, uint32_t count)
{
    while (count > 0) {
        uint32_t some = count < 56 ? count : 56;
        uint64_t mask = ~(uint64_t)0 << (64 - some) >> at % 8;
        uint64_t dots = dots_of_bytes(from + first / 8) << first % 8 >> at % 8;
        uint64_t others = dots_of_bytes(to + at / 8) & ~mask;

        ht_dots_to_bytes(to + at / 8, others | (dots & mask));
        at += some;
        first += some;
        count -= some;
    }
}

/* Puts the dots of a row of a segment. */
static void scatter_row(const struct ht_tdfed_gathered *gathered,
                        const struct ht_tdfed_page *page,
                        struct ht_tdfed_segment *segment, uint32_t ink,
                        unsigned n, uint32_t row)
{
    const struct ht_tdfed_runs *runs = &gathered->runs[n];
    const uint32_t base = segment->begin / 64 * 64;
    struct ht_tdfed_line line = {.begin = segment->begin, .end = segment->end};

    ht_tdfed_fill_line(page, &line,
                       ht_tdfed_samples(page, segment->swath, row, ink));
    for (unsigned i = 0; i < runs->count; i++)
        copy_dots(line.byte, runs->run[i].from - base, gathered->dots[row],
                  runs->run[i].to, runs->run[i].count);
    ht_tdfed_put_line(page, segment, row, ink, &line);
}

void ht_tdfed_scatter(struct ht_tdfed_gathered *gathered,
                      const struct ht_tdfed_page *page,
                      struct ht_tdfed_segment *const *segments, unsigned count,
                      uint32_t ink)
{
    /* First of all: joined ones share bytes of dots. */
    for (unsigned n = 0; n < count; n++)
        ht_tdfed_join_edges(&gathered->page, &gathered->segment[n], false);
    for (unsigned n = 0; n < count; n++) {
        const struct ht_tdfed_swath *swath = segments[n]->swath;
        const struct ht_tdfed_runs *runs = &gathered->runs[n];
        int16_t *error = page->error + (size_t)ink * page->width;

        for (uint32_t row = 0; row < swath->rows; row++)
            if (swath->dots[row] != NULL)
                scatter_row(gathered, page, segments[n], ink, n, row);
        for (unsigned i = 0; i < runs->count; i++)
            copy_errors(error + runs->run[i].from,
                        gathered->error + runs->run[i].to, runs->run[i].count);
    }
}
