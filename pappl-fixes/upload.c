/*
 * upload.c - a form with a file (RFC 7578) becomes a Print-Job request.
 *
 * PAPPL 1.3 reads forms into memory, up to 2 MB, and has no page that prints a
 * file. Here PAPPL is told that the form is a request of IPP: what it reads as
 * the request's attributes is made of the form's fields, and what it reads as
 * the document are the bytes of the file as they come. So an upload passes
 * through the same checks and limits as any other job, and is answered by a
 * page. The file is the form's last field; a form with a "job-id" has none, and
 * is a Resubmit-Job request.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/clients.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/resubmit.h"
#include "pappl-fixes/upload.h"

#define BUFFER_BYTES 65536
#define MOST_FIELDS 128
#define MOST_LINES 16  /* above a field */
#define MOST_LINE 1024 /* bytes of a field's value, or of a line above it */
#define MOST_BOUNDARY 70

static const char unreadable[] = "This form cannot be read.",
                  cut_short[] = "This form was cut short.",
                  no_file[] = "Please choose a file.";
static const char of_job[] = "job-id"; /* a field */

struct upload {
    pappl_client_t *client;
    pappl_printer_t *printer;
    char path[1024]; /* the printer's, for IPP */
    char delimiter[MOST_BOUNDARY + 5];
    char bytes[BUFFER_BYTES];
    size_t at, end; /* of those that nobody has taken yet */
    size_t known;   /* of these, that the delimiter is not among */
    bool is_over;   /* no more come */
    bool in_file;   /* PAPPL may have the bytes */
    bool answers;
    const char *why; /* the form is refused; NULL = it is not */
    int count;
    cups_option_t *fields;
    char file[MOST_LINE]; /* its name */
};

/* That of this thread's client; NULL = none. */
static _Thread_local struct upload *upload;

/* ---- Pieces of the form ---------------------------------------------------
 */

/* Reads until there are that many bytes, or no more come. */
static void fill(struct upload *u, size_t wanted)
{
    if (wanted > BUFFER_BYTES)
        wanted = BUFFER_BYTES;
    if (u->end - u->at >= wanted || u->is_over)
        return;
    memmove(u->bytes, u->bytes + u->at, u->end - u->at);
    u->end -= u->at;
    u->at = 0;
    while (u->end < wanted && !u->is_over) {
        const ssize_t got =
            patience_read(papplClientGetHTTP(u->client), u->bytes + u->end,
                          BUFFER_BYTES - u->end);

        if (got > 0)
            u->end += (size_t)got;
        else
            u->is_over = true;
    }
}

/* Returns how many bytes are at hand of the part that is being read; 0 at its
 * end, which `*ends` tells from a form that was cut short. */
static size_t part_bytes(struct upload *u, bool *ends)
{
    const size_t size = strlen(u->delimiter);

    *ends = false;
    if (u->known > 0)
        return u->known;
    fill(u, size);

    const char *from = u->bytes + u->at,
               *found = memmem(from, u->end - u->at, u->delimiter, size);

    *ends = found == from;
    if (found != NULL)
        u->known = (size_t)(found - from);
    else if (u->end - u->at >= size)
        u->known = u->end - u->at - (size - 1);
    return u->known;
}

/* Takes bytes of a part. */
static void take(struct upload *u, void *to, size_t bytes)
{
    memcpy(to, u->bytes + u->at, bytes);
    u->at += bytes;
    u->known -= bytes;
}

/* Takes a part as text; false if it is too long or cut short. */
static bool take_text(struct upload *u, char text[MOST_LINE])
{
    size_t size = 0, more;
    bool ends;

    while ((more = part_bytes(u, &ends)) > 0 && size + more < MOST_LINE) {
        take(u, text + size, more);
        size += more;
    }
    text[size] = '\0';
    if (more == 0 && !ends)
        u->why = cut_short;
    return ends;
}

/* Takes a line; false if it is too long or cut short. */
static bool take_line(struct upload *u, char line[MOST_LINE])
{
    const char *from, *end;

    fill(u, MOST_LINE);
    from = u->bytes + u->at;
    end = memmem(from, u->end - u->at, "\r\n", 2);
    if (end == NULL || end - from >= MOST_LINE) {
        u->why = end == NULL && u->is_over ? cut_short : unreadable;
        return false;
    }
    memcpy(line, from, (size_t)(end - from));
    line[end - from] = '\0';
    u->at += (size_t)(end - from) + 2;
    return true;
}

/* Takes a parameter of a line, as name="value"; false if there is none. */
static bool parameter(const char *line, const char *name, char value[MOST_LINE])
{
    char start[16];

    snprintf(start, sizeof start, "; %s=\"", name);

    const char *at = strstr(line, start),
               *from = at != NULL ? at + strlen(start) : NULL,
               *end = from != NULL ? strchr(from, '"') : NULL;

    if (end == NULL)
        return false;
    snprintf(value, MOST_LINE, "%.*s", (int)(end - from), from);
    return true;
}

/* ---- The request ----------------------------------------------------------
 */

/* Takes a field, or finds the file; false at the file, or if the form cannot be
 * read. */
static bool take_field(struct upload *u)
{
    char line[MOST_LINE], name[MOST_LINE] = "", value[MOST_LINE];

    u->at += strlen(u->delimiter);
    if (!take_line(u, line) || line[0] != '\0') {
        if (u->why == NULL)
            u->why = strcmp(line, "--") == 0 ? no_file : unreadable;
        return false;
    }
    for (int lines = 0; u->why == NULL && take_line(u, line) && line[0] != '\0';
         lines++) {
        if (lines == MOST_LINES)
            u->why = unreadable;
        if (strncasecmp(line, "Content-Disposition:", 20) == 0 &&
            parameter(line, "name", name))
            u->in_file = parameter(line, "filename", u->file);
    }
    if (u->why != NULL || u->in_file)
        return false;
    if (name[0] == '\0' || u->count == MOST_FIELDS || !take_text(u, value)) {
        u->why = u->why != NULL ? u->why : unreadable;
        return false;
    }
    u->count = cupsAddOption(name, value, u->count, &u->fields);
    return true;
}

/* Returns the file's name without its folder. */
static const char *name_of_file(const struct upload *u)
{
    const char *name = u->file + strlen(u->file);

    while (name > u->file && name[-1] != '/' && name[-1] != '\\')
        name--;
    return name;
}

static void make_request(struct upload *u, ipp_t *request)
{
    const char *job = cupsGetOption(of_job, u->count, u->fields);
    char uri[2048];

    httpAssembleURI(HTTP_URI_CODING_ALL, uri, sizeof uri, "ipp", NULL,
                    "localhost", 0, u->path);
    ippSetOperation(request,
                    job != NULL ? IPP_OP_RESUBMIT_JOB : IPP_OP_PRINT_JOB);
    ippSetRequestId(request, 1);
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_CHARSET,
                 "attributes-charset", NULL, "utf-8");
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_LANGUAGE,
                 "attributes-natural-language", NULL, "en");
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
                 uri);
    if (job != NULL) {
        ippAddInteger(request, IPP_TAG_OPERATION, IPP_TAG_INTEGER, of_job,
                      atoi(job));
        return;
    }
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "job-name", NULL,
                 name_of_file(u));
    ippAddBoolean(request, IPP_TAG_OPERATION, "ipp-attribute-fidelity", true);
    u->why =
        application()->upload_options(u->printer, u->count, u->fields, request);
}

/* Reads the fields, and what is before the file. */
static void read_fields(struct upload *u)
{
    bool ends;

    /* The first delimiter may be at the beginning, without its line feed. */
    memcpy(u->bytes, "\r\n", 2);
    u->end = 2;
    (void)part_bytes(u, &ends);
    if (!ends)
        u->why = u->end == 2 ? cut_short : unreadable;
    while (u->why == NULL && take_field(u))
        ;
    const bool is_of_job = cupsGetOption(of_job, u->count, u->fields) != NULL;

    if (is_of_job)
        u->why = u->why == no_file ? NULL : unreadable;
    if (u->why == NULL &&
        !papplClientIsValidForm(u->client, u->count, u->fields))
        u->why = "Invalid form submission.";
    if (u->why == NULL && !is_of_job && part_bytes(u, &ends) == 0)
        u->why = !ends                ? cut_short
                 : u->file[0] == '\0' ? no_file
                                      : "The file is empty.";
}

void upload_request(ipp_t *request)
{
    struct upload *u = upload;

    if (u->why == NULL)
        read_fields(u);
    if (u->why == NULL)
        make_request(u, request);
    if (u->why == NULL)
        return;
    /* PAPPL refuses a request without attributes. */
    papplLogClient(u->client, PAPPL_LOGLEVEL_INFO, "A form is refused: %s",
                   u->why);
    while (ippFirstAttribute(request) != NULL)
        ippDeleteAttribute(request, ippFirstAttribute(request));
    u->in_file = false;
}

/* ---- The document ---------------------------------------------------------
 */

bool upload_has_file(const http_t *http)
{
    return upload != NULL && upload->in_file && !upload->answers &&
           papplClientGetHTTP(upload->client) == http;
}

/* Reads what is left of the form: a browser shows no answer before it has sent
 * all. That of a client to blame is heard out by clients.c. */
static void drain(struct upload *u)
{
    while (!u->is_over) {
        u->at = u->end;
        fill(u, 1);
    }
    u->at = u->end = u->known = 0;
}

/* Looks whether nothing follows the file, which has been read. */
static void end_file(struct upload *u, bool ends)
{
    if (ends) {
        u->at += strlen(u->delimiter);
        fill(u, 2);
        if (u->end - u->at < 2 || memcmp(u->bytes + u->at, "--", 2) != 0)
            client_blame("The form goes on behind its file");
    } else {
        client_blame("The client did not send the whole document");
    }
    drain(u);
}

ssize_t upload_read(char *buffer, size_t length, bool takes)
{
    struct upload *u = upload;
    bool ends;

    if (!takes) {
        fill(u, strlen(u->delimiter) + length);
        u->known = 0;
    }

    const size_t at_hand = part_bytes(u, &ends),
                 bytes = at_hand < length ? at_hand : length;

    if (takes && at_hand == 0 && u->end > 0)
        end_file(u, ends);
    else if (takes)
        take(u, buffer, bytes);
    else
        memcpy(buffer, u->bytes + u->at, bytes);
    return (ssize_t)bytes;
}

/* ---- The client -----------------------------------------------------------
 */

/* Reads what is between the parts of the form; "" if nothing is. */
static void read_boundary(struct upload *u, const char *type)
{
    const char *at = strstr(type, "boundary=");
    const char *from = at != NULL ? at + strlen("boundary=") : "";
    const bool quoted = *from == '"';
    const size_t size = strcspn(from + quoted, quoted ? "\"" : "; \t");

    if (size == 0 || size > MOST_BOUNDARY)
        u->why = unreadable;
    snprintf(u->delimiter, sizeof u->delimiter, "\r\n--%.*s",
             (int)(size <= MOST_BOUNDARY ? size : 0), from + quoted);
}

void upload_look_at(pappl_client_t *client)
{
    http_t *http = papplClientGetHTTP(client);
    const char *type = httpGetField(http, HTTP_FIELD_CONTENT_TYPE);

    const char *page = application()->upload_page,
               *uri = papplClientGetURI(client);

    if (page == NULL || papplClientGetMethod(client) != HTTP_STATE_POST ||
        strncasecmp(type, "multipart/form-data", 19) != 0 ||
        strlen(uri) <= strlen(page) ||
        strcmp(uri + strlen(uri) - strlen(page), page) != 0)
        return;
    upload = calloc(1, sizeof *upload);
    if (upload == NULL)
        return;
    snprintf(upload->path, sizeof upload->path, "/ipp/print%.*s",
             (int)(strlen(uri) - strlen(page)), uri);
    upload->client = client;
    upload->printer = papplSystemFindPrinter(papplClientGetSystem(client),
                                             upload->path, 0, NULL);
    if (upload->printer == NULL) {
        upload_end();
        return;
    }
    read_boundary(upload, type);
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "application/ipp");
}

bool upload_is_form(const http_t *http)
{
    return upload != NULL && papplClientGetHTTP(upload->client) == http;
}

void upload_end(void)
{
    if (upload != NULL)
        cupsFreeOptions(upload->count, upload->fields);
    free(upload);
    upload = NULL;
}

bool _papplClientHaveDocumentData(pappl_client_t *client)
{
    return resubmit_document() >= 0 ||
           upload_has_file(papplClientGetHTTP(client)) ||
           REAL(_papplClientHaveDocumentData)(client);
}

/* ---- The answer -----------------------------------------------------------
 */

/* Begins a page: PAPPL would have the response of IPP follow the head. */
static bool send_head(pappl_client_t *client)
{
    http_t *http = papplClientGetHTTP(client);

    httpClearFields(http);
    httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "text/html; charset=utf-8");
    /* libcups writes chunks only if it has read all. */
    if (httpGetState(http) == HTTP_STATE_POST_RECV)
        httpSetField(http, HTTP_FIELD_CONNECTION, "close");
    else
        httpSetLength(http, 0);
    return httpWriteResponse(http, HTTP_STATUS_OK) == 0;
}

/* Writes the page, by the response of IPP. */
static void answer(pappl_client_t *client, ipp_t *response)
{
    const ipp_status_t status = ippGetStatusCode(response);
    const bool is_job = status < IPP_STATUS_ERROR_BAD_REQUEST;
    const char *why = upload->why;

    if (why == NULL)
        why = ippGetString(
            ippFindAttribute(response, "status-message", IPP_TAG_TEXT), 0,
            NULL);
    if (why == NULL && !is_job)
        why = ippErrorString(status);
    application()->upload_done(
        client, upload->printer,
        is_job ? ippGetInteger(
                     ippFindAttribute(response, "job-id", IPP_TAG_INTEGER), 0)
               : 0,
        why);
}

bool upload_answers(pappl_client_t *client, http_status_t status, bool *well)
{
    struct upload *u = upload;

    if (u == NULL || u->client != client ||
        (status != HTTP_STATUS_OK && status != HTTP_STATUS_BAD_REQUEST))
        return false;
    if (u->answers) {
        *well = send_head(client);
        return true;
    }
    u->answers = true;
    drain(u);
    answer(client, papplClientGetResponse(client));
    *well = true;
    return true;
}
