/*
 * test_sums.c - gpu/cuda/sums.cu, and what it is measured against, in the
 * emulator: tables of random pages, compared with sums one by one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/cuda/sums.h"
#include "test/cases.h"
#include "test/unit/pages.h"
#include "tools/ink-map/gpu.h"
#include "tools/ink-map/map.h"

#define MOST_COUNT 4 /* of a pixel */

/* Counts of pixels [planes][height][pitch], and their table of sums. */
struct sums_page {
    struct ht_sums sums;
    uint8_t *counts;
    uint32_t *table;
    void *scratch;
    size_t table_bytes, scratch_bytes;
};

static struct sums_page new_page(uint32_t width, uint32_t height,
                                 uint32_t planes)
{
    struct sums_page page = {
        .sums = {width, height, (width + 3) / 4 * 4, planes}};
    size_t count = (size_t)planes * height * page.sums.pitch;

    page.counts = calloc(count, 1);
    page.table_bytes = count * sizeof *page.table;
    page.scratch_bytes = ht_sums_scratch(&page.sums);
    page.table = poisoned(page.table_bytes);
    page.scratch = poisoned(page.scratch_bytes);
    assert_non_null(page.counts);
    return page;
}

static void free_page(struct sums_page *page)
{
    check_guard(page->table, page->table_bytes);
    check_guard(page->scratch, page->scratch_bytes);
    free(page->counts);
    free(page->table);
    free(page->scratch);
}

static void check_table(const struct sums_page *page)
{
    const struct ht_sums *s = &page->sums;
    uint32_t *above = calloc(s->width, sizeof *above);

    assert_non_null(above);
    for (uint32_t plane = 0; plane < s->planes; plane++) {
        memset(above, 0, s->width * sizeof *above);
        for (uint32_t y = 0; y < s->height; y++) {
            size_t row = ((size_t)plane * s->height + y) * s->pitch;
            uint32_t left = 0;

            for (uint32_t x = 0; x < s->width; x++) {
                left += page->counts[row + x];
                above[x] += left;
                if (page->table[row + x] != above[x])
                    fail_msg("plane %u at %u,%u: %u, not %u", plane, x, y,
                             page->table[row + x], above[x]);
            }
        }
    }
    free(above);
}

/* A random image, and what its bins count. */
static uint8_t *make_image(struct sums_page *page, uint64_t *seed)
{
    const struct ht_sums *s = &page->sums;
    size_t size = (size_t)s->height * s->pitch;
    uint8_t *image = malloc(size);

    assert_non_null(image);
    for (size_t i = 0; i < size; i++) {
        image[i] = (uint8_t)next_random(seed);
        page->counts[image[i] * s->planes / 256 * size + i] = 1;
    }
    return image;
}

static void check_histogram(uint32_t width, uint32_t height, uint32_t planes,
                            uint64_t *seed)
{
    struct sums_page page = new_page(width, height, planes);
    uint8_t *image = make_image(&page, seed);

    assert_int_equal(
        ht_sums_histogram(&page.sums, image, page.scratch, page.table, NULL),
        cudaSuccess);
    check_table(&page);
    free(image);
    free_page(&page);
}

/* Rows of less than a warp, of some, of all of a block, and of more chunks. */
TEST(histograms)
{
    static const uint32_t shapes[][3] = {
        {1, 1, 1},     {3, 50, 2},    {130, 37, 16}, {257, 9, 5},
        {511, 70, 3},  {2050, 5, 2},  {8192, 3, 1},  {8193, 6, 1},
        {16384, 2, 1}, {16387, 3, 1}, {32768, 9, 1}, {40, 700, 256},
        {20, 5000, 1}};
    uint64_t seed = 50;

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        case_is("%u x %u, %u bins", shapes[i][0], shapes[i][1], shapes[i][2]);
        check_histogram(shapes[i][0], shapes[i][1], shapes[i][2], &seed);
    }
}

/* Dots of some of up to four inks, in lines with bytes behind them. */
TEST(dots)
{
    uint64_t seed = 52;

    for (uint32_t width = 1; width < 700; width = width * 5 / 4 + 3)
        for (uint32_t inks = 1; inks <= MOST_COUNT; inks++) {
            uint32_t height = 1 + random_below(&seed, 70);
            struct sums_page page = new_page(width, height, 1);
            size_t line = (width + 7) / 8 + random_below(&seed, 9);
            unsigned counted = random_below(&seed, 16);
            uint8_t *bytes = malloc(height * inks * line);

            case_is("%u x %u, inks %x of %u", width, height, counted, inks);
            assert_non_null(bytes);
            for (size_t i = 0; i < height * inks * line; i++)
                bytes[i] = (uint8_t)next_random(&seed);
            for (uint32_t y = 0; y < height; y++)
                for (uint32_t k = 0; k < inks; k++)
                    for (uint32_t x = 0; counted >> k & 1 && x < width; x++)
                        page.counts[(size_t)y * page.sums.pitch + x] +=
                            bytes[(y * inks + k) * line + x / 8] >>
                                (7 - x % 8) &
                            1;
            assert_int_equal(ht_sums_dots(&page.sums, bytes, inks, line,
                                          counted, page.scratch, page.table,
                                          NULL),
                             cudaSuccess);
            check_table(&page);
            free(bytes);
            free_page(&page);
        }
}

/* ---- The module, as ink-report uses it ----------------------------------- */

/* Adds up the sums of windows, each times another number. */
struct taken {
    uint64_t sum, factor;
};

static void take(void *context, unsigned size, uint32_t row,
                 const uint64_t *sums)
{
    struct taken *taken = context;

    (void)size;
    (void)row;
    taken->sum += sums[0] * taken->factor++;
    taken->sum += sums[1] * taken->factor++;
    taken->sum += sums[2] * taken->factor++;
}

/* A device that counts some batches and then has failed. */
struct sums_device {
    struct ink_gpu *gpu;
    unsigned batches, done;
};

static bool count_some(void *context, const struct ink_count *count,
                       struct ink_batch *batch)
{
    struct sums_device *device = context;

    if (device->done == device->batches)
        return false;
    assert_true(ink_gpu_count(device->gpu, count, batch));
    device->done++;
    return true;
}

static uint64_t map_page(const struct ink_map_job *asked, uint64_t seed)
{
    struct ink_map_job job = *asked;
    uint32_t width = job.size[0].across.pixels;
    struct taken taken = {.factor = 1};
    struct ink_map *map;
    uint64_t dots = 0;

    job.take = take;
    job.context = &taken;
    assert_true(ink_map_open(&map, &job));
    for (uint32_t y = 0; y < job.size[0].down.pixels; y++) {
        uint8_t *const *planes = ink_map_row(map);

        for (uint32_t k = 0; k < job.inks; k++) {
            for (uint32_t i = 0; i < width / 8; i++)
                planes[k][i] = (uint8_t)next_random(&seed);
            if (width % 8 != 0)
                planes[k][width / 8] =
                    (uint8_t)(next_random(&seed) << (8 - width % 8));
        }
        ink_map_count(map);
    }
    for (uint32_t k = 0; k < job.inks; k++)
        dots = dots * 3 + ink_map_dots(map, k);
    ink_map_close(map);
    return taken.sum + dots;
}

TEST(windows_are_those_of_the_processor)
{
    static const uint32_t widths[] = {60, 64, 127, 500};

    for (unsigned i = 0; i < 16; i++) {
        uint32_t inks = 1 + i % 4, width = widths[i / 4];
        struct ink_map_job job = {.inks = inks,
                                  .counted = i % 3 ? (1u << inks) - 1 : 1,
                                  .threads = 1 + i % 3,
                                  .sizes = 2};
        struct sums_device device = {.batches = i % 5 == 0 ? 1 : 3};
        const char *why = "";

        case_is("page %u", i);
        job.size[0].across = ink_map_axis(width, 20);
        job.size[0].down = ink_map_axis(150, 20);
        job.size[1].across = ink_map_axis(width, 45);
        job.size[1].down = ink_map_axis(150, 70);
        uint64_t wanted = map_page(&job, i);

        device.gpu = ink_gpu_open(MODULE, width, inks, &why);
        assert_string_equal(why, "");
        assert_non_null(device.gpu);
        job.device = count_some;
        job.device_context = &device;
        assert_true(map_page(&job, i) == wanted);
        assert_int_equal(device.done, device.batches);
        ink_gpu_close(device.gpu);
    }
}

TEST(what_is_no_module_is_said)
{
    const char *why = NULL;

    assert_null(ink_gpu_open("/none.so", 100, 1, &why));
    assert_non_null(strstr(why, "not installed"));
    assert_null(ink_gpu_open(MODULE, HT_SUMS_MOST_WIDTH + 1, 1, &why));
    assert_non_null(strstr(why, "too wide"));
    ink_gpu_close(NULL);
}
