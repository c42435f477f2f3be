/*
 * output.c - rows of dots become lines of raster that leave.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "page/message.h"
#include "page/output.h"
#include "page/rows.h"

bool output_open(struct output *output, const struct layout *layout,
                 struct stream *stream, uint32_t band, bool says)
{
    *output =
        (struct output){.layout = layout,
                        .stream = stream,
                        .band = band,
                        .buffer = malloc((size_t)band * layout->out_line_bytes),
                        .says = says};
    return output->buffer != NULL;
}

void output_close(struct output *output)
{
    free(output->buffer);
}

static void say_progress(struct output *output)
{
    unsigned percent =
        (unsigned)(100 * (uint64_t)output->lines / output->layout->out_lines);

    if (!output->says || (percent < output->progress + 10 &&
                          (percent < 100 || output->progress == 100)))
        return;
    output->progress = percent;
    message("ATTR", "job-media-progress=%u", percent);
}

bool output_lines(struct output *output, size_t lines)
{
    assert(lines <= output->band);
    if (!stream_write(output->stream, output->buffer,
                      lines * output->layout->out_line_bytes))
        return false;
    output->lines += lines;
    say_progress(output);
    return true;
}

bool output_rows(struct output *output, const uint8_t *dots, size_t rows)
{
    const struct layout *l = output->layout;

    assert(rows <= output->band);
    for (size_t row = 0; row < rows; row++)
        rows_to_line(l, dots + row * rows_dot_bytes(l),
                     output->buffer + row * l->out_line_bytes);
    return output_lines(output, rows);
}

bool output_rest(struct output *output)
{
    const struct layout *l = output->layout;
    uint64_t missing = l->out_lines - output->lines;

    if (missing * l->out_line_bytes > LAYOUT_MOST_PAPER)
        return true;
    rows_blank(l, output->buffer, output->band * l->out_line_bytes);
    while (output->lines < l->out_lines) {
        size_t left = l->out_lines - output->lines;

        if (!output_lines(output, left < output->band ? left : output->band))
            return false;
    }
    return true;
}

bool output_is_whole(const struct output *output)
{
    return output->lines == output->layout->out_lines;
}
