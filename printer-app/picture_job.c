/*
 * picture_job.c - jobs of JPEG and PNG files. PAPPL scales and turns pictures;
 * its own readers would turn them only where a printer's default orientation is
 * "none", which clients of IPP 2.0 do not know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "printer-app/app.h"
#include "printer-app/picture.h"

/* A picture on its way. */
struct picture_job {
    pappl_job_t *job;
    pappl_pr_options_t *options; /* made when the picture's colors are known */
};

static bool wants_color(void *context, bool color)
{
    struct picture_job *of = context;

    of->options = papplJobCreatePrintOptions(of->job, 1, color);
    return of->options != NULL && of->options->header.cupsNumColors > 1;
}

/* Whether PAPPL can print a picture of `pixels` as `size` pixels of the sheet:
 * it divides by the size, and counts in int where it cuts the picture off. */
static bool is_countable(int64_t size, int64_t pixels)
{
    return size >= 1 && size / 2 * pixels <= INT_MAX;
}

/* Whether it can print one that lies so on a sheet, with margins or without. */
static bool can_scale(const pappl_pr_options_t *options, const int sheet[2],
                      int64_t width, int64_t height, int ppi)
{
    const int64_t per_inch = ppi > 0 ? ppi : 200; /* as PAPPL does */
    const int *dpi = options->printer_resolution;
    const int64_t natural[2] = {width * dpi[0] / per_inch,
                                height * dpi[1] / per_inch};
    const int64_t fit[2] = {sheet[1] * width / height,
                            sheet[0] * height / width};
    const bool fits = natural[0] <= sheet[0] && natural[1] <= sheet[1];

    if (options->print_scaling == PAPPL_SCALING_NONE || (ppi > 0 && fits))
        if (!is_countable(natural[0], width) ||
            !is_countable(natural[1], height))
            return false;
    return width * dpi[0] <= INT_MAX && height * dpi[1] <= INT_MAX &&
           sheet[0] * height <= INT_MAX && sheet[1] * width <= INT_MAX &&
           is_countable(fit[0], width) && is_countable(fit[1], height) &&
           is_countable(sheet[0], width) && is_countable(sheet[1], height);
}

/* Whether the picture can be printed as it is and turned; else says that it
 * cannot. */
static bool is_printable(struct picture_job *of, const struct picture *picture)
{
    const pappl_pr_options_t *o = of->options;
    const int *dpi = o->printer_resolution;
    const int whole[2] = {(int)o->header.cupsWidth, (int)o->header.cupsHeight};
    const int inner[2] = {
        whole[0] -
            (o->media.left_margin + o->media.right_margin) * dpi[0] / 2540,
        whole[1] -
            (o->media.bottom_margin + o->media.top_margin) * dpi[1] / 2540};
    const int w = picture->width, h = picture->height, ppi = picture->ppi;
    static const char why[] = "The picture cannot be scaled to the sheet: %d "
                              "by %d pixels, %d an inch";

    if (can_scale(o, whole, w, h, ppi) && can_scale(o, whole, h, w, ppi) &&
        can_scale(o, inner, w, h, ppi) && can_scale(o, inner, h, w, ppi))
        return true;
    papplLogJob(of->job, PAPPL_LOGLEVEL_ERROR, why, w, h, ppi);
    papplJobSetMessage(of->job, why, w, h, ppi);
    papplJobSetReasons(of->job, PAPPL_JREASON_DOCUMENT_UNPRINTABLE_ERROR,
                       PAPPL_JREASON_NONE);
    return false;
}

/* Leaves dark parts of the picture as they are, unless the job says otherwise:
 * each of its pixels becomes several, and runs of equal dark ones are letters
 * to page/black.h. */
static void leave_black(pappl_pr_options_t *options)
{
    if (cupsGetOption("halftone-black", options->num_vendor, options->vendor) ==
        NULL)
        options->num_vendor = cupsAddOption(
            "halftone-black", "none", options->num_vendor, &options->vendor);
}

/* Prints it, turned if it fits better so, unless the job says how. Photos are
 * smoothed, PNG only if it is called one: it may be a bar code. */
static bool print(struct picture_job *of, const struct picture *picture,
                  pappl_device_t *device)
{
    const bool photo =
        strcmp(papplJobGetFormat(of->job), "image/jpeg") == 0 ||
        of->options->print_content_optimize == PAPPL_CONTENT_PHOTO;

    if (papplJobGetAttribute(of->job, "orientation-requested") == NULL)
        of->options->orientation_requested = IPP_ORIENT_NONE;
    leave_black(of->options);
    return papplJobFilterImage(of->job, device, of->options, picture->pixels,
                               picture->width, picture->height, picture->depth,
                               picture->ppi, photo);
}

bool app_print_picture(pappl_job_t *job, pappl_device_t *device, void *data)
{
    struct picture_job of = {.job = job};
    struct picture picture;
    char why[PICTURE_WHY];
    const bool png = strcmp(papplJobGetFormat(job), "image/png") == 0;

    (void)data;
    bool ok = (png ? picture_read_png : picture_read_jpeg)(
        &picture, papplJobGetFilename(job), wants_color, &of, why);
    if (ok) {
        ok = of.options != NULL && is_printable(&of, &picture) &&
             print(&of, &picture, device);
    } else {
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "The picture cannot be read: %s",
                    why);
        papplJobSetMessage(job, "The picture cannot be read: %s", why);
        papplJobSetReasons(job, PAPPL_JREASON_DOCUMENT_FORMAT_ERROR,
                           PAPPL_JREASON_NONE);
    }
    picture_free(&picture);
    papplJobDeletePrintOptions(of.options);
    return ok;
}
