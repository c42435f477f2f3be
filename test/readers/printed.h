/*
 * printed.h - functions that the readers of printers' languages share: the
 * bytes of a job, and the page that they paint.
 *
 * Whatever a reader does not know or expect ends the program with one line,
 * as a printer would print rubbish: the functions here return only when all
 * is well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_PRINTED_H
#define TEST_PRINTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- The job ------------------------------------------------------------ */

struct job_bytes {
    unsigned char *data;
    size_t size, at;
};

/* The next byte. */
unsigned next_byte(struct job_bytes *in);

/* The next two, low byte first. */
unsigned next_word(struct job_bytes *in);

/* The next `count` bytes, which stay `in`'s. */
const unsigned char *next_bytes(struct job_bytes *in, size_t count);

/* Takes the next byte, which must be `expected`. */
void expect(struct job_bytes *in, unsigned expected);

/* Says where the job is wrong, and why, on standard error; exits with 1. */
_Noreturn void wrong(const struct job_bytes *in, const char *why, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Unpacks TIFF packed bits (Apple's PackBits): all of `from`'s `count` bytes
 * into at most `size` bytes. Returns how many they became; wrong() when they
 * are cut short or become too many.
 */
size_t unpack_bits(const struct job_bytes *in, const unsigned char *from,
                   size_t count, unsigned char *to, size_t size);

/* unpack_bits() into exactly `size` bytes, taken from `in` as needed, because
 * such data does not tell its packed length. */
void next_packed(struct job_bytes *in, unsigned char *to, size_t size);

/* ---- The page ----------------------------------------------------------- */

/* Names of inks are 'C', 'M', 'Y' and 'K'. */
#define PRINTED_NOTES 512

struct printed {
    uint32_t width, height;  /* of every page, in dots; 0: not kept */
    const char *inks;        /* of every page */
    unsigned char *plane[4]; /* C, M, Y, K: rows of (width + 3) / 4 bytes */
    bool sized;              /* the page has drops of several sizes */
    char notes[PRINTED_NOTES];
};

/*
 * Prints `count` dots, 1 = ink, the top bit of `bits` first, from (x, y) to
 * the right. No dot may lie outside the page, be of an ink that the page does
 * not have, or be printed twice: wrong().
 */
void printed_row(struct printed *page, const struct job_bytes *in, char ink,
                 size_t x, size_t y, const unsigned char *bits, size_t count);

/* printed_row() for dots of two bits, whose number is the size of a drop. */
void printed_drops(struct printed *page, const struct job_bytes *in, char ink,
                   size_t x, size_t y, const unsigned char *bits, size_t count);

/* Writes the planes as PBM files, or of a page of drops as PGM files of 0 to 3,
 * one behind the other, in the order C, M, Y, K, as "make-raster --dump-dots"
 * does, and takes a new sheet. */
void printed_eject(struct printed *page);

/* Notes a command that makes no dots, for the line of the page: what follows a
 * space. More than PRINTED_NOTES has room for ends the program. A page that is
 * kept has no line, and no notes. */
void printed_note(struct printed *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- The program -------------------------------------------------------- */

/*
 * Runs the reader of a language on the command line
 *
 *   NAME --pages FILE                    `read` prints a line for each page
 *   NAME --dots WIDTHxHEIGHT INKS FILE   each page's planes instead
 *
 * Returns the exit status.
 */
int read_job(int argc, char **argv,
             void (*read)(struct job_bytes *in, struct printed *page));

#endif
