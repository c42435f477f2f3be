/*
 * rows.c - rows of dots, packed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/pack/rows.h"

bool rows_is_bare(const unsigned char *row, size_t bytes)
{
    return row[0] == 0 && memcmp(row, row + 1, bytes - 1) == 0;
}

/* ---- PackBits ----------------------------------------------------------- */

/* Counts the bytes at `from` that are equal, up to 128. */
static size_t repeats_of(const unsigned char *from, size_t size)
{
    size_t repeats = 1;

    while (repeats < size && repeats < 128 && from[repeats] == from[0])
        repeats++;
    return repeats;
}

/* Counts the bytes, up to 128 and `least` at least, in front of three that are
 * equal. */
static size_t literals_of(const unsigned char *from, size_t size, size_t least)
{
    const size_t most = size < 128 ? size : 128;
    const size_t last = size > 2 ? size - 2 : 0; /* where no three begin */
    size_t literal = least;

    for (; literal < most; literal++)
        if (literal < last && from[literal] == from[literal + 1] &&
            from[literal] == from[literal + 2])
            break;
    return literal;
}

size_t rows_pack(const unsigned char *from, size_t size, unsigned char *to)
{
    unsigned char *const packed = to;

    while (size > 0) {
        const size_t repeats = repeats_of(from, size);

        if (repeats > 2) {
            *to++ = (unsigned char)(257 - repeats);
            *to++ = *from;
            from += repeats;
            size -= repeats;
            continue;
        }
        const size_t literal = literals_of(from, size, repeats);
        *to++ = (unsigned char)(literal - 1);
        memcpy(to, from, literal);
        to += literal;
        from += literal;
        size -= literal;
    }
    return (size_t)(to - packed);
}

/* ---- Delta rows --------------------------------------------------------- */

/* Puts the head of a replacement: its bytes, 1 to 8, and the equal bytes before
 * it; 31 and more of these continue in further bytes, the last below 255. */
static unsigned char *put_head(unsigned char *to, size_t count, size_t equal)
{
    const size_t in_head = equal < 31 ? equal : 31;

    *to++ = (unsigned char)((count - 1) << 5 | in_head);
    if (in_head < 31)
        return to;
    for (equal -= 31; equal >= 255; equal -= 255)
        *to++ = 255;
    *to++ = (unsigned char)equal;
    return to;
}

size_t rows_pack_delta(const unsigned char *from, const unsigned char *before,
                       size_t size, unsigned char *to)
{
    unsigned char *const packed = to;
    size_t done = 0;

    for (size_t at = 0; at < size; at++) {
        size_t count = 0;

        while (count < 8 && at + count < size &&
               from[at + count] != before[at + count])
            count++;
        if (count == 0)
            continue;
        to = put_head(to, count, at - done);
        memcpy(to, from + at, count);
        to += count;
        done = at + count;
        at = done - 1;
    }
    return (size_t)(to - packed);
}

/* ---- Places ------------------------------------------------------------- */

void rows_shift(const unsigned char *from, unsigned width, int shift,
                unsigned char *to)
{
    const unsigned reach = (unsigned)((int)width + shift);
    const size_t count = (width + 7) / 8, bytes = (reach + 7) / 8;
    /* Split `shift` into whole bytes, rounded down, and the remaining bits. */
    const int bits = (shift % 8 + 8) % 8, whole = (shift - bits) / 8;

    for (size_t i = 0; i < bytes; i++) {
        const ptrdiff_t at = (ptrdiff_t)i - whole;
        unsigned two = 0; /* the bytes that reach into this one */

        if (at >= 1 && at <= (ptrdiff_t)count)
            two = (unsigned)from[at - 1] << 8;
        if (at >= 0 && at < (ptrdiff_t)count)
            two |= from[at];
        to[i] = (unsigned char)(two >> bits);
    }
    if (reach % 8 != 0)
        to[bytes - 1] &= (unsigned char)(0xff00 >> reach % 8);
}

void rows_widen(unsigned char *row, unsigned width)
{
    /* From the right, as there is room for all of them there. */
    for (size_t i = ((size_t)width + 3) / 4; i-- > 0;) {
        const unsigned four = row[i / 2] >> (i % 2 == 0 ? 4 : 0);
        unsigned wide = 0;

        for (unsigned dot = 0; dot < 4; dot++)
            wide |= (four >> dot & 1) * 3 << 2 * dot;
        row[i] = (unsigned char)wide;
    }
}
