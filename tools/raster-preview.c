/*
 * raster-preview.c - shows CUPS and PWG raster: a PNG for each page, inks in
 * their colors, and a line that says what the page is and its ink coverage.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/drop_areas.h"
#include "tools/paper_light.h"
#include "tools/png_writer.h"
#include "tools/raster.h"

#define MAX_SCALE 1024u
#define SRGB_STEPS 65536 /* of linear light; finer than sRGB near black */

/* Solid process inks in sRGB: SWOP coated, as the usual CMYK profiles (and
 * Ghostscript's default one) show them. */
static const struct {
    char ink;
    uint8_t rgb[3];
} solids[] = {{'C', {0, 174, 239}},
              {'M', {236, 0, 140}},
              {'Y', {255, 242, 0}},
              {'K', {35, 31, 32}}};

struct preview_options {
    uint32_t scale;          /* pixels in a row or column that become one */
    bool paper;              /* dots as they look on it */
    double area[DROP_AREAS]; /* of sizes of drops, 0..1 of the largest */
    const char *in;
    const char *prefix; /* NULL = no PNG */
};

struct preview_page {
    const struct raster *raster;
    const double *area; /* of sizes of drops; NULL = samples are even steps */
    uint32_t scale;
    uint32_t columns;          /* of the PNG */
    struct paper_light *paper; /* NULL = pixels as they are */
    bool indexed;              /* the PNG has a palette: 1-bit, unscaled */
    float (*light)[3];         /* [inks][levels]: linear RGB of a sample */
    double *sums;              /* [columns][3]: of a row of blocks */
    uint8_t *out;              /* [columns][3], or palette indices */
    uint64_t ink[RASTER_MAX_INKS][PAPER_SIZES + 1]; /* how many drops of each
                                       size there are; else, first, the sum of
                                       samples */
};

/* ---- Light ------------------------------------------------------------ */

static double linear_from_srgb(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

/* 0..1 linear to 0..255 encoded, by table: pow() would be most of the time. */
static uint8_t srgb_from_linear(double light)
{
    static uint8_t table[SRGB_STEPS];

    if (table[SRGB_STEPS - 1] == 0)
        for (int i = 0; i < SRGB_STEPS; i++) {
            double v = (double)i / (SRGB_STEPS - 1);
            v = v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
            table[i] = (uint8_t)(v * 255.0 + 0.5);
        }
    return table[(int)(light * (SRGB_STEPS - 1) + 0.5)];
}

/*
 * Computes the part of white light, linear RGB, that one ink leaves at one
 * sample. An ink's sample is the area that it covers, and areas of light add
 * up: 1 - a of bare paper and a of solid ink. Inks multiply, as transparent
 * ones do.
 */
static void light_of_sample(const struct layout *layout, uint32_t ink,
                            double sample, float light[3])
{
    for (int c = 0; c < 3; c++) {
        if (layout->additive) {
            bool ours = layout->inks == 1 || (uint32_t)c == ink;
            light[c] = ours ? (float)linear_from_srgb(sample) : 1.0f;
            continue;
        }
        for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++)
            if (solids[i].ink == layout->letters[ink]) {
                double solid = linear_from_srgb(solids[i].rgb[c] / 255.0);
                light[c] = (float)(1.0 - sample * (1.0 - solid));
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
            shape->palette[i][c] = srgb_from_linear(rgb[c]);
    }
}

static bool png_begin(struct png_writer *png, const struct preview_page *page,
                      const char *path)
{
    const cups_page_header2_t *h = &page->raster->header;
    double scale = page->scale;
    struct png_shape shape = {
        .width = page->columns,
        .height = (h->cupsHeight - 1) / page->scale + 1,
        .dpi = {h->HWResolution[0] / scale, h->HWResolution[1] / scale}};

    if (page->indexed)
        set_palette(&shape, page);
    return png_writer_open(png, path, &shape);
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

/* Makes a row of palette indices. */
static void make_indices(struct preview_page *page)
{
    memset(page->out, 0, page->columns);
    for (uint32_t k = 0; k < page->raster->layout.inks; k++) {
        const uint16_t *samples =
            page->raster->samples + (size_t)k * page->columns;
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
    size_t width = page->raster->header.cupsWidth;

    for (size_t x = 0; x < width; x++) {
        double *sum = page->sums + x / page->scale * 3;
        float rgb[3] = {1, 1, 1};
        for (uint32_t k = 0; k < page->raster->layout.inks; k++) {
            size_t sample = page->raster->samples[k * width + x];
            const float *light = page->light[k * page->raster->levels + sample];
            for (int c = 0; c < 3; c++)
                rgb[c] *= light[c];
        }
        for (int c = 0; c < 3; c++)
            sum[c] += (double)rgb[c];
    }
}

/* Adds light that is on paper. */
static void add_light(struct preview_page *page, float (*light)[3])
{
    for (uint32_t x = 0; x < page->raster->header.cupsWidth; x++)
        for (size_t c = 0; c < 3; c++)
            page->sums[3 * (x / page->scale) + c] += (double)light[x][c];
}

/* A row of colors from sums of `rows` rows, which start afresh. The last
 * block of a row may be narrower than the others. */
static void make_colors(struct preview_page *page, uint32_t rows)
{
    for (uint32_t x = 0; x < page->columns; x++) {
        uint32_t left = page->raster->header.cupsWidth - x * page->scale;
        uint32_t wide = left < page->scale ? left : page->scale;
        for (size_t c = 0; c < 3; c++)
            page->out[3 * x + c] = srgb_from_linear(fmin(
                1, fmax(0, page->sums[3 * x + c] / ((double)wide * rows))));
    }
    memset(page->sums, 0, page->columns * 3 * sizeof *page->sums);
}

/* ---- Page ------------------------------------------------------------- */

/* The reader has bounded every product here. Free with page_free(), also
 * after a failure. */
static bool page_init(struct preview_page *page, bool paper)
{
    const struct raster *raster = page->raster;
    uint32_t lights = raster->layout.inks * raster->levels;

    page->columns = (raster->header.cupsWidth - 1) / page->scale + 1;
    page->indexed = raster->layout.bits == 1 && page->scale == 1 && !paper;
    page->light = calloc(lights, sizeof *page->light);
    page->sums = calloc((size_t)page->columns * 3, sizeof *page->sums);
    page->out = malloc((size_t)page->columns * 3);
    if (paper)
        page->paper = paper_light_open(&raster->layout, page->area);
    if (page->light == NULL || page->sums == NULL || page->out == NULL ||
        (paper && page->paper == NULL))
        return false;

    for (uint32_t i = 0; i < lights; i++)
        light_of_sample(&raster->layout, i / raster->levels,
                        share_of(page, i % raster->levels), page->light[i]);
    return true;
}

static void page_free(struct preview_page *page)
{
    paper_light_close(page->paper);
    free(page->light);
    free(page->sums);
    free(page->out);
}

/* Writes a row of the PNG when row `y` of the page is the last of its
 * blocks. */
static bool end_row(struct preview_page *page, uint32_t y,
                    struct png_writer *png)
{
    if ((y + 1) % page->scale != 0 && y + 1 != page->raster->header.cupsHeight)
        return true;
    make_colors(page, y % page->scale + 1);
    return png_writer_row(png, page->out);
}

/* Shows a row on paper, or, behind the last one, the rows that lag; `*y` rows
 * were shown. */
static bool show_on_paper(struct preview_page *page, const uint16_t *samples,
                          uint32_t *y, struct png_writer *png)
{
    float(*light)[3];

    if (!paper_light_row(page->paper, samples, &light))
        return true;
    add_light(page, light);
    return end_row(page, (*y)++, png);
}

static bool show_row(struct preview_page *page, uint32_t y,
                     struct png_writer *png)
{
    if (page->indexed) {
        make_indices(page);
        return png_writer_row(png, page->out);
    }
    add_pixels(page);
    return end_row(page, y, png);
}

/* Reads the rows of a page; writes them where `png` is not NULL. */
static bool page_rows(struct preview_page *page, struct raster *raster,
                      struct png_writer *png)
{
    const uint32_t height = raster->header.cupsHeight;
    uint32_t shown = 0;
    bool ok = true;

    for (uint32_t y = 0; ok && y < height; y++) {
        if (!raster_next_row(raster))
            return false;
        count_ink(page);
        if (png != NULL)
            ok = page->paper != NULL
                     ? show_on_paper(page, raster->samples, &shown, png)
                     : show_row(page, y, png);
    }
    while (ok && png != NULL && page->paper != NULL && shown < height)
        ok = show_on_paper(page, NULL, &shown, png);
    return ok;
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
        printf(" %c %.3f%%", raster->layout.letters[k],
               100.0 * (raster->layout.additive ? 1.0 - mean : mean));
    }
    if (path != NULL)
        printf(" -> %s", path);
    putchar('\n');
}

/* Shows the page whose header was read. */
static bool show_page(const struct preview_options *options,
                      struct raster *raster)
{
    struct preview_page page = {.raster = raster, .scale = options->scale};
    struct png_writer png = {0};
    char *path = NULL;
    bool ok = true;

    if (options->paper && raster->layout.bits > 2)
        return command_complain(options->in, "--paper: a page of tones, not of "
                                             "dots");
    if (raster->layout.bits == 2) {
        if (raster->layout.additive)
            return command_complain(options->in, "drops of light, not of ink");
        page.area = options->area;
    }
    if (options->prefix != NULL) {
        size_t size = strlen(options->prefix) + sizeof "-4294967295.png";
        path = malloc(size);
        if (path == NULL)
            return command_complain(options->in, "not enough memory");
        snprintf(path, size, "%s-%u.png", options->prefix, raster->page);
    }
    if (!page_init(&page, options->paper))
        ok = command_complain(options->in, "not enough memory");
    if (ok && path != NULL)
        ok = png_begin(&png, &page, path);
    ok = ok && page_rows(&page, raster, path ? &png : NULL);
    if (path != NULL) {
        ok = png_writer_close(&png, ok);
        if (png.error[0] != '\0')
            command_complain(path, png.error);
    }
    if (ok)
        report(&page, path);
    page_free(&page);
    free(path);
    return ok;
}

static bool show_pages(const struct preview_options *options)
{
    struct raster raster;
    bool ok = raster_open(&raster, options->in);

    while (ok && raster_next_page(&raster))
        ok = show_page(options, &raster);
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
    "  --drops AREA,AREA,AREA\n"
    "              what drops of 2-bit raster cover, the smallest first, in\n"
    "              percent of the largest (33.33,66.67,100)\n"
    "  --no-png    writes no PNG\n"
    "  --help, --version\n";

static bool parse_options(struct preview_options *options, int argc,
                          char **argv)
{
    static const struct option names[] = {
        {"scale", required_argument, NULL, 's'},
        {"paper", no_argument, NULL, 'p'},
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
    struct preview_options options = {.scale = 1, .area = DROP_AREAS_USUAL};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(show_pages(&options));
}
