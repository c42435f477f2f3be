/*
 * document_type.h - tells the type of a document whose client does not name it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_DOCUMENT_TYPE_H
#define PRINTER_APP_DOCUMENT_TYPE_H

#include <stddef.h>

/* Returns the MIME type of a document that begins with `head`, some thousand
 * bytes if it has so many, or NULL for one that is not printed. `data` is not
 * used: PAPPL's callback. Static. */
const char *document_type(const unsigned char *head, size_t size, void *data);

#endif
