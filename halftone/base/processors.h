/*
 * processors.h - the processors that this process may use, and who else wants
 * some.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_PROCESSORS_H
#define BASE_PROCESSORS_H

/* Returns how many processors this process may use, at least 1: as many as its
 * affinity names, and no more than the CPU quota of its control group or of
 * one above it stands for (cgroup version 2, cpu.max; version 1 is not asked).
 * A quota of 1.5 CPUs counts as 1: threads that share it would have to wait for
 * the next period. */
unsigned ht_processors(void);

/* ht_processors() with the quotas of the folder `root`; see ht_quota_in(). */
unsigned ht_processors_in(const char *root);

/* Returns how many processors the machine has, at least 1. */
unsigned ht_online_processors(void);

/* Returns how many threads of other processes run or want to run now, on the
 * whole machine; 0 if the system does not say. */
unsigned ht_others(void);

/* ht_others() from the text of /proc/loadavg; `own` threads in it are this
 * process's, at least the one that asks. */
unsigned ht_others_in(const char *loadavg, unsigned own);

/* Returns how many threads of this process run or want to run now, at least 1,
 * of the file system /proc in the folder `root`. */
unsigned ht_running_in(const char *root);

/* Returns how many threads should work on a page beside `others` of other
 * processes, on a machine with `online` processors, `allowed` of which this
 * process may use: one for each processor that others leave, and no fewer than
 * two, of which one reads and helps when it would wait. Where others want
 * nearly all processors, one: two would take each other's place. */
unsigned ht_threads_among(unsigned others, unsigned online, unsigned allowed);

/* Returns ht_threads_among() for this moment. */
unsigned ht_default_threads(void);

/* Returns the CPUs that the quotas stand for, 0 = there is none, of the file
 * systems /proc and /sys in the folder `root`. */
unsigned ht_quota_in(const char *root);

#endif
