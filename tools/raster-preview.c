/*
 * raster-preview.c - shows CUPS and PWG raster: a PNG for each page, inks in
 * their colors, and a line that says what the page is and its ink coverage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/processors.h"
#include "tools/command.h"
#include "tools/crew.h"
#include "tools/drop_areas.h"
#include "tools/inks.h"
#include "tools/paper_page.h"
#include "tools/png_writer.h"
#include "tools/progress.h"
#include "tools/raster.h"
#include "tools/region.h"
#include "tools/srgb.h"

#define MAX_SCALE 1024u

/* Solid process inks in sRGB: SWOP coated, as the usual CMYK profiles (and
 * Ghostscript's default one) show them. */
static const uint8_t solids[COLOR_INKS][3] = {
    {35, 31, 32}, {0, 174, 239}, {236, 0, 140}, {255, 242, 0}};

struct preview_options {
    uint32_t scale;          /* pixels in a row or column that become one */
    bool paper;              /* dots as they look on it */
    uint32_t threads;        /* that make paper */
    struct region region;    /* that is shown; without, all of the page */
    double area[DROP_AREAS]; /* of sizes of drops, 0..1 of the largest */
    const char *in;
    const char *prefix; /* NULL = no PNG */
};

struct preview_page {
    struct raster *raster;
    const double *area; /* of sizes of drops; NULL = samples are even steps */
    uint32_t scale;
    struct region region;
    uint32_t columns;         /* of the PNG */
    struct paper_page *paper; /* NULL = pixels as they are */
    bool indexed;             /* the PNG has a palette: 1-bit, unscaled, of few
                                 inks */
    struct srgb srgb;
    float (*light)[3]; /* [inks][levels]: linear RGB of a sample */
    double *sums;      /* [columns][3]: of a row of blocks */
    uint8_t *out;      /* [columns][3], or palette indices */
    uint8_t *planes[RASTER_MAX_INKS]; /* of a row of dots, for paper */
    uint64_t ink[RASTER_MAX_INKS][PAPER_SIZES + 1]; /* how many drops of each
                                       size there are; else, first, the sum of
                                       samples */
};

/* ---- Light ------------------------------------------------------------ */

/*
 * Computes the part of white light, linear RGB, that one ink leaves at one
 * sample. An ink's sample is the area that it covers, and areas of light add
 * up: 1 - a of bare paper and a of solid ink. Inks multiply, as transparent
 * ones do, and so do the solids of which one is a mixture.
 */
static void light_of_sample(const struct layout *layout, uint32_t ink,
                            double sample, float light[3])
{
    double share[COLOR_INKS];

    inks_look(layout, ink, share);
    for (int c = 0; c < 3; c++) {
        double solid = 1;

        for (int i = 0; i < COLOR_INKS; i++) {
            const double root = sqrt(srgb_to_light(solids[i][c] / 255.0));

            solid *= 1 - share[i] * (1 - root);
        }
        light[c] = (float)(1.0 - sample * (1.0 - solid * solid));
        if (layout->additive) {
            bool ours = layout->inks == 1 || (uint32_t)c == ink;
            light[c] = ours ? (float)srgb_to_light(sample) : 1.0f;
        }
    }
}

/* Returns the part of a pixel that a sample stands for, 0..1. */
static double share_of(const struct preview_page *page, uint32_t sample)
{
    if (page->area != NULL)
        return sample == 0 ? 0 : page->area[sample - 1];
    return (double)sample / (page->raster->levels - 1);
}

/* ---- PNG -------------------------------------------------------------- */

/* Sets the colors of all combinations of inks: bit i of an index is ink i. */
static void set_palette(struct png_shape *shape,
                        const struct preview_page *page)
{
    shape->colors = 1u << page->raster->layout.inks;
    for (unsigned i = 0; i < shape->colors; i++) {
        float rgb[3] = {1, 1, 1};
        for (uint32_t k = 0; k < page->raster->layout.inks; k++)
            for (int c = 0; c < 3; c++)
                rgb[c] *= page->light[2 * k + (i >> k & 1)][c];
        for (int c = 0; c < 3; c++)
            shape->palette[i][c] = srgb_from_light(&page->srgb, (double)rgb[c]);
    }
}

static bool png_begin(struct png_writer *png, const struct preview_page *page,
                      const char *path, const char *in)
{
    const cups_page_header2_t *h = &page->raster->header;
    double scale = page->scale;
    struct png_shape shape = {
        .width = page->columns,
        .height = (page->region.height - 1) / page->scale + 1,
        .dpi = {h->HWResolution[0] / scale, h->HWResolution[1] / scale}};

    if (page->indexed)
        set_palette(&shape, page);
    return png_writer_open(png, path, in, &shape);
}

/* ---- Rows ------------------------------------------------------------- */

static void count_ink(struct preview_page *page)
{
    const uint16_t *samples = page->raster->samples;

    for (uint32_t k = 0; k < page->raster->layout.inks; k++)
        for (uint32_t x = 0; x < page->raster->header.cupsWidth; x++) {
            if (page->area != NULL)
                page->ink[k][*samples++]++;
            else
                page->ink[k][0] += *samples++;
        }
}

/* Counts the ink of a row of dots. */
static void count_dots(struct preview_page *page)
{
    const struct raster *raster = page->raster;
    const size_t bytes = ((size_t)raster->layout.width + 7) / 8;

    for (uint32_t k = 0; k < raster->layout.inks; k++) {
        uint32_t dots = 0;

        for (size_t i = 0; i < bytes; i++)
            dots += (uint32_t)__builtin_popcount(page->planes[k][i]);
        page->ink[k][0] +=
            raster->layout.additive ? raster->layout.width - dots : dots;
    }
}

/* Returns an ink's samples of the region. */
static const uint16_t *samples_of(const struct preview_page *page, uint32_t k)
{
    return page->raster->samples + (size_t)k * page->raster->header.cupsWidth +
           page->region.x;
}

/* Makes a row of palette indices. */
static void make_indices(struct preview_page *page)
{
    memset(page->out, 0, page->columns);
    for (uint32_t k = 0; k < page->raster->layout.inks; k++) {
        const uint16_t *samples = samples_of(page, k);
        for (uint32_t x = 0; x < page->columns; x++)
            page->out[x] |= (uint8_t)(samples[x] << k);
    }
}

/* Returns the mean of an ink's samples, 0..1. */
static double mean_of(const struct preview_page *page, uint32_t k)
{
    const cups_page_header2_t *h = &page->raster->header;
    const double pixels = (double)h->cupsWidth * h->cupsHeight;
    double sum = 0;

    if (page->area == NULL)
        return (double)page->ink[k][0] / (pixels * (page->raster->levels - 1));
    for (uint32_t size = 1; size <= PAPER_SIZES; size++)
        sum += page->area[size - 1] * (double)page->ink[k][size];
    return sum / pixels;
}

/* Adds the light of a row of pixels to the sums of its blocks. */
static void add_pixels(struct preview_page *page)
{
    for (size_t x = 0; x < page->region.width; x++) {
        double *sum = page->sums + x / page->scale * 3;
        float rgb[3] = {1, 1, 1};
        for (uint32_t k = 0; k < page->raster->layout.inks; k++) {
            size_t sample = samples_of(page, k)[x];
            const float *light = page->light[k * page->raster->levels + sample];
            for (int c = 0; c < 3; c++)
                rgb[c] *= light[c];
        }
        for (int c = 0; c < 3; c++)
            sum[c] += (double)rgb[c];
    }
}

/* Makes a row of colors from sums of `rows` rows, which start afresh. The last
 * block of a row may be narrower than the others. */
static void make_colors(struct preview_page *page, uint32_t rows)
{
    for (uint32_t x = 0; x < page->columns; x++) {
        uint32_t left = page->region.width - x * page->scale;
        uint32_t wide = left < page->scale ? left : page->scale;
        for (size_t c = 0; c < 3; c++)
            page->out[3 * x + c] = srgb_from_light(
                &page->srgb, page->sums[3 * x + c] / ((double)wide * rows));
    }
    memset(page->sums, 0, page->columns * 3 * sizeof *page->sums);
}

/* Puts row `y` of the page into the PNG. */
static bool show_row(struct preview_page *page, uint32_t y,
                     struct png_writer *png)
{
    const uint32_t row = y - page->region.y; /* of the region */

    if (y < page->region.y || row >= page->region.height)
        return true;
    if (page->indexed) {
        make_indices(page);
        return png_writer_row(png, page->out);
    }
    add_pixels(page);
    if ((row + 1) % page->scale != 0 && row + 1 != page->region.height)
        return true;
    make_colors(page, row % page->scale + 1);
    return png_writer_row(png, page->out);
}

/* ---- Paper ------------------------------------------------------------ */

static bool put_paper(void *png, const uint8_t *row)
{
    return png_writer_row(png, row);
}

/* Begins the page on paper; false without memory. */
static bool paper_begin(struct preview_page *page, uint32_t threads,
                        struct png_writer *png)
{
    const struct paper_page_job job = {.layout = &page->raster->layout,
                                       .area = page->area,
                                       .region = page->region,
                                       .scale = page->scale,
                                       .threads = threads,
                                       .srgb = &page->srgb,
                                       .put = put_paper,
                                       .context = png};

    page->paper = paper_page_open(&job);
    return page->paper != NULL;
}

/* Adds the dots of a plane to [width] pixels, as bit `shift`. */
static void spread_dots(const uint8_t *plane, uint32_t width, unsigned shift,
                        uint32_t *to)
{
    for (uint32_t x = 0; x < width; x++)
        to[x] |= (plane[x / 8] >> (7 - x % 8) & 1u) << shift;
}

/* Reads the next row of dots or drops, counts it and puts it on paper. */
static bool paper_row(struct preview_page *page)
{
    struct raster *raster = page->raster;
    const uint32_t width = raster->layout.width;
    uint32_t *to = paper_page_dots(page->paper);

    if (page->area == NULL) {
        if (!raster_next_dots(raster, page->planes))
            return false;
        count_dots(page);
    } else {
        if (!raster_next_row(raster))
            return false;
        count_ink(page);
    }
    for (uint32_t k = 0; to != NULL && k < raster->layout.inks; k++)
        if (page->area == NULL)
            spread_dots(page->planes[k], width, PAPER_BITS * k, to);
        else
            for (uint32_t x = 0; x < width; x++)
                to[x] |= (uint32_t)raster->samples[(size_t)k * width + x]
                         << PAPER_BITS * k;
    return paper_page_row(page->paper);
}

/* ---- Page ------------------------------------------------------------- */

/* The reader has bounded every product here. Free with page_free(), also
 * after a failure. */
static bool page_init(struct preview_page *page, bool paper)
{
    const struct raster *raster = page->raster;
    uint32_t lights = raster->layout.inks * raster->levels;
    bool ok = true;

    page->columns = (page->region.width - 1) / page->scale + 1;
    page->indexed = raster->layout.bits == 1 && page->scale == 1 && !paper &&
                    1u << raster->layout.inks <= PNG_WRITER_COLORS;
    page->light = calloc(lights, sizeof *page->light);
    page->sums = calloc((size_t)page->columns * 3, sizeof *page->sums);
    page->out = malloc((size_t)page->columns * 3);
    for (uint32_t k = 0; paper && k < raster->layout.inks; k++) {
        page->planes[k] = malloc(((size_t)raster->layout.width + 7) / 8);
        ok = ok && page->planes[k] != NULL;
    }
    if (page->light == NULL || page->sums == NULL || page->out == NULL || !ok)
        return false;

    srgb_fill(&page->srgb);
    for (uint32_t i = 0; i < lights; i++)
        light_of_sample(&raster->layout, i / raster->levels,
                        share_of(page, i % raster->levels), page->light[i]);
    return true;
}

static void page_free(struct preview_page *page)
{
    paper_page_close(page->paper);
    free(page->light);
    free(page->sums);
    free(page->out);
    for (uint32_t k = 0; k < RASTER_MAX_INKS; k++)
        free(page->planes[k]);
}

/* Reads the rows of a page; writes them where `png` is not NULL. */
static bool page_rows(struct preview_page *page, struct png_writer *png,
                      struct progress_line *progress)
{
    struct raster *raster = page->raster;
    const uint32_t height = raster->header.cupsHeight;
    bool ok = true;

    for (uint32_t y = 0; ok && y < height; y++) {
        if (page->paper != NULL) {
            ok = paper_row(page);
        } else {
            ok = raster_next_row(raster);
            if (ok)
                count_ink(page);
            ok = ok && (png == NULL || show_row(page, y, png));
        }
        progress_show(progress, y, height);
    }
    return ok && (page->paper == NULL || paper_page_end(page->paper));
}

static void report(const struct preview_page *page, const char *path)
{
    const struct raster *raster = page->raster;
    const cups_page_header2_t *h = &raster->header;

    printf("page %u: %ux%u %u", raster->page, h->cupsWidth, h->cupsHeight,
           h->HWResolution[0]);
    if (h->HWResolution[1] != h->HWResolution[0])
        printf("x%u", h->HWResolution[1]);
    printf(" dpi %s %u-bit, coverage", raster->layout.space,
           raster->layout.bits);
    for (uint32_t k = 0; k < raster->layout.inks; k++) {
        const double mean = mean_of(page, k);
        char name[INK_SET_NAME];

        printf(" %s %.3f%%", inks_name(&raster->layout, k, name),
               100.0 * (raster->layout.additive ? 1.0 - mean : mean));
    }
    if (path != NULL)
        printf(" -> %s", path);
    putchar('\n');
}

/* Tells whether the page can be shown as the options want it; complains. */
static bool can_show(const struct preview_options *options,
                     const struct raster *raster)
{
    const cups_page_header2_t *h = &raster->header;

    if (options->paper && raster->layout.bits > 4)
        return command_complain(options->in, "--paper: a page of tones, not of "
                                             "dots");
    if (options->paper && raster->layout.inks > PAPER_INKS)
        return command_complain(options->in, "--paper: more than 10 inks");
    if (raster_is_sized(&raster->layout) && raster->layout.additive)
        return command_complain(options->in, "drops of light, not of ink");
    if (!region_fits(&options->region, h->cupsWidth, h->cupsHeight)) {
        warnx("%s: --region: page %u has %u x %u pixels", options->in,
              raster->page, h->cupsWidth, h->cupsHeight);
        return false;
    }
    return true;
}

/* Shows the page whose header was read, in the file `path`, or NULL. */
static bool show_page(const struct preview_options *options,
                      struct raster *raster, const char *path)
{
    struct preview_page *page = calloc(1, sizeof *page);
    struct png_writer png = {0};
    struct progress_line progress;
    bool ok = page != NULL;

    if (ok) {
        page->raster = raster;
        page->scale = options->scale;
        page->region = options->region;
        if (page->region.width == 0)
            page->region = (struct region){.width = raster->header.cupsWidth,
                                           .height = raster->header.cupsHeight};
        page->area =
            raster_is_sized(&raster->layout)
                ? drop_areas_or_usual(options->area, raster->layout.bits)
                : NULL;
        ok = page_init(page, options->paper) &&
             (!options->paper || path == NULL ||
              paper_begin(page, options->threads, &png));
    }
    if (!ok)
        command_complain(options->in, "not enough memory");
    progress_begin(&progress, options->in);
    if (ok && path != NULL)
        ok = png_begin(&png, page, path, options->in);
    ok = ok && page_rows(page, path ? &png : NULL, &progress);
    progress_end(&progress);
    if (path != NULL) {
        ok = png_writer_close(&png, ok);
        if (png.error[0] != '\0')
            command_complain(path, png.error);
    }
    if (ok)
        report(page, path);
    if (page != NULL)
        page_free(page);
    free(page);
    return ok;
}

/* show_page() in the file that the page's number gives. */
static bool show_numbered(const struct preview_options *options,
                          struct raster *raster)
{
    char *path = NULL;

    if (!can_show(options, raster))
        return false;
    if (options->prefix != NULL) {
        size_t size = strlen(options->prefix) + sizeof "-4294967295.png";
        path = malloc(size);
        if (path == NULL)
            return command_complain(options->in, "not enough memory");
        snprintf(path, size, "%s-%u.png", options->prefix, raster->page);
    }
    const bool ok = show_page(options, raster, path);

    free(path);
    return ok;
}

static bool show_pages(const struct preview_options *options)
{
    struct raster raster;
    bool ok = raster_open(&raster, options->in);

    while (ok && raster_next_page(&raster))
        ok = show_numbered(options, &raster);
    if (raster.error != NULL)
        ok = command_complain(options->in, raster.error);
    raster_close(&raster);
    return ok;
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: raster-preview [OPTION]... IN.ras OUT_PREFIX\n"
    "Writes each page of CUPS or PWG raster as OUT_PREFIX-1.png and so on,\n"
    "and a line about it. \"-\" as IN.ras is standard input; \"-\" as\n"
    "OUT_PREFIX, or --no-png and none, gives the lines only.\n"
    "\n"
    "  --scale N   averages N x N pixels to one, 1 to 1024 (1)\n"
    "  --paper     shows round dots that overlap, and paper that scatters "
    "light,\n"
    "              instead of square pixels\n"
    "  --region WxH+X+Y\n"
    "              shows W x H pixels of each page, X and Y pixels from its "
    "upper\n"
    "              left; the lines are about all of it\n"
    "  --threads N that make paper, 1 to 64 (as many as there are "
    "processors)\n"
    "  --drops AREA,AREA,AREA\n"
    "              what drops of 2-bit and 4-bit raster cover, the smallest\n"
    "              first, in percent of the largest (33.33,66.67,100; of 4 "
    "bits\n"
    "              20,40,60,80,100)\n"
    "  --no-png    writes no PNG\n"
    "  --help, --version\n";

static bool parse_options(struct preview_options *options, int argc,
                          char **argv)
{
    static const struct option names[] = {
        {"scale", required_argument, NULL, 's'},
        {"paper", no_argument, NULL, 'p'},
        {"region", required_argument, NULL, 'r'},
        {"threads", required_argument, NULL, 't'},
        {"drops", required_argument, NULL, 'd'},
        {"no-png", no_argument, NULL, 'n'},
        COMMAND_OPTIONS};
    bool no_png = false;
    int option;

    while ((option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 's':
            if (!command_number("--scale", optarg, 1, MAX_SCALE,
                                &options->scale))
                return false;
            break;
        case 'p':
            options->paper = true;
            break;
        case 'r':
            if (!region_read(&options->region, optarg))
                return command_complain("--region", "not WxH+X+Y in pixels");
            break;
        case 't':
            if (!command_number("--threads", optarg, 1, CREW_THREADS,
                                &options->threads))
                return false;
            break;
        case 'd':
            if (!drop_areas(optarg, options->area))
                return false;
            break;
        case 'n':
            no_png = true;
            break;
        }
    int count = argc - optind;
    if (count != 2 && !(count == 1 && no_png))
        command_misuse(usage);
    options->in = argv[optind];
    if (!no_png && strcmp(argv[optind + 1], "-") != 0)
        options->prefix = argv[optind + 1];
    return true;
}

int main(int argc, char **argv)
{
    const unsigned processors = ht_processors();
    struct preview_options options = {
        .scale = 1,
        .threads = processors < CREW_THREADS ? processors : CREW_THREADS,
        .area = DROP_AREAS_UNKNOWN};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(show_pages(&options));
}
