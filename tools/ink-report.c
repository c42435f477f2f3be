/*
 * ink-report.c - how much ink the dots of a raster take: each ink's coverage
 * of each page, and the load of all inks in the worst window, which is what
 * makes paper wave and ink run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "tools/command.h"
#include "tools/raster.h"

#define MM_PER_INCH 25.4
#define CELLS 10 /* a window's sides are so many cells, and move by one */

struct options {
    double window; /* mm */
    bool json;
    const char *in;
};

/* One axis of the windows. */
struct axis {
    uint32_t pixels; /* of the page */
    uint32_t cell;   /* pixels of a cell; the page's last may be smaller */
    uint32_t cells;  /* of the page */
    uint32_t window; /* cells of a window */
};

struct report {
    const struct raster *raster;
    uint64_t dots[RASTER_MAX_INKS];
    struct axis across, down;
    uint32_t *ring; /* [down.window][across.cells]: dots of the last cells */
    uint64_t *sums; /* [across.cells]: of a column of the ring */
    double worst;   /* solids of ink */
    uint32_t worst_x, worst_y; /* the window's first pixel */
};

/* ---- Windows ---------------------------------------------------------- */

static struct axis axis_of(uint32_t pixels, double window_mm, unsigned dpi)
{
    double window = fmax(window_mm / MM_PER_INCH * dpi, 1);
    uint32_t cell = (uint32_t)fmax(window / CELLS, 1);
    struct axis axis = {.pixels = pixels,
                        .cell = cell,
                        .cells = (pixels - 1) / cell + 1,
                        .window = (uint32_t)(window / cell + 0.5)};

    if (axis.window > axis.cells)
        axis.window = axis.cells;
    return axis;
}

/* Pixels of the window that begins with cell `first`. */
static uint32_t window_pixels(const struct axis *axis, uint32_t first)
{
    uint32_t begin = first * axis->cell;
    uint32_t wide = axis->window * axis->cell;

    return wide < axis->pixels - begin ? wide : axis->pixels - begin;
}

/* Looks at the windows whose last cells are those of row `row`. */
static void look_at_windows(struct report *report, uint32_t row)
{
    const struct axis *across = &report->across, *down = &report->down;
    uint32_t top = row + 1 - down->window;
    uint64_t sum = 0;

    for (uint32_t last = 0; last < across->cells; last++) {
        sum += report->sums[last];
        if (last + 1 < across->window)
            continue;
        uint32_t first = last + 1 - across->window;
        double load = (double)sum / window_pixels(across, first) /
                      window_pixels(down, top);
        if (load > report->worst) {
            report->worst = load;
            report->worst_x = first * across->cell;
            report->worst_y = top * down->cell;
        }
        sum -= report->sums[first];
    }
}

/* Adds a row's dots of all inks to its cells. */
static void add_row(struct report *report, uint32_t *cells)
{
    const struct raster *raster = report->raster;
    const uint16_t *sample = raster->samples;
    unsigned bare = raster->layout.additive;

    for (uint32_t k = 0; k < raster->layout.inks; k++)
        for (uint32_t x = 0; x < report->across.pixels; x++) {
            unsigned dot = *sample++ ^ bare;
            report->dots[k] += dot;
            cells[x / report->across.cell] += dot;
        }
}

/* Adds a row of cells that is whole to the sums of the columns, and looks at
 * the windows that end with it. */
static void add_cells(struct report *report, uint32_t row, uint32_t *cells)
{
    for (uint32_t i = 0; i < report->across.cells; i++)
        report->sums[i] += cells[i];
    if (row + 1 >= report->down.window)
        look_at_windows(report, row);
}

static bool count_page(struct report *report, struct raster *raster)
{
    const struct axis *down = &report->down;
    uint32_t y = 0;

    for (uint32_t row = 0; row < down->cells; row++) {
        uint32_t *cells =
            report->ring + (size_t)(row % down->window) * report->across.cells;

        for (uint32_t i = 0; i < report->across.cells; i++) {
            report->sums[i] -= cells[i];
            cells[i] = 0;
        }
        for (uint32_t n = 0; n < down->cell && y < down->pixels; n++, y++) {
            if (!raster_next_row(raster))
                return false;
            add_row(report, cells);
        }
        add_cells(report, row, cells);
    }
    return true;
}

/* ---- Report ----------------------------------------------------------- */

static double percent(const struct report *report, uint64_t dots)
{
    return 100.0 * (double)dots /
           ((double)report->across.pixels * report->down.pixels);
}

static double mm(uint32_t pixels, unsigned dpi)
{
    return pixels * MM_PER_INCH / dpi;
}

static uint64_t all_dots(const struct report *report)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < report->raster->layout.inks; k++)
        sum += report->dots[k];
    return sum;
}

static void print_text(const struct report *report, double window)
{
    const struct raster *raster = report->raster;
    const cups_page_header2_t *h = &raster->header;

    printf("page %u: %ux%u %s,", raster->page, h->cupsWidth, h->cupsHeight,
           raster->layout.space);
    for (uint32_t k = 0; k < raster->layout.inks; k++)
        printf(" %c %.2f%%", raster->layout.letters[k],
               percent(report, report->dots[k]));
    printf(", all %.2f%%, worst %g mm window %.1f%% at %.1f,%.1f mm\n",
           percent(report, all_dots(report)), window, 100 * report->worst,
           mm(report->worst_x, h->HWResolution[0]),
           mm(report->worst_y, h->HWResolution[1]));
}

static void print_json(const struct report *report)
{
    const struct raster *raster = report->raster;
    const cups_page_header2_t *h = &raster->header;

    printf("%s\n    {\"page\": %u, \"width\": %u, \"height\": %u, "
           "\"space\": \"%s\", \"coverage\": {",
           raster->page > 1 ? "," : "", raster->page, h->cupsWidth,
           h->cupsHeight, raster->layout.space);
    for (uint32_t k = 0; k < raster->layout.inks; k++)
        printf("%s\"%c\": %.4f", k > 0 ? ", " : "", raster->layout.letters[k],
               percent(report, report->dots[k]));
    printf("}, \"all\": %.4f, \"worst\": {\"load\": %.4f, \"x_mm\": %.2f, "
           "\"y_mm\": %.2f}}",
           percent(report, all_dots(report)), 100 * report->worst,
           mm(report->worst_x, h->HWResolution[0]),
           mm(report->worst_y, h->HWResolution[1]));
}

static bool report_page(const struct options *options, struct raster *raster)
{
    const cups_page_header2_t *h = &raster->header;
    struct report report = {.raster = raster};
    bool ok;

    if (raster->layout.bits != 1)
        return command_complain(options->in, "the page has tones, not dots");
    report.across = axis_of(h->cupsWidth, options->window, h->HWResolution[0]);
    report.down = axis_of(h->cupsHeight, options->window, h->HWResolution[1]);
    report.ring = calloc((size_t)report.down.window * report.across.cells,
                         sizeof *report.ring);
    report.sums = calloc(report.across.cells, sizeof *report.sums);
    if (report.ring == NULL || report.sums == NULL)
        ok = command_complain(options->in, "not enough memory");
    else
        ok = count_page(&report, raster);
    if (ok && options->json)
        print_json(&report);
    else if (ok)
        print_text(&report, options->window);
    free(report.ring);
    free(report.sums);
    return ok;
}

static bool report_pages(const struct options *options)
{
    struct raster raster;
    bool ok = raster_open(&raster, options->in), begun = ok;

    if (begun && options->json)
        printf("{\"window_mm\": %g, \"pages\": [", options->window);
    while (ok && raster_next_page(&raster))
        ok = report_page(options, &raster);
    if (raster.error != NULL)
        ok = command_complain(options->in, raster.error);
    if (begun && options->json)
        puts("\n]}");
    raster_close(&raster);
    return ok;
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: ink-report [OPTION]... DOTS.ras\n"
    "Reports the coverage of each ink for each page of 1-bit CUPS or PWG\n"
    "raster (\"-\": standard input), and that of all inks in the worst\n"
    "window: 100 % is one solid ink.\n"
    "\n"
    "  --window MM  side of the window, 0.5 to 100 (5)\n"
    "  --json       writes JSON\n"
    "  --help, --version\n";

static bool parse_options(struct options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"window", required_argument, NULL, 'w'},
        {"json", no_argument, NULL, 'j'},
        COMMAND_OPTIONS};
    int option;

    while ((option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'w':
            if (!text_decimal(optarg, 0.5, 100, &options->window))
                return command_complain("--window",
                                        "not a number from 0.5 to 100");
            break;
        case 'j':
            options->json = true;
            break;
        }
    if (argc - optind != 1)
        command_misuse(usage);
    options->in = argv[optind];
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.window = 5};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(report_pages(&options));
}
