/*
 * cpu_strip.c - lays the strips of some segments on a tape, in scan order,
 * runs a kernel over it, and puts dots and errors back into their rows.
 *
 * A tape is as long as the first caches are large: longer segments go over it
 * in sections, with the kernel's state kept in between. In a section, column
 * c of a strip's row r lies at step c + HT_CPU_LAG r + lag - begin, where lag
 * is the strip's own and begin the section's first step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/cpu_rows.h"
#include "halftone/cpu_strip.h"

struct strip {
    struct ht_cpu_segment *segment; /* NULL: nothing in these lanes */
    uint32_t ink;
    uint32_t lag;
};

struct section {
    const struct ht_cpu_page *page;
    struct strip strips[HT_CPU_MAX_STRIPS];
    uint32_t rows;         /* of the swaths */
    uint32_t begin, steps; /* steps begin..begin+steps-1 */
};

static uint32_t length_of(const struct strip *strip)
{
    return strip->segment->end - strip->segment->begin;
}

/* ---- Samples to the tape ----------------------------------------------- */

/* Up to seven columns more are written. */
static void lay_nothing(uint16_t *index, uint32_t count)
{
    const ht_cpu_words nothing = (ht_cpu_words){0} + HT_CPU_NOTHING;

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

/* What is left of a row's columns in a section: from..to-1, counted in scan
 * order; column c lies at step c + offset. */
struct part {
    int32_t from, to, offset;
};

static struct part part_of(const struct section *section,
                           const struct strip *strip, uint32_t lag)
{
    struct part part = {.offset = (int32_t)lag - (int32_t)section->begin};

    part.from = at_least(-part.offset, 0);
    part.to = at_most((int32_t)section->steps - part.offset,
                      (int32_t)length_of(strip));
    part.to = at_least(part.to, part.from);
    return part;
}

/* The column of a part that is leftmost on the page. */
static uint32_t leftmost(const struct strip *strip, const struct part *part)
{
    const struct ht_cpu_segment *segment = strip->segment;

    return segment->swath->step > 0 ? segment->begin + (uint32_t)part->from
                                    : segment->end - (uint32_t)part->to;
}

/* What would leave the segment sideways is not split off. */
static void close_segment(uint16_t *index, const struct part *part,
                          int32_t length)
{
    for (int32_t c = part->from; c < HT_CPU_REACH && c < part->to; c++)
        index[c + part->offset] += (uint16_t)((c + 1) * HT_CPU_FIRST);
    if (part->from < length && part->to == length)
        index[length - 1 + part->offset] += HT_CPU_LAST;
}

static void copy_mirrored(int16_t *to, const int16_t *from, uint32_t count)
{
    ht_cpu_words eight;

    for (; count >= 8; count -= 8, from += 8) {
        memcpy(&eight, from, sizeof eight);
        eight = ht_cpu_reversed(eight);
        memcpy(to + count - 8, &eight, sizeof eight);
    }
    for (; count > 0; count--)
        to[count - 1] = *from++;
}

/* The same columns as kernel->lay(), of 16-bit samples: lays their tones.
 * Returns their levels. */
static const uint8_t *lay_tones(int16_t *tone, const uint8_t *samples,
                                uint32_t count, bool mirrored,
                                struct ht_cpu_space *space)
{
    ht_tones_from_samples(samples, 16, count, space->tone, space->level);
    if (mirrored)
        copy_mirrored(tone, space->tone, count);
    else
        memcpy(tone, space->tone, count * sizeof *tone);
    return space->level;
}

static const uint8_t *pattern_row(const struct ht_cpu_page *page, uint32_t copy,
                                  uint64_t row)
{
    uint32_t y = (row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE;

    return page->pattern +
           (copy % 2 * HT_PATTERN_SIZE + y) * HT_CPU_PATTERN_ROW;
}

/* Lays a row of a strip into its lane; its greatest extremity. `forced_before`
 * and `forced` as in ht_cpu_kernel.lay. */
static uint8_t lay_row(const struct section *section, const struct strip *strip,
                       uint32_t row, uint16_t *index, int16_t *tone,
                       const uint8_t *forced_before, uint8_t *forced,
                       struct ht_cpu_space *space)
{
    const struct ht_cpu_page *page = section->page;
    const struct ht_cpu_segment *segment = strip->segment;

    if (tone != NULL)
        memset(tone, 0, section->steps * sizeof *tone);
    if (forced != NULL && forced_before == NULL && segment == NULL)
        memset(forced, 255, HT_CPU_STEPS);
    if (segment == NULL || row >= section->rows) {
        lay_nothing(index, section->steps);
        return 0;
    }

    const struct ht_cpu_swath *swath = segment->swath;
    struct part part = part_of(section, strip, strip->lag + HT_CPU_LAG * row);
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
        ht_cpu_samples(page, swath, row, strip->ink) + x * (page->bits / 8);
    if (tone != NULL)
        level = lay_tones(tone + begin, level, count, mirrored, space);
    lay_nothing(index, begin);
    uint8_t extremity = page->kernel->lay(
        index + begin, level, pattern_row(page, copy, swath->row + row),
        x + copy / 2 * HT_PATTERN_RIGHT, forced_before, forced,
        page->look_up[strip->ink].middle, count, mirrored);
    lay_nothing(index + end, section->steps - end);
    close_segment(index, &part, (int32_t)length_of(strip));
    return extremity;
}

/* ---- Errors to the tape and back --------------------------------------- */

static int16_t *errors_of(const struct section *section,
                          const struct strip *strip, const struct part *part)
{
    return section->page->error + (size_t)strip->ink * section->page->width +
           leftmost(strip, part);
}

static void lay_errors(const struct section *section, unsigned s,
                       struct ht_cpu_tape *tape)
{
    const struct strip *strip = &section->strips[s];
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

static void put_errors(const struct section *section, unsigned s,
                       const struct ht_cpu_tape *tape)
{
    const struct strip *strip = &section->strips[s];

    if (strip->segment == NULL)
        return;

    struct part part =
        part_of(section, strip, strip->lag + HT_CPU_LAG * section->rows);
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

/* 64 dots of a lane from a step on, which may be up to 63 before the tape,
 * modulo 2^32. */
static inline uint64_t dots_at(const struct ht_cpu_tape *tape, unsigned lane,
                               uint32_t step)
{
    uint32_t at = step + 64;
    uint64_t first = tape->dots[at / 64][lane];
    uint64_t second = tape->dots[at / 64 + 1][lane];

    return first << at % 64 | second >> 1 >> (63 - at % 64);
}

static void put_row(const struct section *section, unsigned s, uint32_t row,
                    const struct ht_cpu_tape *tape)
{
    const struct strip *strip = &section->strips[s];
    struct ht_cpu_segment *segment = strip->segment;
    struct part part = part_of(section, strip, strip->lag + HT_CPU_LAG * row);
    bool right = segment->swath->step > 0;
    unsigned lane = HT_CPU_ROWS * s + row;
    struct ht_cpu_line line;

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

        ht_cpu_dots_to_bytes(at, right ? dots : ht_cpu_mirrored(dots));
        step += right ? 64 : -64u;
    }
    ht_cpu_put_line(section->page, segment, row, strip->ink, &line);
}

/* ---- Sections ---------------------------------------------------------- */

/* Leaves 255 only where a level is white or solid. */
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

/* Where all inks before that of strip s, one of a segment's inks side by side,
 * are white or solid in a row: `forced` as ht_cpu_kernel.lay wants it. */
static void look_before(const struct section *section, unsigned s, uint32_t row,
                        uint8_t *forced, struct ht_cpu_space *space)
{
    const struct ht_cpu_page *page = section->page;
    const struct strip *strip = &section->strips[s];

    memset(forced, 255, HT_CPU_STEPS);
    if (strip->segment == NULL || row >= section->rows)
        return;

    struct part part = part_of(section, strip, strip->lag + HT_CPU_LAG * row);
    if (part.from == part.to)
        return;
    uint32_t count = (uint32_t)(part.to - part.from);
    for (unsigned before = 0; before < s; before++) {
        const struct strip *other = &section->strips[before];

        if (other->segment == NULL)
            continue;
        const uint8_t *level =
            ht_cpu_samples(page, strip->segment->swath, row, other->ink) +
            leftmost(strip, &part) * (page->bits / 8);
        if (page->bits == 16) {
            ht_tones_from_samples(level, 16, count, space->tone, space->level);
            level = space->level;
        }
        keep_forced(forced, level, count);
    }
}

static void run_section(const struct section *section, enum ht_cpu_inks inks,
                        struct ht_cpu_space *space, struct ht_cpu_chain *chain)
{
    const struct ht_cpu_page *page = section->page;
    struct ht_cpu_tape *tape = &space->tape;
    struct ht_cpu_run run = {.steps = section->steps,
                             .rows = section->rows,
                             .deep = page->bits == 16,
                             .inks = inks};

    for (unsigned s = 0; s < page->kernel->strips; s++) {
        const struct ht_cpu_look_up *look_up =
            &page->look_up[section->strips[s].ink];

        run.pixels[s] = look_up->pixels;
        for (uint32_t row = 0; row < HT_CPU_ROWS; row++) {
            unsigned lane = HT_CPU_ROWS * s + row;
            uint8_t *forced = tape->forced[lane];
            bool looks = inks == HT_CPU_INK_LATER || inks == HT_CPU_INKS_BESIDE;
            bool asked = inks == HT_CPU_INK_FIRST || inks == HT_CPU_INK_LATER;

            if (inks == HT_CPU_INKS_BESIDE)
                look_before(section, s, row, forced, space);
            uint8_t extremity =
                lay_row(section, &section->strips[s], row, tape->index[lane],
                        run.deep ? tape->tone[lane] : NULL,
                        looks ? forced : NULL, asked ? forced : NULL, space);
            run.forced = run.forced || extremity == HT_LEVELS - 1;
            run.far = run.far || extremity > look_up->near_extremity;
        }
        lay_errors(section, s, tape);
    }
    page->kernel->run(&run, tape, chain);
    for (unsigned s = 0; s < page->kernel->strips; s++) {
        const struct ht_cpu_segment *segment = section->strips[s].segment;

        put_errors(section, s, tape);
        for (uint32_t row = 0; row < section->rows; row++)
            if (segment != NULL && segment->swath->dots[row] != NULL)
                put_row(section, s, row, tape);
    }
}

/* The strip of the ink whose turn it is in a segment; its segment is NULL where
 * that ink has no work. */
static struct strip strip_of(const struct section *section,
                             struct ht_cpu_segment *segment, uint32_t turn)
{
    uint32_t ink =
        ht_ink_of_turn(turn, section->page->inks, segment->swath->number);
    bool works = (segment->inks >> ink & 1) != 0;

    return (struct strip){works ? segment : NULL, ink, 0};
}

/* Has the section's samples of a strip fetched into the nearest cache, all at
 * the same time. */
static void prefetch(const struct section *section, const struct strip *strip)
{
    const size_t line = 64, size = section->page->bits / 8;
    struct part part = part_of(section, strip, 0);
    if (part.from == part.to)
        return;
    size_t begin = leftmost(strip, &part) * size;
    size_t end = begin + (size_t)(part.to - part.from) * size;

    for (uint32_t row = 0; row < section->rows; row++) {
        const uint8_t *samples = ht_cpu_samples(
            section->page, strip->segment->swath, row, strip->ink);

        for (size_t at = begin; at < end; at += line)
            __builtin_prefetch(samples + at);
    }
}

/* Sets the section's strips to those of a turn, and fetches what the next one
 * needs. Whether some have work. */
static bool take_turn(struct section *section, struct ht_cpu_segment *segments,
                      unsigned count, uint32_t turn)
{
    bool works = false;

    for (unsigned s = 0; s < section->page->kernel->strips; s++) {
        section->strips[s] = s < count ? strip_of(section, &segments[s], turn)
                                       : (struct strip){0};
        works = works || section->strips[s].segment != NULL;
    }
    for (unsigned s = 0; s < count && turn + 1 < section->page->inks; s++) {
        struct strip next = strip_of(section, &segments[s], turn + 1);

        if (next.segment != NULL)
            prefetch(section, &next);
    }
    return works;
}

/* Inks one after the other, each in all segments at once. */
static void run_in_turn(struct section *section,
                        struct ht_cpu_segment *segments, unsigned count,
                        struct ht_cpu_space *space)
{
    enum ht_cpu_inks inks = HT_CPU_INK_ALONE;

    for (unsigned s = 0; s < count; s++) {
        struct strip first = strip_of(section, &segments[s], 0);

        if (first.segment != NULL)
            prefetch(section, &first);
        if ((segments[s].inks & (segments[s].inks - 1)) != 0)
            inks = HT_CPU_INK_FIRST;
    }
    for (uint32_t turn = 0; turn < section->page->inks; turn++) {
        if (!take_turn(section, segments, count, turn))
            continue;
        run_section(section, inks, space, &space->chain[turn]);
        if (inks == HT_CPU_INK_FIRST)
            inks = HT_CPU_INK_LATER;
    }
}

/* All inks of one segment side by side. */
static void run_beside(struct section *section, struct ht_cpu_segment *segment,
                       struct ht_cpu_space *space)
{
    struct ht_cpu_tape *tape = &space->tape;

    for (uint32_t turn = 0; turn < section->page->kernel->strips; turn++) {
        section->strips[turn] = turn < section->page->inks
                                    ? strip_of(section, segment, turn)
                                    : (struct strip){0};
        section->strips[turn].lag = HT_CPU_INK_LAG * turn;
    }
    const size_t lag = HT_CPU_INK_LAG * sizeof tape->before[0];
    if (section->begin == 0)
        memset(tape->before, 0, lag);
    run_section(section, HT_CPU_INKS_BESIDE, space, &space->chain[0]);
    memcpy(tape->before, tape->before[section->steps], lag);
}

void ht_cpu_run_segments(const struct ht_cpu_page *page,
                         struct ht_cpu_segment *segments, unsigned count,
                         struct ht_cpu_space *space)
{
    uint32_t inks = page->inks, longest = 0;
    bool beside = count == 1 && inks > 1 && inks <= page->kernel->strips;
    struct section section = {.page = page, .rows = segments->swath->rows};

    for (unsigned s = 0; s < count; s++) {
        uint32_t length = segments[s].end - segments[s].begin;
        longest = length > longest ? length : longest;
    }

    uint32_t steps = longest + HT_CPU_LAG * section.rows +
                     (beside ? HT_CPU_INK_LAG * (inks - 1) : 0);
    memset(space->chain, 0, inks * sizeof space->chain[0]);
    for (; section.begin < steps; section.begin += section.steps) {
        uint32_t left = steps - section.begin;

        section.steps = (left + HT_CPU_ROWS - 1) / HT_CPU_ROWS * HT_CPU_ROWS;
        if (section.steps > HT_CPU_STEPS)
            section.steps = HT_CPU_STEPS;
        if (beside)
            run_beside(&section, segments, space);
        else
            run_in_turn(&section, segments, count, space);
    }
}
