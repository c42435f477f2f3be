/*
 * press.c - a job on its way to a printer.
 *
 * PAPPL calls with one line after the other, and page/ asks for lines: so pages
 * are printed by a thread of the job's own, the printer, which gets one page at
 * a time from the job's thread.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/layout.h"
#include "page/message.h"
#include "page/page.h"
#include "page/settings.h"
#include "printer-app/colors.h"
#include "printer-app/families/family.h"
#include "printer-app/feed.h"
#include "printer-app/ipp/fields.h"
#include "printer-app/service/heap.h"
#include "printer-app/ipp/labels.h"
#include "printer-app/press.h"
#include "printer-app/sender.h"
#include "printer-app/separate.h"
#include "printer-app/ipp/vendor.h"

/*
 * Stage of a press. Each step is taken by one of the two threads, which waits
 * until the press is at the stage where the step begins, so none is lost or
 * overtaken:
 *
 *    ENDED --begin--> BEGUN --the printer--> PRINTED --end--> ENDED
 *    ENDED --close--> CLOSED
 */
enum stage {
    ENDED,   /* no page is begun */
    BEGUN,   /* the printer has a page, whose feed is open */
    PRINTED, /* and wants no more lines of it */
    CLOSED   /* no more pages are coming */
};

/* An owner of threads that belongs to a press. */
struct press_owner {
    struct owner owner; /* first */
    struct press *press;
};

struct press {
    struct press_owner printing, sending;
    pappl_job_t *job;
    const struct family *family;
    bool color;              /* the printer has, and the job wants it */
    struct label label;      /* of a label printer */
    pappl_media_col_t usual; /* paper of jobs that name none */
    struct settings settings;
    bool gray; /* they ask for grays of black alone (page/gray.h) */
    struct printer_colors colors;
    struct delivery delivery;
    struct sender sender;
    pthread_t printer;
    atomic_bool failed; /* after a line in the job's log */

    /* The page that the printer has. */
    struct separation separation;
    cups_page_header2_t given, header; /* the caller's, and what is printed */
    struct feed feed;
    uint32_t line; /* of the page that comes next */
    unsigned pages;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum stage stage; /* with the lock */
};

/* ---- Its owners --------------------------------------------------------- */

static struct press *press_of(struct owner *owner)
{
    return ((struct press_owner *)(void *)owner)->press;
}

static pappl_loglevel_t level_of(const char *prefix)
{
    return strcmp(prefix, "ERROR") == 0     ? PAPPL_LOGLEVEL_ERROR
           : strcmp(prefix, "WARNING") == 0 ? PAPPL_LOGLEVEL_WARN
           : strcmp(prefix, "INFO") == 0    ? PAPPL_LOGLEVEL_INFO
                                            : PAPPL_LOGLEVEL_DEBUG;
}

/* Logs a message; an error becomes the job's state message, too: reasons.c. */
static void hear(struct owner *owner, const char *prefix, const char *text)
{
    static const char name[] = "rastertohalftone: ";
    pappl_job_t *job = press_of(owner)->job;

    if (strncmp(text, name, sizeof name - 1) == 0)
        text += sizeof name - 1;
    papplLogJob(job, level_of(prefix), "%s", text);
}

static bool is_canceled(struct owner *owner)
{
    return papplJobIsCanceled(press_of(owner)->job);
}

/* Sends what was made of a canceled job to the end of its page: reads go on. An
 * IPP printer needs no end, and may take nothing, without paper, for long. */
static void open_owners(struct press *press)
{
    const struct press_owner owner = {.owner = {.hear = hear,
                                                .is_canceled = is_canceled,
                                                .error_said = ATOMIC_FLAG_INIT},
                                      .press = press};

    press->printing = press->sending = owner;
}

/* ---- The printer -------------------------------------------------------- */

/* Waits until the press is at `from`, and moves it to `to`. */
static void step(struct press *press, enum stage from, enum stage to)
{
    pthread_mutex_lock(&press->lock);
    while (press->stage != from)
        pthread_cond_wait(&press->changed, &press->lock);
    press->stage = to;
    pthread_cond_broadcast(&press->changed);
    pthread_mutex_unlock(&press->lock);
}

/* Waits for the printer's next page; false if there is none. */
static bool next_page(struct press *press)
{
    pthread_mutex_lock(&press->lock);
    while (press->stage != BEGUN && press->stage != CLOSED)
        pthread_cond_wait(&press->changed, &press->lock);
    const bool begun = press->stage == BEGUN;
    pthread_mutex_unlock(&press->lock);
    return begun;
}

/* Whether a page is begun and not ended; for the job's thread, whose steps
 * these are. */
static bool has_page(struct press *press)
{
    pthread_mutex_lock(&press->lock);
    const bool page = press->stage == BEGUN || press->stage == PRINTED;
    pthread_mutex_unlock(&press->lock);
    return page;
}

static void *print_pages(void *context)
{
    struct press *press = context;
    struct stream in;
    struct pages pages;
    unsigned number = 0;

    stream_open_lines(&in, feed_lines, &press->feed);
    pages_open(&pages, &press->settings, &press->delivery, &in);
    while (next_page(press)) {
        if (!page_print(&pages, &press->header, ++number, false))
            press->failed = true;
        feed_refuse(&press->feed);
        step(press, BEGUN, PRINTED);
    }
    if (!pages_close(&pages))
        press->failed = true;
    return NULL;
}

/* ---- Opening ------------------------------------------------------------ */

/* PAPPL 1.3 leaves this attribute alone. */
static const char *intent_of(pappl_job_t *job)
{
    return ippGetString(papplJobGetAttribute(job, "print-rendering-intent"), 0,
                        NULL);
}

/* Takes the inks that the profile makes of grays, if these are to be black ink
 * alone. Without a profile they are. */
static bool take_grays(struct press *press)
{
    struct ink_settings *ink = &press->settings.ink;

    if (press->colors.printer.data == NULL)
        ink->mixed_gray = false;
    return !ink->mixed_gray || colors_grays(&press->colors, ink);
}

/* Reads what the job and its printer ask of the dots. */
static bool choose(struct press *press, const pappl_pr_options_t *options,
                   const char *own)
{
    pappl_printer_t *printer = papplJobGetPrinter(press->job);
    struct option_value values[OPTIONS];
    struct choices choices;

    vendor_choose(&choices, printer, options);
    choices.own = own;
    choices.name = papplPrinterGetName(printer);
    const bool ok = options_read(&choices, values) &&
                    settings_choose(&press->settings, &choices, values) &&
                    (!press->color || colors_choose(&press->colors, &choices,
                                                    &values[OPTION_PROFILE],
                                                    intent_of(press->job))) &&
                    take_grays(press);
    choices_close(&choices);
    press->gray = press->settings.ink.gray;
    return ok && (press->family->labels == NULL ||
                  labels_ask(&press->label, printer, options));
}

/* Waits until all dots have left; false if sending failed. */
static bool end_sending(struct press *press)
{
    if (press->delivery.output >= 0)
        close(press->delivery.output);
    return sender_end(&press->sender);
}

/* Starts the threads behind the job's own. */
static bool start(struct press *press, const pappl_pr_options_t *options,
                  pappl_device_t *device)
{
    const struct family *family = press->family;

    press->delivery = (struct delivery){.output = -1,
                                        .banded = true,
                                        .pwg = family->writer == NULL &&
                                               family->packer == NULL,
                                        .packed = true};
    if (!sender_start(&press->sender, &press->sending.owner, &press->failed,
                      press->job, family, &options->media, device,
                      &press->delivery))
        return false;

    const int error = owner_thread(&press->printer, print_pages, press);
    if (error == 0)
        return true;
    message("ERROR", "Cannot start a thread: %s", strerror(error));
    press->failed = true;
    (void)end_sending(press);
    return false;
}

static void free_press(struct press *press)
{
    settings_free(&press->settings);
    colors_close(&press->colors);
    pthread_cond_destroy(&press->changed);
    pthread_mutex_destroy(&press->lock);
    owner_set(NULL);
    free(press);
    heap_job_ends();
}

struct press *press_open(pappl_job_t *job, const pappl_pr_options_t *options,
                         pappl_device_t *device, const char *own)
{
    struct press *press = calloc(1, sizeof *press);
    const struct family *family =
        family_named(papplPrinterGetDriverName(papplJobGetPrinter(job)));
    pappl_pr_driver_data_t driver;

    if (press == NULL || family == NULL) {
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "Not enough memory");
        free(press);
        return NULL;
    }
    heap_job_begins();
    press->job = job;
    press->family = family;
    press->color =
        family->color && (options->print_color_mode == PAPPL_COLOR_MODE_COLOR ||
                          options->print_color_mode == PAPPL_COLOR_MODE_AUTO);
    papplPrinterGetDriverData(papplJobGetPrinter(job), &driver);
    press->usual = driver.media_default;
    pthread_mutex_init(&press->lock, NULL);
    pthread_cond_init(&press->changed, NULL);
    open_owners(press);
    owner_set(&press->printing.owner);
    if (choose(press, options, own) && start(press, options, device))
        return press;
    free_press(press);
    return NULL;
}

/* ---- Pages -------------------------------------------------------------- */

/* Marks the press as failed, after a line in the job's log. Returns false. */
static bool fail(struct press *press)
{
    press->failed = true;
    return false;
}

/* Pads the page with bare paper to whole rows of the print head, which packers
 * do not print otherwise. */
static void fill_head(cups_page_header2_t *header)
{
    const unsigned rows = header->cupsRowCount;

    if (rows > 0 && header->cupsHeight % rows > 0)
        header->cupsHeight += rows - header->cupsHeight % rows;
}

static uint32_t pixels_of(int length, unsigned dpi)
{
    return (uint32_t)(((uint64_t)(length > 0 ? length : 0) * dpi + 1270) /
                      2540);
}

/* Takes the inks that the profiles make of black for the black of text. */
static bool take_black(struct press *press)
{
    return !press->settings.ink.pure_black ||
           colors_black(&press->colors, &press->settings.ink);
}

struct printer_colors *press_colors(struct press *press, bool *ok)
{
    const bool any = press->colors.printer.data != NULL;

    *ok = !any || take_black(press);
    return any ? &press->colors : NULL;
}

void press_document_profile(struct press *press, const void *icc, size_t size)
{
    if (press->colors.printer.data != NULL)
        colors_of_document(&press->colors, icc, size);
}

bool press_has_two_levels(const struct press *press)
{
    return press->settings.ink.two_level;
}

void press_leave_black(struct press *press)
{
    press->settings.ink.pure_black = false;
}

/* Changes the settings between two pages, when nobody reads them. Colors that a
 * profile separates already have the black ink that they need. */
static bool separate_by_profile(struct press *press)
{
    const struct separation *s = &press->separation;

    if (!colors_separate(&press->colors, &press->separation))
        return false;
    press->settings.ink.gray = press->gray && s->table == NULL;
    return s->table == NULL || take_black(press);
}

bool press_begin(struct press *press, const cups_page_header2_t *header,
                 const pappl_pr_options_t *options)
{
    const unsigned *dpi = header->HWResolution;
    const struct margins margins = {
        .left = pixels_of(options->media.left_margin, dpi[0]),
        .bottom = pixels_of(options->media.bottom_margin, dpi[1]),
        .right = pixels_of(options->media.right_margin, dpi[0]),
        .top = pixels_of(options->media.top_margin, dpi[1])};
    char why[LAYOUT_WHY];

    if (press->failed)
        return false;
    press->given = press->header = *header;
    if (!fields_tell(&press->header, press->family, options, &press->usual))
        return fail(press);
    if (press->family->labels != NULL)
        label_set(&press->header, &press->label);
    if (!separation_of(&press->separation, &press->header, &margins,
                       press->color, why)) {
        message("ERROR", "%s", why);
        return fail(press);
    }
    if (!separate_by_profile(press))
        return fail(press);
    fill_head(&press->header);
    if (!feed_open(&press->feed, press->header.cupsBytesPerLine)) {
        message("ERROR", "Not enough memory for a page %u pixels wide",
                press->header.cupsWidth);
        feed_close(&press->feed);
        return fail(press);
    }
    press->line = 0;
    press->pages++;
    step(press, ENDED, BEGUN);
    return true;
}

/* Hands over a line, of bare paper if it is NULL; false if no more are wanted.
 */
static bool put_line(struct press *press, const uint8_t *line)
{
    uint8_t *space = feed_space(&press->feed);

    if (space == NULL)
        return false;
    if (line != NULL)
        separate_line(&press->separation, line, space);
    else
        memset(space, 0, press->header.cupsBytesPerLine);
    feed_put(&press->feed);
    return true;
}

bool press_line(struct press *press, const uint8_t *line)
{
    const struct separation *s = &press->separation;
    const uint32_t y = press->line++;

    if (y < s->top || y - s->top >= s->height)
        return true;
    bool wanted = put_line(press, line);

    if (y - s->top == s->height - 1)
        for (uint32_t i = s->height; wanted && i < press->header.cupsHeight;
             i++)
            wanted = put_line(press, NULL);
    return wanted || canceled() || !press->failed;
}

bool press_page(struct press *press, const cups_page_header2_t *header,
                const pappl_pr_options_t *options, press_fill fill,
                void *context)
{
    const bool light = header->cupsColorSpace != CUPS_CSPACE_K &&
                       header->cupsColorSpace != CUPS_CSPACE_CMYK;
    uint8_t *line = malloc(header->cupsBytesPerLine);
    bool ok = line != NULL;

    if (!ok)
        message("ERROR", "Not enough memory for a line");
    ok = ok && press_begin(press, header, options);
    if (ok) {
        memset(line, light ? UINT8_MAX : 0, header->cupsBytesPerLine);
        for (unsigned y = 0; ok && y < header->cupsHeight && !canceled(); y++)
            ok = (fill == NULL || fill(context, y, line)) &&
                 press_line(press, line);
        ok = press_end(press) && ok;
    }
    free(line);
    return ok;
}

bool press_new_sheet(struct press *press, const pappl_pr_options_t *options)
{
    const cups_page_header2_t given = press->given;

    return press->pages % 2 == 0 || !press->header.Duplex ||
           press_page(press, &given, options, NULL, NULL);
}

unsigned press_pages(const struct press *press)
{
    return press->pages;
}

bool press_end(struct press *press)
{
    feed_finish(&press->feed);
    step(press, PRINTED, ENDED);
    feed_close(&press->feed);
    return canceled() || !press->failed;
}

bool press_close(struct press *press)
{
    if (press == NULL)
        return true;
    if (has_page(press))
        (void)press_end(press);
    step(press, ENDED, CLOSED);
    pthread_join(press->printer, NULL);
    const bool sent = end_sending(press);
    const bool ok = canceled() || (sent && !press->failed);

    free_press(press);
    return ok;
}
