/*
 * pappl_program.c - a program of PAPPL's that knows nothing of pappl-fixes/:
 * says whether copies of an attribute have collections of their own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include <pappl/pappl.h>

int main(void)
{
    ipp_t *from = ippNew(), *to = ippNew(), *member = ippNew();
    ipp_attribute_t *made =
        ippAddCollection(from, IPP_TAG_PRINTER, "media-col-ready", member);
    ipp_attribute_t *copy = ippCopyAttribute(to, made, 0);

    puts(ippGetCollection(copy, 0) == ippGetCollection(made, 0)
             ? "Copies share collections."
             : "Copies have collections of their own.");
    ippDelete(member);
    ippDelete(to);
    ippDelete(from);
    return papplSystemIsRunning(NULL);
}
