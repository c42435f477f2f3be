/*
 * decimal.h - plain numbers in options and files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_DECIMAL_H
#define FILTER_DECIMAL_H

#include <stdbool.h>

/*
 * Reads all of `text` as a decimal number without sign and exponent, up to
 * nine digits on each side of the point, and with a point whatever the user's
 * locale has. False, and `*out` as it was, when it is none or is not in
 * low..high.
 */
bool decimal_parse(const char *text, double low, double high, double *out);

#endif
