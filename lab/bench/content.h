/*
 * content.h - the pages that are measured, made here: A4 at 600 dpi.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_CONTENT_H
#define BENCH_CONTENT_H

#include <stdint.h>

#define PAGE_WIDTH 4960u
#define PAGE_ROWS 7016u
#define PAGE_DPI 600u

/* A page repeats itself after so many rows, to bound memory: 16 lines of
 * text. A photo of that height is far larger than a cache of a core. */
#define CONTENT_ROWS 1600u

enum content {
    PHOTO, /* octaves of smooth noise, each ink its own */
    TEXT,  /* strokes with gray edges on bare paper, black only, about 5 % */
    SHARP, /* the same without the gray, as a RIP draws text */
    RAMP,  /* white to solid from left to right */
    NOISE, /* every sample at random */
    CONTENTS,
    RENDERED = CONTENTS /* a page that Ghostscript draws, not made here */
};

extern const char *const content_names[CONTENTS + 1];

/* A sample, 255 = solid ink; beyond PAGE_WIDTH and CONTENT_ROWS, too. */
uint8_t content_sample(enum content content, uint32_t x, uint32_t y,
                       uint32_t ink);

/* Makes the rows that repeat, [CONTENT_ROWS][inks][PAGE_WIDTH], 8 bits, 255 =
 * solid ink, the darkest ink first. NULL without memory; free() it. */
uint8_t *content_make(enum content content, uint32_t inks);

#endif
