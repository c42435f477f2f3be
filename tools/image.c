/*
 * image.c - reads images of PNM and PNG into memory.
 *
 * Files are not trusted: sizes are checked before they are multiplied, and a
 * file that is too short is an error, never a white rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "halftone/halftone.h"
#include "tools/image.h"

#define METER_PER_INCH 0.0254
#define MAX_BYTES ((size_t)2048 << 20) /* of samples */
#define MAX_PROFILE (16 << 20)         /* bytes */

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
    free(image->icc);
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

/* Expands bits to samples, in place: the packed row lies at the end of its
 * samples, so a byte is read before the samples it becomes are written. */
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
static bool read_pnm(struct image *image, const struct image_file *in,
                     char type, char *error)
{
    FILE *file = in->file;
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
        progress_show(in->progress, y, image->height);
    }
    return true;
}

/* ---- PNG -------------------------------------------------------------- */

/* Jumps out of libpng's error callback, which must not return. */
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

/* Leaves out all chunks but those that are asked for: texts can be unpacked to
 * any size, a thousand of them. */
static void set_limits(png_structp png)
{
    static const png_byte wanted[] = "iCCP\0pHYs";

    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, wanted,
                                sizeof wanted / 5);
    png_set_chunk_malloc_max(png, MAX_PROFILE);
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

/* Keeps the file's profile, if there is one; without memory there is none. */
static void keep_profile(struct image *image, png_structp png, png_infop info)
{
    png_charp name;
    png_bytep icc;
    png_uint_32 size;
    int compression;

    if (png_get_iCCP(png, info, &name, &compression, &icc, &size) == 0)
        return;
    image->icc = malloc(size);
    image->icc_bytes = size;
    if (image->icc != NULL)
        memcpy(image->icc, icc, size);
}

/* Keeps the resolution, if the file has one and not only a shape of pixels. */
static void keep_resolution(struct image *image, png_structp png,
                            png_infop info)
{
    png_uint_32 x, y;
    int unit;

    if (png_get_pHYs(png, info, &x, &y, &unit) == 0 ||
        unit != PNG_RESOLUTION_METER)
        return;
    image->dpi[0] = x * METER_PER_INCH;
    image->dpi[1] = y * METER_PER_INCH;
}

/* Reads the PNG; all calls that may longjmp are here, and nothing that would
 * leak. */
static bool read_png_image(struct image *image, png_structp png, png_infop info,
                           struct progress_line *progress, char *error)
{
    png_read_info(png, info);
    keep_profile(image, png, info);
    keep_resolution(image, png, info);
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
        for (uint32_t y = 0; y < image->height; y++) {
            png_read_row(png, (uint8_t *)image->samples + y * stride, NULL);
            progress_show(progress, (uint64_t)pass * image->height + y,
                          (uint64_t)passes * image->height);
        }
    png_read_end(png, NULL);
    return true;
}

static bool read_png(struct image *image, const struct image_file *in,
                     char *error)
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
        png_init_io(png, in->file);
        png_set_sig_bytes(png, 2); /* image_read() has read two */
        png_set_user_limits(png, png_get_user_width_max(png), HT_MAX_HEIGHT);
        set_limits(png);
        ok = read_png_image(image, png, info, in->progress, error);
    }
    png_destroy_read_struct(&png, &info, NULL);
    return ok;
}

/* ---- Reading ---------------------------------------------------------- */

bool image_open(struct image_file *in, const char *path, char *error)
{
    *in = (struct image_file){
        .file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb")};
    return in->file != NULL || fail(error, strerror(errno));
}

void image_close(struct image_file *in)
{
    if (in->file != NULL && in->file != stdin)
        fclose(in->file);
    in->file = NULL;
}

/* Whether anything but white space is left, before which the file then is. */
static bool has_more(FILE *file)
{
    int c;

    do
        c = getc(file);
    while (isspace(c));
    return c != EOF && ungetc(c, file) != EOF;
}

static bool read_image(struct image *image, struct image_file *in, char *error)
{
    char magic[2];

    if (fread(magic, 1, sizeof magic, in->file) != sizeof magic)
        return fail(error, ferror(in->file) ? strerror(errno)
                           : in->count > 1  ? "the file is too short"
                                            : "the file is empty");
    if (magic[0] == 'P' && magic[1] >= '4' && magic[1] <= '6')
        return read_pnm(image, in, magic[1], error);
    if (memcmp(magic, "\x89P", sizeof magic) != 0)
        return fail(error, "neither PNG nor binary PBM, PGM, PPM");
    in->png = true;
    return in->count > 1 ? fail(error, "a PNG has to be the only image")
                         : read_png(image, in, error);
}

/* Bytes behind a PNG that begin no image are ignored, as in all programs that
 * read PNG. */
static bool ends(struct image_file *in)
{
    if (in->count == 0)
        return false;
    if (!in->png)
        return !has_more(in->file);
    int c = getc(in->file);
    return c != 'P' && c != 0x89;
}

enum image_outcome image_next(struct image *image, struct image_file *in,
                              char *error)
{
    char why[IMAGE_ERROR_BYTES];

    memset(image, 0, sizeof *image);
    if (ends(in)) {
        if (!ferror(in->file))
            return IMAGE_NO_MORE;
        fail(error, strerror(errno));
        return IMAGE_WRONG;
    }
    in->count++;
    if (in->png ? fail(why, "a PNG has to be the only image")
                : read_image(image, in, why))
        return IMAGE_READ;
    image_free(image);
    if (in->count == 1)
        snprintf(error, IMAGE_ERROR_BYTES, "%s", why);
    else
        snprintf(error, IMAGE_ERROR_BYTES, "image %" PRIu64 ": %.120s",
                 in->count, why);
    return IMAGE_WRONG;
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
