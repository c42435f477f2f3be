/*
 * rip_gs.c - Ghostscript, run as CUPS's chain of filters runs it: the same
 * colors, no antialiasing, as halftoned gray edges would be rough.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/rip/rip_program.h"

/* Goes through the PDF by Ghostscript's documented functions for that. A file
 * given as an argument could also be PostScript; a PDF is never run as that. */
static const char list_pages[] =
    "(" RIP_FILE ") (r) file runpdfbegin %u 1 %u pdfpagecount "
    "2 copy gt {exch} if pop "
    "{ dup pdfgetpage dup null eq {pop pop} { "
    "exch (page ) print = "
    "[/MediaBox /CropBox] { 2 copy known { "
    "dup =only 1 index exch get {( ) print =only} forall (\\n) print "
    "} {pop} ifelse } forall "
    "[/Rotate /UserUnit] { 2 copy known { "
    "dup =only ( ) print 1 index exch get = "
    "} {pop} ifelse } forall pop "
    "} ifelse } for";

static void begin(struct rip_command *command)
{
    rip_add_words(command, "gs -dSAFER -dBATCH -dNOPAUSE -dUseCropBox "
                           "--permit-file-read=" RIP_FILE);
}

static void list(struct rip_command *command, unsigned first, unsigned last)
{
    begin(command);
    rip_add_words(command, "-q -dNODISPLAY -c");
    rip_add(command, list_pages, first, last > 0 ? last : (unsigned)INT32_MAX);
}

/* Draws each page twice: shapes fill the pixels whose centers they cover, and
 * then all that they touch. */
static const char draw_twice[] =
    "runpdfbegin %u 1 %u { "
    "dup 0 0 .setfilladjust2 pdfgetpage pdfshowpage "
    "0.5 0.5 .setfilladjust2 pdfgetpage pdfshowpage "
    "} for runpdfend";

/* Converts all colors by the profile, except DeviceGray, which is K. CMYK
 * without a profile is meant for this printer, and stays. */
static void separate(struct rip_command *command, enum color_intent intent)
{
    static const int intents[] = {[COLOR_RELATIVE_BLACK] = 1,
                                  [COLOR_RELATIVE] = 1,
                                  [COLOR_PERCEPTUAL] = 0,
                                  [COLOR_ABSOLUTE] = 3};

    rip_add_words(command,
                  "--permit-file-read=" RIP_PROFILE
                  " -sOutputICCProfile=" RIP_PROFILE
                  " -sDefaultCMYKProfile=" RIP_PROFILE
                  " -dRenderIntent=%d -dBlackPtComp=%d",
                  intents[intent], intent == COLOR_RELATIVE_BLACK);
}

static void draw(struct rip_command *command, const struct rip_page *page,
                 const struct rip_sheet *sheet, const struct rip_range *range)
{
    const struct rip_place *place = &range->place;
    const double x = 72.0 / page->dpi[0], y = 72.0 / page->dpi[1];
    /* Points of the corner that the page's own lower left one comes to, as the
     * page is turned about it. */
    const bool right = place->angle == 90 || place->angle == 180;
    const bool top = place->angle == 180 || place->angle == 270;
    const double left = (double)(place->x + (right ? place->width : 0)) * x;
    const double bottom = (double)((int64_t)sheet->height - place->y -
                                   (top ? 0 : place->height)) *
                          y;

    begin(command);
    if (page->color && page->profile != NULL && !rip_gives_light(&rip_gs, page))
        separate(command, page->intent);
    /* Not -q: it would not even say that it has repaired a PDF. Pictures with
     * fewer pixels than the sheet keep their edges: codes. In files without
     * room the band list is cut short, and 10.00 does not say so. */
    rip_add_words(command,
                  "-dFIXEDMEDIA %s -sBandListStorage=memory -sDEVICE=%s "
                  "-r%ux%u -g%ux%u -sstdout=%%stderr -sOutputFile=%%stdout",
                  page->scan ? "-dDOINTERPOLATE" : "-dNOINTERPOLATE",
                  !page->color                     ? "pgmraw"
                  : rip_gives_light(&rip_gs, page) ? "ppmraw"
                                                   : "pamcmyk32",
                  page->dpi[0], page->dpi[1], sheet->width, sheet->height);
    if (!page->exact)
        rip_add_words(command, "-dFirstPage=%u -dLastPage=%u", range->first,
                      range->last);
    rip_add(command, "-c");
    rip_add(command,
            "<</Install{%.6f %.6f translate %d rotate %.9f dup scale}>>"
            "setpagedevice (" RIP_FILE ") (r) file",
            left, bottom, (int)place->angle, place->scale);
    if (page->exact)
        rip_add(command, draw_twice, range->first, range->last);
    else
        rip_add(command, "runpdf");
}

const struct rip_program rip_gs = {
    .name = "gs",
    .list = list,
    .page = "page %u",
    .media = "MediaBox %lf %lf %lf %lf",
    .crop = "CropBox %lf %lf %lf %lf",
    .rotate = "Rotate %lf",
    .unit = "UserUnit %lf",
    .draw = draw,
    .whole_sheets = true,
    .one_page = false,
    .separates = true,
    .draws_exactly = true,
    .averages = true,
};
