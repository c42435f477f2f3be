/*
 * capabilities.h - corrects what PAPPL says that a printer can do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_CAPABILITIES_H
#define PAPPL_FIXES_CAPABILITIES_H

#include <cups/cups.h>

/* Corrects the attributes of a printer that this thread has just added those of
 * its driver to; does nothing when others were copied, of which `from` are. */
void capabilities_correct(ipp_t *in, const ipp_t *from);

#endif
