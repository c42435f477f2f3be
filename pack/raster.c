/*
 * raster.c - a job of a raster's pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/message.h"
#include "page/owner.h"
#include "pack/packing.h"

#define MOST_LINE (PACKING_PLANES * ((2 * PACKING_MOST_DOTS + 7) / 8))

/* Writes a page; false when that did not go well. */
static bool write_page(struct writer *writer, struct stream *in,
                       const cups_page_header2_t *header,
                       const struct sink *out)
{
    unsigned char line[MOST_LINE];
    unsigned lines = 0;

    if (!writer_begin(writer, header))
        return false;
    while (lines < header->cupsHeight &&
           stream_read_lines(in, line, 1, header->cupsBytesPerLine) == 1 &&
           writer_rows(writer, line, header->cupsBytesPerLine))
        lines++;
    const bool whole = writer_end(writer) && !out->broken;
    if (!whole && !out->broken && !canceled())
        message("ERROR", "The raster ends in the middle of a page");
    return whole;
}

/* Writes the raster's pages; false when that did not go well. */
static bool write_pages(struct writer *writer, struct stream *in,
                        const struct sink *out)
{
    cups_page_header2_t header;
    enum stream_header next;
    unsigned pages = 0;

    for (; (next = stream_read_header(in, &header)) == STREAM_PAGE; pages++)
        if (!write_page(writer, in, &header, out))
            return false;
    if (canceled())
        return false;
    if (next == STREAM_DAMAGED)
        message("ERROR", "The raster is damaged after page %u", pages);
    else if (pages == 0)
        message("ERROR", "The raster has no pages");
    return next == STREAM_END && pages > 0;
}

bool language_write(const struct language *language, struct stream *in,
                    struct sink *out)
{
    struct writer *writer = writer_open(language, out);
    const bool ok = writer != NULL && write_pages(writer, in, out);

    return writer_close(writer) && ok;
}
