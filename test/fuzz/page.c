/*
 * page.c - engines against the reference, with the methods' own tables.
 *
 *   input   pages, ENGINES_BYTES each
 *   holds   the same dots from all engines
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "test/fuzz/engines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t page[ENGINES_BYTES] = {0};

    memcpy(page, data, size < sizeof page ? size : sizeof page);
    engines_check(page, NULL, NULL);
    return 0;
}
