/*
 * kind.c - the drivers that are known, and what paper and resolution say of
 * others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ppd/convert/kind.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

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
    {"raster-tspl", NULL, ANY_MODEL, PPD_LABEL},
    {"rastertozebrakiosk", NULL, ANY_MODEL, PPD_LABEL},
    {"rastertoepsonsimple", NULL, ANY_MODEL, PPD_LABEL}, /* receipts */
    {"rastertocapt", NULL, ANY_MODEL, PPD_LASER},
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

/* Points: label and receipt printers print up to four inches, and their widest
 * paper is a little wider. */
#define WIDEST_LABEL (5.0f * 72)
#define LASER_DPI 600u /* dot matrix printers have 360, in black alone */

static bool fits(const struct driver *driver, const ppd_file_t *ppd,
                 const char *filter)
{
    const char *name = ppd->nickname != NULL ? ppd->nickname : "";

    return (driver->filter == NULL || strcmp(driver->filter, filter) == 0) &&
           (driver->word == NULL || strcasestr(name, driver->word) != NULL) &&
           (driver->model == ANY_MODEL || driver->model == ppd->model_number);
}

/* Whether all paper is narrow. */
static bool is_narrow(const ppd_file_t *ppd)
{
    for (int i = 0; i < ppd->num_sizes; i++)
        if (ppd->sizes[i].width > WIDEST_LABEL)
            return false;
    return ppd->num_sizes > 0;
}

/* Whether the default resolution is a laser's. */
static bool is_fine(ppd_file_t *ppd)
{
    const ppd_attr_t *attr = ppdFindAttr(ppd, "DefaultResolution", NULL);
    unsigned across;

    return attr != NULL && attr->value != NULL &&
           sscanf(attr->value, "%udpi", &across) == 1 && across > 0 &&
           across % LASER_DPI == 0;
}

/* Judges a printer in black alone that no row names: hardly any is an inkjet.
 */
static enum ppd_kind judge_black(ppd_file_t *ppd)
{
    return is_narrow(ppd) ? PPD_LABEL : is_fine(ppd) ? PPD_LASER : PPD_UNKNOWN;
}

enum ppd_kind ppd_kind_of(ppd_file_t *ppd, const char *filter)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (fits(&drivers[i], ppd, filter))
            return drivers[i].kind;
    return ppd->color_device ? PPD_UNKNOWN : judge_black(ppd);
}

const char *ppd_kind_text(enum ppd_kind kind)
{
    static const char *const texts[] = {[PPD_UNKNOWN] = "unknown printer",
                                        [PPD_INKJET] = "inkjet",
                                        [PPD_LASER] = "laser printer",
                                        [PPD_LABEL] = "label printer"};

    return texts[kind];
}
