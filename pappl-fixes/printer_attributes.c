/*
 * printer_attributes.c - what is said of a printer's attributes that are not
 * taken.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "pappl-fixes/pappl.h"

typedef void refuse(pappl_client_t *client, ipp_attribute_t *attribute);

/* Says what is wrong with a printer's address in the answer to the client, in
 * place of "Unsupported smi55357-device-uri uri value", if it is known: PAPPL
 * refuses files that are not there and kinds of devices that nobody has added.
 */
static void say_wrong_address(pappl_client_t *client, const char *uri)
{
    const ipp_status_t status = IPP_STATUS_ERROR_ATTRIBUTES_OR_VALUES;
    char scheme[32], user[256], host[256], path[1024];
    struct stat info;
    int port;

    if (httpSeparateURI(HTTP_URI_CODING_ALL, uri, scheme, sizeof scheme, user,
                        sizeof user, host, sizeof host, &port, path,
                        sizeof path) < HTTP_URI_STATUS_OK)
        papplClientRespondIPP(client, status, "'%s' is no address.", uri);
    else if (strcmp(scheme, "file") != 0)
        papplClientRespondIPP(client, status, "There are no devices '%s:'.",
                              scheme);
    else {
        path[strcspn(path, "?")] = '\0';
        if (stat(path, &info) != 0)
            papplClientRespondIPP(client, status, "%s: %s.", path,
                                  strerror(errno));
    }
}

/* PAPPL takes this attribute, but looks for it by another name before, and
 * answers that there is none. */
static bool is_taken(ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);

    return ippGetGroupTag(attribute) == IPP_TAG_PRINTER && name != NULL &&
           strcmp(name, "label-tear-offset-configured") == 0 &&
           ippGetValueTag(attribute) == IPP_TAG_INTEGER &&
           ippGetCount(attribute) == 1;
}

void papplClientRespondIPPUnsupported(pappl_client_t *client,
                                      ipp_attribute_t *attribute)
{
    const char *name = ippGetName(attribute);
    refuse *pappl;

    if (is_taken(attribute))
        return;
    override_find(&pappl, "papplClientRespondIPPUnsupported");
    if (pappl != NULL)
        pappl(client, attribute);
    if (name != NULL && strcmp(name, "smi55357-device-uri") == 0 &&
        ippGetValueTag(attribute) == IPP_TAG_URI)
        say_wrong_address(client, ippGetString(attribute, 0, NULL));
}
