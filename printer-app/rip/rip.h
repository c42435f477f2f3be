/*
 * rip.h - turns a PDF file into contone raster, by Ghostscript's or MuPDF's
 * program: a child with limits, since a PDF is a program that strangers wrote.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_H
#define PRINTER_APP_RIP_H

#include <stdbool.h>

#include "printer-app/rip/rip_page.h"

/* A PDF has this behind at most 1024 other bytes, as printers' job languages
 * (PJL) and what mail programs add. */
#define RIP_HEADER "%PDF-"
#define RIP_HEAD (1024 + sizeof RIP_HEADER - 1)

struct rip_work;

struct rip {
    int fd; /* CUPS raster, to be read: each page is the whole sheet, of
               round(width * dpi / 2540) by round(length * dpi / 2540) pixels.
               rip_end() closes it, nobody before. */
    struct rip_work *work;
};

/* Says what does the work: "gs", "mutool", or NULL when none is installed. The
 * variable HALFTONE_RIP of the environment chooses one of the two. */
const char *rip_name(void);

/* Starts the RIP on the PDF file at `path`, which has to stay until rip_end().
 * The work is the calling thread's owner's. False after an ERROR line. */
bool rip_start(struct rip *rip, const char *path, const struct rip_page *page);

/*
 * Ends the RIP, killing it unless `all` raster was read, and waits until no
 * process and no temporary file of it is left. False after an ERROR line that
 * says what went wrong: what the RIP said, or the limit that it met. The line
 * is written before the raster ends, so whoever reads a short page is late with
 * one of his own. A RIP that is killed here, or whose work is canceled, has no
 * ERROR line.
 */
bool rip_end(struct rip *rip, bool all);

#endif
