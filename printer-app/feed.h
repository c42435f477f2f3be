/*
 * feed.h - lines of a page from the thread that gets them to the one that
 * prints them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_FEED_H
#define PRINTER_APP_FEED_H

#include "page/queue.h"

struct feed {
    struct queue queue;      /* of bands of lines */
    size_t line_bytes, band; /* lines of a band */
    struct band *filling, *taking;
    size_t filled, taken; /* lines of these */
};

/* Makes a feed of lines of `bytes` each. False without memory; feed_close()
 * either way. */
bool feed_open(struct feed *feed, size_t bytes);

void feed_close(struct feed *feed); /* when no thread uses it any more */

/* Waits for room for a line; NULL when the feed was ended. */
uint8_t *feed_space(struct feed *feed);

/* Hands over the line that was put into feed_space(). */
void feed_put(struct feed *feed);

/* No more lines are coming. */
void feed_finish(struct feed *feed);

/* No more lines are wanted: feed_space() gives none. */
void feed_refuse(struct feed *feed);

/* Takes lines: stream_open_lines() has the contract. `feed` is a struct feed.
 */
size_t feed_lines(void *feed, unsigned char *data, size_t lines, size_t bytes);

#endif
