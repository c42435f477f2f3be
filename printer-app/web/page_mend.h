/*
 * page_mend.h - makes a web page of PAPPL's one that everybody can use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PAGE_MEND_H
#define PRINTER_APP_PAGE_MEND_H

#include <stdbool.h>
#include <stddef.h>

/* Facts that the page itself does not contain. */
struct page_facts {
    const char *language; /* of its text, as of "lang" */
    const char *server;   /* its name, which ends each title */
    bool plain_links;     /* those by https lead there as the page came */
    const char *field;    /* that is wrong, by its name; "" = none */
    const char *why;      /* in English; "" = nothing is wrong */

    /* Says words of ours in the page's language. */
    const char *(*say)(const char *english, void *data);
    void *data;
};

/* Returns the page as it is to be sent, to be freed, and its bytes; NULL if
 * memory lacks, or for a page of more than 8 MiB. */
char *page_mend(const char *page, size_t size, const struct page_facts *facts,
                size_t *bytes);

#endif
