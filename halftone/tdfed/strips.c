/*
 * strips.c - puts segments into strips, and runs these through a kernel,
 * chunk by chunk.
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

/* Segments that go to the same strip: one, or some side by side in a swath,
 * which lie on the tape as one: what a row of them costs is then paid once. */
struct segment_group {
    struct ht_tdfed_segment *const *segment; /* from left to right */
    unsigned count;
    uint32_t columns;
};

/* Takes stretches and extents for new strips out of `space`, which has room for
 * them. */
struct filling {
    const struct ht_tdfed_chunk *chunk;
    struct ht_tdfed_space *space;
    unsigned stretches, extents;
};

/* Joins adjacent ones of `count` segments, up to `most` columns unless a single
 * one has more. Returns the number of groups. */
static unsigned find_groups(struct ht_tdfed_segment *const *segments,
                            unsigned count, uint32_t most,
                            struct segment_group *groups)
{
    unsigned found = 0;

    for (unsigned n = 0; n < count; n++) {
        struct segment_group *last = found > 0 ? &groups[found - 1] : NULL;
        uint32_t columns = length_of(segments[n]);

        if (last != NULL && last->columns + columns <= most &&
            segments[n - 1]->swath == segments[n]->swath &&
            segments[n - 1]->end == segments[n]->begin) {
            last->count++;
            last->columns += columns;
        } else {
            groups[found++] = (struct segment_group){&segments[n], 1, columns};
        }
    }
    return found;
}

/* Sorts groups, the longest first. */
static void sort_groups(struct segment_group *groups, unsigned count)
{
    for (unsigned n = 1; n < count; n++) {
        const struct segment_group own = groups[n];
        unsigned at = n;

        for (; at > 0 && groups[at - 1].columns < own.columns; at--)
            groups[at] = groups[at - 1];
        groups[at] = own;
    }
}

/* Adds columns begin..end-1 of a group to a strip. */
static void add_stretch(struct filling *filling, struct ht_tdfed_strip *strip,
                        const struct segment_group *group, uint32_t begin,
                        uint32_t end)
{
    const struct ht_tdfed_page *page = filling->chunk->page;
    const uint32_t bits = page->dot_bits;
    const uint32_t left = group->segment[0]->begin;
    const uint32_t right = group->segment[group->count - 1]->end;
    const bool shared = filling->space->shared;

    filling->space->stretch[filling->stretches++] = (struct ht_tdfed_stretch){
        .swath = group->segment[0]->swath,
        .begin = begin,
        .end = end,
        .own_from = shared ? (left * bits + 7) / 8 : 0,
        .own_to = shared && right < page->width ? right * bits / 8
                                                : (uint32_t)page->plane,
        .at = strip->steps};
    strip->steps += end - begin;
    strip->count++;
}

static void add_extent(struct filling *filling, struct ht_tdfed_strip *strip,
                       uint32_t begin, uint32_t end)
{
    filling->space->extent[filling->extents++] =
        (struct ht_tdfed_extent){begin, end};
    strip->extents++;
}

/* Adds all columns of a group. */
static void add_whole(struct filling *filling, struct ht_tdfed_strip *strip,
                      const struct segment_group *group)
{
    uint32_t at = strip->steps;

    for (unsigned i = 0; i < group->count; i++) {
        bool right = group->segment[0]->swath->step > 0;
        uint32_t columns =
            length_of(group->segment[right ? i : group->count - 1 - i]);

        add_extent(filling, strip, at, at + columns);
        at += columns;
    }
    add_stretch(filling, strip, group, group->segment[0]->begin,
                group->segment[group->count - 1]->end);
}

/* Adds the columns of a segment that have to be diffused, each stretch with
 * white ones behind it. */
static void add_gathered(struct filling *filling, struct ht_tdfed_strip *strip,
                         const struct segment_group *group)
{
    const struct ht_tdfed_segment *segment = group->segment[0];
    struct ht_tdfed_columns stretches[HT_TDFED_GATHER_STRETCHES];
    const unsigned count =
        ht_tdfed_gather(filling->chunk->page, segment, strip->ink, stretches);
    const bool right = segment->swath->step > 0;
    uint32_t first = HT_TDFED_NOWHERE, end = HT_TDFED_NOWHERE;

    for (unsigned i = 0; i < count; i++) {
        const struct ht_tdfed_columns *stretch =
            &stretches[right ? i : count - 1 - i];
        const bool begins = stretch->begin == segment->begin;
        const bool ends = stretch->end == segment->end;

        if (right ? begins : ends)
            first = strip->steps;
        add_stretch(filling, strip, group, stretch->begin, stretch->end);
        if (right ? ends : begins)
            end = strip->steps;
        strip->steps += HT_TDFED_REACH;
    }
    add_extent(filling, strip, first, end);
}

/* Adds all of a group, with white columns behind it: of inks that meet. */
static void add_apart(struct filling *filling, struct ht_tdfed_strip *strip,
                      const struct segment_group *group)
{
    add_whole(filling, strip, group);
    strip->steps += HT_TDFED_REACH;
}

static void begin_strip(const struct filling *filling,
                        struct ht_tdfed_strip *strip)
{
    strip->steps = 0;
    strip->count = strip->extents = 0;
    strip->stretch = filling->space->stretch + filling->stretches;
    strip->extent = filling->space->extent + filling->extents;
}

/* Returns the shortest of the strips, which have `columns`. */
static unsigned shortest(const uint32_t *columns, unsigned strips)
{
    unsigned best = 0;

    for (unsigned s = 1; s < strips; s++)
        if (columns[s] < columns[best])
            best = s;
    return best;
}

/* Fills the strips with the groups of an ink alone, the longest first. */
static void fill_strips(struct ht_tdfed_chunk *chunk,
                        struct segment_group *groups, unsigned count,
                        uint32_t ink, struct ht_tdfed_space *space)
{
    const unsigned strips = chunk->page->kernel->strips;
    struct filling filling = {chunk, space, 0, 0};
    uint32_t columns[HT_TDFED_MAX_STRIPS] = {0};
    unsigned strip_of[HT_TDFED_MAX_SEGMENTS];

    assert(strips > 0);
    sort_groups(groups, count);
    for (unsigned n = 0; n < count; n++) {
        strip_of[n] = shortest(columns, strips);
        columns[strip_of[n]] += groups[n].columns;
    }
    for (unsigned s = 0; s < strips; s++) {
        struct ht_tdfed_strip *strip = &chunk->strips[s];

        strip->ink = ink;
        strip->idle = false;
        strip->lag = 0;
        begin_strip(&filling, strip);
        for (unsigned n = 0; n < count; n++)
            if (strip_of[n] == s)
                (chunk->content == HT_TDFED_KEPT ? add_gathered : add_whole)(
                    &filling, strip, &groups[n]);
    }
    chunk->vectors = 1;
    chunk->lag = HT_TDFED_LAG;
}

/* Gives each of some inks, which meet, a place with all groups: the first one
 * to ink 0 alone. */
static void fill_places(struct ht_tdfed_chunk *chunk,
                        const struct segment_group *groups, unsigned count,
                        uint32_t inks, struct ht_tdfed_space *space)
{
    uint32_t used = (inks & 1) != 0 ? 0 : 1;
    const uint32_t places =
        ht_tdfed_places(used + (uint32_t)__builtin_popcount(inks));
    struct filling filling = {chunk, space, 0, 0};
    struct ht_tdfed_strip all = {.idle = true};

    begin_strip(&filling, &all);
    for (unsigned n = 0; n < count; n++)
        (chunk->content == HT_TDFED_KEPT ? add_apart : add_whole)(
            &filling, &all, &groups[n]);
    for (uint32_t number = 0; number < places; number++) {
        chunk->strips[number] = all;
        chunk->strips[number].lag = number;
    }
    for (; inks != 0; inks &= inks - 1, used++) {
        chunk->strips[used].idle = false;
        chunk->strips[used].ink = (uint32_t)__builtin_ctz(inks);
    }
    chunk->vectors = places / chunk->page->kernel->strips;
    chunk->lag = places + 1;
}

/* ---- Runs ------------------------------------------------------------------
 */

/* Runs strips chunk by chunk. */
static void run_strips(struct ht_tdfed_chunk *chunk,
                       struct ht_tdfed_space *space)
{
    const uint32_t count = chunk->vectors * chunk->page->kernel->strips;
    uint32_t steps = 0;

    for (uint32_t s = 0; s < count; s++)
        if (chunk->strips[s].lag + chunk->strips[s].steps > steps)
            steps = chunk->strips[s].lag + chunk->strips[s].steps;
    steps += chunk->lag * chunk->rows;
    chunk->begin = 0;

    uint32_t chunks = (steps + HT_TDFED_STEPS - 1) / HT_TDFED_STEPS;
    ht_tdfed_begin_strips(chunk, space);
    for (; chunks > 0; chunks--, chunk->begin += chunk->steps) {
        uint32_t left = (steps - chunk->begin + chunks - 1) / chunks;

        chunk->steps =
            (left + HT_TDFED_ROWS - 1) / HT_TDFED_ROWS * HT_TDFED_ROWS;
        ht_tdfed_run_chunk(chunk, space);
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

/* Returns how many columns are joined: none where shares keep to toned pixels,
 * all of inks that meet, and of an ink alone what fills a strip, half a segment
 * more or less. */
static uint32_t most_joined(const struct ht_tdfed_chunk *chunk,
                            struct ht_tdfed_segment *const *segments,
                            unsigned count)
{
    uint32_t columns = 0;

    if (chunk->content == HT_TDFED_KEPT)
        return 0;
    if (chunk->meet)
        return HT_TDFED_STEPS;
    for (unsigned n = 0; n < count; n++)
        columns += length_of(segments[n]);
    return columns / chunk->page->kernel->strips + columns / (2 * count);
}

/* Runs some inks of segments, which `meet` or are one. */
static void run_inks(const struct ht_tdfed_page *page,
                     struct ht_tdfed_segment *const *segments, unsigned count,
                     uint32_t inks, bool meet, struct ht_tdfed_space *space)
{
    const bool one = (inks & (inks - 1)) == 0; /* which gives no light on */
    struct segment_group groups[HT_TDFED_MAX_SEGMENTS];
    struct ht_tdfed_chunk chunk;

    chunk.page = page;
    chunk.meet = meet;
    chunk.content =
        meet && one ? HT_TDFED_KEPT : content_of(segments, count, inks);
    chunk.rows = segments[0]->swath->rows;
    count = find_groups(segments, count, most_joined(&chunk, segments, count),
                        groups);
    if (meet)
        fill_places(&chunk, groups, count, inks, space);
    else
        fill_strips(&chunk, groups, count, (uint32_t)__builtin_ctz(inks),
                    space);
    run_strips(&chunk, space);
}

/* Says whether the inks of two segments can share a chunk. */
static bool alike(const struct ht_tdfed_segment *a,
                  const struct ht_tdfed_segment *b)
{
    return b->together && a->inks == b->inks &&
           (a->forced != 0) == (b->forced != 0);
}

/* Columns of segments that one chunk has room for, with all lags. */
#define ONE_CHUNK (HT_TDFED_STEPS - (HT_TDFED_ROWS + 1) * (HT_TDFED_PLACES + 1))

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
        uint32_t more = length_of(&segments[n]) + HT_TDFED_REACH;

        if (!alike(first, &segments[n]) ||
            (found > 0 && columns + more > ONE_CHUNK))
            continue;
        columns += more;
        some[found++] = &segments[n];
        left &= ~((uint32_t)1 << n);
    }
    assert(found > 0); /* the first is like itself */
    run_inks(page, some, found, first->inks, true, space);
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
            run_inks(page, some, found, (uint32_t)1 << ink, false, space);
    }
}
