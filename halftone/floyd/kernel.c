/*
 * kernel.c - diffuses a sweep; compiled once an instruction set, simd/sets.h.
 *
 * Row i of a sweep is lane LANES - 1 - i, and in column s - LAG * i at step s.
 * A chunk of steps is turned into vectors, diffused and written, ink after ink,
 * and then the next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/floyd/floyd.h"

#define HT_MOST_LANES HT_FLOYD_MAX_LANES
#include "halftone/simd/vec.h"

#define LAG HT_FLOYD_LAG
#define CHUNK HT_FLOYD_CHUNK

/* Steps from when a row has left all its shares to a column, which is one
 * column later, to when the row below asks for them. */
#define DELAY (LAG - 1)

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* What a chunk leaves to the next one of the same ink: shares of later pixels.
 */
struct chain {
    vec left;   /* for the next column */
    vec down;   /* for the row below, this column and .. */
    vec corner; /* .. the next, so far */
    vec below[DELAY];
};

#include "halftone/floyd/blank.h"
#include "halftone/floyd/lookup.h"
#include "halftone/floyd/tape.h"
/* which needs tape.h: */
#include "halftone/floyd/second.h"

/* ---- A chunk ----------------------------------------------------------- */

/* Marks, from step `from` on, where shares would leave the page sideways: they
 * are not split off. */
static inline void close_sides(struct chunk *chunk, uint32_t width, size_t from)
{
    for (unsigned i = 0; i < CHUNK; i++)
        chunk->keep_behind[i] = chunk->keep_ahead[i] = (vec){0} - 1;
    for (unsigned k = 0; k < LANES; k++) {
        size_t first = (size_t)LAG * (LANES - 1 - k);
        size_t last = first + width - 1;

        if (first >= from && first - from < CHUNK)
            chunk->keep_behind[first - from][k] = 0;
        if (last >= from && last - from < CHUNK)
            chunk->keep_ahead[last - from][k] = 0;
    }
}

/*
 * Diffuses a chunk of one ink: doc/dev/halftone.md, "A pixel". Where no pixel
 * is forced or at a side, no error needs to be clamped to -ONE..ONE: the shares
 * that meet there have weights that sum to 1, and 3 units of rounding.
 *
 *   samples [CHUNK]
 *   error   what the first row inherits, from the chunk's first step on
 *   before  [CHUNK]  excess of the inks before; NULL when there is only one ink
 */
static ALWAYS_INLINE void diffuse_ink(struct chunk *chunk, const vec *samples,
                                      struct chain *chain, const int16_t *error,
                                      vec *before, bool forced, bool sides)
{
    const vec one = (vec){0} + HT_ONE;
    vec left = chain->left, down = chain->down, corner = chain->corner;

    for (size_t block = 0; block < CHUNK; block += 16) {
        vec dots = {0};

        for (size_t k = 0; k < 16; k++) {
            size_t i = block + k;
            vec sample = samples[i], tone = vec_tone(sample);
            vec share = tone + vec_passed_down(chunk->below[i], error + i);
            vec limit = HT_ONE / 2 - 1 - share;

            if (before != NULL)
                limit += raised(sample, before[i]);

            vec dot = left > limit;
            vec e = share + left - (dot & one);

            if (forced) {
                vec white = sample == 0, solid = sample == -1;
                vec kept = forced_error(share - (solid & one) + left);

                e = vec_max(vec_min(e, one), -one);
                e = vec_select(white | solid, kept, e);
                dot = (dot & ~white) | solid;
            }

            vec next = vec_sixteenths(e, 7);
            vec behind = vec_sixteenths(e, 3);
            vec ahead = vec_sixteenths(e, 1);

            if (sides) {
                next &= chunk->keep_ahead[i];
                behind &= chunk->keep_behind[i];
                ahead &= chunk->keep_ahead[i];
            }
            left = next;
            chunk->below[i + DELAY] = down + behind;
            down = corner + (e - next - behind - ahead);
            corner = ahead;

            dots = dots + dots - dot;
            if (before != NULL)
                before[i] = with_ink(before[i], e);
        }
        chunk->dots[block / 16] = dots;
    }
    chain->left = left;
    chain->down = down;
    chain->corner = corner;
    memcpy(chain->below, chunk->below + CHUNK, sizeof chain->below);
}

static ALWAYS_INLINE void diffuse(struct chunk *chunk, const vec *samples,
                                  struct chain *chain, const int16_t *error,
                                  vec *before, bool forced, bool sides)
{
    if (before == NULL)
        diffuse_ink(chunk, samples, chain, error, NULL, forced, sides);
    else
        diffuse_ink(chunk, samples, chain, error, before, forced, sides);
}

/* ---- A chunk of a sweep -------------------------------------------------- */

/* Says whether a chunk is white or solid and stays so. */
static inline bool is_blank(const struct seen *seen, const struct chain *chain,
                            const int16_t *error)
{
    bool white = !vec_any(seen->other_than_white);
    bool solid = !vec_any(seen->other_than_solid);

    return (white || solid) && quiet(chain, error);
}

/* Returns where the last row's errors of a chunk go. */
static inline int16_t *left_by(const struct ht_floyd_sweep *sweep, uint32_t ink,
                               size_t from)
{
    return sweep->error[ink] + (ptrdiff_t)(from - LAG * (sweep->rows - 1)) - 1;
}

static inline void leave_blank(struct chunk *chunk, const struct seen *seen,
                               int16_t *leaves)
{
    bool solid = !vec_any(seen->other_than_solid);

    for (unsigned i = 0; i < CHUNK / 16; i++)
        chunk->dots[i] = (vec){0} - (int16_t)solid;
    memset(leaves, 0, CHUNK * sizeof *leaves);
}

static inline void leave_errors(const struct chunk *chunk, uint32_t rows,
                                int16_t *leaves)
{
    for (unsigned i = 0; i < CHUNK; i++)
        leaves[i] = chunk->below[i + DELAY][LANES - rows];
}

/* Runs the steps from..from+CHUNK-1 of one ink. */
static void run_chunk(const struct ht_floyd_sweep *sweep, uint32_t ink,
                      size_t from, struct chunk *chunk, struct chain *chain,
                      vec *before)
{
    vec sample[CHUNK];
    struct seen seen = prepare(sample, sweep, ink, from);
    const int16_t *error = sweep->error[ink] + from;

    if (is_blank(&seen, chain, error)) {
        leave_blank(chunk, &seen, left_by(sweep, ink, from));
    } else {
        memcpy(chunk->below, chain->below, sizeof chain->below);
        if (from <= LAG * (LANES - 1) || from + CHUNK >= sweep->width) {
            close_sides(chunk, sweep->width, from);
            diffuse(chunk, sample, chain, error, before, true, true);
        } else if (sweep->foreign || vec_any(seen.forced)) {
            diffuse(chunk, sample, chain, error, before, true, false);
        } else {
            diffuse(chunk, sample, chain, error, before, false, false);
        }
        leave_errors(chunk, sweep->rows, left_by(sweep, ink, from));
    }
    put_dots(sweep, ink, from, chunk->dots);
}

/* ---- The second edition -------------------------------------------------- */

/* Diffuses a chunk of the second edition, `regular` if its pixels give only
 * usual shares on: like one of the first, if it also gets no others. */
static void diffuse_second(const struct ht_floyd_sweep *sweep, uint32_t ink,
                           size_t from, struct chunk *chunk,
                           const struct window *window, struct chain *chain,
                           vec *before, bool regular)
{
    const vec *sample = window_at(window, from);
    const int16_t *error = sweep->error[ink] + from;

    if (regular && window->regular && usual(error)) {
        diffuse(chunk, sample, chain, error, before, false, false);
        return;
    }

    struct targets targets;

    find_targets(&targets, window, sweep, ink, from);
    if (before == NULL)
        diffuse_targets(chunk, sample, &targets, chain, error, NULL);
    else
        diffuse_targets(chunk, sample, &targets, chain, error, before);
}

/* Does what run_chunk() does for a page of the second edition. The sides of the
 * page need no care: beside it all is white. */
static void run_chunk_second(const struct ht_floyd_sweep *sweep, uint32_t ink,
                             size_t from, struct chunk *chunk,
                             struct window *window, struct chain *chain,
                             vec *before)
{
    struct seen seen = window->seen;

    window_fill(window, sweep, ink, from + CHUNK);
    bool still = !vec_any(seen.toned) && quiet(chain, sweep->error[ink] + from);
    bool regular = still || (!vec_any(seen.forced | window->seen.forced) &&
                             toned_below(sweep, ink, from));

    if (still) {
        leave_still(chunk, window_at(window, from),
                    !vec_any(seen.other_than_white), left_by(sweep, ink, from));
    } else {
        memcpy(chunk->below, chain->below, sizeof chain->below);
        diffuse_second(sweep, ink, from, chunk, window, chain, before, regular);
        leave_errors(chunk, sweep->rows, left_by(sweep, ink, from));
    }
    window->regular = regular;
    put_dots(sweep, ink, from, chunk->dots);
}

/* ---- All chunks -------------------------------------------------------- */

static void run(const struct ht_floyd_sweep *sweep)
{
    size_t steps = sweep->width + LAG * (size_t)(sweep->rows - 1) + 1;
    struct chain chain[HT_MAX_INKS];
    struct chunk chunk;
    vec before[CHUNK];
    bool several = sweep->inks > 1;

    for (uint32_t ink = 0; ink < sweep->inks; ink++)
        chain[ink] = (struct chain){.left = {0}};
    for (size_t from = 0; from < steps; from += CHUNK) {
        if (several)
            memset(before, 0, sizeof before);
        for (uint32_t ink = 0; ink < sweep->inks; ink++)
            run_chunk(sweep, ink, from, &chunk, &chain[ink],
                      several ? before : NULL);
    }
}

static void run_second(const struct ht_floyd_sweep *sweep)
{
    size_t steps = sweep->width + LAG * (size_t)(sweep->rows - 1) + 1;
    struct chain chain[HT_MAX_INKS];
    struct window window[HT_MAX_INKS];
    struct chunk chunk;
    vec before[CHUNK];
    bool several = sweep->inks > 1;

    for (uint32_t ink = 0; ink < sweep->inks; ink++) {
        chain[ink] = (struct chain){.left = {0}};
        window[ink].regular = true;
        window_fill(&window[ink], sweep, ink, 0);
    }
    for (size_t from = 0; from < steps; from += CHUNK) {
        if (several)
            memset(before, 0, sizeof before);
        for (uint32_t ink = 0; ink < sweep->inks; ink++)
            run_chunk_second(sweep, ink, from, &chunk, &window[ink],
                             &chain[ink], several ? before : NULL);
    }
}

const struct ht_floyd_kernel HT_KERNEL(floyd) = {LANES, run, run_second};
