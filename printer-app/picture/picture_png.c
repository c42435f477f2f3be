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
#define CICP_BYTES 4
#define LOOK 256 /* readings from one look whether all goes on to the next */

/* ---- Chunks, ahead of libpng --------------------------------------------- */

/* The number of 4 bytes at `at`, of which the first counts most. */
static uint32_t number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

/* Chunks of which libpng 1.6 tells nothing, or too late: eXIf may stand behind
 * the pixels. */
struct png_extras {
    unsigned pose;
    bool has_profile;
    bool has_cicp;
    uint8_t cicp[CICP_BYTES];
};

static void read_chunks(FILE *file, struct png_extras *extras)
{
    uint8_t start[8], data[EXIF_BYTES];

    if (fseek(file, 8, SEEK_SET) < 0)
        return;
    for (int i = 0; i < MOST_CHUNKS; i++) {
        if (fread(start, 1, sizeof start, file) != sizeof start)
            return;
        const uint32_t length = number(start);
        const bool cicp = memcmp(start + 4, "cICP", 4) == 0;
        const bool exif = memcmp(start + 4, "eXIf", 4) == 0;
        size_t got = 0;

        extras->has_profile =
            extras->has_profile || memcmp(start + 4, "iCCP", 4) == 0;
        if (length > INT32_MAX - 4)
            return;
        if (cicp || exif)
            got = fread(data, 1, length < sizeof data ? length : sizeof data,
                        file);
        if (cicp && got == CICP_BYTES) {
            extras->has_cicp = true;
            memcpy(extras->cicp, data, CICP_BYTES);
        }
        if (exif)
            extras->pose = pose_of_exif(pose_exif(data, got));
        const size_t left = length - got + 4;

        /* A seek would read what is behind once more. */
        if (left <= sizeof data ? fread(data, 1, left, file) != left
                                : fseek(file, (long)left, SEEK_CUR) < 0)
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
    struct png_extras extras;
    struct picture_end end;
    unsigned reads;  /* of the file */
    double gamma;    /* of the tones, 1/2.2 or so; 0 = as sRGB or a profile has
                        them */
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

static void look(struct png_work *work)
{
    if (!picture_goes_on(work->reader, work->end, work->why))
        longjmp(work->back, 1);
}

/* libpng's reading of the file: it asks for little at a time. */
static void read_file(png_structp png, png_bytep data, size_t bytes)
{
    struct png_work *work = png_get_io_ptr(png);

    if (++work->reads % LOOK == 0)
        look(work);
    if (fread(data, 1, bytes, work->file) != bytes)
        png_error(png, "the file is cut short");
}

/* Leaves out all chunks but those that say how pixels look: texts can be
 * unpacked to any size, a thousand of them. */
static void set_limits(const struct png_work *work)
{
    static const png_byte wanted[] = "gAMA\0cHRM\0sRGB\0iCCP\0pHYs";

    png_set_keep_unknown_chunks(work->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(work->png, PNG_HANDLE_CHUNK_AS_DEFAULT, wanted,
                                sizeof wanted / 5);
    png_set_chunk_malloc_max(work->png, PROFILE_MOST_BYTES);
}

/* ---- Colors -------------------------------------------------------------- */

static bool is_near(const double *a, const double *b, size_t count)
{
    while (count > 0 && *a - *b < 0.005 && *b - *a < 0.005) {
        count--;
        a++;
        b++;
    }
    return count == 0;
}

/* Makes a profile of primaries that are not sRGB's. */
static void take_primaries(struct picture *picture, const double xy[8],
                           double gamma)
{
    static const double srgb[] = {0.3127, 0.3290, 0.64, 0.33,
                                  0.30,   0.60,   0.15, 0.06};
    const struct color_rgb rgb = {
        {xy[0], xy[1]},
        {{xy[2], xy[3]}, {xy[4], xy[5]}, {xy[6], xy[7]}},
        gamma > 0 ? 2.2 : 0};

    if (!is_near(xy, srgb, 8))
        picture_icc_make(picture, &rgb);
}

/* Takes primaries and tones by their numbers in ITU-T H.273, as far as a sheet
 * of paper has them. */
static void take_cicp(struct png_work *work, struct picture *picture)
{
    static const struct {
        uint8_t number;
        double xy[8];
    } spaces[] = {
        {1, {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06}},
        {9, {0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046}},
        {12, {0.3127, 0.3290, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06}}};
    static const struct {
        uint8_t number;
        double gamma;
    } tones[] = {{1, 0}, {4, 1 / 2.2}, {5, 1 / 2.8}, {6, 0},
                 {8, 1}, {13, 0},      {14, 0},      {15, 0}};
    const uint8_t *cicp = work->extras.cicp;
    size_t s = 0, t = 0;

    while (s < sizeof spaces / sizeof *spaces && spaces[s].number != cicp[0])
        s++;
    while (t < sizeof tones / sizeof *tones && tones[t].number != cicp[1])
        t++;
    picture->icc_damaged = s == sizeof spaces / sizeof *spaces ||
                           t == sizeof tones / sizeof *tones || cicp[2] != 0 ||
                           cicp[3] != 1;
    if (picture->icc_damaged)
        return;
    work->gamma = tones[t].gamma;
    take_primaries(picture, spaces[s].xy, work->gamma);
}

/* Takes the first of what the file says of its colors, in the order of PNG,
 * edition 3, 4.3; libpng says nothing of a profile that it cannot read. */
static void take_colors(struct png_work *work, struct picture *picture)
{
    png_charp name;
    png_bytep icc;
    png_uint_32 size;
    int compression, intent;
    double xy[8];

    if (work->extras.has_cicp) {
        take_cicp(work, picture);
        return;
    }
    if (png_get_iCCP(work->png, work->info, &name, &compression, &icc, &size) !=
        0) {
        picture_icc_keep(picture, icc, size);
        return;
    }
    picture->icc_damaged = work->extras.has_profile;
    if (png_get_sRGB(work->png, work->info, &intent) != 0)
        return;
    if (png_get_gAMA(work->png, work->info, &work->gamma) == 0)
        work->gamma = 0;
    if (png_get_cHRM(work->png, work->info, &xy[0], &xy[1], &xy[2], &xy[3],
                     &xy[4], &xy[5], &xy[6], &xy[7]) != 0)
        take_primaries(picture, xy, work->gamma);
}

/* ---- The lines ----------------------------------------------------------- */

/* Asks for 8 bits of gray or of red, green and blue, on white paper, of the
 * tones that sRGB has, or the file's profile, if it has one. */
static void choose(png_structp png, png_infop info, bool color, double gamma)
{
    static const png_color_16 paper = {
        .red = 255, .green = 255, .blue = 255, .gray = 255};
    const int type = png_get_color_type(png, info);

    png_set_gamma(png, PNG_DEFAULT_sRGB, gamma > 0 ? gamma : PNG_DEFAULT_sRGB);
    png_set_expand(png);
    png_set_scale_16(png);
    if ((type & PNG_COLOR_MASK_ALPHA) != 0 ||
        png_get_valid(png, info, PNG_INFO_tRNS) != 0)
        png_set_background(png, &paper, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
    if ((type & PNG_COLOR_MASK_COLOR) != 0 && !color)
        png_set_rgb_to_gray(png, PNG_ERROR_ACTION_NONE, PNG_RGB_TO_GRAY_DEFAULT,
                            PNG_RGB_TO_GRAY_DEFAULT);
}

static void read_line(struct png_work *work, uint8_t *line)
{
    look(work);
    png_read_row(work->png, line, NULL);
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
            read_line(work, work->lines + y * bytes);
        }
    for (uint32_t y = 0; y < height; y++) {
        look(work);
        picture_store_line(&work->store, work->lines + y * bytes);
    }
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
        read_line(work, work->lines);
        picture_store_line(&work->store, work->lines);
    }
    return true;
}

static void read_picture(struct png_work *work, struct picture *picture)
{
    struct picture_head head = {.width = 0};
    struct picture_plan plan;

    read_chunks(work->file, &work->extras);
    head.pose = work->extras.pose;
    rewind(work->file);
    png_set_read_fn(work->png, work, read_file);
    set_limits(work);
    png_read_info(work->png, work->info);
    head.width = png_get_image_width(work->png, work->info);
    head.height = png_get_image_height(work->png, work->info);
    head.ppi[0] = (int)png_get_x_pixels_per_inch(work->png, work->info);
    head.ppi[1] = (int)png_get_y_pixels_per_inch(work->png, work->info);
    take_colors(work, picture);
    head.color =
        (png_get_color_type(work->png, work->info) & PNG_COLOR_MASK_COLOR) != 0;
    if (!picture_plan_of(&plan, &head, work->reader, work->why) ||
        !picture_store_open(&work->store, picture, &plan, head.width,
                            head.height, work->why))
        return;
    choose(work->png, work->info, plan.color, work->gamma);
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
    struct png_work work = {.file = fopen(path, "rbe"),
                            .reader = reader,
                            .why = why,
                            .end = picture_end()};

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
