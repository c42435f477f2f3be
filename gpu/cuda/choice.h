/*
 * choice.h - decides whether the next page goes to a device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_CHOICE_H
#define HT_GPU_CHOICE_H

#include <stdbool.h>

#include "halftone/halftone.h"

/* Returns whether this is the fastest engine for a page that begins now, and
 * sets *why to the reason, static. Not before a device has been started. Counts
 * its calls, about one for each page: the pages before may still be on the
 * device, where several take hardly longer than one. */
bool ht_gpu_pays(const ht_page_t *page, const char **why);

/* Returns ht_gpu_gain() of a page among as many as its caller may open. */
double ht_gpu_most_gain(const ht_page_t *page);

#endif
