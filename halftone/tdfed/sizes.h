/*
 * sizes.h - drops of several sizes, for kernel.c: doc/dev/halftone.md "Drop
 * sizes", whose letters these are. Sizes are PICK(n), n = 0 for none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* The sizes of a page. */
struct sizes {
    four minus_area;       /* -A_n */
    four of_next, of_last; /* of the next size, and the one before: -A_n+1 and
                              -A_n-1, within 0..n */
    vec largest;           /* its size */
};

/* Between which sizes the pixels have the choice, and those beyond; of white
 * and solid pixels all are theirs. Areas are negative. */
struct span {
    vec low, high;           /* sizes */
    vec low_area, high_area; /* -lo, -hi */
    vec below, above;        /* of the next sizes */
    vec limit;               /* T - lo: lo where u - lo is less, else hi */
    vec beyond;              /* -3 D / 4: where u - lo is less one size less, */
    vec most;                /* where u is greater one size more */
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
    const uint32_t largest = sizes->levels - 1;
    int32_t own[HT_MAX_LEVELS], next[HT_MAX_LEVELS], last[HT_MAX_LEVELS];

    for (uint32_t n = 0; n < HT_MAX_LEVELS; n++) {
        own[n] = -sizes->area[n];
        next[n] = -sizes->area[n < largest ? n + 1 : largest];
        last[n] = -sizes->area[n > 0 ? n - 1 : 0];
    }
    return (struct sizes){four_of(own), four_of(next), four_of(last),
                          (vec){0} + (int16_t)PICK(largest)};
}

/* Finds the span of pixels, of whose thresholds of a whole dot `minus_t` is
 * -t. */
static inline __attribute__((always_inline)) struct span
span_of(const struct sizes *sizes, const vec field[8], vec minus_t)
{
    vec low = first_pick(field[HT_TDFED_SPAN]);
    vec high = second_pick(field[HT_TDFED_SPAN]);
    vec low_area = four_at(sizes->minus_area, low);
    vec high_area = four_at(sizes->minus_area, high);
    vec minus_wide = high_area - low_area;
    vec quarter = minus_wide >> 2;

    return (struct span){.low = low,
                         .high = high,
                         .low_area = low_area,
                         .high_area = high_area,
                         .below = four_at(sizes->of_last, low),
                         .above = four_at(sizes->of_next, high),
                         .limit = part_of(minus_wide, minus_t),
                         .beyond = minus_wide - quarter,
                         .most = quarter - minus_wide - high_area};
}

/* Finds the sizes of a step's drops, and returns what they leave of u,
 * doc/dev/halftone.md "Drop sizes". Those that are not in `toned` keep to their
 * span. */
static inline __attribute__((always_inline)) vec
find_size(const struct kind kind, const struct sizes *sizes,
          const struct span *span, mask toned, vec u, struct dots *dots)
{
    const vec step = (vec){0} + PICK_STEP, none = (vec){0} + PICK(0);
    vec above_low = u + span->low_area;
    mask low = mask_greater(span->limit, above_low);
    mask up = mask_greater(u, span->most);
    mask down = mask_greater(span->beyond, above_low);

    if (kind.content == HT_TDFED_KEPT) {
        up &= toned;
        down &= toned;
    }
    dots->low = low;
    dots->low_area = vec_blend(down, span->below, span->low_area);
    dots->high_area = vec_blend(up, span->above, span->high_area);
    vec size = vec_blend(low, span->low, span->high);
    size = vec_plus_where(up, size, step);
    size = vec_minus_where(down, size, step);
    dots->size = vec_max(vec_min(size, sizes->largest), none);
    return u + vec_blend(low, dots->low_area, dots->high_area);
}

/* Returns R(a, 2 g). Both that may be are ready before it is known which one it
 * is. */
static inline __attribute__((always_inline)) vec
part_of_drop(vec a, const struct dots *dots)
{
    return vec_blend(dots->low, part_of(-a, dots->low_area),
                     part_of(-a, dots->high_area));
}

/* Adds the sizes of a step to those of the steps before. */
static inline vec add_size(vec dots, vec size)
{
    return (vec)((uvec)dots << 2) | (size & 3);
}
