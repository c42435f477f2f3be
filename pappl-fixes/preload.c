/*
 * preload.c - the library for a PAPPL application that does not know of it:
 * LD_PRELOAD=papplfixes.so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stddef.h>

#include "pappl-fixes/pappl-fixes.h"
#include "pappl-fixes/replaced.h"

/* Other programs, which inherit the environment, are left alone. */
static void __attribute__((constructor)) begin(void)
{
    if (replaced_program_needs_pappl())
        papplfixes_start(NULL);
}
