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

ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page)
{
    struct ht_tdfed_space *space = aligned_alloc(64, sizeof *space);

    *out = space;
    if (space == NULL)
        return HT_ERR_MEMORY;
    memset(space, 0, sizeof *space);
    space->tape = aligned_alloc(64, page->inks * sizeof *space->tape);
    space->chain = aligned_alloc(64, page->inks * sizeof *space->chain);
    if (page->pairs > 0)
        space->overlap =
            aligned_alloc(64, page->pairs * sizeof *space->overlap);
    space->gathered = calloc(1, sizeof *space->gathered);
    if (!space->tape || !space->chain || (page->pairs > 0 && !space->overlap) ||
        !space->gathered)
        return HT_ERR_MEMORY;
    memset(space->tape, 0, page->inks * sizeof *space->tape);
    return HT_OK;
}

void ht_tdfed_space_free(struct ht_tdfed_space *space)
{
    if (space == NULL)
        return;
    free(space->tape);
    free(space->chain);
    free(space->overlap);
    free(space->gathered);
    free(space);
}

void ht_tdfed_begin_strips(const struct ht_tdfed_page *page,
                           struct ht_tdfed_space *space)
{
    struct ht_tdfed_meeting *meeting = &space->meeting;

    memset(space->chain, 0, page->inks * sizeof *space->chain);
    if (page->meeting == NULL)
        return;
    memset(meeting->light.below, 0, sizeof meeting->light.below);
    memset(meeting->light_left, 0, sizeof meeting->light_left);
    for (uint32_t pair = 0; pair < page->pairs; pair++)
        memset(space->overlap[pair].below, 0,
               sizeof space->overlap[pair].below);
}

/* ---- Samples to the tape ----------------------------------------------- */

/* Lays pixels that give nothing to others; may write up to seven more. */
static void lay_nothing(uint16_t *index, uint32_t count)
{
    const ht_words nothing = (ht_words){0} + HT_TDFED_NOTHING;

    for (uint32_t i = 0; i < count; i += 8)
        memcpy(index + i, &nothing, sizeof nothing);
}

/* Makes the pixels at both ends of a segment keep the shares that would leave
 * it sideways. */
static void close_segment(uint16_t *index, const struct part *part,
                          int32_t length)
{
    for (int32_t c = part->from; c < HT_TDFED_REACH && c < part->to; c++)
        index[c + part->offset] += (uint16_t)((c + 1) * HT_TDFED_FIRST);
    if (part->from < length && part->to == length)
        index[length - 1 + part->offset] += HT_TDFED_LAST;
}

/* Lays the tones of `count` 16-bit samples, the leftmost first or, when
 * `mirrored`, last. Returns their levels, for kernel->lay(). */
static const uint8_t *lay_tones(int16_t *tone, const uint8_t *samples,
                                uint32_t count, bool mirrored,
                                struct ht_tdfed_space *space)
{
    ht_tones_from_samples(samples, 16, count, space->tone, space->level);
    if (mirrored)
        ht_tdfed_copy_mirrored(tone, space->tone, count);
    else
        memcpy(tone, space->tone, count * sizeof *tone);
    return space->level;
}

/* Lays an ink's part of a row, whose first column has level `begin` steps after
 * the section's first, and returns its greatest extremity. `forced_before` and
 * `forced` are those of ht_tdfed_kernel.lay. */
static uint8_t lay_part(const struct ht_tdfed_section *section,
                        const struct ht_tdfed_segment *segment, uint32_t ink,
                        uint32_t row, const struct part *part, uint16_t *index,
                        int16_t *tone, const uint8_t *forced_before,
                        uint8_t *forced, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_swath *swath = segment->swath;
    uint32_t begin = (uint32_t)(part->from + part->offset);
    uint32_t count = (uint32_t)(part->to - part->from);
    bool mirrored = swath->step < 0;
    uint32_t x = leftmost(segment, part);
    uint32_t copy = ht_copy_of_ink(ink, page->inks);
    const uint8_t *level =
        ht_tdfed_samples(page, swath, row, ink) + x * (page->bits / 8);
    const uint8_t *views =
        page->gathered != NULL
            ? page->gathered->views[row] + x
            : ht_tdfed_views(page, copy, swath->row + row, x);

    if (tone != NULL)
        level = lay_tones(tone + begin, level, count, mirrored, space);
    uint8_t extremity =
        page->kernel->lay(index + begin, level, views, forced_before, forced,
                          page->lookup[ink].middle, count, mirrored);
    close_segment(index, part, (int32_t)length_of(segment));
    return extremity;
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

/* Puts the dots of an ink's row. */
static void put_row(const struct ht_tdfed_section *section, unsigned s,
                    const struct ht_tdfed_piece *piece, uint32_t number,
                    uint32_t row, const struct ht_tdfed_tape *tape)
{
    struct ht_tdfed_segment *segment = piece->segment;
    uint32_t ink = ink_of(section->page, segment, number);
    struct part part = part_of(section, piece, piece->lag + HT_TDFED_LAG * row);
    bool right = segment->swath->step > 0;
    unsigned lane = HT_TDFED_ROWS * s + row;
    struct ht_tdfed_line line;

    if (part.from == part.to || !has_ink(segment, ink) ||
        segment->swath->dots[row] == NULL)
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

/* Lays a row of an ink of strip s into its lane, and says what it has in
 * `*turn`, the run's last. */
static void lay_row(const struct ht_tdfed_section *section, unsigned s,
                    uint32_t number, uint32_t row,
                    const struct ht_tdfed_run *run, struct ht_tdfed_turn *turn,
                    struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_strip *strip = &section->strips[s];
    const unsigned lane = HT_TDFED_ROWS * s + row;
    struct ht_tdfed_tape *tape = turn->tape;
    uint16_t *index = tape->index[lane];
    int16_t *tone = run->deep ? tape->tone[lane] : NULL;
    bool looks = run->meet && run->turns > 1;
    uint32_t at = 0;

    if (tone != NULL)
        memset(tone, 0, section->steps * sizeof *tone);
    if (turn->content == HT_TDFED_KEPT)
        memset(tape->kept[lane], 0, section->steps);
    for (unsigned i = 0; i < strip->count && row < section->rows; i++) {
        const struct ht_tdfed_piece *piece = &strip->piece[i];
        uint32_t ink = ink_of(page, piece->segment, number);
        struct part part =
            part_of(section, piece, piece->lag + HT_TDFED_LAG * row);
        uint32_t begin = (uint32_t)(part.from + part.offset);
        uint32_t end = (uint32_t)(part.to + part.offset);

        if (part.from == part.to)
            continue;
        uint8_t *forced = space->forced[lane] + begin;
        if (!has_ink(piece->segment, ink)) {
            if (run->meet && !looks)
                memset(forced, 255, end - begin);
            continue;
        }
        lay_nothing(index + at, begin - at);
        uint8_t extremity =
            lay_part(section, piece->segment, ink, row, &part, index, tone,
                     looks ? forced : NULL, run->meet ? forced : NULL, space);
        if (turn->content == HT_TDFED_KEPT)
            ht_tdfed_lay_kept(section, piece->segment, ink, row, &part, lane,
                              tape, space);
        else if (extremity > page->lookup[ink].near_extremity)
            turn->content = HT_TDFED_FAR_TOO;
        at = end;
    }
    lay_nothing(index + at, section->steps - at);
}

/* Says whether any segment has the ink of a turn, and whether its shares have
 * to keep to toned pixels. */
static bool takes_turn(const struct ht_tdfed_section *section, uint32_t number,
                       bool *keeps)
{
    bool takes = false;

    *keeps = false;
    for (unsigned s = 0; s < section->page->kernel->strips; s++)
        for (unsigned i = 0; i < section->strips[s].count; i++) {
            const struct ht_tdfed_segment *segment =
                section->strips[s].piece[i].segment;
            uint32_t ink = ink_of(section->page, segment, number);

            if (!has_ink(segment, ink))
                continue;
            takes = true;
            *keeps = *keeps || (segment->forced >> ink & 1) != 0;
        }
    return takes;
}

/* Returns the table of pixels of a strip's ink. */
static const struct ht_tdfed_pixel *
pixels_of(const struct ht_tdfed_section *section, unsigned s, uint32_t number)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];
    uint32_t ink = strip->count > 0
                       ? ink_of(section->page, strip->piece[0].segment, number)
                       : 0;

    return section->page->lookup[ink].pixels;
}

/* Lays the strips' ink of a turn, the run's last. */
static void lay_turn(const struct ht_tdfed_section *section, uint32_t number,
                     bool keeps, const struct ht_tdfed_run *run,
                     struct ht_tdfed_turn *turn, struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;

    turn->content = keeps ? HT_TDFED_KEPT : HT_TDFED_NEAR;
    if (keeps)
        memset(turn->tape->noise, 0,
               section->steps * sizeof turn->tape->noise[0]);
    for (unsigned s = 0; s < page->kernel->strips; s++) {
        struct ht_tdfed_lines lines;

        ht_tdfed_errors_of(section, s, number, &lines);
        turn->pixels[s] = pixels_of(section, s, number);
        for (uint32_t row = 0; row < HT_TDFED_ROWS; row++)
            lay_row(section, s, number, row, run, turn, space);
        ht_tdfed_lay_lines(section, s, &lines, turn->tape->error[s]);
    }
}

static void put_turn(const struct ht_tdfed_section *section,
                     const struct ht_tdfed_turn *turn)
{
    for (unsigned s = 0; s < section->page->kernel->strips; s++) {
        const struct ht_tdfed_strip *strip = &section->strips[s];
        struct ht_tdfed_lines lines;

        ht_tdfed_errors_of(section, s, turn->number, &lines);
        ht_tdfed_put_lines(section, s, &lines, turn->tape->error[s]);
        for (unsigned i = 0; i < strip->count; i++)
            for (uint32_t row = 0; row < section->rows; row++)
                put_row(section, s, &strip->piece[i], turn->number, row,
                        turn->tape);
    }
}

/* Lays the strips' ink of a turn on the run's next tape, unless no segment has
 * it. */
static void take_turn(const struct ht_tdfed_section *section, uint32_t number,
                      struct ht_tdfed_space *space, struct ht_tdfed_run *run)
{
    struct ht_tdfed_turn *turn = &run->turn[run->turns];
    bool keeps;

    if (!takes_turn(section, number, &keeps))
        return;
    turn->tape = &space->tape[run->turns++];
    turn->chain = &space->chain[number];
    turn->number = number;
    lay_turn(section, number, keeps, run, turn, space);
}

/* Runs inks of which each segment has one alone, one after the other. */
static void run_alone(const struct ht_tdfed_section *section,
                      struct ht_tdfed_space *space, struct ht_tdfed_run *run)
{
    for (uint32_t i = 0; i < section->page->inks; i++) {
        run->turns = 0;
        take_turn(section, i, space, run);
        if (run->turns == 0)
            continue;
        section->page->kernel->run(run);
        put_turn(section, &run->turn[0]);
    }
}

/* Says whether inks that meet have nothing but toned pixels, and all segments
 * have each of them. */
static bool all_toned(const struct ht_tdfed_section *section,
                      const struct ht_tdfed_run *run)
{
    uint32_t inks = section->strips[0].piece[0].segment->inks;
    bool same = true;

    for (unsigned s = 0; s < section->page->kernel->strips; s++)
        for (unsigned i = 0; i < section->strips[s].count; i++)
            same = same && section->strips[s].piece[i].segment->inks == inks;
    for (uint32_t i = 0; i < run->turns; i++)
        same = same && run->turn[i].content != HT_TDFED_KEPT;
    return same && run->turns > 1;
}

/* Runs inks that meet. */
static void run_meeting(const struct ht_tdfed_section *section,
                        struct ht_tdfed_space *space, struct ht_tdfed_run *run)
{
    for (uint32_t i = 0; i < section->page->inks; i++)
        take_turn(section, i, space, run);
    run->toned = all_toned(section, run);
    ht_tdfed_lay_meeting(section, run, space);
    section->page->kernel->run(run);
    for (uint32_t i = 0; i < run->turns; i++)
        put_turn(section, &run->turn[i]);
    ht_tdfed_put_meeting(section, space, run);
}

void ht_tdfed_run_section(const struct ht_tdfed_section *section,
                          struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    struct ht_tdfed_run run = {.steps = section->steps,
                               .rows = section->rows,
                               .deep = page->bits == 16,
                               .meet = section->meet,
                               .meeting = &space->meeting};

    assert(section->steps <= HT_TDFED_STEPS);
    assert(section->steps % HT_TDFED_ROWS == 0);
    if (section->meet)
        run_meeting(section, space, &run);
    else
        run_alone(section, space, &run);
}
