/*
 * decimal.c - plain numbers in options and files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "filter/decimal.h"

#define MAX_DIGITS 9 /* on each side of the point */

/* Takes digits on; returns how many there were, MAX_DIGITS + 1 for more. */
static int take_digits(const char **text, double *value)
{
    int digits = 0;

    for (; **text >= '0' && **text <= '9' && digits <= MAX_DIGITS;
         ++*text, digits++)
        *value = *value * 10 + (**text - '0');
    return digits;
}

bool decimal_parse(const char *text, double low, double high, double *out)
{
    double value = 0;
    int whole = take_digits(&text, &value), fraction = 0;

    if (*text == '.') {
        text++;
        fraction = take_digits(&text, &value);
    }
    if (*text != '\0' || whole < 1 || whole > MAX_DIGITS ||
        fraction > MAX_DIGITS)
        return false;
    for (; fraction > 0; fraction--)
        value /= 10;
    if (value < low || value > high)
        return false;
    *out = value;
    return true;
}
