/*
 * gpu_bench_main.c - times the CUDA kernels by events on the device: medians,
 * with the least and the most. Compares the dots of every kind of page with the
 * reference's.
 *
 *   gpu-bench         all kinds of pages
 *   gpu-bench NAME    those with NAME in their names
 *   gpu-bench check [METHOD [EVERY]]   only compares: many small pages of odd
 *                     shapes, of all methods or of tdfed4, tdfed1,
 *                     floyd-steinberg, screen or, of several sizes of drops,
 *                     sizes; with EVERY, a number, one of so many of them, for
 *                     tools that slow kernels down
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/cuda/tdfed/lookup.h"
#include "lab/bench/content.h"
#include "lab/bench/gpu_page.h"
#include "lab/bench/noise.h"

#define WIDTH 5088u /* Letter at 600 dpi */
#define ROWS 6592u
#define REPEATS 8 /* a page is its upper part so many times */
#define MOST_PAGES 32
#define MOST_RUNS 9
#define SMALL_1_ROWS 32u /* of small pages of tdfed1: many swaths */
#define CROWD 1000 /* pages: more than any device has multiprocessors for */

static uint8_t photo(uint32_t x, uint32_t y, uint32_t ink)
{
    return content_sample(PHOTO, x, y, ink);
}

static uint8_t text(uint32_t x, uint32_t y, uint32_t ink)
{
    return content_sample(TEXT, x, y, ink);
}

/* A photo as a RIP separates it: black only where everything is dark. */
static uint8_t little_black(uint32_t x, uint32_t y, uint32_t ink)
{
    uint8_t v = photo(x, y, ink);

    return ink > 0 ? v : v < 192 ? 0 : (uint8_t)(4 * (v - 192));
}

/* Patches of photo, white and solid. */
static uint8_t patches(uint32_t x, uint32_t y, uint32_t ink)
{
    uint32_t patch = noise_hash(x / 40 + y / 24 * 131 + ink * 7) % 4;

    return patch == 0 ? 0 : patch == 1 ? 255 : photo(x, y, ink);
}

/* Patches of the inks 1 to 3; the others have none. */
static uint8_t some_inks(uint32_t x, uint32_t y, uint32_t ink)
{
    return ink >= 1 && ink <= 3 ? patches(x, y, ink) : 0;
}

typedef uint8_t content_t(uint32_t x, uint32_t y, uint32_t ink);

static uint8_t *make_page(content_t *content, uint32_t width, uint32_t rows,
                          uint32_t inks)
{
    const uint32_t repeats = rows > PAGE_CHECKED_ROWS ? REPEATS : 1;
    const uint32_t made = rows / repeats;
    const size_t size = (size_t)width * made * inks;
    uint8_t *samples = malloc(size * repeats), *to = samples;

    if (samples == NULL)
        exit(1);
    for (uint32_t y = 0; y < made; y++)
        for (uint32_t ink = 0; ink < inks; ink++)
            for (uint32_t x = 0; x < width; x++)
                *to++ = content(x, y, ink);
    for (size_t i = 1; i < repeats; i++)
        memcpy(samples + i * size, samples, size);
    return samples;
}

/* Returns the page with 16-bit samples, also of tones between the 256. The
 * caller frees it. */
static uint16_t *deepen(const uint8_t *samples, size_t count)
{
    uint16_t *deep = malloc(count * sizeof *deep);

    if (deep == NULL)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        uint8_t v = samples[i];
        uint32_t between =
            v == 0 || v == 255 ? v : noise_hash((uint32_t)i) & 255;
        deep[i] = (uint16_t)(v << 8 | between);
    }
    return deep;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct spread {
    double low, median, high;
};

static struct spread measure(struct bench_page *pages, int count, int runs)
{
    double ms[MOST_RUNS];

    pages_run(pages, count);
    for (int i = 0; i < runs; i++)
        ms[i] = pages_run(pages, count);
    qsort(ms, (size_t)runs, sizeof *ms, by_value);
    return (struct spread){ms[0], ms[runs / 2], ms[runs - 1]};
}

static const char *wanted; /* NULL, or part of the names of the kinds to time */
static bool wrong;         /* some dots are not the reference's */

/* Returns a copy of `samples` whose first `cut` ones come last. The caller
 * frees it. */
static uint8_t *turned(const uint8_t *samples, size_t size, size_t cut)
{
    uint8_t *turned = malloc(size);

    if (turned == NULL)
        exit(1);
    memcpy(turned, samples + cut, size - cut);
    memcpy(turned + size - cut, samples, cut);
    return turned;
}

/* Ends a line with the time of a step, if pixels wait for each other. */
static void print_step(const struct page_kind *kind, double ms)
{
    double steps =
        ht_method_info(kind->method)->swath == 0
            ? kind->width + 2.0 * kind->rows
            : kind->rows / 4.0 * (kind->segment ? kind->segment : kind->width);

    if (ht_method_info(kind->method)->diffuses)
        printf("  %6.2f ns a step", ms * 1e6 / steps);
    putchar('\n');
}

/* Times one kind of page, kind.pages of them at the same time, each with
 * samples of its own; prints a line, and compares the first page. Not for DEEP
 * samples. Returns the median, ms; 0 if the row is not wanted. */
static double row(const char *what, struct page_kind kind, int runs,
                  content_t *content)
{
    if (wanted != NULL && strstr(what, wanted) == NULL)
        return 0;

    struct bench_page pages[MOST_PAGES];
    uint8_t *samples = make_page(content, kind.width, kind.rows, kind.inks);

    const size_t turn =
        (size_t)kind.width * kind.inks * (kind.rows / MOST_PAGES);
    page_find_inks(samples, &kind);
    for (uint32_t i = 0; i < kind.pages; i++) {
        page_open(&pages[i], &kind);
        uint8_t *own = turned(samples, pages[i].samples, turn * i);
        page_give_samples(&pages[i], own);
        free(own);
    }
    struct spread ms = measure(pages, (int)kind.pages, runs);
    wrong |= !page_check(&pages[0], samples);
    double pixels = (double)kind.width * kind.rows * kind.inks * kind.pages;
    printf("%-44s %8.3f ms (%.3f to %.3f)  %7.1f Gpixel/s", what, ms.median,
           ms.low, ms.high, pixels / ms.median / 1e6);
    print_step(&kind, ms.median);
    fflush(stdout);
    for (uint32_t i = 0; i < kind.pages; i++)
        page_close(&pages[i]);
    free(samples);
    return ms.median;
}

/* Compares a small page with the reference's. */
static void check_kind(struct page_kind *kind, content_t *content)
{
    size_t count = (size_t)kind->width * kind->inks * kind->rows;
    uint8_t *samples = make_page(content, kind->width, kind->rows, kind->inks);
    uint16_t *deep = deepen(samples, count);
    const void *given = kind->samples == DEEP ? deep : (const void *)samples;
    struct bench_page page;

    page_find_inks(samples, kind);
    page_open(&page, kind);
    page_give_samples(&page, given);
    pages_run(&page, 1);
    wrong |= !page_check(&page, given);
    page_close(&page);
    free(samples);
    free(deep);
}

/* A method, as it is called, and the rows of its small pages. */
struct checked_method {
    ht_method_t method;
    const char *name;
    uint32_t rows;
    bool sizes; /* drops have several */
};

/* Returns kind `number` of a method's small pages, 0.. */
static struct page_kind small_page(const struct checked_method *method,
                                   unsigned number)
{
    static const uint32_t widths[] = {1, 33, 257, 1000},
                          inks[] = {1, 2, 3, 4, 5, 9, 15},
                          segments[] = {0, 16, 128},
                          mixed[] = {0, 16, 7, 1, 15};

    return (struct page_kind){.method = method->method,
                              .segment = segments[number / 84],
                              .width = widths[number / 21 % 4],
                              .rows = method->rows,
                              .inks = inks[number / 3 % 7],
                              .samples = (enum samples)(number % 3),
                              .levels = method->sizes ? 3 + number / 2 % 2 : 0,
                              .mixed = method->sizes ? mixed[number % 5] : 0};
}

/* Compares small pages of all shapes, or one of `every` of them. `only`: the
 * method's name; NULL = all. */
static void check_kinds(const char *only, unsigned every)
{
    static const struct checked_method methods[] = {
        {HT_TDFED4, "tdfed4", PAGE_CHECKED_ROWS, false},
        {HT_TDFED1, "tdfed1", SMALL_1_ROWS, false},
        {HT_FLOYD_STEINBERG, "floyd-steinberg", PAGE_CHECKED_ROWS, false},
        {HT_SCREEN, "screen", PAGE_CHECKED_ROWS, false},
        {HT_TDFED4, "sizes", PAGE_CHECKED_ROWS, true},
        {HT_TDFED1, "sizes", SMALL_1_ROWS, true},
        {HT_SCREEN, "sizes", PAGE_CHECKED_ROWS, true},
        {HT_FLOYD_STEINBERG, "sizes", PAGE_CHECKED_ROWS, true}};
    unsigned kinds = 0, checked = 0;

    for (unsigned m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        const ht_method_info_t *info = ht_method_info(methods[m].method);
        const unsigned count = info->segments ? 252 : 84;

        if (only != NULL && strcmp(only, methods[m].name) != 0)
            continue;
        for (unsigned i = 0; i < count; i++, kinds++) {
            struct page_kind kind = small_page(&methods[m], i);

            if (info->table)
                kind.apart = kinds / 2 % 2;
            kind.pages = kinds % 4 == 0 ? CROWD : 1;
            if (info->segments && kind.inks > HT_GPU_FED_INKS)
                continue; /* the engine leaves them to the CPU */
            if (kinds % every != 0)
                continue;
            check_kind(&kind, kinds % 5 == 0 ? some_inks : patches);
            checked++;
        }
    }
    printf("%u kinds of pages compared: %s\n", checked,
           wrong ? "WRONG DOTS" : "the same dots");
}

static const struct page_kind cmyk = {.method = HT_TDFED4,
                                      .segment = 128,
                                      .width = WIDTH,
                                      .rows = ROWS,
                                      .inks = 4,
                                      .samples = SHALLOW,
                                      .pages = 1};

static void one_page(void)
{
    struct page_kind kind = cmyk;

    row("tdfed4, segments 128, CMYK photo", kind, 5, photo);
    row("tdfed4, segments 128, CMYK, little black", kind, 5, little_black);
    row("tdfed4, segments 128, CMYK text", kind, 5, text);
    kind.samples = CURVED;
    row("tdfed4, segments 128, CMYK photo, curves", kind, 5, photo);
    kind = cmyk;
    kind.inks = 1;
    row("tdfed4, segments 128, gray photo", kind, 5, photo);
    row("tdfed4, segments 128, gray text", kind, 5, text);
    kind = cmyk;
    for (kind.segment = 64; kind.segment <= 2048; kind.segment *= 2) {
        char what[64];
        snprintf(what, sizeof what, "tdfed4, cuts %u, CMYK photo",
                 kind.segment);
        row(what, kind, 3, photo);
    }
}

static void pages_in_flight(void)
{
    struct page_kind kind = cmyk;

    for (kind.pages = 4; kind.pages <= MOST_PAGES; kind.pages *= 2) {
        char what[64];
        snprintf(what, sizeof what, "tdfed4, segments 128, %u CMYK photos",
                 kind.pages);
        row(what, kind, 5, photo);
    }
    kind.pages = MOST_PAGES;
    row("tdfed4, segments 128, 32 CMYK texts", kind, 5, text);
    kind.samples = CURVED;
    row("tdfed4, segments 128, 32 photos, curves", kind, 5, photo);
}

static void unbroken_rows(void)
{
    struct page_kind kind = cmyk;

    kind.segment = 0;
    for (kind.inks = 1; kind.inks <= 8; kind.inks *= 2) {
        char what[64];
        snprintf(what, sizeof what, "tdfed4, unbroken rows, %u ink photo",
                 kind.inks);
        row(what, kind, 3, photo);
    }
}

static void other_methods(void)
{
    struct page_kind kind = cmyk;

    kind.method = HT_TDFED1;
    row("tdfed1, segments 128, CMYK photo", kind, 3, photo);
    kind.method = HT_FLOYD_STEINBERG;
    kind.segment = 0;
    row("floyd-steinberg, CMYK photo", kind, 5, photo);
    kind.width = kind.rows = 16384;
    kind.inks = 1;
    row("floyd-steinberg, 16384 x 16384", kind, 5, photo);
}

/* Prints how many times as long a page of three sizes, mixed, takes as one of
 * whole dots. */
static void beside_one_size(const char *what, struct page_kind kind)
{
    char name[64];

    snprintf(name, sizeof name, "sizes: %s, one", what);
    const double one = row(name, kind, 5, photo);
    kind.levels = 4;
    kind.mixed = 16;
    snprintf(name, sizeof name, "sizes: %s, three, mixed", what);
    const double three = row(name, kind, 5, photo);
    if (one > 0 && three > 0)
        printf("sizes: %-37s %8.2f times as long\n", what, three / one);
}

static void sizes(void)
{
    struct page_kind kind = cmyk;

    kind.samples = CURVED;
    beside_one_size("CMYK, curves", kind);
    kind.pages = MOST_PAGES;
    beside_one_size("32 CMYK, curves", kind);
    kind.pages = kind.inks = 1;
    beside_one_size("gray, curves", kind);
    kind.samples = SHALLOW;
    beside_one_size("gray", kind);
    kind.inks = 4;
    beside_one_size("CMYK", kind);
    kind.segment = 0;
    beside_one_size("CMYK, unbroken rows", kind);
    kind.inks = 1;
    beside_one_size("gray, unbroken rows", kind);
    kind.method = HT_FLOYD_STEINBERG;
    beside_one_size("floyd-steinberg, gray", kind);
    kind.inks = 4;
    beside_one_size("floyd-steinberg, CMYK", kind);
}

static void screens(void)
{
    struct page_kind kind = cmyk;

    kind.method = HT_SCREEN;
    kind.segment = 0;
    row("screen, CMYK photo", kind, 5, photo);
    kind.pages = MOST_PAGES;
    row("screen, 32 CMYK photos", kind, 9, photo);
    row("screen, 32 CMYK texts", kind, 5, text);
    kind.width--;
    row("screen, 32 CMYK photos, an odd width", kind, 5, photo);
    kind.levels = 4;
    row("screen, 32 CMYK photos, three sizes", kind, 5, photo);
}

int main(int argc, char **argv)
{
    struct cudaDeviceProp device;
    int clock = 0;

    wanted = argc > 1 ? argv[1] : NULL;
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
    TRY(cudaGetDeviceProperties(&device, 0));
    TRY(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
    printf("%s, %d multiprocessors, up to %.0f MHz\n", device.name,
           device.multiProcessorCount, clock / 1e3);
    if (wanted != NULL && strcmp(wanted, "check") == 0) {
        const long every = argc > 3 ? strtol(argv[3], NULL, 10) : 1;

        check_kinds(argc > 2 ? argv[2] : NULL, every > 0 ? (unsigned)every : 1);
        return wrong;
    }
    one_page();
    pages_in_flight();
    unbroken_rows();
    other_methods();
    sizes();
    screens();
    return wrong;
}
