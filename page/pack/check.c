/*
 * check.c - checks a page's header for a language. Input is hostile: nothing of
 * a header is used before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "page/message.h"
#include "page/pack/packing.h"

static bool has_resolution(const struct accepted *accepted, unsigned dpi)
{
    const size_t count = sizeof accepted->dpi / sizeof accepted->dpi[0];

    if (accepted->dpi[0] == 0)
        return dpi - 1 < UINT16_MAX;
    for (size_t i = 0; i < count && accepted->dpi[i] > 0; i++)
        if (accepted->dpi[i] == dpi)
            return true;
    return false;
}

static bool has_resolutions(const struct accepted *accepted,
                            const unsigned *dpi)
{
    return has_resolution(accepted, dpi[0]) &&
           has_resolution(accepted, dpi[1]) &&
           (!accepted->square || dpi[0] == dpi[1]);
}

/* The numbers that are sent as they are; false after an ERROR line. */
static bool accepts_numbers(const struct accepted *accepted,
                            const cups_page_header2_t *header)
{
    const struct {
        const char *name;
        unsigned number, most;
    } fields[] = {
        {"MediaPosition", header->MediaPosition, accepted->number},
        {"cupsMediaType", header->cupsMediaType, accepted->number},
        /* Copies that a language cannot print get a warning. */
        {"NumCopies", accepted->copies > 1 ? header->NumCopies : 0,
         accepted->copies},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (fields[i].number > fields[i].most) {
            message("ERROR", "A page with %s %u, at most %u is possible",
                    fields[i].name, fields[i].number, fields[i].most);
            return false;
        }
    return true;
}

static unsigned planes_of(const struct accepted *accepted,
                          const cups_page_header2_t *header)
{
    const bool banded = header->cupsColorOrder == CUPS_ORDER_BANDED;
    const unsigned bits = header->cupsBitsPerColor;
    unsigned planes = 0;

    if (header->cupsColorSpace == CUPS_CSPACE_K)
        planes = 1;
    else if (header->cupsColorSpace == CUPS_CSPACE_CMY && banded &&
             accepted->no_black)
        planes = 3;
    else if (header->cupsColorSpace == CUPS_CSPACE_KCMY && banded &&
             accepted->color)
        planes = PACKING_PLANES;

    return (bits == 1 || ((bits == 2 || bits == 4) && accepted->sizes)) &&
                   header->cupsNumColors == planes
               ? planes
               : 0;
}

bool packing_accepts(const struct language *language, struct packing *page)
{
    const struct accepted *accepted = &language->accepted;
    const cups_page_header2_t *header = page->header;
    const unsigned planes = planes_of(accepted, header);

    assert(packing_widest(accepted) <= PACKING_MOST_DOTS);
    if (planes > 0 && header->cupsBitsPerColor == 4)
        message("ERROR", "Drops of more sizes than the three of %s",
                language->title);
    else if (planes == 0)
        message("ERROR", "Not raster of dots in K%s%s",
                accepted->no_black ? ", banded CMY" : "",
                accepted->color ? " or banded KCMY" : "");
    else if (header->cupsWidth - 1 >= packing_widest(accepted) ||
             header->cupsHeight - 1 >= accepted->dots)
        message("ERROR", "A page of %ux%u dots, and %s has at most %ux%u",
                header->cupsWidth, header->cupsHeight, language->title,
                packing_widest(accepted), accepted->dots);
    else if (header->cupsBytesPerLine !=
             planes * ((header->cupsBitsPerColor * header->cupsWidth + 7) / 8))
        message("ERROR", "Lines of %u bytes for %u dots",
                header->cupsBytesPerLine, header->cupsWidth);
    else if (!has_resolutions(accepted, header->HWResolution))
        message("ERROR", "A resolution of %ux%u dpi, which %s does not have",
                header->HWResolution[0], header->HWResolution[1],
                language->title);
    else if (accepted->label && !label_get(header, &page->label))
        message("ERROR", "A page that asks for a label of no kind");
    else if (accepted->sizes && !drops_get(header, &page->drops))
        message("ERROR", "A page that asks for drops of no sizes");
    else if (accepts_numbers(accepted, header)) {
        page->planes = planes;
        page->bits = accepted->sizes ? 2 : 1;
        page->width = header->cupsWidth;
        page->height = header->cupsHeight;
        page->copies = header->NumCopies > 0 ? header->NumCopies : 1;
        return true;
    }
    return false;
}
