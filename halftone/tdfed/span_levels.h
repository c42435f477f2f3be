/*
 * span_levels.h - the levels that choose the parameters of pixels of 16 bits
 * where drops have several sizes, for kernel.c: ht_tdfed_kernel.span.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Parameters of each slot, spans.h. */
struct slots {
    few low, wide, factor, times, index;
};

static inline __attribute__((always_inline)) struct slots
slots_of(const struct ht_tdfed_spans *spans)
{
    const bool six = spans->from[4] < INT16_MAX;
    int32_t index[6] = {0};

    for (int32_t slot = 0; slot < HT_TDFED_SLOTS; slot++)
        index[slot] = slot * HT_TDFED_SLOT;
    return (struct slots){few_of(spans->low, six), few_of(spans->wide, six),
                          few_of(spans->factor, six), few_of(spans->times, six),
                          few_of(index, six)};
}

/* Returns a number in each lane where `where` is -1, elsewhere 0. */
static inline vec number_where(vec where, uint32_t number)
{
    return where & ((vec){0} + (int16_t)number);
}

/* Returns FEW_AT() the slots of tones, of which some `leave` a size out. */
static inline __attribute__((always_inline)) vec
slots_at(const struct ht_tdfed_spans *spans, vec tone, vec leave)
{
    vec all = (vec){0} + FEW_AT(0);
    vec some = vec_select(tone >= spans->over,
                          (vec){0} + (int16_t)FEW_AT(spans->above),
                          (vec){0} + (int16_t)FEW_AT(spans->below));

    for (int slot = 1; slot < 3; slot++)
        all += number_where(tone >= spans->from[slot], FEW_AT(1) - FEW_AT(0));
    for (int slot = 3; spans->from[3] < INT16_MAX && slot < HT_TDFED_SLOTS;
         slot++)
        all += number_where(tone >= spans->from[slot], FEW_AT(1) - FEW_AT(0));
    return vec_select(leave, some, all);
}

/*
 * Returns round(255 x / D), held to 1..254, for x = 0..D. The quotient by a
 * product is that or one less, which the remainder tells: it is within 2 D, and
 * so, for D < ONE, within 16 bits.
 */
static inline __attribute__((always_inline)) vec
level_between(const struct slots *slots, vec slot, vec x, vec wide)
{
    uvec longer = (uvec)x * (uvec)few_at(slots->factor, slot);
    uvec parts = vec_high(longer, (uvec)few_at(slots->times, slot));
    vec level = (vec)((parts + 64) >> 7);
    vec rest = (vec)((uvec)x * 510 - (uvec)wide - 2 * (uvec)wide * (uvec)level);

    level -= rest >= 0;
    return vec_min(vec_max(level, (vec){0} + 1), (vec){0} + (HT_LEVELS - 2));
}

/* ht_tdfed_kernel.span. */
static void span(const struct ht_tdfed_spans *spans, const int16_t *tone,
                 const uint16_t *pattern, uint32_t count, uint8_t *level,
                 uint16_t *index)
{
    const struct slots slots = slots_of(spans);
    const vec leaves = (vec){0} + HT_TDFED_LEAVES, one = (vec){0} + HT_ONE;

    for (uint32_t i = 0; i < count; i += LANES) {
        vec own = (vec)vec_of_bytes(level + i), a, at;

        memcpy(&a, tone + i, sizeof a);
        memcpy(&at, pattern + i, sizeof at);
        vec leave = at >= leaves;
        vec slot = slots_at(spans, a, leave);
        vec wide = few_at(slots.wide, slot);
        vec as_is = (own == 0) | (own == HT_LEVELS - 1) | (wide == one);
        vec between =
            level_between(&slots, slot, a - few_at(slots.low, slot), wide);

        at = (vec)((uvec)at - (uvec)(leave & leaves) +
                   (uvec)few_at(slots.index, slot));
        memcpy(index + i, &at, sizeof at);
        vec_to_bytes(level + i, (uvec)vec_select(as_is, own, between));
    }
}
