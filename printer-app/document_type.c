/*
 * document_type.c - knows the first bytes of all printable documents. PAPPL 1.3
 * looks at them before it asks here, but knows neither PDF with something
 * before its header nor every JPEG.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem() */

#include "config.h"

#include <string.h>

#include "printer-app/document_type.h"
#include "printer-app/rip/rip.h"

struct start {
    const char *bytes, *type;
};

const char *document_type(const unsigned char *head, size_t size, void *data)
{
    static const struct start starts[] = {{"\xff\xd8\xff", "image/jpeg"},
                                          {"\x89PNG\r\n\x1a\n", "image/png"},
                                          {"RaS2PwgRaster", "image/pwg-raster"},
                                          {"UNIRAST", "image/urf"}};

    (void)data;
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const size_t length = strlen(starts[i].bytes);

        if (size >= length && memcmp(head, starts[i].bytes, length) == 0)
            return starts[i].type;
    }
    return memmem(head, size < RIP_HEAD ? size : RIP_HEAD, RIP_HEADER,
                  strlen(RIP_HEADER)) != NULL
               ? "application/pdf"
               : NULL;
}
