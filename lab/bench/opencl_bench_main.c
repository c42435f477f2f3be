/*
 * opencl_bench_main.c - times the OpenCL engine: Floyd-Steinberg of square
 * images of one ink, and A4 pages at 600 dpi: a photo of four inks by
 * Floyd-Steinberg and by TDFED, 512 rows of it in unbroken rows, a photo of one
 * ink and text. Those by TDFED also with three sizes of drops, mixed on all
 * pixels, and how much longer they take.
 *
 *   opencl-bench [LARGEST]     LARGEST: columns of the largest square, 1024 to
 *                              16384, 16384 without it
 *
 * Three times, in ms: of the kernels alone, as the device's clock has it, from
 * the first one's begin to the last one's end, part by part of a page; from
 * host to host, with the samples in the engine's own memory, in a queue that
 * keeps no times; and, for the same page, of the fastest engine of the CPU, by
 * whose dots those of the device are checked. Medians of five runs after one
 * that is not counted; the CPU's is a single run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/bench/clock.h"
#include "lab/bench/content.h"
#include "gpu/opencl/engine.h"
#include "gpu/opencl/page.h"

#define RUNS 5
#define UNBROKEN_ROWS 512u

struct bench_image {
    const char *name;
    enum content content;
    ht_page_t page;
    uint8_t *samples; /* [height][inks][width] */
    uint8_t *dots, *wanted;
    size_t row, dot_bytes; /* of samples; of all dots */
};

/* Medians. */
struct bench_times {
    double kernels, all; /* s */
};

static bool image_make(struct bench_image *image)
{
    const ht_page_t *page = &image->page;
    const size_t row = (size_t)page->inks * page->width;

    image->row = row;
    image->dot_bytes = ht_row_bytes(page) * page->inks * page->height;
    image->samples = malloc(row * page->height);
    image->dots = malloc(image->dot_bytes);
    image->wanted = malloc(image->dot_bytes);
    if (image->samples == NULL || image->dots == NULL || image->wanted == NULL)
        return false;
    for (size_t y = 0; y < page->height; y++)
        for (uint32_t k = 0; k < page->inks; k++)
            for (uint32_t x = 0; x < page->width; x++)
                image->samples[y * row + k * (size_t)page->width + x] =
                    content_sample(image->content, x, (uint32_t)y, k);
    return true;
}

static void image_free(struct bench_image *image)
{
    free(image->samples);
    free(image->dots);
    free(image->wanted);
}

/* Prints the image with the CPU; returns the seconds, below 0 if it fails. */
static double print_here(struct bench_image *image)
{
    const ht_page_t *page = &image->page;
    ht_engine_t *engine = NULL;
    size_t taken = 0, ready;
    const size_t dot_row = image->dot_bytes / page->height;
    double begin = now();
    bool ok = ht_engine_open(&engine, "cpu", page) == HT_OK;

    for (size_t y = 0; ok && y < page->height; y += page->band) {
        size_t left = page->height - y;

        ok = ht_engine_submit(engine, image->samples + y * image->row, NULL,
                              left < page->band ? left : page->band) == HT_OK;
        if (ok && left <= page->band)
            ok = ht_engine_end(engine) == HT_OK;
        while (ok && (ready = ht_engine_ready(engine)) > 0) {
            ok = ht_engine_collect(engine, image->wanted + taken * dot_row,
                                   ready) == HT_OK;
            taken += ready;
        }
    }
    ht_engine_close(engine);
    return ok ? now() - begin : -1;
}

/* Opens the engine, of this program and not of the installed module. */
static bool open_here(ht_engine_t *engine, const ht_page_t *page)
{
    *engine = (ht_engine_t){.ops = &ht_opencl_engine, .page = *page};
    if (ht_own_table(page)->make(&engine->own_table) != HT_OK)
        return false;
    engine->page.table = engine->own_table;
    return ht_opencl_engine.available(&engine->page) &&
           ht_opencl_engine.open(engine) == HT_OK;
}

/* Prints the image with the device. Sets the seconds of the kernels, if the
 * queue keeps times, and from host to host. */
static bool print_there(struct bench_image *image, double *kernels, double *all)
{
    const ht_page_t *page = &image->page;
    ht_engine_t engine;
    bool ok = open_here(&engine, page);
    size_t space = 0;
    uint8_t *buffer = ok ? ht_engine_buffer(&engine, &space) : NULL;

    ok = ok && space >= page->height;
    if (ok)
        memcpy(buffer, image->samples, image->row * page->height);
    double begin = now();
    for (size_t y = 0; ok && y < page->height; y += page->band) {
        size_t left = page->height - y;

        ok = ht_engine_submit(&engine, buffer + y * image->row, NULL,
                              left < page->band ? left : page->band) == HT_OK;
    }
    ok = ok && ht_engine_end(&engine) == HT_OK &&
         ht_engine_collect(&engine, image->dots, page->height) == HT_OK;
    *all = now() - begin;
    if (ok) {
        *kernels = ((struct ht_cl_page *)engine.own)->kernel_s;
        if (engine.trouble[0] != '\0') {
            fprintf(stderr, "opencl-bench: %s\n", engine.trouble);
            ok = false;
        }
    }
    if (engine.own != NULL)
        ht_opencl_engine.close(&engine);
    ht_table_free(engine.own_table);
    return ok;
}

static bool measure(struct bench_image *image, struct bench_times *times)
{
    double kernels[RUNS + 1], all[RUNS + 1], ignored;
    double cpu = print_here(image);
    bool ok = cpu >= 0, equal = true;

    for (int i = 0; ok && i <= RUNS; i++) {
        ht_cl_keeps_times = true;
        ok = print_there(image, &kernels[i], &ignored);
        equal =
            equal && memcmp(image->dots, image->wanted, image->dot_bytes) == 0;
        ht_cl_keeps_times = false;
        ok = ok && print_there(image, &ignored, &all[i]);
        equal =
            equal && memcmp(image->dots, image->wanted, image->dot_bytes) == 0;
    }
    if (!ok) {
        fprintf(stderr, "opencl-bench: %s failed\n", image->name);
        return false;
    }
    sort_ascending(kernels + 1, RUNS);
    sort_ascending(all + 1, RUNS);
    *times = (struct bench_times){kernels[1 + RUNS / 2], all[1 + RUNS / 2]};
    printf("%-16s %6u x %-6u %u  %9.2f %9.2f %9.2f  %s\n", image->name,
           image->page.width, image->page.height, image->page.inks,
           times->kernels * 1e3, times->all * 1e3, cpu * 1e3,
           equal ? "equal" : "DIFFERENT");
    fflush(stdout);
    return equal;
}

static ht_page_t page_of(ht_method_t method, uint32_t width, uint32_t height,
                         uint32_t inks)
{
    ht_page_t page;

    ht_page_init(&page);
    page.method = method;
    page.width = width;
    page.height = height;
    page.inks = inks;
    page.band = height;
    page.device_memory = (size_t)8 << 30;
    return page;
}

static bool run_timed(const char *name, enum content content,
                      const ht_page_t page, struct bench_times *times)
{
    struct bench_image image = {.name = name, .content = content, .page = page};
    bool ok = image_make(&image) && measure(&image, times);

    image_free(&image);
    return ok;
}

static bool run(const char *name, enum content content, const ht_page_t page)
{
    struct bench_times times;

    return run_timed(name, content, page, &times);
}

/* Measures a page with one size of drops and with three. */
static bool run_sizes(const char *name, enum content content, ht_page_t page)
{
    struct bench_times one, three;

    if (!run_timed(name, content, page, &one))
        return false;
    page.levels = HT_MIXED_LEVELS;
    for (uint32_t i = 1; i < HT_MIXED_LEVELS; i++)
        page.area[i - 1] = (uint16_t)(HT_WHOLE_DOT * i / (HT_MIXED_LEVELS - 1));
    page.mixed = HT_MAX_MIXED;
    if (!run_timed("  three sizes", content, page, &three))
        return false;
    printf("%-34s %9.2f %9.2f\n", "  to one", three.kernels / one.kernels,
           three.all / one.all);
    return true;
}

/* Measures the A4 pages. */
static bool run_pages(void)
{
    const ht_page_t floyd =
        page_of(HT_FLOYD_STEINBERG, PAGE_WIDTH, PAGE_ROWS, 4);
    const ht_page_t tdfed = page_of(HT_TDFED4, PAGE_WIDTH, PAGE_ROWS, 4);
    const ht_page_t gray = page_of(HT_TDFED4, PAGE_WIDTH, PAGE_ROWS, 1);
    ht_page_t unbroken = page_of(HT_TDFED4, PAGE_WIDTH, UNBROKEN_ROWS, 4);
    bool ok = run_sizes("Floyd-Steinberg", PHOTO, floyd);

    unbroken.segment = 0;
    ok = run_sizes("TDFED4", PHOTO, tdfed) && ok;
    ok = run_sizes("TDFED4", PHOTO, gray) && ok;
    ok = run_sizes("TDFED4, text", TEXT, tdfed) && ok;
    return run_sizes("TDFED4, unbroken", PHOTO, unbroken) && ok;
}

int main(int argc, char **argv)
{
    unsigned long largest = argc > 1 ? strtoul(argv[1], NULL, 10) : 16384;
    bool ok = true;
    char name[256] = "";

    if (argc > 2 || largest < 1024 || largest > 16384) {
        fputs("usage: opencl-bench [LARGEST]\n", stderr);
        return 2;
    }
    if (ht_cl_device() == NULL) {
        fputs("opencl-bench: there is no OpenCL device here\n", stderr);
        return 77;
    }
    ht_cl()->clGetDeviceInfo(ht_cl_device()->id, CL_DEVICE_NAME,
                             sizeof name - 1, name, NULL);
    printf("%s\n%-16s %15s %s  %9s %9s %9s\n", name, "ms", "size", "inks",
           "kernels", "all", "CPU");
    for (uint32_t size = 1024; size <= largest; size *= 2)
        ok = run("Floyd-Steinberg", PHOTO,
                 page_of(HT_FLOYD_STEINBERG, size, size, 1)) &&
             ok;
    ok = run_pages() && ok;
    return ok ? 0 : 1;
}
