/*
 * profile_queue.h - the profile of a CUPS queue: lines of its PPD, by which
 * cups-filters has Ghostscript separate.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PROFILE_QUEUE_H
#define TOOLS_PROFILE_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Gives the queue of CUPS's the profile at `path`, and tells its filter that
 * `black` [C, M, Y, K] is black; or takes its profiles away, with `path` NULL.
 * Its PPD in `root`, CUPS's folder, is written anew by lpadmin. False after a
 * complaint.
 */
bool profile_queue_set(const char *root, const char *queue, const char *path,
                       const uint8_t black[4]);

#endif
