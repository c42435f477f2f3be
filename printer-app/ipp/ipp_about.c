/*
 * ipp_about.c - asks a printer for its attributes: one request, one answer.
 *
 * Not by cupsDoRequest(): it asks at the terminal for a password that a printer
 * wants, and takes attributes and headers without end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pthread_clockjoin_np() */

#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "halftone/base/utf8.h"
#include "printer-app/ipp/ipp_about.h"

/* Printers that have all their media and icons say some 100 KiB. */
#define MOST_ANSWER (1024 * 1024)
#define PATIENCE 10 /* seconds; a printer that sleeps needs some of them */
#define FORMAT "image/pwg-raster"
#define TYPE "black_1" /* PWG 5102.4 */

bool ipp_address_read(struct ipp_address *address, const char *uri, char *why)
{
    char scheme[32], user[256];

    *address = (struct ipp_address){.port = 0};
    const http_uri_status_t status = httpSeparateURI(
        HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user, sizeof user,
        address->host, sizeof address->host, &address->port, address->resource,
        sizeof address->resource);
    address->has_tls = strcmp(scheme, "ipps") == 0;
    if (status < HTTP_URI_STATUS_OK || address->host[0] == '\0' ||
        address->port < 1 ||
        (!address->has_tls && strcmp(scheme, "ipp") != 0)) {
        snprintf(why, IPP_WHY, "No address of IPP.");
        return false;
    }
    address->resource[strcspn(address->resource, "?")] = '\0';
    if (strcmp(address->resource, "/") == 0 || address->resource[0] == '\0')
        snprintf(address->resource, sizeof address->resource, "/ipp/print");
    if (httpAssembleURI(HTTP_URI_CODING_ALL, address->uri, sizeof address->uri,
                        scheme, NULL, address->host, address->port,
                        address->resource) >= HTTP_URI_STATUS_OK)
        return true;
    snprintf(why, IPP_WHY, "The address is too long.");
    return false;
}

/* ---- The question -------------------------------------------------------- */

struct question {
    const struct ipp_address *address;
    http_t *http; /* the caller's */
    size_t left;  /* bytes that the answer may still have */
    ipp_t *answer;
    char *why;
};

/* Reads all of `size`: libcups takes less for a fault. */
static ssize_t read_answer(void *context, ipp_uchar_t *bytes, size_t size)
{
    struct question *question = context;
    size_t has = 0;
    ssize_t got = 1;

    if (size > question->left)
        return -1;
    question->left -= size;
    while (has < size && got > 0) {
        got = httpRead2(question->http, (char *)bytes + has, size - has);
        if (got > 0)
            has += (size_t)got;
    }
    return got < 0 ? -1 : (ssize_t)has;
}

static const char *reason_of(http_status_t status)
{
    switch (status) {
    case HTTP_STATUS_UNAUTHORIZED:
        return "The printer wants a password, and has to take jobs without.";
    case HTTP_STATUS_UPGRADE_REQUIRED:
        return "The printer wants encryption: ipps:// instead of ipp://.";
    case HTTP_STATUS_ERROR:
        return "The printer ended the connection without an answer that is "
               "HTTP.";
    default:
        return httpStatus(status);
    }
}

/* Sends the request by that version of IPP, 20 or 11, and reads the answer;
 * false with the reason if there is none. */
static bool exchange(struct question *question, int version)
{
    ipp_t *request = ippNewRequest(IPP_OP_GET_PRINTER_ATTRIBUTES);
    ipp_state_t state = IPP_STATE_IDLE;
    http_status_t status;

    ippSetVersion(request, version / 10, version % 10);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
                 question->address->uri);
    httpClearFields(question->http);
    httpSetField(question->http, HTTP_FIELD_CONTENT_TYPE, "application/ipp");
    httpSetLength(question->http, ippLength(request));
    if (httpPost(question->http, question->address->resource) == 0)
        while (state != IPP_STATE_DATA && state != IPP_STATE_ERROR)
            state = ippWrite(question->http, request);
    httpFlushWrite(question->http);
    ippDelete(request);

    /* A printer that refuses may not read all before it answers. */
    do
        status = httpUpdate(question->http);
    while (status == HTTP_STATUS_CONTINUE);
    if (status != HTTP_STATUS_OK) {
        snprintf(question->why, IPP_WHY, "%s", reason_of(status));
        return false;
    }
    question->left = MOST_ANSWER;
    ippDelete(question->answer);
    question->answer = ippNew();
    if (ippReadIO(question, read_answer, 1, NULL, question->answer) ==
        IPP_STATE_DATA)
        return true;
    snprintf(question->why, IPP_WHY, "The printer's answer is not IPP.");
    return false;
}

static void *ask(void *context)
{
    struct question *question = context;
    const struct ipp_address *address = question->address;
    bool has_answer = false;

    if (httpReconnect2(question->http, PATIENCE * 1000, NULL) != 0) {
        snprintf(question->why, IPP_WHY, "Nobody answers at %.255s, port %d.",
                 address->host, address->port);
        return NULL;
    }
    has_answer = exchange(question, 20);
    if (has_answer && ippGetStatusCode(question->answer) ==
                          IPP_STATUS_ERROR_VERSION_NOT_SUPPORTED)
        has_answer =
            httpReconnect2(question->http, PATIENCE * 1000, NULL) == 0 &&
            exchange(question, 11);
    const ipp_status_t status =
        has_answer ? ippGetStatusCode(question->answer) : IPP_STATUS_OK;
    if (status > IPP_STATUS_OK_EVENTS_COMPLETE)
        snprintf(question->why, IPP_WHY,
                 "The printer refuses to tell what it takes: %s.",
                 ippErrorString(status));
    if (!has_answer || status > IPP_STATUS_OK_EVENTS_COMPLETE) {
        ippDelete(question->answer);
        question->answer = NULL;
    }
    return NULL;
}

/* Waits for the thread; after PATIENCE seconds shuts its connection down every
 * second until it ends, as it may have connected anew. False then. */
static bool join_in_time(pthread_t thread, http_t *http)
{
    struct timespec end;
    bool in_time = true;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += PATIENCE;
    while (pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &end) ==
           ETIMEDOUT) {
        const int fd = httpGetFd(http);

        if (fd >= 0)
            shutdown(fd, SHUT_RDWR);
        in_time = false;
        end.tv_sec++;
    }
    return in_time;
}

ipp_t *ipp_about(const struct ipp_address *address, char *why)
{
    struct question question = {.address = address, .why = why};
    pthread_t thread;

    snprintf(why, IPP_WHY, "No memory for a connection.");
    question.http = httpConnect2(address->host, address->port, NULL, AF_UNSPEC,
                                 address->has_tls ? HTTP_ENCRYPTION_ALWAYS
                                                  : HTTP_ENCRYPTION_NEVER,
                                 1, 0, NULL);
    if (question.http == NULL)
        return NULL;
    if (pthread_create(&thread, NULL, ask, &question) == 0 &&
        !join_in_time(thread, question.http) && question.answer == NULL)
        snprintf(why, IPP_WHY, "%.255s does not answer in time.",
                 address->host);
    httpClose(question.http);
    return question.answer;
}

/* ---- Its answer ---------------------------------------------------------- */

/* Whether the attribute has the value; if not, says which ones it has. */
static bool takes(ipp_t *about, const char *name, const char *wanted, char *why)
{
    ipp_attribute_t *known = ippFindAttribute(about, name, IPP_TAG_ZERO);
    char values[512] = "none";

    if (known != NULL && ippContainsString(known, wanted))
        return true;
    if (known != NULL)
        ippAttributeString(known, values, sizeof values);
    snprintf(why, IPP_WHY, "The printer does not take %s, only: %s.", wanted,
             values);
    utf8_copy(why, IPP_WHY, why, '?');
    return false;
}

/* Whether the printer has the operations by which CUPS's backend can send a
 * job without the scheduler's side channel. */
static bool has_operations(ipp_t *about, char *why)
{
    ipp_attribute_t *known =
        ippFindAttribute(about, "operations-supported", IPP_TAG_ENUM);

    if (known != NULL && ippContainsInteger(known, IPP_OP_CREATE_JOB) &&
        ippContainsInteger(known, IPP_OP_SEND_DOCUMENT))
        return true;
    snprintf(why, IPP_WHY, "The printer has no Create-Job and Send-Document.");
    return false;
}

bool ipp_takes_dots(ipp_t *about, char *why)
{
    return has_operations(about, why) &&
           takes(about, "document-format-supported", FORMAT, why) &&
           takes(about, "pwg-raster-document-type-supported", TYPE, why);
}
