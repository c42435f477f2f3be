/*
 * meeting.c - lays what a chunk's inks have to know of each other, and puts
 * what they leave each other back into the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/tdfed/lines.h"
#include "halftone/tdfed/meeting.h"

/* The place of a strip on the tapes. */
struct place {
    const struct ht_tdfed_strip *strip;
    unsigned vector, at; /* in this one */
};

static struct place place_of(const struct ht_tdfed_chunk *chunk,
                             unsigned number)
{
    const unsigned strips = chunk->page->kernel->strips;

    return (struct place){&chunk->strips[number], number / strips,
                          number % strips};
}

static unsigned places_of(const struct ht_tdfed_chunk *chunk)
{
    return chunk->vectors * chunk->page->kernel->strips;
}

/* Returns the line of a place's company, of light in the first one; NULL of
 * none. */
static int16_t *line_of(const struct ht_tdfed_chunk *chunk, unsigned number)
{
    const struct ht_tdfed_page *page = chunk->page;
    const struct ht_tdfed_strip *strip = &chunk->strips[number];

    if (number == 0)
        return page->light;
    return strip->idle ? NULL : ht_tdfed_company(page, strip->ink);
}

/* Puts a mask where the segments' last pixels are. */
static void mark_ends(const struct ht_tdfed_chunk *chunk,
                      const struct place *place, struct ht_tdfed_tape *tape,
                      int16_t goes_on)
{
    const struct ht_tdfed_strip *strip = place->strip;

    for (unsigned i = 0; i < strip->extents; i++)
        for (uint32_t row = 0; row < chunk->rows; row++) {
            int32_t last = (int32_t)(strip->extent[i].end - 1 + strip->lag +
                                     chunk->lag * row) -
                           (int32_t)chunk->begin;

            if (last >= -1 && last < (int32_t)chunk->steps)
                tape->goes_on[1 + last][HT_TDFED_ROWS * place->at + row] =
                    goes_on;
        }
}

void ht_tdfed_lay_meeting(const struct ht_tdfed_chunk *chunk,
                          struct ht_tdfed_run *run,
                          struct ht_tdfed_meeting *meeting)
{
    const struct ht_tdfed_page *page = chunk->page;

    run->meeting = meeting;
    meeting->from = page->meeting.from;
    meeting->steps = page->meeting.steps;
    for (unsigned number = 0; number < places_of(chunk); number++) {
        struct place place = place_of(chunk, number);
        struct ht_tdfed_vector *vector = &run->vector[place.vector];
        int16_t d = 0;

        if (!place.strip->idle)
            d = page->meeting.absorbed[place.strip->ink];
        for (unsigned row = 0; row < HT_TDFED_ROWS; row++)
            vector->absorbed[HT_TDFED_ROWS * place.at + row] = d;
        ht_tdfed_inherit(chunk, place.strip, line_of(chunk, number),
                         vector->tape->company[place.at]);
        mark_ends(chunk, &place, vector->tape, 0);
    }
}

void ht_tdfed_put_meeting(const struct ht_tdfed_chunk *chunk,
                          const struct ht_tdfed_run *run)
{
    for (unsigned number = 0; number < places_of(chunk); number++) {
        struct place place = place_of(chunk, number);
        struct ht_tdfed_tape *tape = run->vector[place.vector].tape;

        ht_tdfed_leave(chunk, place.strip, line_of(chunk, number),
                       tape->company[place.at]);
        mark_ends(chunk, &place, tape, -1);
    }
}
