/*
 * text.h - small texts that are not trusted: files of tables and curves, and
 * the numbers in them and in options.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_TEXT_H
#define HT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define HT_MAX_LINE 255 /* bytes, without its end */
#define HT_BLANKS " \t" /* between the words of a line */

/* A text that is read line by line: begin with {.rest = text, .size = size}. */
struct ht_text {
    const char *rest; /* what comes after the line; needs no final NUL */
    size_t size;      /* bytes of it */
    unsigned number;  /* of the line, from 1; 0 before the first */
    char line[HT_MAX_LINE + 1];
};

/*
 * Goes to the next line, which ends with a line feed, perhaps after a carriage
 * return, or with the text. False when there is none, and `size` is 0; false
 * too when it is too long or has a NUL, and `size` is not 0. `number` goes on
 * by one in all cases.
 */
bool ht_text_next(struct ht_text *text);

/* Whether the line begins with that word. */
bool ht_text_begins(const char *line, const char *word);

/* Reads up to `capacity` bytes of the regular file at `path`, which may not be
 * a link, into `text`; returns how many there were, or -1 with errno set. */
ssize_t ht_text_read(const char *path, char *text, size_t capacity);

/* What the errno that it has set says of the path. */
const char *ht_text_error(int error);

/*
 * Reads all of `text` as a decimal number without sign and exponent, up to
 * nine digits on each side of the point and at least one in all, and with a
 * point whatever the user's locale has. False, and `*out` as it was, when it is
 * none or is not in low..high.
 */
bool ht_text_decimal(const char *text, double low, double high, double *out);

#endif
