/*
 * feed.c - lines through a queue of bands: threads meet once a band.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "printer-app/feed.h"

#define BAND_BYTES (128u << 10) /* a few lines, which stay in a cache */

bool feed_open(struct feed *feed, size_t bytes)
{
    const size_t band = bytes < BAND_BYTES ? BAND_BYTES / bytes : 1;

    assert(bytes > 0);
    *feed = (struct feed){.line_bytes = bytes, .band = band};
    return queue_open(&feed->queue, 0, band, bytes);
}

void feed_close(struct feed *feed)
{
    queue_close(&feed->queue);
}

/* Hands over the band that is being filled, if it has lines. */
static void put_band(struct feed *feed)
{
    if (feed->filling != NULL && feed->filled > 0) {
        feed->filling->rows = feed->filled;
        queue_put(&feed->queue);
    }
    feed->filling = NULL;
    feed->filled = 0;
}

uint8_t *feed_space(struct feed *feed)
{
    if (feed->filling == NULL)
        feed->filling = queue_space(&feed->queue);
    if (feed->filling == NULL)
        return NULL;
    return feed->filling->data + feed->filled * feed->line_bytes;
}

void feed_put(struct feed *feed)
{
    if (++feed->filled == feed->band)
        put_band(feed);
}

void feed_finish(struct feed *feed)
{
    put_band(feed);
    queue_end(&feed->queue);
}

void feed_refuse(struct feed *feed)
{
    queue_end(&feed->queue);
}

size_t feed_lines(void *from, unsigned char *data, size_t lines, size_t bytes)
{
    struct feed *feed = from;

    assert(bytes == feed->line_bytes);
    for (size_t line = 0; line < lines; line++, data += bytes) {
        if (feed->taking == NULL) {
            feed->taking = queue_next(&feed->queue);
            feed->taken = 0;
        }
        if (feed->taking == NULL)
            return line;
        memcpy(data, feed->taking->data + feed->taken * bytes, bytes);
        if (++feed->taken == feed->taking->rows) {
            feed->taking = NULL;
            queue_done(&feed->queue);
        }
    }
    return lines;
}
