/*
 * pcl_size.h - PCL's numbers of paper sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_PCL_SIZE_H
#define PACK_PCL_SIZE_H

/* Returns PCL's number of a size, by its length in points; 0 = it has none. */
unsigned pcl_size(unsigned length);

#endif
