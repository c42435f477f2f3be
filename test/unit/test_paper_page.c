/*
 * test_paper_page.c - a page on paper looks the same by any number of threads,
 * and a region of it as it does on the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "test/cases.h"
#include "tools/paper_page.h"
#include "tools/region.h"

#define WIDTH 733
#define HEIGHT 150

static struct srgb srgb;
static uint32_t dots[HEIGHT][WIDTH];
static struct layout layout = {
    .letters = "CMYK", .width = WIDTH, .height = HEIGHT, .inks = 4};

/* A picture, row by row. */
struct paper_picture {
    uint32_t columns, rows;
    uint32_t most; /* rows that are taken */
    uint8_t rgb[HEIGHT * WIDTH * 3];
};

static bool put(void *context, const uint8_t *row)
{
    struct paper_picture *picture = context;

    if (picture->rows == picture->most)
        return false;
    memcpy(picture->rgb + picture->rows++ * picture->columns * 3, row,
           picture->columns * 3);
    return true;
}

/* Shows `dots`; returns whether all calls were true. */
static bool show(struct paper_picture *picture, const struct region *region,
                 uint32_t scale, uint32_t threads, const double *area)
{
    layout.bits = area != NULL ? 2 : 1;

    const struct paper_page_job job = {.layout = &layout,
                                       .area = area,
                                       .region = *region,
                                       .scale = scale,
                                       .threads = threads,
                                       .srgb = &srgb,
                                       .put = put,
                                       .context = picture};
    struct paper_page *page = paper_page_open(&job);
    bool ok = true;

    assert_non_null(page);
    picture->columns = (region->width - 1) / scale + 1;
    picture->rows = 0;
    for (uint32_t y = 0; ok && y < HEIGHT; y++) {
        uint32_t *to = paper_page_dots(page);

        if (to != NULL)
            memcpy(to, dots[y], sizeof dots[y]);
        ok = paper_page_row(page);
    }
    ok = ok && paper_page_end(page);
    paper_page_close(page);
    return ok;
}

/* Puts drops of sizes up to `sizes` of each ink on a quarter of the pixels. */
static void scatter(unsigned sizes)
{
    uint32_t random = 1;

    srgb_fill(&srgb);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            dots[y][x] = 0;
            for (unsigned k = 0; k < layout.inks; k++) {
                random = random * 1664525 + 1013904223;
                if (random >> 30 == 0)
                    dots[y][x] |= (1 + (random >> 16) % sizes)
                                  << PAPER_BITS * k;
            }
        }
}

static const struct region all = {WIDTH, HEIGHT, 0, 0};
static const double areas[PAPER_SIZES] = {0.3, 0.5, 0.6, 0.8, 1};

TEST(threads_make_the_same_picture)
{
    static struct paper_picture one, several;

    for (uint32_t scale = 1; scale <= WIDTH; scale = scale * 3 + 1)
        for (uint32_t threads = 2; threads <= 64; threads *= 2) {
            const double *area = threads == 8 ? areas : NULL;

            case_is("scale %u, %u threads", scale, threads);
            scatter(area != NULL ? PAPER_SIZES : 1);
            one.most = several.most = HEIGHT;
            assert_true(show(&one, &all, scale, 1, area));
            assert_true(show(&several, &all, scale, threads, area));
            assert_int_equal(one.rows, (HEIGHT - 1) / scale + 1);
            assert_int_equal(several.rows, one.rows);
            assert_memory_equal(one.rgb, several.rgb,
                                one.rows * one.columns * 3);
        }
}

TEST(a_region_looks_as_it_does_on_the_page)
{
    static const struct region regions[] = {
        {WIDTH, HEIGHT, 0, 0},         {1, 1, 0, 0},
        {1, 1, WIDTH - 1, HEIGHT - 1}, {300, 4, 200, 3},
        {17, HEIGHT - 6, 5, 6},        {WIDTH, 1, 0, 77}};
    static struct paper_picture page, part;

    scatter(1);
    page.most = part.most = HEIGHT;
    assert_true(show(&page, &all, 1, 2, NULL));
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        const struct region *r = &regions[i];

        case_is("region %zu", i);
        assert_true(region_fits(r, WIDTH, HEIGHT));
        assert_true(show(&part, r, 1, 3, NULL));
        assert_int_equal(part.rows, r->height);
        for (uint32_t y = 0; y < r->height; y++)
            assert_memory_equal(part.rgb + y * r->width * 3,
                                page.rgb + ((r->y + y) * WIDTH + r->x) * 3,
                                r->width * 3);
    }
}

TEST(ten_inks_lie_between_white_and_black)
{
    static struct paper_picture picture;
    uint8_t least = UINT8_MAX, most = 0;

    assert_true(
        ink_set_parse(&layout.set, "K LK:35 LLK:14 C LC:33 M LM:33 Y O G"));
    layout.inks = layout.set.count;
    layout.letters = "";
    scatter(PAPER_SIZES);
    picture.most = HEIGHT;
    assert_true(show(&picture, &all, 1, 2, areas));
    for (size_t i = 0; i < sizeof picture.rgb; i++) {
        least = picture.rgb[i] < least ? picture.rgb[i] : least;
        most = picture.rgb[i] > most ? picture.rgb[i] : most;
    }
    assert_in_range(least, 0, 20);
    assert_in_range(most, 200, UINT8_MAX);
}

TEST(a_picture_that_nobody_takes_ends)
{
    static struct paper_picture picture;

    scatter(1);
    for (picture.most = 0; picture.most < HEIGHT; picture.most += 29)
        assert_false(show(&picture, &all, 1, 4, NULL));
}

TEST(regions_are_read_whole_or_not_at_all)
{
    static const char *const wrong[] = {
        "",          "1x1",      "1x1+2",           "0x1+0+0", "1x0+0+0",
        "-1x1+0+0",  "1x1+-1+0", "1x1+0+0 ",        "1X1+0+0", " 1x1+0+0",
        "1x1+0+0+0", "1x1-1+0",  "1x1+4294967296+0"};
    struct region region = {7, 7, 7, 7};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        case_is("%s", wrong[i]);
        assert_false(region_read(&region, wrong[i]));
        assert_int_equal(region.width + region.y, 14);
    }
    assert_true(region_read(&region, "10x20+2147483647+0"));
    assert_int_equal(region.x, INT32_MAX);
    assert_false(region_fits(&region, UINT32_C(1) << 31, 20));
    assert_true(region_read(&region, "10x20+30+40"));
    assert_true(region_fits(&region, 40, 60));
    assert_false(region_fits(&region, 39, 60));
    assert_false(region_fits(&region, 40, 59));
}
