/*
 * utf8.h - text of strangers, as UTF-8 that lines and names can have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_UTF8_H
#define PAPPL_FIXES_UTF8_H

#include <stddef.h>

/*
 * Copies as many whole characters of `from` as `room` bytes have place for with
 * a final NUL, and `other` for each byte that is of none, or of a control
 * character or an end of a line or paragraph. Returns their bytes. `to` may be
 * `from`; `room` is at least 1.
 */
size_t utf8_copy_line(char *to, size_t room, const char *from, char other);

#endif
