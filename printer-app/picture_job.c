/*
 * picture_job.c - jobs of JPEG and PNG files. PAPPL scales and turns pictures;
 * its own readers would turn them only where a printer's default orientation is
 * "none", which clients of IPP 2.0 do not know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

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
        ok = of.options != NULL && print(&of, &picture, device);
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
