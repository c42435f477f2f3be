/*
 * module.c - finds the modules of accelerators. They are loaded from the
 * library's own folder, by its full path, so that no environment and no job
 * option can name another; a program can, ht_engine_use_module().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "halftone/engine.h"

/* Seconds that the pages so far would have saved, from which on the accelerator
 * is started: about as many pages are likely to follow, and a process that ends
 * during the start waits about that long for the driver. */
#define WORTH_S 0.1

#define OPENCL "opencl" /* its engine's name */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *path = PKGLIBDIR "/halftone-cuda.so";
static const struct ht_module *loaded;

static pthread_once_t opencl_once = PTHREAD_ONCE_INIT;
static const char *opencl_path = PKGLIBDIR "/halftone-opencl.so";
static const struct ht_module *opencl;

static const char not_asked[] = "nothing has started the GPU";

/* Whether the accelerator is used by this process; with a mutex. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static const char *idle = not_asked; /* ht_module_idle() */
static double saved;                 /* seconds, by the pages so far */
static double wanted = WORTH_S;      /* of these */
static int lock = -1;                /* an open file that is locked */

/* Loads a module for good: threads of the accelerator's runtime may outlive
 * any use of it. NULL if it does not fit. */
static const struct ht_module *load_from(const char *file)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    const struct ht_module *module =
        handle == NULL ? NULL : dlsym(handle, HT_MODULE_SYMBOL);

    return module != NULL && strcmp(module->version, PACKAGE_VERSION) == 0
               ? module
               : NULL;
}

static void load(void)
{
    loaded = load_from(path);
}

static void load_opencl(void)
{
    opencl = load_from(opencl_path);
}

const struct ht_module *ht_module(void)
{
    pthread_once(&once, load);
    return loaded;
}

const struct ht_module *ht_module_opencl(void)
{
    pthread_once(&opencl_once, load_opencl);
    return opencl;
}

ht_status_t ht_engine_use_module(const char *other)
{
    const struct ht_module *module = load_from(other);

    if (module != NULL && strcmp(module->ops->name, OPENCL) == 0) {
        opencl_path = other;
        return ht_module_opencl() != NULL ? HT_OK : HT_ERR_FILE;
    }
    path = other;
    return ht_module() != NULL ? HT_OK : HT_ERR_FILE;
}

/* ---- One process at a time ----------------------------------------------- */

/* Locks the module's file, which all who use the module can read, until this
 * process ends or ht_engine_release(). Processes that share an accelerator take
 * turns on it by slices of time, and each has to start it: they are faster with
 * the processor. Returns false if another process has the lock; a file system
 * without locks is no reason. */
static bool take_lock(void)
{
    if (lock >= 0)
        return true;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    if (flock(file, LOCK_EX | LOCK_NB) == 0) {
        lock = file;
        return true;
    }
    bool taken = errno == EWOULDBLOCK;
    close(file);
    return !taken;
}

static void give_lock_back(void)
{
    if (lock >= 0)
        close(lock);
    lock = -1;
}

/* ---- Starting ---------------------------------------------------------- */

/* Returns why the accelerator should not be started for the pages of which this
 * is the next; NULL if it should. After another process had the lock, not
 * before twice as much would have been saved: a job that is nearly over would
 * start it in vain. */
static const char *reason_against(const ht_page_t *page)
{
    double before = saved, gain = loaded->gain(page);

    saved += gain;
    if (gain <= 0)
        return "the CPU is as fast for such a page";
    if (before < wanted)
        return "a few pages are not worth starting the GPU";
    if (take_lock())
        return NULL;
    wanted = 2 * saved;
    return "another job has the GPU";
}

void ht_module_prepare(const ht_page_t *page)
{
    sigset_t all, before;

    if (ht_module() == NULL)
        return;
    if (page == NULL)
        ht_module_insist();
    pthread_mutex_lock(&mutex);
    if (idle != NULL)
        idle = reason_against(page);
    if (idle == NULL) {
        /* The accelerator's threads must not take the program's signals. */
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        loaded->start();
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_mutex_unlock(&mutex);
}

void ht_module_insist(void)
{
    pthread_mutex_lock(&mutex);
    (void)take_lock();
    idle = NULL;
    pthread_mutex_unlock(&mutex);
}

const char *ht_module_idle(void)
{
    pthread_mutex_lock(&mutex);
    const char *why = idle;
    pthread_mutex_unlock(&mutex);
    return why;
}

bool ht_engine_release(void)
{
    bool rests = loaded == NULL || loaded->rest();

    rests = (opencl == NULL || opencl->rest()) && rests;
    pthread_mutex_lock(&mutex);
    if (rests)
        give_lock_back();
    idle = not_asked;
    saved = 0;
    wanted = WORTH_S;
    pthread_mutex_unlock(&mutex);
    return rests;
}
