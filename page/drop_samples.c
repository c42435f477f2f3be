/*
 * drop_samples.c - makes samples of dots, ink by ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/drop_samples.h"
#include "page/message.h"

#define UNKNOWN UINT16_MAX /* the code of a size that there is not */

/* Returns the ink, of K, C, M and Y, whose drops a plane has. */
static unsigned dark_ink(const struct layout *page, uint32_t plane)
{
    static const char colors[] = "KCMY";
    const char color = page->set.ink[plane].color;

    if (page->set.count == 0)
        return plane;
    return color == 0 ? 0 : (unsigned)(strchr(colors, color) - colors);
}

bool drop_samples_begin(struct drop_samples *samples,
                        const struct printer_drops *printer,
                        const struct layout *page,
                        const cups_page_header2_t *header)
{
    const struct drops *drops = drops_at(printer, header);

    if (drops == NULL) {
        message("ERROR", "HalftoneSizes: there are none at %ux%u dpi",
                page->dpi[0], page->dpi[1]);
        return false;
    }
    samples->page = page;
    memset(samples->code, UINT8_MAX, sizeof samples->code);
    for (uint32_t plane = 0; plane < page->inks; plane++) {
        const unsigned ink = dark_ink(page, plane);
        const unsigned one = header->cupsInteger[DROPS_ARE_SOLID] == 1
                                 ? drops_of_solid(drops, ink)
                                 : drops->levels - 1;

        for (unsigned size = 0; size < drops->levels; size++)
            samples->code[plane][size] = drops_code(drops, ink, size);
        if (page->bits == 1)
            samples->code[plane][1] = drops_code(drops, ink, one);
    }
    return true;
}

/* Sets the samples of a plane's row; bare ones are 0 already. Returns UNKNOWN
 * if one is that, else less. */
static unsigned code_plane(const struct drop_samples *samples, uint32_t plane,
                           const unsigned char *row, uint32_t inks,
                           uint16_t *out)
{
    const uint32_t bits = samples->page->bits, width = samples->page->width;
    unsigned all = 0;

    for (uint32_t x = 0; x < width; row++)
        for (unsigned bit = 8; bit > 0 && x < width; x++) {
            if (bit == 8 && *row == 0) {
                x += 8 / bits;
                break;
            }
            bit -= bits;
            const uint16_t code =
                samples->code[plane][*row >> bit & ((1U << bits) - 1)];

            out[(size_t)x * inks + plane] = code;
            all |= code;
        }
    return all;
}

bool drop_samples_line(const struct drop_samples *samples,
                       const unsigned char *line, uint32_t inks, uint16_t *out)
{
    const struct layout *page = samples->page;
    unsigned all = 0;

    memset(out, 0, (size_t)page->width * inks * sizeof *out);
    for (uint32_t plane = 0; plane < page->inks; plane++)
        all |= code_plane(samples, plane,
                          line + plane * (page->line_bytes / page->inks), inks,
                          out);
    if (all == UNKNOWN)
        message("ERROR", "A dot of a size that HalftoneSizes does not have");
    return all != UNKNOWN;
}
