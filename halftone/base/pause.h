/*
 * pause.h - a moment for a thread that looks at memory until it changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BASE_PAUSE_H
#define BASE_PAUSE_H

/* Tells the processor that this thread waits, so that another on the same core
 * can use it: some tens of cycles. */
static inline void ht_pause(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

#endif
