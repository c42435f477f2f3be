/*
 * dots_file.c - writes pages of dots as PBM and PNG.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/dots_file.h"
#include "tools/png_writer.h"

static bool is_png(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && strcmp(path + length - 4, ".png") == 0;
}

/* ---- PBM -------------------------------------------------------------- */

/* The file of an ink: OUT.pbm becomes OUT-c.pbm and so on. NULL without memory;
 * the caller frees it. */
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
        out->file[i] =
            strcmp(out->name[i], "-") == 0 ? stdout : fopen(out->name[i], "wb");
        if (out->file[i] == NULL)
            return command_complain(out->name[i], strerror(errno));
    }
    return true;
}

/* Writes one ink of a page of `inks`; `dots` is where its first row is. */
static bool write_pbm(FILE *file, const uint8_t *dots, uint32_t width,
                      uint32_t height, uint32_t inks)
{
    size_t stride = ((size_t)width + 7) / 8;
    bool ok = fprintf(file, "P4\n%u %u\n", width, height) > 0;

    for (uint32_t y = 0; ok && y < height; y++)
        ok = fwrite(dots + y * stride * inks, 1, stride, file) == stride;
    return ok && fflush(file) == 0;
}

static bool write_pbms(struct dots_file *out, const uint8_t *dots,
                       uint32_t width, uint32_t height)
{
    size_t stride = ((size_t)width + 7) / 8;

    if (out->pages == 0 && !open_files(out))
        return false;
    for (uint32_t i = 0; i < out->inks; i++)
        if (!write_pbm(out->file[i], dots + i * stride, width, height,
                       out->inks))
            return command_complain(out->name[i], strerror(errno));
    return true;
}

/* ---- PNG -------------------------------------------------------------- */

/* A palette whose index has a bit for each ink, from 0 on: K, if there is one,
 * C, M, Y. In pure colors, so that reading the PNG back gives the dots, of
 * three inks. */
static void set_palette(struct png_shape *shape, uint32_t inks)
{
    shape->colors = 1u << inks;
    for (unsigned i = 0; i < shape->colors; i++)
        for (unsigned c = 0; c < 3; c++)
            shape->palette[i][c] =
                (i >> (inks - 3 + c) & 1) || (inks == 4 && i & 1) ? 0 : 255;
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
        set_palette(&shape, inks);
    bool ok = png_writer_open(&png, path, &shape) &&
              write_png_rows(&png, dots, width, height, inks, row);
    ok = png_writer_close(&png, ok);
    free(row);
    return ok || command_complain(path, png.error);
}

/* ---- Pages ------------------------------------------------------------ */

void dots_file_open(struct dots_file *out, const char *path)
{
    *out = (struct dots_file){.path = path};
}

bool dots_file_write(struct dots_file *out, const uint8_t *dots, uint32_t width,
                     uint32_t height, uint32_t inks)
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
    ok = is_png(out->path) ? write_png(out->path, dots, width, height, inks)
                           : write_pbms(out, dots, width, height);
    out->pages += ok;
    return ok;
}

bool dots_file_close(struct dots_file *out, bool ok)
{
    if (!ok && out->pages > 0 && is_png(out->path))
        command_discard(out->path);
    for (unsigned i = 0; i < DOTS_INKS; i++)
        if (out->file[i] != NULL && ok)
            ok = command_close(out->file[i], true, out->name[i]);
        else if (out->file[i] != NULL && out->file[i] != stdout) {
            fclose(out->file[i]);
            command_discard(out->name[i]);
        }
    for (unsigned i = 0; i < DOTS_INKS; i++)
        free(out->name[i]);
    return ok;
}
