/*
 * ppd.c - PPDs through the conversion of tools/halftone-ppd.
 *
 *   input   a byte for the dots, then a PPD
 *   holds   what is refused has a reason; what is converted can be opened, and
 *           is not converted once more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/run.h"
#include "ppd-convert/convert.h"
#include "ppd-convert/source.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static void check_converted(const char *bytes, size_t size)
{
    char why[CONVERT_WHY] = "";
    ppd_file_t *ppd = source_open(bytes, size, why);
    size_t again;
    char *twice;

    if (ppd == NULL)
        run_fail("what was converted cannot be opened: %s", why);
    ppdClose(ppd);
    twice = ppd_convert(bytes, size, DOTS_BY_KIND, &again, why);
    if (twice != NULL)
        run_fail("converted twice");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[CONVERT_WHY] = "";
    size_t converted_size;
    char *converted;

    if (size < 1)
        return 0;
    converted =
        ppd_convert((const char *)data + 1, size - 1,
                    (enum convert_dots)(data[0] % 4), &converted_size, why);
    if (converted != NULL)
        check_converted(converted, converted_size);
    else if (why[0] == '\0' || strlen(why) >= sizeof why)
        run_fail("refused without a reason");
    free(converted);
    return 0;
}
