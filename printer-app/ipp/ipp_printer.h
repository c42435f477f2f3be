/*
 * ipp_printer.h - a printer at an IPP address: one request, one answer, on a
 * connection of its own, and nothing that the printer does or leaves undone
 * takes more time or memory than it may.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_IPP_PRINTER_H
#define PRINTER_APP_IPP_PRINTER_H

#include <stdbool.h>
#include <stddef.h>
#include <cups/cups.h>

#include "printer-app/ipp/deadline.h"

/* Where it is; read-only once set, so that threads can share it. */
struct ipp_printer {
    char uri[1024]; /* "printer-uri", without options */
    char host[256];
    char resource[512];
    int port;
    bool has_tls;
    unsigned patience; /* seconds for a connection and for an answer, 1..3600 */
    int version;       /* of IPP: 20 or 11 */
};

/* One line that says what went wrong; what came from the printer in it has no
 * control characters. */
struct ipp_trouble {
    char text[640];
};

void ipp_say(struct ipp_trouble *trouble, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads ipp[s]://HOST[:PORT][/PATH][?timeout=SECONDS]: path "/ipp/print" and 30
 * seconds if there is none. False, with the trouble said, if it is no such
 * address. */
bool ipp_printer_read(struct ipp_printer *printer, const char *uri,
                      struct ipp_trouble *trouble);

/* Makes a request with what all requests begin with; NULL without memory. Free
 * with ippDelete(), or give it to ipp_ask(). */
ipp_t *ipp_request(const struct ipp_printer *printer, ipp_op_t operation);

/* Sends `request`, and frees it. The answer, which the caller frees with
 * ippDelete(), may say that the printer refuses; NULL, with the trouble said,
 * if none came in time. A canceled job of the calling thread's owner, owner.h,
 * ends the wait unless `persists`. */
ipp_t *ipp_ask(const struct ipp_printer *printer, ipp_t *request, bool persists,
               struct ipp_trouble *trouble);

/* Whether an answer says yes; if not, says why it is refused: `what` is not
 * done. */
bool ipp_agrees(ipp_t *answer, const char *what, struct ipp_trouble *trouble);

/* ---- For a document, whose request is long ---- */

struct ipp_line {
    http_t *http;
    struct deadline *deadline;
    bool persists;
};

/* Connects, within the printer's patience. False, with the trouble said and
 * nothing open, if it cannot. */
bool ipp_connect(struct ipp_line *line, const struct ipp_printer *printer,
                 struct ipp_trouble *trouble);

/* Sends the request; `length` is that of the body, or 0 if a document comes
 * behind it in chunks. */
bool ipp_send(struct ipp_line *line, const struct ipp_printer *printer,
              ipp_t *request, size_t length);

/* Reads the answer, whose HTTP status, if its headers were read, is `status`,
 * else HTTP_STATUS_CONTINUE. NULL, with the trouble said, if there is none. */
ipp_t *ipp_answer(struct ipp_line *line, http_status_t status,
                  struct ipp_trouble *trouble);

/* An open or a closed one. */
void ipp_disconnect(struct ipp_line *line);

#endif
