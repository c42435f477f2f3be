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

/* Checks a table of an ink, as far as an engine needs it. */
static void check_table(const uint16_t *table)
{
    for (unsigned v = 1; v < 256; v++)
        if (table[v] < table[v - 1])
            run_fail("a table falls at %u", v);
    if (table[0] != 0)
        run_fail("paper gets ink");
}

static void check_ink(const struct curve *curve, unsigned choice)
{
    static const uint32_t inks[] = {1, 3, 4};
    struct ink_settings settings = INK_AS_IT_IS;
    struct ink_tables tables = {.made = {{NULL}}};
    uint16_t row[WIDTH * CURVE_INKS] = {0};
    struct ink ink;

    settings.curved = true;
    settings.curve = *curve;
    settings.gamma = 0.25 + choice % 16 / 4.0;
    settings.density = choice & 1 ? 1 : 0.7;
    settings.limit = choice & 2 ? CURVE_INKS : 2.5;
    if (!ink_init(&ink, &settings, &tables, inks[choice % 3], WIDTH, 8))
        run_fail("no memory");
    for (uint32_t i = 0; i < ink.inks; i++) {
        if (ink.curved && !ht_curve_valid(ink.table[i]))
            run_fail("engines refuse the curve of ink %u", i);
        if (ink.table[i] != NULL)
            check_table(ink.table[i]);
    }
    if (ink_apply(&ink, row, 0xffff) == 0 && row[0] != 0)
        run_fail("bare paper gets ink");
    ink_tables_free(&tables);
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
    for (int i = 0; is && i < CURVE_INKS; i++)
        check_points(&paper.curve.ink[i]);
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
    for (int i = 0; i < CURVE_INKS; i++)
        check_points(&curve.ink[i]);
    check_ink(&curve, data[size - 1] ^ (unsigned)size);
    return 0;
}
