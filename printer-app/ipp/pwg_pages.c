/*
 * pwg_pages.c - where the pages of a stream of PWG raster begin and end: PWG
 * 5102.4, whose header CUPS has as cups_page_header2_t, in big-endian order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "printer-app/ipp/pwg_pages.h"

#define NUMBER(pages, field)                                                   \
    pwg_number(pages, offsetof(cups_page_header2_t, field))

uint32_t pwg_number(const struct pwg_pages *pages, size_t offset)
{
    const unsigned char *at = pages->header + offset;

    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
           (uint32_t)at[2] << 8 | at[3];
}

void pwg_text(const struct pwg_pages *pages, size_t offset, char text[65])
{
    memcpy(text, pages->header + offset, 64);
    text[64] = '\0';
}

bool pwg_whole(const struct pwg_pages *pages)
{
    return pages->where == PWG_BETWEEN && pages->pages > 0;
}

static bool begin_page(struct pwg_pages *pages)
{
    static const char class[] = "PwgRaster";
    const uint32_t bits = NUMBER(pages, cupsBitsPerPixel);
    const uint64_t width = NUMBER(pages, cupsWidth);

    pages->lines = NUMBER(pages, cupsHeight);
    pages->line_bytes = NUMBER(pages, cupsBytesPerLine);
    pages->run = (bits + 7) / 8;
    pages->in_line = false;
    pages->where = PWG_IN_LINES;
    return memcmp(pages->header, class, sizeof class) == 0 &&
           pages->lines > 0 && bits > 0 && bits <= 240 && width > 0 &&
           (width * bits + 7) / 8 == pages->line_bytes;
}

/* Takes the count of repetitions before a line. */
static bool begin_line(struct pwg_pages *pages, unsigned char code)
{
    const uint32_t times = code + 1U;

    if (times > pages->lines)
        return false;
    pages->lines -= times;
    pages->left = pages->line_bytes;
    pages->in_line = true;
    return true;
}

/* Takes a byte that says what comes behind it. */
static bool take_code(struct pwg_pages *pages, unsigned char code)
{
    if (code == 0x80) { /* the rest of the line is white */
        pages->left = 0;
        return true;
    }

    const bool repeats = code < 0x80;
    const uint32_t count = (repeats ? code + 1U : 257U - code) * pages->run;
    if (count > pages->left)
        return false;
    pages->left -= count;
    pages->skip = repeats ? pages->run : count;
    return true;
}

/* Takes packed lines, up to the end of the page. */
static bool take_lines(struct pwg_pages *pages, const unsigned char **bytes,
                       size_t *size)
{
    const unsigned char *at = *bytes, *end = at + *size;
    bool sound = true;

    while (sound && at < end) {
        if (pages->skip > 0) {
            const size_t has = (size_t)(end - at);
            const size_t taken = has < pages->skip ? has : pages->skip;
            at += taken;
            pages->skip -= (uint32_t)taken;
        } else {
            sound =
                pages->in_line ? take_code(pages, *at) : begin_line(pages, *at);
            at++;
        }
        if (pages->in_line && pages->left == 0 && pages->skip == 0) {
            pages->in_line = false;
            if (pages->lines == 0) {
                pages->where = PWG_BETWEEN;
                pages->pages++;
                break;
            }
        }
    }
    *size -= (size_t)(at - *bytes);
    *bytes = at;
    return sound;
}

/* Takes a byte between pages or of a sync word. */
static enum pwg_event take_sync(struct pwg_pages *pages, unsigned char byte)
{
    if ((char)byte != PWG_SYNC[pages->sync])
        return PWG_WRONG;
    if (pages->sync == 0) {
        pages->pages = 0;
        pages->where = PWG_IN_SYNC;
    }
    pages->sync++;
    if (pages->sync == PWG_SYNC_BYTES) {
        pages->sync = pages->used = 0;
        pages->where = PWG_IN_HEADER;
    }
    return pages->sync == 1 ? PWG_BEGIN : PWG_MORE;
}

static enum pwg_event take_header(struct pwg_pages *pages,
                                  const unsigned char **bytes, size_t *size)
{
    const size_t wanted = PWG_HEADER_BYTES - pages->used;
    const size_t taken = *size < wanted ? *size : wanted;

    memcpy(pages->header + pages->used, *bytes, taken);
    pages->used += taken;
    *bytes += taken;
    *size -= taken;
    if (taken < wanted)
        return PWG_MORE;
    return begin_page(pages) ? PWG_HEADER : PWG_WRONG;
}

enum pwg_event pwg_follow(struct pwg_pages *pages, const unsigned char **bytes,
                          size_t *size)
{
    enum pwg_event event = PWG_MORE;

    while (event == PWG_MORE && *size > 0) {
        /* A header begins with "PwgRaster", unlike a sync word. */
        if (pages->where == PWG_BETWEEN && pages->pages > 0 &&
            (char)**bytes != PWG_SYNC[0]) {
            pages->used = 0;
            pages->where = PWG_IN_HEADER;
        }
        switch (pages->where) {
        case PWG_BETWEEN:
        case PWG_IN_SYNC:
            event = take_sync(pages, **bytes);
            ++*bytes;
            --*size;
            break;
        case PWG_IN_HEADER:
            event = take_header(pages, bytes, size);
            break;
        case PWG_IN_LINES:
            if (!take_lines(pages, bytes, size))
                event = PWG_WRONG;
            break;
        }
    }
    return event;
}
