/*
 * canon_dots.c - planes of drop codes of a job for a Canon, by Gutenprint's own
 * decoder, test/pixma_parse.c of its source, which is included here.
 *
 *   canon_dots JOB ORDER >planes
 *
 * ORDER is that of eight inks in the list of their bits, as "CMYKcmyk".
 *
 * Edits of build.sh leave the rows to write_dots() in place of write_ppm(), and
 * call place_inks() when the inks of the rows are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdbool.h>
#include <stdio.h>

struct image_s;
static void place_inks(struct image_s *image);
static void write_dots(struct image_s *image, FILE *out);

#define main pixma_parse_main
#include "pixma_parse.c"
#undef main

#include "planes.h"

static bool has(const struct image_s *image, const color_t *color)
{
    return strchr(image->color_order, color->name) != NULL;
}

static const char *order;

/* Gives inks the places in the list of bits that the caller says, as the job
 * does not; and an ink that has rows, but no bits, those of one that has none.
 */
static void place_inks(struct image_s *image)
{
    for (int i = 0; i < 8; i++)
        image->color[i].name = order[i];
    for (int i = 0; i < 8; i++)
        for (int k = 0;
             k < 8 && image->color[i].bpp > 0 && !has(image, &image->color[i]);
             k++) {
            color_t *const ink = &image->color[k];

            if (ink->bpp == 0 && has(image, ink)) {
                ink->bpp = image->color[i].bpp;
                ink->level = image->color[i].level;
                ink->compression = image->color[i].compression;
                image->color[i].bpp = 0;
            }
        }
}

static unsigned code_at(const rasterline_t *line, unsigned bits, unsigned x)
{
    unsigned code = 0;

    for (unsigned bit = x * bits; bit < (x + 1) * bits; bit++)
        code = code << 1 | (line->buf[bit / 8] >> (7 - bit % 8) & 1U);
    return code;
}

static void put_plane(const image_t *image, const color_t *color)
{
    const unsigned bits = (unsigned)color->bpp;
    const char name[] = {color->name, '\0'};
    unsigned width = 1, height = image->height + 1;

    for (const rasterline_t *line = color->tail; line != NULL;
         line = line->next) {
        if (line->len * 8 / bits > width)
            width = line->len * 8 / bits;
        if (line->line >= height)
            height = line->line + 1;
    }
    unsigned char *dots = calloc(width, height);

    for (const rasterline_t *line = color->tail; line != NULL;
         line = line->next)
        for (unsigned x = 0; x < line->len * 8 / bits; x++)
            dots[(size_t)line->line * width + x] =
                (unsigned char)code_at(line, bits, x);
    planes_put(name, 0, 0, 0, 0, (int)width, (int)height, dots);
    free(dots);
}

static void write_dots(struct image_s *image, FILE *out)
{
    (void)out;
    for (int i = 0; i < MAX_COLORS; i++)
        if (image->color[i].tail != NULL && image->color[i].bpp > 0)
            put_plane(image, &image->color[i]);
}

int main(int argc, char **argv)
{
    FILE *in = argc == 3 ? fopen(argv[1], "rb") : NULL;

    order = argc == 3 && strlen(argv[2]) == 8 ? argv[2] : "CMYKcmyk";
    fout = stderr;
    return in != NULL && process(in, stdout, 0, 0, 0, 680, 263) >= -2 ? 0 : 1;
}
