/*
 * fields.c - the fields of headers, from PWG's numbers to the languages'.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "page/message.h"
#include "printer-app/ipp/fields.h"

#define KEYWORD 24

static const struct family_paper *named(const struct family_paper *list,
                                        const char *name)
{
    for (; list->name != NULL; list++)
        if (strcmp(list->name, name) == 0)
            return list;
    return NULL;
}

/* Writes IPP's keyword for a source's number of PWG raster (PWG 5102.4,
 * MediaPosition), or the number if there is none. */
static void name_source(unsigned number, char keyword[KEYWORD])
{
    static const char *const names[] = {
        "auto",   "main",      "alternate",      "large-capacity",
        "manual", "envelope",  "disc",           "photo",
        "hagaki", "main-roll", "alternate-roll", "top",
        "middle", "bottom",    "side",           "left",
        "right",  "center",    "rear",           "by-pass-tray"};
    const unsigned trays = sizeof names / sizeof names[0], rolls = trays + 20;

    if (number < trays)
        snprintf(keyword, KEYWORD, "%s", names[number]);
    else if (number < rolls)
        snprintf(keyword, KEYWORD, "tray-%u", number - trays + 1);
    else if (number < rolls + 10)
        snprintf(keyword, KEYWORD, "roll-%u", number - rolls + 1);
    else
        snprintf(keyword, KEYWORD, "%u", number);
}

/* Whether a keyword leaves the choice to the printer. */
static bool is_any(const char *keyword)
{
    return keyword[0] == '\0' || strcmp(keyword, "auto") == 0;
}

/* Says that a family has no word for what is asked; false unless the printer's
 * default is all that asks for it. */
static bool is_left(const struct family *family, const char *attribute,
                    const char *keyword, const char *usual)
{
    const bool left = strcmp(keyword, usual) == 0;

    message(left ? "WARNING" : "ERROR", "%s has no %s \"%s\"%s", family->name,
            attribute, keyword, left ? ": the printer chooses" : "");
    return left;
}

/* The page says where its paper is, or else the job. */
static bool tell_source(cups_page_header2_t *header,
                        const struct family *family,
                        const pappl_media_col_t *media, const char *usual)
{
    char page[KEYWORD];

    name_source(header->MediaPosition, page);
    const char *name = is_any(page) ? media->source : page;
    const struct family_paper *source = named(family->sources, name);

    header->MediaPosition = source != NULL ? source->number : 0;
    return source != NULL || is_any(name) ||
           is_left(family, "media-source", name, usual);
}

static bool tell_type(cups_page_header2_t *header, const struct family *family,
                      const pappl_media_col_t *media, const char *usual)
{
    const char *name =
        is_any(header->MediaType) ? media->type : header->MediaType;
    const struct family_paper *type = named(family->types, name);

    header->cupsMediaType = type != NULL ? type->number : 0;
    if (type == NULL)
        return is_any(name) || is_left(family, "media-type", name, usual);
    snprintf(header->MediaType, sizeof header->MediaType, "%s", type->name);
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

/* A job of copies is printed again as often; then the pages of a client's
 * raster that say so, too, do not mean as many of each. */
static void tell_copies(cups_page_header2_t *header,
                        const pappl_pr_options_t *options)
{
    if (options->copies > 1 || header->NumCopies == 0)
        header->NumCopies = 1;
}

bool fields_tell(cups_page_header2_t *header, const struct family *family,
                 const pappl_pr_options_t *options,
                 const pappl_media_col_t *usual)
{
    header->cupsCompression = family->compression;
    header->cupsRowCount = family->rows;
    /* PWG raster's CrossFeedTransform and FeedTransform. Our back sides are not
     * turned; PAPPL 1.3 says in the headers that it makes that they are. */
    header->cupsInteger[CUPS_RASTER_PWG_CrossFeedTransform] =
        header->cupsInteger[CUPS_RASTER_PWG_FeedTransform] = 1;
    tell_sides(header, options);
    tell_copies(header, options);
    return tell_source(header, family, &options->media, usual->source) &&
           tell_type(header, family, &options->media, usual->type);
}
