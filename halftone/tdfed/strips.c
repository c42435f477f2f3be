/*
 * strips.c - puts segments into strips, and runs these through a kernel,
 * section by section.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "halftone/tdfed/strips.h"

/* ---- Segments to strips ---------------------------------------------------
 */

static uint32_t length_of(const struct ht_tdfed_segment *segment)
{
    return segment->end - segment->begin;
}

/* Returns the steps that a strip's first rows take. */
static uint32_t steps_of(const struct ht_tdfed_strip *strip)
{
    const struct ht_tdfed_piece *last;

    if (strip->count == 0)
        return 0;
    last = &strip->piece[strip->count - 1];
    assert(last->segment != NULL);
    return last->lag + length_of(last->segment);
}

/* Returns the shortest of the strips, whose first rows take `steps`. */
static unsigned shortest(const uint32_t *steps, unsigned strips)
{
    unsigned best = 0;

    for (unsigned s = 1; s < strips; s++)
        if (steps[s] < steps[best])
            best = s;
    return best;
}

/* Fills the strips with the segments, the longest first. */
static void fill_strips(struct ht_tdfed_section *section,
                        struct ht_tdfed_segment *segments, unsigned count)
{
    struct ht_tdfed_segment *sorted[HT_TDFED_MAX_SEGMENTS];
    uint32_t steps[HT_TDFED_MAX_STRIPS] = {0};

    for (unsigned n = 0; n < count; n++) {
        unsigned at = n;

        for (; at > 0 && length_of(sorted[at - 1]) < length_of(&segments[n]);
             at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &segments[n];
    }
    for (unsigned n = 0; n < count; n++) {
        unsigned s = shortest(steps, section->page->kernel->strips);
        struct ht_tdfed_strip *strip = &section->strips[s];

        strip->piece[strip->count++] =
            (struct ht_tdfed_piece){sorted[n], steps[s]};
        steps[s] += length_of(sorted[n]);
    }
}

/* ---- Runs ------------------------------------------------------------------
 */

/* Says whether inks of any of some segments meet. */
static bool meet(const struct ht_tdfed_segment *segments, unsigned count)
{
    bool any = false;

    for (unsigned i = 0; i < count; i++)
        any = any || segments[i].together;
    return any;
}

static void run_strips(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segments, unsigned count,
                       bool together, struct ht_tdfed_space *space)
{
    struct ht_tdfed_section section = {
        .page = page, .meet = together, .rows = segments->swath->rows};
    uint32_t steps = 0;

    fill_strips(&section, segments, count);
    for (unsigned s = 0; s < page->kernel->strips; s++)
        if (steps_of(&section.strips[s]) > steps)
            steps = steps_of(&section.strips[s]);
    steps += HT_TDFED_LAG * section.rows;
    ht_tdfed_begin_strips(page, space);

    uint32_t sections = (steps + HT_TDFED_STEPS - 1) / HT_TDFED_STEPS;
    for (; sections > 0; sections--, section.begin += section.steps) {
        uint32_t left = (steps - section.begin + sections - 1) / sections;

        section.steps =
            (left + HT_TDFED_ROWS - 1) / HT_TDFED_ROWS * HT_TDFED_ROWS;
        ht_tdfed_run_section(&section, space);
    }
}

void ht_tdfed_run_segments(const struct ht_tdfed_page *page,
                           struct ht_tdfed_segment *segments, unsigned count,
                           struct ht_tdfed_space *space)
{
    assert(count >= 1 && count <= HT_TDFED_MAX_SEGMENTS);
    const bool together = meet(segments, count);
    struct ht_tdfed_gathered *gathered = space->gathered;

    if (page->bits == 8 && !together &&
        ht_tdfed_gather(gathered, page, segments, count)) {
        run_strips(&gathered->page, gathered->segment, count, false, space);
        ht_tdfed_scatter(gathered, page, segments, count);
    } else {
        run_strips(page, segments, count, together, space);
    }
}
