/*
 * profile_queue.h - sets the profile of a CUPS queue: lines of its PPD, by
 * which cups-filters makes Ghostscript separate.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PROFILE_QUEUE_H
#define TOOLS_PROFILE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Gives a CUPS queue the profile at `path`, and tells its filter that `black`
 * [C, M, Y, K] is black; with `path` NULL removes its profiles. lpadmin
 * rewrites its PPD in `root`, CUPS's folder. False after a complaint.
 */
bool profile_queue_set(const char *root, const char *queue, const char *path,
                       const uint8_t black[4]);

#endif
