/*
 * vec.h - vectors of 16-bit numbers, as long as the instruction set has them
 * (HT_LANES) and the kernel that includes this can use them (HT_MOST_LANES).
 * Defines LANES and, on `vec`, LANES numbers of int16_t, and `uvec`, of
 * uint16_t:
 *
 *   vec_weighted(e, w)          (e * w + 2^14) >> 15
 *   vec_sixteenths(e, n)        (n * e + 8) >> 4, n = 1, 3 or 7
 *   vec_add_held(a, b)          a + b, held to 16 bits
 *   vec_tone(sample)            the tones of 16-bit samples
 *   vec_min(a, b), vec_max(a, b)
 *   vec_select(mask, a, b)      a where mask is -1, b where it is 0
 *   vec_below(a, b)             -1 where a < b, elsewhere 0, where a - b is
 *                               within 16 bits: sooner than a comparison that
 *                               goes through a mask
 *   vec_any(a)                  whether any bit is 1
 *   vec_passed_down(a, first)   element i + 1 of `a` in i, *first in the last;
 *                               8 elements can be read there
 *   vec_passed_up(a, first)     element i - 1 of `a` in i, *first in the first
 *   load_eighths(lane, step)    16 bytes from each eighth lane, `step` bytes
 *                               apart a lane, into the 16-byte parts of a vec
 *   low_bytes(a, b), high_bytes(a, b), low_words(a, b), high_words(a, b)
 *                               in each 16-byte part, the low (high) halves of
 *                               `a` and `b` interleaved
 *
 *   levels                      2 * LANES bytes, unsigned
 *   levels_max(a, b), levels_min(a, b)
 *   levels_top_bits(a), levels_reversed(a)
 *                               of 8 and 16 lanes; the first in the lowest bit
 *
 * and, of 8 and of 16 lanes, for strips of four lanes each:
 *
 *   eight                       8 numbers
 *   vec_join(a, b)              of 16 lanes: two `eight`
 *   vec_top(a, b)               the first of each four lanes from a, others
 *                               from b
 *   vec_bottom(a, b)            the last of each four lanes from a, others from
 *                               b
 *   low_pairs(a, b), high_pairs(a, b)   as words, by pairs of words
 *   strips_after(a, b)          the last four lanes of a, then all but the last
 *                               four of b
 *   strips_behind(a, b)         the first four lanes of a, then all but the
 *                               last four of b
 *   strips_around(a, b)         the last four lanes of a, then all but the
 *                               first four of b
 *   vec_of_bytes(bytes)         LANES bytes, unsigned
 *   vec_to_bytes(bytes, a)      stores what is 0..255
 *   vec_high(a, b)              (a * b) >> 16, unsigned
 *   vec_reversed(a)             the last element first
 *
 *   mask                        which lanes: mask_none(), mask_equal(a, b),
 *                               mask_greater(a, b), mask_negative(a),
 *                               mask_has(a, bits), and ~ & |
 *   vec_where(m, a)             a in m's lanes, 0 elsewhere
 *   vec_blend(m, a, b)          a in m's lanes, b elsewhere
 *   vec_plus_where(m, a, b), vec_minus_where(m, a, b)
 *                               b is added, or subtracted, in m's lanes only
 *   vec_add_held_where(m, a, b) vec_add_held() in m's lanes only
 *   MASKS                       defined where masks are registers of their own
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if HT_LANES >= 32 && HT_MOST_LANES >= 32
#include "halftone/simd/vec32.h"
#elif HT_LANES >= 16 && HT_MOST_LANES >= 16
#include "halftone/simd/vec16.h"
#else
#include "halftone/simd/vec8.h"
#endif
