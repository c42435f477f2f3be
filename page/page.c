/*
 * page.c - a page from its header to its last line.
 *
 * The main thread reads a page and goes on to the next; a thread of the page's
 * own writes it, once the page before has left. An accelerator halftones
 * several pages at once, as fast as one. The processor does one after the
 * other: only the next one comes in meanwhile, so that reading has no gaps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/header.h"
#include "page/ink.h"
#include "page/kept_tables.h"
#include "page/lines.h"
#include "page/memory.h"
#include "page/message.h"
#include "page/owner.h"
#include "page/page.h"
#include "page/pipeline.h"

#define BAND_BYTES (1u << 20) /* of samples: a few rows to a few hundred */
#define MAX_BAND_ROWS 256u

/* Pages on their way; each has two threads and a few MiB. Those that the
 * processor halftones count as several. */
#define MAX_PAGES 8
#define MAX_CPU_PAGES 2

struct page {
    struct pages *pages;
    const struct settings *settings;
    const struct delivery *delivery;
    unsigned number;
    cups_page_header2_t header;
    struct layout layout;
    const struct drops *drops; /* of the printer; NULL = of one size */
    struct ink_tables *tables; /* of the pages' */
    struct framed_lines lines;
    struct ink ink;
    struct output output;
    struct pipeline *pipeline; /* NULL for dots that came as dots */
    ht_engine_t *engine;       /* NULL as well */
    unsigned room;             /* that it takes among the pages */
    struct page *before;       /* has to leave first; NULL: it has left */
    pthread_t thread;          /* leave_page() */
    bool well;                 /* the page has left, nothing went wrong */
};

/* Waits until the pages up to this one have left, and frees it. Returns whether
 * they went well. `page` may be NULL. */
static bool has_left(struct page *page)
{
    if (page == NULL)
        return true;
    pthread_join(page->thread, NULL);
    bool well = page->well;
    free(page);
    return well;
}

static bool all_have_left(struct pages *pages)
{
    struct page *last = pages->last;

    pages->last = NULL;
    return has_left(last);
}

/* ---- Opening ---------------------------------------------------------- */

/* Returns on how many of 16 pixels the page mixes sizes: more than three are
 * never mixed. */
static uint32_t mixed_of(const struct page *page)
{
    const int asked = page->settings->mixed;

    if (page->drops->levels > HT_MIXED_LEVELS)
        return 0;
    return asked < 0 ? page->drops->mixed : (uint32_t)asked;
}

static ht_page_t shape_of(const struct page *page)
{
    const struct layout *l = &page->layout;
    const struct settings *settings = page->settings;
    uint32_t cells = lines_to_cells(settings->lines, l->dpi[0]);

    ht_page_t shape = {.method = settings->method,
                       .table = settings->table,
                       .across = l->dpi[0],
                       .down = l->dpi[1],
                       .width = l->width,
                       .inks = l->out_inks,
                       .bits = page->ink.bits,
                       .curves = page->ink.curved ? page->ink.table : NULL,
                       .segment = settings->segment,
                       .cells = cells,
                       .band = page->output.band,
                       .height = l->height,
                       .threads = settings->threads,
                       .pages = MAX_PAGES,
                       .guest = true,
                       .lent = PIPELINE_LENT,
                       .device_memory = settings->gpu_memory};

    if (l->dot_bits > 1) {
        shape.levels = page->drops->levels;
        shape.mixed = mixed_of(page);
        memcpy(shape.area, page->drops->area, sizeof shape.area);
    }
    ink_set_lighter(&l->set, shape.lighter);
    return shape;
}

static void say_engine(const struct page *page, const ht_page_t *shape)
{
    const struct layout *l = &page->layout;
    const struct settings *settings = page->settings;
    const char *device = ht_engine_device(page->engine);
    const char *why = ht_engine_why(page->engine);
    char trained[OPTION_MAX_NAME + sizeof ", table , segments 4294967295"] = "";
    char sizes[sizeof ", 4294967295 sizes, mixed 4294967295"] = "";

    if (ht_method_info(settings->method)->table)
        snprintf(trained, sizeof trained, ", table %s, segments %u",
                 settings->table != NULL ? settings->table_name
                                         : ht_table_name(shape),
                 settings->segment);
    if (ht_method_info(settings->method)->cells)
        snprintf(trained, sizeof trained, ", cells %u", shape->cells);
    if (shape->levels > 2)
        snprintf(sizes, sizeof sizes, ", %u sizes, mixed %u", shape->levels - 1,
                 shape->mixed);
    message("DEBUG",
            "rastertohalftone: page %u: %ux%u at %ux%u dpi, %u ink%s %s%s, "
            "%s%s, engine %s%s%s%s%s",
            page->number, l->width, l->height, l->dpi[0], l->dpi[1],
            l->out_inks, l->out_inks == 1 ? "" : "s", l->space, sizes,
            settings->method_name, trained, ht_engine_name(page->engine),
            device != NULL ? " on " : "", device != NULL ? device : "",
            why != NULL ? ": " : "", why != NULL ? why : "");
}

/* Opens the job's engine; if that is a GPU that cannot be used, warns once and
 * opens the CPU's for the rest of the job. A busy engine is tried again when
 * the pages before have left. */
static bool open_engine(struct page *page)
{
    struct pages *pages = page->pages;
    const char *name = pages->without_gpu ? "cpu" : page->settings->engine;
    ht_page_t shape = shape_of(page);

    if (shape.threads == 0)
        shape.threads = share_threads(&pages->share);
    if (name == NULL && !share_keeps_up(&pages->share))
        ht_engine_prepare(&shape);
    ht_status_t status = ht_engine_open(&page->engine, name, &shape);
    if (status == HT_ERR_BUSY) {
        if (!all_have_left(pages))
            return false;
        status = ht_engine_open(&page->engine, name, &shape);
    }
    if (status != HT_OK && name != NULL && strcmp(name, "cpu") != 0) {
        message("WARNING", "The GPU cannot be used (%s); the CPU prints",
                ht_status_text(status));
        pages->without_gpu = true;
        status = ht_engine_open(&page->engine, "cpu", &shape);
    }
    if (status != HT_OK) {
        message("ERROR", "Halftoning failed: %s", ht_status_text(status));
        return false;
    }
    say_engine(page, &shape);
    return true;
}

/* Tells once that a page of dots is not ours, where the PPD expects that. */
static void say_dots(struct page *page)
{
    const struct layout *l = &page->layout;
    struct pages *pages = page->pages;

    message("DEBUG",
            "rastertohalftone: page %u: %ux%u, %s, dots already: passed on",
            page->number, l->width, l->height, l->space);
    if (page->delivery->expects_tones && !pages->dots_came)
        message("WARNING",
                "Page %u came as dots of 1 bit, and is printed as it is: have "
                "the PPD ask for 8 bits per color, as halftone-ppd does; for "
                "two-level color choose HalftoneMode=Threshold instead of "
                "print-color-mode=bi-level",
                page->number);
    pages->dots_came = true;
}

static bool no_memory(const struct page *page)
{
    message("ERROR", "Not enough memory for a page %u pixels wide",
            page->layout.width);
    return false;
}

/* Finds the tables of pages like this one, or makes them. */
static bool choose_tables(struct page *page)
{
    const struct ink_settings *ink = &page->settings->ink;
    const bool measured = page->layout.dot_bits > 1 && ink->curved &&
                          ink->curve.whole_dots &&
                          !ink_has_own_tones(ink, page->drops);
    const struct kept_kind kind = {page->drops,
                                   page->layout.shaded ? ink->set : NULL,
                                   page->layout.inks, measured};
    const ht_page_t shape = shape_of(page);
    bool made;

    page->tables = kept_tables_find(&page->pages->tables, &kind, &shape, &made);
    if (page->tables == NULL)
        return no_memory(page);
    if (made && (measured || kind.set != NULL))
        message("DEBUG", "rastertohalftone: page %u: drops measured",
                page->number);
    return true;
}

static bool open_page(struct page *page)
{
    const struct layout *l = &page->layout;
    struct stream *out = &page->pages->out;
    size_t row_bytes = ((size_t)l->width * l->out_inks * l->bits + 7) / 8;
    assert(row_bytes > 0); /* layout.c accepts no other page */
    size_t rows = BAND_BYTES / row_bytes;
    uint32_t band = rows < 1               ? 1
                    : rows > MAX_BAND_ROWS ? MAX_BAND_ROWS
                                           : (uint32_t)rows;
    bool ok, contone = l->bits > 1;

    ok = output_open(&page->output, l, out, band, page->delivery->last);
    ok = ink_init(&page->ink, &page->settings->ink, page->tables, l->inks,
                  l->width, l->bits) &&
         ok;
    if (ok && contone)
        ok = (page->pipeline = pipeline_open(l, &page->ink, band)) != NULL;
    if (!ok)
        return no_memory(page);
    if (contone)
        return open_engine(page);
    say_dots(page);
    return true;
}

/* Waits until there is more room among the pages on their way. */
static void take_room(struct page *page, unsigned room)
{
    for (; page->room < room; page->room++)
        while (sem_wait(&page->pages->room) != 0)
            ;
}

/* Frees what the page has, and its room. */
static void close_page(struct page *page)
{
    const char *trouble =
        page->engine == NULL ? NULL : ht_engine_trouble(page->engine);

    if (trouble != NULL)
        message("WARNING", "Page %u: %s", page->number, trouble);
    ht_engine_close(page->engine);
    pipeline_close(page->pipeline);
    output_close(&page->output);
    for (; page->room > 0; page->room--)
        sem_post(&page->pages->room);
}

static bool on_device(const struct page *page)
{
    return page->engine != NULL && ht_engine_device(page->engine) != NULL;
}

/* Whether no other page may be on its way: one of dots is written by the main
 * thread, and a planar one is large. */
static bool goes_alone(const struct page *page)
{
    return page->engine == NULL || pipeline_holds_page(&page->layout);
}

/* ---- Leaving ---------------------------------------------------------- */

/* Opens what the first page needs. */
static bool open_output(struct stream *out, const struct delivery *delivery)
{
    if (delivery->taker == NULL)
        return out->raster != NULL ||
               stream_open_output(out, delivery->output, delivery->pwg);
    if (out->taker == NULL)
        stream_open_taker(out, delivery->taker);
    return true;
}

/* Insists on memory: it is the first call of libcups in the page's thread, for
 * which that takes some. */
static bool write_header(struct page *page)
{
    struct stream *out = page->output.stream;
    cups_page_header2_t leaves = page->header;

    memory_insist("a page");
    if (page->delivery->pwg && leaves.Duplex && page->number % 2 == 0)
        header_turn_back(&leaves, page->delivery->back);
    if (page->delivery->tumbled)
        leaves.Tumble = CUPS_FALSE;
    header_of_dots(&leaves, &page->layout);
    if (page->drops != NULL) {
        drops_set(&leaves, &page->drops->codes);
        leaves.cupsInteger[DROPS_ARE_SOLID] =
            page->drops->tones.solid[0] > 0 &&
            (page->settings->ink.two_level || page->layout.bits == 1);
    }
    bool ok =
        open_output(out, page->delivery) && stream_write_header(out, &leaves);
    memory_insist(NULL);
    return ok;
}

/* Passes on dots that came as dots, until the page is whole or its input ends.
 */
static struct outcome pass_lines(struct page *page)
{
    const struct layout *l = &page->layout;
    struct output *output = &page->output;
    struct outcome outcome = {.read = 0};
    size_t wanted, got;

    do {
        size_t left = l->lines - outcome.read;

        wanted = left < output->band ? left : output->band;
        got = frame_read(&page->lines, output->buffer, wanted, l->line_bytes);
        outcome.read += got;
        if (got > 0 && !output_lines(output, got))
            break;
    } while (got == wanted && outcome.read < l->lines && !canceled());
    return outcome;
}

/* Says why lines are missing, and what became of them. The reader goes no
 * further than such a page, so its error is this one's. */
static void say_missing(const struct page *page, size_t read)
{
    int error = page->lines.in->error;

    message("ERROR",
            "The raster ends in the middle of a page%s%s%s, after %zu of %zu "
            "lines; the rest %s",
            error != 0 ? " (" : "", error != 0 ? strerror(error) : "",
            error != 0 ? ")" : "", read, page->layout.lines,
            output_is_whole(&page->output) ? "is left white"
                                           : "is over 1 GiB, and is left out");
}

/* Writes an ERROR line if something went wrong, for what did so first: a stage
 * that fails stops the ones before it. A canceled job is no error. */
static bool went_well(const struct page *page, const struct outcome *outcome)
{
    if (canceled())
        return true;
    if (page->output.stream->broken)
        return false;
    if (outcome->no_thread != 0)
        message("ERROR", "Cannot start a thread: %s",
                strerror(outcome->no_thread));
    else if (outcome->status != HT_OK)
        message("ERROR", "Halftoning failed: %s",
                ht_status_text(outcome->status));
    else if (page->lines.is_bomb)
        message("ERROR", "The raster is too short for the dots that it stands "
                         "for");
    else if (outcome->read < page->layout.lines)
        say_missing(page, outcome->read);
    else
        return true;
    return false;
}

/* Says why nothing more can leave. Why a packer has ended, packer_end() says.
 */
static void report_output(const struct page *page)
{
    const struct stream *out = page->output.stream;

    if (!page->delivery->packed || out->error != EPIPE)
        stream_report(out);
}

/* Ends the page after the last line that could be made: adds missing paper, and
 * counts the sheet, which comes out of the printer whatever is on it. */
static bool end_page(struct page *page, const struct outcome *outcome)
{
    struct stream *out = page->output.stream;

    if (!out->broken)
        (void)output_rest(&page->output); /* the stream tells of a failure */
    if (page->delivery->last && output_is_whole(&page->output))
        message("PAGE", "%u %u", page->number,
                page->header.NumCopies > 0 ? page->header.NumCopies : 1);
    if (!went_well(page, outcome)) {
        report_output(page);
        return false;
    }
    return true;
}

/* The page's own thread. The page does not leave at all if one before it failed
 * or the job is canceled. */
static void *leave_page(void *context)
{
    struct page *page = context;
    bool leaves;

    if (on_device(page))
        pipeline_start(page->pipeline, page->engine);
    leaves = has_left(page->before) && !canceled();
    if (!on_device(page))
        pipeline_start(page->pipeline, page->engine);
    leaves = leaves && write_header(page);
    if (leaves)
        pipeline_write(page->pipeline, &page->output);
    else
        pipeline_stop(page->pipeline);

    struct outcome outcome = pipeline_finish(page->pipeline);
    if (leaves) {
        outcome_tell(&outcome, page->number);
        if (!on_device(page))
            share_learn(&page->pages->share, outcome.reading, outcome.waiting);
        page->well = end_page(page, &outcome);
    } else {
        page->well = canceled();
        report_output(page);
    }
    close_page(page);
    return NULL;
}

/* ---- The main thread's part --------------------------------------------- */

static bool pass_page(struct page *page)
{
    bool ok = false;

    if (write_header(page)) {
        struct outcome outcome = pass_lines(page);
        ok = end_page(page, &outcome);
    } else {
        report_output(page);
    }
    close_page(page);
    free(page);
    return ok;
}

/* Reads the page while its own thread has the rest of the work. */
static bool read_page(struct page *page)
{
    struct pages *pages = page->pages;
    bool alone = goes_alone(page);
    int error = owner_thread(&page->thread, leave_page, page);

    if (error != 0) {
        message("ERROR", "Cannot start a thread: %s", strerror(error));
        close_page(page);
        free(page);
        return false;
    }
    pages->last = page;
    return (pipeline_read(page->pipeline, &page->lines, page->engine) &&
            !alone) ||
           all_have_left(pages);
}

/* Tells the printer not to repeat the copies that we make. */
static void set_copies(cups_page_header2_t *header,
                       const struct delivery *delivery)
{
    if (header->NumCopies > PAGE_MAX_COPIES)
        header->NumCopies = PAGE_MAX_COPIES;
    if (!delivery->once)
        return;
    header->NumCopies = 1;
    if (delivery->pwg)
        header->cupsInteger[CUPS_RASTER_PWG_TotalPageCount] = 0; /* unknown */
}

/* Lays out the page and its dots. False after an ERROR line. */
static bool lay_out(struct page *page, bool blank)
{
    const struct delivery *delivery = page->delivery;
    const struct settings *settings = page->settings;
    char why[LAYOUT_WHY];

    if (delivery->blank_16 && page->header.cupsBitsPerColor == 16) {
        message("ERROR", "CUPS renders pictures blank with HalftoneBits=16: "
                         "print this one with HalftoneBits=8");
        return false;
    }
    if (settings->drops.count > 0)
        page->drops = drops_at(&settings->drops, &page->header);
    const struct leaving leaving = {
        .banded = delivery->banded,
        .pwg = delivery->pwg,
        .black_first = delivery->black_first,
        .sized =
            settings->sized && page->drops != NULL && page->drops->levels > 2
                ? ht_dot_bits(page->drops->levels)
                : 0,
        .set = settings->ink.set,
        .blank = blank,
        .paper = delivery->paper,
    };
    if (!layout_read(&page->layout, &page->header, &leaving, why)) {
        message("ERROR", "%s", why);
        return false;
    }
    if (settings->monochrome && page->layout.inks == 4)
        page->layout.monochrome = &page->pages->monochrome;
    if (settings->drops.count > 0 && page->drops == NULL) {
        message("ERROR", "The printer's drops are not known at %ux%u dpi",
                page->layout.dpi[0], page->layout.dpi[1]);
        return false;
    }
    return true;
}

bool page_print(struct pages *pages, const cups_page_header2_t *header,
                unsigned number, bool blank)
{
    const struct delivery *delivery = pages->delivery;
    struct page *page = calloc(1, sizeof *page);
    bool opened;

    if (page == NULL) {
        message("ERROR", "Not enough memory");
        return false;
    }
    *page =
        (struct page){.pages = pages,
                      .settings = pages->settings,
                      .delivery = delivery,
                      .number = number,
                      .header = *header,
                      .lines = {.in = pages->in, .frame = &page->layout.frame}};
    set_copies(&page->header, delivery);
    take_room(page, 1);
    opened = lay_out(page, blank) && choose_tables(page) && open_page(page);
    if (!opened || (goes_alone(page) && !all_have_left(pages))) {
        close_page(page);
        free(page);
        return false;
    }
    if (!on_device(page))
        take_room(page, MAX_PAGES / MAX_CPU_PAGES);
    page->lines.dots = page->layout.out_line_bytes * page->layout.out_lines /
                       page->layout.lines;
    page->before = pages->last;
    return page->pipeline != NULL ? read_page(page) : pass_page(page);
}

void pages_open(struct pages *pages, const struct settings *settings,
                const struct delivery *delivery, struct stream *in)
{
    *pages =
        (struct pages){.settings = settings, .delivery = delivery, .in = in};
    sem_init(&pages->room, 0, MAX_PAGES);
    share_begin(&pages->share);
    if (settings->monochrome)
        monochrome_init(&pages->monochrome);
}

bool pages_close(struct pages *pages)
{
    bool ok = all_have_left(pages);

    stream_close(&pages->out);
    kept_tables_free(&pages->tables);
    sem_destroy(&pages->room);
    share_end();
    return ok;
}
