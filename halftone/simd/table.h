/*
 * table.h - tables of numbers in which each lane looks one up; for what
 * includes vec.h:
 *
 *   few                         six numbers of 16 bits, or the first four
 *   few_of(numbers, six)        the table of numbers [6]
 *   few_at(table, which)        the number FEW_AT(n) of each lane, n = 0..5, or
 *                               0..3 unless there are six
 *
 * and where bytes can be shuffled, which defines TABLES:
 *
 *   table                       eight numbers of 16 bits
 *   table_of(numbers)           the table of numbers [8]
 *   table_at(table, which)      the number TABLE_AT(n) of each lane, n = 0..7
 *
 * The two bytes of TABLE_AT(n) say where the two of a number are. Its bits
 * TABLE_FREE may be any.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_SIMD_TABLE_H
#define HT_SIMD_TABLE_H

#include <stdint.h>

#define TABLE_AT(n) (0x0100 + (n)*0x0202)
#define TABLE_FREE 0x7070

#endif

#ifdef LANES

#if LANES > 8 ||                                                               \
    (defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define TABLES

typedef vec table;

static inline table table_of(const int32_t numbers[8])
{
    table of;

    for (unsigned i = 0; i < LANES; i++)
        of[i] = (int16_t)numbers[i % 8];
    return of;
}

static inline vec table_at(table of, vec which)
{
#if LANES == 32
    return (vec)_mm512_shuffle_epi8((__m512i)of, (__m512i)which);
#elif LANES == 16
    return (vec)_mm256_shuffle_epi8((__m256i)of, (__m256i)which);
#else
    which &= ~TABLE_FREE;
    return (vec)vqtbl1q_u8((uint8x16_t)of, (uint8x16_t)which);
#endif
}

typedef table few;

#define FEW_AT(n) TABLE_AT(n)

static inline few few_of(const int32_t numbers[6], bool six)
{
    const int32_t eight_numbers[8] = {numbers[0], numbers[1], numbers[2],
                                      numbers[3], numbers[4], numbers[5]};

    (void)six;
    return table_of(eight_numbers);
}

static inline vec few_at(few of, vec which)
{
    return table_at(of, which);
}

#else

#define FEW_AT(n) ((int32_t)(n))

/* The first number, and how much each is above the one before. */
typedef struct {
    vec part[6];
    bool six;
} few;

static inline few few_of(const int32_t numbers[6], bool six)
{
    few table = {{(vec){0} + (int16_t)numbers[0]}, six};

    for (unsigned n = 1; n < 6; n++)
        table.part[n] = (vec){0} + (int16_t)(numbers[n] - numbers[n - 1]);
    return table;
}

static inline vec few_at(few table, vec which)
{
    vec number = table.part[0];

    for (int16_t n = 1; n < 4; n++)
        number += table.part[n] & (which >= (vec){0} + n);
    for (int16_t n = 4; table.six && n < 6; n++)
        number += table.part[n] & (which >= (vec){0} + n);
    return number;
}

#endif

#endif
