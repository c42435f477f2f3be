/*
 * ink-report.c - reports the ink that the dots of a raster take: each ink's
 * coverage of each page, and the loads of windows, which make paper wave and
 * ink run; and a map of these.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/processors.h"
#include "halftone/base/text.h"
#include "tools/command.h"
#include "tools/drop_areas.h"
#include "tools/ink-map/drops.h"
#include "tools/ink-map/gpu.h"
#include "tools/ink-map/map.h"
#include "tools/ink-map/print.h"
#include "tools/progress.h"
#include "tools/raster.h"

#define MM_PER_INCH 25.4

static_assert(RASTER_MAX_INKS <= INK_MAP_INKS, "every page has a map");
static_assert(DROP_AREAS == INK_DROPS_SIZES, "every size has an area");

struct report_options {
    struct ink_question question;
    uint32_t threads;
    bool cuda; /* a GPU is to count */
    bool json;
    double area[DROP_AREAS]; /* of drops of several sizes */
    const char *map;         /* NULL = no picture */
    const char *in;
};

/* A page that is being read. */
struct report_page {
    const struct report_options *options;
    struct ink_report report;
    struct ink_map_job job;
    struct ink_gpu *gpu;        /* NULL = the processor counts */
    struct ink_picture picture; /* of windows of the first size */
};

/* ---- Pages -------------------------------------------------------------- */

static bool memory_is_short(const struct report_options *options)
{
    return command_complain(options->in, "not enough memory");
}

static void take(void *context, unsigned size, uint32_t row,
                 const uint64_t *sums)
{
    struct report_page *page = context;

    ink_loads_add(&page->report.loads[size], row, sums);
    if (size == 0 && page->options->map != NULL)
        ink_picture_add(&page->picture, row, sums);
}

static void free_page(struct report_page *page)
{
    for (unsigned i = 0; i < page->options->question.sizes; i++)
        ink_loads_close(&page->report.loads[i]);
    ink_picture_close(&page->picture);
    ink_gpu_close(page->gpu);
}

static void warn_of_gpu(const char *why)
{
    warnx("warning: --engine cuda: %s; the processor counts", why);
}

/* Lets a GPU count the batches of a page, and where it fails the processor. */
static bool count_on_gpu(void *context, const struct ink_count *count,
                         struct ink_batch *batch)
{
    struct report_page *page = context;

    if (page->gpu == NULL)
        return false;
    if (ink_gpu_count(page->gpu, count, batch))
        return true;
    warn_of_gpu("the device has failed");
    ink_gpu_close(page->gpu);
    page->gpu = NULL;
    return false;
}

static void start_gpu(struct report_page *page)
{
    const char *why = "";

    page->gpu = ink_gpu_open(PKGLIBDIR "/halftone-cuda.so", page->report.width,
                             page->report.inks, &why);
    if (page->gpu == NULL) {
        warn_of_gpu(why);
        return;
    }
    page->job.device = count_on_gpu;
    page->job.device_context = page;
}

/* Finds the inks whose loads are wanted. */
static bool choose_inks(struct report_page *page)
{
    const struct ink_report *report = &page->report;
    const char *ink = page->options->question.ink;

    for (uint32_t k = 0; k < report->inks; k++)
        if (ink == NULL || strcmp(report->name[k], ink) == 0)
            page->job.counted |= 1u << k;
    return page->job.counted != 0 ||
           command_complain("--ink", "the page has no such ink");
}

/* Begins the page whose header was read. */
static bool begin_page(struct report_page *page, const struct raster *raster)
{
    const struct ink_question *question = &page->options->question;
    const struct layout *l = &raster->layout;
    bool ok = true;

    page->report = (struct ink_report){.page = raster->page,
                                       .width = l->width,
                                       .height = l->height,
                                       .dpi = {l->dpi[0], l->dpi[1]},
                                       .space = l->space,
                                       .inks = l->inks};
    for (uint32_t k = 0; k < l->inks; k++)
        inks_name(l, k, page->report.name[k]);
    page->job = (struct ink_map_job){.inks = l->inks,
                                     .threads = page->options->threads,
                                     .sizes = question->sizes,
                                     .take = take,
                                     .context = page};
    if (l->bits > 4 || (raster_is_sized(l) && l->additive))
        return command_complain(page->options->in,
                                "the page has tones, not dots");
    if (!choose_inks(page))
        return false;
    if (page->options->cuda && raster_is_sized(l))
        warn_of_gpu("it counts no drops of several sizes");
    else if (page->options->cuda && l->inks > 4)
        warn_of_gpu("it counts no more inks than four");
    else if (page->options->cuda)
        start_gpu(page);
    for (unsigned i = 0; i < question->sizes; i++) {
        double inches = question->window[i] / MM_PER_INCH;

        page->job.size[i].across = ink_map_axis(l->width, inches * l->dpi[0]);
        page->job.size[i].down = ink_map_axis(l->height, inches * l->dpi[1]);
        ok = ok &&
             ink_loads_open(&page->report.loads[i], &page->job.size[i].across,
                            &page->job.size[i].down, question->limit / 100);
    }
    if (ok && page->options->map != NULL)
        ok = ink_picture_open(&page->picture, &page->job.size[0].across,
                              &page->job.size[0].down,
                              question->ink ? 1 : l->inks, l->dpi);
    return ok || memory_is_short(page->options);
}

/* Reads a page of drops of several sizes. */
static bool read_drops(struct report_page *page, struct raster *raster)
{
    struct ink_report *report = &page->report;
    struct ink_drops *drops;
    struct progress_line progress;
    bool ok = true;

    if (!ink_drops_open(
            &drops, &page->job,
            drop_areas_or_usual(page->options->area, raster->layout.bits)))
        return memory_is_short(page->options);
    progress_begin(&progress, page->options->in);
    for (uint32_t y = 0; ok && y < report->height; y++) {
        ok = raster_next_row(raster);
        if (ok)
            ink_drops_count(drops, raster->samples);
        progress_show(&progress, y, report->height);
    }
    progress_end(&progress);
    for (uint32_t k = 0; ok && k < report->inks; k++)
        report->dots[k] = ink_drops_dots(drops, k);
    ink_drops_close(drops);
    return ok;
}

static bool read_page(struct report_page *page, struct raster *raster)
{
    struct ink_report *report = &page->report;
    struct progress_line progress;
    struct ink_map *map;
    bool ok = true;

    if (raster_is_sized(&raster->layout))
        return read_drops(page, raster);
    if (!ink_map_open(&map, &page->job))
        return memory_is_short(page->options);
    progress_begin(&progress, page->options->in);
    for (uint32_t y = 0; ok && y < report->height; y++) {
        ok = raster_next_dots(raster, ink_map_row(map));
        if (ok)
            ink_map_count(map);
        progress_show(&progress, y, report->height);
    }
    progress_end(&progress);
    for (uint32_t k = 0; ok && k < report->inks; k++)
        report->dots[k] = ink_map_dots(map, k);
    ink_map_close(map);
    return ok;
}

/* ---- The report --------------------------------------------------------- */

/* Returns the path of a page's picture, with the page's number if there are
 * several pages; NULL = not enough memory. */
static char *map_path(const char *map, unsigned page, bool several)
{
    size_t size = strlen(map) + sizeof "-4294967295.png", name = strlen(map);
    char *path = malloc(size);

    if (path == NULL)
        return NULL;
    if (name > 4 && strcmp(map + name - 4, ".png") == 0)
        name -= 4;
    if (several)
        snprintf(path, size, "%.*s-%u.png", (int)name, map, page);
    else
        snprintf(path, size, "%.*s.png", (int)name, map);
    return path;
}

static bool draw_map(struct report_page *page, const char *path)
{
    struct ink_report *report = &page->report;

    report->map = path;
    report->marked = ink_picture_marks(&page->picture, report->marks);
    return ink_picture_write(&page->picture, path, page->options->in,
                             report->marks, report->marked,
                             page->options->question.limit / 100);
}

static bool report_page(struct report_page *page, bool several)
{
    const struct report_options *options = page->options;
    char *path = NULL;
    bool ok = true;

    if (options->map != NULL) {
        path = map_path(options->map, page->report.page, several);
        ok = path != NULL ? draw_map(page, path) : memory_is_short(options);
    }
    if (ok && options->json)
        ink_report_json(&page->report, &options->question);
    else if (ok)
        ink_report_text(&page->report, &options->question);
    free(path);
    return ok;
}

/* The first page is reported when it is known whether there is another. */
static bool report_pages(const struct report_options *options)
{
    struct raster raster;
    bool ok = raster_open(&raster, options->in), begun = ok;
    bool more;

    if (begun && options->json)
        ink_report_json_begin(&options->question);
    more = ok && raster_next_page(&raster);
    while (more) {
        struct report_page page = {.options = options};

        ok = begin_page(&page, &raster) && read_page(&page, &raster);
        more = ok && raster_next_page(&raster);
        if (ok)
            ok = report_page(&page, more || page.report.page > 1);
        free_page(&page);
        more = more && ok;
    }
    if (raster.error != NULL)
        ok = command_complain(options->in, raster.error);
    if (begun && options->json)
        ink_report_json_end();
    raster_close(&raster);
    return ok;
}

/* ---- Command line ------------------------------------------------------- */

static const char usage[] =
    "Usage: ink-report [OPTION]... DOTS.ras\n"
    "Reports the coverage of each ink for each page of 1-bit CUPS or PWG\n"
    "raster, or of 2-bit or 4-bit raster of drops (\"-\": standard input),\n"
    "and the loads of windows: 100 % is one solid ink.\n"
    "\n"
    "  --window MM[,MM]...  sides of the windows, up to 8 of 0.5 to 100 (5)\n"
    "  --ink NAME           loads of one ink, such as C or LC, not of all\n"
    "  --limit PERCENT      also how much of the page has more, 0 to 1500\n"
    "  --drops AREA,AREA,AREA\n"
    "                       what drops of 2-bit and 4-bit raster cover, the\n"
    "                       smallest first, in percent of the largest\n"
    "                       (33.33,66.67,100; of 4 bits 20,40,60,80,100)\n"
    "  --map FILE.png       writes a map of the loads, of the first size of\n"
    "                       windows; of several pages FILE-1.png and so on\n"
    "  --threads N          1 to 64 (as many as there are processors)\n"
    "  --engine cpu|cuda    what counts the dots (cpu)\n"
    "  --json               writes JSON\n"
    "  --help, --version\n";

static bool parse_windows(struct ink_question *question, char *text)
{
    char *rest = NULL;

    question->sizes = 0;
    for (char *one = strtok_r(text, ",", &rest); one != NULL;
         one = strtok_r(NULL, ",", &rest)) {
        if (question->sizes == INK_MAP_SIZES)
            return command_complain("--window", "more than 8 sizes");
        if (!text_decimal(one, 0.5, 100, &question->window[question->sizes]))
            return command_complain("--window", "not a number from 0.5 to 100");
        question->sizes++;
    }
    return question->sizes > 0 ||
           command_complain("--window", "not a number from 0.5 to 100");
}

static bool parse_ink(struct ink_question *question, const char *text)
{
    const size_t letters = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

    question->ink = text;
    return (letters > 0 && letters < INK_SET_NAME && text[letters] == '\0') ||
           command_complain("--ink", "not an ink, such as C, M, Y or K");
}

static bool parse_option(struct report_options *options, int option,
                         char *value)
{
    switch (option) {
    case 'w':
        return parse_windows(&options->question, value);
    case 'i':
        return parse_ink(&options->question, value);
    case 'l':
        return text_decimal(value, 0, 100 * INK_MAP_INKS,
                            &options->question.limit) ||
               command_complain("--limit", "not a number from 0 to 1500");
    case 'd':
        return drop_areas(value, options->area);
    case 'm':
        options->map = value;
        return true;
    case 't':
        return command_number("--threads", value, 1, INK_MAP_THREADS,
                              &options->threads);
    case 'e':
        options->cuda = strcmp(value, "cuda") == 0;
        return options->cuda || strcmp(value, "cpu") == 0 ||
               command_complain("--engine", "not cpu or cuda");
    case 'j':
        options->json = true;
        return true;
    }
    return false;
}

static bool parse_options(struct report_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"window", required_argument, NULL, 'w'},
        {"ink", required_argument, NULL, 'i'},
        {"limit", required_argument, NULL, 'l'},
        {"drops", required_argument, NULL, 'd'},
        {"map", required_argument, NULL, 'm'},
        {"threads", required_argument, NULL, 't'},
        {"engine", required_argument, NULL, 'e'},
        {"json", no_argument, NULL, 'j'},
        COMMAND_OPTIONS};
    int option;

    while ((option = command_option(argc, argv, names, usage)) != -1)
        if (!parse_option(options, option, optarg))
            return false;
    if (argc - optind != 1)
        command_misuse(usage);
    options->in = argv[optind];
    return true;
}

int main(int argc, char **argv)
{
    unsigned processors = ht_processors();
    struct report_options options = {
        .area = DROP_AREAS_UNKNOWN,
        .question = {.sizes = 1, .window = {5}, .limit = -1},
        .threads = processors < INK_MAP_THREADS ? processors : INK_MAP_THREADS};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(report_pages(&options));
}
