/*
 * capabilities.c - corrects the abilities of a printer, as clients read them
 * and DNS-SD announces them.
 *
 * PAPPL 1.3 (make_attrs, printer-driver.c:364-1318) makes these attributes of
 * the driver's data, and some of them wrong:
 * - "urf-supported" has the last two resolutions, and of each what it is
 *   across, as if Apple raster had others than square ones (:1308-1311);
 * - documents of 0 KB at most, since it looks for the limit in attributes that
 *   it makes later (:658-660, :934-936);
 * - one range of pages, and no copies of Apple raster: both are printed here;
 * - gray before colors, which CUPS takes for the printer's wish;
 * - margins of 0 twice where there is no other (:681-686);
 * - names of attributes that can be set, or that jobs have, which it does not
 *   take, or leaves out.
 * It then adds what the driver has of its own, by ippCopyAttributes(),
 * copies.c: there they are put right, with the printer locked as PAPPL has it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/capabilities.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/replaced.h"

#define MOST_RANGES 100   /* of pages; a client that has more asks twice */
#define MOST_COPIES "255" /* the most that Apple's clients ask for */
#define JPEG_SIDE 65500   /* pixels, libjpeg's */

/* Attributes and data that PAPPL adds on this thread. */
static _Thread_local ipp_t *added;
static _Thread_local const pappl_pr_driver_data_t *driver;

/* ---- Apple raster -------------------------------------------------------- */

/* The square resolutions as "RS300-600"; false if there is none. */
static bool name_resolutions(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "RS");
    const size_t none = used;

    for (int i = 0; i < driver->num_resolution && used < size; i++)
        if (driver->x_resolution[i] == driver->y_resolution[i])
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     used > none ? "-" : "",
                                     driver->x_resolution[i]);
    return used > none;
}

/* Without a resolution that it could have, nobody is to send any. */
static void correct_apple_raster(ipp_t *in)
{
    ipp_attribute_t *urf = lists_find(in, "urf-supported"), *preferred;
    char resolutions[64];

    if (!name_resolutions(resolutions, sizeof resolutions)) {
        if (urf != NULL)
            ippDeleteAttribute(in, urf);
        lists_remove(in, "document-format-supported", "image/urf");
        preferred = lists_find(in, "document-format-preferred");
        if (preferred != NULL &&
            strcmp(ippGetString(preferred, 0, NULL), "image/urf") == 0)
            (void)ippSetString(in, &preferred, 0, "image/pwg-raster");
        return;
    }
    for (int i = 0; i < ippGetCount(urf); i++)
        if (strncmp(ippGetString(urf, i, NULL), "RS", 2) == 0)
            (void)ippSetString(in, &urf, i, resolutions);
    if (application()->prints_copies)
        lists_add(in, "urf-supported", "CP" MOST_COPIES);
}

/* ---- Colors -------------------------------------------------------------- */

/* For a printer whose default is "auto", as ours, CUPS from 2.4.10 on makes a
 * queue whose default is the first kind of raster: gray, in PAPPL's order. */
static void put_colors_first(ipp_t *in)
{
    lists_put_first(in, "urf-supported", "SRGB24");
    lists_put_first(in, "pwg-raster-document-type-supported", "srgb_8");
}

/* ---- Numbers and names --------------------------------------------------- */

static void set_range(ipp_t *in, const char *name, int from, int to)
{
    ipp_attribute_t *range = lists_find(in, name);

    if (range != NULL)
        (void)ippSetRange(in, &range, 0, from, to);
}

/* The limit of all types, "job-k-octets-supported", is another attribute. */
static void correct_limits(ipp_t *in)
{
    ipp_attribute_t *ranges = lists_find(in, "max-page-ranges-supported");

    set_range(in, "jpeg-k-octets-supported", 0, INT_MAX);
    set_range(in, "pdf-k-octets-supported", 0, INT_MAX);
    set_range(in, "jpeg-x-dimension-supported", 1, JPEG_SIDE);
    set_range(in, "jpeg-y-dimension-supported", 1, JPEG_SIDE);
    if (ranges != NULL && application()->prints_copies)
        (void)ippSetInteger(in, &ranges, 0, MOST_RANGES);
}

static void correct_margins(ipp_t *in)
{
    static const char *const sides[] = {"bottom", "left", "right", "top"};
    char name[64];

    for (int i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "media-%s-margin-supported", sides[i]);
        ipp_attribute_t *margins = lists_find(in, name);

        const int margin = ippGetInteger(margins, 0);

        if (ippGetCount(margins) != 2 || ippGetInteger(margins, 1) != margin)
            continue;
        ippDeleteAttribute(in, margins);
        ippAddInteger(in, IPP_TAG_PRINTER, IPP_TAG_INTEGER, name, margin);
    }
}

/* Names the attributes that attributes.c and PAPPL accept. */
static void correct_names(ipp_t *in)
{
    static const char settable[] = "printer-settable-attributes",
                      jobs[] = "job-creation-attributes-supported";
    static const char *const never[] = {
        "copies-default", "document-format-default",
        "multiple-document-handling-default", "label-tear-off-configured"};

    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
        lists_remove(in, settable, never[i]);
    if (lists_find(in, "label-tear-offset-supported") != NULL)
        lists_add(in, settable, "label-tear-offset-configured");
    lists_add(in, settable, "print-scaling-default");
    lists_add(in, settable, "printer-contact-col");
    lists_add(in, settable, "sides-default");
    lists_add(in, jobs, "print-scaling");
    if (lists_find(in, "print-rendering-intent-supported") != NULL)
        lists_add(in, jobs, "print-rendering-intent");
}

/* ---- PAPPL's functions --------------------------------------------------- */

bool papplPrinterSetDriverData(pappl_printer_t *printer,
                               pappl_pr_driver_data_t *data, ipp_t *attributes)
{
    added = attributes;
    driver = data;
    const bool done =
        REAL(papplPrinterSetDriverData)(printer, data, attributes);
    added = NULL;
    return done;
}

void capabilities_correct(ipp_t *in, const ipp_t *from)
{
    if (from == NULL || from != added)
        return;
    correct_apple_raster(in);
    put_colors_first(in);
    correct_limits(in);
    correct_margins(in);
    correct_names(in);
}
