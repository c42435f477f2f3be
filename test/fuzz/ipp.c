/*
 * ipp.c - what an IPP printer says of itself, and where it is.
 *
 *   input   a byte, then
 *           0   the bytes of an answer
 *           1   an answer: a byte for an attribute, one for the tag of its
 *               values and how many they are, then a byte each with so many of
 *               a text, or the byte as a number
 *           2   an address
 *   holds   what is refused has a line without control characters, and so has
 *           the id; supplies are as many as there is room for, at 0..100 %; a
 *           job asks for nothing that the printer does not say it takes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "test/fuzz/run.h"
#include "printer-app/families/family_id.h"
#include "printer-app/ipp/ipp_about.h"
#include "printer-app/ipp/ipp_state.h"
#include "printer-app/ipp/ipp_ticket.h"

#define SUPPLIES 4
#define MOST_TEXT 255

static const char *const names[] = {"document-format-supported",
                                    "pwg-raster-document-type-supported",
                                    "operations-supported",
                                    "marker-colors",
                                    "marker-levels",
                                    "marker-names",
                                    "marker-types",
                                    "printer-device-id",
                                    "printer-make-and-model",
                                    "printer-state-reasons",
                                    "media-col-supported",
                                    "media-size-supported",
                                    "media-type-supported",
                                    "print-quality-supported",
                                    "printer-resolution-supported",
                                    "sides-supported",
                                    "status-message",
                                    "x-dimension",
                                    "y-dimension"};

/* ---- The answer ---------------------------------------------------------- */

/* Bytes that are still to be read. */
struct unread {
    const uint8_t *bytes;
    size_t size;
};

static ssize_t read_some(void *context, ipp_uchar_t *bytes, size_t size)
{
    struct unread *rest = context;
    size_t count = size < rest->size ? size : rest->size;

    memcpy(bytes, rest->bytes, count);
    rest->bytes += count;
    rest->size -= count;
    return (ssize_t)count;
}

/* Takes a byte; 0 behind the end. */
static uint8_t take(struct unread *rest)
{
    if (rest->size == 0)
        return 0;
    rest->size--;
    return *rest->bytes++;
}

static void add_text(ipp_t *about, const char *name, ipp_tag_t tag,
                     unsigned count, struct unread *rest)
{
    char texts[4][MOST_TEXT + 1];
    const char *values[4];

    for (unsigned i = 0; i < count; i++) {
        size_t length = take(rest);

        length = length < rest->size ? length : rest->size;
        memcpy(texts[i], rest->bytes, length);
        texts[i][length] = '\0';
        rest->bytes += length;
        rest->size -= length;
        values[i] = texts[i];
    }
    ippAddStrings(about, IPP_TAG_PRINTER, tag, name, (int)count, NULL, values);
}

static void add_numbers(ipp_t *about, const char *name, ipp_tag_t tag,
                        unsigned count, struct unread *rest)
{
    int numbers[4];

    for (unsigned i = 0; i < count; i++)
        numbers[i] = (int)(int8_t)take(rest) * 100;
    ippAddIntegers(about, IPP_TAG_PRINTER, tag, name, (int)count, numbers);
}

/* A size, whose lengths are numbers or ranges. */
static void add_size(ipp_t *about, const char *name, struct unread *rest)
{
    ipp_t *size = ippNew();

    for (size_t i = 0; i < 2; i++) {
        const char *side = i == 0 ? "x-dimension" : "y-dimension";
        const uint8_t kind = take(rest);
        const int length = take(rest) * 100;

        if (kind % 3 == 0)
            ippAddInteger(size, IPP_TAG_ZERO, IPP_TAG_INTEGER, side, length);
        else if (kind % 3 == 1)
            ippAddRange(size, IPP_TAG_ZERO, side, length, length + kind * 100);
    }
    ippAddCollection(about, IPP_TAG_PRINTER, name, size);
    ippDelete(size);
}

static void add_attribute(ipp_t *about, struct unread *rest)
{
    const char *name = names[take(rest) % (sizeof names / sizeof names[0])];
    const uint8_t kind = take(rest);
    const unsigned count = 1 + (kind >> 3 & 3);

    switch (kind & 7) {
    case 0:
        add_text(about, name, IPP_TAG_KEYWORD, count, rest);
        break;
    case 1:
        add_text(about, name, IPP_TAG_TEXT, count, rest);
        break;
    case 2:
        add_text(about, name, IPP_TAG_MIMETYPE, count, rest);
        break;
    case 3:
        add_numbers(about, name, IPP_TAG_INTEGER, count, rest);
        break;
    case 4:
        add_numbers(about, name, IPP_TAG_ENUM, count, rest);
        break;
    case 5:
        add_size(about, name, rest);
        break;
    case 6:
        ippAddResolution(about, IPP_TAG_PRINTER, name, IPP_RES_PER_INCH,
                         take(rest) * 100, take(rest) * 100);
        break;
    default:
        ippAddOutOfBand(about, IPP_TAG_PRINTER, IPP_TAG_NOVALUE, name);
    }
}

/* ---- What is made of it -------------------------------------------------- */

static void check_text(const char *text)
{
    if (text[0] == '\0')
        run_fail("a line without text");
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            run_fail("a control character: %s", text);
}

static void check_state(ipp_t *about)
{
    pappl_supply_t supplies[SUPPLIES];
    char id[300], why[FAMILY_REFUSAL];
    const int count = ipp_state_supplies(about, SUPPLIES, supplies);

    if (count < 0 || count > SUPPLIES)
        run_fail("%d supplies", count);
    for (int i = 0; i < count; i++)
        if (supplies[i].level < -1 || supplies[i].level > 100)
            run_fail("a supply of %d %%", supplies[i].level);
    ipp_state_reasons(about);
    if (ipp_state_id(about, id, sizeof id) != NULL) {
        check_text(id);
        family_of_id(id, "ipp://host/ipp/print", why);
    }
}

/* Makes the header of a page of that size, on a sheet that has a name or not.
 */
static cups_page_header2_t page_of(uint8_t byte)
{
    static const char *const sheets[] = {"", "iso_a4_210x297mm", "none"};
    cups_page_header2_t page = {.MediaType = "stationery"};

    snprintf(page.cupsPageSizeName, sizeof page.cupsPageSizeName, "%s",
             sheets[byte % 3]);
    page.HWResolution[0] = 100;
    page.HWResolution[1] = byte >> 6 ? 100 : 200;
    page.cupsWidth = byte;
    page.cupsHeight = (unsigned)(byte >> 7) << 8;
    page.Duplex = byte >> 2 & 1;
    page.Tumble = byte >> 3 & 1;
    return page;
}

static void check_ticket(ipp_t *about, uint8_t byte)
{
    static const char *const asked[] = {"sides", "print-quality",
                                        "printer-resolution", "media-col"};
    const cups_page_header2_t page = page_of(byte);
    char ticket[IPP_TICKET], known[64];
    cups_option_t *options = NULL;

    ipp_ticket(ticket, about, &page);
    const int count = cupsParseOptions(ticket, 0, &options);

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        snprintf(known, sizeof known, "%s-supported", asked[i]);
        if (cupsGetOption(asked[i], count, options) != NULL &&
            ippFindAttribute(about, known, IPP_TAG_ZERO) == NULL)
            run_fail("asks for %s", asked[i]);
    }
    cupsFreeOptions(count, options);
}

static void check_answer(ipp_t *about, uint8_t byte)
{
    char why[IPP_WHY];

    if (!ipp_takes_dots(about, why))
        check_text(why);
    check_state(about);
    check_ticket(about, byte);
}

static void check_address(const uint8_t *data, size_t size)
{
    struct ipp_address address;
    char *uri = strndup((const char *)data, size), why[IPP_WHY];

    if (uri == NULL)
        return;
    if (!ipp_address_read(&address, uri, why))
        check_text(why);
    else if (address.port < 1 || address.port > 65535)
        run_fail("port %d: %s", address.port, uri);
    free(uri);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct unread rest = {data, size};
    const uint8_t way = take(&rest) % 3;

    if (way == 2) {
        check_address(rest.bytes, rest.size);
        return 0;
    }
    const uint8_t page = take(&rest);
    ipp_t *about = ippNew();
    bool ok = about != NULL;
    if (way == 0)
        ok =
            ok && ippReadIO(&rest, read_some, 1, NULL, about) == IPP_STATE_DATA;
    while (ok && way == 1 && rest.size > 0)
        add_attribute(about, &rest);
    if (ok)
        check_answer(about, page);
    ippDelete(about);
    return 0;
}
