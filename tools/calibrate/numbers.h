/*
 * numbers.h - a decimal point in the numbers that this thread writes, whatever
 * the locale of the program is: a server may have any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CALIBRATE_NUMBERS_H
#define CALIBRATE_NUMBERS_H

#include <locale.h>

struct numbers {
    locale_t plain, before;
};

/* From here to numbers_end(), of the same thread, printf() writes points. */
struct numbers numbers_begin(void);
void numbers_end(struct numbers numbers);

#endif
