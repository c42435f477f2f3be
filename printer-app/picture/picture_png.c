/*
 * picture_png.c - reads PNG files with libpng, line by line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "printer-app/picture/picture_icc.h"
#include "printer-app/picture/picture_memory.h"
#include "printer-app/picture/picture_store.h"

#define MOST_CHUNKS (1 << 20) /* that are looked through */
#define EXIF_BYTES 16384      /* of EXIF data that are read: the first folder */

/* ---- Chunks, ahead of libpng --------------------------------------------- */

/* The number of 4 bytes at `at`, of which the first counts most. */
static uint32_t number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/* Pixels an inch of a chunk pHYs: pixels a unit, which is 1 for a meter (PNG,
 * section 11.3.4.3). */
static void take_physical(struct picture_head *head, const uint8_t *data)
{
    for (int i = 0; i < 2 && data[8] == 1; i++)
        if (number(data + 4 * i) < 1000000)
            head->ppi[i] = (int)(number(data + 4 * i) * 0.0254 + 0.5);
}

/* Looks for chunks pHYs, iCCP and eXIf. The last may stand behind the pixels,
 * where libpng would tell of it too late. */
static void read_chunks(FILE *file, struct picture_head *head,
                        bool *has_profile)
{
    uint8_t start[8], data[EXIF_BYTES];

    if (fseek(file, 8, SEEK_SET) < 0)
        return;
    for (int i = 0; i < MOST_CHUNKS; i++) {
        if (fread(start, 1, sizeof start, file) != sizeof start)
            return;
        const uint32_t length = number(start);
        const bool physical = memcmp(start + 4, "pHYs", 4) == 0;
        const bool exif = memcmp(start + 4, "eXIf", 4) == 0;
        size_t got = 0;

        *has_profile = *has_profile || memcmp(start + 4, "iCCP", 4) == 0;
        if (length > INT32_MAX - 4)
            return;
        if (physical || exif)
            got = fread(data, 1, length < sizeof data ? length : sizeof data,
                        file);
        if (physical && got == 9)
            take_physical(head, data);
        if (exif)
            head->pose = pose_of_exif(pose_exif(data, got));
        if (fseek(file, (long)(length - got) + 4, SEEK_CUR) < 0)
            return;
    }
}

/* ---- The pixels ---------------------------------------------------------- */

/* A file that is read. */
struct png_work {
    png_structp png;
    png_infop info;
    FILE *file;
    const struct picture_reader *reader;
    struct picture_store store;
    bool has_profile;
    uint8_t *lines;  /* one, or all if they are interlaced */
    size_t reserved; /* bytes of all */
    jmp_buf back;    /* where libpng's errors lead */
    char *why;
};

static PNG_NORETURN void leave(png_structp png, png_const_charp text)
{
    struct png_work *work = png_get_error_ptr(png);

    snprintf(work->why, PICTURE_WHY, "%s", text);
    longjmp(work->back, 1);
}

/* Warnings are about chunks that are left out. */
static void ignore(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Asks for 8 bits of gray or of red, green and blue, on white paper, of the
 * tones that sRGB has, or the file's profile, if it has one. */
static void choose(png_structp png, png_infop info, bool color, bool profile)
{
    static const png_color_16 paper = {
        .red = 255, .green = 255, .blue = 255, .gray = 255};
    const int type = png_get_color_type(png, info);

    double gamma; /* of the file */

    if (profile || png_get_gAMA(png, info, &gamma) == 0)
        gamma = PNG_DEFAULT_sRGB;
    png_set_gamma(png, PNG_DEFAULT_sRGB, gamma);
    png_set_expand(png);
    png_set_scale_16(png);
    if ((type & PNG_COLOR_MASK_ALPHA) != 0 ||
        png_get_valid(png, info, PNG_INFO_tRNS) != 0)
        png_set_background(png, &paper, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
    if ((type & PNG_COLOR_MASK_COLOR) != 0 && !color)
        png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                            PNG_RGB_TO_GRAY_DEFAULT);
}

/* Reads all lines into memory, as each pass of an interlaced file needs them.
 * False if they are too many. */
static bool read_interlaced(struct png_work *work, int passes, uint32_t height,
                            size_t bytes)
{
    if (bytes > PICTURE_MOST_BYTES / height) {
        snprintf(work->why, PICTURE_WHY,
                 "%u by %u pixels are too many for an interlaced PNG",
                 (unsigned)png_get_image_width(work->png, work->info),
                 (unsigned)height);
        return false;
    }
    if (!picture_memory_wait(bytes * height, work->reader))
        png_error(work->png, "canceled");
    work->reserved = bytes * height;
    work->lines = malloc(bytes * height);
    if (work->lines == NULL)
        png_error(work->png, "not enough memory");
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < height; y++) {
            if (work->reader->is_canceled(work->reader->context))
                png_error(work->png, "canceled");
            png_read_row(work->png, work->lines + y * bytes, NULL);
        }
    for (uint32_t y = 0; y < height; y++)
        picture_store_line(&work->store, work->lines + y * bytes);
    return true;
}

static bool read_lines(struct png_work *work, uint32_t height)
{
    const int passes = png_set_interlace_handling(work->png);

    png_read_update_info(work->png, work->info);
    const size_t bytes = png_get_rowbytes(work->png, work->info);

    if (passes > 1)
        return read_interlaced(work, passes, height, bytes);
    work->lines = malloc(bytes);
    if (work->lines == NULL)
        png_error(work->png, "not enough memory");
    for (uint32_t y = 0; y < height; y++) {
        if (work->reader->is_canceled(work->reader->context))
            png_error(work->png, "canceled");
        png_read_row(work->png, work->lines, NULL);
        picture_store_line(&work->store, work->lines);
    }
    return true;
}

/* libpng says nothing of a profile that it cannot read. */
static void take_profile(const struct png_work *work, struct picture *picture)
{
    png_charp name;
    png_bytep icc;
    png_uint_32 size;
    int compression;

    if (png_get_iCCP(work->png, work->info, &name, &compression, &icc, &size) !=
        0)
        picture_icc_keep(picture, icc, size);
    else
        picture->icc_damaged = work->has_profile;
}

static void read_picture(struct png_work *work, struct picture *picture)
{
    struct picture_head head = {.pose = 0};
    struct picture_plan plan;

    read_chunks(work->file, &head, &work->has_profile);
    rewind(work->file);
    png_init_io(work->png, work->file);
    png_read_info(work->png, work->info);
    head.width = png_get_image_width(work->png, work->info);
    head.height = png_get_image_height(work->png, work->info);
    take_profile(work, picture);
    head.color =
        (png_get_color_type(work->png, work->info) & PNG_COLOR_MASK_COLOR) != 0;
    if (!picture_plan_of(&plan, &head, work->reader, work->why) ||
        !picture_store_open(&work->store, picture, &plan, head.width,
                            head.height, work->why))
        return;
    choose(work->png, work->info, plan.color, picture->icc != NULL);
    if (!read_lines(work, head.height))
        return;
    png_read_end(work->png, NULL);
    work->why[0] = '\0';
}

/* Reads until libpng goes back. Variables of the function that calls setjmp()
 * would be undefined if they had changed (C11, 7.13.2.1): so they are its
 * caller's. */
static void try_to_read(struct png_work *work, struct picture *picture)
{
    if (setjmp(work->back) == 0)
        read_picture(work, picture);
}

bool picture_read_png(struct picture *picture, const char *path,
                      const struct picture_reader *reader,
                      char why[PICTURE_WHY])
{
    struct png_work work = {
        .file = fopen(path, "rbe"), .reader = reader, .why = why};

    *picture = (struct picture){.pixels = NULL};
    if (work.file == NULL) {
        snprintf(why, PICTURE_WHY, "%s", strerror(errno));
        return false;
    }
    snprintf(why, PICTURE_WHY, "not enough memory");
    work.png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &work, leave, ignore);
    if (work.png != NULL)
        work.info = png_create_info_struct(work.png);
    if (work.info != NULL)
        try_to_read(&work, picture);
    png_destroy_read_struct(&work.png, &work.info, NULL);
    picture_store_close(&work.store);
    free(work.lines);
    picture_memory_done(work.reserved);
    fclose(work.file);
    return why[0] == '\0';
}

void picture_free(struct picture *picture)
{
    picture_icc_drop(picture);
    picture_memory_give(picture);
}
