/*
 * steps.h - a delay at one step of the threads of a test: gcc -include
 * test/unit/steps.h makes every lock that a source file takes a step. The test
 * delays each step of each thread once, so that the others come first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_STEPS_H
#define TEST_STEPS_H

/* Before any header of the system: the source file includes it too late. */
#include "config.h"

#include <pthread.h>

/* Counts a step of the calling thread, and sleeps if it is the one. */
void step_here(void);

#define pthread_mutex_lock(lock) (step_here(), pthread_mutex_lock(lock))

#endif
