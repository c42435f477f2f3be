/*
 * judge.h - finds out which of the PPDs that CUPS offers can have our
 * dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_JUDGE_H
#define DRIVER_JUDGE_H

#include <stdbool.h>

#include "driver/models.h"

#define DRIVER_SUFFIX 32 /* bytes of ", TDFED dots" and the like */

/* Converts the models, in several processes, and gives those that can be what
 * their name then has more, the others "". suffixes: [models->count]. Where a
 * driver program has many models of one driver and some of them, spread over
 * the list, are all refused for the same reason, the others are not tried.
 * False without memory or processes. */
bool driver_judge(const struct driver_models *models,
                  char (*suffixes)[DRIVER_SUFFIX]);

#endif
