/*
 * patch_srgb.c - patches of sRGB colors: what becomes of them on paper, or in a
 * preview of it.
 *
 *   patch-srgb [--black LIGHT] [--like FILE] [--page DPI,LEFT,TOP]
 *       LAYOUT.csv DOTS.ras|DOTS.pbm|PREVIEW.png
 *
 * The second column of the layout has the color, rrggbb. Dots are printed by
 * the model of doc/dev/color-model.md: those of a raster, or of four PBMs in
 * one file, C, M, Y, K. A PNG has its colors in sRGB. PBM and PNG are the 4 x 4
 * inches of doc/samples/make-colors, or such a page is in them, so many points
 * from their upper left corner. With --black, what is wanted has black of so
 * much of paper's light, and all else scaled with it (black point
 * compensation); with
 * --like it is what another such file has. Prints for each patch both colors in
 * CIE L*a*b* (D50, paper is white) and CIEDE2000; for each name in the first
 * column the mean and the worst of these, how uneven its lightness is (the most
 * that a step from patch to patch differs from the one before, in steps), and
 * the largest a* or b*.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/color/color.h"
#include "page/round_dots.h"
#include "test/readers/patches.h"
#include "tools/image.h"

/* Where colors are measured: dots, or a picture with the page's size. */
struct seen_color {
    struct sheet dots;
    struct round_dots round[COLOR_INKS];
    struct image picture; /* empty = dots */
    double black;         /* light of black that is wanted */
    const char *page;     /* where the page is in pictures; NULL = all */
};

struct srgb_totals {
    double sum, worst, uneven, tint;
    double lightness, step;
    unsigned count;
};

/* ---- Color ----------------------------------------------------------------
 */

/* Linear sRGB, 0..1, to X, Y, Z of D50 paper (Bradford). */
static void xyz_of_light(const double light[3], double xyz[3])
{
    static const double m[3][3] = {{0.4360747, 0.3850649, 0.1430804},
                                   {0.2225045, 0.7168786, 0.0606169},
                                   {0.0139322, 0.0971045, 0.7141733}};

    for (int i = 0; i < 3; i++)
        xyz[i] = 100 *
                 (m[i][0] * light[0] + m[i][1] * light[1] + m[i][2] * light[2]);
}

static double light_of(double sample)
{
    return sample <= 0.04045 ? sample / 12.92
                             : pow((sample + 0.055) / 1.055, 2.4);
}

static int sample_of(unsigned long hex, int c)
{
    return (int)(hex >> (16 - 8 * c) & 255);
}

static void wanted_lab(const struct patch *patch, double black, double lab[3])
{
    const unsigned long hex = strtoul(patch->percent, NULL, 16);
    double light[3], xyz[3];

    for (int c = 0; c < 3; c++)
        light[c] = black + (1 - black) * light_of(sample_of(hex, c) / 255.0);
    xyz_of_light(light, xyz);
    color_lab(xyz, lab);
}

/* ---- Patches ---------------------------------------------------------------
 */

/* The color of dots on paper; the patch does not touch the page's edge. */
static bool color_of_dots(const struct seen_color *seen,
                          const struct patch *patch, double xyz[3])
{
    const struct sheet *sheet = &seen->dots;
    double sum[COLOR_PRIMARIES] = {0};
    struct area area;

    if (!sheet_area(sheet, patch, &area) || area.top == 0 || area.left == 0)
        return false;
    const double pixels =
        (double)(area.right - area.left) * (area.bottom - area.top);
    for (uint32_t y = area.top; y < area.bottom; y++)
        for (uint32_t x = area.left; x < area.right; x++) {
            double share[COLOR_PRIMARIES];
            unsigned sets[COLOR_INKS] = {0};

            for (int k = 0; k < COLOR_INKS; k++)
                sets[(k + 1) % COLOR_INKS] = /* C, M, Y, K to K, C, M, Y */
                    sheet_neighbours(sheet, k, 1, x, y);
            round_dots_shares(seen->round, sets, share);
            for (int i = 0; i < COLOR_PRIMARIES; i++)
                sum[i] += share[i] / pixels;
        }
    color_on_paper(sum, xyz);
    return true;
}

/* The mean light of a picture of the page. */
static bool color_of_picture(const struct image *picture,
                             const struct sheet *page,
                             const struct patch *patch, double xyz[3])
{
    const uint8_t *samples = picture->samples;
    double light[3] = {0};
    struct area area;

    if (!sheet_area(page, patch, &area))
        return false;
    const double pixels =
        (double)(area.right - area.left) * (area.bottom - area.top);
    for (uint32_t y = area.top; y < area.bottom; y++)
        for (uint32_t x = area.left; x < area.right; x++)
            for (uint32_t c = 0; c < 3; c++)
                light[c] += light_of(samples[((size_t)y * picture->width + x) *
                                                 picture->channels +
                                             c % picture->channels] /
                                     255.0) /
                            pixels;
    xyz_of_light(light, xyz);
    return true;
}

static bool color_of(const struct seen_color *seen, const struct patch *patch,
                     double xyz[3])
{
    return seen->picture.samples != NULL
               ? color_of_picture(&seen->picture, &seen->dots, patch, xyz)
               : color_of_dots(seen, patch, xyz);
}

/* Measures a patch, against `like` if that is not empty. */
static bool measure(const struct seen_color *seen,
                    const struct seen_color *like, const struct patch *patch,
                    struct srgb_totals *totals)
{
    double xyz[3], is[3], wanted[3];

    if (!color_of(seen, patch, xyz))
        return false;
    color_lab(xyz, is);
    wanted_lab(patch, seen->black, wanted);
    if (like->dots.width > 0) {
        if (!color_of(like, patch, xyz))
            return false;
        color_lab(xyz, wanted);
    }
    const double off = color_difference(is, wanted);
    const double step = is[0] - totals->lightness;

    printf("%-8s %s wanted %6.2f %6.2f %6.2f, is %6.2f %6.2f %6.2f, off %.2f\n",
           patch->ink, patch->percent, wanted[0], wanted[1], wanted[2], is[0],
           is[1], is[2], off);
    totals->sum += off;
    totals->worst = fmax(totals->worst, off);
    totals->tint = fmax(totals->tint, fmax(fabs(is[1]), fabs(is[2])));
    if (totals->count >= 2)
        totals->uneven =
            fmax(totals->uneven,
                 fabs(step - totals->step) / fabs((step + totals->step) / 2));
    totals->step = step;
    totals->lightness = is[0];
    totals->count++;
    return true;
}

/* ---- Program ---------------------------------------------------------------
 */

static void set_page(struct seen_color *seen, const struct image *picture)
{
    struct sheet *page = &seen->dots;
    unsigned dpi = picture->width / 4;
    double left = 0, top = 0;

    if (seen->page != NULL &&
        sscanf(seen->page, "%u,%lf,%lf", &dpi, &left, &top) != 3)
        dpi = 0;
    page->width = picture->width;
    page->height = picture->height;
    page->dpi[0] = page->dpi[1] = dpi;
    page->left = -left;
    page->top = -top;
}

static bool complain(const char *path, const char *what)
{
    fprintf(stderr, "%s: %s\n", path, what);
    return false;
}

static bool open_picture(struct seen_color *seen, const char *path)
{
    char error[IMAGE_ERROR_BYTES];
    struct image_file file;
    bool ok = image_open(&file, path, error) &&
              image_next(&seen->picture, &file, error) == IMAGE_READ;

    image_close(&file);
    if (!ok || seen->picture.bits != 8)
        return complain(path, ok ? "not of 8 bits" : error);
    set_page(seen, &seen->picture);
    return true;
}

/* Keeps a PBM as the plane of an ink, 0..3 for C, M, Y, K. */
static bool keep_plane(struct seen_color *seen, int k,
                       const struct image *plane)
{
    struct sheet *dots = &seen->dots;
    const size_t count = (size_t)plane->width * plane->height;
    const uint8_t *samples = plane->samples;

    set_page(seen, plane);
    dots->full = 1;
    dots->sample[k] = calloc(count, sizeof *dots->sample[k]);
    for (size_t i = 0; dots->sample[k] != NULL && i < count; i++)
        dots->sample[k][i] = samples[i] == 0;
    return dots->sample[k] != NULL;
}

static bool open_planes(struct seen_color *seen, const char *path)
{
    char error[IMAGE_ERROR_BYTES];
    struct image_file file;
    bool ok = image_open(&file, path, error);

    for (int i = 0; ok && i < PATCH_INKS; i++) {
        struct image plane = {0};

        ok = image_next(&plane, &file, error) == IMAGE_READ &&
             plane.bits == 8 && plane.channels == 1 &&
             keep_plane(seen, i, &plane);
        image_free(&plane);
    }
    image_close(&file);
    return ok || complain(path, "not four planes of dots");
}

static bool open_raster(struct seen_color *seen, const char *path)
{
    return sheet_read(&seen->dots, path) &&
           (seen->dots.full == 1 || complain(path, "no dots"));
}

static bool open_seen(struct seen_color *seen, const char *path)
{
    const size_t length = strlen(path);
    const char *end = path + (length > 4 ? length - 4 : 0);

    for (int ink = 0; ink < COLOR_INKS; ink++)
        round_dots_init(&seen->round[ink], round_diameters[ink], 0, 0);
    return strcmp(end, ".png") == 0   ? open_picture(seen, path)
           : strcmp(end, ".pbm") == 0 ? open_planes(seen, path)
                                      : open_raster(seen, path);
}

int main(int argc, char **argv)
{
    static struct seen_color seen, like;
    const char *like_path = NULL;
    struct patch *patches = NULL;
    struct srgb_totals totals = {0};

    for (; argc > 3 && argv[1][0] == '-'; argc -= 2, argv += 2)
        if (strcmp(argv[1], "--black") == 0)
            seen.black = atof(argv[2]);
        else if (strcmp(argv[1], "--like") == 0)
            like_path = argv[2];
        else if (strcmp(argv[1], "--page") == 0)
            seen.page = like.page = argv[2];
    if (argc != 3) {
        fputs("usage: patch-srgb [--black LIGHT] [--like FILE] "
              "[--page DPI,LEFT,TOP] "
              "LAYOUT.csv DOTS.ras|DOTS.pbm|PREVIEW.png\n",
              stderr);
        return 2;
    }
    const size_t count = patches_read(&patches, argv[1]);
    bool ok = count > 0 && open_seen(&seen, argv[2]) &&
              (like_path == NULL || open_seen(&like, like_path));

    for (size_t i = 0; ok && i < count; i++) {
        ok = measure(&seen, &like, &patches[i], &totals);
        if (ok && (i + 1 == count ||
                   strcmp(patches[i].ink, patches[i + 1].ink) != 0)) {
            printf("%s: mean %.2f worst %.2f uneven %.2f tint %.2f\n",
                   patches[i].ink, totals.sum / totals.count, totals.worst,
                   totals.uneven, totals.tint);
            totals = (struct srgb_totals){0};
        }
    }
    sheet_free(&seen.dots);
    sheet_free(&like.dots);
    image_free(&seen.picture);
    image_free(&like.picture);
    free(patches);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
