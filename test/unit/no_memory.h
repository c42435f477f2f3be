/*
 * no_memory.h - an allocation that fails, for the file that has main(). To be
 * linked with -Wl,--wrap=malloc -Wl,--wrap=calloc.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_NO_MEMORY_H
#define TEST_NO_MEMORY_H

#include <stddef.h>

static unsigned fail_at; /* the allocation that fails from now on; 0 = none */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    return fail_at > 0 && --fail_at == 0 ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fail_at > 0 && --fail_at == 0 ? NULL : __real_calloc(count, size);
}

#endif
