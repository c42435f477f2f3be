/*
 * malloc.c - libc's malloc(), calloc() and realloc(), and a look at what they
 * return: those of a program are also its libraries'.
 *
 * Left to a sanitizer where one has its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* RTLD_NEXT */

#include "config.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "page/memory.h"

#if defined __has_feature
#define HAS_SANITIZER(name) __has_feature(name)
#else
#define HAS_SANITIZER(name) 0
#endif

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ &&           \
    !HAS_SANITIZER(address_sanitizer) && !HAS_SANITIZER(thread_sanitizer) &&   \
    !HAS_SANITIZER(memory_sanitizer)

static struct {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t n, size_t size);
    void *(*realloc)(void *old, size_t size);
} libc;

/* Finds libc's functions: once, as the first memory is taken before there are
 * threads. dlsym() can do without memory, so it gets none. */
static void find(void)
{
    static bool found;

    if (found)
        return;
    found = true;
    libc.malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    libc.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
    libc.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
}

void *malloc(size_t size)
{
    find();
    return memory_look_at(libc.malloc != NULL ? libc.malloc(size) : NULL, size);
}

void *calloc(size_t n, size_t size)
{
    find();
    return memory_look_at(libc.calloc != NULL ? libc.calloc(n, size) : NULL,
                          n > 0 ? size : 0);
}

void *realloc(void *old, size_t size)
{
    find();
    return memory_look_at(libc.realloc != NULL ? libc.realloc(old, size) : NULL,
                          size);
}

#endif
