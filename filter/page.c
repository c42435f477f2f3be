/*
 * page.c - the page loop: read a band, halftone it, write its dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/ink.h"
#include "filter/layout.h"
#include "filter/message.h"
#include "filter/page.h"
#include "filter/rows.h"

#define BAND_BYTES (1u << 20) /* of samples: a few rows to a few hundred */
#define MAX_BAND_ROWS 256u
#define MAX_PLANAR_BYTES ((uint64_t)256 << 20)

struct page {
    const struct job *job;
    struct stream *in, *out;
    struct layout layout;
    struct ink inks;
    ht_engine_t *engine;
    uint32_t band;     /* rows */
    uint32_t read;     /* rows so far, from `in` */
    size_t wrote;      /* lines so far, to `out` */
    uint8_t *lines;    /* [band] lines in; a whole planar page */
    uint8_t *ink;      /* [band][inks][width] */
    uint8_t *dots;     /* [band][inks][(width+7)/8] */
    uint8_t *packed;   /* [band] lines out */
    unsigned progress; /* percent said so far */
};

static bool failed(ht_status_t status)
{
    if (status != HT_OK)
        message("ERROR", "Halftoning failed: %s", ht_status_text(status));
    return status != HT_OK;
}

/* ---- Opening ---------------------------------------------------------- */

static bool allocate(struct page *page)
{
    const struct layout *l = &page->layout;
    bool ok =
        ink_init(&page->inks, &page->job->ink, l->inks, l->width, l->bits);
    size_t ink_row = ink_row_bytes(&page->inks);
    size_t dot_row = l->inks * (((size_t)l->width + 7) / 8);
    size_t in_lines = page->band;

    /* A plane comes after the other, and an ink looks at the dots of those
     * before it: the samples have to wait for each other. */
    if (l->order == CUPS_ORDER_PLANAR && l->bits > 1) {
        if ((uint64_t)l->lines * l->line_bytes > MAX_PLANAR_BYTES) {
            message("ERROR", "Unsupported raster page: planar and over %u MiB",
                    (unsigned)(MAX_PLANAR_BYTES >> 20));
            return false;
        }
        in_lines = l->lines;
    }
    page->lines = calloc(in_lines, l->line_bytes);
    page->ink = calloc(page->band, ink_row);
    page->dots = calloc(page->band, dot_row);
    page->packed = calloc(page->band, l->out_line_bytes);
    if (!ok || !page->lines || !page->ink || !page->dots || !page->packed) {
        message("ERROR", "Not enough memory for a page %u pixels wide",
                l->width);
        return false;
    }
    return true;
}

/* A GPU that is not there is no reason not to print. */
static bool open_engine(struct page *page, unsigned number)
{
    const struct layout *l = &page->layout;
    const struct job *job = page->job;
    ht_page_t shape = {.method = job->method,
                       .table = job->table,
                       .width = l->width,
                       .inks = l->inks,
                       .bits = page->inks.bits,
                       .segment = job->segment,
                       .band = page->band};
    ht_status_t status = ht_engine_open(&page->engine, job->engine, &shape);

    if (status == HT_ERR_ENGINE && job->engine != NULL) {
        message("WARNING", "No %s engine here; using the fastest there is",
                job->engine);
        status = ht_engine_open(&page->engine, NULL, &shape);
    }
    if (failed(status))
        return false;
    message("DEBUG",
            "rastertohalftone: page %u: %ux%u, %u ink%s %s, %s, segments %u, "
            "engine %s",
            number, l->width, l->height, l->inks, l->inks == 1 ? "" : "s",
            l->space, job->method_name, job->segment,
            ht_engine_name(page->engine));
    return true;
}

static bool open_page(struct page *page, unsigned number)
{
    const struct layout *l = &page->layout;
    size_t rows = BAND_BYTES / l->line_bytes;

    page->band = rows < 1               ? 1
                 : rows > MAX_BAND_ROWS ? MAX_BAND_ROWS
                                        : (uint32_t)rows;
    if (!allocate(page))
        return false;
    if (l->bits == 1) {
        message("DEBUG",
                "rastertohalftone: page %u: %ux%u, %s, dots already: passed "
                "on",
                number, l->width, l->height, l->space);
        return true;
    }
    return open_engine(page, number);
}

static void close_page(struct page *page)
{
    ht_engine_close(page->engine);
    ink_free(&page->inks);
    free(page->lines);
    free(page->ink);
    free(page->dots);
    free(page->packed);
}

/* ---- Writing ---------------------------------------------------------- */

static void say_progress(struct page *page)
{
    unsigned percent =
        (unsigned)(100 * (uint64_t)page->wrote / page->layout.out_lines);

    if (!page->job->last || percent < page->progress + 10)
        return;
    page->progress = percent;
    message("ATTR", "job-media-progress=%u", percent);
}

static bool write_lines(struct page *page, const uint8_t *data, size_t lines)
{
    size_t bytes = page->layout.out_line_bytes;

    if (!stream_write(page->out, data, lines * bytes))
        return false;
    page->wrote += lines;
    say_progress(page);
    return true;
}

/* There may be more rows than a band: the engine holds back parts of swaths. */
static bool write_ready_rows(struct page *page)
{
    const struct layout *l = &page->layout;
    size_t dot_row = l->inks * (((size_t)l->width + 7) / 8);
    size_t ready;

    while ((ready = ht_engine_ready(page->engine)) > 0) {
        size_t rows = ready < page->band ? ready : page->band;

        if (failed(ht_engine_collect(page->engine, page->dots, rows)))
            return false;
        for (size_t row = 0; row < rows; row++)
            rows_to_line(l, page->dots + row * dot_row,
                         page->packed + row * l->out_line_bytes);
        if (!write_lines(page, page->packed, rows))
            return false;
    }
    return true;
}

/* The printer counts on every line that the header promised. */
static bool write_blank_rest(struct page *page)
{
    const struct layout *l = &page->layout;

    rows_blank(l, page->packed, page->band * l->out_line_bytes);
    while (page->wrote < l->out_lines) {
        size_t left = l->out_lines - page->wrote;

        if (!write_lines(page, page->packed,
                         left < page->band ? left : page->band))
            return false;
    }
    return true;
}

/* ---- Reading and halftoning ------------------------------------------- */

/* Reads the next rows into `ink` and returns how many came whole. */
static size_t read_rows(struct page *page, size_t rows)
{
    const struct layout *l = &page->layout;
    size_t ink_row = ink_row_bytes(&page->inks);
    bool planar = l->order == CUPS_ORDER_PLANAR;
    const uint8_t *line = page->lines;

    if (!planar)
        rows = stream_read_lines(page->in, page->lines, rows, l->line_bytes);
    else
        line += page->read * l->line_bytes;
    for (size_t row = 0; row < rows; row++) {
        rows_to_ink(l, line + row * l->line_bytes, l->height * l->line_bytes,
                    page->ink + row * ink_row);
        ink_apply(&page->inks, page->ink + row * ink_row);
    }
    page->read += (uint32_t)rows;
    return rows;
}

/* True when the job was canceled: then nothing is wrong. */
static bool ended_early(size_t got, size_t wanted)
{
    if (stream_canceled())
        return true;
    message("ERROR",
            "The raster ends in the middle of a page, after %zu of %zu lines; "
            "the rest is left white",
            got, wanted);
    return false;
}

/* Until the page is whole or its input ends. */
static bool halftone_rows(struct page *page)
{
    const struct layout *l = &page->layout;

    bool whole = true;

    if (l->order == CUPS_ORDER_PLANAR) {
        size_t got =
            stream_read_lines(page->in, page->lines, l->lines, l->line_bytes);
        if (got < l->lines)
            return ended_early(got, l->lines);
    }
    while (whole && page->read < l->height && !stream_canceled()) {
        uint32_t left = l->height - page->read;
        size_t wanted = left < page->band ? left : page->band;
        size_t got = read_rows(page, wanted);

        if (got < wanted)
            whole = ended_early(page->read, l->height);
        if (got > 0 &&
            (failed(ht_engine_submit(page->engine, page->ink, got)) ||
             !write_ready_rows(page)))
            return false;
    }
    return !failed(ht_engine_end(page->engine)) && write_ready_rows(page) &&
           whole;
}

/* Dots that came as dots. */
static bool pass_rows(struct page *page)
{
    const struct layout *l = &page->layout;

    while (page->wrote < l->out_lines && !stream_canceled()) {
        size_t left = l->out_lines - page->wrote;
        size_t wanted = left < page->band ? left : page->band;
        size_t got =
            stream_read_lines(page->in, page->lines, wanted, l->line_bytes);

        if (got > 0 && !write_lines(page, page->lines, got))
            return false;
        if (got < wanted)
            return ended_early(page->wrote, l->out_lines);
    }
    return true;
}

/* ---- A page ----------------------------------------------------------- */

static bool write_header(struct page *page, const cups_page_header2_t *header)
{
    cups_page_header2_t leaves = *header;

    layout_header(&page->layout, &leaves);
    if (page->out->raster == NULL &&
        !stream_open_output(page->out, STDOUT_FILENO, page->job->pwg))
        return false;
    return stream_write_header(page->out, &leaves);
}

bool page_print(const struct job *job, struct stream *in, struct stream *out,
                const cups_page_header2_t *header, unsigned number)
{
    struct page page = {.job = job, .in = in, .out = out};
    bool ok = layout_of(&page.layout, header, job->banded, job->pwg) &&
              open_page(&page, number) && write_header(&page, header);

    if (ok) {
        ok = page.layout.bits == 1 ? pass_rows(&page) : halftone_rows(&page);
        if (!out->broken)
            ok = write_blank_rest(&page) && ok;
        if (ok && !stream_canceled() && job->last)
            message("PAGE", "%u %u", number,
                    header->NumCopies > 0 ? header->NumCopies : 1);
    }
    close_page(&page);
    return ok;
}
