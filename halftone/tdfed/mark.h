/*
 * mark.h - levels to marks, for kernel.c: ht_tdfed_kernel.mark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#define VECTORS (64 / (2 * LANES)) /* of 64 columns */
#define AHEAD 2048 /* bytes: where samples come from memory next */

static inline uint64_t joined_bits(const levels v[VECTORS])
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < VECTORS; i++)
        bits |= levels_top_bits(v[i]) << i * sizeof v[i];
    return bits;
}

/* Marks 64 columns that are neither all toned, with near weights, nor all
 * white. Returns the solid ones. */
static inline __attribute__((always_inline)) uint64_t
mark_mixed(const struct ht_tdfed_marking *to, const levels l[VECTORS],
           const levels extremity[VECTORS], levels near, size_t i)
{
    const levels most = (levels){0} + (HT_LEVELS - 1);
    levels forced[VECTORS], far[VECTORS];
    uint64_t bits;

    for (unsigned k = 0; k < VECTORS; k++) {
        forced[k] = (levels)(extremity[k] == most);
        far[k] = (levels)(levels_max(extremity[k], near) != near);
    }
    bits = joined_bits(forced);
    to->toned[i] |= ~bits;
    to->forced[i] |= bits;
    to->far[i] |= joined_bits(far);
    return joined_bits(l) & bits;
}

/* Marks 64 columns, and their dots of `dot_bits` bits; 0 = no dots. Most of a
 * photo is toned, with near weights, and most of a page of text white. */
static inline __attribute__((always_inline)) void
mark_word(const struct ht_tdfed_marking *to, const uint8_t *level, size_t i,
          levels near, unsigned dot_bits)
{
    levels l[VECTORS], extremity[VECTORS], any = {0}, greatest = {0};
    uint64_t solid = 0;

    __builtin_prefetch(level + 64 * i + AHEAD);
    for (unsigned k = 0; k < VECTORS; k++) {
        memcpy(&l[k], level + 64 * i + k * sizeof l[k], sizeof l[k]);
        extremity[k] = levels_max(l[k], ~l[k]);
        greatest = levels_max(greatest, extremity[k]);
    }
    if (!vec_any((vec)(levels_max(greatest, near) ^ near))) {
        to->toned[i] = ~(uint64_t)0;
    } else {
        for (unsigned k = 0; k < VECTORS; k++)
            any |= l[k];
        if (vec_any((vec)any))
            solid = mark_mixed(to, l, extremity, near, i);
        else
            to->forced[i] = ~(uint64_t)0;
    }
    if (dot_bits == 0)
        return;
    if (solid != 0) {
        to->solid[i] |= solid;
        solid = ht_mirrored(solid);
    }
    if (dot_bits == 1) {
        ht_dots_to_bytes(to->dots + 8 * i, solid);
        return;
    }
    for (int k = 0; dot_bits == 3 && k < 4; k++, solid <<= 16)
        ht_put_threes(to->dots + 24 * i + 6 * k,
                      ht_pairs((uint32_t)ht_pairs((uint32_t)(solid >> 48))) *
                          to->largest);
    if (dot_bits == 3)
        return;
    ht_dots_to_bytes(to->dots + 16 * i,
                     ht_pairs((uint32_t)(solid >> 32)) * to->largest);
    ht_dots_to_bytes(to->dots + 16 * i + 8,
                     ht_pairs((uint32_t)solid) * to->largest);
}

/* ht_tdfed_kernel.mark. */
static void mark(struct ht_tdfed_marking *to, const uint8_t *level,
                 size_t words, uint8_t near_extremity)
{
    const uint8_t limit =
        near_extremity < HT_LEVELS - 1 ? near_extremity : HT_LEVELS - 2;
    const levels near = (levels){0} + limit;

    if (to->dots == NULL) {
        for (size_t i = 0; i < words; i++)
            mark_word(to, level, i, near, 0);
    } else if (to->largest == 1) {
        for (size_t i = 0; i < words; i++)
            mark_word(to, level, i, near, 1);
        to->dots += 8 * words;
        to->solid += words;
    } else if (to->largest <= 3) {
        for (size_t i = 0; i < words; i++)
            mark_word(to, level, i, near, 2);
        to->dots += 16 * words;
        to->solid += words;
    } else {
        for (size_t i = 0; i < words; i++)
            mark_word(to, level, i, near, 3);
        to->dots += 24 * words;
        to->solid += words;
    }
    to->toned += words;
    to->forced += words;
    to->far += words;
}

#undef VECTORS
#undef AHEAD
