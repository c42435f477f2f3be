/*
 * sizes.h - drops of several sizes, for kernel.c: doc/dev/halftone.md "Drop
 * sizes", whose letters these are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Between which sizes the pixels have the choice, and those beyond. Areas are
 * negative. */
struct span {
    vec low_area, high_area; /* -lo, -hi */
    vec below, above;        /* of the next sizes, or any */
    vec limit;               /* T: lo where u is less, else hi */
    vec least, most;         /* where u is less, or greater, one size less, or
                                more; by tables never where there is none */
    vec low, high;           /* the sizes, in the lowest three bits */
#ifndef TABLES
    vec has_beyond; /* -1 where it is not that of white or solid pixels */
    vec largest;    /* size */
#endif
};

/* Returns R(a, 2 b) for b = 0..ONE, of which `minus` is -b: twice that is
 * within 16 bits. */
static inline vec part_of(vec minus_a, vec minus_b)
{
    return vec_weighted(minus_a, minus_b + minus_b);
}

/* Sizes from which spans are computed. */
struct span_sizes {
#ifdef TABLES /* all that a span is, by its number */
    table low_area, high_area, below, above, least, most, low, high;
    table factor, times; /* struct ht_share */
#else
    few minus_area;       /* -A_n */
    few of_next, of_last; /* of the next size, and the one before: -A_n+1 and
                              -A_n-1, within 0..n */
    vec largest;          /* its number */
    struct ht_share share[HT_TDFED_SPAN_WHITE]; /* of spans by their numbers */
#endif
};

/* Returns a* of tones that are `above` lo: struct ht_share. */
static inline vec share_at(vec above, vec factor, vec times)
{
    return (vec)vec_high((uvec)above * (uvec)factor, (uvec)times);
}

#ifdef TABLES

static inline __attribute__((always_inline)) struct span_sizes
sizes_of(const struct ht_sizes *sizes)
{
    int32_t of[10][HT_TDFED_SPANS];

    for (unsigned n = 0; n < HT_TDFED_SPANS; n++) {
        struct ht_tdfed_ends ends = ht_tdfed_ends(n, sizes->levels);
        int32_t low = sizes->area[ends.low], high = sizes->area[ends.high];
        bool less = ends.low > 0 && low < high;
        bool more = ends.high + 1 < sizes->levels && low < high;
        struct ht_share share;

        of[0][n] = -low;
        of[1][n] = -high;
        of[2][n] = less ? -sizes->area[ends.low - 1] : 0;
        of[3][n] = more ? -sizes->area[ends.high + 1] : 0;
        of[4][n] = less ? low - 3 * (high - low) / 4 : INT16_MIN;
        of[5][n] = more ? high + 3 * (high - low) / 4 : INT16_MAX;
        of[6][n] = (int32_t)ends.low;
        of[7][n] = (int32_t)ends.high;
        share = ht_share_of(low < high ? high - low : HT_ONE);
        of[8][n] = share.factor;
        of[9][n] = share.times;
    }
    return (struct span_sizes){
        table_of(of[0]), table_of(of[1]), table_of(of[2]), table_of(of[3]),
        table_of(of[4]), table_of(of[5]), table_of(of[6]), table_of(of[7]),
        table_of(of[8]), table_of(of[9])};
}

/* Finds the span of pixels, of whose thresholds of a whole dot `minus_t` is
 * -t. */
static inline __attribute__((always_inline)) struct span
span_of(const struct span_sizes *sizes, const vec field[8], vec minus_t)
{
    vec number = field[HT_TDFED_SPAN];
    vec low = table_at(sizes->low_area, number);
    vec high = table_at(sizes->high_area, number);

    return (struct span){.low_area = low,
                         .high_area = high,
                         .below = table_at(sizes->below, number),
                         .above = table_at(sizes->above, number),
                         .limit = part_of(high - low, minus_t) - low,
                         .least = table_at(sizes->least, number),
                         .most = table_at(sizes->most, number),
                         .low = table_at(sizes->low, number),
                         .high = table_at(sizes->high, number)};
}

/* Returns a* of pixels. */
static inline __attribute__((always_inline)) vec
share_of(const struct span_sizes *sizes, const vec field[8])
{
    vec number = field[HT_TDFED_SPAN];

    return share_at(field[HT_TDFED_TONE] + table_at(sizes->low_area, number),
                    table_at(sizes->factor, number),
                    table_at(sizes->times, number));
}

#else

static inline __attribute__((always_inline)) struct span_sizes
sizes_of(const struct ht_sizes *sizes)
{
    const uint32_t largest = sizes->levels - 1;
    int32_t own[HT_MAX_LEVELS], next[HT_MAX_LEVELS], last[HT_MAX_LEVELS];

    for (uint32_t n = 0; n < HT_MAX_LEVELS; n++) {
        own[n] = -sizes->area[n];
        next[n] = -sizes->area[n < largest ? n + 1 : largest];
        last[n] = -sizes->area[n > 0 ? n - 1 : 0];
    }
    struct span_sizes of = {.minus_area = few_of(own, sizes->levels > 4),
                            .of_next = few_of(next, sizes->levels > 4),
                            .of_last = few_of(last, sizes->levels > 4),
                            .largest = (vec){0} + (int16_t)largest};
    for (unsigned n = 0; n < HT_TDFED_SPAN_WHITE; n++) {
        struct ht_tdfed_ends ends = ht_tdfed_ends(n, sizes->levels);
        int32_t wide = sizes->area[ends.high] - sizes->area[ends.low];

        of.share[n] = ht_share_of(wide > 0 ? wide : HT_ONE);
    }
    return of;
}

/* Returns a* of pixels. */
static inline __attribute__((always_inline)) vec
share_of(const struct span_sizes *sizes, const vec field[8])
{
    vec spans = field[HT_TDFED_SPAN], factor = {0}, times = {0};
    vec low = (spans >> HT_TDFED_SPAN_LOW) & 7;

    for (int16_t n = 0; n < HT_TDFED_SPAN_WHITE; n++) {
        vec own = (spans & TABLE_AT(7)) == (vec){0} + (int16_t)TABLE_AT(n);

        factor |= own & (int16_t)sizes->share[n].factor;
        times |= own & (int16_t)sizes->share[n].times;
    }
    return share_at(field[HT_TDFED_TONE] + few_at(sizes->minus_area, low),
                    factor, times);
}

static inline __attribute__((always_inline)) struct span
span_of(const struct span_sizes *sizes, const vec field[8], vec minus_t)
{
    vec low = (field[HT_TDFED_SPAN] >> HT_TDFED_SPAN_LOW) & 7;
    vec high = (field[HT_TDFED_SPAN] >> HT_TDFED_SPAN_HIGH) & 7;
    vec low_area = few_at(sizes->minus_area, low);
    vec high_area = few_at(sizes->minus_area, high);
    vec minus_wide = high_area - low_area;
    vec most = minus_wide - (minus_wide >> 2);

    return (struct span){.low_area = low_area,
                         .high_area = high_area,
                         .below = few_at(sizes->of_last, low),
                         .above = few_at(sizes->of_next, high),
                         .limit = part_of(minus_wide, minus_t) - low_area,
                         .least = most - low_area,
                         .most = -most - high_area,
                         .low = low,
                         .high = high,
                         .has_beyond = low < high,
                         .largest = sizes->largest};
}

#endif

/* Says which spans are those of neither white nor solid pixels. */
static inline mask toned_spans(vec span)
{
    return mask_greater((vec){0} + TABLE_AT(HT_TDFED_SPAN_WHITE),
                        span & TABLE_AT(7));
}

/* The drops of a step. */
struct step_drops {
    vec size;  /* in the lowest three bits */
    vec minus; /* -g */
};

/* Finds the sizes of a step's drops, doc/dev/halftone.md "Drop sizes". Not
 * with AVX-512's masks, which come three cycles later than vectors: all of this
 * lies between a pixel's error and the next one's. */
static inline __attribute__((always_inline)) struct step_drops
find_sizes(const struct span *span, vec u)
{
    vec low = span->limit > u;
    vec more = u > span->most, less = span->least > u;
#ifndef TABLES
    more &= span->has_beyond;
    less &= span->has_beyond;
#endif
    vec low_area = vec_select(less, span->below, span->low_area);
    vec high_area = vec_select(more, span->above, span->high_area);

    vec size = vec_select(low, span->low, span->high) - more + less;
#ifndef TABLES
    size = vec_max(vec_min(size, span->largest), (vec){0});
#endif

    return (struct step_drops){size, vec_select(low, low_area, high_area)};
}

/* Adds the sizes of a step, of so many bits, to those of the steps before. */
static inline vec add_sizes(vec dots, vec sizes, uint32_t bits)
{
    return (vec)((uvec)dots << bits) | sizes;
}
