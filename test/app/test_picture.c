/*
 * test_picture.c - pictures of the printer application: the eight poses, what
 * EXIF data say of them, pixels that are reduced and enlarged, files that are
 * too large, and what a document is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "printer-app/document_type.h"
#include "printer-app/picture/picture_lines.h"
#include "printer-app/picture/picture_store.h"
#include "printer-app/picture/pose.h"
#include "test/cases.h"

/* Stores `pixels` [height][width] of gray, reduced to the plan. */
static void store(struct picture *picture, const uint8_t *pixels,
                  uint32_t width, uint32_t height, struct picture_plan plan)
{
    struct picture_store s;
    char why[PICTURE_WHY];
    const size_t depth = plan.color ? 3 : 1;

    assert_true(picture_store_open(&s, picture, &plan, width, height, why));
    for (uint32_t y = 0; y < height; y++)
        picture_store_line(&s, pixels + y * width * depth);
    picture_store_close(&s);
}

/* ---- Poses --------------------------------------------------------------- */

/* "F" as EXIF's orientations store it; seen, it is {1, 2, 3, 4, 5, 6}, two
 * columns and three rows. */
TEST(eight_poses_make_one_picture)
{
    static const struct {
        uint32_t width, height;
        uint8_t pixels[6];
    } stored[8] = {{2, 3, {1, 2, 3, 4, 5, 6}}, {2, 3, {2, 1, 4, 3, 6, 5}},
                   {2, 3, {6, 5, 4, 3, 2, 1}}, {2, 3, {5, 6, 3, 4, 1, 2}},
                   {3, 2, {1, 3, 5, 2, 4, 6}}, {3, 2, {2, 4, 6, 1, 3, 5}},
                   {3, 2, {6, 4, 2, 5, 3, 1}}, {3, 2, {5, 3, 1, 6, 4, 2}}};
    struct picture picture = {.pixels = NULL};

    for (unsigned i = 0; i < 8; i++) {
        case_is("orientation %u", i + 1);
        store(&picture, stored[i].pixels, stored[i].width, stored[i].height,
              (struct picture_plan){stored[i].width, stored[i].height,
                                    pose_of_exif(i + 1), false});
        assert_int_equal(picture.width, 2);
        assert_int_equal(picture.height, 3);
        assert_memory_equal(picture.pixels, stored[0].pixels, 6);
        picture_free(&picture);
    }
}

TEST(a_pose_after_another)
{
    static const uint8_t pixels[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct picture one = {.pixels = NULL}, two = one, both = one;

    for (unsigned first = 0; first < 8; first++)
        for (unsigned second = 0; second < 8; second++) {
            case_is("%u, then %u", first, second);
            store(&one, pixels, 2, 2, (struct picture_plan){2, 2, first, true});
            store(&two, one.pixels, 2, 2,
                  (struct picture_plan){2, 2, second, true});
            store(&both, pixels, 2, 2,
                  (struct picture_plan){2, 2, pose_then(first, second), true});
            assert_memory_equal(two.pixels, both.pixels, sizeof pixels);
            picture_free(&one);
            picture_free(&two);
            picture_free(&both);
        }
}

TEST(angles_are_anticlockwise)
{
    static const uint8_t right_way[2] = {1, 2}; /* one row */
    struct picture picture = {.pixels = NULL};

    for (int64_t angle = 0; angle < 360; angle += 90) {
        const bool across = angle % 180 != 0;
        const uint8_t first = angle == 90 || angle == 180 ? 2 : 1;

        case_is("%d degrees", (int)angle);
        store(&picture, right_way, 2, 1,
              (struct picture_plan){2, 1, pose_of_angle(angle), false});
        assert_int_equal(picture.width, across ? 1 : 2);
        assert_int_equal(picture.pixels[0], first);
        picture_free(&picture);
    }
}

/* ---- EXIF ---------------------------------------------------------------- */

static const uint8_t big[] = {
    'E', 'x',  'i',  'f',  0, 0,              /* then at 0: */
    'M', 'M',  0,    42,   0, 0, 0, 10, 0, 0, /* at 10: */
    0,   2,    0x01, 0x00, 0, 3, 0, 0,  0, 1, 0, 9, 0,
    0,   0x01, 0x12, 0,    3, 0, 0, 0,  1, 0, 6, 0, 0};
static const uint8_t little[] = {'I',  'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12,
                                 0x01, 3,   0,  1, 0, 0, 0, 8, 0, 0, 0};

/* As if the file ended with the data: sanitizers see one byte more. */
static unsigned orientation(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    assert_non_null(copy);
    memcpy(copy, data, size);
    const unsigned found = pose_exif(copy, size);
    free(copy);
    return found;
}

TEST(exif_has_both_orders_of_bytes)
{
    assert_int_equal(orientation(big, sizeof big), 6);
    assert_int_equal(orientation(big + 6, sizeof big - 6), 6);
    assert_int_equal(orientation(little, sizeof little), 8);
}

TEST(exif_that_is_cut_or_wrong_turns_nothing)
{
    uint8_t data[sizeof big];

    for (size_t size = 0; size < sizeof big - 2; size++) {
        case_is("%zu bytes", size);
        assert_int_equal(orientation(big, size), 1);
    }
    for (size_t i = 0; i < sizeof big; i++)
        for (unsigned byte = 0; byte < 256; byte++) {
            case_is("byte %zu is %u", i, byte);
            memcpy(data, big, sizeof big);
            data[i] = (uint8_t)byte;
            const unsigned found = orientation(data, sizeof data);

            assert_between(found, 1, 8);
            if (i == 39) /* its value */
                assert_int_equal(found, byte >= 1 && byte <= 8 ? byte : 1);
        }
    memset(data, 0xff, sizeof data);
    assert_int_equal(orientation(data, sizeof data), 1);
}

/* ---- Reduced and enlarged ------------------------------------------------ */

TEST(pixels_become_the_mean_of_their_area)
{
    static const uint8_t row[5] = {0, 100, 50, 200, 250};
    struct picture picture = {.pixels = NULL};

    /* 2.5 pixels each. */
    store(&picture, row, 5, 1, (struct picture_plan){2, 1, 0, false});
    assert_int_equal(picture.pixels[0], 50);  /* (0 + 100 + 25) / 2.5 */
    assert_int_equal(picture.pixels[1], 190); /* (25 + 200 + 250) / 2.5 */
    picture_free(&picture);
    store(&picture, row, 1, 5, (struct picture_plan){1, 2, 0, false});
    assert_int_equal(picture.pixels[0], 50);
    assert_int_equal(picture.pixels[1], 190);
    picture_free(&picture);
}

TEST(a_tone_stays_in_any_size)
{
    uint8_t pixels[23 * 17];
    struct picture picture = {.pixels = NULL};

    memset(pixels, 77, sizeof pixels);
    for (uint32_t width = 1; width <= 23; width++)
        for (uint32_t height = 1; height <= 17; height++) {
            case_is("%u by %u", width, height);
            store(&picture, pixels, 23, 17,
                  (struct picture_plan){width, height, POSE_ACROSS, false});
            for (uint32_t i = 0; i < width * height; i++)
                assert_int_equal(picture.pixels[i], 77);
            picture_free(&picture);
        }
}

#define SHEET 12

/* Draws {0, 255} over `place`, a row of the sheet. */
static void draw(int64_t x, int64_t width, bool smooth, uint8_t line[SHEET])
{
    static uint8_t pixels[2] = {0, 255};
    const struct picture picture = {
        .pixels = pixels, .width = 2, .height = 1, .depth = 1};
    const struct rip_place place = {
        .x = x, .y = 0, .width = width, .height = 1};
    const struct rip_sheet sheet = {SHEET, 2};
    struct picture_lines lines;

    assert_true(picture_lines_open(&lines, &picture, &place, &sheet, smooth));
    picture_lines_fill(&lines, 1, line);
    for (int i = 0; i < SHEET; i++)
        assert_int_equal(line[i], 255);
    picture_lines_fill(&lines, 0, line);
    picture_lines_close(&lines);
}

TEST(enlarged_pixels_keep_their_edges)
{
    uint8_t line[SHEET];

    draw(2, 8, false, line);
    for (int i = 0; i < SHEET; i++)
        assert_int_equal(line[i], i >= 2 && i < 6 ? 0 : 255);
    draw(-100, 208, false, line); /* its middle is at 4 */
    for (int i = 0; i < SHEET; i++)
        assert_int_equal(line[i], i < 4 ? 0 : 255);
}

TEST(photos_are_smooth)
{
    uint8_t line[SHEET];

    draw(0, SHEET, true, line);
    for (int i = 1; i < SHEET; i++)
        assert_true(line[i] >= line[i - 1]);
    assert_int_equal(line[0], 0);
    assert_int_equal(line[2], 0);
    assert_between(line[5] + line[6], 253, 257);
    assert_int_equal(line[SHEET - 1], 255);
}

/* ---- Files -----------------------------------------------------------------
 */

static bool no_plan(void *context, const struct picture_head *head,
                    struct picture_plan *plan)
{
    (void)plan;
    *(struct picture_head *)context = *head;
    return true;
}

static bool never(void *context)
{
    (void)context;
    return false;
}

/* Reads a file, and checks that it is refused for that reason. */
static void refuse(const uint8_t *data, size_t size, bool png, const char *want)
{
    struct picture_head head = {0};
    const struct picture_reader reader = {
        .plan = no_plan, .is_canceled = never, .context = &head};
    char path[] = "/tmp/test_picture-XXXXXX", why[PICTURE_WHY] = "";
    struct picture picture = {.pixels = NULL};
    const int fd = mkstemp(path);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    close(fd);
    const bool ok = (png ? picture_read_png : picture_read_jpeg)(&picture, path,
                                                                 &reader, why);
    unlink(path);
    picture_free(&picture);
    assert_false(ok);
    assert_string_equal(why, want);
}

/* A JPEG up to its first scan: gray, or with three colors. */
static void refuse_jpeg(unsigned frame, unsigned width, unsigned height,
                        unsigned colors, const char *want)
{
    uint8_t data[64] = {0xff, 0xd8, 0xff, (uint8_t)frame};
    size_t n = 4;
    const uint8_t sizes[] = {0,
                             (uint8_t)(8 + 3 * colors),
                             8,
                             (uint8_t)(height >> 8),
                             (uint8_t)height,
                             (uint8_t)(width >> 8),
                             (uint8_t)width,
                             (uint8_t)colors};

    memcpy(data + n, sizes, sizeof sizes);
    n += sizeof sizes;
    for (unsigned i = 1; i <= colors; i++, n += 3)
        memcpy(data + n, (uint8_t[]){(uint8_t)i, 0x11, 0}, 3);
    memcpy(
        data + n,
        (uint8_t[]){0xff, 0xda, 0, (uint8_t)(6 + 2 * colors), (uint8_t)colors},
        5);
    n += 5;
    for (unsigned i = 1; i <= colors; i++, n += 2)
        memcpy(data + n, (uint8_t[]){(uint8_t)i, 0}, 2);
    memcpy(data + n, (uint8_t[]){0, 0, 0},
           3); /* of a first, progressive scan */
    refuse(data, n + 3, false, want);
}

TEST(jpeg_has_limits)
{
    refuse_jpeg(0xc2, 24000, 24000, 1,
                "24000 by 24000 pixels are too many for a progressive JPEG");
    refuse_jpeg(0xc2, 14000, 14000, 3,
                "14000 by 14000 pixels are too many for a progressive JPEG");
    refuse_jpeg(0xc0, 50000, 50000, 1, "50000 by 50000 pixels are too many");
}

static void put(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* The check of a chunk, PNG, annex D. */
static uint32_t check(const uint8_t *data, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static void refuse_png(uint32_t width, uint32_t height, bool interlaced,
                       const char *want)
{
    static const uint8_t start[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n',
                                    0,    0,   0,   13,  'I',  'H',  'D',  'R'};
    uint8_t data[33 + 12] = {0};

    memcpy(data, start, sizeof start);
    put(data + 16, width);
    put(data + 20, height);
    data[24] = 8; /* bits of gray */
    data[28] = interlaced;
    put(data + 29, check(data + 12, 17));
    snprintf((char *)data + 37, 5, "IDAT"); /* the NUL is overwritten */
    put(data + 41, check(data + 37, 4));
    refuse(data, sizeof data, true, want);
}

TEST(png_has_limits)
{
    refuse_png(20000, 20000, true,
               "20000 by 20000 pixels are too many for an interlaced PNG");
    refuse_png(50000, 50000, false, "50000 by 50000 pixels are too many");
}

/* Adds a chunk; returns where the next one goes. */
static size_t add(uint8_t *file, size_t at, const char *name,
                  const uint8_t *data, size_t size)
{
    put(file + at, (uint32_t)size);
    memcpy(file + at + 4, name, 4);
    memcpy(file + at + 8, data, size);
    put(file + at + 8 + size, check(file + at + 4, size + 4));
    return at + 12 + size;
}

/* Returns how a PNG of one gray pixel of 128 is read that has this gamma, in
 * 1/100000; 0 = it does not say. */
static uint8_t gray_of(uint32_t gamma)
{
    static const uint8_t start[] = {0x89, 'P',  'N',  'G',
                                    '\r', '\n', 0x1a, '\n'};
    static const uint8_t head[] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0};
    /* zlib's header, a stored block of the filter 0 and the pixel, Adler-32 */
    static const uint8_t pixel[] = {0x78, 1,   1, 2,   0, 0xfd, 0xff,
                                    0,    128, 0, 130, 0, 129};
    struct picture_head found;
    const struct picture_reader reader = {
        .plan = no_plan, .is_canceled = never, .context = &found};
    struct picture picture = {.pixels = NULL};
    uint8_t file[128], number[4], gray;
    char path[] = "/tmp/test_picture-XXXXXX", why[PICTURE_WHY];
    size_t size = sizeof start;
    const int fd = mkstemp(path);

    memcpy(file, start, sizeof start);
    size = add(file, size, "IHDR", head, sizeof head);
    put(number, gamma);
    if (gamma > 0)
        size = add(file, size, "gAMA", number, sizeof number);
    size = add(file, size, "IDAT", pixel, sizeof pixel);
    size = add(file, size, "IEND", number, 0);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file, size), size);
    close(fd);
    const bool ok = picture_read_png(&picture, path, &reader, why);
    unlink(path);
    assert_true(ok);
    gray = picture.pixels[0];
    picture_free(&picture);
    return gray;
}

TEST(png_has_its_gamma)
{
    assert_int_equal(gray_of(0), 128);
    assert_int_equal(gray_of(45455), 128);
    assert_between(gray_of(100000), 186, 189); /* 0.5, by sRGB 188 */
}

static bool all(void *context, const struct picture_head *head,
                struct picture_plan *plan)
{
    (void)context;
    plan->width = head->width;
    plan->height = head->height;
    plan->color = true;
    return true;
}

TEST(a_plan_fits_memory)
{
    static const uint32_t sizes[][2] = {{46000, 46000},  {12000, 11000},
                                        {1000000, 2000}, {1000000, 1},
                                        {1, 1000000},    {3, 5}};
    const struct picture_reader reader = {.plan = all, .is_canceled = never};
    char why[PICTURE_WHY];

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct picture_head head = {
            sizes[i][0], sizes[i][1], true, 0, {0, 0}};
        struct picture_plan plan;

        case_is("%u by %u", head.width, head.height);
        assert_true(picture_plan_of(&plan, &head, &reader, why));
        const uint64_t bytes = 3ull * plan.width * plan.height;

        assert_between(plan.width, 1, head.width);
        assert_between(plan.height, 1, head.height);
        assert_true(bytes <= PICTURE_MOST_BYTES);
        if (3ull * head.width * head.height <= PICTURE_MOST_BYTES)
            assert_int_equal(bytes, 3ull * head.width * head.height);
        else
            assert_true(bytes > PICTURE_MOST_BYTES / 2);
    }
}

/* ---- What a document is -------------------------------------------------- */

TEST(types_that_are_printed_are_known)
{
    static const struct {
        const char *head, *type;
    } known[] = {{"\xff\xd8\xff\xdb", "image/jpeg"},
                 {"\xff\xd8\xff\xe1", "image/jpeg"},
                 {"\x89PNG\r\n\x1a\n", "image/png"},
                 {"RaS2PwgRaster", "image/pwg-raster"},
                 {"UNIRAST", "image/urf"},
                 {"%PDF-1.4", "application/pdf"},
                 {"junk\n%PDF-1.3", "application/pdf"},
                 {"%PDX-1.4", NULL},
                 {"RaS2", NULL},
                 {"a letter", NULL},
                 {"", NULL}};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *type = document_type((const unsigned char *)known[i].head,
                                         strlen(known[i].head), NULL);

        case_is("%s", known[i].head);
        if (known[i].type == NULL)
            assert_null(type);
        else
            assert_string_equal(type, known[i].type);
    }
}

TEST(a_pdf_begins_within_1024_bytes)
{
    unsigned char data[2048];

    for (size_t before = 1020; before <= 1028; before++) {
        case_is("%zu bytes before it", before);
        memset(data, 'x', sizeof data);
        snprintf((char *)data + before, 10, "%s", "%PDF-1.4\n");
        assert_int_equal(document_type(data, sizeof data, NULL) != NULL,
                         before <= 1024);
    }
}
