/*
 * png_writer.c - writes a PNG row by row, libpng's jumps kept inside.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>

#include "halftone/halftone.h"
#include "tools/png_writer.h"

static void failed(png_structp png, png_const_charp text)
{
    struct png_writer *writer = png_get_error_ptr(png);

    snprintf(writer->error, sizeof writer->error, "PNG: %s", text);
    longjmp(writer->jump, 1);
}

static void warned(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static bool fail(struct png_writer *writer, const char *text)
{
    snprintf(writer->error, sizeof writer->error, "%s", text);
    return false;
}

static void set_palette(struct png_writer *writer,
                        const struct png_shape *shape)
{
    png_color palette[PNG_WRITER_COLORS];

    for (unsigned i = 0; i < shape->colors; i++) {
        palette[i].red = shape->palette[i][0];
        palette[i].green = shape->palette[i][1];
        palette[i].blue = shape->palette[i][2];
    }
    png_set_PLTE(writer->png, writer->info, palette, (int)shape->colors);
}

/* Sets the resolution, in whole pixels a meter; lower ones cannot be stored. */
static void set_resolution(struct png_writer *writer, const double dpi[2])
{
    png_uint_32 x = (png_uint_32)(dpi[0] / 0.0254 + 0.5);
    png_uint_32 y = (png_uint_32)(dpi[1] / 0.0254 + 0.5);

    if (x >= 1 && y >= 1)
        png_set_pHYs(writer->png, writer->info, x, y, PNG_RESOLUTION_METER);
}

/* Writes as libpng does, but keeps the reason of a failure. */
static void write_bytes(png_structp png, png_bytep bytes, size_t count)
{
    if (fwrite(bytes, 1, count, png_get_io_ptr(png)) != count)
        png_error(png, strerror(errno));
}

static void write_header(struct png_writer *writer,
                         const struct png_shape *shape)
{
    bool indexed = shape->mono || shape->colors > 0;
    int type = shape->mono     ? PNG_COLOR_TYPE_GRAY
               : shape->colors ? PNG_COLOR_TYPE_PALETTE
                               : PNG_COLOR_TYPE_RGB;
    int depth = !indexed || shape->colors > 16 ? 8 : shape->colors > 2 ? 4 : 1;

    png_set_write_fn(writer->png, writer->out.file, write_bytes, NULL);
    /* libpng's own limit is a million. */
    png_set_user_limits(writer->png, HT_MAX_WIDTH, HT_MAX_HEIGHT);
    png_set_IHDR(writer->png, writer->info, shape->width, shape->height, depth,
                 type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (shape->colors)
        set_palette(writer, shape);
    png_set_sRGB(writer->png, writer->info, PNG_sRGB_INTENT_RELATIVE);
    set_resolution(writer, shape->dpi);
    /* Dots hardly shrink at any level. */
    png_set_compression_level(writer->png, shape->level ? shape->level : 3);
    png_write_info(writer->png, writer->info);
    if (indexed)
        png_set_packing(writer->png); /* an index a byte comes */
    if (shape->mono)
        png_set_invert_mono(writer->png); /* in PNG gray 0 is black */
}

bool png_writer_open(struct png_writer *writer, const char *path,
                     const char *in, const struct png_shape *shape)
{
    const char *why;

    *writer = (struct png_writer){.png = NULL};
    writer->png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, failed, warned);
    if (writer->png != NULL)
        writer->info = png_create_info_struct(writer->png);
    if (writer->info == NULL)
        return fail(writer, "not enough memory");
    why = out_file_open(&writer->out, path, in);
    if (why != NULL)
        return fail(writer, why);
    if (setjmp(writer->jump) != 0)
        return false;
    write_header(writer, shape);
    return true;
}

bool png_writer_row(struct png_writer *writer, const uint8_t *row)
{
    if (setjmp(writer->jump) != 0)
        return false;
    png_write_row(writer->png, row);
    return true;
}

static bool write_end(struct png_writer *writer)
{
    if (setjmp(writer->jump) != 0)
        return false;
    png_write_end(writer->png, NULL);
    return true;
}

bool png_writer_close(struct png_writer *writer, bool ok)
{
    ok = ok && write_end(writer);
    png_destroy_write_struct(&writer->png, &writer->info);
    const char *why = out_file_close(&writer->out, ok);

    return ok && (why == NULL || fail(writer, why));
}
