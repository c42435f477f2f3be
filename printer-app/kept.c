/*
 * kept.c - pages in a file of compressed raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "printer-app/kept.h"

static bool fail(const char *why)
{
    message("ERROR", "Cannot keep the pages for more copies: %s",
            why[0] != '\0' ? why : strerror(errno != 0 ? errno : EIO));
    return false;
}

static ssize_t write_kept(void *context, unsigned char *data, size_t bytes)
{
    struct kept_raster *kept = context;

    return papplfixes_file_write(&kept->out, data, bytes, kept->why)
               ? (ssize_t)bytes
               : -1;
}

bool kept_open(struct kept_raster *kept, pappl_job_t *job)
{
    *kept = (struct kept_raster){.in = -1};
    kept->out.path = kept->path;
    kept->out.fd = papplJobOpenFile(job, kept->path, sizeof kept->path, NULL,
                                    "copies", "w");
    if (kept->out.fd >= 0)
        kept->in = open(kept->path, O_RDONLY | O_CLOEXEC);
    if (kept->in >= 0)
        kept->raster =
            cupsRasterOpenIO(write_kept, kept, CUPS_RASTER_WRITE_COMPRESSED);
    if (kept->raster != NULL)
        return true;
    papplLogJob(job, PAPPL_LOGLEVEL_ERROR,
                "Cannot keep the pages for more copies: %s", strerror(errno));
    kept_close(kept);
    return false;
}

bool kept_page(struct kept_raster *kept, const cups_page_header2_t *header)
{
    kept->header = *header;
    kept->pages++;
    return cupsRasterWriteHeader2(kept->raster, &kept->header) != 0 ||
           fail(kept->why);
}

bool kept_line(struct kept_raster *kept, const uint8_t *line)
{
    const unsigned bytes = kept->header.cupsBytesPerLine;

    return cupsRasterWritePixels(kept->raster, (uint8_t *)line, bytes) ==
               bytes ||
           fail(kept->why);
}

/* A copy on its way. */
struct kept_copy {
    cups_raster_t *raster;
    cups_page_header2_t header;
};

static bool read_line(void *context, unsigned y, uint8_t *line)
{
    struct kept_copy *copy = context;
    const unsigned bytes = copy->header.cupsBytesPerLine;

    (void)y;
    return cupsRasterReadPixels(copy->raster, line, bytes) == bytes || fail("");
}

static bool print_copy(const struct kept_raster *kept, struct press *press,
                       const pappl_pr_options_t *options)
{
    struct kept_copy copy;

    if (lseek(kept->in, 0, SEEK_SET) != 0)
        return fail("");
    copy.raster = cupsRasterOpen(kept->in, CUPS_RASTER_READ);
    bool ok = copy.raster != NULL || fail("");

    for (unsigned i = 0; ok && i < kept->pages && !canceled(); i++)
        ok = (cupsRasterReadHeader2(copy.raster, &copy.header) != 0 ||
              fail("")) &&
             press_page(press, &copy.header, options, read_line, &copy);
    cupsRasterClose(copy.raster);
    return ok;
}

bool kept_print(struct kept_raster *kept, struct press *press,
                const pappl_pr_options_t *options, int copies)
{
    bool ok = true;

    cupsRasterClose(kept->raster); /* writes what is left of it */
    kept->raster = NULL;
    for (int copy = 0; ok && copy < copies && !canceled(); copy++)
        ok =
            press_new_sheet(press, options) && print_copy(kept, press, options);
    return ok || canceled();
}

void kept_close(struct kept_raster *kept)
{
    if (kept->raster != NULL)
        cupsRasterClose(kept->raster);
    if (kept->in > 0)
        close(kept->in);
    if (kept->out.fd > 0) {
        close(kept->out.fd);
        unlink(kept->path);
    }
}
