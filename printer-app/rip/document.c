/*
 * document.c - PDF: a RIP makes raster of it, and that is printed as any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/stream.h"
#include "printer-app/app.h"
#include "printer-app/families/family.h"
#include "printer-app/rip/document.h"
#include "printer-app/ipp/job_request.h"
#include "printer-app/press.h"
#include "printer-app/rip/rip.h"
#include "printer-app/ipp/supplies.h"

/* A document on its way. */
struct document {
    struct stream_taker taker; /* of the RIP's raster; first */
    pappl_job_t *job;
    const char *path; /* of its file */
    pappl_pr_options_t *options;
    struct press *press;
    unsigned left; /* lines of the page */
    bool well;     /* the press takes more */
};

/* PAPPL's print-scaling; "auto" never fills, as for pictures. */
static enum rip_scaling scaling_of(pappl_scaling_t scaling)
{
    return scaling == PAPPL_SCALING_NONE   ? RIP_ACTUAL
           : scaling == PAPPL_SCALING_FIT  ? RIP_FIT
           : scaling == PAPPL_SCALING_FILL ? RIP_FILL
                                           : RIP_SHRINK;
}

static bool wants_page(void *of, unsigned number)
{
    return job_pages_have(of, number);
}

struct rip_page document_page(pappl_job_t *job,
                              const pappl_pr_options_t *options)
{
    const pappl_media_col_t *media = &options->media;
    const bool color = options->print_color_mode == PAPPL_COLOR_MODE_COLOR ||
                       options->print_color_mode == PAPPL_COLOR_MODE_AUTO;

    return (struct rip_page){
        .dpi = {(unsigned)options->printer_resolution[0],
                (unsigned)options->printer_resolution[1]},
        .width = media->size_width,
        .length = media->size_length,
        .margins = {media->left_margin, media->bottom_margin,
                    media->right_margin, media->top_margin},
        .color = color,
        .exact =
            family_named(papplPrinterGetDriverName(papplJobGetPrinter(job)))
                ->kind == FAMILY_LABEL,
        .scaling = scaling_of(options->print_scaling),
        /* Pages are turned as they need, unless the job says how. */
        .orientation =
            papplJobGetAttribute(job, "orientation-requested") != NULL
                ? (int)options->orientation_requested
                : 0,
        .first = options->first_page,
        .last = options->last_page,
        .wants = wants_page,
        .of = job_pages(job)};
}

void document_complete(cups_page_header2_t *header,
                       const pappl_pr_options_t *options)
{
    const cups_page_header2_t *job = &options->header;

    header->Duplex = job->Duplex;
    header->Tumble = job->Tumble;
    header->MediaPosition = job->MediaPosition;
    memcpy(header->MediaType, job->MediaType, sizeof header->MediaType);
    memcpy(header->cupsPageSizeName, job->cupsPageSizeName,
           sizeof header->cupsPageSizeName);
    memcpy(header->cupsInteger, job->cupsInteger, sizeof header->cupsInteger);
}

static struct document *document_of(struct stream_taker *taker)
{
    return (struct document *)(void *)taker;
}

static bool begin_page(struct stream_taker *taker,
                       const cups_page_header2_t *header)
{
    struct document *document = document_of(taker);
    cups_page_header2_t whole = *header;

    document_complete(&whole, document->options);
    document->left = whole.cupsHeight;
    document->well = press_begin(document->press, &whole, document->options);
    return document->well;
}

static bool print_line(struct stream_taker *taker, const unsigned char *line,
                       size_t bytes)
{
    struct document *document = document_of(taker);

    (void)bytes;
    document->well = press_line(document->press, line);
    if (--document->left == 0) {
        document->well = press_end(document->press) && document->well;
        papplJobSetImpressionsCompleted(document->job, 1);
    }
    return document->well;
}

/* Prints the document once. */
static bool print_copy(struct document *document)
{
    struct rip_page page = document_page(document->job, document->options);
    const unsigned before = press_pages(document->press);
    bool has_black;
    const struct printer_colors *colors =
        press_colors(document->press, &has_black);

    if (!has_black)
        return false;
    if (colors != NULL) {
        page.profile = &colors->printer;
        page.intent = colors->intent;
    }
    page.art = press_has_two_levels(document->press);
    document->well = true;
    const bool ok =
        rip_run(document->path, &page, &document->taker) && document->well;
    const bool any = press_pages(document->press) > before;

    if (ok && !any && !canceled())
        message("ERROR", "The document has no page that is to be printed");
    return ok && any;
}

static bool print_copies(struct document *document)
{
    bool ok = print_copy(document);

    for (int i = 1; ok && i < document->options->copies && !canceled(); i++)
        ok = press_new_sheet(document->press, document->options) &&
             print_copy(document);
    return ok || canceled();
}

bool app_print_pdf(pappl_job_t *job, pappl_device_t *device, void *data)
{
    struct document document = {.taker = {begin_page, print_line},
                                .job = job,
                                .path = papplJobGetFilename(job)};
    bool ok = false;

    (void)data;
    document.options = papplJobCreatePrintOptions(job, 0, true);
    if (document.options == NULL)
        return false;
    document.press =
        press_open(job, document.options, device, app_state_directory());
    if (document.press != NULL) {
        ok = print_copies(&document);
        papplJobSetImpressions(job, (int)press_pages(document.press));
        ok = press_close(document.press) && ok;
    }
    supplies_ask(papplJobGetPrinter(job), device);
    papplJobDeletePrintOptions(document.options);
    return ok;
}
