/*
 * test_ink_map.c - windows of random pages, counted dot by dot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/merge.h"
#include "test/cases.h"
#include "test/unit/pages.h"
#include "tools/ink-map/loads.h"
#include "tools/ink-map/map.h"
#include "tools/ink-map/picture.h"

#define GUARD 0x88

/* A page of dots [inks][height][width], a byte each, and what has been taken of
 * it. */
struct map_sheet {
    const struct ink_map_job *job;
    uint32_t width, height;
    uint8_t *dots;
    uint32_t next[INK_MAP_SIZES]; /* rows of places that were taken */
};

static void fill(struct map_sheet *sheet, uint64_t *seed)
{
    size_t count = (size_t)sheet->job->inks * sheet->width * sheet->height;
    uint32_t tone = (uint32_t)(next_random(seed) % 257);

    sheet->dots = malloc(count);
    assert_non_null(sheet->dots);
    for (size_t i = 0; i < count; i++)
        sheet->dots[i] = next_random(seed) % 256 < tone;
}

static uint64_t counted(const struct map_sheet *sheet, unsigned inks,
                        uint32_t left, uint32_t top, uint32_t wide,
                        uint32_t high)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < sheet->job->inks; k++)
        for (uint32_t y = top; inks >> k & 1 && y < top + high; y++) {
            const uint8_t *row =
                sheet->dots + ((size_t)k * sheet->height + y) * sheet->width;
            for (uint32_t x = left; x < left + wide; x++)
                sum += row[x];
        }
    return sum;
}

static void take(void *context, unsigned size, uint32_t row,
                 const uint64_t *sums)
{
    struct map_sheet *sheet = context;
    const struct ink_map_axis *across = &sheet->job->size[size].across;
    const struct ink_map_axis *down = &sheet->job->size[size].down;

    assert_int_equal(row, sheet->next[size]);
    sheet->next[size]++;
    for (uint32_t i = 0; i < across->places; i++)
        assert_int_equal(sums[i], counted(sheet, sheet->job->counted,
                                          ink_map_begin(across, i),
                                          ink_map_begin(down, row),
                                          across->window, down->window));
}

static void pack(const struct map_sheet *sheet, uint32_t y,
                 uint8_t *const *planes)
{
    for (uint32_t k = 0; k < sheet->job->inks; k++) {
        const uint8_t *row =
            sheet->dots + ((size_t)k * sheet->height + y) * sheet->width;

        memset(planes[k], 0, (sheet->width + 7) / 8);
        for (uint32_t x = 0; x < sheet->width; x++)
            planes[k][x / 8] |= (uint8_t)(row[x] << (7 - x % 8));
    }
}

/* Maps a random page with windows of so many pixels. */
static void map_page(struct ink_map_job *job, uint32_t width, uint32_t height,
                     const double *window, uint64_t *seed)
{
    struct map_sheet sheet = {.job = job, .width = width, .height = height};
    struct ink_map *map = NULL;

    job->take = take;
    job->context = &sheet;
    for (unsigned s = 0; s < job->sizes; s++) {
        job->size[s].across = ink_map_axis(width, window[s]);
        job->size[s].down = ink_map_axis(height, window[s] * 0.7);
    }
    fill(&sheet, seed);
    assert_true(ink_map_open(&map, job));
    for (uint32_t y = 0; y < height; y++) {
        pack(&sheet, y, ink_map_row(map));
        ink_map_count(map);
    }
    for (unsigned s = 0; s < job->sizes; s++)
        assert_int_equal(sheet.next[s], job->size[s].down.places);
    for (uint32_t k = 0; k < job->inks; k++)
        assert_int_equal(ink_map_dots(map, k),
                         counted(&sheet, 1u << k, 0, 0, width, height));
    ink_map_close(map);
    free(sheet.dots);
}

TEST(every_width_and_inks)
{
    uint64_t seed = 43;

    for (uint32_t width = 1; width <= 300; width += width < 140 ? 1 : 13)
        for (uint32_t inks = 1; inks <= INK_MAP_INKS; inks++) {
            struct ink_map_job job = {.inks = inks,
                                      .counted = (1u << inks) - 1,
                                      .threads = 1,
                                      .sizes = 1};
            double window = 1 + (double)(next_random(&seed) % 70);

            case_is("width %u, %u inks, window %g", width, inks, window);
            map_page(&job, width, 70, &window, &seed);
        }
}

/* Batches end in windows, and windows are larger than batches and pages. */
TEST(every_height)
{
    static const double windows[] = {1, 3.4, 11, 30, 64, 95.5, 190, 1000};
    uint64_t seed = 44;

    for (uint32_t height = 1; height <= 270; height += height < 70 ? 1 : 7) {
        struct ink_map_job job = {
            .inks = 2, .counted = 3, .threads = 1 + height % 4, .sizes = 1};
        const double *window = &windows[next_random(&seed) % 8];

        case_is("height %u, window %g, %u threads", height, *window,
                job.threads);
        map_page(&job, 97, height, window, &seed);
    }
}

TEST(several_sizes_of_any_inks)
{
    uint64_t seed = 45;

    for (unsigned threads = 1; threads <= 9; threads++)
        for (unsigned inks = 0; inks < 16; inks += 3) {
            struct ink_map_job job = {.inks = 4,
                                      .counted = inks,
                                      .threads = threads,
                                      .sizes = INK_MAP_SIZES};
            double window[INK_MAP_SIZES];

            for (unsigned s = 0; s < INK_MAP_SIZES; s++)
                window[s] = 0.5 + (double)(next_random(&seed) % 2000) / 10;
            case_is("%u threads, inks %x", threads, inks);
            map_page(&job, 150, 130, window, &seed);
        }
}

/* All bits of a column's sum are used. */
TEST(solid_pages)
{
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct ink_map_job job = {
            .inks = 4, .counted = 15, .threads = threads, .sizes = 1};
        struct map_sheet sheet = {.job = &job, .width = 200, .height = 200};
        struct ink_map *map = NULL;

        job.take = take;
        job.context = &sheet;
        job.size[0].across = ink_map_axis(200, 150);
        job.size[0].down = ink_map_axis(200, 3000);
        sheet.dots = malloc((size_t)4 * 200 * 200);
        assert_non_null(sheet.dots);
        memset(sheet.dots, 1, (size_t)4 * 200 * 200);
        assert_true(ink_map_open(&map, &job));
        for (uint32_t y = 0; y < 200; y++) {
            pack(&sheet, y, ink_map_row(map));
            ink_map_count(map);
        }
        assert_int_equal(sheet.next[0], 1 + (200 - 1) / job.size[0].down.step);
        ink_map_close(map);
        free(sheet.dots);
    }
}

TEST(windows_are_whole_and_cover_the_page)
{
    for (uint32_t pixels = 1; pixels <= 400; pixels += 3)
        for (double window = 0.3; window < 500; window = window * 1.7 + 0.4) {
            struct ink_map_axis axis = ink_map_axis(pixels, window);
            uint32_t covered = 0, places = 0;

            case_is("%u pixels, window %g", pixels, window);
            assert_in_range(axis.window, 1, pixels);
            if (window >= 1 && window <= pixels)
                assert_true(axis.window < window + 0.51 &&
                            axis.window > window - 0.51);
            for (uint32_t i = 0; i < axis.places; i++) {
                uint32_t begin = ink_map_begin(&axis, i);

                assert_true(begin <= covered);
                assert_true(begin + axis.window <= pixels);
                covered = begin + axis.window;
                places += ink_map_place(&axis, i);
            }
            assert_int_equal(covered, pixels);
            assert_int_equal(places, pixels);
        }
}

/* A page that ends early, with helpers at work. */
TEST(a_map_can_be_closed_at_any_row)
{
    uint64_t seed = 46;

    for (uint32_t rows = 0; rows < 300; rows += 31) {
        struct ink_map_job job = {
            .inks = 1, .counted = 1, .threads = 3, .sizes = 1};
        struct map_sheet sheet = {.job = &job, .width = 80, .height = 300};
        struct ink_map *map = NULL;

        case_is("%u rows", rows);
        job.take = take;
        job.context = &sheet;
        job.size[0].across = ink_map_axis(80, 20);
        job.size[0].down = ink_map_axis(300, 20);
        fill(&sheet, &seed);
        assert_true(ink_map_open(&map, &job));
        for (uint32_t y = 0; y < rows; y++) {
            pack(&sheet, y, ink_map_row(map));
            ink_map_count(map);
        }
        ink_map_close(map);
        free(sheet.dots);
    }
    ink_map_close(NULL);
}

/* Dots that were put together come apart, and nothing else is written. */
TEST(parts_are_what_was_merged)
{
    uint64_t seed = 47;

    for (uint32_t width = 1; width <= 600; width++) {
        uint8_t planes[4][80], parts[4][80], merged[310];
        const uint8_t *from[4] = {planes[0], planes[1], planes[2], planes[3]};
        uint8_t *to[4] = {parts[0], parts[1], parts[2], parts[3]};
        uint32_t bytes = (width + 7) / 8;

        case_is("width %u", width);
        for (int k = 0; k < 4; k++)
            for (uint32_t i = 0; i < 80; i++)
                planes[k][i] = (uint8_t)next_random(&seed);
        memset(parts, GUARD, sizeof parts);
        merge_dots(from, width, merged);
        part_dots(merged, width, to);
        for (int k = 0; k < 4; k++) {
            if (width % 8 != 0)
                planes[k][bytes - 1] &= (uint8_t)(0xff << (8 - width % 8));
            assert_memory_equal(parts[k], planes[k], bytes);
            for (uint32_t i = bytes; i < 80; i++)
                assert_int_equal(parts[k][i], GUARD);
        }
    }
}

/* ---- Loads and pictures -------------------------------------------------- */

#define PLACES 40u

/* A page of 80 x 80 pixels in places of 2 x 2, with windows of 20 x 20. */
struct loads {
    struct ink_map_axis axis;
    uint64_t sums[PLACES][PLACES];
};

static struct loads random_loads(uint64_t *seed)
{
    struct loads loads = {.axis = ink_map_axis(80, 20)};

    assert_int_equal(loads.axis.places, PLACES);
    for (uint32_t y = 0; y < PLACES; y++)
        for (uint32_t x = 0; x < PLACES; x++)
            loads.sums[y][x] = random_below(seed, 4 * 400 + 1);
    return loads;
}

static double share_not_above(const struct loads *loads, double load)
{
    unsigned places = 0;

    for (uint32_t y = 0; y < PLACES; y++)
        for (uint32_t x = 0; x < PLACES; x++)
            places += (double)loads->sums[y][x] <= load * 400;
    return (double)places / (PLACES * PLACES);
}

TEST(loads_are_shares_of_the_page)
{
    uint64_t seed = 48;

    for (int i = 0; i < 20; i++) {
        struct loads loads = random_loads(&seed);
        double limit = random_below(&seed, 400) / 100.0;
        struct ink_loads got;
        uint64_t most = 0;

        assert_true(ink_loads_open(&got, &loads.axis, &loads.axis, limit));
        for (uint32_t y = 0; y < PLACES; y++) {
            ink_loads_add(&got, y, loads.sums[y]);
            for (uint32_t x = 0; x < PLACES; x++)
                most = loads.sums[y][x] > most ? loads.sums[y][x] : most;
        }
        assert_int_equal(got.worst, most);
        assert_near((double)got.above / (80 * 80),
                    1 - share_not_above(&loads, limit), 1e-9);
        for (unsigned percent = 1; percent <= 100; percent++) {
            double load = ink_loads_share(&got, percent / 100.0);

            case_is("page %d, %u %%, load %g", i, percent, load);
            assert_true(share_not_above(&loads, load + 1e-4) >=
                        percent / 100.0 - 1e-9);
            assert_true(share_not_above(&loads, load - 1e-4) <
                        percent / 100.0 + 1e-9);
        }
        ink_loads_close(&got);
    }
}

TEST(marks_are_the_worst_and_apart)
{
    static const uint32_t dpi[2] = {300, 300};
    uint64_t seed = 49;

    for (int i = 0; i < 20; i++) {
        struct loads loads = random_loads(&seed);
        struct ink_mark marks[INK_PICTURE_MARKS];
        struct ink_picture picture;
        uint64_t most = 0;

        case_is("page %d", i);
        assert_true(
            ink_picture_open(&picture, &loads.axis, &loads.axis, 4, dpi));
        for (uint32_t y = 0; y < PLACES; y++) {
            ink_picture_add(&picture, y, loads.sums[y]);
            for (uint32_t x = 0; x < PLACES; x++)
                most = loads.sums[y][x] > most ? loads.sums[y][x] : most;
        }
        assert_int_equal(ink_picture_marks(&picture, marks), INK_PICTURE_MARKS);
        assert_near(marks[0].load, (double)most / 400, 1e-4);
        for (unsigned m = 1; m < INK_PICTURE_MARKS; m++) {
            assert_true(marks[m].load <= marks[m - 1].load);
            for (unsigned n = 0; n < m; n++)
                assert_true(abs((int)marks[m].x - (int)marks[n].x) >= 20 ||
                            abs((int)marks[m].y - (int)marks[n].y) >= 20);
        }
        ink_picture_close(&picture);
    }
}

/* A page of 80 m at 1200 dpi, in half millimeters. */
TEST(pictures_of_long_pages_are_small)
{
    static const uint32_t dpi[2] = {1200, 1200};
    struct ink_map_axis across = ink_map_axis(40000, 24);
    struct ink_map_axis down = ink_map_axis(HT_MAX_HEIGHT, 24);
    struct ink_picture picture;

    assert_true(ink_picture_open(&picture, &across, &down, 4, dpi));
    assert_in_range((uint64_t)picture.width * picture.height, 1 << 20, 8 << 20);
    assert_true(picture.width * picture.block >= across.places);
    assert_true(picture.height * picture.block >= down.places);
    ink_picture_close(&picture);
}
