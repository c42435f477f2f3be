/*
 * tape.c - lays a section of some strips on tapes, in scan order, and puts dots
 * and errors back into the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/kept.h"
#include "halftone/tdfed/lines.h"
#include "halftone/tdfed/meeting.h"
#include "halftone/tdfed/part.h"

/* ---- Memory ------------------------------------------------------------- */

/* Returns how many vectors of strips a page needs. */
static uint32_t vectors_of(const struct ht_tdfed_page *page)
{
    return page->light != NULL
               ? ht_tdfed_places(page->inks) / page->kernel->strips
               : 1;
}

ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page)
{
    const uint32_t vectors = vectors_of(page);
    struct ht_tdfed_space *space = aligned_alloc(64, sizeof *space);

    *out = space;
    if (space == NULL)
        return HT_ERR_MEMORY;
    memset(space, 0, sizeof *space);
    space->tape = aligned_alloc(64, vectors * sizeof *space->tape);
    space->chain = aligned_alloc(64, vectors * sizeof *space->chain);
    space->gathered = calloc(1, sizeof *space->gathered);
    if (!space->tape || !space->chain || !space->gathered)
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
    free(space->gathered);
    free(space);
}

void ht_tdfed_begin_strips(const struct ht_tdfed_section *section,
                           struct ht_tdfed_space *space)
{
    memset(space->chain, 0, section->vectors * sizeof *space->chain);
    memset(space->meeting.light, 0, sizeof space->meeting.light);
}

/* ---- Samples to the tape ----------------------------------------------- */

/* Lays pixels that give nothing to others; may write up to seven more. */
static void lay_nothing(uint16_t *index, uint32_t count)
{
    const ht_words nothing = (ht_words){0} + HT_TDFED_NOTHING;

    for (uint32_t i = 0; i < count; i += 8)
        memcpy(index + i, &nothing, sizeof nothing);
}

/* Adds to the index of a column if that lies in a part. */
static inline void add_to(uint16_t *index, const struct part *part, int32_t c,
                          unsigned position)
{
    if (c >= part->from && c < part->to)
        index[c + part->offset] += (uint16_t)position;
}

/* Makes the pixels at both ends of segments keep the shares that would leave
 * these sideways. */
static void close_segments(uint16_t *index, const struct part *part,
                           const struct ht_tdfed_joined *joined, bool alone)
{
    int32_t begin = 0;

    for (unsigned i = 0; i < joined->count; i++) {
        int32_t end = (int32_t)joined->end[i];

        for (int32_t c = 0; c < HT_TDFED_REACH && begin + c < end; c++)
            add_to(index, part, begin + c, ((unsigned)c + 1) * HT_TDFED_FIRST);
        add_to(index, part, end - 1, (alone ? 1 : 2) * HT_TDFED_LAST);
        begin = end;
    }
}

/* Lays the tones of `count` 16-bit samples, the leftmost first or, when
 * `mirrored`, last. Returns their levels, for kernel->lay(). */
static const uint8_t *lay_tones(const struct ht_tdfed_page *page, int16_t *tone,
                                const uint8_t *samples, uint32_t count,
                                bool mirrored, struct ht_tdfed_space *space)
{
    ht_tones_from_samples(samples, 16, count, space->tone, space->level);
    page->kernel->copy(tone, space->tone, count, mirrored);
    return space->level;
}

/* Lays an ink's part of a row. */
static void lay_part(const struct ht_tdfed_section *section,
                     const struct ht_tdfed_joined *joined, uint32_t ink,
                     uint32_t row, const struct part *part, uint16_t *index,
                     int16_t *tone, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_segment *segment = &joined->whole;
    const struct ht_tdfed_swath *swath = segment->swath;
    uint32_t begin = (uint32_t)(part->from + part->offset);
    uint32_t count = (uint32_t)(part->to - part->from), some;
    bool mirrored = swath->step < 0;
    uint32_t x = leftmost(segment, part);
    uint32_t copy = ht_copy_of_ink(ink, page->inks);
    const uint8_t *level =
        ht_tdfed_samples(page, swath, row, ink) + x * (page->bits / 8);

    if (tone != NULL)
        level = lay_tones(page, tone + begin, level, count, mirrored, space);
    for (uint32_t at = 0; at < count; at += some) {
        const uint16_t *pattern =
            page->gathered != NULL
                ? page->gathered->pattern[row] + x + at
                : ht_tdfed_pattern(page, copy, swath->row + row, x + at);

        some = count - at < HT_TDFED_AT_ONCE ? count - at : HT_TDFED_AT_ONCE;
        page->kernel->lay(index + begin + (mirrored ? count - at - some : at),
                          level + at, pattern, some, mirrored);
    }
    close_segments(index, part, joined, !section->meet);
}

/* ---- Dots from the tape ------------------------------------------------ */

/* Returns 64 dots of a lane from a step on, which is modulo 2^32 and may be up
 * to 63 before the tape. */
static inline uint64_t dots_at(const struct ht_tdfed_tape *tape, unsigned lane,
                               uint32_t step)
{
    uint32_t at = step + 64;
    uint64_t first = tape->dots[at / 64][lane];
    uint64_t second = tape->dots[at / 64 + 1][lane];

    return first << at % 64 | second >> 1 >> (63 - at % 64);
}

/* Puts the dots of an ink's row that are in a lane. */
static void put_row(const struct ht_tdfed_section *section,
                    const struct ht_tdfed_piece *piece, uint32_t ink,
                    uint32_t row, const struct ht_tdfed_tape *tape,
                    unsigned lane)
{
    struct ht_tdfed_segment *segment = piece->segment;
    struct part part = part_of(section, piece, row);
    bool right = segment->swath->step > 0;
    struct ht_tdfed_line line;

    if (part.from == part.to || segment->swath->dots[row] == NULL)
        return;
    line.begin = leftmost(segment, &part);
    line.end = line.begin + (uint32_t)(part.to - part.from);
    uint32_t column = line.begin / 64 * 64;
    uint32_t step =
        (uint32_t)part.offset +
        (right ? column - segment->begin : segment->end - 64 - column);
    for (uint8_t *at = line.byte; column < line.end; column += 64, at += 8) {
        uint64_t dots = dots_at(tape, lane, step);

        ht_dots_to_bytes(at, right ? dots : ht_mirrored(dots));
        step += right ? 64 : -64u;
    }
    ht_tdfed_put_line(section->page, segment, row, ink, &line);
}

/* ---- A section ---------------------------------------------------------- */

/* Lays where the shares of a part of a row may go, segment by segment. */
static void lay_kept(const struct ht_tdfed_section *section,
                     const struct ht_tdfed_joined *joined, uint32_t ink,
                     uint32_t row, const struct part *part, unsigned lane,
                     struct ht_tdfed_tape *tape, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_segment *whole = &joined->whole;
    int32_t begin = 0;

    for (unsigned i = 0; i < joined->count; i++) {
        const int32_t end = (int32_t)joined->end[i];
        struct part own = {at_least(part->from, begin) - begin,
                           at_most(part->to, end) - begin,
                           part->offset + begin};
        struct ht_tdfed_segment segment;

        segment.swath = whole->swath;
        if (whole->swath->step > 0) {
            segment.begin = whole->begin + (uint32_t)begin;
            segment.end = whole->begin + (uint32_t)end;
        } else {
            segment.begin = whole->end - (uint32_t)end;
            segment.end = whole->end - (uint32_t)begin;
        }
        if (own.from < own.to)
            ht_tdfed_lay_kept(section, &segment, ink, row, &own, lane, tape,
                              space);
        begin = end;
    }
}

/* Returns the line of a strip's errors, NULL of none. */
static int16_t *errors_of(const struct ht_tdfed_page *page,
                          const struct ht_tdfed_strip *strip)
{
    return strip->idle ? NULL : page->error + (size_t)strip->ink * page->width;
}

/* Lays a row of a strip into a lane. */
static void lay_row(const struct ht_tdfed_section *section,
                    const struct ht_tdfed_strip *strip, uint32_t row,
                    struct ht_tdfed_tape *tape, unsigned lane,
                    struct ht_tdfed_space *space)
{
    uint16_t *index = tape->index[lane];
    int16_t *tone = section->page->bits == 16 ? tape->tone[lane] : NULL;
    uint32_t at = 0;

    if (tone != NULL)
        memset(tone, 0, section->steps * sizeof *tone);
    if (section->content == HT_TDFED_KEPT)
        memset(tape->kept[lane], 0, section->steps);
    for (unsigned i = 0;
         i < strip->count && row < section->rows && !strip->idle; i++) {
        const struct ht_tdfed_joined *joined = strip->piece[i].joined;
        struct part part = part_of(section, &strip->piece[i], row);

        if (part.from == part.to)
            continue;
        lay_nothing(index + at, (uint32_t)(part.from + part.offset) - at);
        lay_part(section, joined, strip->ink, row, &part, index, tone, space);
        if (section->content == HT_TDFED_KEPT)
            lay_kept(section, joined, strip->ink, row, &part, lane, tape,
                     space);
        at = (uint32_t)(part.to + part.offset);
    }
    lay_nothing(index + at, section->steps - at);
}

/* Lays the strips of a vector, and adds it to the run. */
static void lay_vector(const struct ht_tdfed_section *section,
                       struct ht_tdfed_run *run, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const unsigned strips = page->kernel->strips;
    const struct ht_tdfed_strip *strip =
        &section->strips[run->vectors * strips];
    struct ht_tdfed_vector *vector = &run->vector[run->vectors];

    vector->tape = &space->tape[run->vectors];
    vector->chain = &space->chain[run->vectors++];
    if (section->content == HT_TDFED_KEPT)
        memset(vector->tape->noise, 0,
               section->steps * sizeof vector->tape->noise[0]);
    for (unsigned s = 0; s < strips; s++, strip++) {
        vector->pixels[s] = page->lookup[strip->ink].pixels;
        for (uint32_t row = 0; row < HT_TDFED_ROWS; row++)
            lay_row(section, strip, row, vector->tape, HT_TDFED_ROWS * s + row,
                    space);
        ht_tdfed_inherit(section, strip, errors_of(page, strip),
                         vector->tape->error[s]);
    }
}

/* Puts the dots and errors of a vector. */
static void put_vector(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_run *run, uint32_t number)
{
    const struct ht_tdfed_page *page = section->page;
    const unsigned strips = page->kernel->strips;
    const struct ht_tdfed_strip *strip = &section->strips[number * strips];
    const struct ht_tdfed_tape *tape = run->vector[number].tape;

    for (unsigned s = 0; s < strips; s++, strip++) {
        ht_tdfed_leave(section, strip, errors_of(page, strip), tape->error[s]);
        for (unsigned i = 0; i < strip->count && !strip->idle; i++)
            for (uint32_t row = 0; row < section->rows; row++)
                put_row(section, &strip->piece[i], strip->ink, row, tape,
                        HT_TDFED_ROWS * s + row);
    }
}

void ht_tdfed_run_section(const struct ht_tdfed_section *section,
                          struct ht_tdfed_space *space)
{
    struct ht_tdfed_run run; /* most vectors stay unused */

    assert(section->steps <= HT_TDFED_STEPS);
    assert(section->steps % HT_TDFED_ROWS == 0);
    run.before = section->begin;
    run.steps = section->steps;
    run.rows = section->rows;
    run.deep = section->page->bits == 16;
    run.content = section->content;
    run.vectors = 0;
    run.meeting = NULL;
    while (run.vectors < section->vectors)
        lay_vector(section, &run, space);
    if (section->meet)
        ht_tdfed_lay_meeting(section, &run, &space->meeting);
    section->page->kernel->run(&run);
    if (section->meet)
        ht_tdfed_put_meeting(section, &run);
    for (uint32_t v = 0; v < run.vectors; v++)
        put_vector(section, &run, v);
}
