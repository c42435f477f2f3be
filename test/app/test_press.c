/*
 * test_press.c - the job's thread and its printer at a press, with a delay at
 * each step of either (steps.h). What is behind them is made up here: pages
 * that fail on demand, a device that takes all, a job that may be canceled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "page/page.h"
#include "page/settings.h"
#include "printer-app/families/family.h"
#include "printer-app/press.h"
#include "printer-app/sender.h"
#include "printer-app/ipp/vendor.h"
#include "test/cases.h"

#define WIDTH 64000u /* two lines a band of the feed */
#define HEIGHT 12u   /* more bands than its queue has room for */
#define DELAY_NS 10000000

/* ---- Steps -------------------------------------------------------------- */

enum who { JOB, PRINTER, THREADS };

static const char *const names[THREADS] = {"the job's thread", "the printer"};

static struct {
    enum who who; /* is delayed, at its step `at` */
    unsigned at, taken[THREADS];
} steps;

static _Thread_local bool is_job; /* and else the printer */

void step_here(void)
{
    const struct timespec delay = {.tv_nsec = DELAY_NS};
    const enum who who = is_job ? JOB : PRINTER;

    if (steps.taken[who]++ == steps.at && who == steps.who)
        nanosleep(&delay, NULL);
}

/* ---- What is behind a press --------------------------------------------- */

static struct {
    uint32_t page_takes; /* lines, before it fails; HEIGHT: it does not */
    atomic_bool canceled;
    unsigned printed; /* pages */
    int null;         /* the device */
} world;

bool page_print(struct pages *pages, const cups_page_header2_t *header,
                unsigned number, bool blank)
{
    static uint8_t line[WIDTH];
    uint32_t lines = 0;

    (void)number;
    (void)blank;
    world.printed++;
    while (lines < world.page_takes &&
           stream_read_lines(pages->in, line, 1, header->cupsBytesPerLine) == 1)
        lines++;
    return world.page_takes == HEIGHT || lines < world.page_takes;
}

void pages_open(struct pages *pages, const struct settings *settings,
                const struct delivery *delivery, struct stream *in)
{
    (void)settings;
    (void)delivery;
    pages->in = in;
}

bool pages_close(struct pages *pages)
{
    (void)pages;
    return true;
}

bool settings_choose(struct settings *settings, const struct choices *from,
                     const struct option_value options[OPTIONS])
{
    (void)settings;
    (void)from;
    (void)options;
    return true;
}

void settings_free(struct settings *settings)
{
    (void)settings;
}

void vendor_choose(struct choices *choices, pappl_printer_t *printer,
                   const pappl_pr_options_t *options)
{
    (void)printer;
    (void)options;
    *choices = (struct choices){.ppd = NULL};
}

ipp_attribute_t *papplJobGetAttribute(pappl_job_t *job, const char *name)
{
    (void)job;
    (void)name;
    return NULL;
}

bool labels_ask(struct label *label, pappl_printer_t *printer,
                const pappl_pr_options_t *options)
{
    (void)label;
    (void)printer;
    (void)options;
    return false;
}

void label_set(cups_page_header2_t *header, const struct label *label)
{
    (void)header;
    (void)label;
}

bool sender_start(struct sender *sender, struct owner *owner,
                  const atomic_bool *failed, pappl_job_t *job,
                  const struct family *family, const pappl_media_col_t *media,
                  pappl_device_t *device, struct delivery *delivery)
{
    (void)owner;
    (void)failed;
    (void)job;
    (void)family;
    (void)media;
    (void)device;
    sender->well = true;
    delivery->output = dup(world.null);
    return delivery->output >= 0;
}

bool sender_end(struct sender *sender)
{
    return sender->well;
}

const struct family *family_named(const char *name)
{
    static const struct family_paper none[] = {{.name = NULL}};
    static const struct family family = {
        .name = "made up", .sources = none, .types = none};

    (void)name;
    return &family;
}

pappl_printer_t *papplJobGetPrinter(pappl_job_t *job)
{
    (void)job;
    return NULL;
}

const char *papplPrinterGetDriverName(pappl_printer_t *printer)
{
    (void)printer;
    return "";
}

pappl_pr_driver_data_t *papplPrinterGetDriverData(pappl_printer_t *printer,
                                                  pappl_pr_driver_data_t *data)
{
    (void)printer;
    memset(data, 0, sizeof *data);
    return data;
}

const char *papplPrinterGetName(pappl_printer_t *printer)
{
    (void)printer;
    return "";
}

bool papplJobIsCanceled(pappl_job_t *job)
{
    (void)job;
    return world.canceled;
}

void papplLogJob(pappl_job_t *job, pappl_loglevel_t level, const char *text,
                 ...)
{
    (void)job;
    (void)level;
    (void)text;
}

/* ---- Jobs --------------------------------------------------------------- */

static const pappl_pr_options_t options;
static const cups_page_header2_t sheet = {.HWResolution = {300, 300},
                                          .cupsWidth = WIDTH,
                                          .cupsHeight = HEIGHT,
                                          .cupsBitsPerColor = 8,
                                          .cupsBitsPerPixel = 8,
                                          .cupsBytesPerLine = WIDTH,
                                          .cupsColorSpace = CUPS_CSPACE_K,
                                          .cupsNumColors = 1};

static void begin(struct press *press)
{
    assert_true(press_begin(press, &sheet, &options));
}

/* Gives a page so many lines, while it takes them. */
static void give_lines(struct press *press, uint32_t lines)
{
    static const uint8_t line[WIDTH];

    for (uint32_t y = 0; y < lines && press_line(press, line); y++)
        ;
}

static void print_page(struct press *press)
{
    begin(press);
    give_lines(press, HEIGHT);
    assert_int_equal(press_end(press), world.page_takes == HEIGHT);
}

/* As PAPPL ends a job whose line was refused. */
static void stop_amid_page(struct press *press)
{
    begin(press);
    give_lines(press, HEIGHT / 2);
}

static void cancel_amid_page(struct press *press)
{
    begin(press);
    world.canceled = true;
    give_lines(press, HEIGHT);
}

static void print_two(struct press *press)
{
    print_page(press);
    print_page(press);
}

static void stop_on_second(struct press *press)
{
    print_page(press);
    stop_amid_page(press);
}

static void print_bare(struct press *press)
{
    assert_int_equal(press_page(press, &sheet, &options, NULL, NULL),
                     world.page_takes == HEIGHT);
}

static void print_none(struct press *press)
{
    (void)press;
}

static void begin_after_failure(struct press *press)
{
    print_page(press);
    assert_false(press_begin(press, &sheet, &options));
}

static void begin_deep_page(struct press *press)
{
    cups_page_header2_t deep = sheet;

    deep.cupsBitsPerColor = deep.cupsBitsPerPixel = 16;
    assert_false(press_begin(press, &deep, &options));
}

static const struct scene {
    const char *name;
    void (*play)(struct press *press);
    uint32_t page_takes;
    unsigned pages; /* that the printer gets */
    bool ends_well;
} scenes[] = {
    {"two pages", print_two, HEIGHT, 2, true},
    {"a bare page", print_bare, HEIGHT, 1, true},
    {"a bare page that fails", print_bare, 1, 1, false},
    {"no page", print_none, HEIGHT, 0, true},
    {"a page that cannot be", begin_deep_page, HEIGHT, 0, false},
    {"a page that fails at once", print_page, 0, 1, false},
    {"a page that fails at its end", print_page, HEIGHT - 1, 1, false},
    {"a page after one that failed", begin_after_failure, 1, 1, false},
    {"no end", stop_amid_page, HEIGHT, 1, true},
    {"no end of the second", stop_on_second, HEIGHT, 2, true},
    {"no end of one that fails", stop_amid_page, 1, 1, false},
    {"no end of one that fails at once", stop_amid_page, 0, 1, false},
    {"no end of a canceled one", cancel_amid_page, HEIGHT, 1, true},
    {"no end of a canceled one that fails", cancel_amid_page, 1, 1, true},
};

#define SCENES (sizeof scenes / sizeof scenes[0])

/* Plays a scene with the step delayed. */
static void play(const struct scene *scene)
{
    steps.taken[JOB] = steps.taken[PRINTER] = 0;
    world.page_takes = scene->page_takes;
    world.canceled = false;
    world.printed = 0;
    struct press *press = press_open(NULL, &options, NULL, "");

    assert_non_null(press);
    scene->play(press);
    assert_int_equal(press_close(press), scene->ends_well);
    assert_int_equal(world.printed, scene->pages);
}

/* Delays each step that a thread takes in a scene; how many there are may
 * depend on the delay. */
static void delay_steps(const struct scene *scene, enum who who)
{
    steps.who = who;
    steps.at = 0;
    do {
        case_is("%s, step %u of %s", scene->name, steps.at, names[who]);
        play(scene);
    } while (++steps.at < steps.taken[who]);
}

TEST(the_job_may_be_late)
{
    for (size_t i = 0; i < SCENES; i++)
        delay_steps(&scenes[i], JOB);
}

TEST(the_printer_may_be_late)
{
    for (size_t i = 0; i < SCENES; i++)
        delay_steps(&scenes[i], PRINTER);
}

void tests_begin(void)
{
    is_job = true;
    world.null = open("/dev/null", O_WRONLY);
}
