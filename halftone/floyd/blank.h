/*
 * blank.h - chunks with nothing but white or solid, and pixels that are one of
 * these: doc/dev/halftone.md, "What may be skipped". For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* What is among the samples of a chunk, as elements that are not 0. `forced`
 * has -1 for white, solid and, of 16-bit samples, those within 4 tones of them;
 * `toned` for all that are neither white nor solid.
 */
struct seen {
    vec other_than_white, forced, toned;
};

/* Says whether no error comes into a chunk, from the columns before or the row
 * above. */
static inline bool quiet(const struct chain *chain, const int16_t *error)
{
    vec any = chain->left | chain->down | chain->corner;

    for (unsigned i = 0; i < DELAY; i++)
        any |= chain->below[i];
    for (unsigned i = 0; i < CHUNK; i += LANES) {
        vec row;

        memcpy(&row, error + i, sizeof row);
        any |= row;
    }
    return !vec_any(any);
}

/* Returns the error of white and solid pixels: clamped to half a dot, of which
 * three quarters are kept. */
static inline vec forced_error(vec e)
{
    const vec half = (vec){0} + HT_ONE / 2;

    e = vec_max(vec_min(e, half), -half);
    return (e + e + e + ((e >> 15) & 3)) >> 2;
}
