/*
 * labels.h - label printers: the sizes that fit below their heads, what they
 * can be asked besides dots, by IPP, and what a job asks of that.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_LABELS_H
#define PRINTER_APP_LABELS_H

#include <stdbool.h>

#include <pappl/pappl.h>

#include "page/pack/label.h"

#define LABELS_WHY 128 /* bytes, of a line of text */

/* Abilities of a language's printers; 0 or NULL: cannot be asked for. */
struct label_kind {
    const char *const *media; /* PWG names; the first is the default; NULL ends
                               */
    pappl_media_tracking_t tracking;
    pappl_label_mode_t modes;
    int shades;   /* of darkness; odd, so that 50 % is one of them */
    int fastest;  /* inches a second, from 1 */
    int most_top; /* dots that a label can be moved, either way */
    int tear[2];  /* least and most dots further, to be torn off */
};

#define LABELS_GAP_OR_NOT                                                      \
    (PAPPL_MEDIA_TRACKING_CONTINUOUS | PAPPL_MEDIA_TRACKING_GAP)
#define LABELS_GAP_OR_MARK (LABELS_GAP_OR_NOT | PAPPL_MEDIA_TRACKING_MARK)

/* Usual labels of heads of 4 inches; and of all, behind a family's own. */
#define LABELS_4_INCHES                                                        \
    "na_index-4x6_4x6in", "oe_4x1-label_4x1in", "oe_4x2-label_4x2in",          \
        "oe_4x3-label_4x3in", "oe_4x4-label_4x4in", "na_index-3x5_3x5in",      \
        "oe_3x1-label_3x1in", "oe_3x2-label_3x2in", "oe_2x1-label_2x1in",      \
        "oe_2x3-label_2x3in"
#define LABELS_MM                                                              \
    "oe_2-25x1-25-label_2.25x1.25in", "om_label_50x25mm", "om_label_50x30mm",  \
        "om_label_60x40mm", "om_label_62x29mm", "om_label_62x100mm",           \
        "om_label_100x50mm", "om_label_100x150mm"
#define LABELS_CUT_OR_NOT (PAPPL_LABEL_MODE_CUTTER | PAPPL_LABEL_MODE_TEAR_OFF)

/* Models (family.h) have their dpi in their names or, of Zebra's, a digit for
 * it: GX430t. */
#define LABELS_300 "*300dpi*|*300 dpi*|* g[ckx]43*|*lp*3[78]4*"
#define LABELS_600 "*600dpi*|*600 dpi*"

/* Says in `data` what the kind has, with `dpi` down the label. */
void labels_offer(pappl_pr_driver_data_t *data, const struct label_kind *kind,
                  int dpi);

/* Whether jobs can be printed with the defaults in `data`; else `why`
 * [LABELS_WHY] says why not. */
bool labels_are_possible(const pappl_pr_driver_data_t *data,
                         char why[LABELS_WHY]);

/* Reads what a job and its printer ask of labels. False after an ERROR line. */
bool labels_ask(struct label *label, pappl_printer_t *printer,
                const pappl_pr_options_t *options);

#endif
