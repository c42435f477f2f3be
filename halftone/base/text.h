/*
 * text.h - small texts that are not trusted: files of tables and curves, and
 * the numbers in them and in options.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define TEXT_MAX_LINE 255 /* bytes, without its end */
#define TEXT_BLANKS " \t" /* between the words of a line */

/* A text that is read line by line: begin with {.rest = text, .size = size}. */
struct text {
    const char *rest; /* what comes after the line; needs no final NUL */
    size_t size;      /* bytes of it */
    unsigned number;  /* of the line, from 1; 0 before the first */
    char line[TEXT_MAX_LINE + 1];
};

/*
 * Goes to the next line, which ends with a line feed, perhaps after a carriage
 * return, or with the text. False when there is none, and `size` is 0; false
 * too when it is too long or has a NUL, and `size` is not 0. `number` goes on
 * by one in all cases.
 */
bool text_next(struct text *text);

/* Says whether the line begins with that word. */
bool text_begins(const char *line, const char *word);

/* Reads up to `capacity` bytes of the regular file at `path`, which may not be
 * a link, into `text`; returns how many there were, or -1 with errno set. */
ssize_t text_read(const char *path, char *text, size_t capacity);

/* Says in words why text_read() failed, from the errno that it has set. Static,
 * or strerror()'s. */
const char *text_error(int error);

/*
 * Reads all of `text` as a decimal number without sign and exponent, up to
 * nine digits on each side of the point and at least one in all, and with a
 * point whatever the user's locale has. False, and `*out` as it was, when it is
 * none or is not in low..high.
 */
bool text_decimal(const char *text, double low, double high, double *out);

#endif
