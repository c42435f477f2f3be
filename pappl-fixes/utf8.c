/*
 * utf8.c - text of strangers, as UTF-8 that lines and names can have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "pappl-fixes/utf8.h"

/* Returns how many bytes the character at `text` has, 0 if it is none of a
 * line. */
static size_t character(const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    const unsigned bytes = c[0] < 0x80   ? 1
                           : c[0] < 0xc0 ? 0
                           : c[0] < 0xe0 ? 2
                           : c[0] < 0xf0 ? 3
                           : c[0] < 0xf8 ? 4
                                         : 0;
    uint32_t code = bytes > 1 ? c[0] & (0x7fu >> bytes) : c[0];

    for (unsigned i = 1; i < bytes; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (c[i] & 0x3fu);
    }
    if (code < least[bytes] || code > 0x10ffff || /* too long, no Unicode */
        (code >= 0xd800 && code < 0xe000) ||      /* surrogates */
        code < ' ' || (code >= 0x7f && code < 0xa0) || code == 0x2028 ||
        code == 0x2029)
        return 0;
    return bytes;
}

size_t utf8_copy_line(char *to, size_t room, const char *from, char other)
{
    size_t used = 0;

    while (*from != '\0') {
        const size_t bytes = character(from), taken = bytes > 0 ? bytes : 1;

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
