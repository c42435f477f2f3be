/*
 * picture_store.h - lines of a picture, as they are read, become fewer and
 * smaller ones that lie as they are wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_STORE_H
#define PRINTER_APP_PICTURE_STORE_H

#include "printer-app/picture/picture.h"

struct picture_store {
    struct picture *picture;
    uint32_t from[2], to[2]; /* width and height, as stored: read, and kept */
    unsigned pose;
    uint32_t next;    /* line to read */
    uint32_t kept;    /* lines */
    uint8_t *line;    /* [to[0]][depth], that is to be kept */
    uint32_t *across; /* likewise, a line reduced; sums of shares */
    uint64_t *down;   /* likewise, of lines */
};

/* The end of a reading, in seconds of its thread's processor time, and of a
 * clock that it cannot be before. */
struct picture_end {
    double cpu, clock;
};

/* Returns when a reading that begins now is to have ended. */
struct picture_end picture_end(void);

/* Tells whether the reading goes on until then; else has the reason. */
bool picture_goes_on(const struct picture_reader *reader,
                     struct picture_end end, char why[PICTURE_WHY]);

/* Asks for a plan, and cuts it down to what the head has and memory holds. */
bool picture_plan_of(struct picture_plan *plan, const struct picture_head *head,
                     const struct picture_reader *reader,
                     char why[PICTURE_WHY]);

/* Prepares for lines of `width` pixels, `height` of them, neither less than the
 * plan's, and makes room for the pixels of `picture`, which begins as {0}.
 * False with the reason. Call picture_store_close() whatever it returned. */
bool picture_store_open(struct picture_store *store, struct picture *picture,
                        const struct picture_plan *plan, uint32_t width,
                        uint32_t height, char why[PICTURE_WHY]);

/* Takes the next line, [width][depth]. */
void picture_store_line(struct picture_store *store, const uint8_t *line);

void picture_store_close(struct picture_store *store);

#endif
