/*
 * feedback.h - feedback of dots on thresholds, for kernel.c:
 * doc/dev/halftone.md "A pixel", whose letters these are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Toned pixels that have taken the larger size. With the last step apart they
 * reach back as far as the largest lag. */
struct fed_back {
    mask last;  /* at the last step (b) */
    vec before; /* at those before it, a bit a step in each lane */
};

/* Returns the pixels' limits with the feedback, and adds the last step's
 * choices to those before. */
static inline __attribute__((always_inline)) vec
feed_back(const struct kind kind, const vec field[8], struct fed_back *choices)
{
    const unsigned lag =
        kind.vectors > 0 ? kind.vectors * STRIPS + 1 : HT_TDFED_LAG;
    const vec all = (vec){0} + INT16_MIN, none = {0};
    const vec half = (vec){0} + INT16_MIN / 2;
    vec far = field[HT_TDFED_FAR], limit = field[HT_TDFED_LIMIT];
    vec twice = kind.content == HT_TDFED_NEAR ? far : vec_max(far, none);
    /* The bit of the row above's choice, lag - 2, comes to the top. */
    strips above = DOWN((strips)choices->before, 1) << (ROW_BITS + 1 - lag);
    vec lower = vec_weighted(twice, ((vec)above & all) | vec_top(half, none));

    limit = kind.sized ? vec_plus_where(choices->last, limit - lower, twice)
                       : vec_minus_where(choices->last, limit + lower, twice);
    choices->before = add_dots(choices->before, choices->last);
    return limit;
}
