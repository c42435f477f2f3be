/*
 * attributes.h - which attributes of a printer are set by requests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_ATTRIBUTES_H
#define PAPPL_FIXES_ATTRIBUTES_H

/* This thread begins with a request: nothing of it was refused. */
void attributes_begin(void);

#endif
