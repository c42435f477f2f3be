/*
 * outlet.h - connects the job's dots to standard output, or to a packer in the
 * same job. The PPD names it: doc/dev/filter.md, "The packer".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_OUTLET_H
#define FILTER_OUTLET_H

#include <stdbool.h>

#include "page/packer.h"

/*
 * Starts the packer `name`, the caller's. It gets the job's arguments
 * argv[1..5], but `copies` for that number, and the environment; it writes to
 * our standard output and reads what we write to standard output from now on.
 * With `name` empty nothing is started, and standard output stays as it is.
 *
 * False after an ERROR line when it cannot be started. Call it before other
 * threads are started and after signals_keep(), and outlet_close() whatever it
 * returned.
 */
bool outlet_open(struct packer *packer, const char *name, char *const argv[],
                 const char *copies);

/* Closes standard output and waits until the packer has ended; a canceled job
 * ends it by SIGTERM. `all`: what was to leave has left. False if not, or after
 * an ERROR line when the packer failed; what it does in a canceled job is no
 * failure. */
bool outlet_close(struct packer *packer, bool all);

#endif
