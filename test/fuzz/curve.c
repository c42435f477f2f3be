/*
 * curve.c - tone curves, and papers with them: what is accepted is a curve for
 * engines.
 *
 *   input   the text of a curve or paper
 *   holds   it begins at 0, ends at 1 and never falls; so do the tables that
 *           pages get of it
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "page/ink.h"
#include "page/paper_file.h"
#include "test/fuzz/run.h"
#include "halftone/halftone.h"

#define STEPS 200
#define WIDTH 8

static void check_points(const struct curve_points *points)
{
    double last = 0;

    for (int i = 0; i <= STEPS; i++) {
        double y = curve_points_at(points, (double)i / STEPS);

        if (!(y >= last - 1e-12 && y <= 1 + 1e-12))
            run_fail("%g at %d of %d, behind %g", y, i, STEPS, last);
        if ((i == 0 && y > 0) || (i == STEPS && y < 1))
            run_fail("a curve has %g at its end", y);
        last = y;
    }
}

/* Checks a table of an ink, as far as an engine needs it. That of a lighter ink
 * may fall. */
static void check_table(const uint16_t *table, bool light)
{
    for (unsigned v = 1; v < 256 && !light; v++)
        if (table[v] < table[v - 1])
            run_fail("a table falls at %u", v);
    if (table[0] != 0)
        run_fail("paper gets ink");
}

/* Applies it to bare paper, and of a set with a limit to solids and tones. */
static void check_row(const struct ink *ink, unsigned choice)
{
    uint16_t row[WIDTH * HT_MAX_INKS] = {0};

    if (ink_apply(ink, row, 0xffff) == 0 && row[0] != 0)
        run_fail("bare paper gets ink");
    memset(row, (int)choice, ink->inks * WIDTH * ink->in_bits / 8);
    memset(row, 255, choice % WIDTH);
    ink_apply(ink, row, 0xffff);
    for (uint32_t x = 0; ink->limit > 0 && x < WIDTH; x++) {
        uint32_t sum = 0;

        for (uint32_t i = 0; i < ink->out_inks; i++)
            sum += row[i * WIDTH + x];
        if (sum > ink->limit)
            run_fail("%u of ink, above %u", sum, ink->limit);
    }
}

static void check_ink(const struct curve *curve, unsigned choice)
{
    static const uint32_t inks[] = {1, 3, 4};
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables = {.made = {{NULL}}};
    struct ink_set set;
    struct ink ink;

    if (!ink_set_parse(&set, "K LK:35 LLK:14 C LC:33 M LM:33 Y"))
        run_fail("the inks are no set");
    settings.set = choice & 64 ? &set : NULL;
    settings.curved = true;
    settings.curve = *curve;
    settings.gamma = 0.25 + choice % 16 / 4.0;
    settings.density = choice & 1 ? 1 : 0.7;
    settings.limit = choice & 2 ? CURVE_INKS : 2.5;
    if (!ink_init(&ink, &settings, &tables, inks[choice % 3], WIDTH,
                  choice & 128 ? 16 : 8))
        run_fail("no memory");
    for (uint32_t i = 0; i < ink.out_inks; i++) {
        if (ink.curved && !ht_curve_valid(ink.table[i]))
            run_fail("engines refuse the curve of ink %u", i);
        if (ink.table[i] != NULL)
            check_table(ink.table[i], settings.set != NULL && !ink.curved);
    }
    check_row(&ink, choice);
    ink_tables_free(&tables);
}

static void check_curve(const struct curve *curve, unsigned choice)
{
    for (int i = 0; i < CURVE_INKS; i++)
        check_points(&curve->ink[i]);
    check_ink(curve, choice);
}

/* Reads the text as a paper's, in a copy. */
static bool is_paper(const uint8_t *data, size_t size)
{
    struct paper_file paper;
    char why[PAPER_FILE_WHY] = "", *text = malloc(size + 1);

    if (text == NULL)
        run_fail("no memory");
    memcpy(text, data, size);
    const bool is = paper_file_parse(&paper, text, size, why);
    if (is)
        check_curve(&paper.curve, (unsigned)size);
    if (!is && why[0] == '\0')
        run_fail("a paper is refused without a reason");
    cupsFreeOptions(paper.count, paper.set);
    free(text);
    return is;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct curve curve;
    unsigned line = 0;

    if (is_paper(data, size))
        return 0;
    if (!curve_parse(&curve, (const char *)data, size, &line)) {
        if (line < 1 || line > size + 2)
            run_fail("line %u is at fault", line);
        return 0;
    }
    check_curve(&curve, data[size - 1] ^ (unsigned)size);
    return 0;
}
