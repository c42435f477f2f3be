/*
 * page.h - the pages of a job, each from samples to dots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <semaphore.h>

#include "page/header.h"
#include "page/paper.h"
#include "page/settings.h"
#include "page/share.h"
#include "page/stream.h"

#define PAGE_MAX_COPIES                                                        \
    9999 /* cupsd's MaxCopies; it adds them up in an int                       \
          */

/* Format and destination of pages. */
struct delivery {
    int output;                 /* where to, the caller's */
    struct stream_taker *taker; /* who takes them instead; NULL: nobody */
    bool banded;                /* banded dots, whatever comes in */
    bool pwg;                   /* as PWG raster */
    enum back_side back;        /* of a sheet, as the RIP turns it */
    bool tumbled;       /* the RIP has rotated the backs; clear Tumble */
    struct paper paper; /* whose printable area a packer expects */
    bool black_first;   /* KCMY, where CMYK comes */
    bool once;          /* the copies are made by repeating the raster */
    bool last;          /* no filter follows: the PAGE lines are ours */
    bool packed;        /* a child packs, and reports its own failures */
    bool expects_tones; /* warn if a page comes as dots */
    bool blank_16;      /* the RIP has left pages of 16 bits blank */
};

struct page;
struct kept_tables;

/* The pages that are on their way. They leave in the order in which they
 * came. */
struct pages {
    const struct settings *settings;
    const struct delivery *delivery;
    struct stream *in;
    struct stream out;            /* opened with the first page */
    struct monochrome monochrome; /* of settings->monochrome */
    struct kept_tables *tables;   /* of the job's ink */
    struct share share;           /* of the processors */
    sem_t room;                   /* counts the pages that may still be begun */
    struct page *last; /* the one that came last, NULL when it has left */
    bool without_gpu;  /* one that was asked for could not be used */
    bool dots_came;    /* and the user has been told */
};

/* Begins with no page; what it is told has to stay until pages_close(). */
void pages_open(struct pages *pages, const struct settings *settings,
                const struct delivery *delivery, struct stream *in);

/*
 * Reads the page whose header was just read and halftones and writes it. Once
 * the header has left, all of the page's lines leave: those that are missing,
 * after a canceled or failed job, as bare paper, unless they are too many
 * (output_rest()). False after an ERROR line.
 *
 * The page may still be on its way when this returns; the next one leaves
 * behind it, or not at all when it failed.
 *
 *   number  of the page, from 1
 *   blank   the page is bare paper, and nothing is read
 */
bool page_print(struct pages *pages, const cups_page_header2_t *header,
                unsigned number, bool blank);

/* Waits until the pages on their way have left. False after an ERROR line. */
bool pages_close(struct pages *pages);

#endif
