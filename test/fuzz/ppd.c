/*
 * ppd.c - PPDs through the conversion of tools/halftone-ppd.
 *
 *   input   a byte for the dots, then a PPD; or, if FUZZ_FOOMATIC is defined,
 *           what follows in one whose filter is foomatic-rip; and behind a NUL
 *           what Gutenprint's programs answer, and a paper for the PPD
 *   holds   what is refused has a reason; what is converted can be opened, and
 *           is not converted once more; to offer a paper twice changes nothing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/run.h"
#include "ppd/convert/convert.h"
#include "ppd/convert/papers.h"
#include "ppd/convert/program.h"
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

/* Points at the bytes behind the PPD. */
static const uint8_t *behind;
static size_t behind_size;

/* The linker puts these in the places of program_start() and so on. */
int __wrap_access(const char *path, int mode);
bool __wrap_program_start(struct other_program *program,
                          const char *const argv[]);
bool __wrap_program_end(const struct other_program *program);

int __wrap_access(const char *path, int mode)
{
    return path[0] == '\0' ? mode : 0;
}

bool __wrap_program_start(struct other_program *program,
                          const char *const argv[])
{
    (void)argv;
    *program = (struct other_program){.output = run_file(behind, behind_size)};
    return true;
}

bool __wrap_program_end(const struct other_program *program)
{
    (void)program;
    return true;
}

/* Offers the paper in a PPD that has our dots, and once more. */
static void check_paper(const char *bytes, size_t size)
{
    char path[96], why[PAPER_FILE_WHY] = "";
    const char *const files[] = {path};
    size_t once = 0, twice = 0;

    snprintf(path, sizeof path, "%s/a.paper", run_folder());
    run_write("a.paper", behind, behind_size);
    char *offered = papers_add(bytes, size, files, 1, &once, why);
    char *again = offered == NULL
                      ? NULL
                      : papers_add(offered, once, files, 1, &twice, why);

    if (offered == NULL ? why[0] == '\0'
                        : again == NULL || once != twice ||
                              memcmp(offered, again, once) != 0)
        run_fail("a paper: %s", why);
    free(offered);
    free(again);
}

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
    const uint8_t *end = size < 1 ? NULL : memchr(data + 1, '\0', size - 1);
    const size_t after = end == NULL ? size : (size_t)(end - data);
    const size_t before = strlen(head), whole = before + after - 1;
    size_t converted_size;
    char *converted, *ppd = size < 1 ? NULL : malloc(whole + 1);

    if (ppd == NULL)
        return 0;
    memcpy(ppd, head, before);
    memcpy(ppd + before, data + 1, after - 1);
    behind = end == NULL ? data : end + 1;
    behind_size = end == NULL ? 0 : size - after - 1;
    converted = ppd_convert(ppd, whole, (enum convert_dots)(data[0] % 4),
                            &converted_size, why);
    if (converted != NULL)
        check_converted(converted, converted_size);
    else if (why[0] == '\0' || strlen(why) >= sizeof why)
        run_fail("refused without a reason");
    if (end != NULL && converted != NULL)
        check_paper(converted, converted_size);
    else if (end != NULL)
        check_paper(ppd, whole);
    free(converted);
    free(ppd);
    return 0;
}
