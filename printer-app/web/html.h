/*
 * html.h - reads tags of HTML that a program made, and writes text and tags.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_HTML_H
#define PRINTER_APP_HTML_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of text that somebody else owns. */
struct html_span {
    const char *at;
    size_t size;
};

bool span_is(struct html_span span, const char *text);

/* Whether a list of words, with spaces between, as of "class", has this one. */
bool span_has_word(struct html_span span, const char *word);

/* ---- Reading ------------------------------------------------------------ */

/* A tag as it is written, from "<" to ">", and the name in it. */
struct tag {
    struct html_span whole, name;
    bool closes; /* </name> */
};

/* Finds the next tag in `rest`: sets `text` to what is before it, `tag` to it,
 * and `rest` to what is behind it. False at the end: then `text` is all that is
 * left. Comments, and what is in scripts, are text. */
bool tag_next(struct html_span *rest, struct html_span *text, struct tag *tag);

bool tag_is(const struct tag *tag, const char *name);

/* Returns an attribute's value as it is written, of size 0 if it has none;
 * `at` is NULL if the tag does not have the attribute. */
struct html_span tag_attribute(const struct tag *tag, const char *name);

/* ---- Writing ------------------------------------------------------------ */

/* Text that has been written. Starts as all zeros; free it with html_free(). */
struct html {
    char *bytes;
    size_t size, room;
    bool failed; /* for lack of memory, or beyond HTML_BYTES */
};

/* No page is larger. That of a printer's 500 waiting jobs has 0.5 MB. */
#define HTML_BYTES ((size_t)8 << 20)

void html_free(struct html *html);
void html_span(struct html *html, struct html_span span);
void html_text(struct html *html, const char *text);

/* Writes text of anybody's, so that it is no HTML. */
void html_escape(struct html *html, const char *text);

/* Writes the tag up to its ">", which the caller writes behind more attributes,
 * and without the attributes of `without`, a list of words. */
void html_tag(struct html *html, const struct tag *tag, const char *without);

#endif
