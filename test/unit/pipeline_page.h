/*
 * pipeline_page.h - a page for the filter's stages: from a raster file with
 * known samples through the fake engine to a raster that can be checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_PIPELINE_PAGE_H
#define TEST_PIPELINE_PAGE_H

#include "page/pipeline.h"
#include "test/unit/fake_engine.h"

struct pipeline_page {
    struct ink ink;
    cups_page_header2_t header;
    struct layout layout;
    struct stream in, out;
    struct framed_lines lines;
    struct output output;
    struct pipeline *pipeline;
    ht_engine_t engine;
    struct outcome outcome;
    bool whole;
};

/* An open file that is gone when it is closed. */
int temporary_file(void);

/*
 * Opens a page of `height` lines, of which the input has `lines`, in bands of
 * `band` rows, to be written to `out`. The engine neither fails nor dawdles:
 * what it is to do is for the caller to change. Close with close_page(), which
 * closes `out` too.
 */
void open_page(struct pipeline_page *page, uint32_t height, size_t lines,
               uint32_t band, int out);

/* A page's second thread, for pthread_create(): starts, writes, finishes. */
void *write_page(void *page);

/* Reads the page here and starts a thread that does the rest. Within a minute,
 * or the program ends: stages must not wait for each other for ever. */
void run_page(struct pipeline_page *page);

/* Checks the file that left: `rows` rows of dots, then bare paper. */
void check_page(const struct pipeline_page *page, size_t rows);

void close_page(struct pipeline_page *page);

#endif
