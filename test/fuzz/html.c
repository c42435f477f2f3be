/*
 * html.c - web pages, in which names of jobs and printers are anybody's.
 *
 *   input   HTML
 *   holds   all of its text is in the page that is sent, in the same order;
 *           the form that identifies a printer may go
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <string.h>

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
    const struct html_span page = {(const char *)data, size};
    struct html_span rest = page, text;
    struct tag tag = {.closes = false};
    struct html html = {.bytes = NULL};
    const char *at, *end;
    bool more;

    page_mend(&html, page, &facts);
    if (html.failed)
        run_fail("no page");
    if (memmem(data, size, "\"identify-printer\"", 18) != NULL)
        goto done;
    at = html.bytes;
    end = at + html.size;
    do {
        more = tag_next(&rest, &text, &tag);
        for (size_t i = 0; i < text.size; i++) {
            at = memchr(at, text.at[i], (size_t)(end - at));
            if (at == NULL)
                run_fail("text is lost: %.*s", (int)text.size, text.at);
            at++;
        }
    } while (more);
done:
    html_free(&html);
    return 0;
}
