/*
 * meeting.c - lays what a section's inks have to know of each other, and puts
 * what they leave each other back into the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/tdfed/lines.h"
#include "halftone/tdfed/meeting.h"
#include "halftone/tdfed/part.h"

/* Lays where segments begin and end. */
static void lay_sides(const struct ht_tdfed_section *section,
                      struct ht_tdfed_meeting *meeting)
{
    memset(meeting->side, HT_TDFED_BEGINS | HT_TDFED_ENDS,
           sizeof meeting->side);
    for (unsigned s = 0; s < section->page->kernel->strips; s++)
        for (unsigned i = 0; i < section->strips[s].count; i++)
            for (uint32_t row = 0; row < section->rows; row++) {
                const struct ht_tdfed_piece *piece =
                    &section->strips[s].piece[i];
                int32_t length = (int32_t)length_of(piece->segment);
                struct part part =
                    part_of(section, piece, piece->lag + HT_TDFED_LAG * row);
                uint8_t *side = meeting->side[HT_TDFED_ROWS * s + row];

                if (part.from == part.to)
                    continue;
                memset(side + part.from + part.offset, 0,
                       (size_t)(part.to - part.from));
                if (part.from == 0)
                    side[part.offset] |= HT_TDFED_BEGINS;
                if (part.to == length)
                    side[length - 1 + part.offset] |= HT_TDFED_ENDS;
            }
}

/* Lays the share of light that the inks of a turn absorb. */
static void lay_absorption(const struct ht_tdfed_section *section,
                           uint32_t number, int16_t *absorbed)
{
    const struct ht_tdfed_page *page = section->page;

    for (unsigned s = 0; s < page->kernel->strips; s++) {
        const struct ht_tdfed_strip *strip = &section->strips[s];
        int16_t d = 0;

        if (strip->count > 0)
            d = ht_absorption(page->meeting,
                              ink_of(page, strip->piece[0].segment, number),
                              page->inks);
        for (unsigned row = 0; row < HT_TDFED_ROWS; row++)
            absorbed[HT_TDFED_ROWS * s + row] = d;
    }
}

/* Finds the inks that each turn's meets, and lays their overlaps: inks are a
 * pair whichever of their two orders they have. */
static void lay_partners(const struct ht_tdfed_section *section,
                         const struct ht_tdfed_run *run, uint32_t turn,
                         struct ht_tdfed_space *space, uint32_t *used)
{
    const struct ht_tdfed_page *page = section->page;
    struct ht_tdfed_meeting *meeting = &space->meeting;
    uint8_t count = 0;

    for (uint32_t other = 0; other < turn; other++) {
        if (page->pair[run->turn[turn].number][run->turn[other].number] ==
            HT_NO_PAIR)
            continue;
        struct ht_tdfed_line_of_inks *line = &space->overlap[(*used)++];

        for (unsigned s = 0; s < page->kernel->strips; s++) {
            struct ht_tdfed_lines lines;

            ht_tdfed_overlaps_of(section, s, run->turn[turn].number,
                                 run->turn[other].number, &lines);
            ht_tdfed_lay_lines(section, s, &lines, line->line[s]);
        }
        meeting->partners[turn].turn[count] = (uint8_t)other;
        meeting->partners[turn].overlap[count++] = line;
    }
    meeting->partners[turn].count = count;
}

void ht_tdfed_lay_meeting(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_run *run,
                          struct ht_tdfed_space *space)
{
    const struct ht_tdfed_page *page = section->page;
    struct ht_tdfed_meeting *meeting = &space->meeting;
    uint32_t used = 0;

    lay_sides(section, meeting);
    meeting->from = page->meeting->from;
    meeting->steps = page->meeting->steps;
    for (uint32_t turn = 0; turn < run->turns; turn++) {
        lay_absorption(section, run->turn[turn].number,
                       meeting->absorbed[turn]);
        lay_partners(section, run, turn, space, &used);
    }
    for (unsigned s = 0; s < page->kernel->strips; s++) {
        struct ht_tdfed_lines lines;

        ht_tdfed_light_of(section, s, &lines);
        ht_tdfed_lay_lines(section, s, &lines, meeting->light.line[s]);
    }
}

void ht_tdfed_put_meeting(const struct ht_tdfed_section *section,
                          const struct ht_tdfed_space *space,
                          const struct ht_tdfed_run *run)
{
    static const int16_t nothing[HT_TDFED_STEPS];
    const struct ht_tdfed_page *page = section->page;
    const struct ht_tdfed_line_of_inks *line = space->overlap;

    for (unsigned s = 0; s < page->kernel->strips; s++) {
        struct ht_tdfed_lines lines;

        ht_tdfed_light_of(section, s, &lines);
        ht_tdfed_put_lines(section, s, &lines, space->meeting.light.line[s]);
    }
    for (uint32_t turn = 0, at = 0; turn < page->inks; turn++) {
        bool runs = at < run->turns && run->turn[at].number == turn;

        for (uint32_t other = 0, before = 0; other < turn; other++) {
            bool both =
                runs && before < at && run->turn[before].number == other;

            if (page->pair[turn][other] != HT_NO_PAIR) {
                for (unsigned s = 0; s < page->kernel->strips; s++) {
                    struct ht_tdfed_lines lines;

                    ht_tdfed_overlaps_of(section, s, turn, other, &lines);
                    ht_tdfed_put_lines(section, s, &lines,
                                       both ? line->line[s] : nothing);
                }
                line += both;
            }
            before += before < run->turns && run->turn[before].number == other;
        }
        at += runs;
    }
}
