/*
 * targets.h - finds the targets of shares that keep to toned pixels, and where
 * the rest of an error goes, for kernel.c: doc/dev/halftone.md, "A pixel".
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* ---- Before the kernel runs
 * ------------------------------------------------------- */

static inline levels load_levels(const uint8_t *level)
{
    levels l;

    memcpy(&l, level, sizeof l);
    return l;
}

/* Finds the targets of some pixels, and which of them need noise: those that
 * begin a tint below, and those whose error has nowhere to go. */
static inline levels targets_of(const uint8_t *toned, const uint8_t *below,
                                levels *noisy)
{
    levels own = load_levels(toned);
    levels kept = (load_levels(toned + 1) & HT_TDFED_TO_RIGHT) |
                  (load_levels(below) & HT_TDFED_TO_DOWN) |
                  (load_levels(below + 1) & HT_TDFED_TO_P1) |
                  (load_levels(below - 1) & HT_TDFED_TO_M1);

    *noisy = (load_levels(below) & ~own) | ((levels)(kept == 0) & own);
    return kept | (load_levels(below - 2) & HT_TDFED_TO_M2) |
           (load_levels(below - 4) & HT_TDFED_TO_M4);
}

/* ht_tdfed_kernel.find_targets. */
static void find_targets(uint8_t *out, const uint8_t *toned,
                         const uint8_t *below, uint32_t count, uint64_t *noisy)
{
    memset(noisy, 0, (count / 64 + 1) * sizeof *noisy);
    for (uint32_t i = 0; i < count; i += 2 * LANES) {
        levels needs, targets = targets_of(toned + i, below + i, &needs);

        memcpy(out + i, &targets, sizeof targets);
        noisy[i / 64] |= levels_top_bits(needs) << i % 64;
    }
}

/* ---- A step ---------------------------------------------------------------
 */

/* Shares that go aside (D): ht_tdfed_chain.part. */
struct aside {
    vec ahead[2]; /* of the next pixel's column, and of the last one's */
    vec done[3];  /* complete, 2, 3 and 4 columns behind the next pixel */
};

/* Targets of the shares of a step. */
struct step_targets {
    vec bits; /* enum ht_tdfed_target */
    vec noise;
    mask forced; /* white and solid pixels */
    mask down, right, m1, p1;
    mask somewhere; /* one of these */
};

/* Looks where the shares of a step's pixels may go. */
static inline __attribute__((always_inline)) void
look_around(const struct kind kind, struct step_targets *targets,
            const struct bytes *block, const struct ht_tdfed_tape *tape,
            size_t step, unsigned k, const vec field[8])
{
    vec bits = bytes_of_step(block, step, k);

    memcpy(&targets->noise, tape->noise[step], sizeof targets->noise);
    targets->bits = bits;
    targets->forced = ~toned_pixels(kind, field);
    targets->down = mask_has(bits, HT_TDFED_TO_DOWN);
    targets->right = mask_has(bits, HT_TDFED_TO_RIGHT);
    targets->m1 = mask_has(bits, HT_TDFED_TO_M1);
    targets->p1 = mask_has(bits, HT_TDFED_TO_P1);
    targets->somewhere =
        targets->down | targets->right | targets->m1 | targets->p1;
}

/* Returns the pixels' limits: a dot is as good as none where what is left of an
 * error does not go down, and left to chance where it has nowhere to go. */
static inline __attribute__((always_inline)) vec
limit_kept(const struct step_targets *targets, const vec field[8], vec limit)
{
    vec even = (vec){0} + (HT_ONE - 1) - field[HT_TDFED_TONE];
    vec elsewhere = vec_blend(targets->somewhere, even, targets->noise);

    return vec_blend(targets->down | targets->forced, limit, elsewhere);
}

/* limit_kept() for drops of several sizes. White and solid pixels may get any
 * limit. */
static inline __attribute__((always_inline)) struct span
span_kept(const struct step_targets *targets, const struct span_sizes *sizes,
          const vec field[8], vec minus_t)
{
    struct span span = span_of(
        sizes, field, vec_blend(targets->somewhere, minus_t, ~targets->noise));
    vec even = -span.low_area - span.high_area - field[HT_TDFED_TONE];

    span.limit =
        vec_blend(targets->down | ~targets->somewhere, span.limit, even);
    return span;
}

static inline vec share(mask to, vec e, vec weight)
{
    return vec_where(to, vec_weighted(e, weight));
}

/* Spreads the errors of a step. */
static inline __attribute__((always_inline)) void
spread_kept(const struct step_targets *targets, const vec field[8], vec e,
            struct chain *chain, struct aside *aside)
{
    vec right = share(targets->right, e, field[HT_TDFED_RIGHT]);
    vec p1 = share(targets->p1, e, field[HT_TDFED_P1]);
    vec m1 = share(targets->m1, e, field[HT_TDFED_M1]);
    vec m2 =
        share(mask_has(targets->bits, HT_TDFED_TO_M2), e, field[HT_TDFED_M2]);
    vec m4 =
        share(mask_has(targets->bits, HT_TDFED_TO_M4), e, far_weight(field));
    vec rest = e - right - p1 - m1 - m2 - m4;

    mask ahead = ~targets->down & targets->right;
    mask not_yet = ~(targets->down | targets->right);
    mask behind_down = not_yet & targets->m1;
    mask ahead_down = not_yet & ~targets->m1 & targets->p1;
    vec down = vec_where(~(ahead | behind_down | ahead_down), rest) +
               vec_where(targets->forced, targets->noise);

    chain->left = vec_plus_where(ahead, right, rest);
    chain->done = vec_add_held(chain->below[4] + m4, aside->done[2]);
    chain->below[4] = chain->below[3];
    chain->below[3] = chain->below[2] + m2;
    chain->below[2] = chain->below[1] + m1;
    chain->below[1] = chain->below[0] + down;
    chain->below[0] = p1;

    aside->done[2] = aside->done[1];
    aside->done[1] = aside->done[0];
    aside->done[0] = vec_plus_where(behind_down, aside->ahead[1], rest);
    aside->ahead[1] = aside->ahead[0];
    aside->ahead[0] = vec_where(ahead_down, rest);
}
