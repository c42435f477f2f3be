/*
 * media.c - a sheet whose size is none crashes nothing, and labels are not
 * continuous.
 *
 * PAPPL 1.3 (printer-support.c:456-507) reads the size that libcups makes of a
 * name, or of numbers, and the text of a source, a type and a tracking, without
 * asking whether there is one. A job of such a sheet, which waits, ends each
 * server that starts anew. So these are left out, and what was there stays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>

#include <cups/cups.h>
#include <cups/pwg.h>

#include "pappl-fixes/pappl-fixes.h"
#include "pappl-fixes/replaced.h"

#define MAX_SIZE_NAME 128

/* Writes a name in lower case, as it is, in upper case, or as "Letter". */
static void spell(char word[MAX_SIZE_NAME], const char *name, int spelling)
{
    snprintf(word, MAX_SIZE_NAME, "%s", name);
    for (char *c = word; *c != '\0' && spelling != 1; c++)
        *c = (char)(spelling == 2 || (spelling == 3 && c == word)
                        ? toupper((unsigned char)*c)
                        : tolower((unsigned char)*c));
}

pwg_media_t papplfixes_media(const char *name)
{
    char word[MAX_SIZE_NAME];

    for (int spelling = 0; name != NULL && spelling < 4; spelling++) {
        spell(word, name, spelling);
        const pwg_media_t *media = pwgMediaForPWG(word);

        if (media == NULL && (media = pwgMediaForLegacy(word)) == NULL)
            media = pwgMediaForPPD(word);
        if (media != NULL && media->width > 0 && media->length > 0)
            return *media;
    }
    return (pwg_media_t){.width = 0};
}

static bool has_size(ipp_t *col)
{
    ipp_attribute_t *name =
                        ippFindAttribute(col, "media-size-name", IPP_TAG_ZERO),
                    *x = ippFindAttribute(col, "media-size/x-dimension",
                                          IPP_TAG_INTEGER),
                    *y = ippFindAttribute(col, "media-size/y-dimension",
                                          IPP_TAG_INTEGER);

    if (name != NULL) {
        const char *text = ippGetString(name, 0, NULL);

        return text != NULL && pwgMediaForPWG(text) != NULL;
    }
    return x == NULL || y == NULL ||
           pwgMediaForSize(ippGetInteger(x, 0), ippGetInteger(y, 0)) != NULL;
}

static void take_away(ipp_t *col, const char *name)
{
    ippDeleteAttribute(col, ippFindAttribute(col, name, IPP_TAG_ZERO));
}

void _papplMediaColImport(ipp_t *col, pappl_media_col_t *media)
{
    static const char *const texts[] = {"media-source", "media-type",
                                        "media-tracking"};
    ipp_t *copy = ippNew();

    if (copy == NULL || !ippCopyAttributes(copy, col, false, NULL, NULL)) {
        ippDelete(copy);
        return;
    }
    if (!has_size(copy)) {
        take_away(copy, "media-size-name");
        take_away(copy, "media-size");
    }
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (ippGetString(ippFindAttribute(copy, texts[i], IPP_TAG_ZERO), 0,
                         NULL) == NULL)
            take_away(copy, texts[i]);
    REAL(_papplMediaColImport)(copy, media);
    ippDelete(copy);
}

/* On the web page, tracking that nobody has chosen looks like "continuous", the
 * first of its list, and is saved as that with whatever else was changed there.
 * Labels are not continuous: for a roll without them there is a media type. */
bool papplPrinterSetReadyMedia(pappl_printer_t *printer, int count,
                               pappl_media_col_t *ready)
{
    for (int i = 0; i < count && ready != NULL; i++)
        if (ready[i].tracking == PAPPL_MEDIA_TRACKING_CONTINUOUS &&
            strcmp(ready[i].type, "continuous") != 0)
            ready[i].tracking = 0;
    return REAL(papplPrinterSetReadyMedia)(printer, count, ready);
}
