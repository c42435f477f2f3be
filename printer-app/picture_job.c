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

/* Prints it, turned if it fits better so, unless the job says how. */
static bool print(struct picture_job *of, const struct picture *picture,
                  pappl_device_t *device)
{
    const bool jpeg = strcmp(papplJobGetFormat(of->job), "image/jpeg") == 0;

    if (papplJobGetAttribute(of->job, "orientation-requested") == NULL)
        of->options->orientation_requested = IPP_ORIENT_NONE;
    return papplJobFilterImage(of->job, device, of->options, picture->pixels,
                               picture->width, picture->height, picture->depth,
                               picture->ppi, jpeg);
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
