/*
 * drops.c - what a header says of drops of several sizes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>

#include "page/drops.h"

/* Which of cupsInteger has it. */
enum { COMMAND = 9, CODES = 10 };

void drops_set(cups_page_header2_t *header, const struct drop_codes *codes)
{
    header->cupsInteger[COMMAND] = codes->command;
    header->cupsInteger[CODES] = codes->codes;
}

bool drops_get(const cups_page_header2_t *header, struct drop_codes *codes)
{
    const unsigned command = header->cupsInteger[COMMAND],
                   of_sizes = header->cupsInteger[CODES];

    *codes = DROPS_USUAL;
    if (command == 0 && of_sizes == 0)
        return true;
    /* Bare paper is bare in every language. */
    if (command > UINT8_MAX || of_sizes > UINT8_MAX || of_sizes % 4 != 0)
        return false;
    codes->command = command;
    codes->codes = (unsigned char)of_sizes;
    return true;
}
