/*
 * output.h - the lines of a page that leave: packed, counted, completed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_OUTPUT_H
#define PAGE_OUTPUT_H

#include "page/layout.h"
#include "page/stream.h"

struct output {
    const struct layout *layout;
    struct stream *stream;
    uint32_t band;     /* lines in the buffer */
    uint8_t *buffer;   /* [band][out_line_bytes] */
    size_t lines;      /* that have left */
    bool says;         /* writes progress lines */
    unsigned progress; /* percent said so far */
};

/* Makes the buffer. Layout and stream stay the caller's. False without
 * memory; output_close() either way. */
bool output_open(struct output *output, const struct layout *layout,
                 struct stream *stream, uint32_t band, bool says);

void output_close(struct output *output);

/* Functions below return false when the stream is broken. */

/* Writes rows of dots [rows][inks][(width+7)/8], at most a band of them. */
bool output_rows(struct output *output, const uint8_t *dots, size_t rows);

/* Writes the first lines of the buffer, at most a band of them. */
bool output_lines(struct output *output, size_t lines);

/* Writes bare paper up to the end of the page: the printer counts on every
 * line that the header promised. Writes none where more than LAYOUT_MOST_PAPER
 * is missing. */
bool output_rest(struct output *output);

/* Whether all of the page's lines have left. */
bool output_is_whole(const struct output *output);

#endif
