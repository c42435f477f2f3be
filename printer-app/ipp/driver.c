/*
 * driver.c - describes a printer of each family in PAPPL's words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* LC_PAPER_MASK */

#include "config.h"

#include <assert.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/families/family.h"
#include "printer-app/families/family_id.h"
#include "printer-app/cups_packer.h"
#include "printer-app/rip/rip.h"
#include "printer-app/ipp/supplies.h"
#include "printer-app/ipp/vendor.h"

/* Sheets, and the least and largest of a job's own. */
static const char *const sheets[] = {"na_letter_8.5x11in",
                                     "na_legal_8.5x14in",
                                     "na_executive_7.25x10.5in",
                                     "na_invoice_5.5x8.5in",
                                     "na_number-10_4.125x9.5in",
                                     "na_index-4x6_4x6in",
                                     "na_5x7_5x7in",
                                     "na_govt-letter_8x10in",
                                     "iso_a3_297x420mm",
                                     "iso_a4_210x297mm",
                                     "iso_a5_148x210mm",
                                     "iso_a6_105x148mm",
                                     "iso_b5_176x250mm",
                                     "jis_b5_182x257mm",
                                     "iso_c5_162x229mm",
                                     "iso_dl_110x220mm",
                                     "jpn_hagaki_100x148mm",
                                     "custom_min_50x50mm",
                                     "custom_max_330x1118mm"};

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* test_family checks that the offers of families have room, too. */
static_assert(COUNT(sheets) <= PAPPL_MAX_MEDIA &&
                  FAMILY_RESOLUTIONS <= PAPPL_MAX_RESOLUTION,
              "PAPPL's lists are full");

static void offer_media(pappl_pr_driver_data_t *data,
                        const struct family *family)
{
    if (family->labels != NULL)
        labels_offer(data, family->labels, (int)family->dpi[0][1]);
    else
        for (const char *const *at = sheets; at < sheets + COUNT(sheets); at++)
            data->media[data->num_media++] = *at;
    if (family->largest != NULL)
        data->media[data->num_media - 1] = family->largest;
    data->left_right = family->left_right;
    data->bottom_top = family->bottom_top;
    data->borderless = family->left_right == 0 && family->bottom_top == 0;
    for (const struct family_paper *at = family->sources; at->name != NULL;
         at++)
        data->source[data->num_source++] = at->name;
    for (const struct family_paper *at = family->types; at->name != NULL; at++)
        data->type[data->num_type++] = at->name;
}

/* Says that a source has a size. */
static void load_source(pappl_pr_driver_data_t *data, int source,
                        const char *size)
{
    pappl_media_col_t *ready = &data->media_ready[source];
    const pwg_media_t *media = pwgMediaForPWG(size);

    snprintf(ready->size_name, sizeof ready->size_name, "%s", size);
    snprintf(ready->source, sizeof ready->source, "%s", data->source[source]);
    snprintf(ready->type, sizeof ready->type, "%s", data->type[0]);
    ready->size_width = media->width;
    ready->size_length = media->length;
    ready->left_margin = ready->right_margin = data->left_right;
    ready->bottom_margin = ready->top_margin = data->bottom_top;
}

/* Returns the sheet that is named in a file of libpaper's; width 0 where there
 * is none. */
static pwg_media_t sheet_in(const char *path)
{
    FILE *file = fopen(path, "re");
    char line[128], name[64] = "";

    while (name[0] == '\0' && file != NULL &&
           fgets(line, sizeof line, file) != NULL)
        if (line[0] != '#')
            (void)sscanf(line, "%63s", name);
    if (file != NULL)
        fclose(file);
    return papplfixes_media(name);
}

/* Returns the sheet of a locale that is named; width 0 where there is none. */
static pwg_media_t sheet_of_locale(const char *name)
{
    const locale_t locale = name != NULL && name[0] != '\0'
                                ? newlocale(LC_PAPER_MASK, name, (locale_t)0)
                                : (locale_t)0;
    const pwg_media_t *media = NULL;

    if (locale == (locale_t)0)
        return papplfixes_media(NULL);
    /* In mm; numbers, though the type is that of texts. */
    media = pwgMediaForSize(
        100 * (int)(intptr_t)nl_langinfo_l(_NL_PAPER_WIDTH, locale),
        100 * (int)(intptr_t)nl_langinfo_l(_NL_PAPER_HEIGHT, locale));
    freelocale(locale);
    return papplfixes_media(media != NULL ? media->pwg : NULL);
}

/* Returns the computer's usual sheet, by libpaper's variables and file, the
 * locale of paper, or the country. */
static const char *usual_sheet(void)
{
    const char *path = getenv("PAPERCONF");
    pwg_media_t media = papplfixes_media(getenv("PAPERSIZE"));

    if (media.width == 0)
        media = sheet_in(path != NULL ? path : "/etc/papersize");
    if (media.width == 0)
        media = sheet_of_locale(getenv("LC_PAPER"));
    for (int i = 0; i < COUNT(sheets); i++)
        if (media.width > 0 && strcmp(sheets[i], media.pwg) == 0)
            return sheets[i];
    return papplLocGetDefaultMediaSizeName();
}

static void load_media(pappl_pr_driver_data_t *data,
                       const struct family *family)
{
    const char *usual =
        family->labels != NULL ? family->labels->media[0] : usual_sheet();

    if (usual == NULL || pwgMediaForPWG(usual) == NULL)
        usual = "iso_a4_210x297mm";
    load_source(data, 0, usual);
    for (int i = 1; family->labels != NULL && i < data->num_source; i++)
        load_source(data, i, usual);
    data->media_default = data->media_ready[0];
}

static void offer_quality(pappl_pr_driver_data_t *data,
                          const struct family *family)
{
    for (int i = 0; i < FAMILY_RESOLUTIONS && family->dpi[i][0] > 0; i++) {
        data->x_resolution[i] = (int)family->dpi[i][0];
        data->y_resolution[i] = (int)family->dpi[i][1];
        data->num_resolution++;
    }
    /* PAPPL takes the middle one for normal quality; of two, the second. */
    data->x_default = data->x_resolution[data->num_resolution / 2];
    data->y_default = data->y_resolution[data->num_resolution / 2];
    data->quality_default = IPP_QUALITY_NORMAL;
    data->content_default = family->kind == FAMILY_LABEL
                                ? PAPPL_CONTENT_TEXT_AND_GRAPHIC
                                : PAPPL_CONTENT_AUTO;
    data->scaling_default = PAPPL_SCALING_AUTO;
    data->orient_default = IPP_ORIENT_PORTRAIT;
}

/* Raster of 16 bits and of dots PAPPL 1.3 does not take, or not apart. */
static void offer_color(pappl_pr_driver_data_t *data,
                        const struct family *family)
{
    data->raster_types =
        PAPPL_PWG_RASTER_TYPE_SGRAY_8 | PAPPL_PWG_RASTER_TYPE_BLACK_8;
    data->color_supported =
        PAPPL_COLOR_MODE_AUTO | PAPPL_COLOR_MODE_AUTO_MONOCHROME |
        PAPPL_COLOR_MODE_MONOCHROME | PAPPL_COLOR_MODE_BI_LEVEL;
    data->color_default = PAPPL_COLOR_MODE_MONOCHROME;
    data->ppm = 10;
    if (!family->color)
        return;
    data->raster_types |=
        PAPPL_PWG_RASTER_TYPE_SRGB_8 | PAPPL_PWG_RASTER_TYPE_CMYK_8;
    data->color_supported |= PAPPL_COLOR_MODE_COLOR;
    data->color_default = PAPPL_COLOR_MODE_AUTO;
    data->ppm_color = 5;
}

static void offer_sides(pappl_pr_driver_data_t *data,
                        const struct family *family)
{
    data->sides_supported = PAPPL_SIDES_ONE_SIDED;
    data->sides_default = PAPPL_SIDES_ONE_SIDED;
    if (!family->duplex)
        return;
    data->duplex = PAPPL_DUPLEX_NORMAL;
    data->sides_supported |=
        PAPPL_SIDES_TWO_SIDED_LONG_EDGE | PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
}

/* Adds attributes that IPP Everywhere asks for and PAPPL 1.3 leaves out: colors
 * are as the document has them, and no attribute of a job can differ for some
 * of its pages. */
static void offer_attributes(ipp_t *attributes, const struct family *family)
{
    static const char *const overrides[] = {"document-number", "pages"};
    /* A printer without colors has the first only. */
    static const char *const intents[] = {"auto", "absolute", "perceptual",
                                          "relative", "relative-bpc"};

    ippAddBoolean(attributes, IPP_TAG_PRINTER, "preferred-attributes-supported",
                  0);
    ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  "overrides-supported", 2, NULL, overrides);
    ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                 "print-rendering-intent-default", NULL, "auto");
    ippAddStrings(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                  "print-rendering-intent-supported",
                  family->color ? COUNT(intents) : 1, NULL, intents);
    /* It is to be there without back sides, too; PAPPL says it with them. */
    if (!family->duplex)
        ippAddString(attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
                     "pwg-raster-document-sheet-back", NULL, "normal");
}

/* Nothing of ours can be seen or heard: the job's log is where to look. */
static void identify(pappl_printer_t *printer, pappl_identify_actions_t actions,
                     const char *message)
{
    (void)actions;
    papplLogPrinter(printer, PAPPL_LOGLEVEL_INFO, "Identify: %s",
                    message != NULL ? message : "");
}

static const char *find_test_page(pappl_printer_t *printer, char *path,
                                  size_t size)
{
    (void)printer;
    snprintf(path, size, "%s/chart.pdf", app_data_directory());
    return rip_name() != NULL && access(path, R_OK) == 0 ? path : NULL;
}

static void set_callbacks(pappl_pr_driver_data_t *data)
{
    data->identify_cb = identify;
    data->identify_default = PAPPL_IDENTIFY_ACTIONS_DISPLAY;
    data->identify_supported = PAPPL_IDENTIFY_ACTIONS_DISPLAY;
    data->printfile_cb = app_print_file;
    data->rstartjob_cb = app_start_job;
    data->rstartpage_cb = app_start_page;
    data->rwriteline_cb = app_write_line;
    data->rendpage_cb = app_end_page;
    data->rendjob_cb = app_end_job;
    data->status_cb = supplies_show;
    data->testpage_cb = find_test_page;
}

bool app_driver(pappl_system_t *system, const char *name, const char *uri,
                const char *device_id, pappl_pr_driver_data_t *data,
                ipp_t **attributes, void *context)
{
    const struct family *family = name != NULL ? family_named(name) : NULL;

    (void)uri;
    (void)device_id;
    (void)context;
    if (family == NULL) {
        papplLog(system, PAPPL_LOGLEVEL_ERROR, "No driver is called \"%s\".",
                 name != NULL ? name : "");
        return false;
    }
    set_callbacks(data);
    snprintf(data->make_and_model, sizeof data->make_and_model, "%s",
             family->description);
    data->format = family->format;
    data->kind = family->kind == FAMILY_LABEL
                     ? PAPPL_KIND_LABEL | PAPPL_KIND_ROLL
                     : PAPPL_KIND_DOCUMENT;
    if (family->kind == FAMILY_INKJET)
        data->kind |= PAPPL_KIND_PHOTO;
    supplies_open(data);
    offer_color(data, family);
    offer_quality(data, family);
    offer_sides(data, family);
    offer_media(data, family);
    load_media(data, family);
    if (*attributes == NULL)
        *attributes = ippNew();
    offer_attributes(*attributes, family);
    vendor_describe(data, *attributes, family);
    return true;
}

const char *app_driver_of_device(const char *info, const char *uri,
                                 const char *device_id, void *data)
{
    char why[FAMILY_REFUSAL];
    const struct family *family = family_of_id(device_id, uri, why);

    (void)info;
    (void)data;
    if (family != NULL && family_is_packed(family))
        return family->name;
    if (family != NULL)
        snprintf(why, sizeof why,
                 "%s needs %s of CUPS, which is not installed.", family->name,
                 family->packer);
    if (uri != NULL)
        papplfixes_refuse_printer(why);
    else /* the command "drivers" asks, which says nothing then */
        fprintf(stderr, APP_NAME ": %s\n", why);
    return NULL;
}

pappl_pr_driver_t *app_drivers(int *count)
{
    static pappl_pr_driver_t *drivers;
    static int served;
    const struct family *family;
    size_t known = 0;

    while (family_at(known) != NULL)
        known++;
    assert(known > 0);
    if (drivers == NULL) {
        drivers = calloc(known, sizeof *drivers);
        for (size_t i = 0; drivers != NULL && i < known; i++)
            if (family_is_packed(family = family_at(i))) {
                drivers[served].name = family->name;
                drivers[served++].description = family->description;
            }
    }
    *count = served;
    return drivers;
}
