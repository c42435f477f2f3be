/*
 * numbers.c - a decimal point in the numbers that this thread writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "tools/calibrate/numbers.h"

struct numbers numbers_begin(void)
{
    struct numbers numbers;

    numbers.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    assert(numbers.plain != (locale_t)0); /* glibc and musl have it built in */
    numbers.before = uselocale(numbers.plain);
    return numbers;
}

void numbers_end(struct numbers numbers)
{
    uselocale(numbers.before);
    freelocale(numbers.plain);
}
