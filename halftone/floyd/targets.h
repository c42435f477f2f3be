/*
 * targets.h - the targets of errors when some pixels are white or solid, and
 * chunks with such pixels. For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* The samples of an ink, prepared a chunk ahead: the row below a pixel is LAG
 * steps behind it. */
struct window {
    vec sample[2][CHUNK]; /* of chunks of even and odd numbers */
    struct seen seen;     /* in the chunk that is next */
};

static inline const vec *window_at(const struct window *window, size_t from)
{
    return window->sample[from / CHUNK % 2];
}

/* Prepares the chunk from step `from` on. */
static ALWAYS_INLINE void window_fill(struct window *window,
                                      const struct ht_floyd_sweep *sweep,
                                      uint32_t ink, size_t from)
{
    window->seen = prepare(window->sample[from / CHUNK % 2], sweep, ink, from);
}

/* Holds numbers to -ONE..ONE - 1: doubles of those are what 16 bits hold. */
static inline vec held_to_dots(vec a)
{
    return vec_add_held(a, a) >> 1;
}

/* ---- Chunks with toned pixels alone -------------------------------------- */

/* The most that a row inherits from pixels that give the usual shares: 9/16 of
 * their errors, and 2 units of rounding. With 7/16 from the pixel before, no
 * error of a pixel that is not forced then has to be held. */
#define MOST_USUAL (HT_ONE / 16 * 9 + 2)

/* Returns column 0 of the row below the sweep's last lane. */
static inline const uint8_t *row_below(const struct ht_floyd_sweep *sweep,
                                       uint32_t ink)
{
    size_t at = ink * sweep->ink_samples + LANES * sweep->row_samples;

    return (const uint8_t *)sweep->samples + at * (sweep->bits / 8);
}

/* Says whether all pixels below the last lane that a chunk's errors can reach
 * are toned. */
static inline bool toned_below(const struct ht_floyd_sweep *sweep, uint32_t ink,
                               size_t from)
{
    const ptrdiff_t size = sweep->bits / 8;
    const ptrdiff_t first = (ptrdiff_t)from - LAG * (LANES - 1) - 1;
    const uint8_t *row = row_below(sweep, ink) + first * size;
    struct range range;

    range_begin(&range);
    for (size_t at = 0; at < (size_t)(CHUNK + 2) * size; at += sizeof(vec)) {
        vec v;

        memcpy(&v, row + at, sizeof v);
        if (size == 1)
            range_add(&range, v);
        else
            range_add_deep(&range, v);
    }
    return !range_seen(&range, sweep).forced;
}

/* Says whether the first row inherits no more than MOST_USUAL. */
static inline bool usual(const int16_t *error)
{
    vec more = {0};

    for (unsigned i = 0; i < CHUNK; i += LANES) {
        vec row;

        memcpy(&row, error + i, sizeof row);
        more |= (row > MOST_USUAL) | (row < -MOST_USUAL);
    }
    return !vec_any(more);
}

/* Returns -1 where a number is greater than `most` in size, elsewhere 0. */
static inline vec beyond(vec a, int most)
{
    return (a > (int16_t)most) | (a < (int16_t)-most);
}

/*
 * Says whether nothing more is on its way to a chunk of several sizes than the
 * shares of errors of three quarters of a dot. What the chunk's own errors then
 * exceed that by is 4 units a step, or they are half a dot at most: none of an
 * ink that nothing pushes has to be held.
 */
static inline bool calm(const struct floyd_chain *chain, const int16_t *error)
{
    const struct flow *flow = &chain->flow;
    const int16_t sixteenth = HT_ONE / 64 * 3;
    vec more = beyond(flow->left, 7 * sixteenth) |
               beyond(flow->down, 6 * sixteenth) |
               beyond(flow->corner, sixteenth);

    for (unsigned i = 0; i < DELAY; i++)
        more |= beyond(chain->below[i], 9 * sixteenth);
    for (unsigned i = 0; i < CHUNK; i += LANES) {
        vec row;

        memcpy(&row, error + i, sizeof row);
        more |= beyond(row, 9 * sixteenth);
    }
    return !vec_any(more);
}

/* ---- Chunks with white and solid pixels alone ---------------------------- */

/* Leaves a chunk as it is into which no error comes; `largest` is the size of
 * solid ink, of `bits`. */
static inline void leave_still(vec *dots, const vec *sample, bool white,
                               int16_t *leaves, int16_t largest, unsigned bits)
{
    const unsigned pixels = 16 / bits;

    for (unsigned i = 0; i < CHUNK / pixels; i++) {
        dots[i] = (vec){0};
        for (unsigned k = 0; k < pixels && !white; k++)
            dots[i] = (vec)((uvec)dots[i] << bits) |
                      ((sample[pixels * i + k] == -1) & largest);
    }
    memset(leaves, 0, CHUNK * sizeof *leaves);
}

/* ---- Other chunks -------------------------------------------------------- */

/* A chunk's pixels and those that may get shares of their errors. */
struct targets {
    vec toned[CHUNK + LAG + 1]; /* -1 where a pixel is toned, or 0 */
    vec below[CHUNK + 2];       /* .. the one below, from a column before on */
    vec limit[CHUNK]; /* a dot where left + E is above this, and what pushes; of
                         several sizes -t, or 1 where T is lo + hi - a */
};

/* Sets the limits of pixels whose error has nowhere to go: by their noise. */
static void limit_by_noise(const struct ht_floyd_sweep *sweep, uint32_t ink,
                           size_t step, vec tone, vec nowhere, vec *limit)
{
    for (unsigned k = 0; k < LANES; k++) {
        unsigned row = LANES - 1 - k;
        uint32_t x = (uint32_t)(step - (size_t)LAG * row);

        if (nowhere[k]) {
            uint32_t line = ht_noise_line(sweep->row + row, ink);
            int32_t t = ((ht_noise(line, x) - INT16_MIN) >> 2) + 1;
            (*limit)[k] = (int16_t)(sweep->sizes ? -t : t - 1 - tone[k]);
        }
    }
}

static void find_below(struct targets *targets,
                       const struct ht_floyd_sweep *sweep, uint32_t ink,
                       size_t from)
{
    const ptrdiff_t first = (ptrdiff_t)from - LAG * (LANES - 1) - 1;
    const uint8_t *row = row_below(sweep, ink);
    const uint16_t *deep_row = (const uint16_t *)(const void *)row;
    int16_t last[CHUNK + 2];

    for (ptrdiff_t i = 0; i < CHUNK + 2; i++) {
        bool toned =
            sweep->bits == 8
                ? row[first + i] > 0 && row[first + i] < UINT8_MAX
                : deep_row[first + i] > 0 && deep_row[first + i] < UINT16_MAX;

        last[i] = toned ? -1 : 0;
    }
    for (unsigned i = 0; i < CHUNK + 2; i++)
        targets->below[i] =
            vec_passed_up(targets->toned[i + LAG - 1], &last[i]);
}

static void find_targets(struct targets *targets, const struct window *window,
                         const struct ht_floyd_sweep *sweep, uint32_t ink,
                         size_t from)
{
    const vec one = (vec){0} + HT_ONE, half = one >> 1;
    const vec *sample = window_at(window, from);
    const vec *next = window_at(window, from + CHUNK);

    for (unsigned i = 0; i < CHUNK + LAG + 1; i++) {
        vec v = i < CHUNK ? sample[i] : next[i - CHUNK];

        targets->toned[i] = (v != 0) & (v != -1);
    }
    find_below(targets, sweep, ink, from);
    for (unsigned i = 0; i < CHUNK; i++) {
        const vec *toned = targets->toned + i, *below = targets->below + i + 1;
        vec tone = vec_tone(sample[i]);
        vec nowhere = toned[0] & ~(toned[1] | below[-1] | below[0] | below[1]);

        targets->limit[i] =
            sweep->sizes != NULL
                ? vec_select(below[0], -half, (vec){0} + 1)
                : vec_select(below[0], HALF_LESS - tone, one - 1 - tone - tone);
        if (vec_any(nowhere))
            limit_by_noise(sweep, ink, from + i, tone, nowhere,
                           &targets->limit[i]);
    }
}

/* Prints whole dots at step i of a chunk, and returns their errors. */
static ALWAYS_INLINE vec print_dots(const struct targets *targets, size_t i,
                                    vec sample, vec tone, vec inherited,
                                    vec push, struct drop *drop)
{
    const vec one = (vec){0} + HT_ONE;
    vec limit = targets->limit[i] + ((push + push) & targets->below[i + 1]);

    drop->dot = ((inherited > limit) & targets->toned[i]) | (sample == -1);
    return held_to_dots(inherited + (tone - (drop->dot & one)));
}

/* Prints drops of several sizes at step i of a chunk, and returns their errors.
 */
static ALWAYS_INLINE vec print_drops(const struct floyd_kind kind,
                                     const struct targets *targets,
                                     const struct sizes *sizes, size_t i,
                                     vec sample, vec tone, vec inherited,
                                     vec push, struct drop *drop)
{
    const struct which which = which_of(kind, sizes, i, tone);
    const mask toned = mask_negative(targets->toned[i]);
    vec minus_t = targets->limit[i] - ((push + push) & targets->below[i + 1]);
    vec aside = minus_t > 0, both = number_at(&sizes->both, &which) - tone;
    vec u = vec_add_held(inherited, tone), minus_g = {0};

    const vec solid = sample == -1;
#pragma GCC unroll 5
    for (unsigned k = 0; k < sizes_of(kind); k++) {
        vec moves = number_at(&sizes->minus[k], &which) < 0;
        vec limit = vec_select(aside & moves, both,
                               limit_at(sizes, &which, k, minus_t));

        drop->reaches[k] = mask_greater(u, limit) & toned;
        if (k < sizes->count)
            drop->reaches[k] |= mask_negative(solid);
        minus_g = vec_minus_where(drop->reaches[k], minus_g, sizes->more[k]);
    }
    note_larger(sizes, &which, minus_g, drop);
    return held_to_dots(inherited + (tone + minus_g));
}

/*
 * Prints step i of a chunk, where errors go to pixels that may get them.
 * `above` is what the row above leaves there.
 *
 * The share that goes aside to the column ahead needs no sum of its own: the
 * pixel there is white or solid then, with 3/8 of a dot at most, so 16 bits
 * hold that, a whole dot that goes aside and 3/16 of one from the pixel after
 * it.
 */
static ALWAYS_INLINE void give_to_targets(const struct floyd_kind kind,
                                          const struct targets *targets,
                                          const struct sizes *sizes, size_t i,
                                          vec sample, vec tone, vec above,
                                          vec push, struct flow *flow,
                                          vec *done, struct drop *drop)
{
    vec toned = targets->toned[i], in_row = targets->toned[i + 1];
    vec below_behind = targets->below[i];
    vec below = targets->below[i + 1];
    vec below_ahead = targets->below[i + 2];
    vec inherited = vec_add_held(flow->left, above), e;

    if (kind.sized)
        e = print_drops(kind, targets, sizes, i, sample, tone, inherited, push,
                        drop);
    else
        e = print_dots(targets, i, sample, tone, inherited, push, drop);
    e = vec_select(toned, e, forced_error(inherited));

    vec next = vec_sixteenths(e, 7) & in_row;
    vec behind = vec_sixteenths(e, 3) & below_behind;
    vec ahead = vec_sixteenths(e, 1) & below_ahead;
    vec rest = e - next - behind - ahead;
    vec aside = rest & ~below & ~in_row;
    vec aside_behind = aside & below_behind;
    vec aside_ahead = aside & ~below_behind & below_ahead;

    flow->left = next + (rest & ~below & in_row);
    *done = vec_add_held(flow->down + behind, aside_behind);
    flow->down = flow->corner +
                 ((rest & below) | (aside & ~below_behind & ~below_ahead));
    flow->corner = ahead + aside_ahead;
}
