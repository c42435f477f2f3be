/*
 * decode_escp.c - reads an ESC/P or ESC/P 2 job back into dots, as a printer
 * would: the commands that CUPS's rastertoepson and our page/pack/escp2.c and
 * page/pack/escp2v.c send, and no others.
 *
 *   decode-escp --pages FILE | --dots WIDTHxHEIGHT INKS FILE
 *
 * A job is pages, each behind a reset and closed by a form feed, and a reset;
 * that of printers with drops of three sizes leaves packets first. Epson,
 * "ESC/P Reference Manual". The printers know three ways to print:
 *
 *   ESC *   columns of 8, 24 or 48 nozzles; the second of two passes over the
 *           same rows may come 8 rows further down, so dots only accumulate
 *   ESC .   a row of the ink that ESC r chose
 *   ESC i   a row that names its ink, of dots or of drops' sizes
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
#define LINE_FEED 0x0a
#define CARRIAGE_RETURN 0x0d
#define DC2 0x12
#define MAX_ROW 16384 /* bytes */

struct escp {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages;
    /* The page. */
    bool graphics_mode; /* ESC ( G: the commands of ESC/P 2 */
    unsigned dpi[2];
    bool weave, small;    /* MicroWeave, and dots: of 720 rows an inch */
    unsigned sizes;       /* ESC ( e: the set of drops, from 16 on */
    unsigned apart[2];    /* ESC ( D: dots and rows an inch */
    unsigned units;       /* rows an inch, of feeds */
    unsigned length, top; /* units */
    unsigned across;      /* of the sheet; units */
    bool used[4];         /* C, M, Y, K */
    bool columns;         /* printed with ESC * */
    unsigned compression;
    unsigned rows; /* that something was printed to */
    /* The head. */
    unsigned x, y; /* x in 1/60 inch */
    char ink;
    unsigned feed; /* LF, 1/360 inch */
};

static void new_page(struct escp *e)
{
    struct escp page = {
        .in = e->in, .paper = e->paper, .pages = e->pages, .ink = 'K'};

    *e = page;
}

/* The numbers of ESC r and ESC i. */
static char ink_of(const struct escp *e, unsigned number)
{
    switch (number) {
    case 0:
        return 'K';
    case 1:
        return 'M';
    case 2:
        return 'C';
    case 4:
        return 'Y';
    default:
        wrong(e->in, "color %u", number);
    }
}

/* Every row of a page has the same dots an inch. */
static void set_dpi(struct escp *e, unsigned across, unsigned down)
{
    if (e->dpi[0] != 0 && (e->dpi[0] != across || e->dpi[1] != down))
        wrong(e->in, "%ux%u dpi on a page of %ux%u", across, down, e->dpi[0],
              e->dpi[1]);
    e->dpi[0] = across;
    e->dpi[1] = down;
}

static void print_row(struct escp *e, char ink, size_t x, size_t y,
                      const unsigned char *bits, size_t count)
{
    if (e->sizes > 0)
        printed_drops(e->paper, e->in, ink, x, y, bits, count / 2);
    else
        printed_row(e->paper, e->in, ink, x, y, bits, count);
    e->used[strchr("CMYK", ink) - "CMYK"] = true;
    if (y >= e->rows)
        e->rows = (unsigned)y + 1;
}

/* ---- ESC/P 2: rows ------------------------------------------------------ */

static void print_raster(struct escp *e, unsigned compression, size_t bytes)
{
    unsigned char row[MAX_ROW];

    if (!e->graphics_mode)
        wrong(e->in, "a row outside of graphics mode");
    if (compression > 1 || bytes > MAX_ROW)
        wrong(e->in, "a row of %zu bytes, compression %u", bytes, compression);
    if (e->sizes > 0 ? !e->weave || e->apart[0] != e->dpi[0] ||
                           e->apart[1] != e->dpi[1] || e->across == 0
                     : (e->dpi[1] == 720) != (e->weave && e->small))
        wrong(e->in, "%u rows an inch with%s passes and dots for 720",
              e->dpi[1], e->weave && e->small ? "" : "out");
    e->compression = compression;
    if (compression == 0)
        memcpy(row, next_bytes(e->in, bytes), bytes);
    else
        next_packed(e->in, row, bytes);
    print_row(e, e->ink, 0, e->y, row, 8 * bytes);
}

/* ESC . c v h m nL nH: steps of 1/3600 inch, m rows of n dots. */
static void print_dot_raster(struct escp *e)
{
    unsigned compression = next_byte(e->in), down = next_byte(e->in),
             across = next_byte(e->in), rows = next_byte(e->in),
             dots = next_word(e->in);

    if (down == 0 || across == 0 || rows != 1 || dots % 8 != 0)
        wrong(e->in, "%u rows of %u dots in steps of %ux%u", rows, dots, across,
              down);
    set_dpi(e, 3600 / across, 3600 / down);
    if (e->units != e->dpi[1])
        wrong(e->in, "rows of 1/%u inch in units of 1/%u", e->dpi[1], e->units);
    print_raster(e, compression, dots / 8);
}

/* ESC i r c b nL nH mL mH: ink, b bits a dot, m rows of n bytes. */
static void print_ink_raster(struct escp *e)
{
    unsigned compression, bits, bytes, rows;

    e->ink = ink_of(e, next_byte(e->in));
    compression = next_byte(e->in);
    bits = next_byte(e->in);
    bytes = next_word(e->in);
    rows = next_word(e->in);
    if (bits != (e->sizes > 0 ? 2 : 1) || rows != 1 || e->dpi[0] == 0)
        wrong(e->in, "%u rows of %u bits a dot", rows, bits);
    print_raster(e, compression, bytes);
}

static void set_sizes(struct escp *e, unsigned set)
{
    e->sizes = set;
    printed_note(e->paper, "sizes %u", set);
}

static void set_across(struct escp *e, unsigned units)
{
    e->across = units;
    printed_note(e->paper, "across %u", units);
}

/* ESC ( and a letter, a count, data. */
static void extended_command(struct escp *e)
{
    unsigned letter = next_byte(e->in), count = next_word(e->in);
    const unsigned char *data = next_bytes(e->in, count);
    /* Printers with drops of three sizes take numbers of 32 bits. */
    const unsigned number = e->sizes > 0 ? 4 : 2;
    unsigned first = count >= 2 ? data[0] | (unsigned)data[1] << 8 : 0;

    if (count >= 4 && number == 4 && letter != 'D')
        first |= (unsigned)data[2] << 16 | (unsigned)data[3] << 24;

    if (letter == 'G' && count == 1 && data[0] == 1)
        e->graphics_mode = true;
    else if (letter == 'U' && count == 1 && data[0] > 0)
        e->units = 3600 / data[0];
    else if (letter == 'U' && count == 5 && data[0] > 0 && data[2] > 0 &&
             data[1] == data[0]) {
        unsigned base = data[3] | (unsigned)data[4] << 8;

        set_dpi(e, base / data[2], base / data[1]);
        e->units = base / data[0];
    } else if (letter == 'C' && count == number)
        e->length = first;
    else if (letter == 'c' && count == 2 * number)
        e->top = first;
    else if (letter == 'S' && count == 8 && e->sizes > 0)
        set_across(e, first);
    else if (letter == 'V' && count == number)
        e->y = first;
    else if (letter == 'v' && count == number)
        e->y += first;
    else if (letter == 'i' && count == 1 && data[0] == 1)
        e->weave = true;
    else if (letter == 'e' && count == 2 && data[0] == 0 && data[1] >= 16)
        set_sizes(e, data[1]);
    else if (letter == 'e' && count == 2 && first == 0x100)
        e->small = true;
    else if (letter == 'D' && count == 4 && first == 14400 && data[2] > 0 &&
             data[3] > 0) {
        e->apart[0] = first / data[3];
        e->apart[1] = first / data[2];
    } else
        wrong(e->in, "ESC ( %c with %u bytes", letter, count);
}

/* ---- ESC/P: columns ----------------------------------------------------- */

/* Modes of ESC *. `inch`: e->y of it, which counts ESC 3's feeds twice: they
 * are 1/216 inch for printers with 9 pins. */
static const struct mode {
    unsigned number, bytes, across, down, inch;
} modes[] = {{0, 1, 60, 72, 432},    {1, 1, 120, 72, 432},
             {3, 1, 240, 72, 432},   {39, 3, 180, 180, 360},
             {40, 3, 360, 180, 360}, {72, 6, 360, 360, 360}};

static const struct mode *mode_of(unsigned number)
{
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        if (modes[i].number == number)
            return &modes[i];
    return NULL;
}

/* The nozzles' bits of each column, the top one first, to rows. */
static void print_columns(struct escp *e)
{
    unsigned number = next_byte(e->in), count = next_word(e->in);
    const struct mode *mode = mode_of(number);
    unsigned char row[MAX_ROW];

    if (mode == NULL || count > 8 * MAX_ROW)
        wrong(e->in, "%u columns of mode %u", count, number);
    const unsigned bytes = mode->bytes, across = mode->across,
                   down = mode->down;
    const unsigned char *columns = next_bytes(e->in, (size_t)count * bytes);

    e->columns = true;
    set_dpi(e, across, down);
    if (e->y * down % mode->inch != 0)
        wrong(e->in, "columns at %u/%u inch", e->y, mode->inch);
    for (unsigned nozzle = 0; nozzle < 8 * bytes; nozzle++) {
        bool any = false;

        memset(row, 0, (count + 7) / 8);
        for (unsigned i = 0; i < count; i++)
            if (columns[i * bytes + nozzle / 8] & 128 >> nozzle % 8) {
                row[i / 8] |= (unsigned char)(128 >> i % 8);
                any = true;
            }
        if (any)
            print_row(e, 'K', (size_t)e->x * across / 60,
                      e->y * down / mode->inch + nozzle, row, count);
    }
}

/* ---- Commands ----------------------------------------------------------- */

static void escape(struct escp *e)
{
    unsigned command = next_byte(e->in);

    switch (command) {
    case '(':
        extended_command(e);
        return;
    case '.':
        print_dot_raster(e);
        return;
    case 'i':
        print_ink_raster(e);
        return;
    case 'r':
        e->ink = ink_of(e, next_byte(e->in));
        return;
    case '*':
        print_columns(e);
        return;
    case '$':
        e->x = next_word(e->in);
        return;
    case '3':
        e->feed = 2 * next_byte(e->in);
        return;
    case '+':
        e->feed = next_byte(e->in);
        return;
    case 'C':
        e->length = next_byte(e->in);
        return;
    case 'P': /* 10 characters an inch */
    case 'O': /* no perforation skip */
        return;
    case '2':
        e->feed = 60;
        return;
    case 'l': /* margins */
    case 'N':
    case 'Q':
    case 'U': /* directions */
    case 'x': /* quality */
        next_byte(e->in);
        return;
    default:
        wrong(e->in, "ESC 0x%02x", command);
    }
}

static void eject(struct escp *e)
{
    char inks[5] = "";
    size_t count = 0;

    for (size_t ink = 0; ink < 4; ink++)
        if (e->used[ink])
            inks[count++] = "CMYK"[ink];
    e->pages++;
    e->paper->sized = e->sizes > 0;
    if (e->paper->width == 0)
        printf("page %u: %ux%u dpi, inks %s, length %u, top %u, %s, "
               "compression %u, rows %u%s\n",
               e->pages, e->dpi[0], e->dpi[1], inks, e->length, e->top,
               e->columns ? "columns" : "rows", e->compression, e->rows,
               e->paper->notes);
    e->paper->notes[0] = '\0';
    printed_eject(e->paper);
}

/* One page, from behind its reset to its form feed; false when the reset was
 * the job's last. */
static bool read_page(struct escp *e)
{
    if (e->pages > 0 && e->in->at == e->in->size)
        return false;
    for (;;) {
        unsigned byte = next_byte(e->in);

        switch (byte) {
        case ESCAPE:
            escape(e);
            break;
        case CARRIAGE_RETURN:
            e->x = 0;
            break;
        case LINE_FEED:
            e->y += e->feed;
            break;
        case DC2: /* of rastertoepson's ESC P */
            break;
        case FORM_FEED:
            eject(e);
            return true;
        default:
            wrong(e->in, "0x%02x between commands", byte);
        }
    }
}

static void read_escp(struct job_bytes *in, struct printed *page)
{
    static const char packets[] = "\033\001@EJL 1284.4\n@EJL     \n";
    struct escp e = {.in = in, .paper = page};

    if (in->size > sizeof packets && in->data[1] == (unsigned char)packets[1])
        for (size_t i = 0; i + 1 < sizeof packets; i++)
            expect(in, (unsigned char)packets[i]);
    do {
        expect(in, ESCAPE);
        expect(in, '@');
        new_page(&e);
    } while (read_page(&e));
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_escp);
}
