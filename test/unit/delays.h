/*
 * delays.h - delays before atomic accesses, at random: gcc -include
 * test/unit/delays.h makes them of all in a source file, so that threads meet
 * in ways that they rarely do by themselves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_DELAYS_H
#define TEST_DELAYS_H

/* Before any header of the system: the source file includes it too late. */
#include "config.h"

#include <stdatomic.h>

/* Mostly returns at once; otherwise lets others run, for up to a millisecond.
 */
void delay_at_random(void);

#undef atomic_load
#undef atomic_store
#undef atomic_exchange
#undef atomic_compare_exchange_strong
#undef atomic_fetch_add
#undef atomic_fetch_sub

#define atomic_load(at)                                                        \
    (delay_at_random(), atomic_load_explicit(at, memory_order_seq_cst))
#define atomic_store(at, value)                                                \
    (delay_at_random(), atomic_store_explicit(at, value, memory_order_seq_cst))
#define atomic_exchange(at, value)                                             \
    (delay_at_random(),                                                        \
     atomic_exchange_explicit(at, value, memory_order_seq_cst))
#define atomic_compare_exchange_strong(at, expected, value)                    \
    (delay_at_random(),                                                        \
     atomic_compare_exchange_strong_explicit(                                  \
         at, expected, value, memory_order_seq_cst, memory_order_seq_cst))
#define atomic_fetch_add(at, value)                                            \
    (delay_at_random(),                                                        \
     atomic_fetch_add_explicit(at, value, memory_order_seq_cst))
#define atomic_fetch_sub(at, value)                                            \
    (delay_at_random(),                                                        \
     atomic_fetch_sub_explicit(at, value, memory_order_seq_cst))

#endif
