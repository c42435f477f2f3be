/*
 * judge.h - finds out which of the PPDs that CUPS offers can have our dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_JUDGE_H
#define DRIVER_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "ppd/driver/crew.h"
#include "ppd/driver/models.h"

#define JUDGE_SUFFIX 32 /* bytes of ", TDFED dots" and the like */

/*
 * Converts the models, all of the source `path` (sources.h), in several
 * processes, and gives those that can be what their name then has more, the
 * others "". suffixes: [models->count], out. Where a driver program has many
 * models of one driver and some of them, spread over the list, are all refused
 * for the same reason, the others are not tried.
 *
 *   unsure   out: some may turn out otherwise another day, since their driver
 *            did not make them, or the conversion crashed
 *
 * False when something was lacking: memory, files, processes, or time.
 */
bool judge_models(struct crew *crew, const char *path,
                  const struct driver_models *models,
                  char (*suffixes)[JUDGE_SUFFIX], bool *unsure);

#endif
