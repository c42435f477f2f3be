/*
 * frame.c - bare paper around the lines that come.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "page/frame.h"
#include "page/stream.h"

static bool is_paper(const struct frame *frame, size_t line)
{
    return frame->lines > 0 &&
           (line < frame->top || line - frame->top >= frame->lines);
}

static bool read_line(struct framed_lines *page, unsigned char *data,
                      size_t bytes)
{
    const struct frame *frame = page->frame;
    size_t parts = frame->parts > 0 ? frame->parts : 1, part = bytes / parts;
    size_t come = part - frame->left - frame->right;

    if (is_paper(frame, page->next++)) {
        memset(data, frame->paper, bytes);
        return true;
    }
    if (come == part)
        return stream_read_lines(page->in, data, 1, bytes) == 1;
    for (size_t i = 0; i < parts; i++, data += part) {
        memset(data, frame->paper, frame->left);
        memset(data + frame->left + come, frame->paper, frame->right);
        if (stream_read_lines(page->in, data + frame->left, 1, come) < 1)
            return false;
    }
    return true;
}

/* Counts the next line's dots. False if output exceeds FRAME_DOTS_A_BYTE per
 * input byte (decompression bomb). */
static bool within_limit(struct framed_lines *page)
{
    struct stream *in = page->in;

    in->dots += page->dots;
    page->is_bomb = in->dots > FRAME_FREE_DOTS + in->bytes * FRAME_DOTS_A_BYTE;
    return !page->is_bomb;
}

size_t frame_read(struct framed_lines *page, unsigned char *data, size_t lines,
                  size_t bytes)
{
    assert((page->frame->left + page->frame->right) *
               (page->frame->parts > 0 ? page->frame->parts : 1) <=
           bytes);
    for (size_t line = 0; line < lines; line++, data += bytes)
        if (!within_limit(page) || !read_line(page, data, bytes))
            return line;
    return lines;
}
