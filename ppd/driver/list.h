/*
 * list.h - judges the PPDs of the sources that have changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_LIST_H
#define DRIVER_LIST_H

#include <stdbool.h>

#include "ppd/driver/sources.h"

/* Whether all sources are as they were judged. */
bool list_is_judged(const struct sources *sources);

/*
 * Judges the sources that have changed, and keeps what was found out of each at
 * once; then those that have changed meanwhile. The caller has the lock of
 * cache.h. Where something is lacking, a source is left as it was kept, and the
 * others are judged. False then, after a line for the log for each, and when a
 * signal has ended it.
 */
bool list_judge(void);

#endif
