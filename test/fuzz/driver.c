/*
 * driver.c - what cups-driverd says of PPDs, as driver programs tell it: the
 * list that CUPS reads from us is made of it, and is root's.
 *
 *   input   cups-driverd's answer
 *   holds   each line is one that CUPS reads, with a mark where the name of the
 *           dots goes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/driver/models.h"
#include "test/fuzz/run.h"

/* Checks "halftone:NAME" LANGUAGE "MAKE" "MODEL\1" "ID" "PRODUCT" "VERSION". */
static void check_line(const char *line)
{
    size_t quotes = 0, marks = 0;

    for (const char *c = line; *c != '\0'; c++) {
        quotes += *c == '"';
        marks += *c == MODELS_MARK && quotes == 5 && c[1] == '"';
        if (iscntrl((unsigned char)*c) && *c != MODELS_MARK)
            run_fail("a control character: %s", line);
    }
    if (quotes != 12 || marks != 1 || strlen(line) > 2000 ||
        strncmp(line, "\"" MODELS_SCHEME, strlen("\"" MODELS_SCHEME)) != 0)
        run_fail("no line: %s", line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *lines = NULL;
    size_t length = 0;
    FILE *answer = size == 0 ? NULL : fmemopen((void *)data, size, "r");
    FILE *out = open_memstream(&lines, &length);

    if (answer != NULL && out != NULL)
        models_write(answer, out);
    if (answer != NULL)
        fclose(answer);
    if (out != NULL)
        fclose(out);
    for (char *line = lines == NULL ? NULL : strtok(lines, "\n"); line != NULL;
         line = strtok(NULL, "\n"))
        check_line(line);
    free(lines);
    return 0;
}
