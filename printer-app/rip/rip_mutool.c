/*
 * rip_mutool.c - MuPDF's program, without antialiasing like Ghostscript. It
 * knows no printing: annotations print as they are shown. Where it is built
 * without color management, as Debian's is, CMYK and RGB become each other by
 * the formula of the PDF specification, and no profile of a PDF is looked at.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/rip/rip_program.h"

/* Rows that are rendered at a time, so that a page takes few of its pixels in
 * memory. MuPDF 1.28 wants a thread for bands, and writes a second header
 * before a page of one band. */
#define BAND 256

static void list(struct rip_command *command, unsigned first, unsigned last)
{
    rip_add_words(command, "mutool pages " RIP_FILE);
    if (last > 0)
        rip_add(command, "%u-%u", first, last);
    else
        rip_add(command, "%u-N", first);
}

static void draw(struct rip_command *command, const struct rip_page *page,
                 const struct rip_sheet *sheet, const struct rip_range *range)
{
    const struct rip_place *place = &range->place;

    (void)sheet;
    rip_add_words(command, "mutool draw -q -A 0");
    if (place->height > BAND)
        rip_add_words(command, "-B %d -T 1", BAND);
    /* It turns clockwise. */
    rip_add_words(command,
                  "-R %d -f -w %lld -h %lld -c %s -F pam -o - " RIP_FILE
                  " %u-%u",
                  (int)(360 - place->angle) % 360, (long long)place->width,
                  (long long)place->height,
                  !page->color                         ? "gray"
                  : rip_gives_light(&rip_mutool, page) ? "rgb"
                                                       : "cmyk",
                  range->first, range->last);
}

#define CORNERS " l=\"%lf\" b=\"%lf\" r=\"%lf\" t=\"%lf\""

const struct rip_program rip_mutool = {
    .name = "mutool",
    .list = list,
    .page = "<page pagenum=\"%u\"",
    .media = "<MediaBox" CORNERS,
    .crop = "<CropBox" CORNERS,
    .rotate = "<Rotate v=\"%lf\"",
    .unit = "<UserUnit v=\"%lf\"",
    .draw = draw,
    .whole_sheets = false,
    .one_page = true, /* the last 8 KiB */
    .separates = false,
    .draws_exactly = false,
    .averages = false,
};
