/*
 * dots_file.c - writes pages of dots as PBM, PGM and PNG.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/dots_file.h"

static const char pnm[] = "pbm\0pgm\0pnm\0";
static const char png_or_pnm[] = "png\0pbm\0pgm\0pnm\0";

static bool is_png(const char *path)
{
    return out_file_other(path, pnm) && !out_file_other(path, png_or_pnm);
}

/* ---- PBM and PGM ------------------------------------------------------- */

/* Returns the file of an ink: OUT.pbm becomes OUT-c.pbm and so on. NULL without
 * memory; the caller frees it. */
static char *ink_path(const char *path, char ink)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t stem =
        dot != NULL && dot != base ? (size_t)(dot - path) : strlen(path);
    size_t size = strlen(path) + sizeof "-c";
    char *name = malloc(size);

    if (name != NULL)
        snprintf(name, size, "%.*s-%c%s", (int)stem, path, ink, path + stem);
    return name;
}

/* Opens the file of each ink. */
static bool open_files(struct dots_file *out)
{
    for (uint32_t i = 0; i < out->inks; i++) {
        out->name[i] =
            out->inks == 1
                ? strdup(out->path)
                : ink_path(out->path, "kcmy"[DOTS_INKS - out->inks + i]);
        if (out->name[i] == NULL)
            return command_complain(out->path, "not enough memory");
        const char *why = out_file_open(&out->file[i], out->name[i], out->in);
        if (why != NULL)
            return command_complain(out->name[i], why);
    }
    return true;
}

/* Returns the light that a size leaves of the paper, 255 = all. */
static uint8_t gray_of(const struct drop_sizes *drops, unsigned size)
{
    const unsigned whole = HT_WHOLE_DOT;

    return (uint8_t)((255 * (whole - sizes_area(drops, size)) + whole / 2) /
                     whole);
}

/* Writes a row of a PGM; `gray` is room for it. */
static bool write_grays(FILE *file, const struct drop_sizes *drops,
                        const uint8_t *dots, uint32_t width, uint8_t *gray)
{
    assert(gray != NULL);
    for (uint32_t x = 0; x < width; x++)
        gray[x] = gray_of(drops, sizes_at(drops, dots, x));
    return fwrite(gray, 1, width, file) == width;
}

/* Writes one ink of a page of `inks`; `dots` is where its first row is, and
 * `gray` room for a row of a PGM. */
static bool write_pnm(FILE *file, const struct drop_sizes *drops,
                      const uint8_t *dots, uint32_t width, uint32_t height,
                      uint32_t inks, uint8_t *gray)
{
    size_t stride = sizes_row_bytes(drops, width);
    bool sizes = drops->levels > 2;
    bool ok = fprintf(file, sizes ? "P5\n%u %u\n255\n" : "P4\n%u %u\n", width,
                      height) > 0;

    for (uint32_t y = 0; ok && y < height; y++, dots += stride * inks)
        ok = sizes ? write_grays(file, drops, dots, width, gray)
                   : fwrite(dots, 1, stride, file) == stride;
    return ok && fflush(file) == 0;
}

static bool write_pnms(struct dots_file *out, const uint8_t *dots,
                       uint32_t width, uint32_t height)
{
    size_t stride = sizes_row_bytes(&out->drops, width);
    uint8_t *gray = malloc(width);
    bool ok = gray != NULL || command_complain(out->path, "not enough memory");

    ok = ok && (out->pages > 0 || open_files(out));
    for (uint32_t i = 0; ok && i < out->inks; i++)
        ok = write_pnm(out->file[i].file, &out->drops, dots + i * stride, width,
                       height, out->inks, gray) ||
             command_complain(out->name[i], strerror(errno));
    free(gray);
    return ok;
}

/* ---- PNG -------------------------------------------------------------- */

/* Sets a palette whose index has a bit for each ink, from 0 on: K, if there is
 * one, C, M, Y. Colors are pure, so that the PNG of three inks gives the dots
 * again. */
static void set_palette(struct png_shape *shape, uint32_t inks)
{
    shape->colors = 1u << inks;
    for (unsigned i = 0; i < shape->colors; i++)
        for (unsigned c = 0; c < 3; c++)
            shape->palette[i][c] =
                (i >> (inks - 3 + c) & 1) || (inks == 4 && i & 1) ? 0 : 255;
}

/* Makes a row of palette indices. */
static void index_row(const struct drop_sizes *drops, const uint8_t *dots,
                      uint32_t width, uint32_t inks, uint8_t *row)
{
    size_t stride = sizes_row_bytes(drops, width);

    memset(row, 0, width);
    for (uint32_t i = 0; i < inks; i++)
        for (uint32_t x = 0; x < width; x++)
            row[x] |= (uint8_t)(sizes_at(drops, dots + i * stride, x) << i);
}

/* Makes a row of colors [width][3] from drops of several sizes: C, M and Y take
 * their areas off R, G and B, and K takes its off all three. */
static void color_row(const struct drop_sizes *drops, const uint8_t *dots,
                      uint32_t width, uint32_t inks, uint8_t *row)
{
    size_t stride = sizes_row_bytes(drops, width);

    for (uint32_t x = 0; x < width; x++)
        for (unsigned c = 0; c < 3; c++) {
            const uint8_t *ink =
                inks == 1 ? dots : dots + (inks - 3 + c) * stride;
            unsigned light = gray_of(drops, sizes_at(drops, ink, x));

            if (inks == 4)
                light = light * gray_of(drops, sizes_at(drops, dots, x)) / 255;
            row[3 * x + c] = (uint8_t)light;
        }
}

static bool write_png(struct dots_file *out, const uint8_t *dots,
                      uint32_t width, uint32_t height, const double dpi[2])
{
    const struct drop_sizes *drops = &out->drops;
    uint32_t inks = out->inks;
    size_t bytes = sizes_row_bytes(drops, width) * inks;
    struct png_shape shape = {.width = width,
                              .height = height,
                              .mono = inks == 1,
                              .dpi = {dpi[0], dpi[1]}};
    struct png_writer *png = &out->png;
    uint8_t *row = malloc(3 * (size_t)width);

    if (row == NULL)
        return command_complain(out->path, "not enough memory");
    if (drops->levels > 2)
        shape.mono = false;
    else if (inks > 1)
        set_palette(&shape, inks);
    bool ok = png_writer_open(png, out->path, out->in, &shape);
    for (uint32_t y = 0; ok && y < height; y++, dots += bytes) {
        (drops->levels > 2 ? color_row : index_row)(drops, dots, width, inks,
                                                    row);
        ok = png_writer_row(png, row);
        progress_show(out->progress, y, height);
    }
    progress_end(out->progress);
    free(row);
    return ok || command_complain(out->path, png->error);
}

/* ---- Pages ------------------------------------------------------------ */

bool dots_file_open(struct dots_file *out, const char *path, const char *in,
                    const struct drop_sizes *drops)
{
    *out = (struct dots_file){.path = path, .in = in, .drops = *drops};
    return !out_file_other(path, png_or_pnm) ||
           command_complain(path, "neither .png nor .pbm, .pgm or .pnm: no "
                                  "other format can be written");
}

bool dots_file_write(struct dots_file *out, const uint8_t *dots, uint32_t width,
                     uint32_t height, uint32_t inks, const double dpi[2])
{
    bool ok;

    if (inks != 1 && inks != 3 && inks != 4)
        return command_complain(out->path,
                                "only pages of 1, 3 or 4 inks can be written");
    if (inks > 1 && strcmp(out->path, "-") == 0)
        return command_complain(out->path,
                                "several inks do not fit on standard output");
    if (out->pages > 0 && is_png(out->path))
        return command_complain(out->path, "a PNG has one page");
    if (out->pages > 0 && inks != out->inks)
        return command_complain(out->path,
                                "gray and color pages need files of their own");
    out->inks = inks;
    ok = is_png(out->path) ? write_png(out, dots, width, height, dpi)
                           : write_pnms(out, dots, width, height);
    out->pages += ok;
    return ok;
}

bool dots_file_close(struct dots_file *out, bool ok)
{
    if (out->png.png != NULL && !png_writer_close(&out->png, ok) && ok)
        ok = command_complain(out->path, out->png.error);
    for (unsigned i = 0; i < DOTS_INKS; i++) {
        const char *why = out_file_close(&out->file[i], ok);

        if (why != NULL)
            ok = command_complain(out->name[i], why);
    }
    for (unsigned i = 0; i < DOTS_INKS; i++)
        free(out->name[i]);
    return ok;
}
