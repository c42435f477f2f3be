/*
 * id.c - fuzzes the identifications of printers, by USB and from the network.
 *
 *   input   an IEEE 1284 id
 *   holds   a family or else a line of ASCII; by IPP no other than PWG raster
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "printer-app/families/family_id.h"
#include "test/fuzz/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[FAMILY_REFUSAL] = "", *id = malloc(size + 1);

    if (id == NULL)
        return 0;
    memcpy(id, data, size);
    id[size] = '\0';
    const struct family *family = family_of_id(id, "usb://X/Y", why);
    const size_t length = strlen(why);

    if ((family == NULL) != (length > 0))
        run_fail("a family and a line, or neither");
    for (size_t i = 0; i < length; i++)
        if (why[i] < ' ' || why[i] > '~')
            run_fail("not ASCII: %s", why);
    family = family_of_id(id, "ipp://host/ipp/print", why);
    if (family != NULL && strcmp(family->name, "pwg-raster") != 0)
        run_fail("by IPP another family");
    free(id);
    return 0;
}
