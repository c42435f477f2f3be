/*
 * heap.h - returns the memory of finished jobs to the system.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_HEAP_H
#define PRINTER_APP_HEAP_H

/* Sets limits. Call it before there are threads. */
void heap_prepare(void);

/* Any number of jobs have memory at a time; when none is left, what is free is
 * given back. */
void heap_job_begins(void);
void heap_job_ends(void);

#endif
