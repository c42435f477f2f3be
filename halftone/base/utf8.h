/*
 * utf8.h - text of strangers, as UTF-8 that lines and names can have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Returns how many bytes the character at `text` has, or 0 if these are none,
 * or if it is a control character, as the end of the text is, or ends a line or
 * paragraph (U+2028, U+2029). */
size_t utf8_character(const char *text);

/*
 * Copies as many whole characters of `from` as `room` bytes have place for with
 * a final NUL, and `other` for each byte that is of none. Returns their bytes.
 * `to` may be `from`; `room` is at least 1.
 */
size_t utf8_copy(char *to, size_t room, const char *from, char other);

#endif
