/*
 * four.h - tables of four numbers in which each lane looks one up; for what
 * includes vec.h.
 *
 *   PICK(n)                     number n = 0..3 of a table, in 16 bits; from n
 *                               to n + 1 it is PICK_STEP
 *   four_of(numbers)            the table of numbers [4], of 16 bits
 *   four_at(table, which)       the numbers PICK(n) of each lane
 *   first_pick(a), second_pick(a)   PICK(n) of PICKS(n, m), and PICK(m)
 *
 * The two bytes of PICK(n) say where the two of a number are, which shuffles of
 * bytes look up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SIMD_FOUR_H
#define HT_SIMD_FOUR_H

#include <stdint.h>

#define PICK_STEP 0x0101
#define PICK(n) (0x0400 + (n)*PICK_STEP)
#define PICKS(n, m) (PICK(n) + 16 * PICK(m)) /* the top bit is free */

#endif

#ifdef LANES

static inline vec first_pick(vec a)
{
    return a & PICK(3);
}

static inline vec second_pick(vec a)
{
    return (a >> 4) & PICK(3);
}

#if LANES > 8 ||                                                               \
    (defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

typedef vec four;

static inline four four_of(const int32_t *numbers)
{
    levels table = {0};

    for (unsigned i = 0; i < sizeof table; i++) {
        uint16_t number = (uint16_t)numbers[i % 4];

        table[i] = (uint8_t)(i / 4 % 2 == 0 ? number : number >> 8);
    }
    return (four)table;
}

static inline vec four_at(four table, vec which)
{
#if LANES == 32
    return (vec)_mm512_shuffle_epi8((__m512i)table, (__m512i)which);
#elif LANES == 16
    return (vec)_mm256_shuffle_epi8((__m256i)table, (__m256i)which);
#else
    return (vec)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)which);
#endif
}

#else

/* The first number, and how much each is above the one before. */
typedef struct {
    vec part[4];
} four;

static inline four four_of(const int32_t *numbers)
{
    four table = {{(vec){0} + (int16_t)numbers[0]}};

    for (unsigned n = 1; n < 4; n++)
        table.part[n] = (vec){0} + (int16_t)(numbers[n] - numbers[n - 1]);
    return table;
}

static inline vec four_at(four table, vec which)
{
    vec number = table.part[0];

    for (int16_t n = 1; n < 4; n++)
        number += table.part[n] & (which >= (vec){0} + (int16_t)PICK(n));
    return number;
}

#endif

#endif
