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
#include "halftone/base/text.h"
#include "page/drop_curve.h"
#include "page/ink.h"
#include "tools/command.h"
#include "tools/dots_file.h"
#include "tools/halftone_options.h"
#include "tools/image.h"

/* A page on its way through an engine. */
struct halftone_page {
    const struct image *image;
    uint32_t first; /* the first ink that is printed; those before are blank */
    uint32_t inks;  /* of the engine: first + image->channels */
    uint32_t band;
    struct progress_line *progress;
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

/* Loads a table: a path or an existing file, else the installed table of that
 * name. */
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

/* The tones and tables of an image. */
struct image_tones {
    struct ink_tables tables;
    struct curve_points drops[CURVE_INKS]; /* of the engine's inks */
};

/* Makes the curve of the page's drops, if they have several sizes and the tones
 * are for whole dots. An ink that is printed alone takes the curve that it has
 * on a page of four inks; inks beyond the fourth take those of C, M and Y in
 * turn. False without memory. */
static bool make_drop_curve(struct image_tones *tones,
                            const struct halftone_options *options,
                            const ht_table_t *table, uint32_t channels)
{
    ht_page_t page = {.method = options->method,
                      .table = table,
                      .across = options->resolution[0],
                      .down = options->resolution[1],
                      .inks = options->ink > 0 ? 4 : channels,
                      .segment = options->segment,
                      .cells = options->cells};

    sizes_put(&options->drops, &page);
    if (page.levels <= 2 || !options->tones.curved ||
        !options->tones.curve.whole_dots)
        return true;
    tones->tables.drops =
        tones->drops + (options->ink > 0 ? 1 + (options->ink - 1) % 3 : 0);
    return drop_curve_make(tones->drops, &page, NULL, true);
}

/* Allocates a page. The planes of blank inks stay zeros. The tables have to
 * last as long as the page. Free with page_free(), also after a failure. */
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

/* Returns the image's inks in a row of page->tones. */
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
        ink_apply(&page->ink, tones_at(page, y), UINT16_MAX);
}

/* Prints a page. One band stays in the engine while the next is made ready, so
 * that an engine beside the processor always has work. */
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
        progress_show(page->progress, row, image->height);
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

/* Reports on standard error, because the dots may go to standard output. */
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
                     struct dots_file *out)
{
    struct image_tones tones = {.tables = {.drops = NULL}};
    struct halftone_page page = {0};
    ht_engine_t *engine = NULL;
    bool ok = false;

    progress_part(out->progress, options->in);
    if (!make_drop_curve(&tones, options, table, image->channels) ||
        !page_init(&page, image, options, &tones.tables)) {
        command_complain(options->in, "not enough memory");
        goto done;
    }
    ht_page_t shape = {.method = options->method,
                       .table = table,
                       .across = options->resolution[0],
                       .down = options->resolution[1],
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
    page.progress = out->progress;
    status = print_page(&page, engine);
    double seconds = now() - start;
    progress_end(out->progress);
    if (status != HT_OK) {
        command_complain(ht_engine_name(engine), ht_status_text(status));
        goto done;
    }
    progress_part(out->progress, options->out);
    if (!dots_file_write(out, page.dots, image->width, image->height,
                         image->channels, image->dpi))
        goto done;
    if (ht_engine_trouble(engine) != NULL)
        command_complain("warning", ht_engine_trouble(engine));
    if (options->verbose)
        report(&page, engine, seconds);
    ok = true;
done:
    ht_engine_close(engine);
    page_free(&page);
    ink_tables_free(&tones.tables);
    return ok;
}

/* Halftones the images one by one: no more than one is in memory. */
static bool halftone_all(struct halftone_options *options,
                         struct image_file *in, const ht_table_t *table)
{
    char error[IMAGE_ERROR_BYTES];
    struct image image = {0};
    struct dots_file out;
    struct progress_line progress;
    enum image_outcome outcome = IMAGE_READ;
    bool ok = dots_file_open(&out, options->out, options->in, &options->drops);

    progress_begin(&progress, options->in);
    in->progress = out.progress = &progress;
    while (ok && (outcome = image_next(&image, in, error)) == IMAGE_READ) {
        progress_end(&progress);
        if (options->ink > 0 && image.channels != 1)
            ok = command_complain(options->in, "--ink needs a gray image");
        ok = ok &&
             separation_apply(&options->separation, &image, options->in) &&
             halftone(options, &image, table, &out);
        image_free(&image);
    }
    progress_end(&progress);
    if (outcome == IMAGE_WRONG)
        ok = command_complain(options->in, error);
    return dots_file_close(&out, ok);
}

int main(int argc, char **argv)
{
    struct halftone_options options;
    char error[IMAGE_ERROR_BYTES];
    struct image_file in = {.file = NULL};
    ht_table_t *table = NULL;
    bool ok;

    if (!halftone_parse(&options, argc, argv)) {
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
