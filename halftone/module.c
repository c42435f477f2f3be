/*
 * module.c - finds the module of an accelerator. It is loaded from the
 * library's own folder, by its full path, so that no environment and no job
 * option can name another; a program can, ht_engine_use_module().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "halftone/engine.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *path = PKGLIBDIR "/halftone-cuda.so";
static const struct ht_module *loaded;
static pthread_t warmer;
static bool warming;

/* Loads the module for good: threads of the accelerator's runtime may outlive
 * any use of it. */
static void load(void)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const struct ht_module *module =
        handle == NULL ? NULL : dlsym(handle, HT_MODULE_SYMBOL);

    if (module != NULL && strcmp(module->version, PACKAGE_VERSION) == 0)
        loaded = module;
}

const struct ht_module *ht_module(void)
{
    pthread_once(&once, load);
    return loaded;
}

ht_status_t ht_engine_use_module(const char *other)
{
    path = other;
    return ht_module() != NULL ? HT_OK : HT_ERR_FILE;
}

static void *warm(void *unused)
{
    if (ht_module() != NULL)
        loaded->warm();
    return unused;
}

/* Starts the accelerator with all signals blocked, which its threads must not
 * take. */
void ht_engine_prepare(void)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    warming = pthread_create(&warmer, NULL, warm, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool ht_engine_release(void)
{
    if (warming && pthread_tryjoin_np(warmer, NULL) != 0)
        return false;
    warming = false;
    return loaded == NULL || loaded->rest();
}
