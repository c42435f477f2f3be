/*
 * packer.h - a filter behind ours, in the same job: it packs our dots for the
 * printer. The PPD names it: doc/dev/filter.md, "The packer".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_PACKER_H
#define FILTER_PACKER_H

#include <stdbool.h>

#include "page/program.h"

struct packer {
    const char *name; /* NULL: there is none */
    struct program program;
};

/*
 * Starts the program `name`, the caller's, in CUPS's filter folder. It gets the
 * job's arguments argv[1..5], but `copies` for that number, and the
 * environment; it writes to our standard output and reads what we write to
 * standard output from now on. Its messages are handed on. With `name` empty
 * nothing is started, and standard output stays as it is.
 *
 * False after an ERROR line when it cannot be started. Call it before other
 * threads are started and after signals_keep(), and packer_end() whatever it
 * returned.
 */
bool packer_start(struct packer *packer, const char *name, char *const argv[],
                  const char *copies);

/* Closes standard output and waits until the packer has ended; a canceled job
 * ends it by SIGTERM. `all`: what was to leave has left. False if not, or after
 * an ERROR line when the packer failed; what it does in a canceled job is no
 * failure. */
bool packer_end(struct packer *packer, bool all);

#endif
