/*
 * pcl_sheet.h - PCL's commands for a sheet, and rows of color.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_PCL_SHEET_H
#define PACK_PCL_SHEET_H

#include "page/pack/packing.h"

/* Begins a sheet of `width` x `length` points: its tray, size and copies,
 * upright. */
void pcl_begin_sheet(const struct packing *page, double width, double length);

/* Puts the planes of a row, packed by PackBits. */
void pcl_put_planes(const struct packing *page);

#endif
