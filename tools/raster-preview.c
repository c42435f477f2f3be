/*
 * raster-preview.c - shows CUPS and PWG raster: a PNG for each page, inks in
 * their colours, and a line that says what the page is and its ink coverage.
 *
 * A page passes row by row, so a roll of any length needs a few rows of
 * memory. libcups before 2.4.17 hardly checks page headers; check_header()
 * does, before anything is allocated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#include "tools/png_writer.h"

#define EXIT_USAGE 2
#define MAX_INKS 4
#define MAX_WIDTH 262144u    /* columns */
#define MAX_HEIGHT 4194304u  /* rows */
#define MAX_LINE (16u << 20) /* bytes, as in libcups 2.4.17 */
#define MAX_DPI 9600u
#define MAX_SCALE 1024u
#define SRGB_STEPS 65536 /* of linear light; finer than sRGB near black */

/* A colour space that we can show. In an additive one the samples are light,
 * sRGB encoded, and their ink is what is missing to white. */
struct space {
    cups_cspace_t space;
    const char *name;
    const char *inks; /* in the order of the samples */
    bool additive;
};

static const struct space spaces[] = {
    {CUPS_CSPACE_W, "W", "K", true},
    {CUPS_CSPACE_SW, "SW", "K", true},
    {CUPS_CSPACE_K, "K", "K", false},
    {CUPS_CSPACE_RGB, "RGB", "CMY", true},
    {CUPS_CSPACE_SRGB, "SRGB", "CMY", true},
    {CUPS_CSPACE_ADOBERGB, "ADOBERGB", "CMY", true},
    {CUPS_CSPACE_CMY, "CMY", "CMY", false},
    {CUPS_CSPACE_CMYK, "CMYK", "CMYK", false},
    {CUPS_CSPACE_KCMY, "KCMY", "KCMY", false},
};

/* Solid process inks in sRGB: SWOP coated, as the usual CMYK profiles (and
 * Ghostscript's default one) show them. */
static const struct {
    char ink;
    uint8_t rgb[3];
} solids[] = {{'C', {0, 174, 239}},
              {'M', {236, 0, 140}},
              {'Y', {255, 242, 0}},
              {'K', {35, 31, 32}}};

struct options {
    uint32_t scale; /* pixels in a row or column that become one */
    const char *in;
    const char *prefix; /* NULL = no PNG */
};

/* The stream under libcups; `ended` tells its end from a bad header. */
struct source {
    int fd;
    bool ended;
};

struct page {
    cups_page_header2_t header;
    const struct space *space;
    uint32_t inks;
    uint32_t bits;
    uint32_t levels; /* of a sample: 2, 256 or 65536 */
    uint32_t scale;
    uint32_t columns;       /* of the PNG */
    bool indexed;           /* the PNG has a palette: 1-bit, unscaled */
    uint8_t *line;          /* [cupsBytesPerLine] */
    uint16_t *samples;      /* [inks][cupsWidth] */
    float (*light)[3];      /* [inks][levels]: linear RGB left by a sample */
    double *sums;           /* [columns][3]: linear RGB of a row of blocks */
    uint8_t *out;           /* [columns][3], or palette indices */
    uint64_t ink[MAX_INKS]; /* sums of samples */
};

static bool complain(const char *name, const char *text)
{
    fprintf(stderr, "raster-preview: %s: %s\n", name, text);
    return false;
}

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
 * What one ink at one sample leaves of white light, linear RGB. An ink's
 * sample is the area that it covers, and areas of light add up: 1 - a of bare
 * paper and a of solid ink. Inks multiply, as transparent ones do.
 */
static void light_of_sample(const struct space *space, uint32_t ink,
                            double sample, float light[3])
{
    for (int c = 0; c < 3; c++) {
        if (space->additive) {
            bool ours = space->inks[1] == '\0' || (uint32_t)c == ink;
            light[c] = ours ? (float)linear_from_srgb(sample) : 1.0f;
            continue;
        }
        for (size_t i = 0; i < sizeof solids / sizeof solids[0]; i++)
            if (solids[i].ink == space->inks[ink]) {
                double solid = linear_from_srgb(solids[i].rgb[c] / 255.0);
                light[c] = (float)(1.0 - sample * (1.0 - solid));
            }
    }
}

/* ---- PNG -------------------------------------------------------------- */

/* The colours of the combinations of inks: bit i of an index is ink i. */
static void set_palette(struct png_shape *shape, const struct page *page)
{
    shape->colors = 1u << page->inks;
    for (unsigned i = 0; i < shape->colors; i++) {
        float rgb[3] = {1, 1, 1};
        for (uint32_t k = 0; k < page->inks; k++)
            for (int c = 0; c < 3; c++)
                rgb[c] *= page->light[2 * k + (i >> k & 1)][c];
        for (int c = 0; c < 3; c++)
            shape->palette[i][c] = srgb_from_linear(rgb[c]);
    }
}

static bool png_begin(struct png_writer *png, const struct page *page,
                      const char *path)
{
    const cups_page_header2_t *h = &page->header;
    struct png_shape shape = {.width = page->columns,
                              .height = (h->cupsHeight - 1) / page->scale + 1,
                              .dpi = {h->HWResolution[0] / page->scale,
                                      h->HWResolution[1] / page->scale}};

    if (page->indexed)
        set_palette(&shape, page);
    return png_writer_open(png, path, &shape);
}

/* ---- Raster ----------------------------------------------------------- */

static ssize_t read_source(void *context, unsigned char *buffer, size_t length)
{
    struct source *source = context;
    ssize_t bytes;

    do
        bytes = read(source->fd, buffer, length);
    while (bytes < 0 && errno == EINTR);
    source->ended = bytes == 0;
    return bytes;
}

static const struct space *find_space(cups_cspace_t space)
{
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (spaces[i].space == space)
            return &spaces[i];
    return NULL;
}

/* Why a header cannot be shown, or NULL: then its numbers agree with each
 * other and every size made from them fits. */
static const char *check_header(const cups_page_header2_t *h)
{
    const struct space *space = find_space(h->cupsColorSpace);

    if (space == NULL)
        return "unsupported colour space";
    uint32_t colours = (uint32_t)strlen(space->inks);
    if (h->cupsNumColors != colours)
        return "the number of colours does not fit the colour space";
    if (h->cupsBitsPerColor != 1 && h->cupsBitsPerColor != 8 &&
        h->cupsBitsPerColor != 16)
        return "not 1, 8 or 16 bits per colour";
    bool banded = h->cupsColorOrder == CUPS_ORDER_BANDED;
    if (!banded && h->cupsColorOrder != CUPS_ORDER_CHUNKED && colours > 1)
        return "unsupported colour order (planar)";
    uint32_t bits = h->cupsBitsPerColor * (banded ? 1 : colours);
    /* Three 1-bit colours may lie in four bits, the first of them unused. */
    if (h->cupsBitsPerPixel != bits && !(bits == 3 && h->cupsBitsPerPixel == 4))
        return "the bits per pixel do not fit the colours";
    if (h->cupsWidth < 1 || h->cupsWidth > MAX_WIDTH || h->cupsHeight < 1 ||
        h->cupsHeight > MAX_HEIGHT)
        return "the page is empty or too large";
    if (h->HWResolution[0] < 1 || h->HWResolution[0] > MAX_DPI ||
        h->HWResolution[1] < 1 || h->HWResolution[1] > MAX_DPI)
        return "not a printer's resolution";

    uint32_t line;
    if (__builtin_mul_overflow(h->cupsWidth, h->cupsBitsPerPixel, &line) ||
        __builtin_add_overflow(line, 7, &line))
        return "the line is too long";
    line /= 8;
    if (banded && __builtin_mul_overflow(line, colours, &line))
        return "the line is too long";
    if (h->cupsBytesPerLine != line || line > MAX_LINE)
        return "the bytes per line do not fit the width";
    return NULL;
}

/* Sorts the samples of a line into planes. */
static void unpack(struct page *page)
{
    const cups_page_header2_t *h = &page->header;
    bool banded = h->cupsColorOrder == CUPS_ORDER_BANDED;
    size_t width = h->cupsWidth;
    size_t pixel = h->cupsBitsPerPixel;

    for (uint32_t k = 0; k < page->inks; k++) {
        const uint8_t *in = page->line;
        uint16_t *out = page->samples + k * width;
        size_t bit = k * page->bits; /* of the first pixel's sample */
        if (banded) {
            in += h->cupsBytesPerLine / page->inks * k;
            bit = 0;
        } else if (page->bits == 1)
            bit += pixel - page->inks;
        for (size_t x = 0; x < width; x++, bit += pixel)
            if (page->bits == 1)
                out[x] = in[bit / 8] >> (7 - bit % 8) & 1;
            else if (page->bits == 8)
                out[x] = in[bit / 8];
            else /* libcups has put them into host order */
                memcpy(&out[x], in + bit / 8, sizeof out[x]);
    }
}

static void count_ink(struct page *page)
{
    const uint16_t *samples = page->samples;

    for (uint32_t k = 0; k < page->inks; k++)
        for (uint32_t x = 0; x < page->header.cupsWidth; x++)
            page->ink[k] += *samples++;
}

/* A row of palette indices. */
static void make_indices(struct page *page)
{
    memset(page->out, 0, page->columns);
    for (uint32_t k = 0; k < page->inks; k++) {
        const uint16_t *samples = page->samples + (size_t)k * page->columns;
        for (uint32_t x = 0; x < page->columns; x++)
            page->out[x] |= (uint8_t)(samples[x] << k);
    }
}

/* Adds the light of a row to the sums of its blocks. */
static void add_light(struct page *page)
{
    size_t width = page->header.cupsWidth;

    for (size_t x = 0; x < width; x++) {
        double *sum = page->sums + x / page->scale * 3;
        float rgb[3] = {1, 1, 1};
        for (uint32_t k = 0; k < page->inks; k++) {
            size_t sample = page->samples[k * width + x];
            const float *light = page->light[k * page->levels + sample];
            for (int c = 0; c < 3; c++)
                rgb[c] *= light[c];
        }
        for (int c = 0; c < 3; c++)
            sum[c] += (double)rgb[c];
    }
}

/* A row of colours from sums of `rows` rows, which start afresh. The last
 * block of a row may be narrower than the others. */
static void make_colours(struct page *page, uint32_t rows)
{
    for (uint32_t x = 0; x < page->columns; x++) {
        uint32_t left = page->header.cupsWidth - x * page->scale;
        uint32_t wide = left < page->scale ? left : page->scale;
        for (size_t c = 0; c < 3; c++)
            page->out[3 * x + c] =
                srgb_from_linear(page->sums[3 * x + c] / ((double)wide * rows));
    }
    memset(page->sums, 0, page->columns * 3 * sizeof *page->sums);
}

/* ---- Page ------------------------------------------------------------- */

/* `page->header` has passed check_header(), which bounds every product here.
 * Free with page_free(), also after a failure. */
static bool page_init(struct page *page, uint32_t scale)
{
    const cups_page_header2_t *h = &page->header;

    page->space = find_space(h->cupsColorSpace);
    page->inks = h->cupsNumColors;
    page->bits = h->cupsBitsPerColor;
    page->levels = 1u << page->bits;
    page->scale = scale;
    page->columns = (h->cupsWidth - 1) / scale + 1;
    page->indexed = page->bits == 1 && scale == 1;
    page->line = malloc(h->cupsBytesPerLine);
    page->samples =
        calloc((size_t)page->inks * h->cupsWidth, sizeof *page->samples);
    page->light =
        calloc((size_t)page->inks * page->levels, sizeof *page->light);
    page->sums = calloc((size_t)page->columns * 3, sizeof *page->sums);
    page->out = malloc((size_t)page->columns * 3);
    if (page->line == NULL || page->samples == NULL || page->light == NULL ||
        page->sums == NULL || page->out == NULL)
        return false;

    for (uint32_t k = 0; k < page->inks; k++)
        for (uint32_t i = 0; i < page->levels; i++)
            light_of_sample(page->space, k, (double)i / (page->levels - 1),
                            page->light[k * page->levels + i]);
    return true;
}

static void page_free(struct page *page)
{
    free(page->line);
    free(page->samples);
    free(page->light);
    free(page->sums);
    free(page->out);
}

/* Reads the rows of a page; writes them where `png` is not NULL. */
static bool page_rows(struct page *page, cups_raster_t *raster, const char *in,
                      struct png_writer *png)
{
    const cups_page_header2_t *h = &page->header;
    bool ok = true;

    for (uint32_t y = 0; ok && y < h->cupsHeight; y++) {
        if (cupsRasterReadPixels(raster, page->line, h->cupsBytesPerLine) !=
            h->cupsBytesPerLine)
            return complain(in, "the page is truncated");
        unpack(page);
        count_ink(page);
        if (png == NULL)
            continue;
        if (page->indexed) {
            make_indices(page);
            ok = png_writer_row(png, page->out);
            continue;
        }
        add_light(page);
        if ((y + 1) % page->scale == 0 || y + 1 == h->cupsHeight) {
            make_colours(page, y % page->scale + 1);
            ok = png_writer_row(png, page->out);
        }
    }
    return ok;
}

static void report(const struct page *page, unsigned number, const char *path)
{
    const cups_page_header2_t *h = &page->header;
    double full = (double)h->cupsWidth * h->cupsHeight * (page->levels - 1);

    printf("page %u: %ux%u %u", number, h->cupsWidth, h->cupsHeight,
           h->HWResolution[0]);
    if (h->HWResolution[1] != h->HWResolution[0])
        printf("x%u", h->HWResolution[1]);
    printf(" dpi %s %u-bit, coverage", page->space->name, page->bits);
    for (uint32_t k = 0; k < page->inks; k++) {
        double mean = (double)page->ink[k] / full;
        printf(" %c %.3f%%", page->space->inks[k],
               100.0 * (page->space->additive ? 1.0 - mean : mean));
    }
    if (path != NULL)
        printf(" -> %s", path);
    putchar('\n');
}

/* Shows the page whose header was read. */
static bool show_page(const struct options *options, cups_raster_t *raster,
                      const cups_page_header2_t *header, unsigned number)
{
    struct page page = {.header = *header};
    struct png_writer png = {0};
    char *path = NULL;
    bool ok = true;

    const char *trouble = check_header(header);
    if (trouble != NULL)
        return complain(options->in, trouble);
    if (options->prefix != NULL) {
        size_t size = strlen(options->prefix) + sizeof "-4294967295.png";
        path = malloc(size);
        if (path == NULL)
            return complain(options->in, "not enough memory");
        snprintf(path, size, "%s-%u.png", options->prefix, number);
    }
    if (!page_init(&page, options->scale))
        ok = complain(options->in, "not enough memory");
    if (ok && path != NULL)
        ok = png_begin(&png, &page, path);
    ok = ok && page_rows(&page, raster, options->in, path ? &png : NULL);
    if (path != NULL) {
        ok = png_writer_close(&png, ok);
        if (png.error[0] != '\0')
            complain(path, png.error);
    }
    if (ok)
        report(&page, number, path);
    page_free(&page);
    free(path);
    return ok;
}

static bool show_pages(const struct options *options, struct source *source)
{
    cups_raster_t *raster =
        cupsRasterOpenIO(read_source, source, CUPS_RASTER_READ);
    cups_page_header2_t header;
    unsigned pages = 0;
    bool ok = true;

    if (raster == NULL)
        return complain(options->in, "not CUPS or PWG raster");
    while (ok && cupsRasterReadHeader2(raster, &header))
        ok = show_page(options, raster, &header, ++pages);
    if (ok && !source->ended)
        ok = complain(options->in, "bad page header");
    if (ok && pages == 0)
        ok = complain(options->in, "no pages");
    cupsRasterClose(raster);
    return ok;
}

/* ---- Command line ----------------------------------------------------- */

static int usage(FILE *file)
{
    fputs(
        "Usage: raster-preview [OPTION]... IN.ras OUT_PREFIX\n"
        "Writes each page of CUPS or PWG raster as OUT_PREFIX-1.png and so\n"
        "on, and a line about it. \"-\" as IN.ras is standard input; \"-\" as\n"
        "OUT_PREFIX, or --no-png and none, gives the lines only.\n"
        "\n"
        "  --scale N   averages N x N pixels to one (1)\n"
        "  --no-png    writes no PNG\n"
        "  --help, --version\n",
        file);
    return file == stdout ? EXIT_SUCCESS : EXIT_USAGE;
}

/* False when there is nothing more to do: then `*status` is the exit status. */
static bool parse_options(struct options *options, int argc, char **argv,
                          int *status)
{
    static const struct option names[] = {
        {"scale", required_argument, NULL, 's'},
        {"no-png", no_argument, NULL, 'n'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0}};
    bool no_png = false;
    unsigned long number;
    int option;
    char *end;

    *status = EXIT_USAGE;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1)
        switch (option) {
        case 's':
            errno = 0;
            number = strtoul(optarg, &end, 10);
            if (*optarg < '0' || *optarg > '9' || *end != '\0' || errno != 0 ||
                number < 1 || number > MAX_SCALE)
                return complain("--scale", "not a number from 1 to 1024");
            options->scale = (uint32_t)number;
            break;
        case 'n':
            no_png = true;
            break;
        case 'h':
            *status = usage(stdout);
            return false;
        case 'V':
            puts("raster-preview (rastertohalftone) " PACKAGE_VERSION);
            *status = EXIT_SUCCESS;
            return false;
        default: /* getopt_long() has complained */
            return false;
        }
    int count = argc - optind;
    if (count != 2 && !(count == 1 && no_png)) {
        usage(stderr);
        return false;
    }
    options->in = argv[optind];
    if (!no_png && strcmp(argv[optind + 1], "-") != 0)
        options->prefix = argv[optind + 1];
    return true;
}

int main(int argc, char **argv)
{
    struct options options = {.scale = 1};
    struct source source = {0};
    int status;

    if (!parse_options(&options, argc, argv, &status))
        return status;
    if (strcmp(options.in, "-") != 0) {
        source.fd = open(options.in, O_RDONLY);
        if (source.fd < 0) {
            complain(options.in, strerror(errno));
            return EXIT_FAILURE;
        }
    }
    bool ok = show_pages(&options, &source);
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        ok = complain("standard output", strerror(errno));
    close(source.fd);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
