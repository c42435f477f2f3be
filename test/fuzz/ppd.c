/*
 * ppd.c - PPDs through the conversion of tools/halftone-ppd.
 *
 *   input   a byte for the dots, then a PPD; or, if FUZZ_FOOMATIC is defined,
 *           what follows in one whose filter is foomatic-rip
 *   holds   what is refused has a reason; what is converted can be opened, and
 *           is not converted once more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/run.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/source.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#ifdef FUZZ_FOOMATIC
static const char head[] =
    "*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
    "*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n"
    "*PCFileName: \"FUZZ.PPD\"\n*Product: \"(Fuzz)\"\n"
    "*PSVersion: \"(3010.000) 0\"\n*Manufacturer: \"Fuzz\"\n"
    "*ModelName: \"Fuzz\"\n*ShortNickName: \"Fuzz\"\n*NickName: \"Fuzz\"\n"
    "*cupsFilter: \"application/vnd.cups-postscript 0 foomatic-rip\"\n";
#else
static const char head[] = "";
#endif

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
    const size_t before = strlen(head), whole = before + size - 1;
    size_t converted_size;
    char *converted, *ppd = size < 1 ? NULL : malloc(whole + 1);

    if (ppd == NULL)
        return 0;
    memcpy(ppd, head, before);
    memcpy(ppd + before, data + 1, size - 1);
    converted = ppd_convert(ppd, whole, (enum convert_dots)(data[0] % 4),
                            &converted_size, why);
    if (converted != NULL)
        check_converted(converted, converted_size);
    else if (why[0] == '\0' || strlen(why) >= sizeof why)
        run_fail("refused without a reason");
    free(converted);
    free(ppd);
    return 0;
}
