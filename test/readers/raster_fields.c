/*
 * raster_fields.c - the tables of color spaces and of header fields, and what
 * looks them up, sets, prints and swaps them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/raster_fields.h"

#define COUNT(list) (sizeof list / sizeof list[0])

/* ---- Color spaces and orders ----------------------------------------- */

static const struct space spaces[] = {
    {"K", CUPS_CSPACE_K, "K", false},
    {"W", CUPS_CSPACE_W, "K", true},
    {"SW", CUPS_CSPACE_SW, "K", true},
    {"RGB", CUPS_CSPACE_RGB, "CMY", true},
    {"sRGB", CUPS_CSPACE_SRGB, "CMY", true},
    {"AdobeRGB", CUPS_CSPACE_ADOBERGB, "CMY", true},
    {"CMYK", CUPS_CSPACE_CMYK, "CMYK", false},
    {"KCMY", CUPS_CSPACE_KCMY, "KCMY", false},
    {"CMY", CUPS_CSPACE_CMY, "CMY", false},
};

const char *const orders[ORDERS] = {"chunked", "banded", "planar"};

const struct space *space_of(cups_cspace_t number)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (spaces[i].space == number)
            return &spaces[i];
    return NULL;
}

const struct space *space_named(const char *name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (strcmp(spaces[i].name, name) == 0)
            return &spaces[i];
    return NULL;
}

/* ---- Header fields by name -------------------------------------------- */

enum kind { NUMBER, REAL, TEXT };

#define TEXT_BYTES 64

#define AT(field)                                                              \
    offsetof(cups_page_header2_t, field),                                      \
        sizeof((cups_page_header2_t *)0)->field, #field

static const struct field {
    size_t offset, bytes;
    const char *name;
    enum kind kind;
} fields[] = {
    {AT(MediaClass), TEXT},
    {AT(MediaColor), TEXT},
    {AT(MediaType), TEXT},
    {AT(OutputType), TEXT},
    {AT(AdvanceDistance), NUMBER},
    {AT(AdvanceMedia), NUMBER},
    {AT(Collate), NUMBER},
    {AT(CutMedia), NUMBER},
    {AT(Duplex), NUMBER},
    {AT(HWResolution), NUMBER},
    {AT(ImagingBoundingBox), NUMBER},
    {AT(InsertSheet), NUMBER},
    {AT(Jog), NUMBER},
    {AT(LeadingEdge), NUMBER},
    {AT(Margins), NUMBER},
    {AT(ManualFeed), NUMBER},
    {AT(MediaPosition), NUMBER},
    {AT(MediaWeight), NUMBER},
    {AT(MirrorPrint), NUMBER},
    {AT(NegativePrint), NUMBER},
    {AT(NumCopies), NUMBER},
    {AT(Orientation), NUMBER},
    {AT(OutputFaceUp), NUMBER},
    {AT(PageSize), NUMBER},
    {AT(Separations), NUMBER},
    {AT(TraySwitch), NUMBER},
    {AT(Tumble), NUMBER},
    {AT(cupsWidth), NUMBER},
    {AT(cupsHeight), NUMBER},
    {AT(cupsMediaType), NUMBER},
    {AT(cupsBitsPerColor), NUMBER},
    {AT(cupsBitsPerPixel), NUMBER},
    {AT(cupsBytesPerLine), NUMBER},
    {AT(cupsColorOrder), NUMBER},
    {AT(cupsColorSpace), NUMBER},
    {AT(cupsCompression), NUMBER},
    {AT(cupsRowCount), NUMBER},
    {AT(cupsRowFeed), NUMBER},
    {AT(cupsRowStep), NUMBER},
    {AT(cupsNumColors), NUMBER},
    {AT(cupsBorderlessScalingFactor), REAL},
    {AT(cupsPageSize), REAL},
    {AT(cupsImagingBBox), REAL},
    {AT(cupsInteger), NUMBER},
    {AT(cupsReal), REAL},
    {AT(cupsString), TEXT},
    {AT(cupsMarkerType), TEXT},
    {AT(cupsRenderingIntent), TEXT},
    {AT(cupsPageSizeName), TEXT},
};

static size_t bytes_of(enum kind kind)
{
    return kind == TEXT ? TEXT_BYTES : 4;
}

static size_t count_of(const struct field *field)
{
    return field->bytes / bytes_of(field->kind);
}

/* Where element `index` of a field lies in the header. */
static unsigned char *element(const struct field *field,
                              cups_page_header2_t *header, size_t index)
{
    return (unsigned char *)header + field->offset +
           index * bytes_of(field->kind);
}

bool number_of(const char *text, unsigned long long *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 0);
    return *text != '\0' && *text != '-' && *end == '\0' && errno == 0;
}

bool set_field(cups_page_header2_t *header, const char *change)
{
    const char *equals = strchr(change, '=');
    size_t length = strcspn(change, "[="), index = 0;
    const struct field *field = NULL;
    unsigned long long number;
    unsigned char *to;

    for (size_t i = 0; i < COUNT(fields); i++)
        if (strlen(fields[i].name) == length &&
            strncmp(fields[i].name, change, length) == 0)
            field = &fields[i];
    if (field == NULL || equals == NULL)
        return false;
    if (change[length] == '[')
        index = strtoul(change + length + 1, NULL, 10);
    if (index >= count_of(field))
        return false;
    to = element(field, header, index);
    if (field->kind == TEXT) {
        memset(to, 0, TEXT_BYTES);
        memcpy(to, equals + 1, strnlen(equals + 1, TEXT_BYTES));
    } else if (field->kind == REAL) {
        float real = strtof(equals + 1, NULL);
        memcpy(to, &real, sizeof real);
    } else {
        uint32_t word;
        if (!number_of(equals + 1, &number) || number > UINT32_MAX)
            return false;
        word = (uint32_t)number;
        memcpy(to, &word, sizeof word);
    }
    return true;
}

void print_fields(cups_page_header2_t *header)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        for (size_t k = 0; k < count_of(&fields[i]); k++) {
            const unsigned char *from = element(&fields[i], header, k);
            uint32_t number;
            float real;

            memcpy(&number, from, sizeof number);
            memcpy(&real, from, sizeof real);
            printf("%s[%zu]=", fields[i].name, k);
            if (fields[i].kind == TEXT)
                printf("%.*s\n", TEXT_BYTES, (const char *)from);
            else if (fields[i].kind == REAL)
                printf("%g\n", (double)real);
            else
                printf("%u\n", number);
        }
}

static void swap_words(unsigned char *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++, bytes += 4) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        word = __builtin_bswap32(word);
        memcpy(bytes, &word, sizeof word);
    }
}

void swap_header(cups_page_header2_t *header)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if (fields[i].kind != TEXT)
            swap_words(element(&fields[i], header, 0), count_of(&fields[i]));
}
