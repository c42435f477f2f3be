/*
 * random.h - the seeded random numbers of training: splitmix64 (Steele, Lea,
 * Flood, OOPSLA 2014). The same seed gives the same numbers everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_RANDOM_H
#define TRAIN_RANDOM_H

#include <stdint.h>

static inline uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* 0 <= value < 1, 53 bits. */
static inline double random_unit(uint64_t *state)
{
    return (double)(random_next(state) >> 11) / 9007199254740992.0;
}

/* 0 <= value < limit. */
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)(random_unit(state) * limit);
}

#endif
