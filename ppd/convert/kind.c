/*
 * kind.c - the drivers that are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "ppd/convert/kind.h"

#define ANY_MODEL (-1)

/* The first row that fits holds. */
static const struct driver {
    const char *filter; /* NULL = any */
    const char *word;   /* in the model's name, in any case; NULL = any */
    int model;          /* cupsModelNumber */
    enum ppd_kind kind;
} drivers[] = {
    {"rastertohp", NULL, 0, PPD_LASER},
    {"rastertohp", NULL, ANY_MODEL, PPD_INKJET},
    {"rastertoepson", NULL, ANY_MODEL, PPD_INKJET}, /* and dot matrix */
    {"rastertolabel", NULL, ANY_MODEL, PPD_LABEL},
    {"raster2dymolm", NULL, ANY_MODEL, PPD_LABEL},
    {"raster2dymolw", NULL, ANY_MODEL, PPD_LABEL},
    {"rastertozj", NULL, ANY_MODEL, PPD_LABEL},
    {"rastertoptch", NULL, ANY_MODEL, PPD_LABEL},
    {"min12xxw", NULL, ANY_MODEL, PPD_LASER},
    {"rastertobrlaser", NULL, ANY_MODEL, PPD_LASER},
    {"rastertoqpdl", NULL, ANY_MODEL, PPD_LASER},
    {"rastertosag-gdi", NULL, ANY_MODEL, PPD_LASER},
    {"hpcups", "LaserJet", ANY_MODEL, PPD_LASER},
    {"hpcups", NULL, ANY_MODEL, PPD_INKJET},
    {NULL, "Foomatic/foo2", ANY_MODEL, PPD_LASER},
    {NULL, "DesignJet", ANY_MODEL, PPD_INKJET},
    {NULL, "DeskJet", ANY_MODEL, PPD_INKJET},
    {NULL, "Laser", ANY_MODEL, PPD_LASER},
    {NULL, "Label", ANY_MODEL, PPD_LABEL},
    {NULL, "Receipt", ANY_MODEL, PPD_LABEL},
};

static bool fits(const struct driver *driver, const ppd_file_t *ppd,
                 const char *filter)
{
    const char *name = ppd->nickname != NULL ? ppd->nickname : "";

    return (driver->filter == NULL || strcmp(driver->filter, filter) == 0) &&
           (driver->word == NULL || strcasestr(name, driver->word) != NULL) &&
           (driver->model == ANY_MODEL || driver->model == ppd->model_number);
}

enum ppd_kind ppd_kind_of(const ppd_file_t *ppd, const char *filter)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (fits(&drivers[i], ppd, filter))
            return drivers[i].kind;
    return PPD_UNKNOWN;
}

const char *ppd_kind_text(enum ppd_kind kind)
{
    static const char *const texts[] = {[PPD_UNKNOWN] = "unknown printer",
                                        [PPD_INKJET] = "inkjet",
                                        [PPD_LASER] = "laser printer",
                                        [PPD_LABEL] = "label printer"};

    return texts[kind];
}
