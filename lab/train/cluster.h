/*
 * cluster.h - measures how dots cling together, which decides whether a laser
 * printer can hold them, and how long a page of them gets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_CLUSTER_H
#define TRAIN_CLUSTER_H

#include "lab/train/plane.h"

/*
 * Counts the inked ones among the left, right, upper and lower neighbours of
 * every inked pixel, but for the outermost pixels. `isolated` gets the share,
 * 0..1, of inked pixels that have none, `edges` the mean number of bare ones:
 * 4 for single dots, 4 / n for squares n wide. Both are 0 where there is no
 * ink.
 */
void cluster_measure(const struct plane *dots, double *isolated, double *edges);

/*
 * The bytes of all rows in PackBits (TIFF, PCL's mode 2), each row by itself in
 * whole bytes, the leftmost pixel in the top bit. Three equal bytes and more
 * are a repeat, two are where no literal bytes wait.
 */
size_t cluster_packbits(const struct plane *dots);

#endif
