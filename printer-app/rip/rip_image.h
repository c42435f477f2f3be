/*
 * rip_image.h - images that a RIP writes, PGM or PAM, become raster pages: some
 * rows at a time, and a whole page only where shapes are to be exact.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_IMAGE_H
#define PRINTER_APP_RIP_IMAGE_H

#include <stdbool.h>

#include "page/stream.h"
#include "printer-app/rip/rip_child.h"
#include "printer-app/rip/rip_program.h"

/* Fills in the header of each page. */
void rip_image_header(cups_page_header2_t *header, const struct rip_page *page,
                      const struct rip_sheet *sheet, cups_cspace_t space);

/*
 * Reads the next image and writes it as a page. The sheet outside of `place` is
 * bare paper. The program's image is as large as the sheet or as the page. If
 * shapes are to be exact, and it can, there are two images, and the page is the
 * first one with what is too thin for it (rip_thin.h). Line art is mended
 * (line_art.h). False when they do not come, not whole or not in that size, or
 * cannot be written.
 */
bool rip_image_copy(struct rip_child *child, struct stream *stream,
                    const cups_page_header2_t *header,
                    const struct rip_place *place,
                    const struct rip_program *program,
                    const struct rip_page *page);

#endif
