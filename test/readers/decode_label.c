/*
 * decode_label.c - reads a job of rastertolabel or page/pack/ for Zebra's label
 * printers back into dots, in any of their four languages. Of pages it prints
 * the commands that make no dots, too.
 *
 *   decode-label --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 *   EPL1  ESC M.. ESC g: a line, ESC J: feed, ESC E, FF: print
 *   EPL2  N, GW: a line of 0 = ink, P: print
 *   CPCL  "! ", CG: a line, PRINT
 *   ZPL   ~DG: all lines in hexadecimal digits, ^FO: where they go, ^XZ: print
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define ESCAPE 0x1b
#define FORM_FEED 0x0c
#define MAX_LINE 1024 /* bytes of dots */
#define MAX_TEXT 256  /* characters of a command */
#define MAX_PICTURE (1u << 26)

struct label_job {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, lines; /* lines: of this page */
    /* The picture that ZPL has stored, the caller's to free; NULL = none. */
    unsigned char *picture;
    unsigned picture_lines, picture_bytes; /* bytes: of a line */
};

static void eject(struct label_job *l)
{
    l->pages++;
    if (l->paper->width == 0)
        printf("page %u: lines %u,%s\n", l->pages, l->lines, l->paper->notes);
    printed_eject(l->paper);
    l->paper->notes[0] = '\0';
    l->lines = 0;
}

/* A line of dots at (x, y), in dots; `invert` is 255 where 0 is ink. Blank bits
 * behind the page's width fill the last byte. */
static void print_line(struct label_job *l, unsigned x, unsigned y,
                       size_t bytes, const unsigned char *dots, unsigned invert)
{
    unsigned char line[MAX_LINE];

    if (bytes > MAX_LINE)
        wrong(l->in, "a line of %zu bytes", bytes);
    for (size_t i = 0; i < bytes; i++)
        line[i] = (unsigned char)(dots[i] ^ invert);
    printed_row(l->paper, l->in, 'K', x, y, line, 8 * bytes);
    if (y >= l->lines)
        l->lines = y + 1;
}

/* A command's text to the character `end`, without it; a CR before goes, too.
 */
static void next_text(struct job_bytes *in, char *text, char end)
{
    size_t size = 0;
    unsigned byte;

    while ((byte = next_byte(in)) != (unsigned char)end) {
        if (size == MAX_TEXT - 1)
            wrong(in, "a command of more than %d characters", MAX_TEXT - 1);
        text[size++] = (char)byte;
    }
    if (size > 0 && text[size - 1] == '\r')
        size--;
    text[size] = '\0';
}

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* ---- EPL1 --------------------------------------------------------------- */

static unsigned next_digits(struct job_bytes *in, size_t count)
{
    unsigned number = 0;

    for (; count > 0; count--) {
        unsigned digit = next_byte(in);
        if (digit < '0' || digit > '9')
            wrong(in, "0x%02x where a digit was expected", digit);
        number = 10 * number + (digit - '0');
    }
    return number;
}

static void take_epl1(struct label_job *l)
{
    unsigned letter = next_byte(l->in);

    switch (letter) {
    case 'M': /* the left margin */
        printed_note(l->paper, "M%02u", next_digits(l->in, 2));
        return;
    case 'B': /* graphics */
        return;
    case 'S': /* speed */
    case 'D': /* darkness */
        printed_note(l->paper, "%c%u", (int)letter, next_digits(l->in, 1));
        return;
    case 'J': /* lines less 1 */
        l->lines += next_byte(l->in) + 1;
        return;
    case 'g': {
        size_t bytes = next_digits(l->in, 3);
        print_line(l, 0, l->lines, bytes, next_bytes(l->in, bytes), 0);
        return;
    }
    case 'E':
        expect(l->in, FORM_FEED);
        eject(l);
        return;
    default:
        wrong(l->in, "ESC 0x%02x", letter);
    }
}

/* ---- EPL2 and CPCL ------------------------------------------------------ */

/* "GW0,5,102,1": x, y, bytes, lines. */
static void take_epl2_line(struct label_job *l, const char *text)
{
    unsigned x, y, bytes, lines;
    char end;

    if (sscanf(text, "GW%u,%u,%u,%u%c", &x, &y, &bytes, &lines, &end) != 4 ||
        lines != 1)
        wrong(l->in, "%s", text);
    print_line(l, x, y, bytes, next_bytes(l->in, bytes), 255);
    expect(l->in, '\n');
}

/* "CG 102 1 0 5 ": bytes, lines, x, y; the command's text ends at the dots. */
static void take_cpcl_line(struct label_job *l)
{
    char text[MAX_TEXT];
    unsigned number[4];

    for (size_t i = 0; i < 4; i++) {
        char end;
        next_text(l->in, text, ' ');
        if (sscanf(text, "%u%c", &number[i], &end) != 1)
            wrong(l->in, "CG and %s", text);
    }
    if (number[1] != 1)
        wrong(l->in, "%u lines", number[1]);
    print_line(l, number[2], number[3], number[0], next_bytes(l->in, number[0]),
               0);
    expect(l->in, '\r');
    expect(l->in, '\n');
}

/* ---- ZPL ---------------------------------------------------------------- */

/* A digit's value, or 16. */
static unsigned hexadecimal(unsigned digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'A' && digit <= 'F' ? digit - 'A' + 10 : 16;
}

static void set_digit(unsigned char *line, size_t at, unsigned value)
{
    if (at % 2 == 0)
        line[at / 2] = (unsigned char)(value << 4);
    else
        line[at / 2] |= (unsigned char)value;
}

/* A line of `digits` digits, to `line`: each may stand behind how often it is
 * meant, G to Y for 1 to 19 and g to z for 20 to 400; a comma fills the line
 * with 0, and a colon is the line before. */
static void next_zpl_line(struct label_job *l, unsigned char *line,
                          size_t digits)
{
    size_t done = 0, count = 0;

    while (done < digits) {
        unsigned c = next_byte(l->in), value = hexadecimal(c);

        if (c >= 'g' && c <= 'z') {
            count += (c - 'g' + 1) * 20;
        } else if (c >= 'G' && c <= 'Y') {
            count += c - 'G' + 1;
        } else if (c == ':' && done == 0 && count == 0) {
            return;
        } else if (c == ',') {
            for (; done < digits; done++)
                set_digit(line, done, 0);
        } else if (value < 16) {
            count += count == 0;
            if (count > digits - done)
                wrong(l->in, "a line of more than %zu digits", digits);
            for (; count > 0; count--, done++)
                set_digit(line, done, value);
        } else {
            wrong(l->in, "0x%02x among dots", c);
        }
    }
}

/* "~DGR:CUPS.GRF,103530,102,": all bytes, those of a line; then the lines. */
static void take_picture(struct label_job *l)
{
    char text[MAX_TEXT];
    unsigned all, bytes;
    char end;

    for (size_t i = 0; i < 3; i++) {
        next_text(l->in, text, ',');
        if ((i == 1 && sscanf(text, "%u%c", &all, &end) != 1) ||
            (i == 2 &&
             (sscanf(text, "%u%c", &bytes, &end) != 1 || bytes == 0 ||
              bytes > MAX_LINE || all > MAX_PICTURE || all % bytes != 0)))
            wrong(l->in, "a picture of %s bytes", text);
    }
    expect(l->in, '\n');
    free(l->picture);
    l->picture = calloc(all, 1);
    if (l->picture == NULL)
        wrong(l->in, "no memory for %u bytes", all);
    l->picture_lines = all / bytes;
    l->picture_bytes = bytes;
    for (unsigned y = 0; y < l->picture_lines; y++) {
        unsigned char *line = l->picture + (size_t)y * bytes;

        if (y > 0)
            memcpy(line, line - bytes, bytes);
        next_zpl_line(l, line, 2 * (size_t)bytes);
    }
    /* A comma ends the last line, too. */
    if (l->in->at < l->in->size && l->in->data[l->in->at] == ',')
        next_byte(l->in);
}

/* "^FO0,5^XGR:CUPS.GRF,1,1^FS": x, y of the picture. */
static void print_picture(struct label_job *l, const char *text)
{
    unsigned x, y;

    if (sscanf(text, "^FO%u,%u^XG", &x, &y) != 2 || l->picture == NULL)
        wrong(l->in, "%s", text);
    for (unsigned i = 0; i < l->picture_lines; i++)
        print_line(l, x, y + i, l->picture_bytes,
                   l->picture + (size_t)i * l->picture_bytes, 0);
}

/* ---- Any ---------------------------------------------------------------- */

/* Commands of EPL2, CPCL and ZPL that set up a label without a dot on it, and
 * the end of a ZPL label that only deletes its picture. */
static bool is_setting(const char *text)
{
    static const char *const settings[] = {
        "N",        "q",     "D",    "S",    "ZT",        "ZB",
        "! ",       "PAGE-", "TONE", "FORM", "ON-FEED",   "PRESENT-AT",
        "CUT",      "^LL",   "^XA",  "^XZ",  "^PO",       "^PW",
        "^LH",      "^MN",   "^PQ",  "~SD",  "~TA",       "^ID",
        "^PR",      "^MM",   "^LT",  "^MT",  "^MD",       "^JZ",
        "^CN",      "OD",    "Q",    "C",    "GAP-SENSE", "ON-OUT-OF-PAPER",
        "BAR-SENSE"};

    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        if (begins(text, settings[i]))
            return true;
    return *text == '\0';
}

/* Whether it prints a label of EPL 2, "P7" so often, or of CPCL. */
static bool is_print(const char *text)
{
    return (text[0] == 'P' && text[1] >= '1' && text[1] <= '9') ||
           strcmp(text, "PRINT") == 0;
}

static void take_command(struct label_job *l)
{
    static const char picture[] = "~DG", dots[] = "CG ";
    struct job_bytes *in = l->in;
    const char *start = (const char *)in->data + in->at;
    size_t left = in->size - in->at;
    char text[MAX_TEXT];

    if (left > 3 && memcmp(start, picture, 3) == 0) {
        take_picture(l);
        return;
    }
    if (left > 3 && memcmp(start, dots, 3) == 0) {
        next_bytes(in, 3);
        take_cpcl_line(l);
        return;
    }
    next_text(in, text, '\n');
    if (is_print(text) || (is_setting(text) && *text != '\0'))
        printed_note(l->paper, "%s", text);
    if (begins(text, "GW"))
        take_epl2_line(l, text);
    else if (begins(text, "^FO"))
        print_picture(l, text);
    else if (is_print(text) || (begins(text, "^XZ") && l->lines > 0))
        eject(l);
    else if (!is_setting(text))
        wrong(in, "the command %.20s", text);
}

static void read_label(struct job_bytes *in, struct printed *page)
{
    struct label_job l = {.in = in, .paper = page};

    while (in->at < in->size) {
        if (in->data[in->at] == ESCAPE) {
            next_byte(in);
            take_epl1(&l);
        } else {
            take_command(&l);
        }
    }
    if (l.pages == 0 || l.lines > 0)
        wrong(in, "a label was not printed");
    if (page->width == 0 && page->notes[0] != '\0')
        printf("after:%s\n", page->notes);
    free(l.picture);
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_label);
}
