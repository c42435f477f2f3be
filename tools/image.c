/*
 * image.c - reads PNM and PNG into memory, writes PBM and PNG.
 *
 * Files are not trusted: sizes are checked before they are multiplied, and a
 * file that is too short is an error, never a white rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "halftone/halftone.h"
#include "tools/command.h"
#include "tools/image.h"
#include "tools/png_writer.h"

#define MAX_BYTES ((size_t)2048 << 20) /* of samples */

static bool fail(char *error, const char *text)
{
    snprintf(error, IMAGE_ERROR_BYTES, "%s", text);
    return false;
}

/* Bytes of a row; cannot overflow once allocate() has accepted the size. */
static size_t row_bytes(const struct image *image)
{
    return (size_t)image->width * image->channels * (image->bits / 8);
}

/* Allocates the samples of an image whose four numbers are set. */
static bool allocate(struct image *image, char *error)
{
    size_t bytes;

    if (image->width < 1 || image->height < 1)
        return fail(error, "the image is empty");
    if (image->width > HT_MAX_WIDTH || image->height > HT_MAX_HEIGHT ||
        __builtin_mul_overflow(row_bytes(image), (size_t)image->height,
                               &bytes) ||
        bytes > MAX_BYTES)
        return fail(error, "the image is too large");
    image->samples = malloc(bytes);
    return image->samples != NULL || fail(error, "not enough memory");
}

void image_free(struct image *image)
{
    free(image->samples);
    memset(image, 0, sizeof *image);
}

/* ---- PNM -------------------------------------------------------------- */

/* Reads the next decimal number of a header, 1..limit, and the one character
 * behind it. Comments run from '#' to the end of their line. */
static bool read_number(FILE *file, uint32_t limit, uint32_t *number)
{
    uint32_t value = 0;
    int c = getc(file);

    while (c == '#' || isspace(c)) {
        if (c == '#')
            while (c != '\n' && c != EOF)
                c = getc(file);
        else
            c = getc(file);
    }
    if (!isdigit(c))
        return false;
    for (; isdigit(c); c = getc(file)) {
        value = value * 10 + (uint32_t)(c - '0');
        if (value > limit)
            return false;
    }
    *number = value;
    return value > 0 && isspace(c);
}

/* Bits to samples, in place: the packed row lies at the end of its samples,
 * so a byte is read before the samples it becomes are written. */
static void expand_bits(uint8_t *samples, uint32_t width)
{
    const uint8_t *bits = samples + width - (width + 7) / 8;

    for (uint32_t x = 0; x < width; x += 8) {
        uint8_t byte = bits[x / 8];
        for (uint32_t i = 0; i < 8 && x + i < width; i++)
            samples[x + i] = byte & (0x80 >> i) ? 0 : 255;
    }
}

/* Scales big-endian or 8-bit samples from 0..max to the full range. */
static bool scale_row(const struct image *image, void *row, uint32_t max)
{
    size_t count = (size_t)image->width * image->channels;
    uint8_t *in = row;

    if (image->bits == 8) {
        for (size_t i = 0; i < count && max != 255; i++) {
            if (in[i] > max)
                return false;
            in[i] = (uint8_t)((in[i] * 255u + max / 2) / max);
        }
        return true;
    }
    uint16_t *out = row;
    for (size_t i = 0; i < count; i++) {
        uint32_t v = (uint32_t)in[2 * i] << 8 | in[2 * i + 1];
        if (v > max)
            return false;
        out[i] = (uint16_t)((v * 65535u + max / 2) / max);
    }
    return true;
}

/* Reads what follows the two letters of the magic number. */
static bool read_pnm(struct image *image, FILE *file, char type, char *error)
{
    uint32_t max = 1;

    if (!read_number(file, HT_MAX_HEIGHT, &image->width) ||
        !read_number(file, HT_MAX_HEIGHT, &image->height) ||
        (type != '4' && !read_number(file, 65535, &max)))
        return fail(error, "the PNM header is wrong");

    image->channels = type == '6' ? 3 : 1;
    image->bits = max > 255 ? 16 : 8;
    if (!allocate(image, error))
        return false;

    size_t stride = row_bytes(image);
    size_t stored = type == '4' ? ((size_t)image->width + 7) / 8 : stride;
    for (uint32_t y = 0; y < image->height; y++) {
        uint8_t *row = (uint8_t *)image->samples + y * stride;
        if (fread(row + stride - stored, 1, stored, file) != stored)
            return fail(error, "the file is too short");
        if (type == '4')
            expand_bits(row, image->width);
        else if (!scale_row(image, row, max))
            return fail(error, "a sample exceeds the maximum of the header");
    }
    /* Of images one behind the other none is left out in silence. */
    return getc(file) != 'P' || fail(error, "more than one image");
}

/* ---- PNG -------------------------------------------------------------- */

/* What libpng's error callback needs: it must not return. */
struct png_trouble {
    jmp_buf jump;
    char *error;
};

static void png_failed(png_structp png, png_const_charp text)
{
    struct png_trouble *trouble = png_get_error_ptr(png);

    snprintf(trouble->error, IMAGE_ERROR_BYTES, "PNG: %s", text);
    longjmp(trouble->jump, 1);
}

static void png_warned(png_structp png, png_const_charp text)
{
    (void)png; /* such as a color profile that libpng dislikes */
    (void)text;
}

/* Asks libpng for gray or RGB of 8 or 16 bits, as stored, laid on white. */
static void set_transforms(png_structp png, png_infop info)
{
    int type = png_get_color_type(png, info);
    bool wide = png_get_bit_depth(png, info) == 16;
    png_uint_16 full = wide ? 65535 : 255;
    png_color_16 white = {0, full, full, full, full};
    const uint16_t probe = 1;

    png_set_expand(png); /* palette, 1 to 4 bits, transparent color */
    if ((type & PNG_COLOR_MASK_ALPHA) != 0 ||
        png_get_valid(png, info, PNG_INFO_tRNS) != 0) {
        png_set_gamma(png, 1.0, 1.0); /* mix the values as they are stored */
        png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1.0);
    }
    if (wide && *(const uint8_t *)&probe == 1)
        png_set_swap(png); /* PNG is big-endian */
}

/* Everything that may longjmp; keeps nothing that would leak. */
static bool read_png_image(struct image *image, png_structp png, png_infop info,
                           char *error)
{
    png_read_info(png, info);
    set_transforms(png, info);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);

    image->width = png_get_image_width(png, info);
    image->height = png_get_image_height(png, info);
    image->channels = png_get_channels(png, info);
    image->bits = png_get_bit_depth(png, info);
    if (image->width > HT_MAX_WIDTH) /* before row_bytes() multiplies */
        return fail(error, "the image is too large");
    if (png_get_rowbytes(png, info) != row_bytes(image))
        return fail(error, "PNG: unexpected row size");
    if (!allocate(image, error))
        return false;

    size_t stride = row_bytes(image);
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t y = 0; y < image->height; y++)
            png_read_row(png, (uint8_t *)image->samples + y * stride, NULL);
    png_read_end(png, NULL);
    return true;
}

static bool read_png(struct image *image, FILE *file, char *error)
{
    struct png_trouble trouble = {.error = error};
    png_infop info = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &trouble,
                                             png_failed, png_warned);
    bool ok = false;

    if (png != NULL)
        info = png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        return fail(error, "not enough memory");
    }
    if (setjmp(trouble.jump) == 0) {
        png_init_io(png, file);
        png_set_sig_bytes(png, 2); /* image_read() has read two */
        png_set_user_limits(png, png_get_user_width_max(png), HT_MAX_HEIGHT);
        ok = read_png_image(image, png, info, error);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return ok;
}

/* ---- Reading ---------------------------------------------------------- */

bool image_read(struct image *image, const char *path, char *error)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    char magic[2];
    bool ok;

    memset(image, 0, sizeof *image);
    if (file == NULL)
        return fail(error, strerror(errno));
    if (fread(magic, 1, sizeof magic, file) != sizeof magic)
        ok = fail(error, ferror(file) ? strerror(errno) : "the file is empty");
    else if (magic[0] == 'P' && magic[1] >= '4' && magic[1] <= '6')
        ok = read_pnm(image, file, magic[1], error);
    else if (memcmp(magic, "\x89P", sizeof magic) == 0)
        ok = read_png(image, file, error);
    else
        ok = fail(error, "neither PNG nor binary PBM, PGM, PPM");
    if (file != stdin)
        fclose(file);
    if (!ok)
        image_free(image);
    return ok;
}

void image_to_inks(const struct image *image, uint32_t first, uint32_t rows,
                   void *tones, uint32_t inks, uint32_t ink)
{
    size_t width = image->width, channels = image->channels;
    const uint8_t *in8 = image->samples;
    const uint16_t *in16 = image->samples;
    uint8_t *out8 = tones;
    uint16_t *out16 = tones;

    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t c = 0; c < channels; c++) {
            size_t from = ((size_t)first + y) * width * channels + c;
            size_t to = ((size_t)y * inks + ink + c) * width;
            for (size_t x = 0; x < width; x++, from += channels)
                if (image->bits == 16)
                    out16[to + x] = (uint16_t)(65535u - in16[from]);
                else
                    out8[to + x] = (uint8_t)(255u - in8[from]);
        }
}

/* ---- Writing ---------------------------------------------------------- */

/* Writes one ink of a page of `inks`; `dots` is where its first row is. */
static bool write_pbm(const char *path, const uint8_t *dots, uint32_t width,
                      uint32_t height, uint32_t inks)
{
    size_t stride = ((size_t)width + 7) / 8;
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

    if (file == NULL)
        return command_complain(path, strerror(errno));
    bool ok = fprintf(file, "P4\n%u %u\n", width, height) > 0;
    for (uint32_t y = 0; ok && y < height; y++)
        ok = fwrite(dots + y * stride * inks, 1, stride, file) == stride;
    return command_close(file, ok, path);
}

/* The file of ink 0..2: OUT.pbm becomes OUT-c.pbm and so on. NULL without
 * memory; the caller frees it. */
static char *ink_path(const char *path, unsigned ink)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t stem =
        dot != NULL && dot != base ? (size_t)(dot - path) : strlen(path);
    size_t size = strlen(path) + sizeof "-c";
    char *name = malloc(size);

    if (name != NULL)
        snprintf(name, size, "%.*s-%c%s", (int)stem, path, "cmy"[ink],
                 path + stem);
    return name;
}

/* One PBM an ink. */
static bool write_pbms(const char *path, const uint8_t *dots, uint32_t width,
                       uint32_t height)
{
    size_t stride = ((size_t)width + 7) / 8;
    char *name[3] = {ink_path(path, 0), ink_path(path, 1), ink_path(path, 2)};
    bool ok = name[0] != NULL && name[1] != NULL && name[2] != NULL;
    unsigned written = 0;

    if (!ok)
        command_complain(path, "not enough memory");
    while (ok && written < 3) {
        ok =
            write_pbm(name[written], dots + written * stride, width, height, 3);
        written += ok;
    }
    for (unsigned i = 0; !ok && i < written; i++)
        command_discard(name[i]);
    for (unsigned i = 0; i < 3; i++)
        free(name[i]);
    return ok;
}

/* A palette whose index has bit 0 for cyan, 1 for magenta, 2 for yellow, in
 * pure colors, so that reading the PNG back gives the dots. */
static void set_palette(struct png_shape *shape)
{
    shape->colors = 8;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned c = 0; c < 3; c++)
            shape->palette[i][c] = i >> c & 1 ? 0 : 255;
}

static bool write_png_rows(struct png_writer *png, const uint8_t *dots,
                           uint32_t width, uint32_t height, uint32_t inks,
                           uint8_t *row)
{
    size_t stride = ((size_t)width + 7) / 8;
    bool ok = true;

    for (uint32_t y = 0; ok && y < height; y++, dots += stride * inks) {
        memset(row, 0, width);
        for (uint32_t i = 0; i < inks; i++)
            for (uint32_t x = 0; x < width; x++)
                row[x] |=
                    (uint8_t)((dots[i * stride + x / 8] >> (7 - x % 8) & 1)
                              << i);
        ok = png_writer_row(png, row);
    }
    return ok;
}

static bool write_png(const char *path, const uint8_t *dots, uint32_t width,
                      uint32_t height, uint32_t inks)
{
    struct png_shape shape = {
        .width = width, .height = height, .mono = inks == 1};
    struct png_writer png;
    uint8_t *row = malloc(width);

    if (row == NULL)
        return command_complain(path, "not enough memory");
    if (inks > 1)
        set_palette(&shape);
    bool ok = png_writer_open(&png, path, &shape) &&
              write_png_rows(&png, dots, width, height, inks, row);
    ok = png_writer_close(&png, ok);
    free(row);
    return ok || command_complain(path, png.error);
}

bool image_write_dots(const char *path, const uint8_t *dots, uint32_t width,
                      uint32_t height, uint32_t inks)
{
    size_t length = strlen(path);

    if (inks != 1 && inks != 3)
        return command_complain(path,
                                "only pages of 1 or 3 inks can be written");
    if (length > 4 && strcmp(path + length - 4, ".png") == 0)
        return write_png(path, dots, width, height, inks);
    if (inks == 1)
        return write_pbm(path, dots, width, height, 1);
    if (strcmp(path, "-") == 0)
        return command_complain(path,
                                "three inks do not fit on standard output");
    return write_pbms(path, dots, width, height);
}
