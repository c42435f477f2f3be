/*
 * halftonetogutenprint.c - a packer in front of Gutenprint's own filter, which
 * it starts: drops by their sizes become samples of 16 bits, the filter's
 * codes.
 *
 *   halftonetogutenprint job-id user title copies options [file]
 *
 *   raster -> samples -> pipe -> HalftoneGutenprint of the PPD -> our output
 *                ^                  |
 *                `---- top margin --'  in its messages
 *
 * Gutenprint crops a page of the whole sheet to what the printer reaches, on
 * all sides but the top. So its rows there are left out, as many as it says.
 * SIGTERM is passed on, and ends the job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/outlet.h"
#include "filter/signals.h"
#include "halftone/base/text.h"
#include "page/drop_samples.h"
#include "page/drops.h"
#include "page/layout.h"
#include "page/memory.h"
#include "page/message.h"
#include "page/option.h"
#include "page/owner.h"
#include "page/stream.h"

#define PATIENCE 30000 /* ms, until the filter says how a page lies */
#define NOTHING (-1.0) /* told in place of points: see what happened */

struct gutenprint_job {
    char name[OPTION_MAX_NAME + 1]; /* of the filter */
    char *options;                  /* that it gets */
    struct packer filter;
    struct printer_drops sizes;
    bool gray_as_color; /* pages of K go as those of K, C, M and Y */
    struct stream in, out;
};

/* A page: `come` is what is read, `header` what leaves, the whole sheet. */
struct coded_page {
    struct layout come;
    cups_page_header2_t header;
    struct drop_samples codes;
    unsigned char *line; /* of `come` */
    uint16_t *samples;   /* [header.cupsWidth][header.cupsNumColors] */
};

/* ---- What happens meanwhile ---------------------------------------------- */

static struct gutenprint_job job; /* too large for a small stack */
static int told[2];               /* a pipe of top margins in points, double */
static volatile sig_atomic_t stopped, ended; /* by SIGTERM; the filter has */

static void tell(double points)
{
    const int error = errno;
    const ssize_t put = write(told[1], &points, sizeof points);

    (void)put; /* if it is full, there is enough to see */
    errno = error;
}

static void take(int number)
{
    if (number == SIGCHLD) {
        ended = 1;
    } else {
        stopped = 1;
        if (job.filter.program.process > 0 && !ended)
            kill(job.filter.program.process, SIGTERM);
    }
    tell(NOTHING);
}

static bool was_stopped(struct owner *owner)
{
    (void)owner;
    return stopped != 0;
}

/* Writes a message, ours or the filter's, and tells the top margin that it has.
 * Its point may be a comma, of the user's locale. */
static void hear(struct owner *owner, const char *prefix, const char *text)
{
    static const char margin[] = "Gutenprint:   top margin ",
                      none[] = "Gutenprint:   Adjusting top margin ";
    char word[32] = "0", *comma;
    double points;

    (void)owner;
    fprintf(stderr, "%s: %s\n", prefix, text);
    if (strncmp(text, margin, strlen(margin)) == 0)
        snprintf(word, sizeof word, "%s", text + strlen(margin));
    else if (strncmp(text, none, strlen(none)) != 0)
        return;
    if ((comma = strchr(word, ',')) != NULL)
        *comma = '.';
    if (text_decimal(word, 0, UINT16_MAX, &points))
        tell(points);
}

/* Stops the filter in the middle of the page: without rows it would repeat the
 * last one. Always false. */
static bool give_up(void)
{
    kill(job.filter.program.process, SIGTERM);
    return false;
}

/* Waits until the filter has said how the page lies, and sets the rows to leave
 * out. False when there is nothing to wait for any more. */
static bool await_margin(unsigned dpi, unsigned *rows)
{
    struct pollfd tells = {.fd = told[0], .events = POLLIN};
    double points = NOTHING;

    while (points < 0 && !stopped && !ended)
        if (poll(&tells, 1, PATIENCE) == 0) {
            message("ERROR", "%s does not say how a page lies", job.name);
            return give_up();
        } else if (read(told[0], &points, sizeof points) < 0) {
            points = NOTHING;
        }
    if (points < 0)
        return false;
    *rows = (unsigned)(points * dpi / 72 + 0.01); /* it says three decimals */
    return true;
}

/* ---- Pages --------------------------------------------------------------- */

/* Returns the dots of the sheet across (0) or down (1), at least `least`. */
static uint64_t dots_of_sheet(const cups_page_header2_t *header, int down,
                              unsigned least)
{
    const double exact = (double)header->cupsPageSize[down];
    const double points = exact != 0 ? exact : header->PageSize[down];
    const double dots = points * header->HWResolution[down] / 72 + 1;

    return dots > least && dots <= HT_MAX_HEIGHT ? (uint64_t)dots : least;
}

/* Checks a header, which is hostile, and makes that of the samples: of the
 * sheet, as the filter stretches less. False after an ERROR line. */
static bool read_header(struct coded_page *page)
{
    cups_page_header2_t *h = &page->header;
    const bool banded = h->cupsColorSpace == CUPS_CSPACE_KCMY &&
                        h->cupsColorOrder == CUPS_ORDER_BANDED;
    char why[LAYOUT_WHY] = "Not raster of dots in K or banded KCMY";

    if ((h->cupsColorSpace != CUPS_CSPACE_K && !banded) ||
        h->cupsBitsPerColor > 4 || !layout_read(&page->come, h, NULL, why)) {
        message("ERROR", "%s", why);
        return false;
    }
    const struct layout *l = &page->come;
    const uint32_t inks = job.gray_as_color ? DROPS_INKS : l->inks;
    const uint64_t width = dots_of_sheet(h, 0, l->width),
                   height = dots_of_sheet(h, 1, l->height),
                   added = width * height - (uint64_t)l->width * l->height;

    if (!drop_samples_begin(&page->codes, &job.sizes, l, h))
        return false;
    if (2 * inks * added > LAYOUT_MOST_PAPER) {
        message("ERROR", "The sheet has far more paper than page");
        return false;
    }
    h->cupsInteger[DROPS_ARE_SOLID] = 0;
    h->cupsWidth = (unsigned)width;
    h->cupsHeight = (unsigned)height;
    h->cupsColorSpace = inks == 1 ? CUPS_CSPACE_K : CUPS_CSPACE_KCMY;
    h->cupsColorOrder = CUPS_ORDER_CHUNKED;
    h->cupsNumColors = inks;
    h->cupsBitsPerColor = 16;
    h->cupsBitsPerPixel = 16 * inks;
    h->cupsBytesPerLine = 2 * inks * h->cupsWidth;
    drops_set(h, &(struct drop_codes){0, 0});
    return true;
}

static bool put_samples(const struct coded_page *page)
{
    return stream_write(&job.out, (unsigned char *)page->samples,
                        page->header.cupsBytesPerLine);
}

/* Writes the page's rows but the first `cut`, and bare ones up to its height.
 * False when the page is not whole. */
static bool print_rows(const struct coded_page *page, unsigned cut)
{
    const struct layout *come = &page->come;
    unsigned row = 0, left = page->header.cupsHeight;

    for (; row < come->height &&
           stream_read_lines(&job.in, page->line, 1, come->line_bytes) == 1;
         row++)
        if (!drop_samples_line(&page->codes, page->line,
                               page->header.cupsNumColors, page->samples))
            return give_up();
        else if (row >= cut && left-- > 0 && !put_samples(page))
            return false;
    if (row < come->height && !stopped)
        message("ERROR", "The raster ends in the middle of a page");
    if (stopped ||
        (uint64_t)left * page->header.cupsBytesPerLine > LAYOUT_MOST_PAPER)
        return give_up();
    memset(page->samples, 0, page->header.cupsBytesPerLine);
    while (left > 0 && put_samples(page))
        left--;
    return left == 0 && row == come->height;
}

static bool print_page(const cups_page_header2_t *header)
{
    struct coded_page page = {.header = *header};
    unsigned cut = 0;

    if (!read_header(&page))
        return give_up();
    page.line = malloc(page.come.line_bytes);
    page.samples = calloc(1, page.header.cupsBytesPerLine);
    bool ok = page.line != NULL && page.samples != NULL;

    if (!ok)
        message("ERROR", "Not enough memory for a row");
    ok = ok && stream_write_header(&job.out, &page.header) &&
         await_margin(page.come.dpi[1], &cut) && print_rows(&page, cut);
    free(page.line);
    free(page.samples);
    return ok;
}

/* ---- The job ------------------------------------------------------------- */

/* Returns the job's options, and behind them, so that these count, all choices
 * that the PPD has no other of: no job changes how the filter takes codes. NULL
 * without memory; free() it. */
static char *pinned(const ppd_file_t *ppd, const char *options)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);

    if (to == NULL)
        return NULL;
    fputs(options, to);
    for (int i = 0; ppd != NULL && i < ppd->num_groups; i++)
        for (int k = 0; k < ppd->groups[i].num_options; k++) {
            const ppd_option_t *option = &ppd->groups[i].options[k];

            if (option->num_choices == 1)
                fprintf(to, " %s=%s", option->keyword,
                        option->choices[0].choice);
        }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

/* Reads the PPD, whose filter cannot be one of ours. False after an ERROR line.
 */
static bool read_ppd(const char *options)
{
    struct choices from;
    const char *name = NULL;

    memory_insist("the job's options and the PPD");
    bool ok = choices_open(&from, options);
    memory_insist(NULL);
    if (ok) {
        name = choice_of_queue(&from, "HalftoneGutenprint");
        job.gray_as_color =
            choice_of_queue(&from, "HalftoneGutenprintGray") != NULL;
    }
    if (ok && (name == NULL || strlen(name) >= sizeof job.name ||
               !choice_is_gutenprint(name))) {
        message("ERROR", "The PPD's HalftoneGutenprint is no filter's name");
        ok = false;
    }
    if (ok)
        snprintf(job.name, sizeof job.name, "%s", name);
    ok = ok && drops_of_queue(&job.sizes, &from);
    if (ok && (job.options = pinned(from.ppd, options)) == NULL) {
        message("ERROR", "Not enough memory for the job's options");
        ok = false;
    }
    choices_close(&from);
    return ok;
}

/* Prints the raster by the filter, which has been started. */
static bool print_pages(void)
{
    cups_page_header2_t header;
    unsigned pages = 0;
    bool ok = stream_open_output(&job.out, STDOUT_FILENO, false);

    for (; ok && stream_next_page(&job.in, &header, pages, &ok); pages++)
        ok = print_page(&header);
    stream_close(&job.out);
    return ok;
}

/* Prints the raster on `input`; false after an ERROR line. */
static bool print_job(int input, char *argv[])
{
    const struct sigaction action = {.sa_handler = take};

    memset(&job, 0, sizeof job);
    bool ok = read_ppd(argv[5]);

    if (ok && !stream_open_input(&job.in, input)) {
        message("ERROR", "The raster has no pages");
        ok = false;
    }
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGCHLD, &action, NULL);
    unsetenv("STP_SUPPRESS_MESSAGES"); /* it has to say how pages lie */
    if (ok)
        argv[5] = job.options;
    ok = ok && outlet_open(&job.filter, job.name, argv, argv[4]);
    ok = outlet_close(&job.filter, ok && print_pages());
    free(job.options);
    stream_close(&job.in);
    drops_free(&job.sizes);
    close(told[0]);
    close(told[1]);
    return ok;
}

int main(int argc, char **argv)
{
    static struct owner owner = {.hear = hear,
                                 .is_canceled = was_stopped,
                                 .error_said = ATOMIC_FLAG_INIT};
    int input = STDIN_FILENO;

    signals_catch();
    owner_set(&owner);
    message_begin();
    if (argc != 6 && argc != 7)
        message("ERROR", "halftonetogutenprint job-id user title copies "
                         "options [file]");
    else if (argc == 7 && (input = open(argv[6], O_RDONLY | O_CLOEXEC)) < 0)
        message("ERROR", "The raster cannot be opened");
    else if (pipe2(told, O_CLOEXEC | O_NONBLOCK) < 0)
        message("ERROR", "Cannot make a pipe: %s", strerror(errno));
    else if (print_job(input, argv))
        return 0;
    return 1;
}
