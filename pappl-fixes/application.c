/*
 * application.c - the application's part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "pappl-fixes/application.h"

static const struct papplfixes none;
static const struct papplfixes *set = &none;

const struct papplfixes *application(void)
{
    return set;
}

void application_set(const struct papplfixes *part)
{
    set = part != NULL ? part : &none;
}
