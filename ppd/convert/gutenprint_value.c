/*
 * gutenprint_value.c - finds the sizes that all inks of a page have, and writes
 * them with its solids and tones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>

#include "ppd/convert/gutenprint_value.h"

#define SIZES 5   /* at most */
#define SAME .03  /* areas that differ by no more become one size */
#define RISE .01  /* by which an area is above the one before, at least */
#define LOWEST .1 /* of a tone's numbers that our filter reads */

/* Makes the areas relative to the largest, and leaves out codes with which
 * they do not rise. Returns the largest area. */
static double make_relative(struct asked_ink *ink)
{
    double largest = 0;

    for (unsigned code = 1; code < ASK_CODES; code++)
        if (ink->area[code] > largest + RISE && (ink->codes >> code & 1) != 0)
            largest = ink->area[code];
        else
            ink->codes &= ~(1U << code);
    for (unsigned code = 1; code < ASK_CODES; code++)
        ink->area[code] /= fmax(largest, RISE);
    return largest;
}

/* Returns the ink's code whose area is next to that, 0 = none. */
static unsigned nearest(const struct asked_ink *ink, double area)
{
    double least = SAME + 1e-9;
    unsigned found = 0;

    for (unsigned code = 1; code < ASK_CODES; code++)
        if ((ink->codes >> code & 1) != 0 &&
            fabs(ink->area[code] - area) <= least) {
            least = fabs(ink->area[code] - area);
            found = code;
        }
    return found;
}

/* Finds the sizes that all inks have, from the largest on, and each ink's code
 * for them; returns how many there are. */
static unsigned find_sizes(const struct asked_page *page,
                           double area[ASK_CODES],
                           double code[ASK_CODES][ASK_INKS])
{
    unsigned found = 0;

    for (unsigned first = ASK_CODES; first-- > 1;) {
        bool all = (page->ink[0].codes >> first & 1) != 0;

        area[found] = 0;
        for (unsigned i = 0; all && i < page->inks; i++) {
            const struct asked_ink *ink = &page->ink[i];
            const unsigned at = nearest(ink, page->ink[0].area[first]);

            all = at > 0 && (found == 0 || at < code[found - 1][i]);
            code[found][i] = at;
            area[found] += ink->area[at] / page->inks;
        }
        if (all && (found == 0 || area[found] < area[found - 1] - RISE))
            found++;
    }
    return found;
}

/* Writes a number of each ink, or one if they are equal. */
static void write_inks(FILE *out, const char *before, char between,
                       const double of[ASK_INKS], unsigned inks)
{
    bool equal = true;

    for (unsigned i = 1; i < inks; i++)
        equal = equal && fabs(of[i] - of[0]) < 1e-4;
    fprintf(out, "%s%.5g", before, of[0]);
    for (unsigned i = 1; i < inks && !equal; i++)
        fprintf(out, "%c%.5g", between, of[i]);
}

/* Returns where a size from 0 on is among those found, from the largest on; of
 * more than SIZES, as evenly as possible. */
static unsigned chosen(unsigned size, unsigned found)
{
    return found - 1 -
           (found <= SIZES ? size : size * (found - 1) / (SIZES - 1));
}

void gutenprint_value(char text[GUTENPRINT_VALUE], struct asked_page page)
{
    double area[ASK_CODES], code[ASK_CODES][ASK_INKS] = {{0}};
    double most[ASK_INKS] = {0}, gamma[ASK_INKS] = {0}, all = 0, full = 1;
    bool ok = page.answered && !page.failed && page.print_gamma >= LOWEST &&
              page.contrast >= LOWEST && page.brightness >= LOWEST &&
              page.brightness <= 2 - LOWEST;

    text[0] = '\0';
    for (unsigned i = 0; i < page.inks; i++)
        full = fmax(full, page.ink[i].density);
    for (unsigned i = 0; i < page.inks; i++) {
        ok = ok && page.ink[i].density > 0 && page.ink[i].gamma >= LOWEST &&
             make_relative(&page.ink[i]) >= 1 - SAME;
        most[i] = fmax(1, 100 * page.ink[i].density / full);
        gamma[i] = page.ink[i].gamma;
        all += most[i] / 100;
    }
    const unsigned found = ok ? find_sizes(&page, area, code) : 0;
    const unsigned count = found < SIZES ? found : SIZES;
    FILE *out = found > 0 ? fmemopen(text, GUTENPRINT_VALUE, "w") : NULL;

    if (out == NULL)
        return;
    for (unsigned i = 0; i < count; i++)
        fprintf(out, i > 0 ? ",%.0f" : "%.0f", 100 * area[chosen(i, found)]);
    for (unsigned i = 0; i < count; i++)
        write_inks(out, i > 0 ? "," : " ", ':', code[chosen(i, found)],
                   page.inks);
    write_inks(out, " ", ',', most, page.inks);
    fprintf(out, " %.5g", page.print_gamma);
    if (page.contrast != 1 || page.brightness != 1)
        fprintf(out, ":%.5g:%.5g", page.contrast, page.brightness);
    write_inks(out, " ", ',', gamma, page.inks);
    fprintf(out, " %.5g", page.limit < all ? 100 * page.limit : 0);
    fclose(out);
}
