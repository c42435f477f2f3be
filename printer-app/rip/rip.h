/*
 * rip.h - turns a PDF file into contone raster, by Ghostscript's or MuPDF's
 * program: a child with limits, since a PDF is a program that strangers wrote.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_H
#define PRINTER_APP_RIP_H

#include <stdbool.h>

#include "page/stream.h"
#include "printer-app/rip/rip_page.h"

/* A PDF has this behind at most 1024 other bytes, as printers' job languages
 * (PJL) and what mail programs add. */
#define RIP_HEADER "%PDF-"
#define RIP_HEAD (1024 + sizeof RIP_HEADER - 1)

/* Says what does the work: "gs", "mutool", or NULL when none is installed. The
 * variable HALFTONE_RIP of the environment chooses one of the two. */
const char *rip_name(void);

/*
 * Gives `taker` the raster of the PDF file at `path`: each page is the whole
 * sheet, of round(width * dpi / 2540) by round(length * dpi / 2540) pixels, and
 * lines come one by one. It ends when the taker takes no more, or the calling
 * thread's work is canceled; then no process and no temporary file of the RIP
 * is left. False after an ERROR line that says what went wrong: what the RIP
 * said, or the limit that it met.
 */
bool rip_run(const char *path, const struct rip_page *page,
             struct stream_taker *taker);

#endif
