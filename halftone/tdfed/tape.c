/*
 * tape.c - lays a section of some strips on a tape, in scan order, and puts
 * dots and errors back into the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/simd/dots.h"
#include "halftone/tdfed/tape.h"

static uint32_t length_of(const struct ht_tdfed_strip *strip)
{
    return strip->segment->end - strip->segment->begin;
}

/* ---- Samples to the tape ----------------------------------------------- */

/* Lays pixels that give nothing to others; may write up to seven more. */
static void lay_nothing(uint16_t *index, uint32_t count)
{
    const ht_words nothing = (ht_words){0} + HT_TDFED_NOTHING;

    for (uint32_t i = 0; i < count; i += 8)
        memcpy(index + i, &nothing, sizeof nothing);
}

static int32_t at_least(int32_t value, int32_t least)
{
    return value < least ? least : value;
}

static int32_t at_most(int32_t value, int32_t most)
{
    return value > most ? most : value;
}

/* The columns of a row that lie in a section: from..to-1, counted in scan
 * order; column c lies at step c + offset. */
struct part {
    int32_t from, to, offset;
};

static struct part part_of(const struct ht_tdfed_section *section,
                           const struct ht_tdfed_strip *strip, uint32_t lag)
{
    struct part part = {.offset = (int32_t)lag - (int32_t)section->begin};

    part.from = at_least(-part.offset, 0);
    part.to = at_most((int32_t)section->steps - part.offset,
                      (int32_t)length_of(strip));
    part.to = at_least(part.to, part.from);
    return part;
}

/* Returns the column of a part that is leftmost on the page. */
static uint32_t leftmost(const struct ht_tdfed_strip *strip,
                         const struct part *part)
{
    const struct ht_tdfed_segment *segment = strip->segment;

    return segment->swath->step > 0 ? segment->begin + (uint32_t)part->from
                                    : segment->end - (uint32_t)part->to;
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

static void copy_mirrored(int16_t *to, const int16_t *from, uint32_t count)
{
    ht_words eight;

    for (; count >= 8; count -= 8, from += 8) {
        memcpy(&eight, from, sizeof eight);
        eight = ht_reversed(eight);
        memcpy(to + count - 8, &eight, sizeof eight);
    }
    for (; count > 0; count--)
        to[count - 1] = *from++;
}

/* Lays the tones of `count` 16-bit samples, the leftmost first or, when
 * `mirrored`, last. Returns their levels, for kernel->lay(). */
static const uint8_t *lay_tones(int16_t *tone, const uint8_t *samples,
                                uint32_t count, bool mirrored,
                                struct ht_tdfed_space *space)
{
    ht_tones_from_samples(samples, 16, count, space->tone, space->level);
    if (mirrored)
        copy_mirrored(tone, space->tone, count);
    else
        memcpy(tone, space->tone, count * sizeof *tone);
    return space->level;
}

static const uint8_t *pattern_row(const struct ht_tdfed_page *page,
                                  uint32_t copy, uint64_t row)
{
    uint32_t y = (row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE;

    return page->pattern +
           (copy % 2 * HT_PATTERN_SIZE + y) * HT_TDFED_PATTERN_ROW;
}

/* Lays a row of a strip into its lane and returns its greatest extremity.
 * `forced_before` and `forced` are those of ht_tdfed_kernel.lay. */
static uint8_t lay_row(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_strip *strip, uint32_t row,
                       uint16_t *index, int16_t *tone,
                       const uint8_t *forced_before, uint8_t *forced,
                       struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_segment *segment = strip->segment;

    if (tone != NULL)
        memset(tone, 0, section->steps * sizeof *tone);
    if (forced != NULL && forced_before == NULL && segment == NULL)
        memset(forced, 255, HT_TDFED_STEPS);
    if (segment == NULL || row >= section->rows) {
        lay_nothing(index, section->steps);
        return 0;
    }

    const struct ht_tdfed_swath *swath = segment->swath;
    struct part part = part_of(section, strip, strip->lag + HT_TDFED_LAG * row);
    if (part.from == part.to) {
        lay_nothing(index, section->steps);
        return 0;
    }

    uint32_t begin = (uint32_t)(part.from + part.offset);
    uint32_t end = (uint32_t)(part.to + part.offset), count = end - begin;
    bool mirrored = swath->step < 0;
    uint32_t x = leftmost(strip, &part);
    uint32_t copy = ht_copy_of_ink(strip->ink, page->inks);
    const uint8_t *level =
        ht_tdfed_samples(page, swath, row, strip->ink) + x * (page->bits / 8);
    if (tone != NULL)
        level = lay_tones(tone + begin, level, count, mirrored, space);
    lay_nothing(index, begin);
    uint8_t extremity = page->kernel->lay(
        index + begin, level, pattern_row(page, copy, swath->row + row),
        x + copy / 2 * HT_PATTERN_RIGHT, forced_before, forced,
        page->lookup[strip->ink].middle, count, mirrored);
    lay_nothing(index + end, section->steps - end);
    close_segment(index, &part, (int32_t)length_of(strip));
    return extremity;
}

/* ---- Errors to the tape and back --------------------------------------- */

static int16_t *errors_of(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_strip *strip,
                          const struct part *part)
{
    return section->page->error + (size_t)strip->ink * section->page->width +
           leftmost(strip, part);
}

static void lay_errors(const struct ht_tdfed_section *section, unsigned s,
                       struct ht_tdfed_tape *tape)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];
    int16_t *to = tape->error[s];

    if (strip->segment == NULL) {
        memset(to, 0, section->steps * sizeof *to);
        return;
    }

    struct part part = part_of(section, strip, strip->lag);
    if (part.from == part.to) {
        memset(to, 0, section->steps * sizeof *to);
        return;
    }
    const int16_t *error = errors_of(section, strip, &part);
    uint32_t begin = (uint32_t)(part.from + part.offset);
    uint32_t end = (uint32_t)(part.to + part.offset);

    memset(to, 0, begin * sizeof *to);
    if (strip->segment->swath->step > 0)
        memcpy(to + begin, error, (end - begin) * sizeof *to);
    else
        copy_mirrored(to + begin, error, end - begin);
    memset(to + end, 0, (section->steps - end) * sizeof *to);
}

static void put_errors(const struct ht_tdfed_section *section, unsigned s,
                       const struct ht_tdfed_tape *tape)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];

    if (strip->segment == NULL)
        return;

    struct part part =
        part_of(section, strip, strip->lag + HT_TDFED_LAG * section->rows);
    if (part.from == part.to)
        return;
    int16_t *to = errors_of(section, strip, &part);
    const int16_t *error = tape->error[s] + part.from + part.offset;
    uint32_t count = (uint32_t)(part.to - part.from);

    if (strip->segment->swath->step > 0)
        memcpy(to, error, count * sizeof *to);
    else
        copy_mirrored(to, error, count);
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

static void put_row(const struct ht_tdfed_section *section, unsigned s,
                    uint32_t row, const struct ht_tdfed_tape *tape)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];
    struct ht_tdfed_segment *segment = strip->segment;
    struct part part = part_of(section, strip, strip->lag + HT_TDFED_LAG * row);
    bool right = segment->swath->step > 0;
    unsigned lane = HT_TDFED_ROWS * s + row;
    struct ht_tdfed_line line;

    if (part.from == part.to)
        return;
    line.begin = leftmost(strip, &part);
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
    ht_tdfed_put_line(section->page, segment, row, strip->ink, &line);
}

/* ---- White and solid of the inks before -------------------------------- */

/* Clears what is not white or solid: `forced` is 255 where all inks so far are.
 */
static void keep_forced(uint8_t *forced, const uint8_t *level, uint32_t count)
{
    typedef uint8_t bytes __attribute__((vector_size(16)));
    uint32_t i = 0;

    for (; i + 16 <= count; i += 16) {
        bytes kept, l;

        memcpy(&kept, forced + i, sizeof kept);
        memcpy(&l, level + i, sizeof l);
        kept &= (bytes)((l == 0) | (l == HT_LEVELS - 1));
        memcpy(forced + i, &kept, sizeof kept);
    }
    for (; i < count; i++)
        forced[i] &= level[i] == 0 || level[i] == HT_LEVELS - 1 ? 255 : 0;
}

/* Finds where, in a row of strip s, all inks before are white or solid, when
 * the strips are a segment's inks side by side: ht_tdfed_kernel.lay's
 * `forced_before`. */
static void look_before(const struct ht_tdfed_section *section, unsigned s,
                        uint32_t row, uint8_t *forced,
                        struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_strip *strip = &section->strips[s];

    memset(forced, 255, HT_TDFED_STEPS);
    if (strip->segment == NULL || row >= section->rows)
        return;

    struct part part = part_of(section, strip, strip->lag + HT_TDFED_LAG * row);
    if (part.from == part.to)
        return;
    uint32_t count = (uint32_t)(part.to - part.from);
    for (unsigned before = 0; before < s; before++) {
        const struct ht_tdfed_strip *other = &section->strips[before];

        if (other->segment == NULL)
            continue;
        const uint8_t *level =
            ht_tdfed_samples(page, strip->segment->swath, row, other->ink) +
            leftmost(strip, &part) * (page->bits / 8);
        if (page->bits == 16) {
            ht_tones_from_samples(level, 16, count, space->tone, space->level);
            level = space->level;
        }
        keep_forced(forced, level, count);
    }
}

/* ---- A section ---------------------------------------------------------- */

/* Lays the rows of strip s, and says what they have in `*run`. */
static void lay_strip(const struct ht_tdfed_section *section, unsigned s,
                      struct ht_tdfed_space *space, struct ht_tdfed_run *run)
{
    const struct ht_tdfed_strip *strip = &section->strips[s];
    const struct ht_tdfed_lookup *lookup = &section->page->lookup[strip->ink];
    struct ht_tdfed_tape *tape = &space->tape;
    bool looks =
        run->inks == HT_TDFED_INK_LATER || run->inks == HT_TDFED_INKS_BESIDE;
    bool asked =
        run->inks == HT_TDFED_INK_FIRST || run->inks == HT_TDFED_INK_LATER;

    run->pixels[s] = lookup->pixels;
    for (uint32_t row = 0; row < HT_TDFED_ROWS; row++) {
        unsigned lane = HT_TDFED_ROWS * s + row;
        uint8_t *forced = tape->forced[lane];

        if (run->inks == HT_TDFED_INKS_BESIDE)
            look_before(section, s, row, forced, space);
        uint8_t extremity =
            lay_row(section, strip, row, tape->index[lane],
                    run->deep ? tape->tone[lane] : NULL, looks ? forced : NULL,
                    asked ? forced : NULL, space);
        run->forced = run->forced || extremity == HT_LEVELS - 1;
        run->far = run->far || extremity > lookup->near_extremity;
    }
}

void ht_tdfed_lay_section(const struct ht_tdfed_section *section,
                          enum ht_tdfed_inks inks, struct ht_tdfed_space *space,
                          struct ht_tdfed_run *run)
{
    const struct ht_tdfed_page *page = section->page;

    assert(space != NULL);
    assert(section->steps <= HT_TDFED_STEPS);
    assert(section->steps % HT_TDFED_ROWS == 0);
    *run = (struct ht_tdfed_run){.steps = section->steps,
                                 .rows = section->rows,
                                 .deep = page->bits == 16,
                                 .inks = inks};
    for (unsigned s = 0; s < page->kernel->strips; s++) {
        lay_strip(section, s, space, run);
        lay_errors(section, s, &space->tape);
    }
}

void ht_tdfed_put_section(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_tape *tape)
{
    for (unsigned s = 0; s < section->page->kernel->strips; s++) {
        const struct ht_tdfed_segment *segment = section->strips[s].segment;

        put_errors(section, s, tape);
        for (uint32_t row = 0; row < section->rows; row++)
            if (segment != NULL && segment->swath->dots[row] != NULL)
                put_row(section, s, row, tape);
    }
}

void ht_tdfed_prefetch(const struct ht_tdfed_section *section,
                       const struct ht_tdfed_strip *strip)
{
    assert(strip->segment != NULL);
    const size_t line = 64, size = section->page->bits / 8;
    struct part part = part_of(section, strip, 0);
    if (part.from == part.to)
        return;
    size_t begin = leftmost(strip, &part) * size;
    size_t end = begin + (size_t)(part.to - part.from) * size;

    for (uint32_t row = 0; row < section->rows; row++) {
        const uint8_t *samples = ht_tdfed_samples(
            section->page, strip->segment->swath, row, strip->ink);

        for (size_t at = begin; at < end; at += line)
            __builtin_prefetch(samples + at);
    }
}
