/*
 * label.h - reads the wishes of a page for a label printer, besides its dots,
 * from fields of the header that PWG raster leaves free. 0 stands for the
 * printer's own setting, so a page that says nothing changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_LABEL_H
#define PACK_LABEL_H

#include <stdbool.h>

#include <cups/raster.h>

/* Means by which the printer finds the end of a label. */
enum label_tracking {
    LABEL_TRACKING_OWN,
    LABEL_CONTINUOUS,
    LABEL_GAP,
    LABEL_MARK,
    LABEL_TRACKINGS
};

/* Treatment of a printed label. */
enum label_mode {
    LABEL_MODE_OWN,
    LABEL_APPLICATOR,
    LABEL_CUTTER,
    LABEL_CUTTER_DELAYED,
    LABEL_KIOSK,
    LABEL_PEEL_OFF,
    LABEL_PREPEEL,
    LABEL_REWIND,
    LABEL_RFID,
    LABEL_TEAR_OFF,
    LABEL_MODES
};

struct label {
    enum label_tracking tracking;
    enum label_mode mode;
    int speed; /* 1/100 mm a second; 0: the printer's own */
    /* The printer's darkness less 50, percent of the darkest; 0: its own.
     * `darker` is added by the job, -100 to 100. */
    int darkness, darker;
    /* Dots that all of the label is moved down, and that a printed one goes
     * further to be torn off; 0: as the printer is set. */
    int top, tear;
};

#define LABEL_FASTEST (14 * 2540) /* speed, of any printer */
#define LABEL_FARTHEST 120        /* top and tear, either way: as ZPL has it */

/* Writes what a label is to be into a header. */
void label_set(cups_page_header2_t *header, const struct label *label);

/* Reads that; false where a number is none that label_set() writes. */
bool label_get(const cups_page_header2_t *header, struct label *label);

/* Tells whether the page sets the darkness; then `*percent` is that, of the
 * darkest; 50 is normal. */
bool label_darkness(const struct label *label, int *percent);

/* Returns `of` times a percentage, rounded. */
int label_share(int of, int percent);

/* Returns the speed in inches a second, rounded, 1 to `most`. */
int label_inches(const struct label *label, int most);

#endif
