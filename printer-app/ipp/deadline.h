/*
 * deadline.h - ends what a connection does when its time is over. libcups's
 * timeouts are those of one read or write: whoever sends a byte now and then,
 * or headers without end, is never late for them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_DEADLINE_H
#define PRINTER_APP_DEADLINE_H

#include <stdbool.h>
#include <cups/http.h>

struct deadline;

/* Begins to watch over `http`, the caller's, without a deadline; NULL if there
 * is no memory or thread for it. While one is set, the caller does not let
 * libcups connect anew. Free with deadline_close(), before httpClose(). */
struct deadline *deadline_open(http_t *http);

/* Ends the connection `seconds` from now, in place of an earlier deadline; 0:
 * never. Reads and writes then fail as if the printer had gone. */
void deadline_set(struct deadline *deadline, unsigned seconds);

/* Whether the connection was ended. */
bool deadline_over(struct deadline *deadline);

/* NULL is allowed. */
void deadline_close(struct deadline *deadline);

#endif
