/*
 * language.c - each page is in one language, which the application has wholly.
 *
 * PAPPL 1.3 has eight languages of its own (loc.c, _papplLocLoadAll()), none of
 * them with all words, and most translated by a machine; a string of the
 * application's does not replace one of these. A client of any other language
 * gets keywords for words (client-loc.c:18), and a connection keeps the
 * language of its first page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/language.h"
#include "pappl-fixes/replaced.h"

/* Language of the request that this thread works on; NULL = the first. */
static _Thread_local const char *wanted;

/* Returns which of the application's languages an entry of Accept-Language
 * names; NULL = none. */
static const char *named(const char *entry)
{
    const size_t size = strcspn(entry, "-,; \t");

    for (const char *const *at = application()->languages; *at != NULL; at++)
        if (strlen(*at) == size && strncasecmp(entry, *at, size) == 0)
            return *at;
    return NULL;
}

void language_take(http_t *http)
{
    const char *entry = httpGetField(http, HTTP_FIELD_ACCEPT_LANGUAGE);
    double most = 0;

    wanted = NULL;
    if (application()->languages == NULL)
        return;
    while (entry != NULL && *entry != '\0') {
        entry += strspn(entry, ", \t");
        const size_t size = strcspn(entry, ",");
        const char *weight = memchr(entry, '=', size);
        const double wish = weight != NULL ? strtod(weight + 1, NULL) : 1;
        const char *language = named(entry);

        if (language != NULL && wish > most) {
            wanted = language;
            most = wish;
        }
        entry += size;
    }
}

const char *papplfixes_language(void)
{
    return wanted != NULL ? wanted : application()->languages[0];
}

pappl_loc_t *papplClientGetLoc(pappl_client_t *client)
{
    if (client == NULL || application()->languages == NULL)
        return REAL(papplClientGetLoc)(client);
    return papplSystemFindLoc(papplClientGetSystem(client),
                              papplfixes_language());
}

void _papplLocLoadAll(pappl_system_t *system)
{
    if (application()->languages == NULL)
        REAL(_papplLocLoadAll)(system);
}
