/*
 * application.h - the application's part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_APPLICATION_H
#define PAPPL_FIXES_APPLICATION_H

#include "pappl-fixes/pappl-fixes.h"

/* Returns what was set; each callback that is not there is NULL. */
const struct papplfixes *application(void);

/* Sets it, before there are other threads; NULL: none. */
void application_set(const struct papplfixes *part);

#endif
