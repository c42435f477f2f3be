/*
 * html.c - web pages, in which names of jobs and printers are anybody's.
 *
 *   input   HTML
 *   holds   a page is made of it, or none
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "printer-app/web/page_mend.h"
#include "test/fuzz/run.h"

static const char *say(const char *english, void *data)
{
    (void)data;
    return english;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct page_facts facts = {.language = "en",
                                            .server = "Server",
                                            .plain_links = true,
                                            .field = "a",
                                            .why = "<why>",
                                            .say = say};
    size_t bytes;
    char *mended = page_mend((const char *)data, size, &facts, &bytes);

    if ((mended == NULL) != (bytes == 0))
        run_fail("a page of %zu bytes", bytes);
    free(mended);
    return 0;
}
