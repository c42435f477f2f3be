/*
 * pcl_sheet.h - what PCL printers are told of a sheet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_PCL_SHEET_H
#define PACK_PCL_SHEET_H

#include "pack/packing.h"

/* Begins a sheet of `length` points: its tray, size and copies, upright. */
void pcl_begin_sheet(const struct packing *page, unsigned length);

#endif
