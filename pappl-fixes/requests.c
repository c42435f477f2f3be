/*
 * requests.c - requests of IPP, before PAPPL has them.
 *
 * PAPPL 1.3 writes a job's name, as it came, into a line of its state
 * (write_options, system-loadsave.c:783-821, and 2,048 bytes of a line when it
 * reads, :55): what follows a line feed in a name is a line of its own when the
 * server starts again, as one that adds a printer. It makes a file's name of
 * it, and a line of the log. So these words lose control characters and what is
 * no UTF-8, and names are no longer than IPP has them (RFC 8011, 5.1.3). So do
 * the identifications of printers, which are in the state, too.
 *
 * It takes documents of any format (job-ipp.c:543), and aborts their jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/cancel_jobs.h"
#include "pappl-fixes/lists.h"
#include "pappl-fixes/marks.h"
#include "pappl-fixes/receive.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/state.h"
#include "halftone/base/utf8.h"

#define MOST_WORD 1023 /* bytes, of IPP's texts and addresses */
#define MOST_NAME 255
#define OCTETS "application/octet-stream" /* of any format */

static size_t most_of(ipp_tag_t tag)
{
    switch (tag) {
    case IPP_TAG_NAME:
    case IPP_TAG_NAMELANG:
    case IPP_TAG_KEYWORD:
    case IPP_TAG_MIMETYPE:
        return MOST_NAME;
    case IPP_TAG_TEXT:
    case IPP_TAG_TEXTLANG:
    case IPP_TAG_URI:
    case IPP_TAG_URISCHEME:
        return MOST_WORD;
    default:
        return 0;
    }
}

/* Corrects a value; false if it was right. */
static bool correct(ipp_t *request, ipp_attribute_t *attribute, int i,
                    size_t most)
{
    const char *value = ippGetString(attribute, i, NULL),
               *name = ippGetName(attribute);
    char word[MOST_WORD + 1];

    if (value == NULL)
        return false;
    const size_t used = utf8_copy(word, most + 1, value, '?');

    if (used == 0 && name != NULL && strcmp(name, "job-name") == 0)
        strcpy(word, "Untitled");
    return strcmp(word, value) != 0 &&
           ippSetString(request, &attribute, i, word) != 0;
}

static void correct_all(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client);

    for (ipp_attribute_t *at = ippFirstAttribute(request); at != NULL;
         at = ippNextAttribute(request)) {
        const size_t most = most_of(ippGetValueTag(at));

        for (int i = 0; most > 0 && i < ippGetCount(at); i++)
            if (correct(request, at, i, most))
                papplLogClient(client, PAPPL_LOGLEVEL_INFO,
                               "%s is now \"%s\": it was too long, empty, or "
                               "no line of UTF-8.",
                               ippGetName(at), ippGetString(at, i, NULL));
    }
}

/* Makes English the language of the request, and so of the answer, whose words
 * are English: PAPPL names the one that was asked for. */
static void set_language(ipp_t *request)
{
    ipp_attribute_t *language = ippFindAttribute(
        request, "attributes-natural-language", IPP_TAG_LANGUAGE);

    if (language != NULL)
        (void)ippSetString(request, &language, 0, "en");
}

static int compare(void *a, void *b, void *context)
{
    (void)context;
    return strcmp(a, b);
}

/* Takes out attributes that a group has twice: PAPPL looks at the first, drops
 * it if it is wrong, and uses the other, an orientation as an index; and those
 * of a job that come with its document, at which it does not look. */
static void drop_unchecked(ipp_t *request)
{
    const bool sends = ippGetOperation(request) == IPP_OP_SEND_DOCUMENT;
    cups_array_t *names = cupsArrayNew(compare, NULL),
                 *gone = cupsArrayNew(NULL, NULL);
    ipp_tag_t group = IPP_TAG_ZERO;

    for (ipp_attribute_t *at = ippFirstAttribute(request); at != NULL;
         at = ippNextAttribute(request)) {
        char *name = (char *)ippGetName(at);

        if (name == NULL || ippGetGroupTag(at) != group)
            cupsArrayClear(names);
        group = ippGetGroupTag(at);
        if (name == NULL)
            continue;
        if ((sends && group == IPP_TAG_JOB) || cupsArrayFind(names, name))
            cupsArrayAdd(gone, at);
        else
            cupsArrayAdd(names, name);
    }
    for (int i = 0; i < cupsArrayCount(gone); i++)
        ippDeleteAttribute(request, cupsArrayIndex(gone, i));
    cupsArrayDelete(gone);
    cupsArrayDelete(names);
}

/* Tells whether all attributes have values, those in collections, too: libcups
 * reads the name of a member alone, and crashes where an answer has it
 * (ippWriteIO, ipp.c). */
static bool has_values(ipp_t *of)
{
    for (ipp_attribute_t *at = ippFirstAttribute(of); at != NULL;
         at = ippNextAttribute(of)) {
        const bool nests = ippGetValueTag(at) == IPP_TAG_BEGIN_COLLECTION;

        if (ippGetName(at) != NULL && ippGetCount(at) == 0)
            return false;
        for (int i = 0; nests && i < ippGetCount(at); i++)
            if (!has_values(ippGetCollection(at, i)))
                return false;
    }
    return true;
}

bool _papplClientProcessIPP(pappl_client_t *client)
{
    if (!has_values(papplClientGetRequest(client))) {
        papplLogClient(client, PAPPL_LOGLEVEL_ERROR,
                       "IPP read error (a member without a value).");
        (void)papplClientRespond(client, HTTP_STATUS_BAD_REQUEST, NULL, NULL, 0,
                                 0);
        return false;
    }
    drop_unchecked(papplClientGetRequest(client));
    correct_all(client);
    (void)marks_lost(); /* of requests before */
    set_language(papplClientGetRequest(client));
    return REAL(_papplClientProcessIPP)(client);
}

/* A printer's identification, which is a stranger's, too. */
char *papplDeviceGetID(pappl_device_t *device, char *id, size_t size)
{
    if (size == 0 || REAL(papplDeviceGetID)(device, id, size) == NULL)
        return NULL;
    utf8_copy(id, size, id, '?');
    for (char *c = id; *c != '\0'; c++)
        if (*c == '"' || *c == '\\') /* two bytes of a line each */
            *c = '?';
    return id;
}

/* ---- Formats of documents ------------------------------------------------ */

static bool is_format(ipp_t *supported, const char *format)
{
    return ippContainsString(ippFindAttribute(supported,
                                              "document-format-supported",
                                              IPP_TAG_MIMETYPE),
                             format);
}

/* Whether the printer prints a document of that format, whose first bytes are
 * of the format `found`; NULL: of none that is known. */
static bool prints(pappl_client_t *client, const char *format,
                   const char *found)
{
    const ipp_op_t operation = ippGetOperation(papplClientGetRequest(client));
    pappl_printer_t *printer = papplClientGetPrinter(client);
    ipp_t *supported = papplPrinterGetDriverAttributes(printer);
    bool well = is_format(supported, format);

    if (well && strcmp(format, OCTETS) == 0 && operation != IPP_OP_VALIDATE_JOB)
        well = found != NULL && is_format(supported, found);
    ippDelete(supported);
    return well || operation == IPP_OP_CREATE_JOB;
}

/* PAPPL looks for the formats where the printer does not have them, and takes
 * any. */
bool _papplJobValidateDocumentAttributes(pappl_client_t *client)
{
    ipp_t *request = papplClientGetRequest(client),
          *response = papplClientGetResponse(client);

    if (!REAL(_papplJobValidateDocumentAttributes)(client))
        return false;
    ipp_attribute_t *format =
        ippFindAttribute(request, "document-format", IPP_TAG_MIMETYPE);
    const char *name = ippGetString(format, 0, NULL),
               *found = ippGetString(
                   ippFindAttribute(request, "document-format-detected",
                                    IPP_TAG_MIMETYPE),
                   0, NULL);

    if (name == NULL || prints(client, name, found))
        return true;
    if (strcmp(name, OCTETS) != 0)
        found = name;
    papplClientRespondIPP(
        client, IPP_STATUS_ERROR_DOCUMENT_FORMAT_NOT_SUPPORTED,
        found != NULL ? "The printer does not print %s."
                      : "The printer does not print documents of this format.",
        found);
    format = ippCopyAttribute(response, format, 0);
    (void)ippSetGroupTag(response, &format, IPP_TAG_UNSUPPORTED_GROUP);
    return false;
}

static bool may_take(pappl_client_t *client)
{
    return application()->take_request == NULL ||
           application()->take_request(client);
}

/* Refuses a new job that is not marked: its number could be given to another
 * one. */
static void keep_job(pappl_client_t *client)
{
    static const char why[] = "The job cannot be kept on the disk";
    ipp_t *answer = papplClientGetResponse(client);
    const int id =
        ippGetInteger(ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER), 0);

    if (ippGetOperation(papplClientGetRequest(client)) != IPP_OP_CREATE_JOB ||
        ippGetStatusCode(answer) != IPP_STATUS_OK || !marks_lost())
        return;
    pappl_job_t *job = papplPrinterFindJob(papplClientGetPrinter(client), id);

    if (job != NULL)
        receive_abandon(job, why);
    lists_clear(answer);
    papplClientRespondIPP(client, IPP_STATUS_ERROR_BUSY, "%s.", why);
}

void _papplPrinterProcessIPP(pappl_client_t *client)
{
    if (papplClientGetPrinter(client) == NULL ||
        (state_has_room(client) && !cancel_jobs(client) &&
         shares_have_room(client) && may_take(client)))
        REAL(_papplPrinterProcessIPP)(client);
    keep_job(client);
    state_save_change(client);
}
