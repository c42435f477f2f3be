/*
 * page.c - a page from its header to its last line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "filter/ink.h"
#include "filter/message.h"
#include "filter/page.h"
#include "filter/pipeline.h"

#define BAND_BYTES (1u << 20) /* of samples: a few rows to a few hundred */
#define MAX_BAND_ROWS 256u

struct page {
    const struct job *job;
    unsigned number;
    struct layout layout;
    struct ink ink;
    struct output output;
    struct pipeline *pipeline; /* NULL for dots that came as dots */
    ht_engine_t *engine;       /* NULL as well */
};

/* ---- Opening ---------------------------------------------------------- */

static ht_status_t try_engine(struct page *page, const char *name)
{
    const struct layout *l = &page->layout;
    const struct job *job = page->job;
    ht_page_t shape = {.method = job->method,
                       .table = job->table,
                       .width = l->width,
                       .inks = l->inks,
                       .bits = page->ink.bits,
                       .segment = job->segment,
                       .band = page->output.band,
                       .threads = job->threads,
                       .device_memory = (size_t)job->gpu_mib << 20};

    return ht_engine_open(&page->engine, name, &shape);
}

/* A GPU that is not there, or cannot do it, is no reason not to print. */
static bool open_engine(struct page *page)
{
    const struct layout *l = &page->layout;
    const char *name = page->job->engine;
    ht_status_t status = try_engine(page, name);

    if (status != HT_OK && name != NULL) {
        message("WARNING", "The %s engine cannot be used (%s); the CPU prints",
                name, ht_status_text(status));
        status = try_engine(page, "cpu");
    }
    if (status != HT_OK) {
        message("ERROR", "Halftoning failed: %s", ht_status_text(status));
        return false;
    }
    message("DEBUG",
            "rastertohalftone: page %u: %ux%u, %u ink%s %s, %s, segments %u, "
            "engine %s%s%s",
            page->number, l->width, l->height, l->inks, l->inks == 1 ? "" : "s",
            l->space, page->job->method_name, page->job->segment,
            ht_engine_name(page->engine),
            *ht_engine_why(page->engine) ? ": " : "",
            ht_engine_why(page->engine));
    return true;
}

static bool open_page(struct page *page, struct stream *out)
{
    const struct layout *l = &page->layout;
    size_t rows = BAND_BYTES / l->line_bytes;
    uint32_t band = rows < 1               ? 1
                    : rows > MAX_BAND_ROWS ? MAX_BAND_ROWS
                                           : (uint32_t)rows;
    bool ok, contone = l->bits > 1;

    if (contone && !pipeline_accepts(l))
        return false;
    ok = output_open(&page->output, l, out, band, page->job->last);
    ok =
        ink_init(&page->ink, &page->job->ink, l->inks, l->width, l->bits) && ok;
    if (ok && contone)
        ok = (page->pipeline = pipeline_open(l, &page->ink, band)) != NULL;
    if (!ok) {
        message("ERROR", "Not enough memory for a page %u pixels wide",
                l->width);
        return false;
    }
    if (contone)
        return open_engine(page);
    message("DEBUG",
            "rastertohalftone: page %u: %ux%u, %s, dots already: passed on",
            page->number, l->width, l->height, l->space);
    return true;
}

static bool write_header(struct page *page, const cups_page_header2_t *header)
{
    struct stream *out = page->output.stream;
    cups_page_header2_t leaves = *header;

    layout_header(&page->layout, &leaves);
    return (out->raster != NULL ||
            stream_open_output(out, STDOUT_FILENO, page->job->pwg)) &&
           stream_write_header(out, &leaves);
}

static void close_page(struct page *page)
{
    const char *trouble =
        page->engine == NULL ? NULL : ht_engine_trouble(page->engine);

    if (trouble != NULL)
        message("WARNING", "Page %u: %s", page->number, trouble);
    ht_engine_close(page->engine);
    pipeline_close(page->pipeline);
    ink_free(&page->ink);
    output_close(&page->output);
}

/* ---- The lines -------------------------------------------------------- */

/* Dots that came as dots, until the page is whole or its input ends. */
static struct outcome pass_lines(struct page *page, struct stream *in)
{
    const struct layout *l = &page->layout;
    struct output *output = &page->output;
    struct outcome outcome = {.read = 0};
    size_t wanted, got;

    do {
        size_t left = l->lines - outcome.read;

        wanted = left < output->band ? left : output->band;
        got = stream_read_lines(in, output->buffer, wanted, l->line_bytes);
        outcome.read += got;
        if (got > 0 && !output_lines(output, got))
            break;
    } while (got == wanted && outcome.read < l->lines && !stream_canceled());
    return outcome;
}

/* At most one ERROR line, for what went wrong first: a stage that fails stops
 * the ones before it. A canceled job is no error. */
static bool went_well(const struct page *page, const struct outcome *outcome)
{
    if (stream_canceled())
        return true;
    if (page->output.stream->broken)
        return false;
    if (outcome->no_thread != 0)
        message("ERROR", "Cannot start a thread: %s",
                strerror(outcome->no_thread));
    else if (outcome->status != HT_OK)
        message("ERROR", "Halftoning failed: %s",
                ht_status_text(outcome->status));
    else if (outcome->read < page->layout.lines)
        message("ERROR",
                "The raster ends in the middle of a page, after %zu of %zu "
                "lines; the rest is left white",
                outcome->read, page->layout.lines);
    else
        return true;
    return false;
}

static struct outcome halftone_lines(struct page *page, struct stream *in)
{
    struct outcome outcome =
        pipeline_run(page->pipeline, in, page->engine, &page->output);

    message("DEBUG",
            "rastertohalftone: page %u: threads were busy reading %.0f ms, "
            "halftoning %.0f ms without helpers, writing %.0f ms",
            page->number, 1e3 * outcome.reading, 1e3 * outcome.halftoning,
            1e3 * outcome.writing);
    return outcome;
}

static bool print_lines(struct page *page, struct stream *in)
{
    struct outcome outcome = page->pipeline != NULL ? halftone_lines(page, in)
                                                    : pass_lines(page, in);

    if (!page->output.stream->broken)
        output_rest(&page->output);
    return went_well(page, &outcome);
}

bool page_print(const struct job *job, struct stream *in, struct stream *out,
                const cups_page_header2_t *header, unsigned number)
{
    struct page page = {.job = job, .number = number};
    bool ok = layout_of(&page.layout, header, job->banded, job->pwg) &&
              open_page(&page, out) && write_header(&page, header) &&
              print_lines(&page, in);

    if (ok && !stream_canceled() && job->last)
        message("PAGE", "%u %u", number,
                header->NumCopies > 0 ? header->NumCopies : 1);
    if (!ok)
        stream_report(out);
    close_page(&page);
    return ok;
}
