/*
 * make_picture.c - a JPEG or PNG file on standard output, made line by line:
 * white, a black block in the upper left corner, half as wide and a quarter as
 * high, and another in the lower right, a quarter as wide and high.
 *
 *   make-picture [OPTION]... WIDTH HEIGHT
 *
 *   --png, --interlaced, --progressive    instead of a plain JPEG
 *   --color            the other block is red
 *   --ppi N
 *   --exif N           stored so that EXIF's orientation N, 1 to 8, makes that
 *                      picture of it; of PNG the chunk is behind the pixels
 *
 * WIDTH and HEIGHT are those of the picture as it is seen.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

struct wanted {
    int png, interlaced, progressive, color;
    unsigned ppi, exif;
    uint32_t seen[2], stored[2]; /* width and height */
};

/* EXIF data of one entry: the orientation is the byte 19. */
static const unsigned char exif_data[] = {'M', 'M',  0,    42, 0, 0, 0, 8, 0,
                                          1,   0x01, 0x12, 0,  3, 0, 0, 0, 1,
                                          0,   1,    0,    0,  0, 0, 0, 0};
#define EXIF_AT 19

static unsigned samples(const struct wanted *w)
{
    return w->color ? 3 : 1;
}

/* Where a stored pixel is seen: JEITA CP-3451, 4.6.4, says of each orientation
 * what the stored top row and left column are. */
static void seen_at(const struct wanted *w, uint32_t column, uint32_t row,
                    uint32_t at[2])
{
    const uint32_t right = w->seen[0] - 1, bottom = w->seen[1] - 1;
    const uint32_t where[9][2] = {
        {column, row},          {column, row},
        {right - column, row},  {right - column, bottom - row},
        {column, bottom - row}, {row, column},
        {right - row, column},  {right - row, bottom - column},
        {row, bottom - column}};

    memcpy(at, where[w->exif], sizeof where[0]);
}

static void fill(const struct wanted *w, uint32_t row, uint8_t *line)
{
    for (uint32_t column = 0; column < w->stored[0]; column++) {
        uint32_t at[2];

        seen_at(w, column, row, at);
        const uint64_t x = at[0], y = at[1];
        const bool black = 2 * x < w->seen[0] && 4 * y < w->seen[1];
        const bool other =
            4 * x >= 3ull * w->seen[0] && 4 * y >= 3ull * w->seen[1];

        for (unsigned c = 0; c < samples(w); c++)
            *line++ = black ? 0 : other ? (w->color && c == 0 ? 255 : 0) : 255;
    }
}

static void write_jpeg(const struct wanted *w, uint8_t *line)
{
    unsigned char data[6 + sizeof exif_data] = "Exif";
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;

    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_stdio_dest(&info, stdout);
    info.image_width = w->stored[0];
    info.image_height = w->stored[1];
    info.input_components = (int)samples(w);
    info.in_color_space = w->color ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 100, TRUE);
    if (w->progressive)
        jpeg_simple_progression(&info);
    if (w->ppi > 0) {
        info.density_unit = 1;
        info.X_density = info.Y_density = (UINT16)w->ppi;
    }
    jpeg_start_compress(&info, TRUE);
    if (w->exif > 0) {
        memcpy(data + 6, exif_data, sizeof exif_data);
        data[6 + EXIF_AT] = (unsigned char)w->exif;
        jpeg_write_marker(&info, JPEG_APP0 + 1, data, sizeof data);
    }
    for (uint32_t y = 0; y < w->stored[1]; y++) {
        fill(w, y, line);
        jpeg_write_scanlines(&info, &line, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
}

static void write_png(const struct wanted *w, uint8_t *line)
{
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);

    png_init_io(png, stdout);
    png_set_compression_level(png, 1);
    png_set_IHDR(png, info, w->stored[0], w->stored[1], 8,
                 w->color ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY,
                 w->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (w->ppi > 0) {
        const png_uint_32 per_meter = (png_uint_32)(w->ppi / 0.0254 + 0.5);

        png_set_pHYs(png, info, per_meter, per_meter, PNG_RESOLUTION_METER);
    }
    png_write_info(png, info);
    for (int passes = png_set_interlace_handling(png); passes > 0; passes--)
        for (uint32_t y = 0; y < w->stored[1]; y++) {
            fill(w, y, line);
            png_write_row(png, line);
        }
    if (w->exif > 0) {
        unsigned char data[sizeof exif_data];

        memcpy(data, exif_data, sizeof data);
        data[EXIF_AT] = (unsigned char)w->exif;
        png_write_chunk(png, (png_const_bytep) "eXIf", data, sizeof data);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

int main(int argc, char *argv[])
{
    struct wanted w = {.png = 0};
    const struct option options[] = {
        {"png", no_argument, &w.png, 1},
        {"interlaced", no_argument, &w.interlaced, 1},
        {"progressive", no_argument, &w.progressive, 1},
        {"color", no_argument, &w.color, 1},
        {"ppi", required_argument, NULL, 'p'},
        {"exif", required_argument, NULL, 'e'},
        {NULL, 0, NULL, 0}};
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        if (option == 'p')
            w.ppi = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'e')
            w.exif = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == '?')
            return 2;
    if (argc - optind != 2 || w.exif > 8)
        return 2;
    for (int i = 0; i < 2; i++)
        w.seen[i] = (uint32_t)strtoul(argv[optind + i], NULL, 10);
    for (int i = 0; i < 2; i++)
        w.stored[i] = w.seen[w.exif >= 5 ? 1 - i : i];

    uint8_t *line = malloc((size_t)w.stored[0] * samples(&w));
    if (line == NULL)
        return 1;
    (w.png || w.interlaced ? write_png : write_jpeg)(&w, line);
    free(line);
    return fflush(stdout) == 0 && ferror(stdout) == 0 ? 0 : 1;
}
