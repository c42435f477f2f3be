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
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/cancel_jobs.h"
#include "pappl-fixes/shares.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/state.h"
#include "pappl-fixes/utf8.h"

#define MOST_WORD 1023 /* bytes, of IPP's texts and addresses */
#define MOST_NAME 255

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
    const size_t used = utf8_copy_line(word, most + 1, value, '?');

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

bool _papplClientProcessIPP(pappl_client_t *client)
{
    correct_all(client);
    return REAL(_papplClientProcessIPP)(client);
}

/* A printer's identification, which is a stranger's, too. */
char *papplDeviceGetID(pappl_device_t *device, char *id, size_t size)
{
    if (size == 0 || REAL(papplDeviceGetID)(device, id, size) == NULL)
        return NULL;
    utf8_copy_line(id, size, id, '?');
    for (char *c = id; *c != '\0'; c++)
        if (*c == '"' || *c == '\\') /* two bytes of a line each */
            *c = '?';
    return id;
}

static bool may_take(pappl_client_t *client)
{
    return application()->take_request == NULL ||
           application()->take_request(client);
}

void _papplPrinterProcessIPP(pappl_client_t *client)
{
    if (papplClientGetPrinter(client) != NULL &&
        (cancel_jobs(client) || !shares_have_room(client) || !may_take(client)))
        return;
    REAL(_papplPrinterProcessIPP)(client);
    state_save_change(client);
}
