/*
 * picture_job.c - jobs of JPEG and PNG files: pages of a picture each, placed
 * as those of a PDF.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "printer-app/app.h"
#include "printer-app/rip/document.h"
#include "printer-app/ipp/job_request.h"
#include "printer-app/picture/line_art.h"
#include "printer-app/picture/picture.h"
#include "printer-app/picture/picture_lines.h"
#include "printer-app/press.h"
#include "printer-app/rip/rip_image.h"
#include "printer-app/rip/rip_place.h"
#include "printer-app/ipp/supplies.h"

/* Pixels an inch of a picture that does not say how many and is not to be
 * scaled: a screenshot 1920 pixels wide becomes somewhat larger than A4. Values
 * beyond the limits count as missing: such a picture would be a line, or a mile
 * wide. */
#define USUAL_PPI 200
#define LEAST_PPI 10
#define MOST_PPI 5000

/* A picture on its way. */
struct picture_job {
    pappl_job_t *job;
    pappl_pr_options_t *options; /* made when the picture's colors are known */
    struct rip_page page;
    struct rip_sheet sheet;
    struct rip_place place;
    struct picture picture;
    bool smooth;  /* as photos are */
    bool reduced; /* the sheet gets fewer pixels than the file has */
};

/* ---- Placing ------------------------------------------------------------- */

/* Photos are smoothed, PNG only if it is called one: it may be a bar code. So
 * may a JPEG where text is expected. */
static bool is_photo(pappl_job_t *job, const pappl_pr_options_t *options)
{
    return options->print_content_optimize == PAPPL_CONTENT_PHOTO ||
           (options->print_content_optimize == PAPPL_CONTENT_AUTO &&
            strcmp(papplJobGetFormat(job), "image/jpeg") == 0);
}

/* By PWG 5100.16, "auto" fills media without margins with a picture that is
 * larger. That is meant for borderless photos, which somebody chose: where we
 * have no margins, as on labels, there is nothing else to choose, and what is
 * cut off may be a bar code. */
static enum rip_scaling scaling_of(const pappl_pr_options_t *options,
                                   bool sized)
{
    switch (options->print_scaling) {
    case PAPPL_SCALING_NONE:
        return RIP_ACTUAL;
    case PAPPL_SCALING_FILL:
        return RIP_FILL;
    case PAPPL_SCALING_FIT:
        return RIP_FIT;
    default:
        return sized ? RIP_WHOLE : RIP_FIT;
    }
}

/* Makes pixels of the picture whole pixels of the sheet, where that costs no
 * more than a quarter of its size: bars keep their widths. */
static void snap(struct rip_place *place, const int64_t pixels[2])
{
    const int64_t across = place->width / pixels[0],
                  down = place->height / pixels[1];
    const int64_t times = across < down ? across : down;
    const int64_t width = times * pixels[0], height = times * pixels[1];

    if (width < place->width * 3 / 4 || height < place->height * 3 / 4)
        return;
    place->x += (place->width - width) / 2;
    place->y += (place->height - height) / 2;
    place->width = width;
    place->height = height;
}

/* Whether the picture says its size, in pixels an inch that are likely. */
static bool is_sized(const struct picture_head *head)
{
    for (int i = 0; i < 2; i++)
        if (head->ppi[i] < LEAST_PPI || head->ppi[i] > MOST_PPI)
            return false;
    return true;
}

static void place_picture(struct picture_job *of,
                          const struct picture_head *head)
{
    const uint32_t stored[2] = {head->width, head->height};
    const bool across = (head->pose & POSE_ACROSS) != 0, sized = is_sized(head);
    struct rip_box box = {.unit = 1};
    int64_t pixels[2]; /* as it is seen, and then as it lies */

    for (int i = 0; i < 2; i++) {
        const int from = across ? 1 - i : i;

        pixels[i] = stored[from];
        box.media[i + 2] =
            72.0 * (double)pixels[i] / (sized ? head->ppi[from] : USUAL_PPI);
    }
    of->page.scaling = scaling_of(of->options, sized);
    rip_place_of(&of->place, &of->page, &of->sheet, &box);

    const bool turned = of->place.angle % 180 != 0;
    const int64_t lies[2] = {pixels[turned], pixels[!turned]};
    const bool any_size =
        !sized && (of->options->print_scaling &
                   (PAPPL_SCALING_AUTO | PAPPL_SCALING_AUTO_FIT));

    if (any_size && !of->smooth && of->page.dpi[0] == of->page.dpi[1])
        snap(&of->place, lies);
}

static uint32_t least(uint32_t a, int64_t b)
{
    return b < a ? (uint32_t)b : a;
}

/* The reader's: no more pixels than the sheet gets. */
static bool plan(void *context, const struct picture_head *head,
                 struct picture_plan *plan)
{
    struct picture_job *of = context;
    const struct rip_place *place = &of->place;

    of->options = papplJobCreatePrintOptions(of->job, 1, head->color);
    if (of->options == NULL)
        return false;
    of->page = document_page(of->job, of->options);
    if (!rip_sheet_of(&of->sheet, &of->page))
        return false;
    of->smooth = is_photo(of->job, of->options);
    place_picture(of, head);
    plan->pose = pose_then(head->pose, pose_of_angle(place->angle));

    const bool across = (plan->pose & POSE_ACROSS) != 0;

    plan->width = least(head->width, across ? place->height : place->width);
    plan->height = least(head->height, across ? place->width : place->height);
    plan->color = of->page.color;
    of->reduced = plan->width < head->width || plan->height < head->height;
    return true;
}

static void say_waits(void *context)
{
    const struct picture_job *of = context;

    papplLogJob(of->job, PAPPL_LOGLEVEL_WARN,
                "The picture waits for the memory that others have.");
}

static bool is_canceled(void *context)
{
    const struct picture_job *of = context;

    return papplJobIsCanceled(of->job);
}

/* ---- Its pages ----------------------------------------------------------- */

static cups_page_header2_t header_of(const struct picture_job *of)
{
    cups_page_header2_t header;

    rip_image_header(&header, &of->page, &of->sheet,
                     of->picture.depth == 3 ? CUPS_CSPACE_SRGB
                                            : CUPS_CSPACE_SW);
    document_complete(&header, of->options);
    return header;
}

static bool fill_line(void *lines, unsigned y, uint8_t *line)
{
    picture_lines_fill(lines, y, line);
    return true;
}

/* Prints the copies, none of which is on the back of another. */
static bool print_copies(struct picture_job *of, struct press *press,
                         struct picture_lines *lines)
{
    const cups_page_header2_t header = header_of(of);
    const int copies = of->options->copies;
    const bool duplex = of->options->header.Duplex;
    bool ok = true;

    papplJobSetImpressions(of->job, duplex ? 2 * copies - 1 : copies);
    for (int i = 0; ok && i < copies && !papplJobIsCanceled(of->job); i++) {
        ok = press_new_sheet(press, of->options) &&
             press_page(press, &header, of->options, fill_line, lines);
        papplJobSetImpressionsCompleted(of->job, duplex && i > 0 ? 2 : 1);
    }
    return ok;
}

/* Gray pictures are printed with K alone. */
static void take_profile(struct press *press, const struct picture *picture)
{
    if (picture->depth == 3 && picture->icc_damaged)
        press_document_profile(press, NULL, 0);
    else if (picture->depth == 3 && picture->icc != NULL)
        press_document_profile(press, picture->icc, picture->icc_bytes);
}

static bool print(struct picture_job *of, pappl_device_t *device)
{
    struct picture_lines lines;
    bool ok = picture_lines_open(&lines, &of->picture, &of->place, &of->sheet,
                                 of->smooth);

    if (!ok)
        job_refuse(of->job, PAPPL_JREASON_ERRORS_DETECTED, "Not enough memory");

    struct press *press =
        ok ? press_open(of->job, of->options, device, app_state_directory())
           : NULL;
    if (press != NULL) {
        take_profile(press, &of->picture);
        if (cupsGetOption("halftone-black", of->options->num_vendor,
                          of->options->vendor) == NULL)
            press_leave_black(press);
    }
    /* The cut would lose thin lines, which are light now. */
    if (press != NULL && of->reduced && press_has_two_levels(press) &&
        !line_art_keep(of->picture.pixels, of->picture.width,
                       of->picture.height, of->picture.depth)) {
        job_refuse(of->job, PAPPL_JREASON_ERRORS_DETECTED, "Not enough memory");
        press_close(press);
        press = NULL;
    }
    ok = press != NULL && print_copies(of, press, &lines);
    ok = press_close(press) && ok;
    picture_lines_close(&lines);
    return ok;
}

bool app_print_picture(pappl_job_t *job, pappl_device_t *device, void *data)
{
    struct picture_job of = {.job = job};
    const struct picture_reader reader = {plan, is_canceled, &of, say_waits};
    char why[PICTURE_WHY];
    const bool png = strcmp(papplJobGetFormat(job), "image/png") == 0;

    const char *path = papplJobGetFilename(job);

    (void)data;
    bool ok = (png ? picture_read_png : picture_read_jpeg)(&of.picture, path,
                                                           &reader, why);
    if (ok && !job_pages_have(job_pages(job), 1))
        ok = job_refuse(job, PAPPL_JREASON_DOCUMENT_UNPRINTABLE_ERROR,
                        "The document has no page that is to be printed");
    else if (ok)
        ok = print(&of, device);
    else if (!papplJobIsCanceled(job))
        job_refuse(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                   "The picture cannot be read: %s", why);
    supplies_ask(papplJobGetPrinter(job), device);
    picture_free(&of.picture);
    papplJobDeletePrintOptions(of.options);
    return ok;
}
