/*
 * offer.h - compares the attributes of requests, for a job or for the defaults
 * of jobs, with those of the printer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OFFER_H
#define PRINTER_APP_OFFER_H

#include <stdbool.h>

#include <pappl/pappl.h>

#define OFFER_WHY 512 /* bytes, of a line of text */

struct offer {
    pappl_printer_t *printer;
    pappl_pr_driver_data_t data;
    ipp_t *attributes; /* of the printer's driver */
};

void offer_open(struct offer *offer, pappl_printer_t *printer);
void offer_close(struct offer *offer);

/* Whether PAPPL looks at a job's attribute itself, and says in its answer if it
 * does without. */
bool offer_is_known_to_pappl(const char *name);

/* Whether the attribute of jobs is one of the driver's own. */
bool offer_is_vendor(const struct offer *offer, const char *name);

/*
 * Whether the printer can do what the attribute asks, as that of a job called
 * `name`; else the reason is in `why` [OFFER_WHY], with the name before it.
 * Sizes of paper have to be as offer_has_media() takes them.
 */
bool offer_takes(const struct offer *offer, const char *name,
                 ipp_attribute_t *attribute, char *why);

/* Whether the printer can do what a member of media-col asks; else the reason
 * is in `why` [OFFER_WHY]. */
bool offer_takes_member(const struct offer *offer, ipp_attribute_t *member,
                        char *why);

/* Whether a name of the printer's sizes is not one of the two that are limits
 * for sizes of a job's own. */
bool offer_is_size(const char *name);

/* Finds these limits, in 1/100 mm; false if there are none. */
bool offer_limits(const struct offer *offer, pwg_media_t *least,
                  pwg_media_t *most);

/* Whether the printer has the size by its name, or only within the limits. */
bool offer_has_media(const struct offer *offer, const char *name);
bool offer_has_size(const struct offer *offer, int width, int length);

/* The largest width and length of paper, in 1/100 mm. */
void offer_largest(const struct offer *offer, int size[2]);

#endif
