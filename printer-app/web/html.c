/*
 * html.c - tags of HTML, read and written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "printer-app/web/html.h"

bool span_is(struct html_span span, const char *text)
{
    return span.at != NULL && span.size == strlen(text) &&
           strncasecmp(span.at, text, span.size) == 0;
}

bool span_has_word(struct html_span span, const char *word)
{
    const char *end = span.at + span.size;

    for (const char *at = span.at; at < end; at++) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        const size_t size = (size_t)((space != NULL ? space : end) - at);

        if (span_is((struct html_span){at, size}, word))
            return true;
        at += size;
    }
    return false;
}

/* ---- Reading --------------------------------------------------------------
 */

static bool is_name(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '_';
}

static bool is_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Returns where a tag that begins at `at` ends, behind its ">", or NULL. */
static const char *tag_end(const char *at, const char *end)
{
    char quote = '\0';

    for (; at < end; at++)
        if (quote != '\0') {
            if (*at == quote)
                quote = '\0';
        } else if (*at == '"' || *at == '\'')
            quote = *at;
        else if (*at == '>')
            return at + 1;
    return NULL;
}

/* Reads the tag at "<"; false if it is none. */
static bool tag_read(const char *at, const char *end, struct tag *tag)
{
    const char *name = at + 1, *last;

    tag->closes = name < end && *name == '/';
    name += tag->closes;
    for (last = name; last < end && is_name(*last); last++)
        ;
    tag->name = (struct html_span){name, (size_t)(last - name)};
    last = last > name ? tag_end(last, end) : NULL;
    if (last == NULL)
        return false;
    tag->whole = (struct html_span){at, (size_t)(last - at)};
    return true;
}

/* Returns where a text is, from `at` on, whatever the case of its letters; the
 * end if it is not there. */
static const char *find(const char *at, const char *end, const char *text)
{
    const size_t size = strlen(text);

    for (; (size_t)(end - at) >= size; at++)
        if (strncasecmp(at, text, size) == 0)
            return at;
    return end;
}

/* Whether a comment begins at `at`. */
static bool is_comment(const char *at, const char *end)
{
    return end - at >= 4 && memcmp(at, "<!--", 4) == 0;
}

bool tag_next(struct html_span *rest, struct html_span *text, struct tag *tag)
{
    const char *at = rest->at, *end = rest->at + rest->size;
    const bool in_script =
        tag->name.at != NULL && !tag->closes && tag_is(tag, "script");

    text->at = at;
    if (in_script)
        at = find(at, end, "</script");
    while (at < end && (*at != '<' || !tag_read(at, end, tag)))
        at = is_comment(at, end) ? find(at + 2, end, "-->") : at + 1;
    text->size = (size_t)(at - text->at);
    if (at == end) {
        rest->size = 0;
        return false;
    }
    rest->at = at + tag->whole.size;
    rest->size = (size_t)(end - rest->at);
    return true;
}

bool tag_is(const struct tag *tag, const char *name)
{
    return span_is(tag->name, name);
}

/* An attribute in a tag, with the space before it. */
struct attribute {
    struct html_span whole, name, value;
};

/* Reads the attribute at `at`, and returns where the next one is; NULL if there
 * is none. */
static const char *attribute_read(const char *at, const char *end,
                                  struct attribute *attribute)
{
    const char *from = at, *start;

    while (at < end && is_space(*at))
        at++;
    for (start = at; at < end && is_name(*at); at++)
        ;
    if (at == start)
        return NULL;
    attribute->name = (struct html_span){start, (size_t)(at - start)};
    attribute->value = (struct html_span){at, 0};
    if (at < end && *at == '=') {
        char quote = '\0';

        if (++at < end)
            quote = *at;
        const bool quoted = quote == '"' || quote == '\'';

        start = at += quoted;
        while (at < end && (quoted ? *at != quote : !is_space(*at)))
            at++;
        attribute->value = (struct html_span){start, (size_t)(at - start)};
        at += quoted && at < end;
    }
    attribute->whole = (struct html_span){from, (size_t)(at - from)};
    return at;
}

static const char *tag_inside_end(const struct tag *tag)
{
    return tag->whole.at + tag->whole.size - 1;
}

struct html_span tag_attribute(const struct tag *tag, const char *name)
{
    const char *at = tag->name.at + tag->name.size;
    struct attribute attribute;

    while ((at = attribute_read(at, tag_inside_end(tag), &attribute)) != NULL)
        if (span_is(attribute.name, name))
            return attribute.value;
    return (struct html_span){NULL, 0};
}

/* ---- Writing --------------------------------------------------------------
 */

void html_free(struct html *html)
{
    free(html->bytes);
    *html = (struct html){.bytes = NULL};
}

static bool html_reserve(struct html *html, size_t size)
{
    size_t room = html->room == 0 ? 16384 : html->room;

    if (html->failed || size > HTML_BYTES - html->size) {
        html->failed = true;
        return false;
    }
    while (room < html->size + size)
        room *= 2;
    if (room == html->room)
        return true;

    char *bytes = realloc(html->bytes, room);

    html->failed = bytes == NULL;
    if (html->failed)
        return false;
    html->bytes = bytes;
    html->room = room;
    return true;
}

void html_span(struct html *html, struct html_span span)
{
    if (span.size == 0 || !html_reserve(html, span.size))
        return;
    memcpy(html->bytes + html->size, span.at, span.size);
    html->size += span.size;
}

void html_text(struct html *html, const char *text)
{
    html_span(html, (struct html_span){text, strlen(text)});
}

void html_escape(struct html *html, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '<')
            html_text(html, "&lt;");
        else if (*text == '&')
            html_text(html, "&amp;");
        else if (*text == '"')
            html_text(html, "&quot;");
        else
            html_span(html, (struct html_span){text, 1});
}

void html_tag(struct html *html, const struct tag *tag, const char *without)
{
    const char *at = tag->name.at + tag->name.size;
    const char *next;
    const struct html_span words = {without, strlen(without)};
    struct attribute attribute;
    char name[32];

    html_span(html,
              (struct html_span){tag->whole.at, (size_t)(at - tag->whole.at)});
    while ((next = attribute_read(at, tag_inside_end(tag), &attribute)) !=
           NULL) {
        const size_t size = attribute.name.size < sizeof name
                                ? attribute.name.size
                                : sizeof name - 1;

        memcpy(name, attribute.name.at, size);
        name[size] = '\0';
        if (!span_has_word(words, name))
            html_span(html, attribute.whole);
        at = next;
    }
}
