/*
 * pcl_dots.c - planes of drop codes of a job in PCL, by Gutenprint's own
 * decoder, test/pcl-unprint.c of its source, which is included here.
 *
 *   pcl_dots <job >planes
 *
 * Edits of build.sh leave the rows to write_dots() in place of write_grey() and
 * write_colour(). Each is zero before the next is read but for what a row has,
 * as the printer has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define main pcl_unprint_main
#define write_grey write_dots
#define write_colour write_dots
#include "pcl-unprint.c"
#undef main

#include "planes.h"

static const char *const names[] = {"K", "C", "M", "Y", "LC", "LM"};
static unsigned char *planes[6];
static int width, height;

void write_dots(output_t *output, image_t *image)
{
    char **const rows[] = {output->black_bufs,   output->cyan_bufs,
                           output->magenta_bufs, output->yellow_bufs,
                           output->lcyan_bufs,   output->lmagenta_bufs};
    const int bits[] = {
        output->black_data_rows_per_row,   output->cyan_data_rows_per_row,
        output->magenta_data_rows_per_row, output->yellow_data_rows_per_row,
        output->lcyan_data_rows_per_row,   output->lmagenta_data_rows_per_row};
    const size_t bytes = (size_t)output->buffer_length;

    width = output->buffer_length * 8;
    for (int ink = 0; ink < 6; ink++) {
        if (bits[ink] == 0)
            continue;
        planes[ink] =
            realloc(planes[ink], (size_t)width * (size_t)(height + 1));
        for (int x = 0; x < width; x++) {
            int code = 0;

            for (int bit = 0; bit < bits[ink]; bit++)
                code |= (rows[ink][bit][x / 8] >> (7 - x % 8) & 1)
                        << (bits[ink] - 1 - bit);
            planes[ink][(size_t)height * (size_t)width + (size_t)x] =
                (unsigned char)code;
        }
        for (int bit = 0; bit < bits[ink]; bit++)
            if (image->compression_type != PCL_COMPRESSION_DELTA)
                memset(rows[ink][bit], 0, bytes);
    }
    height++;
}

static void put_planes(void)
{
    for (int ink = 0; ink < 6; ink++)
        if (planes[ink] != NULL)
            planes_put(names[ink], 0, 0, 0, 0, width, height, planes[ink]);
}

int main(int argc, char **argv)
{
    char *arguments[] = {argv[0], "/dev/stdin", "/dev/null", NULL};

    atexit(put_planes);
    return pcl_unprint_main(argc == 1 ? 3 : 0, arguments);
}
