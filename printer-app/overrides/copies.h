/*
 * copies.h - copies of attributes that have nothing in common with what
 * they were copied from.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_OVERRIDES_COPIES_H
#define PRINTER_APP_OVERRIDES_COPIES_H

#include <cups/cups.h>

/* As ippCopyAttributes() of libcups, with collections of their own. */
int copies_make(ipp_t *to, ipp_t *from, int quick, ipp_copycb_t callback,
                void *context);

#endif
