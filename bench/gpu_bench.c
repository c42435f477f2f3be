/*
 * gpu_bench.c - how fast the CUDA kernels are, by events on the device:
 * medians with the least and the most. The dots of every kind of page are
 * compared with the reference's.
 *
 *   gpu-bench         all kinds of pages
 *   gpu-bench NAME    those with NAME in their names
 *   gpu-bench check [METHOD]   only compares: many small pages of odd shapes,
 *                     of all methods or of tdfed4, tdfed1 or floyd-steinberg
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/content.h"
#include "bench/noise.h"
#include "gpu/band.h"
#include "halftone/internal.h"

#define WIDTH 5088u /* Letter at 600 dpi */
#define ROWS 6592u
#define REPEATS 8 /* of a page's upper part, downwards */
#define MOST_PAGES 32
#define MOST_RUNS 9
#define CHECKED_ROWS 96u   /* the first ones, of pages that have more; */
#define CHECKED_1_ROWS 32u /* of small ones in the 1-row scan: more swaths */
#define CROWD 1000         /* pages, for which every device is too small */
#define ALIGNMENT 256      /* bytes, as cudaMalloc() has it */

#define TRY(call)                                                              \
    do {                                                                       \
        cudaError_t error_ = (call);                                           \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                 \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

/* What a page's samples are: those of CURVED pages have 8 bits, and a curve. */
enum samples { SHALLOW, DEEP, CURVED };

/* What a page is like. */
struct kind {
    ht_method_t method;
    uint32_t segment, width, rows, inks;
    enum samples samples;
    uint32_t pages;      /* as in struct ht_gpu_plan */
    uint32_t first, end; /* inks first..end-1 have all its samples */
};

/* Where in its memory a page has what struct ht_gpu_band points to, in bytes;
 * `end` is where the memory ends. */
struct parts {
    size_t level, tone, entries, pattern, shifts, dots, line, ticket, stop, end;
};

/* A page on the device. */
struct page {
    struct kind kind;
    struct ht_gpu_plan plan;
    struct ht_gpu_band band;
    size_t samples;
    size_t dots; /* bytes, whole words */
    uint8_t *memory;
    cudaStream_t stream;
    cudaEvent_t done;
};

static uint8_t photo(uint32_t x, uint32_t y, uint32_t ink)
{
    return content_sample(PHOTO, x, y, ink);
}

static uint8_t text(uint32_t x, uint32_t y, uint32_t ink)
{
    return content_sample(TEXT, x, y, ink);
}

/* A photo as a RIP separates it: black only where all is dark. */
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

/* The same of inks in the middle alone. */
static uint8_t some_inks(uint32_t x, uint32_t y, uint32_t ink)
{
    return ink >= 1 && ink <= 3 ? patches(x, y, ink) : 0;
}

typedef uint8_t content_t(uint32_t x, uint32_t y, uint32_t ink);

static uint8_t *make_page(content_t *content, uint32_t width, uint32_t rows,
                          uint32_t inks)
{
    const uint32_t repeats = rows > CHECKED_ROWS ? REPEATS : 1;
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

static bool has_ink(const uint8_t *samples, const struct kind *kind,
                    uint32_t ink)
{
    for (size_t y = 0; y < kind->rows; y++) {
        const uint8_t *row = samples + (y * kind->inks + ink) * kind->width;

        for (uint32_t x = 0; x < kind->width; x++)
            if (row[x] != 0)
                return true;
    }
    return false;
}

/* The kernels are given these inks, as by the engine. */
static void find_inks(const uint8_t *samples, struct kind *kind)
{
    kind->first = 0;
    kind->end = kind->inks;
    while (kind->first + 1 < kind->end && !has_ink(samples, kind, kind->first))
        kind->first++;
    while (kind->first + 1 < kind->end &&
           !has_ink(samples, kind, kind->end - 1))
        kind->end--;
}

/* The same page with 16-bit samples, tones between the 256 included. */
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

static bool is_deep(const struct kind *kind)
{
    return kind->samples != SHALLOW;
}

/* For any number of inks: a little darker than without, each its own. They lie
 * one after the other. */
static const uint16_t *const *curves(void)
{
    static uint16_t curve[HT_MAX_INKS][HT_LEVELS];
    static const uint16_t *of[HT_MAX_INKS];

    for (uint32_t ink = 0; ink < HT_MAX_INKS; ink++) {
        for (uint32_t v = 0; v < HT_LEVELS; v++)
            curve[ink][v] = (uint16_t)(257 * v + v * (255 - v) / (ink + 4));
        of[ink] = curve[ink];
    }
    return of;
}

static ht_page_t shape_of(const struct kind *kind)
{
    return (ht_page_t){.method = kind->method,
                       .width = kind->width,
                       .inks = kind->inks,
                       .bits = kind->samples == DEEP ? 16 : 8,
                       .segment = kind->segment,
                       .band = CHECKED_ROWS,
                       .curves = kind->samples == CURVED ? curves() : NULL};
}

/* On the device, what is on the host; cudaFree() it. */
static void *copy_of(const void *host, size_t bytes)
{
    void *device;

    TRY(cudaMalloc(&device, bytes));
    TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize()); /* streams do not wait for copies */
    return device;
}

/* Puts samples of the page's kind on the device, as the engine does. */
static void give_samples(struct page *page, const void *samples)
{
    const struct kind *kind = &page->kind;
    void *level = (void *)page->band.level, *tone = (void *)page->band.tone;

    if (kind->samples == SHALLOW) {
        TRY(cudaMemcpy(level, samples, page->samples, cudaMemcpyHostToDevice));
    } else if (kind->samples == DEEP) {
        uint16_t *deep = copy_of(samples, page->samples * sizeof *deep);

        TRY(ht_gpu_split(&page->plan, deep, kind->rows, tone, level,
                         page->stream));
        TRY(cudaStreamSynchronize(page->stream));
        TRY(cudaFree(deep));
    } else {
        const size_t size = kind->inks * HT_LEVELS * sizeof(uint16_t);
        uint8_t *shallow = copy_of(samples, page->samples);
        uint16_t *curve = copy_of(curves()[0], size);

        TRY(ht_gpu_look_up(&page->plan, shallow, curve, kind->rows, tone, level,
                           page->stream));
        TRY(cudaStreamSynchronize(page->stream));
        TRY(cudaFree(curve));
        TRY(cudaFree(shallow));
    }
}

/* The caller frees it. */
static ht_table_t *table_of(const struct kind *kind)
{
    ht_table_t *table;

    if ((kind->method == HT_FLOYD_STEINBERG
             ? ht_table_floyd_steinberg(&table)
             : ht_table_builtin(&table, kind->method)) != HT_OK)
        exit(1);
    return table;
}

/* The first cut of each swath, for the caller to free. */
static uint32_t *make_shifts(const struct ht_scan *scan, size_t swaths)
{
    uint32_t *shifts = malloc(swaths * sizeof *shifts);
    struct ht_place place;

    if (shifts == NULL)
        exit(1);
    ht_place_first(scan, &place);
    for (uint32_t r = 0; r < HT_PREROLL; r++)
        ht_place_next(scan, &place);
    for (size_t s = 0; s < swaths; s++) {
        shifts[s] = place.shift;
        for (uint32_t r = 0; r < scan->swath; r++)
            ht_place_next(scan, &place);
    }
    return shifts;
}

static void make_plan(struct page *page, const struct ht_scan *scan)
{
    const struct kind *kind = &page->kind;

    page->plan = (struct ht_gpu_plan){.width = kind->width,
                                      .planes = kind->inks,
                                      .first = kind->first,
                                      .inks = kind->end - kind->first,
                                      .bits = is_deep(kind) ? 16 : 8,
                                      .segment = scan->segment,
                                      .middle = scan->table->middle};
    ht_gpu_plan_make(&page->plan, scan->swath);
    page->plan.pages = kind->pages;
    TRY(ht_gpu_prepare(&page->plan));
}

/* Room for `bytes` at *end, which it moves; where that was. */
static size_t put(size_t *end, size_t bytes)
{
    size_t begin = *end;

    *end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return begin;
}

static struct parts parts_of(const struct page *page, size_t swaths)
{
    const struct kind *kind = &page->kind;
    const size_t padded = page->samples + 2 * HT_GPU_PAD;
    const size_t line = (size_t)kind->inks * kind->width;
    struct parts at = {.end = 0};

    at.level = put(&at.end, padded);
    at.dots = put(&at.end, page->dots);
    at.entries = put(&at.end, HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry));
    at.pattern = put(&at.end, HT_PATTERN_BYTES);
    at.shifts = put(&at.end, swaths * sizeof(uint32_t));
    at.line = put(&at.end, line * sizeof(uint32_t));
    at.ticket = put(&at.end, sizeof(uint32_t));
    at.stop = put(&at.end, sizeof(int));
    at.tone = put(&at.end, is_deep(kind) ? padded * sizeof(int16_t) : 0);
    return at;
}

static void open_page(struct page *page, const struct kind *kind)
{
    ht_page_t shape = shape_of(kind);
    ht_table_t *table = table_of(kind);
    struct ht_gpu_entry entries[HT_GPU_ENTRIES];

    shape.table = table;
    struct ht_scan scan = ht_scan_of(&shape);
    const size_t swaths = scan.swath ? kind->rows / scan.swath + 1 : 1;
    uint32_t *shifts = make_shifts(&scan, swaths);
    page->kind = *kind;
    page->samples = (size_t)kind->width * kind->rows * kind->inks;
    page->dots =
        ((size_t)(kind->width + 7) / 8 * kind->inks * kind->rows + 3) / 4 * 4;
    make_plan(page, &scan);
    ht_gpu_fill_entries(entries, table, page->plan.bits);
    const struct parts at = parts_of(page, swaths);
    TRY(cudaMalloc((void **)&page->memory, at.end));
    uint8_t *memory = page->memory;
    TRY(cudaMemset(memory, 0, at.end));
    TRY(cudaMemcpy(memory + at.entries, entries, sizeof entries,
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(memory + at.pattern, table->pattern, HT_PATTERN_BYTES,
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(memory + at.shifts, shifts, swaths * sizeof *shifts,
                   cudaMemcpyHostToDevice));
    page->band = (struct ht_gpu_band){
        .level = memory + at.level + HT_GPU_PAD,
        .tone = is_deep(kind) ? (const int16_t *)(memory + at.tone) + HT_GPU_PAD
                              : NULL,
        .entries = (const struct ht_gpu_entry *)(memory + at.entries),
        .pattern = memory + at.pattern,
        .shifts = (const uint32_t *)(memory + at.shifts),
        .dots = memory + at.dots,
        .line = (uint32_t *)(memory + at.line),
        .ticket = (uint32_t *)(memory + at.ticket),
        .stop = (const int *)(memory + at.stop),
        .row = HT_PREROLL,
        .rows = kind->rows,
        .row_step = 1};
    TRY(cudaStreamCreateWithFlags(&page->stream, cudaStreamNonBlocking));
    TRY(cudaEventCreate(&page->done));
    free(shifts);
    ht_table_free(table);
}

static void close_page(struct page *page)
{
    TRY(cudaFree(page->memory));
    TRY(cudaStreamDestroy(page->stream));
    TRY(cudaEventDestroy(page->done));
}

static void reset_page(struct page *page)
{
    TRY(cudaMemsetAsync(page->band.dots, 0, page->dots, page->stream));
    TRY(cudaMemsetAsync(page->band.ticket, 0, 4, page->stream));
    TRY(ht_gpu_set_line(page->band.line, NULL,
                        (size_t)page->plan.planes * page->plan.width,
                        page->band.strip, page->stream));
    TRY(cudaStreamSynchronize(page->stream));
}

/* Milliseconds for all pages at the same time. */
static double run_pages(struct page *pages, int count)
{
    cudaEvent_t begin, end;
    float ms;

    /* Copies from the host may still be on their way. */
    TRY(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++)
        reset_page(&pages[i]);
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    TRY(cudaEventRecord(begin, pages[0].stream));
    for (int i = 0; i < count; i++) {
        TRY(cudaStreamWaitEvent(pages[i].stream, begin, 0));
        TRY(ht_gpu_diffuse(&pages[i].plan, &pages[i].band, pages[i].stream));
        TRY(cudaEventRecord(pages[i].done, pages[i].stream));
    }
    for (int i = 0; i < count; i++)
        TRY(cudaStreamWaitEvent(pages[0].stream, pages[i].done, 0));
    TRY(cudaEventRecord(end, pages[0].stream));
    TRY(cudaEventSynchronize(end));
    TRY(cudaEventElapsedTime(&ms, begin, end));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return ms;
}

/* The first rows against the reference, given the same error (none). */
static bool check(const struct page *page, const void *samples)
{
    const struct kind *kind = &page->kind;
    uint32_t width = kind->width, inks = kind->inks;
    uint32_t rows = kind->rows < CHECKED_ROWS ? kind->rows : CHECKED_ROWS;
    size_t row = (size_t)(width + 7) / 8 * inks, bytes = row * rows;
    ht_page_t shape = shape_of(kind);
    bool same = true;
    int16_t *errors = calloc((size_t)width * inks, sizeof *errors);
    uint8_t *got = malloc(bytes), *right = malloc(bytes);
    ht_engine_t *engine;

    if (errors == NULL || got == NULL || right == NULL ||
        ht_engine_open(&engine, "reference", &shape) != HT_OK ||
        ht_engine_give_state(engine, 0, errors) != HT_OK ||
        ht_engine_submit(engine, samples, rows) != HT_OK ||
        ht_engine_end(engine) != HT_OK ||
        ht_engine_collect(engine, right, rows) != HT_OK)
        exit(1);
    TRY(cudaMemcpy(got, page->band.dots, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes && same; i++)
        if (got[i] != right[i]) {
            same = false;
            fprintf(stderr,
                    "WRONG DOTS: method %d segment %u width %u inks %u"
                    " samples %d pages %u: row %zu byte %zu: %02x, not"
                    " %02x\n",
                    kind->method, kind->segment, width, inks, kind->samples,
                    kind->pages, i / row, i % row, got[i], right[i]);
        }
    ht_engine_close(engine);
    free(errors);
    free(got);
    free(right);
    return same;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct spread {
    double low, median, high;
};

static struct spread measure(struct page *pages, int count, int runs)
{
    double ms[MOST_RUNS];

    run_pages(pages, count);
    for (int i = 0; i < runs; i++)
        ms[i] = run_pages(pages, count);
    qsort(ms, (size_t)runs, sizeof *ms, by_value);
    return (struct spread){ms[0], ms[runs / 2], ms[runs - 1]};
}

static const char *wanted; /* part of the names of the rows to run */
static bool wrong;         /* some dots are not the reference's */

/* As large as `samples`, but `cut` of them further: those before come last. */
static uint8_t *turned(const uint8_t *samples, size_t size, size_t cut)
{
    uint8_t *turned = malloc(size);

    if (turned == NULL)
        exit(1);
    memcpy(turned, samples + cut, size - cut);
    memcpy(turned + size - cut, samples, cut);
    return turned;
}

/* One kind of page, kind.pages at the same time, each with samples of its own:
 * not DEEP ones. */
static void row(const char *what, struct kind kind, int runs,
                content_t *content)
{
    if (wanted != NULL && strstr(what, wanted) == NULL)
        return;

    struct page pages[MOST_PAGES];
    uint8_t *samples = make_page(content, kind.width, kind.rows, kind.inks);

    const size_t turn =
        (size_t)kind.width * kind.inks * (kind.rows / MOST_PAGES);
    find_inks(samples, &kind);
    for (uint32_t i = 0; i < kind.pages; i++) {
        open_page(&pages[i], &kind);
        uint8_t *own = turned(samples, pages[i].samples, turn * i);
        give_samples(&pages[i], own);
        free(own);
    }
    struct spread ms = measure(pages, (int)kind.pages, runs);
    wrong |= !check(&pages[0], samples);
    double pixels = (double)kind.width * kind.rows * kind.inks * kind.pages;
    double steps =
        kind.method == HT_FLOYD_STEINBERG
            ? kind.width + 2.0 * kind.rows
            : kind.rows / 4.0 * (kind.segment ? kind.segment : kind.width);
    printf("%-44s %8.3f ms (%.3f to %.3f)  %7.1f Gpixel/s  %6.2f ns a step\n",
           what, ms.median, ms.low, ms.high, pixels / ms.median / 1e6,
           ms.median * 1e6 / steps);
    fflush(stdout);
    for (uint32_t i = 0; i < kind.pages; i++)
        close_page(&pages[i]);
    free(samples);
}

/* Compares a small page. */
static void check_kind(struct kind *kind, content_t *content)
{
    size_t count = (size_t)kind->width * kind->inks * kind->rows;
    uint8_t *samples = make_page(content, kind->width, kind->rows, kind->inks);
    uint16_t *deep = deepen(samples, count);
    const void *given = kind->samples == DEEP ? deep : (const void *)samples;
    struct page page;

    find_inks(samples, kind);
    open_page(&page, kind);
    give_samples(&page, given);
    run_pages(&page, 1);
    wrong |= !check(&page, given);
    close_page(&page);
    free(samples);
    free(deep);
}

/* `only`: the method's name; NULL = all. */
static void check_kinds(const char *only)
{
    static const uint32_t widths[] = {1, 33, 257, 1000},
                          inks[] = {1, 2, 3, 4, 5, 9, 15},
                          segments[] = {0, 16, 256};
    static const ht_method_t methods[] = {HT_TDFED4, HT_TDFED1,
                                          HT_FLOYD_STEINBERG};
    static const char *const names[] = {"tdfed4", "tdfed1", "floyd-steinberg"};
    static const uint32_t rows[] = {CHECKED_ROWS, CHECKED_1_ROWS, CHECKED_ROWS};
    unsigned checked = 0;

    for (unsigned m = 0; m < 3; m++) {
        if (only != NULL && strcmp(only, names[m]) != 0)
            continue;
        for (unsigned s = 0; s < (methods[m] == HT_FLOYD_STEINBERG ? 1 : 3);
             s++)
            for (unsigned w = 0; w < 4; w++)
                for (unsigned i = 0; i < 7; i++)
                    for (int samples = SHALLOW; samples <= CURVED; samples++) {
                        struct kind kind = {.method = methods[m],
                                            .segment = segments[s],
                                            .width = widths[w],
                                            .rows = rows[m],
                                            .inks = inks[i],
                                            .samples = (enum samples)samples};

                        kind.pages = checked % 4 == 0 ? CROWD : 1;
                        check_kind(&kind,
                                   checked % 5 == 0 ? some_inks : patches);
                        checked++;
                    }
    }
    printf("%u kinds of pages compared: %s\n", checked,
           wrong ? "WRONG DOTS" : "the same dots");
}

static const struct kind cmyk = {.method = HT_TDFED4,
                                 .segment = 256,
                                 .width = WIDTH,
                                 .rows = ROWS,
                                 .inks = 4,
                                 .samples = SHALLOW,
                                 .pages = 1};

static void one_page(void)
{
    struct kind kind = cmyk;

    row("tdfed4, segments 256, CMYK photo", kind, 5, photo);
    row("tdfed4, segments 256, CMYK, little black", kind, 5, little_black);
    row("tdfed4, segments 256, CMYK text", kind, 5, text);
    kind.samples = CURVED;
    row("tdfed4, segments 256, CMYK photo, curves", kind, 5, photo);
    kind = cmyk;
    kind.inks = 1;
    row("tdfed4, segments 256, gray photo", kind, 5, photo);
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
    struct kind kind = cmyk;

    for (kind.pages = 4; kind.pages <= MOST_PAGES; kind.pages *= 2) {
        char what[64];
        snprintf(what, sizeof what, "tdfed4, segments 256, %u CMYK photos",
                 kind.pages);
        row(what, kind, 5, photo);
    }
    kind.pages = MOST_PAGES;
    row("tdfed4, segments 256, 32 CMYK texts", kind, 5, text);
    kind.samples = CURVED;
    row("tdfed4, segments 256, 32 photos, curves", kind, 5, photo);
}

static void unbroken_rows(void)
{
    struct kind kind = cmyk;

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
    struct kind kind = cmyk;

    kind.method = HT_TDFED1;
    row("tdfed1, segments 256, CMYK photo", kind, 3, photo);
    kind.method = HT_FLOYD_STEINBERG;
    kind.segment = 0;
    row("floyd-steinberg, CMYK photo", kind, 5, photo);
    kind.width = kind.rows = 16384;
    kind.inks = 1;
    row("floyd-steinberg, 16384 x 16384", kind, 5, photo);
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
        check_kinds(argc > 2 ? argv[2] : NULL);
        return wrong;
    }
    one_page();
    pages_in_flight();
    unbroken_rows();
    other_methods();
    return wrong;
}
