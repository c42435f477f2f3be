/*
 * ipp_printer.c - a printer at an IPP address: one request, one answer.
 *
 * Not by cupsDoRequest(): it asks at the terminal for a password that a printer
 * wants, connects anew as often as that likes, and takes attributes without
 * end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/text.h"
#include "page/owner.h"
#include "printer-app/ipp/ipp_printer.h"

/* What a printer may say at once: those with all their media and icons say some
 * 100 KiB. */
#define MOST_ANSWER (1024 * 1024)
#define PATIENCE 30 /* seconds; a printer that sleeps needs some 10 */
#define MOST_PATIENCE 3600

void ipp_say(struct ipp_trouble *trouble, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(trouble->text, sizeof trouble->text, format, arguments);
    va_end(arguments);
    for (char *at = trouble->text; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = '?';
}

/* Reads what stands behind the question mark. */
static bool read_options(struct ipp_printer *printer, const char *options)
{
    static const char timeout[] = "timeout=";
    double seconds = 0.0;

    if (strncmp(options, timeout, sizeof timeout - 1) != 0 ||
        !text_decimal(options + sizeof timeout - 1, 1.0, MOST_PATIENCE,
                      &seconds))
        return false;
    printer->patience = (unsigned)seconds;
    return true;
}

bool ipp_printer_read(struct ipp_printer *printer, const char *uri,
                      struct ipp_trouble *trouble)
{
    char scheme[32], user[256];

    *printer = (struct ipp_printer){.patience = PATIENCE, .version = 20};
    const http_uri_status_t status = httpSeparateURI(
        HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user, sizeof user,
        printer->host, sizeof printer->host, &printer->port, printer->resource,
        sizeof printer->resource);
    if (status < HTTP_URI_STATUS_OK || printer->host[0] == '\0') {
        ipp_say(trouble, "%s.", httpURIStatusString(status));
        return false;
    }
    printer->has_tls = strcmp(scheme, "ipps") == 0;
    if ((!printer->has_tls && strcmp(scheme, "ipp") != 0) ||
        printer->port < 1) {
        ipp_say(trouble, "No address of IPP.");
        return false;
    }

    char *options = strchr(printer->resource, '?');
    if (options != NULL)
        *options++ = '\0';
    if (options != NULL && !read_options(printer, options)) {
        ipp_say(trouble, "The one option is timeout=1..%d, in seconds.",
                MOST_PATIENCE);
        return false;
    }
    if (strcmp(printer->resource, "/") == 0 || printer->resource[0] == '\0')
        snprintf(printer->resource, sizeof printer->resource, "/ipp/print");
    if (httpAssembleURI(HTTP_URI_CODING_ALL, printer->uri, sizeof printer->uri,
                        scheme, NULL, printer->host, printer->port,
                        printer->resource) < HTTP_URI_STATUS_OK) {
        ipp_say(trouble, "The address is too long.");
        return false;
    }
    return true;
}

ipp_t *ipp_request(const struct ipp_printer *printer, ipp_op_t operation)
{
    ipp_t *request = ippNewRequest(operation);

    if (request == NULL)
        return NULL;
    ippSetVersion(request, printer->version / 10, printer->version % 10);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
                 printer->uri);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME,
                 "requesting-user-name", NULL, cupsUser());
    return request;
}

/* libcups asks every second in which nothing came or went. */
static int goes_on(http_t *http, void *context)
{
    const struct ipp_line *line = context;

    (void)http;
    return !deadline_over(line->deadline) && (line->persists || !canceled());
}

void ipp_disconnect(struct ipp_line *line)
{
    deadline_close(line->deadline);
    if (line->http != NULL)
        httpClose(line->http);
    line->deadline = NULL;
    line->http = NULL;
}

bool ipp_connect(struct ipp_line *line, const struct ipp_printer *printer,
                 struct ipp_trouble *trouble)
{
    line->deadline = NULL;
    line->http = httpConnect2(printer->host, printer->port, NULL, AF_UNSPEC,
                              printer->has_tls ? HTTP_ENCRYPTION_ALWAYS
                                               : HTTP_ENCRYPTION_NEVER,
                              1, 0, NULL);
    if (line->http != NULL)
        line->deadline = deadline_open(line->http);
    if (line->deadline == NULL) {
        ipp_say(trouble, "No memory for a connection.");
        ipp_disconnect(line);
        return false;
    }

    deadline_set(line->deadline, printer->patience);
    httpSetTimeout(line->http, 1.0, goes_on, line);
    if (httpReconnect2(line->http, (int)printer->patience * 1000, NULL) != 0) {
        if (deadline_over(line->deadline))
            ipp_say(trouble, "%s does not answer in time.", printer->host);
        else if (printer->has_tls && httpError(line->http) == EIO)
            ipp_say(trouble, "No connection by TLS: %s.",
                    cupsLastErrorString());
        else /* libcups does not keep the reason */
            ipp_say(trouble, "Nobody answers at %s, port %d.", printer->host,
                    printer->port);
        ipp_disconnect(line);
        return false;
    }
    return true;
}

bool ipp_send(struct ipp_line *line, const struct ipp_printer *printer,
              ipp_t *request, size_t length)
{
    httpClearFields(line->http);
    httpSetField(line->http, HTTP_FIELD_CONTENT_TYPE, "application/ipp");
    if (length == 0)
        httpSetExpect(line->http, HTTP_STATUS_CONTINUE);
    httpSetLength(line->http, length);
    if (httpPost(line->http, printer->resource) != 0)
        return false;

    ipp_state_t state = IPP_STATE_IDLE;
    ippSetState(request, IPP_STATE_IDLE);
    while (state != IPP_STATE_DATA && state != IPP_STATE_ERROR)
        state = ippWrite(line->http, request);
    return state == IPP_STATE_DATA && httpFlushWrite(line->http) >= 0;
}

struct answer {
    http_t *http;
    size_t left; /* bytes that it may still have */
};

static ssize_t read_answer(void *context, ipp_uchar_t *bytes, size_t size)
{
    struct answer *answer = context;

    if (size > answer->left)
        return -1;
    const ssize_t got = httpRead2(answer->http, (char *)bytes, size);
    if (got > 0)
        answer->left -= (size_t)got;
    return got;
}

/* Says why there is no answer but `status`. */
static void say_status(struct ipp_line *line, http_status_t status,
                       struct ipp_trouble *trouble)
{
    if (!line->persists && canceled())
        ipp_say(trouble, "The job was canceled.");
    else if (deadline_over(line->deadline))
        ipp_say(trouble, "The printer does not answer in time.");
    else if (status == HTTP_STATUS_UNAUTHORIZED)
        ipp_say(trouble, "The printer wants a password, and has to take jobs "
                         "without.");
    else if (status == HTTP_STATUS_UPGRADE_REQUIRED)
        ipp_say(trouble, "The printer wants encryption: ipps:// instead of "
                         "ipp://.");
    else if (status == HTTP_STATUS_ERROR)
        ipp_say(trouble, "The printer ended the connection without an answer "
                         "that is HTTP.");
    else
        ipp_say(trouble, "The printer answers by HTTP status %d, %s.", status,
                httpStatus(status));
}

ipp_t *ipp_answer(struct ipp_line *line, http_status_t status,
                  struct ipp_trouble *trouble)
{
    while (status == HTTP_STATUS_CONTINUE)
        status = httpUpdate(line->http);
    if (status != HTTP_STATUS_OK) {
        say_status(line, status, trouble);
        return NULL;
    }

    struct answer source = {line->http, MOST_ANSWER};
    ipp_t *answer = ippNew();
    ipp_state_t state = IPP_STATE_ERROR;
    if (answer != NULL)
        state = ippReadIO(&source, read_answer, 1, NULL, answer);
    if (state == IPP_STATE_DATA)
        return answer;

    ippDelete(answer);
    if (deadline_over(line->deadline))
        say_status(line, status, trouble);
    else
        ipp_say(trouble, "The printer's answer is not IPP.");
    return NULL;
}

ipp_t *ipp_ask(const struct ipp_printer *printer, ipp_t *request, bool persists,
               struct ipp_trouble *trouble)
{
    struct ipp_line line = {.persists = persists};
    ipp_t *answer = NULL;

    if (request == NULL) {
        ipp_say(trouble, "No memory for a request.");
        return NULL;
    }
    if (ipp_connect(&line, printer, trouble)) {
        deadline_set(line.deadline, printer->patience);
        /* A printer that refuses may not read all before it answers. */
        ipp_send(&line, printer, request, ippLength(request));
        answer = ipp_answer(&line, HTTP_STATUS_CONTINUE, trouble);
        ipp_disconnect(&line);
    }
    ippDelete(request);
    return answer;
}

bool ipp_agrees(ipp_t *answer, const char *what, struct ipp_trouble *trouble)
{
    const ipp_status_t status = ippGetStatusCode(answer);
    const char *text = ippGetString(
        ippFindAttribute(answer, "status-message", IPP_TAG_TEXT), 0, NULL);

    if (status >= IPP_STATUS_OK && status <= IPP_STATUS_OK_EVENTS_COMPLETE)
        return true;
    if (text == NULL)
        text = "without a reason";
    const size_t length = strnlen(text, 255);
    const bool has_stop = length > 0 && text[length - 1] == '.';
    ipp_say(trouble, "The printer refuses %s: %s, %.*s.", what,
            ippErrorString(status), (int)(has_stop ? length - 1 : length),
            text);
    return false;
}
