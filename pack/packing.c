/*
 * packing.c - the pages of a raster, row by row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "page/message.h"
#include "page/owner.h"
#include "pack/packing.h"
#include "pack/rows.h"

/* The job, between pages. */
struct job {
    const struct language *language;
    struct stream *in;
    struct sink *out;
    unsigned pages;
    cups_page_header2_t before; /* header of the page before */
    bool front;                 /* which was the front of two sides */
    bool warned[2];             /* that copies, or back sides, are missing */
};

/* ---- Rows --------------------------------------------------------------- */

/* Reads a line of the raster to `raw`, and from there to page->line. */
static bool next_line(const struct language *language, struct stream *in,
                      struct packing *page, unsigned char *raw)
{
    const cups_page_header2_t *header = page->header;
    const size_t bytes = (header->cupsWidth + 7) / 8;

    if (stream_read_lines(in, raw, 1, page->planes * bytes) < 1)
        return false;
    for (unsigned i = 0; i < page->planes; i++)
        if (language->accepted.points > 0)
            rows_shift(raw + i * bytes, header->cupsWidth, page->shift,
                       page->line + i * page->bytes);
        else
            memcpy(page->line + i * bytes, raw + i * bytes, bytes);
    return true;
}

/* Puts the page's rows; false when some are missing, of which all that came are
 * put, or when nobody takes them. */
static bool put_rows(const struct job *job, struct packing *page,
                     unsigned char *raw)
{
    const unsigned lines = page->cut + page->height;

    for (unsigned line = 0; line < lines; line++) {
        if (job->out->broken || !next_line(job->language, job->in, page, raw))
            return false;
        if (line < page->cut)
            continue;
        if (!rows_is_bare(page->line, page->planes * page->bytes)) {
            job->language->put_row(page, line - page->cut);
            page->next = line - page->cut + 1;
        }
        memcpy(page->before, page->line, page->bytes);
    }
    return true;
}

/* ---- Pages -------------------------------------------------------------- */

/* Whether a sheet of this page may have the one before on its front: another
 * sheet, tray, kind of paper or number of copies cannot begin on a back. */
static bool is_back(const struct job *job, const cups_page_header2_t *header)
{
    const cups_page_header2_t *before = &job->before;

    return header->Duplex && job->front && header->Tumble == before->Tumble &&
           header->MediaPosition == before->MediaPosition &&
           header->cupsMediaType == before->cupsMediaType &&
           header->NumCopies == before->NumCopies &&
           header->PageSize[0] == before->PageSize[0] &&
           header->PageSize[1] == before->PageSize[1];
}

/* Says once what of a page's wishes the language cannot say. */
static void warn(struct job *job, const struct packing *page)
{
    const struct language *language = job->language;

    if (page->copies > 1 && language->accepted.copies <= 1 && !job->warned[0]) {
        message("WARNING", "%s has no copies: one is printed, not %u",
                language->title, page->copies);
        job->warned[0] = true;
    }
    if (page->header->Duplex && !language->accepted.two_sides &&
        !job->warned[1]) {
        message("WARNING", "%s is printed on one side of a sheet, not on two",
                language->title);
        job->warned[1] = true;
    }
}

/* Puts a page whose memory is there. */
static bool put_page(struct job *job, struct packing *page, unsigned char *raw)
{
    const bool has_copies = job->language->accepted.copies > 1;

    if (page->number == 1)
        sink_printf(job->out, "%s", job->language->reset);
    warn(job, page);
    message("PAGE", "%u %u", page->number, has_copies ? page->copies : 1);
    job->language->begin_page(page);
    const bool ok = put_rows(job, page, raw);
    job->language->end_page(page);
    if (!ok && !job->out->broken && !canceled())
        message("ERROR", "The raster ends in the middle of a page");
    return ok;
}

static bool print_page(struct job *job, const cups_page_header2_t *header)
{
    struct packing page = {.out = job->out,
                           .header = header,
                           .number = job->pages + 1,
                           .back = is_back(job, header)};
    unsigned char *raw;
    bool ok = false;

    if (!packing_accepts(job->language, &page) ||
        !packing_place(job->language, &page))
        return false;
    page.bytes = (page.width + 7) / 8;
    raw = malloc(header->cupsBytesPerLine);
    page.line = malloc(page.planes * page.bytes);
    page.before = calloc(page.bytes, 1);
    page.packed = malloc(2 * ROWS_ROOM(page.bytes));
    if (raw == NULL || page.line == NULL || page.before == NULL ||
        page.packed == NULL) {
        message("ERROR", "Not enough memory for a row");
    } else {
        job->pages++;
        ok = put_page(job, &page, raw);
    }
    free(raw);
    free(page.line);
    free(page.before);
    free(page.packed);
    job->front = header->Duplex && !page.back;
    job->before = *header;
    return ok;
}

/* ---- The job ------------------------------------------------------------ */

/* Prints the raster's pages; false when that did not go well. */
static bool print_pages(struct job *job)
{
    cups_page_header2_t header;
    enum stream_header next;

    while ((next = stream_read_header(job->in, &header)) == STREAM_PAGE)
        if (!print_page(job, &header))
            return false;
    if (canceled())
        return false;
    if (next == STREAM_DAMAGED)
        message("ERROR", "The raster is damaged after page %u", job->pages);
    else if (job->pages == 0)
        message("ERROR", "The raster has no pages");
    return next == STREAM_END && job->pages > 0;
}

bool language_write(const struct language *language, struct stream *in,
                    struct sink *out)
{
    struct job job = {.language = language, .in = in, .out = out};
    const bool ok = print_pages(&job);

    if (job.pages > 0)
        sink_printf(out, "%s", language->reset);
    return sink_flush(out) && ok;
}
