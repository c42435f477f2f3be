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
#include "halftone/floyd/targets.h"

/* ---- A chunk ----------------------------------------------------------- */

/*
 * Diffuses a chunk of one ink whose pixels are toned, and so are those that get
 * shares of their errors: doc/dev/halftone.md, "A pixel". No error needs to be
 * held to -ONE..ONE - 1: the shares that meet have weights that sum to 1, and 3
 * units of rounding.
 *
 *   samples [CHUNK]
 *   error   what the first row inherits, from the chunk's first step on
 *   before  [CHUNK]  excess of the inks before; NULL when there is only one ink
 */
static ALWAYS_INLINE void diffuse_toned(struct chunk *chunk, const vec *samples,
                                        struct chain *chain,
                                        const int16_t *error, vec *before)
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
            vec next = vec_sixteenths(e, 7);
            vec behind = vec_sixteenths(e, 3);
            vec ahead = vec_sixteenths(e, 1);

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

/* ---- A chunk of a sweep -------------------------------------------------- */

/* Returns where the last row's errors of a chunk go. */
static inline int16_t *left_by(const struct ht_floyd_sweep *sweep, uint32_t ink,
                               size_t from)
{
    return sweep->error[ink] + (ptrdiff_t)(from - LAG * (sweep->rows - 1)) - 1;
}

static inline void leave_errors(const struct chunk *chunk, uint32_t rows,
                                int16_t *leaves)
{
    for (unsigned i = 0; i < CHUNK; i++)
        leaves[i] = chunk->below[i + DELAY][LANES - rows];
}

/* Diffuses a chunk, `regular` if its pixels give only usual shares on. */
static void diffuse(const struct ht_floyd_sweep *sweep, uint32_t ink,
                    size_t from, struct chunk *chunk,
                    const struct window *window, struct chain *chain,
                    vec *before, bool regular)
{
    const vec *sample = window_at(window, from);
    const int16_t *error = sweep->error[ink] + from;

    if (regular && window->regular && usual(error)) {
        if (before == NULL)
            diffuse_toned(chunk, sample, chain, error, NULL);
        else
            diffuse_toned(chunk, sample, chain, error, before);
        return;
    }

    struct targets targets;

    find_targets(&targets, window, sweep, ink, from);
    if (before == NULL)
        diffuse_targets(chunk, sample, &targets, chain, error, NULL);
    else
        diffuse_targets(chunk, sample, &targets, chain, error, before);
}

/* Runs the steps from..from+CHUNK-1 of one ink. The sides of the page need no
 * care: beside it all is white. */
static void run_chunk(const struct ht_floyd_sweep *sweep, uint32_t ink,
                      size_t from, struct chunk *chunk, struct window *window,
                      struct chain *chain, vec *before)
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
        diffuse(sweep, ink, from, chunk, window, chain, before, regular);
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
            run_chunk(sweep, ink, from, &chunk, &window[ink], &chain[ink],
                      several ? before : NULL);
    }
}

const struct ht_floyd_kernel HT_KERNEL(floyd) = {LANES, run};
