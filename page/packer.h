/*
 * packer.h - a program that packs our dots for a printer: one of CUPS's
 * filters, or made like them, in the folder where CUPS has them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PACKER_H
#define PAGE_PACKER_H

#include <stdbool.h>

#include "page/choice.h"
#include "page/program.h"

struct packer {
    const char *name; /* the caller's */
    struct program program;
};

/* Writes where the program of that name is. */
void packer_path(const char *name, char path[CHOICE_MAX_PATH]);

/*
 * Starts it with the five arguments of a job and that environment, which ends
 * with NULL. It reads raster from `input` and writes to `output`, both the
 * caller's; of other open files it inherits those below `closed`
 * (page/program.h). Its messages are handed on. Returns an errno, or 0; then
 * call packer_end().
 */
int packer_start(struct packer *packer, const char *name,
                 char *const arguments[5], char *const environment[], int input,
                 int output, int closed);

/* Waits until it has ended. False if that was not well: after an ERROR line
 * that says how or, in canceled work, without one. */
bool packer_end(struct packer *packer);

#endif
