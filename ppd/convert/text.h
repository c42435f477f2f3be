/*
 * text.h - the text of a PPD as a list of statements, of which some are
 * removed or replaced: all others stay as they are, to the last byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PPD_CONVERT_TEXT_H
#define PPD_CONVERT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* "*Keyword Option/Text: "value"", with the lines of a long value and its
 * *End; or a line that is none, such as a comment, whose keyword is "". The
 * strings are never NULL. */
struct ppd_statement {
    const char *raw; /* the bytes of the PPD, as they are */
    size_t size;
    char *keyword; /* without its asterisk */
    char *option;  /* what is between the keyword and "/" or ":" */
    char *value;   /* behind ":", without quotes */
    char *instead; /* what is written instead; NULL = the statement itself */
};

struct ppd_text {
    struct ppd_statement *statements;
    size_t count;
    char *more;       /* the lines that are added at the end; may be NULL */
    bool carriage;    /* lines end in CR and LF */
    bool out_of_room; /* an edit has found no memory */
};

/* Splits a PPD, whose bytes the caller keeps until ppd_text_free(). False
 * without memory. */
bool ppd_text_split(struct ppd_text *text, const char *bytes, size_t size);
void ppd_text_free(struct ppd_text *text);

/* Whether the statement has this keyword, and has not been removed. */
bool ppd_text_is(const struct ppd_statement *statement, const char *keyword);

void ppd_text_remove(struct ppd_text *text, struct ppd_statement *statement);

/* Writes whole lines instead of the statement. */
void ppd_text_replace(struct ppd_text *text, struct ppd_statement *statement,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds whole lines at the end. */
void ppd_text_append(struct ppd_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The edited PPD, which the caller frees; NULL without memory. */
char *ppd_text_join(const struct ppd_text *text, size_t *size);

#endif
