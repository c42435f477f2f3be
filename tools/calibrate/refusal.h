/*
 * refusal.h - says in one sentence why something was not accepted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_REFUSAL_H
#define CALIBRATE_REFUSAL_H

#include <stdbool.h>

#define REFUSAL_BYTES 160

/* The sentence is made of our own words, in ASCII, and never of the input: it
 * can stand in a log or on a web page as it is. */
struct refusal {
    unsigned line; /* of the text at fault, from 1; 0 = none in particular */
    char why[REFUSAL_BYTES];
};

/* Fills `refusal`. Returns false. */
bool refuse(struct refusal *refusal, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
