/*
 * memory.c - ends the program when no memory is left.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "page/memory.h"
#include "page/message.h"

static _Thread_local const char *insisted;

void memory_insist(const char *needed)
{
    insisted = needed;
}

void *memory_look_at(void *got, size_t size)
{
    const char *needed = insisted;

    if (got != NULL || size == 0 || needed == NULL)
        return got;
    insisted = NULL;
    message("ERROR", "Not enough memory for %s", needed);
    _exit(1);
}
