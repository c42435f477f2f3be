/*
 * decode_qpdl.c - reads a black QPDL (SPL 2) job of SpliX, for Samsung's and
 * Xerox's laser printers, back into dots, where it is packed by the method
 * 0x11, as for black models of QPDL versions 1 and 2. Color models, as CLP-300,
 * and those of versions 3 and 5 take JBIG, which it refuses.
 *
 *   decode-qpdl --pages FILE | --dots WIDTHxHEIGHT K FILE
 *
 * A page is a header, bands and a footer. A band holds the bytes of its columns
 * one below the other, each of eight dots of a row, 0 = ink, and then those of
 * the next column. They are packed: 64 distances, some bytes as they are, and
 *
 *   0nnnnnnn           n + 1 bytes that follow
 *   1nnnnnnn Nniiiiii  n + 3 bytes again, from the distance of the number i
 *
 * where Nn are the bits 8 and 7 of n.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define ENTER "ENTER LANGUAGE = QPDL\n"
#define DISTANCES 64
#define MAX_BAND (1u << 22) /* bytes */

enum record { PAGE = 0, FOOTER = 1, END = 9, BAND = 12 };

struct qpdl {
    struct job_bytes *in;
    struct printed *paper;
    unsigned pages, version;
    unsigned rows; /* below which no band has come */
    bool open;     /* within a page */
    unsigned char band[MAX_BAND];
};

static unsigned next_high_word(struct job_bytes *in)
{
    unsigned high = next_byte(in);

    return high << 8 | next_byte(in);
}

static size_t next_size(struct job_bytes *in)
{
    size_t high = next_high_word(in);

    return high << 16 | next_high_word(in);
}

/* ---- Packed bytes ------------------------------------------------------- */

/* Copies bytes that stand before; they may overlap. */
static void repeat(const struct job_bytes *in, unsigned char *to, size_t done,
                   size_t distance, size_t count)
{
    if (distance == 0 || distance > done)
        wrong(in, "a distance of %zu at byte %zu of a band", distance, done);
    for (size_t i = 0; i < count; i++)
        to[done + i] = to[done + i - distance];
}

/* Unpacks all of `in`, which must become `size` bytes. */
static void unpack(struct job_bytes *in, unsigned char *to, size_t size)
{
    size_t done = next_word(in);
    size_t distance[DISTANCES], count;

    if (next_word(in) != 0 || done > size)
        wrong(in, "a band of %zu bytes begins with more", size);
    for (size_t i = 0; i < DISTANCES; i++)
        distance[i] = next_word(in);
    memcpy(to, next_bytes(in, done), done);
    while (in->at < in->size) {
        unsigned head = next_byte(in);
        unsigned second = head < 128 ? 0 : next_byte(in);

        count =
            head < 128 ? head + 1 : (head & 127) + ((second & 0xc0u) << 1) + 3;
        if (count > size - done)
            wrong(in, "more than the %zu bytes of a band", size);
        if (head < 128)
            memcpy(to + done, next_bytes(in, count), count);
        else
            repeat(in, to, done, distance[second & 63], count);
        done += count;
    }
    if (done != size)
        wrong(in, "%zu bytes of a band of %zu", done, size);
}

/* ---- Pages -------------------------------------------------------------- */

static void begin_page(struct qpdl *q)
{
    const unsigned char *header = next_bytes(q->in, 16);

    if (q->open)
        wrong(q->in, "a page within a page");
    q->open = true;
    q->rows = 0;
    q->version = header[13];
    if (q->version != 1 && q->version != 2)
        wrong(q->in, "QPDL version %u", q->version);
    if (q->paper->width == 0)
        printf("page %u: %ux%u dpi, %ux%u, copies %u\n", q->pages + 1,
               header[15] * 100u, header[0] * 100u,
               header[4] * 256u + header[5], header[6] * 256u + header[7],
               header[1] * 256u + header[2]);
}

static void print_band(struct qpdl *q, unsigned width, unsigned height,
                       unsigned top)
{
    for (size_t column = 0; column < width / 8; column++)
        for (unsigned y = 0; y < height; y++) {
            unsigned char dots = q->band[column * height + y] ^ 255;

            printed_row(q->paper, q->in, 'K', 8 * column, top + y, &dots, 8);
        }
}

static void take_band(struct qpdl *q)
{
    struct job_bytes *in = q->in;
    unsigned number = next_byte(in);
    unsigned width = next_high_word(in), height = next_high_word(in);
    unsigned method = next_byte(in);
    if (method < 0x10) /* the ink, on pages of color */
        method = next_byte(in);
    size_t size = next_size(in);
    unsigned top = number * height;
    struct job_bytes packed;

    if (!q->open)
        wrong(in, "a band outside of a page");
    if (method == 0x13)
        wrong(in, "a band of JBIG, which is not read here");
    if (method != 0x11)
        wrong(in, "the method 0x%02x", method);
    if (width % 8 != 0 || (size_t)width / 8 * height > MAX_BAND)
        wrong(in, "a band of %ux%u", width, height);
    if (top < q->rows)
        wrong(in, "band %u again", number);
    if (size < 8)
        wrong(in, "a band of %zu bytes", size);
    /* The order of bytes and the version before, the sum of all behind. */
    expect(in, 0xef);
    expect(in, 0xcd);
    expect(in, 0xab);
    expect(in, 0x09);
    packed = (struct job_bytes){in->data, in->at + size - 8, in->at};
    next_bytes(in, size - 4);
    unpack(&packed, q->band, (size_t)width / 8 * height);
    print_band(q, width, height, top);
    q->rows = top + height;
}

static void end_page(struct qpdl *q)
{
    next_bytes(q->in, 2); /* copies */
    if (!q->open)
        wrong(q->in, "the end of no page");
    q->open = false;
    q->pages++;
    printed_eject(q->paper);
}

static void skip_pjl(struct job_bytes *in)
{
    const size_t size = sizeof(ENTER) - 1;

    while (in->size - in->at < size ||
           memcmp(in->data + in->at, ENTER, size) != 0)
        next_byte(in);
    next_bytes(in, size);
}

static void read_qpdl(struct job_bytes *in, struct printed *page)
{
    static struct qpdl q;
    unsigned record;

    q = (struct qpdl){.in = in, .paper = page};
    skip_pjl(in);
    while ((record = next_byte(in)) != END) {
        switch (record) {
        case PAGE:
            begin_page(&q);
            break;
        case BAND:
            take_band(&q);
            break;
        case FOOTER:
            end_page(&q);
            break;
        default:
            wrong(in, "a record %u", record);
        }
    }
    if (q.open || q.pages == 0)
        wrong(in, "a page without an end");
}

int main(int argc, char **argv)
{
    return read_job(argc, argv, read_qpdl);
}
