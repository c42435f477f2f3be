/*
 * utf8.c - text of strangers, as UTF-8 that lines and names can have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "halftone/base/utf8.h"

/* Unicode 15, tables 3-7 and 23-1. */
size_t utf8_character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const unsigned bytes = c[0] < 0x80   ? 1
                           : c[0] < 0xc2 ? 0
                           : c[0] < 0xe0 ? 2
                           : c[0] < 0xf0 ? 3
                           : c[0] < 0xf5 ? 4
                                         : 0;

    if (bytes == 1)
        return c[0] >= ' ' && c[0] != 0x7f;
    for (unsigned i = 1; i < bytes; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    const bool bad = (c[0] == 0xc2 && c[1] < 0xa0) || /* controls */
                     (c[0] == 0xe0 && c[1] < 0xa0) || /* too long */
                     (c[0] == 0xe2 && c[1] == 0x80 && /* ends of lines */
                      (c[2] == 0xa8 || c[2] == 0xa9)) ||
                     (c[0] == 0xed && c[1] > 0x9f) || /* surrogates */
                     (c[0] == 0xf0 && c[1] < 0x90) || /* too long */
                     (c[0] == 0xf4 && c[1] > 0x8f);   /* beyond Unicode */

    return bad ? 0 : bytes;
}

size_t utf8_copy(char *to, size_t room, const char *from, char other)
{
    size_t used = 0;

    while (*from != '\0') {
        const size_t bytes = utf8_character(from),
                     taken = bytes > 0 ? bytes : 1;

        if (used + taken >= room)
            break;
        if (bytes > 0)
            memmove(to + used, from, bytes);
        else
            to[used] = other;
        used += taken;
        from += taken;
    }
    to[used] = '\0';
    return used;
}
