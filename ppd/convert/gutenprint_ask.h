/*
 * gutenprint_ask.h - asks Gutenprint's filter with blank pages what it prints.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_GUTENPRINT_ASK_H
#define PPD_CONVERT_GUTENPRINT_ASK_H

#include <stdbool.h>
#include <stddef.h>

#define ASK_CODES 16 /* 0 is no drop */
#define ASK_INKS 4   /* K, C, M, Y */

struct asked_ink {
    unsigned codes;         /* a bit for each */
    double area[ASK_CODES]; /* of a code's drop, 1 = whole */
    double density, gamma;  /* 1 = whole pixels full of the largest drop */
};

/* A page and, behind the first lines, the answer. */
struct asked_page {
    const char *paper;       /* choice of MediaType; NULL = none */
    unsigned dpi[2], number; /* of the resolution's choice */
    unsigned inks, duplex;
    struct asked_ink ink[ASK_INKS];
    double print_gamma, contrast, brightness;
    double limit;          /* of all inks together, 1 = one full; 0 = none */
    bool answered, failed; /* failed: with other inks, or another resolution */
};

/* Puts bytes into a file of memory. Returns its number, or -1 with errno. */
int gutenprint_file(const char *bytes, size_t size);

/* Starts the filter of CUPS's folder with that name, the PPD of the file `ppd`
 * and these options, on one job of all pages, and on others of those that it
 * has not answered. False if it cannot be run, ends before the last answer, or
 * takes more than 5 s and 1 s a page. */
bool gutenprint_ask(struct asked_page *pages, size_t count, const char *filter,
                    int ppd, const char *options);

#endif
