/*
 * picture_jpeg.c - reads JPEG files with libjpeg.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "printer-app/picture.h"

/* A progressive file is read whole before its first line. A byte or two of it
 * can ask for all of that once more. */
#define MOST_SCANS 100
#define MOST_MEMORY (2 * PICTURE_MOST_BYTES + ((size_t)16 << 20))

/* Where libjpeg's errors lead. */
struct trouble {
    struct jpeg_error_mgr manager; /* first */
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    char *why;
};

static void leave(j_common_ptr info)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;
    char text[JMSG_LENGTH_MAX];

    info->err->format_message(info, text);
    snprintf(trouble->why, PICTURE_WHY, "%s", text);
    longjmp(trouble->back, 1);
}

/* Warnings are about data that is damaged or cut short: what libjpeg made up
 * for it is not printed. Level 0 and more are traces. */
static void warn(j_common_ptr info, int level)
{
    if (level < 0)
        leave(info);
}

/* libjpeg calls it now and then while it reads. */
static void count_scans(j_common_ptr info)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;

    if (((j_decompress_ptr)info)->input_scan_number <= MOST_SCANS)
        return;
    snprintf(trouble->why, PICTURE_WHY, "more than %d scans", MOST_SCANS);
    longjmp(trouble->back, 1);
}

static bool is_cmyk(J_COLOR_SPACE space)
{
    return space == JCS_CMYK || space == JCS_YCCK;
}

static int pixels_an_inch(const struct jpeg_decompress_struct *info)
{
    return info->density_unit == 1   ? info->X_density
           : info->density_unit == 2 ? info->X_density * 254 / 100
                                     : 0;
}

/* Makes light of a line of CMYK, in place. Adobe's files, which are nearly all,
 * have light instead of ink. */
static void lighten(uint8_t *line, unsigned width, bool adobe)
{
    uint8_t *light = line;

    for (unsigned x = 0; x < width; x++, line += 4, light += 3) {
        const unsigned flip = adobe ? 0 : 255, k = line[3] ^ flip;

        for (int i = 0; i < 3; i++)
            light[i] = (uint8_t)(((line[i] ^ flip) * k + 127) / 255);
    }
}

/* Takes the luminance of a line of light, in place; ITU-R BT.601. */
static void gray(uint8_t *line, unsigned width)
{
    for (unsigned x = 0; x < width; x++)
        line[x] = (uint8_t)((299u * line[3 * x] + 587u * line[3 * x + 1] +
                             114u * line[3 * x + 2] + 500) /
                            1000);
}

/* Reads the lines of CMYK through one of their own size. */
static void read_cmyk(struct jpeg_decompress_struct *info,
                      struct picture *picture, JSAMPARRAY line)
{
    const size_t bytes = (size_t)picture->width * (size_t)picture->depth;

    while (info->output_scanline < info->output_height) {
        uint8_t *to = picture->pixels + info->output_scanline * bytes;

        jpeg_read_scanlines(info, line, 1);
        lighten(line[0], info->output_width, info->saw_Adobe_marker);
        if (picture->depth == 1)
            gray(line[0], info->output_width);
        memcpy(to, line[0], bytes);
    }
}

static void read_lines(struct jpeg_decompress_struct *info,
                       struct picture *picture)
{
    const size_t bytes = (size_t)picture->width * (size_t)picture->depth;

    while (info->output_scanline < info->output_height) {
        JSAMPROW row = picture->pixels + info->output_scanline * bytes;

        jpeg_read_scanlines(info, &row, 1);
    }
}

static void read_picture(struct jpeg_decompress_struct *info,
                         struct picture *picture,
                         bool (*wants_color)(void *context, bool color),
                         void *context)
{
    const bool cmyk = is_cmyk(info->jpeg_color_space);
    const bool color = wants_color(context, info->num_components > 1);
    const int depth = color ? 3 : 1;
    struct trouble *trouble = (struct trouble *)(void *)info->err;

    info->out_color_space = cmyk ? JCS_CMYK : color ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_calc_output_dimensions(info);
    if ((uint64_t)info->output_width * info->output_height * (unsigned)depth >
        PICTURE_MOST_BYTES) {
        snprintf(trouble->why, PICTURE_WHY, "%u by %u pixels are too many",
                 info->output_width, info->output_height);
        return;
    }
    picture->width = (int)info->output_width;
    picture->height = (int)info->output_height;
    picture->depth = depth;
    picture->ppi = pixels_an_inch(info);
    picture->pixels = malloc((size_t)picture->width * (size_t)picture->height *
                             (size_t)depth);
    if (picture->pixels == NULL) {
        snprintf(trouble->why, PICTURE_WHY, "not enough memory");
        return;
    }
    jpeg_start_decompress(info);
    if (cmyk)
        read_cmyk(info, picture,
                  info->mem->alloc_sarray((j_common_ptr)info, JPOOL_IMAGE,
                                          info->output_width * 4, 1));
    else
        read_lines(info, picture);
    jpeg_finish_decompress(info);
    trouble->why[0] = '\0';
}

bool picture_read_jpeg(struct picture *picture, const char *path,
                       bool (*wants_color)(void *context, bool color),
                       void *context, char why[PICTURE_WHY])
{
    struct jpeg_decompress_struct info;
    struct trouble trouble = {.why = why};
    FILE *file = fopen(path, "rbe");

    *picture = (struct picture){.pixels = NULL};
    snprintf(why, PICTURE_WHY, "damaged");
    if (file == NULL) {
        snprintf(why, PICTURE_WHY, "%s", strerror(errno));
        return false;
    }
    info.err = jpeg_std_error(&trouble.manager);
    trouble.manager.error_exit = leave;
    trouble.manager.emit_message = warn;
    trouble.progress.progress_monitor = count_scans;
    jpeg_create_decompress(&info);
    info.progress = &trouble.progress;
    info.mem->max_memory_to_use = (long)MOST_MEMORY;
    if (setjmp(trouble.back) == 0) {
        jpeg_stdio_src(&info, file);
        jpeg_read_header(&info, TRUE);
        read_picture(&info, picture, wants_color, context);
    }
    jpeg_destroy_decompress(&info);
    fclose(file);
    return why[0] == '\0';
}
