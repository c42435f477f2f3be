/*
 * halftonetorawgutenprint.c - a packer on libgutenprint's raw channels: dots of
 * all inks of a printer, in planes, become its language.
 *
 *   halftonetorawgutenprint job-id user title copies options [file]
 *   halftonetorawgutenprint --inks DRIVER
 *
 * SIGTERM and errors end the page that is being printed, and the job.
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
#include "gutenprint/raw_driver.h"
#include "page/drop_samples.h"
#include "page/layout.h"
#include "page/memory.h"
#include "page/message.h"
#include "page/stream.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* A job, and its page, of which libgutenprint asks for rows. */
static struct raw_job {
    struct choices from;
    struct printer_drops sizes;
    struct stream in;
    stp_vars_t *vars; /* of all pages */
    bool failed;      /* nothing more is printed */
    struct layout come;
    struct drop_samples codes;
    struct raw_place place;
    uint32_t read;       /* rows */
    unsigned char *line; /* of `come` */
    uint16_t *samples;   /* [come.width][come.inks], of that line */
} job;

/* Fails the job, after an ERROR line unless it is canceled. Always false. */
static bool fail(const char *why)
{
    if (!canceled())
        message("ERROR", "%s", why);
    job.failed = true;
    return false;
}

/* ---- libgutenprint's side ------------------------------------------------ */

static void hear(void *data, const char *text, size_t bytes)
{
    (void)data;
    message("DEBUG", "Gutenprint: %.*s", (int)bytes, text);
}

static void put(void *data, const char *bytes, size_t size)
{
    (void)data;
    if (!ferror(stdout) && fwrite(bytes, 1, size, stdout) != size)
        fail("The printer's data cannot be written");
}

static int width_of(stp_image_t *image)
{
    (void)image;
    return (int)job.place.width;
}

static int height_of(stp_image_t *image)
{
    (void)image;
    return (int)job.place.height;
}

static const char *name_of(stp_image_t *image)
{
    (void)image;
    return "halftonetorawgutenprint";
}

/* Reads the next line; false after an ERROR line, or in a canceled job. */
static bool read_line(void)
{
    job.read++;
    return stream_read_lines(&job.in, job.line, 1, job.come.line_bytes) == 1 ||
           fail("The raster ends in the middle of a page");
}

/* Makes the samples of a row that is printed; rows come in their order. */
static stp_image_status_t row_of(stp_image_t *image, unsigned char *data,
                                 size_t size, int row)
{
    const uint32_t inks = job.come.inks, at = (uint32_t)(row + job.place.top);
    const double there = job.come.width - job.place.left;
    const double dots = there < job.place.width ? there : job.place.width;
    const size_t pixel = inks * sizeof *job.samples;

    (void)image;
    memset(data, 0, size);
    while (!job.failed && !canceled() && job.read <= at &&
           job.read < job.come.height)
        if (read_line() && job.read > at &&
            !drop_samples_line(&job.codes, job.line, inks, job.samples))
            job.failed = true;
    if (job.failed || canceled())
        return STP_IMAGE_STATUS_ABORT;
    if (at < job.come.height && dots > 0 && (size_t)dots * pixel <= size)
        memcpy(data, job.samples + (size_t)job.place.left * inks,
               (size_t)dots * pixel);
    return STP_IMAGE_STATUS_OK;
}

static stp_image_t image = {.width = width_of,
                            .height = height_of,
                            .get_row = row_of,
                            .get_appname = name_of};

/* ---- Pages --------------------------------------------------------------- */

/* Checks a header, which is hostile, and adds its settings. False after an
 * ERROR line. */
static bool read_header(const cups_page_header2_t *header, stp_vars_t *vars)
{
    char why[LAYOUT_WHY] = "Not raster of banded dots in DeviceN";
    const struct layout *come = &job.come;
    const struct raw_place *place = &job.place;

    if (header->cupsColorSpace < CUPS_CSPACE_DEVICE1 ||
        header->cupsColorOrder != CUPS_ORDER_BANDED ||
        header->cupsBitsPerColor > 4 || header->PageSize[0] > INT16_MAX ||
        header->PageSize[1] > INT16_MAX ||
        !layout_read(&job.come, header, NULL, why))
        return fail(why);
    if (!drop_samples_begin(&job.codes, &job.sizes, come, header) ||
        !raw_set_page(
            vars, job.from.ppd == NULL ? NULL : ppdPageSize(job.from.ppd, NULL),
            header, &job.place))
        return false;
    if (!(place->width >= 1 && place->width <= HT_MAX_WIDTH &&
          place->height >= 1 && place->height <= HT_MAX_HEIGHT &&
          place->top <= HT_MAX_HEIGHT &&
          2 * DROPS_INKS *
                  (place->width * place->height -
                   (double)come->width * come->height) <=
              (double)LAYOUT_MOST_PAPER))
        return fail("The sheet has far more paper than page, or none");
    snprintf(why, sizeof why, "This printer does not have the inks %s",
             come->set.text);
    return raw_set_inks(vars, &come->set) || fail(why);
}

/* Prints a page whose settings are there, with the rows below what is printed.
 * False after an ERROR line, or in a canceled job. */
static bool print_page(stp_vars_t *vars, bool first)
{
    job.read = 0;
    job.line = malloc(job.come.line_bytes);
    job.samples = calloc(job.come.width, job.come.inks * sizeof *job.samples);
    if (job.line == NULL || job.samples == NULL) {
        fail("Not enough memory for a row");
    } else {
        if (first)
            stp_start_job(vars, &image);
        if (stp_print(vars, &image) == 0 && !job.failed)
            fail("Gutenprint does not print this page");
        while (!job.failed && !canceled() && job.read < job.come.height)
            read_line();
    }
    free(job.line);
    free(job.samples);
    return !job.failed && !canceled();
}

static bool print_pages(void)
{
    cups_page_header2_t header;
    stp_vars_t *last = NULL; /* which end the job */
    unsigned pages = 0;
    bool ok = true;

    for (; ok && stream_next_page(&job.in, &header, pages, &ok); pages++) {
        stp_vars_t *vars = stp_vars_create_copy(job.vars);

        ok = read_header(&header, vars);
        stp_set_int_parameter(vars, "PageNumber", (int)pages);
        if (ok) {
            ok = print_page(vars, last == NULL);
            stp_vars_t *before = last;
            last = vars;
            vars = before;
        }
        if (vars != NULL)
            stp_vars_destroy(vars);
    }
    if (last != NULL) {
        stp_end_job(last, &image);
        stp_vars_destroy(last);
    }
    return ok && (fflush(stdout) == 0 ||
                  fail("The printer's data cannot be written"));
}

/* ---- The job ------------------------------------------------------------- */

/* Prints the raster on `input`; false after an ERROR line. */
static bool print_job(int input, const char *options)
{
    memset(&job, 0, sizeof job);
    memory_insist("the job's options and the PPD");
    bool ok = choices_open(&job.from, options);
    memory_insist(NULL);
    const char *name = ok ? choice_of_queue(&job.from, "StpDriverName") : NULL;
    const stp_printer_t *printer =
        name == NULL ? NULL : stp_get_printer_by_driver(name);

    signals_keep();
    if (ok && printer == NULL)
        ok = fail("Gutenprint has no driver of the PPD's StpDriverName");
    ok = ok && drops_of_queue(&job.sizes, &job.from) &&
         (stream_open_input(&job.in, input) || fail("The raster has no pages"));
    if (ok) {
        job.vars = stp_vars_create();
        stp_set_printer_defaults(job.vars, printer);
        raw_choose(job.vars, &job.from);
        stp_set_outfunc(job.vars, put);
        ok = print_pages();
        stp_vars_destroy(job.vars);
    }
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

        return printer == NULL || !raw_print_inks(printer) ||
               fflush(stdout) != 0;
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
