/*
 * packing.c - a job of pages, row by row, to the functions of a language.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "page/message.h"
#include "page/pack/packing.h"
#include "page/pack/rows.h"

struct writer {
    const struct language *language;
    struct sink *out;
    unsigned pages;
    cups_page_header2_t header; /* of the page at hand, or of the last one */
    bool front;                 /* which was the front of two sides */
    bool warned[2];             /* that copies, or back sides, are missing */
    bool begun;                 /* a page is */
    struct packing page;        /* which is this one */
    unsigned lines;             /* of the raster, that have come */
};

/* ---- Pages -------------------------------------------------------------- */

/* Tells whether this page can be the back of the one before: it needs the same
 * sheet, tray, kind of paper and number of copies. */
static bool is_back(const struct writer *writer,
                    const cups_page_header2_t *header)
{
    const cups_page_header2_t *before = &writer->header;

    return header->Duplex && writer->front &&
           header->Tumble == before->Tumble &&
           header->MediaPosition == before->MediaPosition &&
           header->cupsMediaType == before->cupsMediaType &&
           header->NumCopies == before->NumCopies &&
           header->PageSize[0] == before->PageSize[0] &&
           header->PageSize[1] == before->PageSize[1];
}

/* Warns once of wishes of a page that the language cannot express. */
static void warn(struct writer *writer, const struct packing *page)
{
    const struct language *language = writer->language;

    if (page->copies > 1 && language->accepted.copies <= 1 &&
        !writer->warned[0]) {
        message("WARNING", "%s has no copies: one is printed, not %u",
                language->title, page->copies);
        writer->warned[0] = true;
    }
    if (page->header->Duplex && !language->accepted.two_sides &&
        !writer->warned[1]) {
        message("WARNING", "%s is printed on one side of a sheet, not on two",
                language->title);
        writer->warned[1] = true;
    }
}

/* Allocates the rows. False after an ERROR line. */
static bool make_rows(struct packing *page)
{
    page->bytes = ((size_t)page->bits * page->width + 7) / 8;
    page->line = malloc(page->planes * page->bytes);
    page->before = calloc(page->bytes, 1);
    page->packed = malloc(2 * ROWS_ROOM(page->bytes));
    if (page->line != NULL && page->before != NULL && page->packed != NULL)
        return true;
    message("ERROR", "Not enough memory for a row");
    return false;
}

static void free_rows(struct packing *page)
{
    free(page->line);
    free(page->before);
    free(page->packed);
}

bool writer_begin(struct writer *writer, const cups_page_header2_t *header)
{
    const struct language *language = writer->language;
    const bool has_copies = language->accepted.copies > 1;
    struct packing *page = &writer->page;

    assert(!writer->begun);
    *page = (struct packing){.out = writer->out,
                             .header = header,
                             .number = writer->pages + 1,
                             .back = is_back(writer, header)};
    if (!packing_accepts(language, page) || !packing_place(language, page))
        return false;
    if (!make_rows(page)) {
        free_rows(page);
        return false;
    }
    writer->header = *header;
    page->header = &writer->header;
    writer->pages++;
    writer->lines = 0;
    writer->begun = true;
    if (page->number == 1)
        sink_printf(writer->out, "%s%s",
                    language->opening != NULL ? language->opening : "",
                    language->reset);
    warn(writer, page);
    message("PAGE", "%u %u", page->number, has_copies ? page->copies : 1);
    language->begin_page(page);
    return true;
}

bool writer_is_whole(const struct writer *writer)
{
    return writer->lines == writer->page.cut + writer->page.height;
}

bool writer_end(struct writer *writer)
{
    struct packing *page = &writer->page;

    writer->language->end_page(page);
    free_rows(page);
    writer->front = writer->header.Duplex && !page->back;
    writer->begun = false;
    return writer_is_whole(writer);
}

/* ---- Rows --------------------------------------------------------------- */

/* Moves a line of the raster to its place on the page, into page->line. */
static void place_line(struct writer *writer, const unsigned char *line)
{
    struct packing *page = &writer->page;
    const int bits = (int)writer->header.cupsBitsPerColor;
    const unsigned width = (unsigned)bits * writer->header.cupsWidth;
    const size_t bytes = (width + 7) / 8;

    for (unsigned i = 0; i < page->planes; i++) {
        unsigned char *row = page->line + i * page->bytes;

        if (writer->language->accepted.points > 0)
            rows_shift(line + i * bytes, width, bits * page->shift, row);
        else
            memcpy(row, line + i * bytes, bytes);
        if (page->bits > writer->header.cupsBitsPerColor)
            rows_widen(row, page->width);
    }
}

bool writer_rows(struct writer *writer, const unsigned char *rows, size_t bytes)
{
    struct packing *page = &writer->page;
    const size_t line_bytes = writer->header.cupsBytesPerLine;

    for (; bytes >= line_bytes && !writer->out->broken &&
           !writer_is_whole(writer);
         bytes -= line_bytes, rows += line_bytes) {
        const unsigned line = writer->lines++;

        place_line(writer, rows);
        if (line < page->cut)
            continue;
        if (!rows_is_bare(page->line, page->planes * page->bytes)) {
            writer->language->put_row(page, line - page->cut);
            page->next = line - page->cut + 1;
        }
        memcpy(page->before, page->line, page->bytes);
    }
    return !writer->out->broken;
}

/* ---- The job ------------------------------------------------------------ */

struct writer *writer_open(const struct language *language, struct sink *out)
{
    struct writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL) {
        message("ERROR", "Not enough memory for a page");
        return NULL;
    }
    writer->language = language;
    writer->out = out;
    return writer;
}

bool writer_close(struct writer *writer)
{
    if (writer == NULL)
        return true;
    if (writer->begun)
        (void)writer_end(writer);
    if (writer->pages > 0)
        sink_printf(writer->out, "%s", writer->language->reset);
    const bool ok = sink_flush(writer->out);

    free(writer);
    return ok;
}
