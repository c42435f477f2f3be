/*
 * test_gpu.c - the engines of accelerators against the reference;
 * gpu_failures.c has the failures of their devices, gpu_inks.c pages whose inks
 * come and go, gpu_sizes.c drops of several sizes, gpu_tables.c tables that are
 * given. gpu_devices.c is about CUDA alone, opencl_device.c about OpenCL. Built
 * four times, gpu_test.h: with each module (all tests are skipped where there
 * is no device), with CUDA's that has fake_cuda.c, fake_diffuse.c and
 * fake_rows.c instead of a GPU, and with one that has fake_cuda.c and the
 * kernels themselves, on the host (emulator/).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/engine.h"
#include "test/gpu/gpu_test.h"

static const size_t large_pages = LARGE_PAGES;
const char *program;

bool gpu_is_usable(void)
{
    ht_page_t page = {
        .method = HT_THRESHOLD, .width = 8, .inks = 1, .bits = 8, .band = 8};
    ht_engine_t *engine = NULL;
    bool ok = ht_engine_open(&engine, ENGINE, &page) == HT_OK;

    ht_engine_close(engine);
    return ok;
}

/* Inks that the engine takes with any table. */
#define MOST_INKS 8

ht_page_t random_page(uint64_t *seed)
{
    ht_page_t page = {.method = (ht_method_t)random_below(seed, HT_METHODS),
                      .width = 1 + random_below(seed, 70),
                      .inks = 1 + random_below(seed, MOST_INKS),
                      .bits = random_below(seed, 2) ? 8 : 16,
                      .band = 1 + random_below(seed, 40)};

    if (random_below(seed, 4) == 0)
        page.width = 200 + random_below(seed, 900);
    if (random_below(seed, 3) == 0)
        page.inks = 1 + random_below(seed, 4);
    if (random_below(seed, 3) > 0)
        page.segment = HT_MIN_SEGMENT + random_below(seed, 300);
    if (random_below(seed, 2) > 0)
        page.cells = HT_MIN_CELLS + random_below(seed, HT_MAX_CELLS - 3);
    return page;
}

void check_page(const char *name, const char *heir, const ht_page_t *page,
                size_t rows, size_t handover, uint64_t seed)
{
    void *samples = make_samples((enum content)(seed % CONTENTS), page->width,
                                 rows, page->inks, page->bits, seed);
    size_t bytes = rows * dot_row_bytes(page);
    uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);

    halftone_page(name, heir, page, samples, rows, handover, seed, got);
    reference_page(page, samples, rows, wanted);
    compare_dots(name, page, rows, seed, got, wanted);
    free(samples);
    free(got);
    free(wanted);
}

void check_pages(const char *name, const char *heir, bool handover,
                 uint64_t first, unsigned count)
{
    for (uint64_t seed = first; seed < first + count; seed++) {
        uint64_t random = seed;
        ht_page_t page = random_page(&random);
        size_t rows = 1 + random_below(&random, 70);
        size_t at = handover ? random_below(&random, (uint32_t)rows) : SIZE_MAX;

        check_page(name, heir, &page, rows, at, seed);
    }
}

TEST(the_dots_are_the_reference_s)
{
    check_pages(ENGINE, NULL, false, 1, PAGES);
}

TEST(the_cpu_takes_the_state_over)
{
    check_pages(ENGINE, "cpu", true, 1, PAGES);
}

TEST(the_device_takes_the_state_over)
{
    check_pages("cpu", ENGINE, true, 1, PAGES);
}

TEST(so_are_they_with_curves)
{
    static struct curves curves;

    for (uint64_t seed = 1; seed <= (PAGES + 9) / 10; seed++) {
        uint64_t random = seed;
        ht_page_t page = random_page(&random);
        size_t rows = 1 + random_below(&random, 70);

        make_curves(&curves, seed % CURVE_KINDS, seed);
        page.method = (ht_method_t)(seed % HT_METHODS);
        page.bits = 8;
        page.curves = curves.of;
        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, seed);
        check_page(ENGINE, "cpu", &page, rows, rows / 2, seed);
    }
}

/* Ranks that repeat, in both directions, in rows that begin anywhere in a word;
 * and rows of more than a warp's vectors. */
TEST(so_are_they_where_ranks_repeat)
{
    for (uint32_t i = 0; i < PAGES; i++) {
        bool wide = i % 4 == 3;
        ht_page_t page = {.method = i % 5 ? HT_SCREEN : HT_THRESHOLD,
                          .width = wide ? 2000 + 13 * i : 1 + 41 * i % 700,
                          .inks = 1 + i % (wide ? 3 : HT_MAX_INKS),
                          .bits = i / 2 % 2 ? 16 : 8,
                          .cells = HT_MIN_CELLS + i % (HT_MAX_CELLS - 3),
                          .band = 90};
        size_t rows = wide ? 20 : 270;
        enum content content = (enum content)(i % CONTENTS);

        check_page(ENGINE, NULL, &page, rows, SIZE_MAX, i);
        check_page("cpu", ENGINE, &page, rows, rows - 7 - content, i);
    }
}

/* Toned rows between rows of white and solid: the last pixel's error has
 * nowhere to go, at any column of a chunk, with any number of inks. */
TEST(so_are_they_where_errors_go_nowhere)
{
    enum { ROWS = 12 };

    for (uint32_t i = 0; i < PAGES; i++) {
        ht_page_t page = {.method = i % 4 ? HT_FLOYD_STEINBERG : HT_TDFED4,
                          .width = 1 + 37 * i % 150,
                          .inks = 1 + i % 6,
                          .bits = 8,
                          .segment = 40,
                          .band = 1 + i % 9};
        const size_t bytes = ROWS * dot_row_bytes(&page);
        uint8_t *samples =
            make_samples(PHOTO, page.width, ROWS, page.inks, 8, i);
        uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);

        for (uint32_t row = 1; row < ROWS; row += 2)
            for (uint32_t ink = 0; ink < page.inks; ink++)
                memset(samples + (row * page.inks + ink) * page.width,
                       (row / 2 + ink) % 3 ? 255 : 0, page.width);
        halftone_page(ENGINE, NULL, &page, samples, ROWS, SIZE_MAX, i, got);
        reference_page(&page, samples, ROWS, wanted);
        compare_dots(ENGINE, &page, ROWS, i, got, wanted);
        free(samples);
        free(got);
        free(wanted);
    }
}

/* As wide and as long as pages get, but for their kinds too many for the
 * reference. */
TEST(large_pages_too)
{
    static const struct {
        ht_method_t method;
        uint32_t width, inks, bits, segment;
        size_t rows;
    } pages[] = {{HT_TDFED4, 20400, 1, 8, 0, 64},
                 {HT_TDFED4, 5100, 4, 8, 256, 6600},
                 {HT_TDFED4, 5100, 1, 16, 0, 700},
                 {HT_TDFED4, 20400, 3, 8, 256, 300},
                 {HT_TDFED4, 5100, MOST_INKS, 8, 256, 120},
                 {HT_TDFED1, 5100, 4, 8, 256, 300},
                 {HT_FLOYD_STEINBERG, 5100, 1, 8, 0, 6600},
                 {HT_FLOYD_STEINBERG, 20400, 4, 16, 0, 300},
                 {HT_SCREEN, 5100, 4, 8, 0, 6600},
                 {HT_SCREEN, 20401, 3, 16, 0, 300}};

    for (size_t i = 0; i < large_pages; i++)
        for (enum content content = NOISE; content < CONTENTS; content++) {
            ht_page_t page = {.method = pages[i].method,
                              .width = pages[i].width,
                              .inks = pages[i].inks,
                              .bits = pages[i].bits,
                              .segment = pages[i].segment,
                              .band = 256};
            size_t rows = pages[i].rows, bytes = rows * dot_row_bytes(&page);
            void *samples = make_samples(content, page.width, rows, page.inks,
                                         page.bits, i);
            uint8_t *got = poisoned(bytes), *wanted = poisoned(bytes);

            halftone_page(ENGINE, NULL, &page, samples, rows, SIZE_MAX, i + 1,
                          got);
            halftone_page("cpu", NULL, &page, samples, rows, SIZE_MAX, 0,
                          wanted);
            compare_dots(ENGINE, &page, rows, i, got, wanted);
            free(samples);
            free(got);
            free(wanted);
        }
}

/* A blank and a solid page pass the pattern of words unchanged. */
TEST(flat_pages_are_flat)
{
    for (int solid = 0; solid < 2; solid++) {
        ht_page_t page = {.method = HT_TDFED4,
                          .width = 1003,
                          .inks = 2,
                          .bits = 8,
                          .segment = 256,
                          .band = 64};
        const size_t rows = 130, samples_bytes = rows * 2 * page.width;
        size_t row_bytes = dot_row_bytes(&page) / 2;
        size_t bytes = rows * 2 * row_bytes;
        uint8_t *samples = malloc(samples_bytes), *got = poisoned(bytes);

        memset(samples, solid ? 255 : 0, samples_bytes);
        halftone_page(ENGINE, NULL, &page, samples, rows, SIZE_MAX, 0, got);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(got[i], !solid                           ? 0
                                     : i % row_bytes == row_bytes - 1 ? 0xe0
                                                                      : 0xff);
        check_guard(got, bytes);
        free(samples);
        free(got);
    }
}

/* test_gpu [MODULE] - or `usable` in its place: exits with 3 if no device is.
 */
bool tests_options(int argc, char **argv)
{
    bool asked = argc > 1 && strcmp(argv[1], "usable") == 0;
    const char *module = argc > 1 && !asked ? argv[1] : MODULE;

    program = argv[0];
    unsetenv("HALFTONE_GPU_FAULT");
    setenv("HALFTONE_GPU_LOAD", NO_LOAD, 1);
    if (ht_engine_use_module(module) != HT_OK) {
        fprintf(stderr, "%s cannot be loaded\n", module);
        return false;
    }
    if (asked)
        exit(gpu_is_usable() ? 0 : 3);
#ifndef FAKE
    if (!gpu_is_usable()) {
        printf("1..0 # SKIP no device of %s here\n", ENGINE);
        exit(0);
    }
#endif
    return true;
}
