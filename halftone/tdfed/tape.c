/*
 * tape.c - lays a chunk of some strips on tapes, in scan order, runs the
 * kernel, and has dots and errors put back into the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/sizes.h"
#include "halftone/tdfed/lay_targets.h"
#include "halftone/tdfed/lines.h"
#include "halftone/tdfed/meeting.h"
#include "halftone/tdfed/put.h"
#include "halftone/tdfed/tape.h"

/* ---- Memory ------------------------------------------------------------- */

/* Returns how many vectors of strips a page needs. */
static uint32_t vectors_of(const struct ht_tdfed_page *page)
{
    return page->light != NULL
               ? ht_tdfed_places(page->inks) / page->kernel->strips
               : 1;
}

ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page, bool shared)
{
    const uint32_t vectors = vectors_of(page);
    struct ht_tdfed_space *space = aligned_alloc(64, sizeof *space);

    *out = space;
    if (space == NULL)
        return HT_ERR_MEMORY;
    memset(space, 0, sizeof *space);
    space->tape = aligned_alloc(64, vectors * sizeof *space->tape);
    space->chain = aligned_alloc(64, vectors * sizeof *space->chain);
    space->shared = shared;
    if (!space->tape || !space->chain)
        return HT_ERR_MEMORY;
    memset(space->tape, 0, vectors * sizeof *space->tape);
    for (uint32_t v = 0; v < vectors; v++)
        memset(space->tape[v].goes_on, 0xff, sizeof space->tape[v].goes_on);
    return HT_OK;
}

void ht_tdfed_space_free(struct ht_tdfed_space *space)
{
    if (space == NULL)
        return;
    free(space->tape);
    free(space->chain);
    free(space);
}

void ht_tdfed_begin_strips(const struct ht_tdfed_chunk *chunk,
                           struct ht_tdfed_space *space)
{
    memset(space->chain, 0, chunk->vectors * sizeof *space->chain);
    memset(space->meeting.light, 0, sizeof space->meeting.light);
}

/* ---- Samples to the tape ----------------------------------------------- */

/* Lays pixels that give nothing to others from a step up to another one, or up
 * to seven more. */
static inline void lay_nothing(uint16_t *index, int32_t from, int32_t to)
{
    const ht_words nothing = (ht_words){0} + HT_TDFED_NOTHING;

    for (; from < to; from += 8)
        memcpy(index + from, &nothing, sizeof nothing);
}

/* The lanes of a strip. */
struct lanes {
    const struct ht_tdfed_chunk *chunk;
    const struct ht_tdfed_strip *strip;
    unsigned first;
    bool kept; /* shares keep to toned pixels */
    struct ht_tdfed_tape *tape;
    struct ht_tdfed_space *space;
};

/* Columns of one of a strip's rows. */
struct columns {
    const struct ht_tdfed_swath *swath;
    uint32_t row;      /* of the swath, or the row below */
    uint32_t x, count; /* x..x+count-1 */
    bool mirrored;
};

/* Makes the levels of samples of 16 bits, and lays their tones at a step if the
 * row is not the row below. With several sizes `*pattern` becomes what their
 * spans add to it. */
static void lay_deep(const struct lanes *lanes, const struct columns *columns,
                     const uint8_t *samples, uint8_t *level, uint32_t step,
                     const uint16_t **pattern)
{
    const struct ht_tdfed_page *page = lanes->chunk->page;
    int16_t *tone = lanes->space->tone;

    ht_tones_from_samples(samples + 2 * (size_t)columns->x, 16, columns->count,
                          tone, level);
    if (columns->row >= lanes->chunk->rows)
        return;
    page->kernel->copy(lanes->tape->tone[lanes->first + columns->row] + step,
                       tone, columns->count, columns->mirrored);
    if (page->spans != NULL) {
        uint32_t left_out = ht_size_left_out(lanes->strip->ink, page->inks,
                                             page->sizes->levels);
        uint16_t *own = lanes->space->pattern[columns->row] + HT_TDFED_SLACK;

        page->kernel->span(&page->spans[left_out], tone, *pattern,
                           columns->count, level, own);
        *pattern = own;
    }
}

/* Returns the levels of a row's columns, with HT_TDFED_SLACK more that can be
 * read where kernel->lay() does. Lays at a step what else they need there. */
static const uint8_t *levels_of(const struct lanes *lanes,
                                const struct columns *columns, uint32_t step,
                                const uint16_t **pattern)
{
    const struct ht_tdfed_page *page = lanes->chunk->page;
    const uint8_t *samples =
        ht_tdfed_samples(page, columns->swath, columns->row, lanes->strip->ink);
    const uint32_t x = columns->x, count = columns->count;
    uint8_t *copy = lanes->space->level[columns->row] + HT_TDFED_SLACK;

    if (page->bits == 16) {
        lay_deep(lanes, columns, samples, copy, step, pattern);
        return copy;
    }
    if (columns->mirrored ? x >= HT_TDFED_SLACK
                          : x + count + HT_TDFED_SLACK <= page->width)
        return samples + x;
    memcpy(copy, samples + x, count);
    return copy;
}

/* Lays `count` columns of rows from..end-1 of a stretch, from column number c
 * in scan order on, which lies at a step in the first of these rows. */
static void lay_columns(const struct lanes *lanes,
                        const struct ht_tdfed_stretch *stretch, uint32_t from,
                        uint32_t end, uint32_t c, uint32_t count, uint32_t step)
{
    const struct ht_tdfed_chunk *chunk = lanes->chunk;
    const struct ht_tdfed_page *page = chunk->page;
    const struct ht_tdfed_swath *swath = stretch->swath;
    const uint32_t copy = ht_copy_of_ink(lanes->strip->ink, page->inks);
    const bool mirrored = swath->step < 0;
    const uint32_t x = mirrored ? stretch->end - c - count : stretch->begin + c;
    struct ht_tdfed_laying laying = {.count = count,
                                     .asked = lanes->kept ? end - from : 0};

    for (uint32_t row = from; row < end; row++, step += chunk->lag) {
        const struct columns columns = {swath, row, x, count, mirrored};

        if (row < chunk->rows) {
            laying.pattern[row - from] =
                ht_tdfed_pattern(page, copy, swath->row + row, x);
            laying.index[row - from] =
                lanes->tape->index[lanes->first + row] + step;
            laying.rows++;
        }
        laying.level[row - from] =
            levels_of(lanes, &columns, step, &laying.pattern[row - from]);
        laying.toned[row - from] = lanes->space->toned[row] + step;
    }
    page->kernel->lay(&laying, mirrored);
}

/* Lays a part of rows from..end-1 of a stretch: that of the first of these
 * rows. */
static void lay_part(const struct lanes *lanes,
                     const struct ht_tdfed_stretch *stretch, uint32_t from,
                     uint32_t end, const struct part *part)
{
    const uint32_t first = (uint32_t)part->from, last = (uint32_t)part->to;

    for (uint32_t c = first, some; c < last; c += some) {
        some = last - c < HT_TDFED_AT_ONCE ? last - c : HT_TDFED_AT_ONCE;
        lay_columns(lanes, stretch, from, end, c, some,
                    (uint32_t)((int32_t)c + part->offset));
    }
}

/* Lays the rows of a stretch, with the row below if somebody asks for it: all
 * at once if all of them lie in the chunk. */
static void lay_stretch(const struct lanes *lanes,
                        const struct ht_tdfed_stretch *stretch)
{
    const struct ht_tdfed_chunk *chunk = lanes->chunk;
    const uint32_t rows = chunk->rows + lanes->kept;
    const uint32_t steps = chunk->steps + (lanes->kept ? chunk->lag + 1 : 0);
    const struct part all =
        part_of(chunk, lanes->strip, stretch, 0, chunk->steps);

    if (all.offset >= 0 &&
        all.offset + (int32_t)(stretch->end - stretch->begin +
                               chunk->lag * chunk->rows) <=
            (int32_t)chunk->steps) {
        lay_part(lanes, stretch, 0, rows, &all);
        return;
    }
    for (uint32_t row = 0; row < rows; row++) {
        struct part part = part_of(chunk, lanes->strip, stretch, row, steps);

        lay_part(lanes, stretch, row, row + 1, &part);
    }
}

/* Adds to the index of a step if that lies in the chunk. */
static inline void add_to(const struct ht_tdfed_chunk *chunk, uint16_t *index,
                          int32_t step, unsigned position)
{
    if (step >= 0 && step < (int32_t)chunk->steps)
        index[step] += (uint16_t)position;
}

/* Marks segment ends: last pixels, whose thresholds rise; and first ones, of
 * which one has no feedback and all keep shares that would leave the segment
 * sideways, unless shares keep to toned pixels anyway. */
static void close_segments(const struct ht_tdfed_chunk *chunk,
                           const struct ht_tdfed_strip *strip, uint32_t row,
                           uint16_t *index)
{
    const int32_t offset =
        (int32_t)(strip->lag + chunk->lag * row) - (int32_t)chunk->begin;
    const int32_t closed = chunk->content == HT_TDFED_KEPT ? 1 : HT_TDFED_REACH;

    for (unsigned i = 0; i < strip->extents; i++) {
        const int32_t begin = (int32_t)strip->extent[i].begin + offset;
        const int32_t end = (int32_t)strip->extent[i].end + offset;

        add_to(chunk, index, end - 1, (chunk->meet ? 2 : 1) * HT_TDFED_LAST);
        for (int32_t c = 0; c < closed && begin + c < end; c++)
            add_to(chunk, index, begin + c,
                   (unsigned)at_most(c + 1, HT_TDFED_FIRSTS) * HT_TDFED_FIRST);
    }
}

/* Lays a strip into its lanes. */
static void lay_strip(const struct lanes *lanes)
{
    const struct ht_tdfed_chunk *chunk = lanes->chunk;
    const struct ht_tdfed_strip *strip = lanes->strip;
    const uint32_t steps = chunk->steps, rows = strip->idle ? 0 : chunk->rows;
    struct ht_tdfed_tape *tape = lanes->tape;

    for (uint32_t row = 0; row < HT_TDFED_ROWS; row++) {
        uint16_t *index = tape->index[lanes->first + row];
        int32_t begin =
            (int32_t)(strip->lag + chunk->lag * row) - (int32_t)chunk->begin;
        int32_t end = row < rows ? begin + (int32_t)strip->steps : 0;

        /* In a later chunk there may be white columns at its first steps. */
        lay_nothing(index, 0, at_least(begin, HT_TDFED_REACH));
        lay_nothing(index, at_least(end, 0), (int32_t)steps + 1);
        if (chunk->page->bits == 16)
            memset(tape->tone[lanes->first + row], 0,
                   steps * sizeof tape->tone[0][0]);
        if (lanes->kept && row >= rows)
            memset(tape->targets[lanes->first + row], 0, steps);
    }
    for (uint32_t row = 0; lanes->kept && row <= rows; row++)
        memset(lanes->space->toned[row], 0,
               steps + chunk->lag + HT_TDFED_SLACK);
    for (unsigned i = 0; i < strip->count && !strip->idle; i++)
        lay_stretch(lanes, &strip->stretch[i]);
    for (uint32_t row = 0; row < rows; row++)
        close_segments(chunk, strip, row, tape->index[lanes->first + row]);
    for (uint32_t row = 0; lanes->kept && row < rows; row++)
        ht_tdfed_lay_targets(chunk, strip, row, lanes->first + row, tape,
                             lanes->space);
}

/* Returns the line of a strip's errors, NULL of none. */
static int16_t *errors_of(const struct ht_tdfed_page *page,
                          const struct ht_tdfed_strip *strip)
{
    return strip->idle ? NULL : page->error + (size_t)strip->ink * page->width;
}

/* Lays the strips of a vector, and adds it to the run. */
static void lay_vector(const struct ht_tdfed_chunk *chunk,
                       struct ht_tdfed_run *run, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = chunk->page;
    const unsigned strips = page->kernel->strips;
    const struct ht_tdfed_strip *strip = &chunk->strips[run->vectors * strips];
    struct ht_tdfed_vector *vector = &run->vector[run->vectors];

    vector->tape = &space->tape[run->vectors];
    vector->chain = &space->chain[run->vectors++];
    if (chunk->content == HT_TDFED_KEPT)
        memset(vector->tape->noise, 0,
               chunk->steps * sizeof vector->tape->noise[0]);
    for (unsigned s = 0; s < strips; s++, strip++) {
        vector->pixels[s] = page->lookup[strip->ink].pixels;
        lay_strip(&(struct lanes){chunk, strip, HT_TDFED_ROWS * s,
                                  chunk->content == HT_TDFED_KEPT, vector->tape,
                                  space});
        ht_tdfed_inherit(chunk, strip, errors_of(page, strip),
                         vector->tape->error[s]);
    }
}

/* Puts the dots and errors of a vector. */
static void put_vector(const struct ht_tdfed_chunk *chunk,
                       const struct ht_tdfed_run *run, uint32_t number)
{
    const struct ht_tdfed_page *page = chunk->page;
    const unsigned strips = page->kernel->strips;
    const struct ht_tdfed_strip *strip = &chunk->strips[number * strips];
    const struct ht_tdfed_tape *tape = run->vector[number].tape;

    for (unsigned s = 0; s < strips; s++, strip++) {
        ht_tdfed_leave(chunk, strip, errors_of(page, strip), tape->error[s]);
        for (uint32_t row = 0; row < chunk->rows && !strip->idle; row++)
            ht_tdfed_put_dots(chunk, strip, row, tape, HT_TDFED_ROWS * s + row);
    }
}

void ht_tdfed_run_chunk(const struct ht_tdfed_chunk *chunk,
                        struct ht_tdfed_space *space)
{
    struct ht_tdfed_run run; /* most vectors stay unused */

    assert(chunk->steps <= HT_TDFED_STEPS);
    assert(chunk->steps % HT_TDFED_ROWS == 0);
    run.before = chunk->begin;
    run.steps = chunk->steps;
    run.rows = chunk->rows;
    run.deep = chunk->page->bits == 16;
    run.content = chunk->content;
    run.vectors = 0;
    run.meeting = NULL;
    run.sizes = chunk->page->dot_bits > 1 ? chunk->page->sizes : NULL;
    run.dot_bits = chunk->page->tape_bits;
    while (run.vectors < chunk->vectors)
        lay_vector(chunk, &run, space);
    if (chunk->meet)
        ht_tdfed_lay_meeting(chunk, &run, &space->meeting);
    chunk->page->kernel->run(&run);
    if (chunk->meet)
        ht_tdfed_put_meeting(chunk, &run);
    for (uint32_t v = 0; v < run.vectors; v++)
        put_vector(chunk, &run, v);
}
