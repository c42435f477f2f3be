/*
 * scan_jpeg.c - reads a scan of JPEG. Files are not trusted: their size is
 * checked first, and what is damaged is refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdlib.h>

#include "tools/scan_jpeg.h"

bool scan_jpeg_is(FILE *file)
{
    const int c = getc(file);

    return c != EOF && ungetc(c, file) != EOF && c == 0xff;
}

#ifdef HAVE_JPEG
#include <jpeglib.h>

#ifndef MOST_PIXELS
#define MOST_PIXELS (200u << 20) /* 1,200 dpi of A4, and some more */
#endif
#define MOST_SCANS 100 /* of a progressive file: each is work */

/* Where libjpeg's errors lead. */
struct jpeg_trouble {
    struct jpeg_error_mgr manager; /* first */
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    char *error;
};

static void leave(j_common_ptr info)
{
    struct jpeg_trouble *trouble = (struct jpeg_trouble *)(void *)info->err;
    char text[JMSG_LENGTH_MAX];

    info->err->format_message(info, text);
    snprintf(trouble->error, IMAGE_ERROR_BYTES, "JPEG: %.120s", text);
    longjmp(trouble->back, 1);
}

/* Warnings are about data that is damaged; level 0 and more are traces. */
static void warn(j_common_ptr info, int level)
{
    if (level < 0)
        leave(info);
}

static void watch(j_common_ptr info)
{
    struct jpeg_trouble *trouble = (struct jpeg_trouble *)(void *)info->err;

    if (info->is_decompressor &&
        ((j_decompress_ptr)info)->input_scan_number > MOST_SCANS) {
        snprintf(trouble->error, IMAGE_ERROR_BYTES, "JPEG: too many scans");
        longjmp(trouble->back, 1);
    }
}

/* Reads all rows; may longjmp. */
static bool read_rows(struct image *image, j_decompress_ptr info, char *error)
{
    jpeg_read_header(info, TRUE);
    if ((uint64_t)info->image_width * info->image_height > MOST_PIXELS) {
        snprintf(error, IMAGE_ERROR_BYTES, "the image is too large");
        return false;
    }
    if (info->num_components != 1)
        info->out_color_space = JCS_RGB;
    jpeg_start_decompress(info);
    image->width = info->output_width;
    image->height = info->output_height;
    image->channels = (uint32_t)info->output_components;
    image->bits = 8;
    const size_t stride = (size_t)image->width * image->channels;
    image->samples = malloc(stride * image->height);
    if (image->samples == NULL) {
        snprintf(error, IMAGE_ERROR_BYTES, "not enough memory");
        return false;
    }
    while (info->output_scanline < info->output_height) {
        JSAMPROW row =
            (uint8_t *)image->samples + info->output_scanline * stride;
        jpeg_read_scanlines(info, &row, 1);
    }
    return true;
}

bool scan_jpeg_read(struct image *image, FILE *file, char *error)
{
    struct jpeg_trouble trouble = {.error = error};
    struct jpeg_decompress_struct info = {.err =
                                              jpeg_std_error(&trouble.manager)};
    bool ok = false;

    *image = (struct image){0};
    trouble.manager.error_exit = leave;
    trouble.manager.emit_message = warn;
    trouble.progress.progress_monitor = watch;
    if (setjmp(trouble.back) == 0) {
        jpeg_create_decompress(&info);
        info.progress = &trouble.progress;
        jpeg_stdio_src(&info, file);
        ok = read_rows(image, &info, error);
    }
    jpeg_destroy_decompress(&info);
    return ok;
}
#else
bool scan_jpeg_read(struct image *image, FILE *file, char *error)
{
    (void)file;
    *image = (struct image){0};
    snprintf(error, IMAGE_ERROR_BYTES,
             "this program was built without libjpeg: convert it to PNG");
    return false;
}
#endif
