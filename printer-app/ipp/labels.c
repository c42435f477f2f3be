/*
 * labels.c - label printers in IPP's words. Nothing is sent of what nobody has
 * chosen: tracking, mode, speed and offsets are 0 then, and of darkness 50 %
 * stands for the printer's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "page/message.h"
#include "printer-app/ipp/labels.h"

/* ---- Offering ----------------------------------------------------------- */

/* 1/100 mm, to the inside. */
static int length_of(int dots, int dpi)
{
    return dots * 2540 / dpi;
}

void labels_offer(pappl_pr_driver_data_t *data, const struct label_kind *kind,
                  int dpi)
{
    while (kind->media[data->num_media] != NULL) {
        data->media[data->num_media] = kind->media[data->num_media];
        data->num_media++;
    }
    data->tracking_supported = kind->tracking;
    data->mode_supported = kind->modes;
    data->darkness_supported = kind->shades;
    data->speed_supported[0] = kind->fastest > 0 ? 2540 : 0;
    data->speed_supported[1] = kind->fastest * 2540;
    data->top_offset_supported[0] = length_of(-kind->most_top, dpi);
    data->top_offset_supported[1] = length_of(kind->most_top, dpi);
    for (int i = 0; i < 2; i++)
        data->tear_offset_supported[i] = length_of(kind->tear[i], dpi);
}

/* ---- Asking ------------------------------------------------------------- */

static enum label_tracking tracking_of(const pappl_media_col_t *media)
{
    switch (media->tracking) {
    case PAPPL_MEDIA_TRACKING_CONTINUOUS:
        return LABEL_CONTINUOUS;
    case PAPPL_MEDIA_TRACKING_GAP:
    case PAPPL_MEDIA_TRACKING_WEB:
        return LABEL_GAP;
    case PAPPL_MEDIA_TRACKING_MARK:
        return LABEL_MARK;
    default: /* a roll without labels has nothing to find */
        return strcmp(media->type, "continuous") == 0 ? LABEL_CONTINUOUS
                                                      : LABEL_TRACKING_OWN;
    }
}

static_assert(PAPPL_LABEL_MODE_APPLICATOR == 1 << (LABEL_APPLICATOR - 1) &&
                  PAPPL_LABEL_MODE_TEAR_OFF == 1 << (LABEL_TEAR_OFF - 1),
              "label.h has the modes in the order of PAPPL's bits");

static enum label_mode mode_of(pappl_label_mode_t mode)
{
    return (enum label_mode)ffs((int)mode);
}

/* Wishes for labels, in PAPPL's words. */
struct label_wishes {
    const pappl_media_col_t *media;
    pappl_label_mode_t mode;
    int speed, darkness, darker;
    int tear; /* 1/100 mm */
};

/* Whether an offset is 0 or within the two; else `why` is the reason. */
static bool has_offset(const char *name, int length, const int within[2],
                       char why[LABELS_WHY])
{
    if (length == 0 || (length >= within[0] && length <= within[1]))
        return true;
    if (within[0] == within[1])
        snprintf(why, LABELS_WHY, "%s: the printer has no such option", name);
    else
        snprintf(why, LABELS_WHY,
                 "%s %.2f mm: from %.2f to %.2f mm is possible", name,
                 length / 100.0, within[0] / 100.0, within[1] / 100.0);
    return false;
}

static bool has_number(const char *name, int number, int low, int high,
                       char why[LABELS_WHY])
{
    if (number >= low && number <= high)
        return true;
    snprintf(why, LABELS_WHY, "%s %d: from %d to %d is possible", name, number,
             low, high);
    return false;
}

/* Whether printers that offer what `data` says can do it; else `why` is the
 * reason. */
static bool is_possible(const pappl_pr_driver_data_t *data,
                        const struct label_wishes *asked, char why[LABELS_WHY])
{
    if ((asked->mode & ~data->mode_supported) != 0)
        snprintf(why, LABELS_WHY,
                 "label-mode-configured: the printer has no such mode");
    else if (tracking_of(asked->media) == LABEL_MARK &&
             (data->tracking_supported & PAPPL_MEDIA_TRACKING_MARK) == 0)
        snprintf(why, LABELS_WHY,
                 "media-tracking mark: the printer finds no marks");
    else
        return has_number("printer-darkness-configured", asked->darkness, 0,
                          100, why) &&
               has_number("print-darkness", asked->darker, -100, 100, why) &&
               (asked->speed == 0 ||
                has_number("print-speed", asked->speed,
                           data->speed_supported[0], data->speed_supported[1],
                           why)) &&
               has_offset("media-top-offset", asked->media->top_offset,
                          data->top_offset_supported, why) &&
               has_offset("label-tear-offset-configured", asked->tear,
                          data->tear_offset_supported, why);
    return false;
}

bool labels_are_possible(const pappl_pr_driver_data_t *data,
                         char why[LABELS_WHY])
{
    const struct label_wishes asked = {.media = &data->media_default,
                                       .mode = data->mode_configured,
                                       .speed = data->speed_default,
                                       .darkness = data->darkness_configured,
                                       .darker = data->darkness_default,
                                       .tear = data->tear_offset_configured};

    return is_possible(data, &asked, why);
}

static int dots_of(int length, int dpi)
{
    return (length * dpi + (length < 0 ? -1270 : 1270)) / 2540;
}

bool labels_ask(struct label *label, pappl_printer_t *printer,
                const pappl_pr_options_t *options)
{
    const int dpi = options->printer_resolution[1];
    pappl_pr_driver_data_t data;
    char why[LABELS_WHY];

    papplPrinterGetDriverData(printer, &data);
    const struct label_wishes asked = {.media = &options->media,
                                       .mode = data.mode_configured,
                                       .speed = options->print_speed,
                                       .darkness = options->darkness_configured,
                                       .darker = options->print_darkness,
                                       .tear = data.tear_offset_configured};
    if (!is_possible(&data, &asked, why)) {
        message("ERROR", "%s", why);
        return false;
    }
    *label = (struct label){.tracking = tracking_of(asked.media),
                            .mode = mode_of(asked.mode),
                            .speed = asked.speed,
                            .darkness = asked.darkness - 50,
                            .darker = asked.darker,
                            .top = dots_of(asked.media->top_offset, dpi),
                            .tear = dots_of(asked.tear, dpi)};
    return true;
}
