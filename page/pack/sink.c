/*
 * sink.c - gathers the bytes of a job; see sink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "page/pack/sink.h"

bool sink_flush(struct sink *sink)
{
    if (!sink->broken && sink->held > 0)
        sink->broken = !sink->write(sink, sink->buffer, sink->held);
    sink->held = 0;
    return !sink->broken;
}

void sink_put(struct sink *sink, const void *data, size_t bytes)
{
    const unsigned char *from = data;

    while (bytes > 0 && !sink->broken) {
        size_t room = SINK_BYTES - sink->held;

        if (room > bytes)
            room = bytes;
        memcpy(sink->buffer + sink->held, from, room);
        sink->held += room;
        from += room;
        bytes -= room;
        if (sink->held == SINK_BYTES)
            sink_flush(sink);
    }
}

void sink_printf(struct sink *sink, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    const int size = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (size > 0)
        sink_put(sink, text, (size_t)size);
}
