/*
 * raster.c - a job of a raster's pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/message.h"
#include "page/owner.h"
#include "page/pack/packing.h"
#include "page/pack/writer.h"

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
    unsigned pages = 0;
    bool ok = true;

    for (; stream_next_page(in, &header, pages, &ok); pages++)
        if (!write_page(writer, in, &header, out))
            return false;
    return ok && !canceled();
}

bool language_write(const struct language *language, struct stream *in,
                    struct sink *out)
{
    struct writer *writer = writer_open(language, out);
    const bool ok = writer != NULL && write_pages(writer, in, out);

    return writer_close(writer) && ok;
}
