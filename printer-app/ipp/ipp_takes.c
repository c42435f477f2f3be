/*
 * ipp_takes.c - whether an IPP printer takes our dots: image/pwg-raster, and of
 * its types, PWG 5102.4, black_1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "printer-app/ipp/ipp_job.h"
#include "printer-app/ipp/ipp_state.h"
#include "printer-app/ipp/ipp_takes.h"
#include "printer-app/ipp/ipp_ticket.h"

#define FORMAT "image/pwg-raster"
#define TYPE "black_1"

/* Asks once. */
static ipp_t *ask(const struct ipp_printer *printer,
                  struct ipp_trouble *trouble)
{
    static const char *const names[] = {
        "document-format-supported", "pwg-raster-document-type-supported",
        IPP_JOB_ATTRIBUTES, IPP_STATE_ATTRIBUTES, IPP_TICKET_ATTRIBUTES};
    ipp_t *request = ipp_request(printer, IPP_OP_GET_PRINTER_ATTRIBUTES);

    if (request != NULL)
        ippAddStrings(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                      "requested-attributes",
                      (int)(sizeof names / sizeof names[0]), NULL, names);
    return ipp_ask(printer, request, true, trouble);
}

ipp_t *ipp_about(struct ipp_printer *printer, struct ipp_trouble *trouble)
{
    ipp_t *about = ask(printer, trouble);

    if (about != NULL && printer->version == 20 &&
        ippGetStatusCode(about) == IPP_STATUS_ERROR_VERSION_NOT_SUPPORTED) {
        printer->version = 11;
        ippDelete(about);
        about = ask(printer, trouble);
    }
    if (about == NULL || ipp_agrees(about, "to tell what it takes", trouble))
        return about;
    ippDelete(about);
    return NULL;
}

/* Whether the attribute has the value; if not, says which ones it has. */
static bool takes(ipp_t *about, const char *name, const char *wanted,
                  struct ipp_trouble *trouble)
{
    ipp_attribute_t *known = ippFindAttribute(about, name, IPP_TAG_ZERO);
    char values[512] = "none";
    size_t used = 0;

    for (int i = 0; i < ippGetCount(known) && used < sizeof values; i++) {
        const char *value = ippGetString(known, i, NULL);
        if (value != NULL && strcmp(value, wanted) == 0)
            return true;
        used +=
            (size_t)snprintf(values + used, sizeof values - used, "%s%s",
                             i > 0 ? ", " : "", value != NULL ? value : "?");
    }
    ipp_say(trouble, "The printer does not take %s, only: %s.", wanted, values);
    return false;
}

bool ipp_takes_dots(ipp_t *about, struct ipp_trouble *trouble)
{
    return takes(about, "document-format-supported", FORMAT, trouble) &&
           takes(about, "pwg-raster-document-type-supported", TYPE, trouble);
}

bool ipp_takes_page(const struct pwg_pages *pages, struct ipp_trouble *trouble)
{
    const uint32_t bits =
        pwg_number(pages, offsetof(cups_page_header2_t, cupsBitsPerPixel));
    const uint32_t space =
        pwg_number(pages, offsetof(cups_page_header2_t, cupsColorSpace));

    if (bits == 1 && space == CUPS_CSPACE_K)
        return true;
    ipp_say(trouble,
            "A page has %u bits a pixel of color space %u, and the printer "
            "takes " TYPE " only.",
            bits, space);
    return false;
}
