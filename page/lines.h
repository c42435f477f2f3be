/*
 * lines.h - HalftoneLines: how fine the dots of the method Screen are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_LINES_H
#define PAGE_LINES_H

#include <stdint.h>

/* Returns the ht_page_t.cells for `lines` an inch at `dpi` pixels an inch, 1 or
 * more; 0 lines stand for what suits the resolution. */
uint32_t lines_to_cells(uint32_t lines, uint32_t dpi);

#endif
