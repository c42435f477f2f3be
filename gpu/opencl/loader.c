/*
 * loader.c - opens libOpenCL.so.1; see loader.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "gpu/opencl/loader.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ht_cl_calls calls;
static bool loaded;

/* Tests name another loader. */
static const char *loader_name(void)
{
#ifdef HT_GPU_FAULTS
    const char *name = getenv("HALFTONE_OPENCL_LOADER");

    if (name != NULL)
        return name;
#endif
    return "libOpenCL.so.1";
}

/* Loads it for good: drivers start threads. */
static void load(void)
{
    void *handle = dlopen(loader_name(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);

    if (handle == NULL)
        return;
    loaded = true;
#define HT_CL_FIND(call)                                                       \
    calls.call = (__typeof__(&call))dlsym(handle, #call);                      \
    loaded = loaded && calls.call != NULL;
    HT_CL_CALLS(HT_CL_FIND)
#undef HT_CL_FIND
}

const struct ht_cl_calls *ht_cl(void)
{
    pthread_once(&once, load);
    return loaded ? &calls : NULL;
}
