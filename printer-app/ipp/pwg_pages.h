/*
 * pwg_pages.h - where the pages of a stream of PWG raster begin and end, and
 * where the next raster does: PAPPL keeps a device open from job to job, and
 * tells it neither that a job ends nor that it was canceled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PWG_PAGES_H
#define PRINTER_APP_PWG_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cups/raster.h>

#define PWG_SYNC "RaS2"
#define PWG_SYNC_BYTES 4
#define PWG_HEADER_BYTES sizeof(cups_page_header2_t)

enum pwg_event {
    PWG_MORE,   /* all bytes are taken */
    PWG_BEGIN,  /* the byte before is the first of a new raster */
    PWG_HEADER, /* the header before is whole, pwg_number() reads it */
    PWG_WRONG,  /* no PWG raster, or no sound one: take no more */
};

/* Begin with {0}. */
struct pwg_pages {
    enum { PWG_BETWEEN, PWG_IN_SYNC, PWG_IN_HEADER, PWG_IN_LINES } where;
    size_t sync;         /* bytes of the sync word so far */
    size_t used;         /* bytes of the header so far */
    unsigned pages;      /* whole ones of this raster */
    uint32_t lines;      /* yet to come of this page */
    uint32_t line_bytes; /* of a line, unpacked */
    uint32_t left;       /* yet to come of this line, unpacked */
    uint32_t run;        /* most bytes that one byte of code repeats */
    uint32_t skip;       /* packed bytes that are no code */
    bool in_line;        /* behind the line's count of repetitions */
    unsigned char header[PWG_HEADER_BYTES]; /* of the page, as it came */
};

/* Takes bytes, and moves `*bytes` and `*size` on behind them, up to an event.
 */
enum pwg_event pwg_follow(struct pwg_pages *pages, const unsigned char **bytes,
                          size_t *size);

/* Whether the raster has pages and the last one is whole. */
bool pwg_whole(const struct pwg_pages *pages);

/* A field of the header, by its offset in cups_page_header2_t. */
uint32_t pwg_number(const struct pwg_pages *pages, size_t offset);

/* Copies a text of 64 bytes of the header, with its final NUL. */
void pwg_text(const struct pwg_pages *pages, size_t offset, char text[65]);

#endif
