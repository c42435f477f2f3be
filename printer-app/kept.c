/*
 * kept.c - pages in a file of compressed raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "printer-app/kept.h"

static bool fail(int error)
{
    message("ERROR", "Cannot keep the pages for more copies: %s",
            strerror(error != 0 ? error : EIO));
    return false;
}

/* Says why a page could not be written. */
static bool fail_to_write(const struct kept_raster *kept)
{
    message("ERROR", "Cannot keep the pages for more copies: %s",
            kept->why[0] != '\0' ? kept->why : strerror(EIO));
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
           fail_to_write(kept);
}

bool kept_line(struct kept_raster *kept, const uint8_t *line)
{
    const unsigned bytes = kept->header.cupsBytesPerLine;

    return cupsRasterWritePixels(kept->raster, (uint8_t *)line, bytes) ==
               bytes ||
           fail_to_write(kept);
}

static bool print_page(cups_raster_t *raster, struct press *press,
                       const cups_page_header2_t *header,
                       const pappl_pr_options_t *options)
{
    const unsigned bytes = header->cupsBytesPerLine;
    uint8_t *line = malloc(bytes);
    bool ok = line != NULL;

    if (!ok)
        message("ERROR", "Not enough memory for a line");
    ok = ok && press_begin(press, header, options);
    if (ok) {
        for (unsigned y = 0; ok && y < header->cupsHeight && !canceled(); y++)
            ok = (cupsRasterReadPixels(raster, line, bytes) == bytes ||
                  fail(errno)) &&
                 press_line(press, line);
        ok = press_end(press) && ok;
    }
    free(line);
    return ok;
}

static bool print_copy(const struct kept_raster *kept, struct press *press,
                       const pappl_pr_options_t *options)
{
    cups_page_header2_t header;
    unsigned pages = 0;

    if (lseek(kept->in, 0, SEEK_SET) != 0)
        return fail(errno);
    cups_raster_t *raster = cupsRasterOpen(kept->in, CUPS_RASTER_READ);
    bool ok = raster != NULL || fail(errno);

    for (; ok && pages < kept->pages && !canceled(); pages++)
        ok = (cupsRasterReadHeader2(raster, &header) != 0 || fail(errno)) &&
             print_page(raster, press, &header, options);
    cupsRasterClose(raster);
    return ok;
}

bool kept_print(struct kept_raster *kept, struct press *press,
                const pappl_pr_options_t *options, int copies)
{
    const bool odd = kept->header.Duplex && kept->pages % 2 == 1;
    bool ok = true;

    cupsRasterClose(kept->raster); /* writes what is left of it */
    kept->raster = NULL;
    for (int copy = 0; ok && copy < copies && !canceled(); copy++) {
        ok = !odd || press_bare_page(press, &kept->header, options);
        ok = ok && print_copy(kept, press, options);
    }
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
