/*
 * arrays.c - threads that read an array at once get what they ask for.
 *
 * PAPPL 1.3 counts through printers and jobs under locks of readers, for an
 * array has one position that First and Next share (system-accessors.c, "Cannot
 * use cupsArrayGetFirst/Last"). But cupsArrayIndex() of libcups 2.4 sets this
 * position, and then reads what is there, and cupsArrayFind() sets it, too. So
 * who counts gets another thread's element, or NULL: a printer is passed over
 * when the server starts, and its jobs wait for ever; a printer or a job that
 * is there is not found, or is not in the state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>

#include "pappl-fixes/replaced.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *cupsArrayIndex(cups_array_t *array, int at)
{
    pthread_mutex_lock(&lock);
    void *element = REAL(cupsArrayIndex)(array, at);

    pthread_mutex_unlock(&lock);
    return element;
}

void *cupsArrayFind(cups_array_t *array, void *wanted)
{
    pthread_mutex_lock(&lock);
    void *element = REAL(cupsArrayFind)(array, wanted);

    pthread_mutex_unlock(&lock);
    return element;
}
