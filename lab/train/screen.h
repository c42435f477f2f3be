/*
 * screen.h - judges the method Screen: dots that laser printers hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_SCREEN_H
#define TRAIN_SCREEN_H

#include "lab/train/quality.h"

/* Adds what is demanded of black's Screen, of the default number of cells, and
 * with the photo at `path` (PGM), unless it is NULL, the size of its page
 * against that of Ghostscript's screen. False after a complaint. */
bool screen_quality(struct quality *quality, const char *path);

#endif
