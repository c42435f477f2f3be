/*
 * peers.h - what others halftone with, on the same gray page where they take
 * one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench/content.h"
#include "bench/report.h"

/* zimg's error diffusion, 8 bits to 1 (a byte a pixel leaves), in this
 * process and with one thread, on `inks` planes of a page of rows that
 * repeat. Adds a result, or says that the library was not there to build
 * with. False when it failed. */
bool peer_zimg(struct report *report, enum content content,
               const uint8_t *samples, uint32_t inks, double budget);

/*
 * Programs, from a file with a gray page to /dev/null, as whole processes:
 * with all that they do beside halftoning. Those that are not installed, or
 * do not work, are reported as missing.
 *
 *   folder   for the page in the forms that they take
 *   samples  from content_make(), one ink
 */
void peers_measure(struct report *report, const char *folder,
                   enum content content, const uint8_t *samples, double budget);

#endif
