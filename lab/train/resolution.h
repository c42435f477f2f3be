/*
 * resolution.h - a resolution on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_RESOLUTION_H
#define TRAIN_RESOLUTION_H

#include <stdbool.h>

/* Reads dots an inch, across and down, "600" or "720x360", whose pixels are 1/2
 * to 2 times as high as wide. False after a complaint. */
bool resolution_parse(const char *text, double dpi[2]);

#endif
