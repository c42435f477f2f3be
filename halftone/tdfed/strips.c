/*
 * strips.c - runs the strips of some segments through a kernel, section by
 * section: the inks in turn, each in all segments, or side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/tdfed/strips.h"

static void run_section(const struct ht_tdfed_section *section,
                        enum ht_tdfed_inks inks, struct ht_tdfed_space *space,
                        struct ht_tdfed_chain *chain)
{
    struct ht_tdfed_run run;

    ht_tdfed_lay_section(section, inks, space, &run);
    section->page->kernel->run(&run, &space->tape, chain);
    ht_tdfed_put_section(section, &space->tape);
}

/* Returns the strip of the ink whose turn it is in a segment; without a segment
 * where that ink is blank. */
static struct ht_tdfed_strip strip_of(const struct ht_tdfed_section *section,
                                      struct ht_tdfed_segment *segment,
                                      uint32_t turn)
{
    uint32_t ink =
        ht_ink_of_turn(turn, section->page->inks, segment->swath->number);
    bool works = (segment->inks >> ink & 1) != 0;

    return (struct ht_tdfed_strip){works ? segment : NULL, ink, 0};
}

/* Sets the section's strips to those of a turn, and fetches the samples of the
 * next one. Says whether some have work. */
static bool take_turn(struct ht_tdfed_section *section,
                      struct ht_tdfed_segment *segments, unsigned count,
                      uint32_t turn)
{
    bool works = false;

    for (unsigned s = 0; s < section->page->kernel->strips; s++) {
        section->strips[s] = s < count ? strip_of(section, &segments[s], turn)
                                       : (struct ht_tdfed_strip){0};
        works = works || section->strips[s].segment != NULL;
    }
    for (unsigned s = 0; s < count && turn + 1 < section->page->inks; s++) {
        struct ht_tdfed_strip next = strip_of(section, &segments[s], turn + 1);

        if (next.segment != NULL)
            ht_tdfed_prefetch(section, &next);
    }
    return works;
}

/* Runs the inks one after the other, each in all segments at once. */
static void run_in_turn(struct ht_tdfed_section *section,
                        struct ht_tdfed_segment *segments, unsigned count,
                        struct ht_tdfed_space *space)
{
    enum ht_tdfed_inks inks = HT_TDFED_INK_ALONE;

    for (unsigned s = 0; s < count; s++) {
        struct ht_tdfed_strip first = strip_of(section, &segments[s], 0);

        if (first.segment != NULL)
            ht_tdfed_prefetch(section, &first);
        if ((segments[s].inks & (segments[s].inks - 1)) != 0)
            inks = HT_TDFED_INK_FIRST;
    }
    for (uint32_t turn = 0; turn < section->page->inks; turn++) {
        if (!take_turn(section, segments, count, turn))
            continue;
        run_section(section, inks, space, &space->chain[turn]);
        if (inks == HT_TDFED_INK_FIRST)
            inks = HT_TDFED_INK_LATER;
    }
}

/* Runs all inks of one segment side by side. */
static void run_beside(struct ht_tdfed_section *section,
                       struct ht_tdfed_segment *segment,
                       struct ht_tdfed_space *space)
{
    struct ht_tdfed_tape *tape = &space->tape;

    for (uint32_t turn = 0; turn < section->page->kernel->strips; turn++) {
        section->strips[turn] = turn < section->page->inks
                                    ? strip_of(section, segment, turn)
                                    : (struct ht_tdfed_strip){0};
        section->strips[turn].lag = HT_TDFED_INK_LAG * turn;
    }
    const size_t lag = HT_TDFED_INK_LAG * sizeof tape->before[0];
    if (section->begin == 0)
        memset(tape->before, 0, lag);
    run_section(section, HT_TDFED_INKS_BESIDE, space, &space->chain[0]);
    memcpy(tape->before, tape->before[section->steps], lag);
}

void ht_tdfed_run_segments(const struct ht_tdfed_page *page,
                           struct ht_tdfed_segment *segments, unsigned count,
                           struct ht_tdfed_space *space)
{
    assert(count >= 1 && count <= page->kernel->strips);
    uint32_t inks = page->inks, longest = 0;
    bool beside = count == 1 && inks > 1 && inks <= page->kernel->strips;
    struct ht_tdfed_section section = {.page = page,
                                       .rows = segments->swath->rows};

    for (unsigned s = 0; s < count; s++) {
        uint32_t length = segments[s].end - segments[s].begin;
        longest = length > longest ? length : longest;
    }

    uint32_t steps = longest + HT_TDFED_LAG * section.rows +
                     (beside ? HT_TDFED_INK_LAG * (inks - 1) : 0);
    memset(space->chain, 0, inks * sizeof space->chain[0]);
    for (; section.begin < steps; section.begin += section.steps) {
        uint32_t left = steps - section.begin;

        section.steps =
            (left + HT_TDFED_ROWS - 1) / HT_TDFED_ROWS * HT_TDFED_ROWS;
        if (section.steps > HT_TDFED_STEPS)
            section.steps = HT_TDFED_STEPS;
        if (beside)
            run_beside(&section, segments, space);
        else
            run_in_turn(&section, segments, count, space);
    }
}
