/*
 * patience.c - where the server waits for its clients: the calls by which PAPPL
 * reads from them, which clients.c measures.
 *
 * PAPPL 1.3 takes what libcups gives it for a whole document when a client has
 * left in its middle (job-ipp.c:153, httpRead2() returns 0 then, too), and
 * reads as many attributes of a request as come (client.c:424). Here both are
 * the client's fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>

#include "pappl-fixes/clients.h"
#include "pappl-fixes/front.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/upload.h"

#define MOST_ATTRIBUTES (4 << 20) /* bytes of those of a request, unpacked */

/* ---- Waiting ------------------------------------------------------------- */

/* Begins to wait for the client of a connection; NULL = of none, or a part of a
 * longer wait. */
static struct client *begin(const http_t *http, bool idle)
{
    struct client *client = client_of(http);

    return client != NULL && client_wait(client, idle) ? client : NULL;
}

static void end(struct client *client, ssize_t bytes)
{
    if (client != NULL)
        client_heard(client, bytes > 0 ? (size_t)bytes : 0);
}

int httpWait(http_t *http, int milliseconds)
{
    struct client *client = begin(http, true);
    const int has_data = REAL(httpWait)(http, milliseconds);

    end(client, 0);
    return has_data && (client == NULL || papplfixes_client_fault() == NULL);
}

http_state_t httpReadRequest(http_t *http, char *uri, size_t length)
{
    struct client *client = begin(http, false);
    const http_state_t state = REAL(httpReadRequest)(http, uri, length);

    end(client, 0);
    return state;
}

http_status_t httpUpdate(http_t *http)
{
    struct client *client = begin(http, false);
    const http_status_t status = REAL(httpUpdate)(http);

    end(client, 0);
    return front_look_at(http, status);
}

int httpEncryption(http_t *http, http_encryption_t encryption)
{
    struct client *client = begin(http, false);
    const int status = REAL(httpEncryption)(http, encryption);

    end(client, 0);
    return status;
}

ssize_t httpPeek(http_t *http, char *buffer, size_t length)
{
    if (upload_has_file(http))
        return upload_read(buffer, length, false);

    struct client *client = begin(http, false);
    const ssize_t got = REAL(httpPeek)(http, buffer, length);

    end(client, got);
    return got;
}

/* ---- Documents ----------------------------------------------------------- */

/* Whether what a client sends has ended before its end. */
static void look_at_end(http_t *http, ssize_t got)
{
    if (got < 0 && httpError(http) == EIO)
        client_blame("The document cannot be unpacked");
    else if (got < 0 || httpGetState(http) == HTTP_STATE_POST_RECV ||
             httpError(http) == EPIPE)
        client_blame("The client did not send the whole document");
}

ssize_t patience_read(http_t *http, char *buffer, size_t length)
{
    struct client *client = begin(http, false);

    if (client == NULL)
        return REAL(httpRead2)(http, buffer, length);
    const bool is_over = httpGetState(http) != HTTP_STATE_POST_RECV;
    const ssize_t got = papplfixes_client_fault() != NULL ? -1
                        : is_over                         ? 0
                                  : REAL(httpRead2)(http, buffer, length);

    end(client, got);
    if (got <= 0 && !is_over)
        look_at_end(http, got);
    return got;
}

ssize_t httpRead2(http_t *http, char *buffer, size_t length)
{
    return upload_has_file(http) ? upload_read(buffer, length, true)
                                 : patience_read(http, buffer, length);
}

/* ---- Attributes of a request --------------------------------------------- */

/* Where they come from. */
struct byte_source {
    http_t *http;
    size_t left; /* bytes that may still come */
};

/* Reads all of it; less than that at the end. */
static ssize_t read_source(void *context, ipp_uchar_t *buffer, size_t length)
{
    struct byte_source *source = context;
    size_t done = 0;
    ssize_t got = 1;

    if (length > source->left)
        client_blame("The request has too many attributes");
    source->left -= length <= source->left ? length : source->left;
    while (done < length && got > 0) {
        got = httpRead2(source->http, (char *)buffer + done, length - done);
        if (got > 0)
            done += (size_t)got;
    }
    return done == 0 && got < 0 ? -1 : (ssize_t)done;
}

ipp_state_t ippRead(http_t *http, ipp_t *ipp)
{
    struct byte_source source = {.http = http, .left = MOST_ATTRIBUTES};

    if (upload_is_form(http)) {
        upload_request(ipp);
        return IPP_STATE_DATA;
    }
    return client_of(http) == NULL
               ? REAL(ippRead)(http, ipp)
               : ippReadIO(&source, read_source, 1, NULL, ipp);
}
