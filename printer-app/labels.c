/*
 * labels.c - label printers in IPP's words. Nothing is sent of what nobody has
 * chosen: tracking, mode, speed and offsets are 0 then, and of darkness 50 %
 * stands for the printer's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/message.h"
#include "printer-app/labels.h"

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

static enum label_mode mode_of(pappl_label_mode_t mode)
{
    static const struct {
        pappl_label_mode_t pappl;
        enum label_mode ours;
    } modes[] = {{PAPPL_LABEL_MODE_APPLICATOR, LABEL_APPLICATOR},
                 {PAPPL_LABEL_MODE_CUTTER, LABEL_CUTTER},
                 {PAPPL_LABEL_MODE_CUTTER_DELAYED, LABEL_CUTTER_DELAYED},
                 {PAPPL_LABEL_MODE_KIOSK, LABEL_KIOSK},
                 {PAPPL_LABEL_MODE_PEEL_OFF, LABEL_PEEL_OFF},
                 {PAPPL_LABEL_MODE_PEEL_OFF_PREPEEL, LABEL_PREPEEL},
                 {PAPPL_LABEL_MODE_REWIND, LABEL_REWIND},
                 {PAPPL_LABEL_MODE_RFID, LABEL_RFID},
                 {PAPPL_LABEL_MODE_TEAR_OFF, LABEL_TEAR_OFF}};

    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (mode == modes[i].pappl)
            return modes[i].ours;
    return LABEL_MODE_OWN;
}

/* Sets `*dots` to a length in 1/100 mm; false after an ERROR line if it is not
 * within the two. */
static bool take_offset(int *dots, const char *name, int length,
                        const int within[2], int dpi)
{
    if (length != 0 && (length < within[0] || length > within[1])) {
        message("ERROR", "%s %.2f mm: from %.2f to %.2f mm is possible", name,
                length / 100.0, within[0] / 100.0, within[1] / 100.0);
        return false;
    }
    *dots = (length * dpi + (length < 0 ? -1270 : 1270)) / 2540;
    return true;
}

/* False after an ERROR line about what printers of this kind do not have. */
static bool is_possible(const struct label *label,
                        const struct label_kind *kind,
                        const pappl_pr_driver_data_t *data)
{
    if (label->darkness < -50 || label->darkness > 50)
        message("ERROR",
                "printer-darkness-configured %d: from 0 to 100 is "
                "possible",
                label->darkness + 50);
    else if (label->darker < -100 || label->darker > 100)
        message("ERROR", "print-darkness %d: from -100 to 100 is possible",
                label->darker);
    else if (label->tracking == LABEL_MARK &&
             (kind->tracking & PAPPL_MEDIA_TRACKING_MARK) == 0)
        message("ERROR", "media-tracking mark: the printer finds no marks");
    else if ((data->mode_configured & ~kind->modes) != 0)
        message("ERROR", "label-mode-configured: the printer has no such mode");
    else if (label->speed != 0 && (label->speed < data->speed_supported[0] ||
                                   label->speed > data->speed_supported[1]))
        message("ERROR", "print-speed %d: from %d to %d is possible",
                label->speed, data->speed_supported[0],
                data->speed_supported[1]);
    else
        return true;
    return false;
}

bool labels_ask(struct label *label, pappl_printer_t *printer,
                const struct label_kind *kind,
                const pappl_pr_options_t *options)
{
    const int dpi = options->printer_resolution[1];
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(printer, &data);
    *label = (struct label){.tracking = tracking_of(&options->media),
                            .mode = mode_of(data.mode_configured),
                            .speed = options->print_speed,
                            .darkness = options->darkness_configured - 50,
                            .darker = options->print_darkness};
    return is_possible(label, kind, &data) &&
           take_offset(&label->top, "media-top-offset",
                       options->media.top_offset, data.top_offset_supported,
                       dpi) &&
           take_offset(&label->tear, "label-tear-offset-configured",
                       data.tear_offset_configured, data.tear_offset_supported,
                       dpi);
}
