/*
 * blank.h - chunks with nothing but white or solid, and pixels that are one of
 * these: doc/dev/halftone.md, "What may be skipped". For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Kinds of samples in a chunk. */
struct seen {
    bool white;  /* all of them */
    bool toned;  /* some are neither white nor solid */
    bool near;   /* if none is white, all have at least ht_floyd_sweep.near */
    bool forced; /* some are white, solid or, of 16 bits, within 4 tones of
                    these */
};

/* Says whether there is nothing but 0 in what comes into a chunk, from the
 * columns before, `left`, and the row above, `below` [count] and `line`. */
static inline bool quiet(const vec *below, unsigned count, vec left,
                         const int16_t *line)
{
    vec any = left;

    for (unsigned i = 0; i < count; i++)
        any |= below[i];
    for (unsigned i = 0; i < CHUNK; i += LANES) {
        vec row;

        memcpy(&row, line + i, sizeof row);
        any |= row;
    }
    return !vec_any(any);
}

/* Says whether no error comes into a chunk. */
static inline bool no_error(const struct floyd_chain *chain,
                            const int16_t *error)
{
    const struct flow *flow = &chain->flow;

    return quiet(chain->below, DELAY, flow->left | flow->down | flow->corner,
                 error);
}

/* Returns the error of white and solid pixels: clamped to half a dot, of which
 * three quarters are kept. */
static inline vec forced_error(vec e)
{
    const vec half = (vec){0} + HT_ONE / 2;

    e = vec_max(vec_min(e, half), -half);
    return (e + e + e + ((e >> 15) & 3)) >> 2;
}
