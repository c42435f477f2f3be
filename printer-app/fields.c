/*
 * fields.c - the fields of headers, from PWG's numbers to the languages'.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/message.h"
#include "printer-app/fields.h"

static const struct family_paper *named(const struct family_paper *list,
                                        const char *name)
{
    for (; list->name != NULL; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

/* Finds the source that PWG raster has the number of; NULL = there is none. */
static const struct family_paper *numbered(const struct family_paper *list,
                                           unsigned pwg)
{
    for (; list->name != NULL; list++)
        if (list->pwg == pwg)
            return list;
    return NULL;
}

/* The page says where its paper is, or else the job. */
static bool tell_source(cups_page_header2_t *header,
                        const struct family *family,
                        const pappl_media_col_t *media)
{
    const unsigned asked = header->MediaPosition;
    const struct family_paper *source =
        asked > 0 ? numbered(family->sources, asked)
                  : named(family->sources, media->source);

    if (source != NULL)
        header->MediaPosition = source->number;
    else if (asked > 0)
        message("ERROR",
                "A page from source %u of PWG raster, which %s does not have",
                asked, family->name);
    else if (media->source[0] != '\0')
        message("ERROR", "%s has no media-source \"%s\"", family->name,
                media->source);
    return source != NULL || (asked == 0 && media->source[0] == '\0');
}

static bool tell_type(cups_page_header2_t *header, const struct family *family,
                      const pappl_media_col_t *media)
{
    const char *name =
        header->MediaType[0] != '\0' ? header->MediaType : media->type;
    const struct family_paper *type = named(family->types, name);

    if (type == NULL && name[0] != '\0' && strcmp(name, "auto") != 0) {
        message("ERROR", "%s has no media-type \"%s\"", family->name, name);
        return false;
    }
    header->cupsMediaType = type != NULL ? type->number : 0;
    if (type != NULL && header->MediaType[0] == '\0')
        snprintf(header->MediaType, sizeof header->MediaType, "%s", name);
    return true;
}

/* A client's raster may leave it to the job. */
static void tell_sides(cups_page_header2_t *header,
                       const pappl_pr_options_t *options)
{
    const pappl_sides_t two =
        PAPPL_SIDES_TWO_SIDED_LONG_EDGE | PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;

    if ((options->sides & two) == 0)
        return;
    header->Duplex = CUPS_TRUE;
    header->Tumble = options->sides == PAPPL_SIDES_TWO_SIDED_SHORT_EDGE;
}

bool fields_tell(cups_page_header2_t *header, const struct family *family,
                 const pappl_pr_options_t *options)
{
    header->cupsCompression = family->compression;
    header->cupsRowCount = family->rows;
    /* PWG raster's CrossFeedTransform and FeedTransform. Our back sides are not
     * turned; PAPPL 1.3 says in the headers that it makes that they are. */
    header->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] =
        header->cupsInteger[CUPS_RASTER_PWG_FeedTransform] = 1;
    tell_sides(header, options);
    return tell_source(header, family, &options->media) &&
           tell_type(header, family, &options->media);
}
