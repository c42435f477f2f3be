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

static struct ht_tdfed_piece piece_of(struct ht_tdfed_joined *joined,
                                      uint32_t lag)
{
    return (struct ht_tdfed_piece){joined, &joined->whole, lag};
}

/* Fills the strips with what was joined for an ink alone, the longest first. */
static void fill_strips(struct ht_tdfed_section *section,
                        struct ht_tdfed_joined *joined, unsigned count,
                        uint32_t ink)
{
    const unsigned strips = section->page->kernel->strips;
    struct ht_tdfed_joined *sorted[HT_TDFED_MAX_SEGMENTS];
    uint32_t steps[HT_TDFED_MAX_STRIPS] = {0};

    assert(strips > 0);
    for (unsigned n = 0; n < count; n++) {
        const uint32_t length = length_of(&joined[n].whole);
        unsigned at = n;

        for (; at > 0 && length_of(&sorted[at - 1]->whole) < length; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = &joined[n];
    }
    for (unsigned s = 0; s < strips; s++) {
        section->strips[s].ink = ink;
        section->strips[s].idle = false;
        section->strips[s].count = 0;
    }
    for (unsigned n = 0; n < count; n++) {
        unsigned s = shortest(steps, strips);
        struct ht_tdfed_strip *strip = &section->strips[s];

        strip->piece[strip->count++] = piece_of(sorted[n], steps[s]);
        steps[s] += length_of(&sorted[n]->whole);
    }
    section->vectors = 1;
    section->lag = HT_TDFED_LAG;
}

/* Gives each of some inks, which meet, a place with all that was joined: the
 * first one to ink 0 alone. */
static void fill_places(struct ht_tdfed_section *section,
                        struct ht_tdfed_joined *joined, unsigned count,
                        uint32_t inks)
{
    uint32_t used = (inks & 1) != 0 ? 0 : 1;
    const uint32_t places =
        ht_tdfed_places(used + (uint32_t)__builtin_popcount(inks));

    for (uint32_t number = 0; number < places; number++) {
        struct ht_tdfed_strip *strip = &section->strips[number];
        uint32_t steps = number;

        strip->idle = true;
        strip->ink = 0;
        strip->count = count;
        for (unsigned n = 0; n < count; n++) {
            strip->piece[n] = piece_of(&joined[n], steps);
            steps += length_of(&joined[n].whole);
        }
    }
    for (; inks != 0; inks &= inks - 1, used++) {
        section->strips[used].idle = false;
        section->strips[used].ink = (uint32_t)__builtin_ctz(inks);
    }
    section->vectors = places / section->page->kernel->strips;
    section->lag = places + 1;
}

/* ---- Runs ------------------------------------------------------------------
 */

/* Runs strips section by section. */
static void run_strips(struct ht_tdfed_section *section,
                       struct ht_tdfed_space *space)
{
    const uint32_t count = section->vectors * section->page->kernel->strips;
    uint32_t steps = 0;

    for (uint32_t s = 0; s < count; s++)
        if (steps_of(&section->strips[s]) > steps)
            steps = steps_of(&section->strips[s]);
    steps += section->lag * section->rows;
    section->begin = 0;

    uint32_t sections = (steps + HT_TDFED_STEPS - 1) / HT_TDFED_STEPS;
    ht_tdfed_begin_strips(section, space);
    for (; sections > 0; sections--, section->begin += section->steps) {
        uint32_t left = (steps - section->begin + sections - 1) / sections;

        section->steps =
            (left + HT_TDFED_ROWS - 1) / HT_TDFED_ROWS * HT_TDFED_ROWS;
        ht_tdfed_run_section(section, space);
    }
}

/* Returns what segments have of some inks. */
static enum ht_tdfed_content
content_of(struct ht_tdfed_segment *const *segments, unsigned count,
           uint32_t inks)
{
    uint32_t forced = 0, far = 0;

    for (unsigned n = 0; n < count; n++) {
        forced |= segments[n]->forced;
        far |= segments[n]->far;
    }
    return (forced & inks) != 0 ? HT_TDFED_KEPT
           : (far & inks) != 0  ? HT_TDFED_FAR_TOO
                                : HT_TDFED_NEAR;
}

/* Returns how many columns are joined: all of inks that meet, and of an ink
 * alone what fills a strip, half a segment more or less. */
static uint32_t most_joined(const struct ht_tdfed_section *section,
                            struct ht_tdfed_segment *const *segments,
                            unsigned count)
{
    uint32_t columns = 0;

    if (section->meet)
        return HT_TDFED_STEPS;
    for (unsigned n = 0; n < count; n++)
        columns += length_of(segments[n]);
    return columns / section->page->kernel->strips + columns / (2 * count);
}

/* Runs some inks of segments, which `meet` or are one. */
static void run_joined(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *const *segments, unsigned count,
                       uint32_t inks, bool meet, struct ht_tdfed_space *space)
{
    const bool one = (inks & (inks - 1)) == 0; /* which gives no light on */
    struct ht_tdfed_section section;

    section.page = page;
    section.meet = meet;
    section.content =
        meet && one ? HT_TDFED_KEPT : content_of(segments, count, inks);
    section.rows = segments[0]->swath->rows;
    count =
        ht_tdfed_join(page, segments, count,
                      most_joined(&section, segments, count), space->joined);
    if (meet)
        fill_places(&section, space->joined, count, inks);
    else
        fill_strips(&section, space->joined, count,
                    (uint32_t)__builtin_ctz(inks));
    run_strips(&section, space);
    ht_tdfed_unjoin(page, space->joined, count);
}

/* Runs an ink that the segments have alone, without most of their white and
 * solid columns if that is worth it. */
static void run_alone(const struct ht_tdfed_page *page,
                      struct ht_tdfed_segment *const *segments, unsigned count,
                      uint32_t ink, struct ht_tdfed_space *space)
{
    struct ht_tdfed_gathered *gathered = space->gathered;
    struct ht_tdfed_segment *all[HT_TDFED_MAX_SEGMENTS];

    if (page->bits != 8 ||
        !ht_tdfed_gather(gathered, page, segments, count, ink)) {
        run_joined(page, segments, count, (uint32_t)1 << ink, false, space);
        return;
    }
    for (unsigned n = 0; n < count; n++)
        all[n] = &gathered->segment[n];
    run_joined(&gathered->page, all, count, (uint32_t)1 << ink, false, space);
    ht_tdfed_scatter(gathered, page, segments, count, ink);
}

/* Says whether the inks of two segments can run together. */
static bool alike(const struct ht_tdfed_segment *a,
                  const struct ht_tdfed_segment *b)
{
    return b->together && a->inks == b->inks &&
           (a->forced != 0) == (b->forced != 0);
}

/* Columns of segments that one section has room for, with all lags. */
#define ONE_SECTION                                                            \
    (HT_TDFED_STEPS - (HT_TDFED_ROWS + 1) * (HT_TDFED_PLACES + 1))

/* Runs the first of some segments, bits of `left`, and those that are like it,
 * whose inks meet. Returns those that are left. */
static uint32_t run_some(const struct ht_tdfed_page *page,
                         struct ht_tdfed_segment *segments, uint32_t left,
                         struct ht_tdfed_space *space)
{
    const struct ht_tdfed_segment *first = &segments[__builtin_ctz(left)];
    struct ht_tdfed_segment *some[HT_TDFED_MAX_SEGMENTS];
    unsigned found = 0;
    uint32_t columns = 0;

    for (uint32_t all = left; all != 0; all &= all - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(all);
        uint32_t more = length_of(&segments[n]);

        if (!alike(first, &segments[n]) ||
            (found > 0 && columns + more > ONE_SECTION))
            continue;
        columns += more;
        some[found++] = &segments[n];
        left &= ~((uint32_t)1 << n);
    }
    assert(found > 0); /* the first is like itself */
    run_joined(page, some, found, first->inks, true, space);
    return left;
}

void ht_tdfed_run_segments(const struct ht_tdfed_page *page,
                           struct ht_tdfed_segment *segments, unsigned count,
                           struct ht_tdfed_space *space)
{
    uint32_t meeting = 0;

    assert(count >= 1 && count <= HT_TDFED_MAX_SEGMENTS);
    for (unsigned n = 0; n < count; n++)
        meeting |= (uint32_t)segments[n].together << n;
    while (meeting != 0)
        meeting = run_some(page, segments, meeting, space);
    for (uint32_t ink = 0; ink < page->inks; ink++) {
        struct ht_tdfed_segment *some[HT_TDFED_MAX_SEGMENTS];
        unsigned found = 0;

        for (unsigned n = 0; n < count; n++)
            if (!segments[n].together && (segments[n].inks >> ink & 1) != 0)
                some[found++] = &segments[n];
        if (found > 0)
            run_alone(page, some, found, ink, space);
    }
}
