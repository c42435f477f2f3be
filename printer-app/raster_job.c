/*
 * raster_job.c - jobs of raster, whose lines PAPPL gives as they come from a
 * client; and files in the printer's own language.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "printer-app/app.h"
#include "printer-app/device_job.h"
#include "printer-app/ipp/job_request.h"
#include "printer-app/kept.h"
#include "printer-app/ipp/offer.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/picture/picture_memory.h"
#include "printer-app/press.h"
#include "printer-app/ipp/supplies.h"

#define PIECE_BYTES 65536
#define UNPRINTABLE PAPPL_JREASON_DOCUMENT_UNPRINTABLE_ERROR
#define ROUNDING 100 /* 1/100 mm that a page may be larger than its paper */

/* A job on its way. */
struct raster_job {
    struct press *press;
    bool skips;              /* the page that comes is not to be printed */
    bool turns;              /* it lies across its paper */
    struct picture sheet;    /* as it is to lie, then; else {0} */
    bool failed;             /* no copies follow */
    struct kept_raster kept; /* for them */
    unsigned pages;          /* that are to be printed */
};

static bool is_keeping(const struct raster_job *raster)
{
    return raster->kept.raster != NULL;
}

static void end(struct raster_job *raster)
{
    kept_close(&raster->kept);
    picture_free(&raster->sheet);
    free(raster);
}

bool app_start_job(pappl_job_t *job, pappl_pr_options_t *options,
                   pappl_device_t *device)
{
    struct raster_job *raster = calloc(1, sizeof *raster);

    papplJobSetData(job, NULL);
    if (raster == NULL)
        return job_refuse(job, UNPRINTABLE, "Not enough memory");
    if (options->copies > 1 && !kept_open(&raster->kept, job)) {
        end(raster);
        return false;
    }
    raster->press = press_open(job, options, device, app_state_directory());
    if (raster->press == NULL) {
        end(raster);
        return false;
    }
    papplJobSetData(job, raster);
    return true;
}

/* ---- Pages of a client ----------------------------------------------------
 */

/*
 * Whether a page has 1 bit a sample. PAPPL 1.3 gives a page the client's header
 * if that has 8 bits, and else the one that it makes of the job's attributes,
 * in which the image box is upside down: no client sends the same.
 */
static bool has_dots(pappl_job_t *job, const pappl_pr_options_t *options)
{
    pappl_pr_options_t *made;

    made = papplJobCreatePrintOptions(
        job, (unsigned)papplJobGetImpressions(job), false);
    if (made == NULL)
        return true;
    const bool same =
        memcmp(made->header.cupsInteger, options->header.cupsInteger,
               sizeof made->header.cupsInteger) == 0;
    papplJobDeletePrintOptions(made);
    return same;
}

/* Whether the printer has the resolution. */
static bool has_resolution(const pappl_pr_driver_data_t *data,
                           const unsigned dpi[2])
{
    for (int i = 0; i < data->num_resolution; i++)
        if ((unsigned)data->x_resolution[i] == dpi[0] &&
            (unsigned)data->y_resolution[i] == dpi[1])
            return true;
    return false;
}

static bool check_resolution(pappl_job_t *job, const struct offer *offer,
                             const cups_page_header2_t *header, unsigned page)
{
    const unsigned *dpi = header->HWResolution;
    char list[256];

    if (has_resolution(&offer->data, dpi))
        return true;
    ippAttributeString(ippFindAttribute(offer->attributes,
                                        "printer-resolution-supported",
                                        IPP_TAG_RESOLUTION),
                       list, sizeof list);
    return job_refuse(job, UNPRINTABLE,
                      "Page %u has %ux%u dpi, and the printer %s", page, dpi[0],
                      dpi[1], list);
}

/* Returns a length in 1/100 mm. */
static double length_of(unsigned pixels, unsigned dpi)
{
    return 2540.0 * pixels / dpi;
}

static bool fits(double width, double length, const int most[2])
{
    return width <= most[0] + ROUNDING && length <= most[1] + ROUNDING;
}

/* Tells whether the page fits the paper that the job asks for, or, if it asks
 * for none, the printer's largest; `*turns`: it does across it. */
static bool check_size(pappl_job_t *job, const struct offer *offer,
                       const pappl_pr_options_t *options, unsigned page,
                       bool *turns)
{
    const cups_page_header2_t *header = &options->header;
    const double width = length_of(header->cupsWidth, header->HWResolution[0]),
                 length =
                     length_of(header->cupsHeight, header->HWResolution[1]);
    int most[2] = {options->media.size_width, options->media.size_length};

    if (papplJobGetAttribute(job, "media") == NULL &&
        papplJobGetAttribute(job, "media-col") == NULL)
        offer_largest(offer, most);
    *turns = !fits(width, length, most) && fits(length, width, most) &&
             header->HWResolution[0] == header->HWResolution[1];
    if (*turns || fits(width, length, most))
        return true;
    return job_refuse(
        job, UNPRINTABLE,
        "Page %u has %.1f by %.1f mm, and its paper %.1f by %.1f mm", page,
        width / 100, length / 100, most[0] / 100.0, most[1] / 100.0);
}

/* Whether a client's page can be printed; else the job says why not. */
static bool check_page(pappl_job_t *job, const pappl_pr_options_t *options,
                       unsigned page, bool *turns)
{
    struct offer offer;

    if (has_dots(job, options))
        return job_refuse(job, UNPRINTABLE,
                          "Page %u has dots of 1 bit, not tones: send 8 bits",
                          page);
    offer_open(&offer, papplJobGetPrinter(job));
    const bool well = check_resolution(job, &offer, &options->header, page) &&
                      check_size(job, &offer, options, page, turns);

    offer_close(&offer);
    return well;
}

/* ---- Pages ----------------------------------------------------------------
 */

/* Keeps a page for the copies, and its lines. */
static bool keep_page(struct raster_job *raster,
                      const cups_page_header2_t *header)
{
    return !is_keeping(raster) || kept_page(&raster->kept, header);
}

static void keep(struct raster_job *raster, const uint8_t *line)
{
    if (is_keeping(raster) && !raster->failed)
        raster->failed = !kept_line(&raster->kept, line);
}

/* Makes room for a page that is to be turned. */
static bool begin_turned(struct raster_job *raster, pappl_job_t *job,
                         const cups_page_header2_t *header)
{
    raster->sheet.width = header->cupsHeight;
    raster->sheet.height = header->cupsWidth;
    raster->sheet.depth = header->cupsBitsPerPixel / 8;
    return picture_memory_take(&raster->sheet) ||
           job_refuse(job, UNPRINTABLE, "Not enough memory to turn a page");
}

/* Turns a line by 90 degrees anticlockwise, as pages of a PDF. */
static void turn_line(const struct picture *sheet, unsigned y,
                      const uint8_t *line)
{
    const size_t depth = sheet->depth;

    for (size_t row = sheet->height; row-- > 0; line += depth)
        memcpy(sheet->pixels + (row * sheet->width + y) * depth, line, depth);
}

static bool fill_turned(void *context, unsigned y, uint8_t *line)
{
    struct raster_job *raster = context;
    const size_t bytes = (size_t)raster->sheet.width * raster->sheet.depth;

    memcpy(line, raster->sheet.pixels + y * bytes, bytes);
    keep(raster, line);
    return true;
}

static bool print_turned(struct raster_job *raster,
                         const pappl_pr_options_t *options)
{
    cups_page_header2_t header = options->header;

    header.cupsWidth = raster->sheet.width;
    header.cupsHeight = raster->sheet.height;
    header.cupsBytesPerLine = raster->sheet.width * raster->sheet.depth;
    return keep_page(raster, &header) &&
           press_page(raster->press, &header, options, fill_turned, raster);
}

static bool start_page(struct raster_job *raster, pappl_job_t *job,
                       const pappl_pr_options_t *options, unsigned page)
{
    if (!check_page(job, options, page, &raster->turns))
        return false;
    raster->skips = !job_pages_have(job_pages(job), page);
    if (raster->skips)
        return true;
    raster->pages++;
    return raster->turns
               ? begin_turned(raster, job, &options->header)
               : press_begin(raster->press, &options->header, options) &&
                     keep_page(raster, &options->header);
}

bool app_start_page(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned page)
{
    struct raster_job *raster = papplJobGetData(job);

    (void)device;
    raster->failed = !start_page(raster, job, options, page);
    return !raster->failed;
}

bool app_write_line(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device, unsigned y,
                    const unsigned char *line)
{
    struct raster_job *raster = papplJobGetData(job);

    (void)options;
    (void)device;
    if (raster->skips)
        return true;
    if (raster->turns)
        turn_line(&raster->sheet, y, line);
    else
        keep(raster, line);
    return raster->turns || press_line(raster->press, line);
}

/* Tells whether the client of this thread, if it has one, has sent all of the
 * raster. PAPPL takes the part that came for the whole. */
static bool is_whole(pappl_job_t *job)
{
    const char *fault = papplfixes_client_fault();

    if (fault == NULL || papplJobIsCanceled(job))
        return true;
    papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s.", fault);
    papplJobSetReasons(job, PAPPL_JREASON_ABORTED_BY_SYSTEM,
                       PAPPL_JREASON_NONE);
    return false;
}

bool app_end_page(pappl_job_t *job, pappl_pr_options_t *options,
                  pappl_device_t *device, unsigned page)
{
    struct raster_job *raster = papplJobGetData(job);

    (void)device;
    (void)page;
    if (!is_whole(job))
        raster->failed = true;
    if (!raster->skips &&
        !(raster->turns ? raster->failed || print_turned(raster, options)
                        : press_end(raster->press)))
        raster->failed = true;
    picture_free(&raster->sheet);
    return !raster->failed;
}

/* Prints the copies behind the first. */
static bool print_copies(struct raster_job *raster, pappl_job_t *job,
                         const pappl_pr_options_t *options)
{
    /* PAPPL has aborted a job whose raster ends too soon. */
    if (raster->failed || papplJobGetState(job) != IPP_JSTATE_PROCESSING ||
        papplJobIsCanceled(job))
        return true;
    if (raster->pages == 0)
        return job_refuse(job, UNPRINTABLE,
                          "The document has no page that is to be printed");
    return !is_keeping(raster) || kept_print(&raster->kept, raster->press,
                                             options, options->copies - 1);
}

bool app_end_job(pappl_job_t *job, pappl_pr_options_t *options,
                 pappl_device_t *device)
{
    struct raster_job *raster = papplJobGetData(job);

    if (raster == NULL)
        return false;
    bool ok =
        (raster->failed || is_whole(job)) && print_copies(raster, job, options);

    ok = press_close(raster->press) && ok;
    end(raster);
    papplJobSetData(job, NULL);
    supplies_ask(papplJobGetPrinter(job), device);
    return ok;
}

/* ---- Files in the printer's own language ----------------------------------
 */

static bool fail(pappl_job_t *job, const char *what, const char *why)
{
    papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "%s%s", what, why);
    return false;
}

/* Copies the file to the device. */
static bool send_file(pappl_job_t *job, int fd, pappl_device_t *device)
{
    char data[PIECE_BYTES];
    struct device_job at;
    ssize_t got = 0;
    bool taken = true;

    if (!device_job_begin(&at, job, device))
        return false;
    while (taken && !papplJobIsCanceled(job) &&
           (got = read(fd, data, sizeof data)) > 0)
        taken = device_job_write(&at, data, (size_t)got);
    const int error = errno;

    taken = device_job_end(&at, !taken || got < 0) && taken;
    if (papplJobIsCanceled(job))
        return true;
    if (got < 0)
        return fail(job, "Cannot read the file: ", strerror(error));
    return taken || fail(job, "The printer takes no more data", "");
}

/* Sends the file once for each copy; its pages are not known. */
bool app_print_file(pappl_job_t *job, pappl_pr_options_t *options,
                    pappl_device_t *device)
{
    if (job_pages(job) != NULL)
        return job_refuse(job, UNPRINTABLE,
                          "A file in the printer's own language is printed "
                          "whole, without page-ranges");
    const char *path = papplJobGetFilename(job);

    const int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return fail(job, "Cannot open the file: ", strerror(errno));
    bool ok = true;

    for (int i = 0; ok && i < options->copies && !papplJobIsCanceled(job); i++)
        ok = (lseek(fd, 0, SEEK_SET) == 0 ||
              fail(job, "Cannot read the file: ", strerror(errno))) &&
             send_file(job, fd, device);
    close(fd);
    return ok;
}
