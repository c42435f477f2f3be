/*
 * halftonetorawgutenprint.c - a packer on libgutenprint's raw channels: dots of
 * all inks of a printer, in planes, become its language.
 *
 *   halftonetorawgutenprint job-id user title copies options [file]
 *   halftonetorawgutenprint --inks DRIVER
 *
 * Prints with the second line the inks of a driver, raw_inks.h. SIGTERM and
 * errors end the page that is being printed, and the job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/signals.h"
#include "gutenprint/raw_inks.h"
#include "gutenprint/raw_settings.h"
#include "page/drop_samples.h"
#include "page/drops.h"
#include "page/layout.h"
#include "page/memory.h"
#include "page/message.h"
#include "page/stream.h"

struct raw_job {
    struct choices from;
    struct printer_drops sizes;
    const stp_printer_t *printer;
    stp_vars_t *vars; /* of all pages */
    struct stream in;
    bool failed; /* nothing more of the job is printed */
};

/* A page, which libgutenprint asks for rows. */
struct raw_page {
    struct raw_job *job;
    struct layout come;
    struct drop_samples codes;
    uint32_t left, cut;     /* dots and rows that are left out */
    uint32_t width, height; /* that are printed */
    uint32_t read;          /* rows */
    unsigned char *line;    /* of `come` */
    uint16_t *samples;      /* [come.width][come.inks], of that line */
};

/* ---- libgutenprint's side ------------------------------------------------ */

static void hear(void *data, const char *text, size_t bytes)
{
    (void)data;
    while (bytes > 0 && text[bytes - 1] == '\n')
        bytes--;
    message("DEBUG", "Gutenprint: %.*s", (int)bytes, text);
}

static void put(void *data, const char *bytes, size_t size)
{
    struct raw_job *job = data;

    if (job->failed && ferror(stdout))
        return;
    if (fwrite(bytes, 1, size, stdout) == size)
        return;
    job->failed = true;
    message("ERROR", "The printer's data cannot be written");
}

static int width_of(stp_image_t *image)
{
    return (int)((const struct raw_page *)image->rep)->width;
}

static int height_of(stp_image_t *image)
{
    return (int)((const struct raw_page *)image->rep)->height;
}

static const char *name_of(stp_image_t *image)
{
    (void)image;
    return "halftonetorawgutenprint";
}

/* Reads the next line; false after an ERROR line, or in a canceled job. */
static bool read_line(struct raw_page *page)
{
    if (stream_read_lines(&page->job->in, page->line, 1,
                          page->come.line_bytes) != 1) {
        if (!canceled())
            message("ERROR", "The raster ends in the middle of a page");
        return false;
    }
    page->read++;
    return true;
}

/* Makes the samples of a row that is printed; rows come in their order. */
static stp_image_status_t row_of(stp_image_t *image, unsigned char *data,
                                 size_t size, int row)
{
    struct raw_page *page = image->rep;
    const uint32_t inks = page->come.inks;
    const uint64_t at = (uint64_t)row + page->cut;
    const size_t bytes = (size_t)page->width * inks * sizeof *page->samples;
    bool ok = !page->job->failed && !canceled() && bytes <= size;

    while (ok && page->read <= at && page->read < page->come.height)
        ok = read_line(page) &&
             (page->read <= at ||
              drop_samples_line(&page->codes, page->line, inks, page->samples));
    if (!ok) {
        page->job->failed = true;
        return STP_IMAGE_STATUS_ABORT;
    }
    const uint32_t there =
        page->come.width > page->left ? page->come.width - page->left : 0;
    const uint32_t dots = at >= page->come.height ? 0
                          : there < page->width   ? there
                                                  : page->width;

    memset(data, 0, bytes);
    memcpy(data, page->samples + (size_t)page->left * inks,
           (size_t)dots * inks * sizeof *page->samples);
    return STP_IMAGE_STATUS_OK;
}

/* ---- Pages --------------------------------------------------------------- */

/* Checks a header, which is hostile. False after an ERROR line. */
static bool read_header(struct raw_page *page,
                        const cups_page_header2_t *header)
{
    char why[LAYOUT_WHY] = "Not raster of banded dots in DeviceN";

    if (header->cupsColorSpace >= CUPS_CSPACE_DEVICE1 &&
        header->cupsColorOrder == CUPS_ORDER_BANDED &&
        header->cupsBitsPerColor <= 4 && header->PageSize[0] <= INT16_MAX &&
        header->PageSize[1] <= INT16_MAX &&
        layout_read(&page->come, header, NULL, why))
        return drop_samples_begin(&page->codes, &page->job->sizes, &page->come,
                                  header);
    message("ERROR", "%s", why);
    return false;
}

/* Takes the place of the page, of which the sheet makes no more than there may
 * be. False after an ERROR line. */
static bool take_place(struct raw_page *page, const struct raw_place *place)
{
    const struct layout *come = &page->come;

    if (place->width < 1 || place->width > HT_MAX_WIDTH || place->height < 1 ||
        place->height > HT_MAX_HEIGHT || place->left > HT_MAX_WIDTH ||
        place->top > HT_MAX_HEIGHT ||
        2 * DROPS_INKS *
                (place->width * place->height -
                 (double)come->width * come->height) >
            (double)LAYOUT_MOST_PAPER) {
        message("ERROR", "A page of %gx%g dots on this sheet is not possible",
                place->width, place->height);
        return false;
    }
    page->width = (uint32_t)place->width;
    page->height = (uint32_t)place->height;
    page->left = (uint32_t)place->left;
    page->cut = (uint32_t)place->top;
    return true;
}

/* Prints a page with these settings, and reads the rows that lie below what is
 * printed. False after an ERROR line, or in a canceled job. */
static bool print_with(struct raw_page *page, stp_vars_t *vars, bool first)
{
    stp_image_t image = {.width = width_of,
                         .height = height_of,
                         .get_row = row_of,
                         .get_appname = name_of,
                         .rep = page};

    page->line = malloc(page->come.line_bytes);
    page->samples = calloc((size_t)page->come.width * page->come.inks,
                           sizeof *page->samples);
    bool ok = page->line != NULL && page->samples != NULL;

    if (!ok)
        message("ERROR", "Not enough memory for a row");
    if (ok && first)
        stp_start_job(vars, &image);
    if (ok && stp_print(vars, &image) == 0 && !page->job->failed) {
        message("ERROR", "Gutenprint does not print this page");
        ok = false;
    }
    ok = ok && !page->job->failed;
    while (ok && page->read < page->come.height)
        ok = read_line(page);
    free(page->line);
    free(page->samples);
    return ok;
}

/* Prints a page, and leaves the settings, with which the job ends, in `*last`.
 */
static bool print_page(struct raw_job *job, const cups_page_header2_t *header,
                       unsigned number, stp_vars_t **last)
{
    struct raw_page page = {.job = job};
    struct raw_place place;

    if (!read_header(&page, header))
        return false;
    stp_vars_t *vars = stp_vars_create_copy(job->vars);
    bool ok = raw_settings_of_page(vars, &job->from, header, number, &place) &&
              take_place(&page, &place);

    if (ok && !raw_inks_use(vars, &page.come.set)) {
        message("ERROR", "Gutenprint does not take the inks %s of this printer",
                page.come.set.text);
        ok = false;
    }
    if (!ok) {
        stp_vars_destroy(vars);
        return false;
    }
    const bool first = *last == NULL;

    if (!first)
        stp_vars_destroy(*last);
    *last = vars;
    return print_with(&page, vars, first);
}

/* ---- The job ------------------------------------------------------------- */

/* Ends the job, so that the printer takes the next one. */
static bool end_job(struct raw_job *job, stp_vars_t *vars)
{
    struct raw_page page = {.job = job, .width = 1, .height = 1};
    stp_image_t image = {.width = width_of,
                         .height = height_of,
                         .get_row = row_of,
                         .get_appname = name_of,
                         .rep = &page};

    if (vars != NULL) {
        stp_end_job(vars, &image);
        stp_vars_destroy(vars);
    }
    if (fflush(stdout) == 0)
        return true;
    message("ERROR", "The printer's data cannot be written");
    return false;
}

/* Reads the PPD; false after an ERROR line. */
static bool read_ppd(struct raw_job *job, const char *options)
{
    memory_insist("the job's options and the PPD");
    bool ok = choices_open(&job->from, options);
    memory_insist(NULL);
    const char *name = ok ? choice_of_queue(&job->from, "StpDriverName") : NULL;

    job->printer = name == NULL ? NULL : stp_get_printer_by_driver(name);
    if (ok && job->printer == NULL) {
        message("ERROR",
                "Gutenprint has no driver %s, of the PPD's "
                "StpDriverName",
                name == NULL ? "?" : name);
        ok = false;
    }
    return ok && drops_of_queue(&job->sizes, &job->from);
}

static bool print_pages(struct raw_job *job)
{
    cups_page_header2_t header;
    stp_vars_t *last = NULL;
    unsigned pages = 0;
    bool ok = true;

    job->vars = raw_settings_of_job(job->printer, &job->from);
    stp_set_outfunc(job->vars, put);
    stp_set_outdata(job->vars, job);
    for (; ok && stream_next_page(&job->in, &header, pages, &ok); pages++)
        ok = print_page(job, &header, pages, &last);
    ok = end_job(job, last) && ok;
    stp_vars_destroy(job->vars);
    return ok;
}

/* Prints the raster on `input`; false after an ERROR line. */
static bool print_job(int input, const char *options)
{
    static struct raw_job job; /* too large for a small stack */
    bool ok = read_ppd(&job, options);

    signals_keep();
    if (ok && !stream_open_input(&job.in, input)) {
        if (!canceled())
            message("ERROR", "The raster has no pages");
        ok = false;
    }
    ok = ok && print_pages(&job);
    stream_close(&job.in);
    drops_free(&job.sizes);
    choices_close(&job.from);
    return ok || canceled();
}

/* Takes the end of a program in which libgutenprint has found a fault. */
static void take_abort(int number)
{
    message("ERROR", "Gutenprint cannot print this page");
    _exit(number != 0);
}

int main(int argc, char **argv)
{
    int input = STDIN_FILENO;

    signals_catch();
    signal(SIGABRT, take_abort);
    owner_set(signals_owner());
    message_begin();
    stp_set_global_errfunc(hear);
    stp_set_global_dbgfunc(hear);
    stp_init();
    if (argc == 3 && strcmp(argv[1], "--inks") == 0) {
        const stp_printer_t *printer = stp_get_printer_by_driver(argv[2]);

        return printer != NULL && raw_inks_print(printer) && fflush(stdout) == 0
                   ? 0
                   : 1;
    }
    if (argc != 6 && argc != 7)
        message("ERROR", "halftonetorawgutenprint job-id user title copies "
                         "options [file]");
    else if (argc == 7 && (input = open(argv[6], O_RDONLY | O_CLOEXEC)) < 0)
        message("ERROR", "The raster cannot be opened");
    else if (print_job(input, argv[5]))
        return 0;
    return 1;
}
