/*
 * front.c - each HTTP request is looked at before PAPPL does what it asks.
 *
 * PAPPL 1.3 takes every method (_papplClientProcessHTTP, client.c:344-481),
 * leaves four without an answer and the answer to OPTIONS without an end, and
 * has each page look by itself at who asks. Here a request is refused before
 * there is a page, for reasons that host.c and access.c have, and with a
 * line that says why.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pappl-fixes/attributes.h"
#include "pappl-fixes/deletion.h"
#include "pappl-fixes/front.h"
#include "pappl-fixes/host.h"
#include "pappl-fixes/language.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/access.h"
#include "pappl-fixes/upload.h"

/* The request that this thread works on. */
static _Thread_local pappl_client_t *visitor; /* NULL = none */
static _Thread_local http_status_t answer;    /* HTTP_STATUS_NONE = PAPPL's */
static _Thread_local const char *says;        /* that answer */

bool _papplClientProcessHTTP(pappl_client_t *client)
{
    visitor = client;
    attributes_begin();
    answer = HTTP_STATUS_NONE;
    deletion_enter(NULL, NULL);
    const bool goes_on = REAL(_papplClientProcessHTTP)(client);

    deletion_leave();
    upload_end();
    visitor = NULL;
    answer = HTTP_STATUS_NONE;
    return goes_on;
}

/* Sets "answer", if there is to be one of ours, and what it says. */
static void look_at(pappl_client_t *client)
{
    const http_state_t method = papplClientGetMethod(client);

    if ((says = host_refusal(client)) != NULL ||
        (says = web_refusal(client)) != NULL) {
        answer = HTTP_STATUS_FORBIDDEN;
    } else if (method != HTTP_STATE_GET && method != HTTP_STATE_HEAD &&
               method != HTTP_STATE_POST) {
        says = "There are GET, HEAD, POST and OPTIONS.\n";
        answer = method == HTTP_STATE_OPTIONS ? HTTP_STATUS_OK
                                              : HTTP_STATUS_METHOD_NOT_ALLOWED;
    }
}

/* PAPPL answers a head that is not OK by "Bad Request". */
http_status_t front_look_at(http_t *http, http_status_t status)
{
    if (status != HTTP_STATUS_OK || visitor == NULL ||
        http != papplClientGetHTTP(visitor))
        return status;
    language_take(http);
    look_at(visitor);
    if (answer != HTTP_STATUS_NONE)
        return HTTP_STATUS_BAD_REQUEST;
    upload_look_at(visitor);
    return status;
}

bool front_has_answer(const pappl_client_t *client)
{
    return client == visitor && answer != HTTP_STATUS_NONE;
}

bool front_answer(pappl_client_t *client)
{
    http_t *http = papplClientGetHTTP(client);

    httpClearFields(http);
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "text/plain; charset=utf-8");
    httpSetField(http, HTTP_FIELD_CONNECTION, "close");
    httpSetField(http, HTTP_FIELD_ALLOW, "GET, HEAD, OPTIONS, POST");
    httpSetLength(http, strlen(says));
    return httpWriteResponse(http, answer) == 0 &&
           httpWrite2(http, says, strlen(says)) >= 0;
}
