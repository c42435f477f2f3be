/*
 * sizes.h - drops of several sizes, for kernel.c: doc/dev/halftone.md "Drop
 * sizes", whose letters these are. Sizes are PICK(n), n = 0 for none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* The sizes of a page. */
struct sizes {
    four minus_area; /* -A_n */
    vec largest;     /* its size */
};

/* Between which sizes the pixels have the choice, and those beyond; of white
 * and solid pixels all are theirs. Areas are negative. */
struct span {
    vec low, high;           /* sizes */
    vec low_area, high_area; /* -lo, -hi */
    vec below, above;        /* of the next sizes */
    vec limit;               /* lo where u is less, else hi */
    vec least, most;         /* where u is less, or greater, one size further */
};

/* Returns R(a, 2 b) for b = 0..ONE, of which `minus` is -b: twice that is
 * within 16 bits. */
static inline vec part_of(vec minus_a, vec minus_b)
{
    return vec_weighted(minus_a, minus_b + minus_b);
}

static inline __attribute__((always_inline)) struct sizes
sizes_of(const struct ht_sizes *sizes)
{
    int32_t minus[HT_MAX_LEVELS];

    for (unsigned n = 0; n < HT_MAX_LEVELS; n++)
        minus[n] = -sizes->area[n];
    return (struct sizes){four_of(minus),
                          (vec){0} + (int16_t)PICK(sizes->levels - 1)};
}

/* Finds the span of pixels, of whose thresholds of a whole dot `minus_t` is
 * -t. */
static inline __attribute__((always_inline)) struct span
span_of(const struct sizes *sizes, const vec field[8], vec minus_t)
{
    const vec step = (vec){0} + PICK_STEP, none = (vec){0} + PICK(0);
    vec low = first_pick(field[HT_TDFED_SPAN]);
    vec high = second_pick(field[HT_TDFED_SPAN]);
    vec low_area = four_at(sizes->minus_area, low);
    vec high_area = four_at(sizes->minus_area, high);
    vec minus_wide = high_area - low_area;
    vec beyond = (minus_wide >> 2) - minus_wide; /* 3 D / 4 */

    return (struct span){
        .low = low,
        .high = high,
        .low_area = low_area,
        .high_area = high_area,
        .below = four_at(sizes->minus_area, vec_max(low - step, none)),
        .above =
            four_at(sizes->minus_area, vec_min(high + step, sizes->largest)),
        .limit = part_of(minus_wide, minus_t) - low_area,
        .least = -low_area - beyond,
        .most = beyond - high_area};
}

/* Finds the sizes of a step's drops, and returns what they leave of u,
 * doc/dev/halftone.md "Drop sizes". Those that are not in `toned` keep to their
 * span. */
static inline __attribute__((always_inline)) vec
find_size(const struct kind kind, const struct sizes *sizes,
          const struct span *span, mask toned, vec u, struct dots *dots)
{
    const vec step = (vec){0} + PICK_STEP, none = (vec){0} + PICK(0);
    mask low = mask_greater(span->limit, u);
    mask up = mask_greater(u, span->most);
    mask down = mask_greater(span->least, u);

    if (kind.content == HT_TDFED_KEPT) {
        up &= toned;
        down &= toned;
    }
    vec high_area = vec_blend(up, span->above, span->high_area);
    vec low_area = vec_blend(down, span->below, span->low_area);
    dots->minus_area = vec_blend(low, low_area, high_area);
    vec size = vec_blend(low, span->low, span->high);
    size = vec_plus_where(up, size, step);
    size = vec_minus_where(down, size, step);
    dots->size = vec_max(vec_min(size, sizes->largest), none);
    return u + dots->minus_area;
}

/* Adds the sizes of a step to those of the steps before. */
static inline vec add_size(vec dots, vec size)
{
    return (vec)((uvec)dots << 2) | (size & 3);
}
