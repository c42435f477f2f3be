/*
 * cups.c - the dither of the raster drivers of cups-filters, by its library
 * where that is installed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "lab/train/peers/peers.h"

#define SOLID 4095 /* its tone of solid ink */

struct cups_library {
    void *(*dither_new)(int width);
    void (*dither_line)(void *dither, const void *lut, const short *tones,
                        int step, unsigned char *dots);
    void (*dither_delete)(void *dither);
    void *(*lut_new)(int count, const float *values);
    void (*lut_delete)(void *lut);
};

static bool load(struct cups_library *library)
{
    void *file = dlopen("libcupsfilters.so.1", RTLD_NOW);

    if (file == NULL)
        return false;
    *(void **)&library->dither_new = dlsym(file, "cupsDitherNew");
    *(void **)&library->dither_line = dlsym(file, "cupsDitherLine");
    *(void **)&library->dither_delete = dlsym(file, "cupsDitherDelete");
    *(void **)&library->lut_new = dlsym(file, "cupsLutNew");
    *(void **)&library->lut_delete = dlsym(file, "cupsLutDelete");
    return library->dither_new != NULL && library->dither_line != NULL &&
           library->dither_delete != NULL && library->lut_new != NULL &&
           library->lut_delete != NULL;
}

bool peer_has_cups(void)
{
    struct cups_library library;

    return load(&library);
}

bool peer_cups(const struct plane *tones, struct plane *dots)
{
    static const float values[] = {0, 1};
    struct cups_library library;
    int width = tones->width;

    if (!load(&library))
        return false;
    *dots = plane_new(width, tones->height);
    short *line = train_alloc((size_t)width, sizeof *line);
    void *dither = library.dither_new(width), *lut = library.lut_new(2, values);
    for (int y = 0; y < tones->height; y++) {
        for (int x = 0; x < width; x++)
            line[x] = (short)(tones->value[y * width + x] * SOLID / 255);
        library.dither_line(dither, lut, line, 1, dots->value + y * width);
    }
    library.dither_delete(dither);
    library.lut_delete(lut);
    free(line);
    return true;
}
