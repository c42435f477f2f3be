/*
 * picture_jpeg.c - reads JPEG files with libjpeg, which leaves out of its
 * transforms what is too fine for the page.
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

#include "page/color/light.h"
#include "printer-app/picture/picture_icc.h"
#include "printer-app/picture/picture_memory.h"
#include "printer-app/picture/picture_store.h"

/* Files of several scans, as progressive ones, are read whole before their
 * first line: 2 bytes a sample. A byte or two of them can ask for all of that
 * once more. */
#define MOST_SCANS 100
#define MOST_COEFFICIENTS (4 * PICTURE_MOST_BYTES)   /* bytes */
#define MOST_WORK (16 * (uint64_t)MOST_COEFFICIENTS) /* bytes, of all scans */
#define MOST_LINES ((size_t)32 << 20) /* bytes of what else libjpeg takes */

/* Where libjpeg's errors lead. */
struct trouble {
    struct jpeg_error_mgr manager; /* first */
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    char *why;
    const struct picture_reader *reader;
    struct picture_end end;
    boolean (*fill)(j_decompress_ptr info); /* libjpeg's, from the file */
    size_t reserved;                        /* bytes of coefficients */
    struct color_light *light; /* of CMYK with a profile; NULL = by formula */
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

/* libjpeg calls it for each row of blocks and each line. */
static void watch(j_common_ptr info)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;
    const int scans = ((j_decompress_ptr)info)->input_scan_number;
    const uint64_t most = trouble->reserved > MOST_WORK / MOST_SCANS
                              ? MOST_WORK / trouble->reserved
                              : MOST_SCANS;

    if (scans > 0 && (uint64_t)scans > most)
        snprintf(trouble->why, PICTURE_WHY, "more than %d scans", (int)most);
    else if (picture_goes_on(trouble->reader, trouble->end, trouble->why))
        return;
    longjmp(trouble->back, 1);
}

/* Between two rows of blocks a file can have any number of segments. */
static boolean fill(j_decompress_ptr info)
{
    const struct trouble *trouble = (struct trouble *)(void *)info->err;

    watch((j_common_ptr)info);
    return trouble->fill(info);
}

static bool is_cmyk(J_COLOR_SPACE space)
{
    return space == JCS_CMYK || space == JCS_YCCK;
}

static int pixels_an_inch(const struct jpeg_decompress_struct *info,
                          int density)
{
    return info->density_unit == 1   ? density
           : info->density_unit == 2 ? density * 254 / 100
                                     : 0;
}

/* Makes light of a line of CMYK, in place. All that write it have 255 for no
 * ink, with Adobe's marker or without. */
static void lighten(uint8_t *line, unsigned width)
{
    uint8_t *light = line;

    for (unsigned x = 0; x < width; x++, line += 4, light += 3) {
        const unsigned k = line[3];

        for (int i = 0; i < 3; i++)
            light[i] = (uint8_t)((line[i] * k + 127) / 255);
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

/* Returns how many bytes of coefficients a file has that is read whole; 0 of
 * one that is not. */
static uint64_t coefficients_of(struct jpeg_decompress_struct *info)
{
    uint64_t bytes = 0;

    if (!jpeg_has_multiple_scans(info))
        return 0;
    for (int i = 0; i < info->num_components; i++) {
        const jpeg_component_info *c = &info->comp_info[i];
        const uint64_t block = DCTSIZE2 * sizeof(JCOEF);

        /* libjpeg rounds up to whole units of several blocks. */
        bytes += ((uint64_t)c->width_in_blocks + MAX_SAMP_FACTOR) *
                 ((uint64_t)c->height_in_blocks + MAX_SAMP_FACTOR) * block;
    }
    return bytes;
}

/* Makes libjpeg reduce the picture to the smallest size in eighths that is at
 * least the plan's. */
static void scale(struct jpeg_decompress_struct *info,
                  const struct picture_plan *plan)
{
    info->scale_denom = 8;
    info->scale_num = 0;
    do {
        info->scale_num++;
        jpeg_calc_output_dimensions(info);
    } while (info->scale_num < 8 && (info->output_width < plan->width ||
                                     info->output_height < plan->height));
}

static void read_lines(struct jpeg_decompress_struct *info,
                       struct picture_store *store)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;
    const bool cmyk = info->out_color_space == JCS_CMYK;
    JSAMPARRAY line = info->mem->alloc_sarray(
        (j_common_ptr)info, JPOOL_IMAGE,
        info->output_width * (JDIMENSION)info->output_components, 1);
    JSAMPARRAY rgb = line;

    if (trouble->light != NULL)
        rgb = info->mem->alloc_sarray((j_common_ptr)info, JPOOL_IMAGE,
                                      info->output_width * 3, 1);
    while (info->output_scanline < info->output_height) {
        jpeg_read_scanlines(info, line, 1);
        if (trouble->light != NULL)
            color_light_line(trouble->light, line[0], info->output_width,
                             rgb[0]);
        else if (cmyk)
            lighten(line[0], info->output_width);
        if (cmyk && store->picture->depth == 1)
            gray(rgb[0], info->output_width);
        picture_store_line(store, rgb[0]);
    }
}

/* Converts CMYK to sRGB by the file's profile, if that is one of CMYK; else the
 * caller reports that the profile is useless. */
static void take_profile(struct jpeg_decompress_struct *info,
                         struct picture *picture)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;
    struct profile profile;
    char why[PROFILE_WHY];

    if (!is_cmyk(info->jpeg_color_space) || picture->icc == NULL ||
        !profile_take(&profile, picture->icc, picture->icc_bytes, PROFILE_INPUT,
                      why))
        return;
    if (profile.channels == 4)
        trouble->light = color_light_open(&profile);
    profile_free(&profile);
    if (trouble->light != NULL)
        picture_icc_drop(picture);
}

static void read_picture(struct jpeg_decompress_struct *info,
                         struct picture *picture, struct picture_store *store,
                         unsigned pose)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;
    const struct picture_reader *reader = trouble->reader;
    const struct picture_head head = {
        .width = info->image_width,
        .height = info->image_height,
        .color = info->num_components > 1,
        .pose = pose,
        .ppi = {pixels_an_inch(info, info->X_density),
                pixels_an_inch(info, info->Y_density)}};
    const uint64_t coefficients = coefficients_of(info);
    struct picture_plan plan;

    if (coefficients > MOST_COEFFICIENTS) {
        snprintf(trouble->why, PICTURE_WHY,
                 "%u by %u pixels are too many for a progressive JPEG",
                 head.width, head.height);
        return;
    }
    if (!picture_plan_of(&plan, &head, reader, trouble->why))
        return;
    if (!picture_memory_wait((size_t)coefficients, reader)) {
        snprintf(trouble->why, PICTURE_WHY, "canceled");
        return;
    }
    trouble->reserved = (size_t)coefficients;
    info->out_color_space = is_cmyk(info->jpeg_color_space) ? JCS_CMYK
                            : plan.color                    ? JCS_RGB
                                                            : JCS_GRAYSCALE;
    take_profile(info, picture);
    scale(info, &plan);
    if (!picture_store_open(store, picture, &plan, info->output_width,
                            info->output_height, trouble->why))
        return;
    jpeg_start_decompress(info);
    read_lines(info, store);
    jpeg_finish_decompress(info);
    trouble->why[0] = '\0';
}

/* Reads until libjpeg goes back. Variables of the function that calls setjmp()
 * would be undefined if they had changed (C11, 7.13.2.1): so they are its
 * caller's. */
static void try_to_read(struct jpeg_decompress_struct *info, FILE *file,
                        struct picture *picture, struct picture_store *store,
                        unsigned pose)
{
    struct trouble *trouble = (struct trouble *)(void *)info->err;

    if (setjmp(trouble->back) != 0)
        return;
    jpeg_stdio_src(info, file);
    trouble->fill = info->src->fill_input_buffer;
    info->src->fill_input_buffer = fill;
    jpeg_read_header(info, TRUE);
    read_picture(info, picture, store, pose);
}

bool picture_read_jpeg(struct picture *picture, const char *path,
                       const struct picture_reader *reader,
                       char why[PICTURE_WHY])
{
    struct picture_store store = {.picture = picture};
    struct jpeg_decompress_struct info;
    struct trouble trouble = {
        .why = why, .reader = reader, .end = picture_end()};
    unsigned pose;
    FILE *file = fopen(path, "rbe");

    *picture = (struct picture){.pixels = NULL};
    if (file == NULL) {
        snprintf(why, PICTURE_WHY, "%s", strerror(errno));
        return false;
    }
    if (!picture_icc_of_jpeg(picture, file, &pose, why)) {
        fclose(file);
        return false;
    }
    rewind(file);
    snprintf(why, PICTURE_WHY, "damaged");
    info.err = jpeg_std_error(&trouble.manager);
    trouble.manager.error_exit = leave;
    trouble.manager.emit_message = warn;
    trouble.progress.progress_monitor = watch;
    jpeg_create_decompress(&info);
    info.progress = &trouble.progress;
    info.mem->max_memory_to_use = (long)(MOST_COEFFICIENTS + MOST_LINES);
    try_to_read(&info, file, picture, &store, pose);
    jpeg_destroy_decompress(&info);
    color_light_close(trouble.light);
    picture_memory_done(trouble.reserved);
    picture_store_close(&store);
    fclose(file);
    return why[0] == '\0';
}
