/*
 * peer_programs.h - other programs that halftone, on the same gray page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_PEER_PROGRAMS_H
#define BENCH_PEER_PROGRAMS_H

#include "lab/bench/content.h"
#include "lab/bench/contest.h"

/*
 * Enters programs, from a file with a gray page to /dev/null, as whole
 * processes: with all that they do beside halftoning. Those that are not
 * installed, or do not work, are reported as missing. Returns what they need
 * until the contest is over, for programs_leave(); NULL without memory.
 *
 *   folder   for the page in the forms that they take
 *   samples  from content_make(), one ink
 */
struct programs;
struct programs *programs_enter(struct contest *contest,
                                struct bench_report *report, const char *folder,
                                enum content content, const uint8_t *samples,
                                double budget);
void programs_leave(struct programs *programs);

#endif
