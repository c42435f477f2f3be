/*
 * halftone.c - the halftone command: an image file becomes a file of dots,
 * through the same library as the print filter and without CUPS.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "halftone/halftone.h"
#include "base/text.h"
#include "page/ink.h"
#include "page/lines.h"
#include "tools/command.h"
#include "tools/dots_file.h"
#include "tools/sizes.h"
#include "tools/image.h"
#include "tools/separation.h"
#include "tools/tones.h"

#define DEFAULT_BAND 128 /* rows */
#define MAX_DPI 9600     /* as in the filter */

/* A GPU takes longer to start than the CPU needs for an image. */
#define AUTO_ENGINE "cpu"

struct halftone_options {
    ht_method_t method;
    const char *engine;
    const char *table; /* file or name, NULL = the method's own, */
    uint32_t segment;
    uint32_t cells; /* of screen; 0 = the default */
    uint32_t dpi;   /* of the printer, for cells; 0 = unknown */
    uint32_t ink;   /* the image is printed as this ink */
    struct drop_sizes drops;
    struct ink_settings tones;
    struct image_separation separation;
    uint32_t threads;
    uint32_t band;
    bool verbose;
    const char *in;
    const char *out;
};

/* A page on its way through an engine. */
struct halftone_page {
    const struct image *image;
    uint32_t first; /* the first ink that is printed; those before are blank */
    uint32_t inks;  /* of the engine: first + image->channels */
    uint32_t band;
    struct ink ink; /* what becomes of the image's samples */
    const uint16_t *curves[HT_MAX_INKS]; /* if ink.curved */
    const struct drop_sizes *drops;
    size_t stride;  /* bytes of a row of dots */
    uint8_t *tones; /* [band][inks][width] samples of ink.bits */
    uint8_t *plain; /* [band + 2][channels][width], before they are sharpened */
    uint8_t *passed;    /* [band][inks][stride], as collected */
    uint8_t *dots;      /* [height][channels][stride], the result */
    uint32_t collected; /* rows */
};

/* ---- Command line ----------------------------------------------------- */

static const char usage_format[] =
    "Usage: halftone [OPTION]... IN OUT\n"
    "Turns a PGM, PPM or PNG image (8 or 16 bits), or the dots of a PBM or\n"
    "PNG, into dots: PBM, or PNG where OUT ends in .png. Black is ink; a\n"
    "color image becomes cyan, magenta and yellow, in PBM one file each.\n"
    "\"-\" is standard input or output.\n"
    "\n"
    "  --method METHOD  %s; the first is the default\n"
    "  --engine ENGINE  auto (default), cpu, reference, cuda, opencl, or one "
    "of\n"
    "                   those that an unknown one makes it list\n"
    "  --table TABLE    tone table: a file, or the name of an installed one\n"
    "  --cells C        of screen, on 128 pixels, 4 to 32 (16: 106 lines an\n"
    "                   inch at 600 dpi)\n"
    "  --dpi DPI        of the printer, across, 1 to 9600: chooses the cells\n"
    "  --segments T     columns between cuts, 16 to 262144 (%u), 0 = none\n"
    "  --curve CURVE    tone curve: none (the default), default, a file, or "
    "the\n"
    "                   name of an installed one\n"
    "  --gray KIND      with a curve, a gray image is of ink (the default), "
    "or\n"
    "                   as light as on a screen\n"
    "  --gamma G        0.25 to 4 (1); more is lighter\n"
    "  --density D      percent, 10 to 200 (100)\n"
    "  --profile P      ICC profile of the printer, for color images: none "
    "(the\n"
    "                   default: cyan, magenta and yellow are complements),\n"
    "                   generic, a file, or the name of an installed one\n"
    "  --intent I       relative-bpc (the default), relative, perceptual,\n"
    "                   absolute\n"
    "  --limit L        of all inks of a color image, percent, 100 to 400 "
    "(400)\n"
    "  --sharpness N    0 (default) to 3, for methods with tones\n"
    "  --drops AREAS    sizes of drops, percent of the largest, such as\n"
    "                   33.3,66.7,100; gray is then what they cover: PNG, PGM\n"
    "  --mixed N        how much sizes are mixed, 0 (default) to 16\n"
    "  --ink N          prints a gray image as ink number N, 0 to 14 (0)\n"
    "  --module FILE    the GPU module to use instead of the installed one\n"
    "  --threads N      most to use, 0 to 4096, of which at most 64 are used;\n"
    "                   0 (default) = the engine decides\n"
    "  --band ROWS      rows given to the engine at once, 1 to 65536 (128)\n"
    "  --verbose        reports engine, speed and ink coverage\n"
    "  --help, --version\n";

static const char *usage_text(void)
{
    static char usage[2 * sizeof usage_format];
    char methods[sizeof usage_format] = "";
    size_t length = 0;

    for (ht_method_t m = 0; m < HT_METHODS; m++)
        length +=
            (size_t)snprintf(methods + length, sizeof methods - length, "%s%s",
                             m > 0 ? ", " : "", ht_method_info(m)->name);
    snprintf(usage, sizeof usage, usage_format, methods, HT_DEFAULT_SEGMENT);
    return usage;
}

static bool parse_method(const char *text, ht_method_t *method)
{
    for (ht_method_t m = 0; m < HT_METHODS; m++)
        if (strcmp(text, ht_method_info(m)->name) == 0) {
            *method = m;
            return true;
        }
    return command_complain("--method", "not one that --help lists");
}

/* A segment is 0 or at least HT_MIN_SEGMENT. */
static bool parse_segment(const char *text, uint32_t *segment)
{
    if (!command_number("--segments", text, 0, HT_MAX_WIDTH, segment))
        return false;
    if (*segment == 0 || *segment >= HT_MIN_SEGMENT)
        return true;
    warnx("--segments: neither 0 nor at least %u columns", HT_MIN_SEGMENT);
    return false;
}

/* Loaders search their own folders for a name without a slash. */
static bool use_module(const char *name)
{
    char *path = realpath(name, NULL); /* the library keeps it */

    if (path == NULL)
        return command_complain(name, strerror(errno));
    return ht_engine_use_module(path) == HT_OK ||
           command_complain(name, "cannot be loaded, or is no module of this "
                                  "version");
}

static bool parse_options(struct halftone_options *options, int argc,
                          char **argv)
{
    static const struct option names[] = {
        {"method", required_argument, NULL, 'm'},
        {"engine", required_argument, NULL, 'e'},
        {"table", required_argument, NULL, 't'},
        {"cells", required_argument, NULL, 'c'},
        {"dpi", required_argument, NULL, 'p'},
        {"segments", required_argument, NULL, 's'},
        {"curve", required_argument, NULL, 'u'},
        {"gray", required_argument, NULL, 'w'},
        {"gamma", required_argument, NULL, 'a'},
        {"density", required_argument, NULL, 'y'},
        {"limit", required_argument, NULL, 'l'},
        {"profile", required_argument, NULL, 'f'},
        {"intent", required_argument, NULL, 'o'},
        {"sharpness", required_argument, NULL, 'r'},
        {"drops", required_argument, NULL, 'd'},
        {"mixed", required_argument, NULL, 'x'},
        {"ink", required_argument, NULL, 'i'},
        {"module", required_argument, NULL, 'g'},
        {"threads", required_argument, NULL, 'n'},
        {"band", required_argument, NULL, 'b'},
        {"verbose", no_argument, NULL, 'v'},
        COMMAND_OPTIONS};
    const char *usage = usage_text();
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'm':
            ok = parse_method(optarg, &options->method);
            break;
        case 'e':
            options->engine =
                strcmp(optarg, "auto") == 0 ? AUTO_ENGINE : optarg;
            break;
        case 't':
            options->table = optarg;
            break;
        case 'c':
            ok = command_number("--cells", optarg, HT_MIN_CELLS, HT_MAX_CELLS,
                                &options->cells);
            break;
        case 'p':
            ok = command_number("--dpi", optarg, 1, MAX_DPI, &options->dpi);
            break;
        case 's':
            ok = parse_segment(optarg, &options->segment);
            break;
        case 'r':
            ok = command_number("--sharpness", optarg, 0, HT_MAX_SHARPNESS,
                                &options->tones.sharpness);
            break;
        case 'u':
            ok = tones_curve(&options->tones, optarg);
            break;
        case 'w':
            ok = tones_gray(&options->tones, optarg);
            break;
        case 'a':
            ok = tones_gamma(&options->tones, optarg);
            break;
        case 'y':
            ok = tones_density(&options->tones, optarg);
            break;
        case 'l':
            ok = tones_limit(&options->tones, optarg);
            break;
        case 'f':
            ok = separation_profile(&options->separation, optarg);
            break;
        case 'o':
            ok = separation_intent(&options->separation, optarg);
            break;
        case 'd':
            ok = sizes_read(optarg, &options->drops);
            break;
        case 'x':
            ok = command_number("--mixed", optarg, 0, HT_MAX_MIXED,
                                &options->drops.mixed);
            break;
        case 'i':
            ok = command_number("--ink", optarg, 0, HT_MAX_INKS - 1,
                                &options->ink);
            break;
        case 'g':
            ok = use_module(optarg);
            break;
        case 'n':
            ok =
                command_number("--threads", optarg, 0, 4096, &options->threads);
            break;
        case 'b':
            ok = command_number("--band", optarg, 1, HT_MAX_BAND,
                                &options->band);
            break;
        case 'v':
            options->verbose = true;
            break;
        }
    if (!ok)
        return false;
    if (options->table != NULL && !ht_method_info(options->method)->table)
        return command_complain("--table", "the method takes none");
    if (options->cells != 0 && !ht_method_info(options->method)->cells)
        return command_complain("--cells", "the method has none");
    if (options->cells == 0 && options->dpi > 0 &&
        ht_method_info(options->method)->cells)
        options->cells = lines_to_cells(0, options->dpi);
    if (!ht_method_info(options->method)->tones && !tones_cut(&options->tones))
        return false;
    if (argc - optind != 2)
        command_misuse(usage);
    options->in = argv[optind];
    options->out = argv[optind + 1];
    return true;
}

/* ---- Table ------------------------------------------------------------ */

static bool load_table_file(ht_table_t **table, const char *path)
{
    unsigned line = 0;
    ht_status_t status = ht_table_load(table, path, &line);

    if (status == HT_ERR_TABLE && line > 0)
        warnx("%s:%u: %s", path, line, ht_status_text(status));
    else if (status == HT_ERR_FILE)
        command_complain(path, text_error(errno));
    else if (status != HT_OK)
        command_complain(path, ht_status_text(status));
    return status == HT_OK;
}

/* A path or an existing file is meant as such; all else is the name of an
 * installed table. */
static bool load_table(ht_table_t **table, const char *name)
{
    char path[1024];
    struct stat info;

    if (strchr(name, '/') != NULL || stat(name, &info) == 0)
        return load_table_file(table, name);
    int length = snprintf(path, sizeof path, PKGDATADIR "/%s.table", name);
    if (length < 0 || (size_t)length >= sizeof path)
        return command_complain("--table", "the name is too long");
    return load_table_file(table, path);
}

/* ---- Page ------------------------------------------------------------- */

/* calloc() of a * b * c objects of `size` bytes, with the product checked. */
static void *allocate(size_t a, size_t b, size_t c, size_t size)
{
    size_t count;

    if (__builtin_mul_overflow(a, b, &count) ||
        __builtin_mul_overflow(count, c, &count))
        return NULL;
    return calloc(count, size);
}

/* The planes of blank inks stay as zeroed here. The tables have to last as long
 * as the page. Free with page_free(), also after a failure. */
static bool page_init(struct halftone_page *page, const struct image *image,
                      const struct halftone_options *options,
                      struct ink_tables *tables)
{
    struct ink_settings tones = options->tones;

    *page = (struct halftone_page){
        .image = image,
        .drops = &options->drops,
        .first = options->ink,
        .inks = options->ink + image->channels,
        .band = options->band < image->height ? options->band : image->height,
        .stride = sizes_row_bytes(&options->drops, image->width)};
    tones.gray = tones.gray && tones.curved && image->channels == 1;
    if (!ink_init(&page->ink, &tones, tables, image->channels, image->width,
                  image->bits))
        return false;
    for (uint32_t k = 0; page->ink.curved && k < page->inks; k++)
        page->curves[k] =
            page->ink.table[k < page->first ? 0 : k - page->first];
    page->tones =
        allocate(page->band, page->inks, image->width, page->ink.bits / 8);
    page->plain = allocate(page->band + 2, image->channels, image->width,
                           image->bits / 8);
    page->passed = allocate(page->band, page->inks, page->stride, 1);
    page->dots = allocate(image->height, image->channels, page->stride, 1);
    return page->tones != NULL && page->plain != NULL && page->passed != NULL &&
           page->dots != NULL;
}

static void page_free(struct halftone_page *page)
{
    free(page->tones);
    free(page->plain);
    free(page->passed);
    free(page->dots);
}

/* Collects until at most `leave` rows are ready; keeps the image's planes. */
static ht_status_t collect(struct halftone_page *page, ht_engine_t *engine,
                           size_t leave)
{
    size_t kept = page->image->channels * page->stride;
    size_t ready;

    while ((ready = ht_engine_ready(engine)) > leave) {
        size_t rows = ready - leave < page->band ? ready - leave : page->band;
        ht_status_t status = ht_engine_collect(engine, page->passed, rows);
        if (status != HT_OK)
            return status;
        for (size_t y = 0; y < rows; y++)
            memcpy(page->dots + (page->collected + y) * kept,
                   page->passed + (y * page->inks + page->first) * page->stride,
                   kept);
        page->collected += (uint32_t)rows;
    }
    return HT_OK;
}

/* Where the image's inks begin in a row of page->tones. */
static uint8_t *tones_at(const struct halftone_page *page, uint32_t row)
{
    size_t plane = (size_t)page->image->width * (page->ink.bits / 8);

    return page->tones + ((size_t)row * page->inks + page->first) * plane;
}

/* Makes the samples of rows `row`.., which still are those of the image, each
 * where its tones are to be: room for these is behind it. */
static void make_plain(struct halftone_page *page, uint32_t row, uint32_t rows)
{
    const struct image *image = page->image;
    uint32_t above = row > 0, below = row + rows < image->height;
    uint32_t channels = image->channels, sharpness = page->ink.sharpness;
    size_t plane = (size_t)image->width * (image->bits / 8);
    size_t bytes = channels * plane; /* of a row */

    if (sharpness > 0)
        image_to_inks(image, row - above, above + rows + below, page->plain,
                      channels, 0);
    for (uint32_t y = 0; y < rows; y++) {
        uint8_t *to = tones_at(page, y);

        if (sharpness == 0)
            image_to_inks(image, row + y, 1, to, channels, 0);
        for (uint32_t k = 0; sharpness > 0 && k < channels; k++) {
            const uint8_t *at = page->plain + (above + y) * bytes + k * plane;

            ht_sharpen(y > 0 || above ? at - bytes : NULL, at,
                       y + 1 < rows || below ? at + bytes : NULL, image->bits,
                       image->width, sharpness, to + k * plane);
        }
    }
}

/* Makes page->tones of rows `row`.. of the image. */
static void make_tones(struct halftone_page *page, uint32_t row, uint32_t rows)
{
    make_plain(page, row, rows);
    for (uint32_t y = 0; y < rows; y++)
        ink_change_tones(&page->ink, tones_at(page, y), UINT16_MAX);
}

/* One band stays in the engine while the next is made ready, so that an
 * engine that works beside us is never without work. */
static ht_status_t print_page(struct halftone_page *page, ht_engine_t *engine)
{
    const struct image *image = page->image;
    ht_status_t status = HT_OK;

    for (uint32_t row = 0, rows; row < image->height; row += rows) {
        rows =
            image->height - row < page->band ? image->height - row : page->band;
        make_tones(page, row, rows);
        status = collect(page, engine, page->band);
        if (status == HT_OK)
            status = ht_engine_submit(engine, page->tones, NULL, rows);
        if (status != HT_OK)
            return status;
    }
    status = ht_engine_end(engine);
    if (status == HT_OK)
        status = collect(page, engine, 0);
    return status;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Standard error, because the dots may be going to standard output. */
static void report(const struct halftone_page *page, const ht_engine_t *engine,
                   double seconds)
{
    static const char *const names[] = {"K", "C", "M", "Y"};
    uint32_t channels = page->image->channels;
    double pixels = (double)page->image->width * page->image->height;

    assert(channels == 1 || channels == 3 || channels == 4);
    fprintf(stderr, "halftone: engine %s, %.1f megapixels/s, ink coverage",
            ht_engine_name(engine),
            pixels * page->inks / (seconds > 1e-9 ? seconds : 1e-9) / 1e6);
    for (uint32_t c = 0; c < channels; c++) {
        uint64_t count = 0;
        for (size_t y = 0; y < page->collected; y++)
            count += sizes_covered(
                page->drops, page->dots + (y * channels + c) * page->stride,
                page->image->width);
        fprintf(stderr, " %s %.3f%%", names[channels == 3 ? c + 1 : c],
                100.0 * (double)count / HT_WHOLE_DOT / pixels);
    }
    fputc('\n', stderr);
}

static bool complain_engine(const struct halftone_options *options,
                            ht_status_t status)
{
    const char *const *names = ht_engine_names();

    if (status != HT_ERR_ENGINE)
        return command_complain("engine", ht_status_text(status));
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], options->engine) == 0)
            return command_complain(options->engine,
                                    "not available here, or does not support "
                                    "this method or table");
    fprintf(stderr, "halftone: %s: %s; known engines: auto cpu",
            options->engine, ht_status_text(status));
    for (size_t i = 0; names[i] != NULL; i++)
        fprintf(stderr, " %s", names[i]);
    fputc('\n', stderr);
    return false;
}

/* Halftones an image that was read, and writes it. */
static bool halftone(const struct halftone_options *options,
                     const struct image *image, const ht_table_t *table,
                     struct ink_tables *tables, struct dots_file *out)
{
    struct halftone_page page = {0};
    ht_engine_t *engine = NULL;
    bool ok = false;

    if (!page_init(&page, image, options, tables)) {
        command_complain(options->in, "not enough memory");
        goto done;
    }
    ht_page_t shape = {.method = options->method,
                       .table = table,
                       .width = image->width,
                       .inks = page.inks,
                       .bits = page.ink.bits,
                       .curves = page.ink.curved ? page.curves : NULL,
                       .segment = options->segment,
                       .cells = options->cells,
                       .band = page.band,
                       .threads = options->threads};
    sizes_put(&options->drops, &shape);
    ht_status_t status = ht_engine_open(&engine, options->engine, &shape);
    if (status != HT_OK) {
        complain_engine(options, status);
        goto done;
    }

    double start = now();
    status = print_page(&page, engine);
    double seconds = now() - start;
    if (status != HT_OK) {
        command_complain(ht_engine_name(engine), ht_status_text(status));
        goto done;
    }
    if (!dots_file_write(out, page.dots, image->width, image->height,
                         image->channels))
        goto done;
    if (ht_engine_trouble(engine) != NULL)
        command_complain("warning", ht_engine_trouble(engine));
    if (options->verbose)
        report(&page, engine, seconds);
    ok = true;
done:
    ht_engine_close(engine);
    page_free(&page);
    return ok;
}

/* Halftones the images one by one: no more than one is in memory. */
static bool halftone_all(struct halftone_options *options,
                         struct image_file *in, const ht_table_t *table)
{
    char error[IMAGE_ERROR_BYTES];
    struct ink_tables tables = {0};
    struct image image = {0};
    struct dots_file out;
    enum image_outcome outcome = IMAGE_READ;
    bool ok = true;

    dots_file_open(&out, options->out, &options->drops);
    while (ok && (outcome = image_next(&image, in, error)) == IMAGE_READ) {
        if (options->ink > 0 && image.channels != 1)
            ok = command_complain(options->in, "--ink needs a gray image");
        ok = ok &&
             separation_apply(&options->separation, &image, options->in) &&
             halftone(options, &image, table, &tables, &out);
        image_free(&image);
    }
    if (outcome == IMAGE_WRONG)
        ok = command_complain(options->in, error);
    ink_tables_free(&tables);
    return dots_file_close(&out, ok);
}

int main(int argc, char **argv)
{
    struct halftone_options options = {.method = HT_TDFED4,
                                       .segment = HT_DEFAULT_SEGMENT,
                                       .engine = AUTO_ENGINE,
                                       .tones = INK_AS_IT_IS,
                                       .band = DEFAULT_BAND};
    char error[IMAGE_ERROR_BYTES];
    struct image_file in = {.file = NULL};
    ht_table_t *table = NULL;
    bool ok;

    if (!parse_options(&options, argc, argv)) {
        separation_free(&options.separation);
        return EXIT_USAGE;
    }
    ok = options.table == NULL || load_table(&table, options.table);
    if (ok && !image_open(&in, options.in, error))
        ok = command_complain(options.in, error);
    ok = ok && halftone_all(&options, &in, table);
    image_close(&in);
    separation_free(&options.separation);
    ht_table_free(table);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
