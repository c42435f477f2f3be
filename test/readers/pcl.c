/*
 * pcl.c - escape sequences and packed rows of HP's languages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "test/readers/pcl.h"

#define MAX_NUMBER 65535

/* ---- Escape sequences --------------------------------------------------- */

/* A number with its sign, to the character behind it, which is returned. */
static char next_number(struct job_bytes *in, int *number)
{
    unsigned byte = next_byte(in);
    bool minus = byte == '-';

    *number = 0;
    if (byte == '-' || byte == '+')
        byte = next_byte(in);
    for (; byte >= '0' && byte <= '9'; byte = next_byte(in)) {
        *number = 10 * *number + (int)(byte - '0');
        if (*number > MAX_NUMBER)
            wrong(in, "a number beyond %d", MAX_NUMBER);
    }
    if (minus)
        *number = -*number;
    return (char)byte;
}

/* A small letter says that one more number follows. */
void pcl_escape(struct job_bytes *in, unsigned first,
                void (*command)(void *context, const char *family, int number,
                                char letter),
                void *context)
{
    char family[3] = {(char)first, (char)next_byte(in), '\0'};
    char letter;
    int number;

    do {
        letter = next_number(in, &number);
        if (letter >= 'a' && letter <= 'z')
            command(context, family, number, (char)(letter - 'a' + 'A'));
        else if (letter >= 'A' && letter <= 'Z')
            command(context, family, number, letter);
        else
            wrong(in, "ESC%s%d and then 0x%02x", family, number,
                  (unsigned char)letter);
    } while (letter >= 'a');
}

/* ---- Rows --------------------------------------------------------------- */

static size_t copy(const struct job_bytes *in, const unsigned char *from,
                   size_t count, unsigned char *row)
{
    if (count > PCL_MAX_ROW)
        wrong(in, "a row of %zu bytes", count);
    memcpy(row, from, count);
    return count;
}

/* Pairs: repetitions, byte. */
static size_t unpack_runs(const struct job_bytes *in, const unsigned char *from,
                          size_t count, unsigned char *row)
{
    size_t size = 0;

    if (count % 2 != 0)
        wrong(in, "half a pair");
    for (; count > 0; count -= 2, from += 2) {
        if (size + from[0] + 1 > PCL_MAX_ROW)
            wrong(in, "a row of more than %d bytes", PCL_MAX_ROW);
        memset(row + size, from[1], from[0] + 1u);
        size += from[0] + 1u;
    }
    return size;
}

/* One replacement: bytes - 1 in three bits and how many to skip before them in
 * five, 31 being continued in bytes up to one below 255; then the bytes. */
static size_t replace(struct job_bytes *delta, unsigned char *row, size_t at)
{
    unsigned head = next_byte(delta);
    size_t count = (head >> 5) + 1;
    unsigned more = head & 31;

    at += more;
    if (more == 31) {
        do {
            more = next_byte(delta);
            at += more;
        } while (more == 255);
    }
    if (at + count > PCL_MAX_ROW)
        wrong(delta, "a row of more than %d bytes", PCL_MAX_ROW);
    memcpy(row + at, next_bytes(delta, count), count);
    return at + count;
}

size_t pcl_unpack(struct job_bytes *in, size_t count, unsigned method,
                  unsigned char *row)
{
    size_t start = in->at, size = 0;
    const unsigned char *from = next_bytes(in, count);
    struct job_bytes delta = {in->data, start + count, start};

    switch (method) {
    case 0:
        size = copy(in, from, count, row);
        break;
    case 1:
        size = unpack_runs(in, from, count, row);
        break;
    case 2:
        size = unpack_bits(in, from, count, row, PCL_MAX_ROW);
        break;
    case 3:
        while (delta.at < delta.size)
            size = replace(&delta, row, size);
        return PCL_MAX_ROW;
    default:
        wrong(in, "compression %u", method);
    }
    memset(row + size, 0, PCL_MAX_ROW - size);
    return size;
}
