/*
 * zpl.c - Zebra's ZPL II for label printers: a label is a picture that is
 * stored, ~DG, printed and deleted. The printer's settings hold for all that a
 * page does not ask for.
 *
 * Zebra, "ZPL II Programming Guide".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/pack/packing.h"

#define PICTURE "R:PAGE.GRF"
#define MOST_REPEATS 419u /* digits that "zY" stands for */
#define FASTEST 14        /* inches a second */

static void begin_page(struct packing *page)
{
    const struct label *label = &page->label;
    int percent;

    if (label_darkness(label, &percent) && label->darkness != 0)
        sink_printf(page->out, "~SD%02d\n", label_share(30, percent));
    if (label->tear != 0)
        sink_printf(page->out, "~TA%0*d\n", label->tear < 0 ? 4 : 3,
                    label->tear);
    sink_printf(page->out, "~DG" PICTURE ",%zu,%zu,\n",
                page->bytes * page->height, page->bytes);
}

static unsigned digit_of(const unsigned char *row, size_t at)
{
    return at % 2 == 0 ? row[at / 2] >> 4 : row[at / 2] & 15u;
}

/* Puts `repeats` equal digits: g to z stand for 20 to 400 of the digit behind,
 * G to Y for 1 to 19 more. */
static void put_repeats(struct sink *out, unsigned digit, size_t repeats)
{
    char text[4];
    size_t size = 0;

    if (repeats >= 20)
        text[size++] = (char)('f' + repeats / 20);
    if (repeats > 1 && repeats % 20 > 0)
        text[size++] = (char)('F' + repeats % 20);
    text[size++] = "0123456789ABCDEF"[digit];
    sink_put(out, text, size);
}

/* Puts digits; a comma stands for 0 to the row's end. */
static void put_digits(struct sink *out, const unsigned char *row, size_t bytes)
{
    size_t digits = 2 * bytes;

    while (digits > 0 && digit_of(row, digits - 1) == 0)
        digits--;
    for (size_t at = 0; at < digits;) {
        const unsigned digit = digit_of(row, at);
        size_t repeats = 1;

        while (repeats < MOST_REPEATS && at + repeats < digits &&
               digit_of(row, at + repeats) == digit)
            repeats++;
        put_repeats(out, digit, repeats);
        at += repeats;
    }
    if (digits < 2 * bytes)
        sink_put(out, ",", 1);
}

static void put_bare(struct packing *page, unsigned rows)
{
    for (; rows > 0; rows--)
        sink_put(page->out, ",", 1);
}

static void put_row(struct packing *page, unsigned y)
{
    put_bare(page, y - page->next);
    /* A colon is the row before. */
    if (memcmp(page->line, page->before, page->bytes) == 0)
        sink_put(page->out, ":", 1);
    else
        put_digits(page->out, page->line, page->bytes);
}

/* Sends how the printer finds the end of labels, unless the page leaves that to
 * the printer. */
static void put_tracking(struct packing *page)
{
    static const char kinds[LABEL_TRACKINGS] = {
        [LABEL_CONTINUOUS] = 'N', [LABEL_GAP] = 'Y', [LABEL_MARK] = 'M'};

    if (page->label.tracking != LABEL_TRACKING_OWN)
        sink_printf(page->out, "^MN%c\n", kinds[page->label.tracking]);
}

static void put_mode(struct packing *page)
{
    static const char *const modes[LABEL_MODES] = {
        [LABEL_APPLICATOR] = "A",     [LABEL_CUTTER] = "C",
        [LABEL_CUTTER_DELAYED] = "D", [LABEL_KIOSK] = "K",
        [LABEL_PEEL_OFF] = "P,N",     [LABEL_PREPEEL] = "P,Y",
        [LABEL_REWIND] = "R",         [LABEL_RFID] = "F",
        [LABEL_TEAR_OFF] = "T"};

    if (page->label.mode != LABEL_MODE_OWN)
        sink_printf(page->out, "^MM%s\n", modes[page->label.mode]);
}

/* Returns the darkness that a job adds to the printer's own, which ^MD0
 * restores. */
static int added(const struct label *label)
{
    return label->darkness == 0 ? label_share(30, label->darker) : 0;
}

static void put_settings(struct packing *page)
{
    const struct label *label = &page->label;
    struct sink *out = page->out;

    if (label->speed > 0)
        sink_printf(out, "^PR%d\n", label_inches(label, FASTEST));
    if (added(label) != 0)
        sink_printf(out, "^MD%d\n", added(label));
    put_tracking(page);
    if (label->top != 0)
        sink_printf(out, "^LT%d\n", label->top);
    put_mode(page);
}

static void end_page(struct packing *page)
{
    struct sink *out = page->out;

    put_bare(page, page->height - page->next);
    /* The label's top comes first out of the printer. */
    sink_printf(out, "^XA\n^POI\n^PW%u\n^LL%u\n^LH0,0\n", packing_across(page),
                packing_length(page));
    put_settings(page);
    sink_printf(out, "^PQ%u,0,0,N\n", page->copies);
    sink_printf(out, "^FO%u,%u^XG" PICTURE ",1,1^FS\n^XZ\n",
                packing_dots(page, page->left, 0),
                packing_dots(page, page->top, 1));
    sink_printf(out, "^XA\n^ID" PICTURE "^FS\n%s^XZ\n",
                added(&page->label) != 0 ? "^MD0\n" : "");
}

const struct language language_zpl = {
    .name = "zpl",
    .title = "ZPL",
    .ending = "\n^XZ\n", /* of a picture that is deleted, or of darkness */
    .accepted = {.label = true,
                 .dots = 32000,
                 .number = UINT32_MAX, /* not sent */
                 .copies = 99999999,
                 .rows = 32000,
                 .points = UINT16_MAX},
    .reset = "",
    .begin_page = begin_page,
    .put_row = put_row,
    .end_page = end_page};
