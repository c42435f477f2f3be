/*
 * kernel.c - diffuses a sweep; compiled once an instruction set, simd/sets.h.
 *
 * Row i of a sweep is lane LANES - 1 - i, and in column s - LAG * i at step s.
 * A chunk of steps is turned into vectors, diffused and written, ink after ink,
 * and then the next. Inks that have rules together take turns in a chunk, every
 * GROUP steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/floyd/floyd.h"
#include "halftone/floyd/lookup.h"
#include "halftone/simd/dots.h"
#include "halftone/sizes.h"

#define HT_MOST_LANES HT_FLOYD_MAX_LANES
#include "halftone/simd/vec.h"

#define LAG HT_FLOYD_LAG
#define CHUNK HT_FLOYD_CHUNK

/* Steps from when a row has left all its shares to a column, which is one
 * column later, to when the row below asks for them. */
#define DELAY (LAG - 1)

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* State that passes from step to step. */
struct flow {
    vec left;    /* shares for the next column */
    vec down;    /* for the row below, this column and .. */
    vec corner;  /* .. the next, so far */
    vec company; /* left_k */
    vec dots;    /* of the last 16 steps, the last one in the lowest bit; of the
                    last 8 or 4 if there are several sizes, of two bits or
                    four each */
};

/* State that passes from chunk to chunk of an ink. */
struct floyd_chain {
    struct flow flow;
    vec below[LAG];      /* what step s asks for, at s % LAG */
    vec dots[CHUNK / 4]; /* of a chunk: 16 columns each, or 8, or 4 */
};

/* Facts about an ink in a chunk, known before its first step. */
struct floyd_kind {
    bool usual;     /* all pixels are toned */
    bool meets;     /* inks have rules together: */
    bool opens;     /* those before it are white */
    bool keeps;     /* company: it is not the page's first */
    bool near;      /* the inks so far are fully near (O) */
    unsigned sized; /* drops have several sizes, of so many bits in the making:
                       4 for more than 3; else 0 */
};

#include "halftone/floyd/blank.h"
#include "halftone/floyd/sizes.h"
/* needs sizes.h: */
#include "halftone/floyd/meet.h"
#include "halftone/floyd/tape.h"
/* needs tape.h: */
#include "halftone/floyd/targets.h"

enum content {
    STILL, /* white and solid pixels, into which no error comes */
    USUAL, /* toned pixels that give the usual shares */
    OTHER
};

/* An ink of a sweep, and its chunk in the making. */
struct floyd_ink {
    struct window window;
    struct floyd_chain chain;
    struct floyd_part part;
    struct targets targets; /* of OTHER */
    enum content content;
    bool white;   /* all pixels */
    bool near;    /* all pixels fully (O) */
    bool regular; /* the pixels give only usual shares on */
    const vec *sample;
    const int16_t *error;   /* what the first row inherits, .. */
    int16_t *leaves;        /* .. and what the last one leaves */
    const int16_t *company; /* the same; NULL if it keeps none */
    int16_t *leaves_company;
    struct sizes sizes; /* if there are several */
};

/* ---- Steps of an ink ----------------------------------------------------- */

/* Gives the usual shares of a step's errors on: doc/dev/halftone.md, "A pixel".
 */
static ALWAYS_INLINE void give_usual(vec e, struct flow *flow, vec *done)
{
    vec next = vec_sixteenths(e, 7);
    vec behind = vec_sixteenths(e, 3);
    vec ahead = vec_sixteenths(e, 1);

    flow->left = next;
    *done = flow->down + behind;
    flow->down = flow->corner + (e - next - behind - ahead);
    flow->corner = ahead;
}

/*
 * Prints whole dots on pixels that give the usual shares, and returns their
 * errors. There is a dot where u is above 2 `push` + HALF_LESS: an ink that is
 * alone has no push.
 *
 * Nothing needs to be held: the shares that meet have weights that sum to 1,
 * and 3 units of rounding, and tones are at most ONE - 4.
 */
static ALWAYS_INLINE vec usual_dots(const struct floyd_kind kind, vec tone,
                                    vec above, vec push,
                                    const struct flow *flow, struct drop *drop)
{
    vec share = tone + above, u = share + flow->left;

    drop->dot = kind.meets ? vec_below(push, (u - (HALF_LESS - 1)) >> 1)
                           : flow->left > HALF_LESS - share;
    return u - (drop->dot & HT_ONE);
}

/* usual_dots() for drops of several sizes. Clamps the errors if something
 * pushes, because a tone may lie next to a size; it never lies that near to no
 * dot or a whole one. Without a push the chunk is calm(), and nothing needs
 * clamping. */
static ALWAYS_INLINE vec usual_drops(const struct floyd_kind kind,
                                     const struct sizes *sizes, size_t i,
                                     vec tone, vec above, vec push,
                                     const struct flow *flow, struct drop *drop)
{
    const struct which which = which_of(kind, sizes, i, tone);
    vec u = tone + above + flow->left, e = u;
    vec minus_t = -push - push - HT_ONE / 2;

#pragma GCC unroll 5
    for (unsigned k = 0; k < sizes_of(kind); k++) {
        vec limit = kind.meets ? limit_at(sizes, &which, k, minus_t)
                               : limit_alone(sizes, &which, k);

        drop->reaches[k] = mask_greater(u, limit);
        e = vec_minus_where(drop->reaches[k], e, sizes->more[k]);
    }
    note_larger(sizes, &which, e - u, drop);
    return kind.meets ? held_to_dots(e) : e;
}

/* Does step i of a chunk, which is step k of a group if inks meet. */
static ALWAYS_INLINE void do_step(const struct floyd_kind kind,
                                  struct floyd_ink *ink,
                                  struct meeting *meeting, unsigned last_lane,
                                  size_t i, size_t k, struct flow *flow)
{
    vec sample = ink->sample[i], tone = vec_tone(sample);
    vec above = vec_passed_down(ink->chain.below[i % LAG], ink->error + i);
    vec push = {0}, *company = &ink->part.below[i % LAG];
    vec *done = &ink->chain.below[(i + DELAY) % LAG];
    struct floyd_encounter found = {.tone = tone};
    struct drop drop;

    if (kind.meets) {
        vec v = flow->company;

        if (kind.keeps)
            v += vec_passed_down(*company, ink->company + i);
        if (kind.sized) {
            const struct which which = which_of(kind, &ink->sizes, i, tone);

            found.tone = share_at(&ink->sizes, &which, tone);
        }
        if (!kind.usual) {
            found.toned = ink->targets.toned[i];
            found.tone &= found.toned;
        }
        push = meet(kind, meeting, &ink->part, k, v, &found);
    }
    if (!kind.usual)
        give_to_targets(kind, &ink->targets, &ink->sizes, i, sample, tone,
                        above, push, flow, done, &drop);
    else if (kind.sized)
        give_usual(
            usual_drops(kind, &ink->sizes, i, tone, above, push, flow, &drop),
            flow, done);
    else
        give_usual(usual_dots(kind, tone, above, push, flow, &drop), flow,
                   done);
    ink->leaves[i] = (*done)[last_lane];
    if (kind.meets)
        flow->company =
            part_from(kind, meeting, &ink->part, k, &found, &drop, company);
    if (kind.keeps)
        ink->leaves_company[i] = (*company)[last_lane];
    flow->dots = kind.sized ? add_sizes(kind, flow->dots, &drop)
                            : flow->dots + flow->dots - drop.dot;
}

/* Returns how many pixels' dots a vector of them has. */
static ALWAYS_INLINE size_t pixels_of(const struct floyd_kind kind)
{
    return 16 / (kind.sized ? kind.sized : 1);
}

/* Does a chunk of an ink that meets no other. */
static ALWAYS_INLINE void do_chunk(const struct floyd_kind kind,
                                   struct floyd_ink *ink, unsigned last_lane)
{
    const size_t pixels = pixels_of(kind);
    struct flow flow = ink->chain.flow;

    for (size_t from = 0; from < CHUNK; from += pixels) {
#pragma GCC unroll 8
        for (size_t i = from; i < from + pixels; i++)
            do_step(kind, ink, NULL, last_lane, i, 0, &flow);
        ink->chain.dots[from / pixels] = flow.dots;
    }
    ink->chain.flow = flow;
}

/* Diffuses an ink in a group of a chunk; `first` is the group's first step. */
typedef void do_group(struct floyd_ink *ink, struct meeting *meeting,
                      unsigned last_lane, size_t first);

#define GROUP_OF(name, several, ...)                                           \
    static __attribute__((noinline)) void name(                                \
        struct floyd_ink *ink, struct meeting *meeting, unsigned last_lane,    \
        size_t first)                                                          \
    {                                                                          \
        const struct floyd_kind kind = {                                       \
            .meets = true, .sized = several, __VA_ARGS__};                     \
        struct flow flow = ink->chain.flow;                                    \
                                                                               \
        _Pragma("GCC unroll 4") for (size_t k = 0; k < GROUP; k++)             \
            do_step(kind, ink, meeting, last_lane, first + k, k, &flow);       \
        ink->chain.flow = flow;                                                \
        ink->chain.dots[first / pixels_of(kind)] = flow.dots;                  \
    }
#define GROUPS_OF(name, ...)                                                   \
    GROUP_OF(name, 0, __VA_ARGS__)                                             \
    GROUP_OF(name##_sizes, 2, __VA_ARGS__)                                     \
    GROUP_OF(name##_five, 4, __VA_ARGS__)
GROUPS_OF(first_usual, .usual = true, .opens = true)
GROUPS_OF(first_other, .opens = true)
GROUPS_OF(opening_usual, .usual = true, .opens = true, .keeps = true)
GROUPS_OF(later_usual, .usual = true, .keeps = true)
GROUPS_OF(later_other, .keeps = true)
GROUP_OF(near_usual, 0, .usual = true, .keeps = true, .near = true)
GROUP_OF(near_other, 0, .keeps = true, .near = true)
#undef GROUPS_OF
#undef GROUP_OF

/* The dots are known: what they absorb. */
static void still(struct floyd_ink *ink, struct meeting *meeting,
                  unsigned last_lane, size_t first)
{
    const struct floyd_kind kind = {.meets = true};

    (void)last_lane;
    for (size_t k = 0; k < GROUP; k++) {
        struct floyd_encounter found = {.reflected = meeting->reflected[k],
                                        .due = meeting->due[k]};

        found.absorbed = vec_weighted(found.reflected, ink->part.share);
        const struct drop drop = {.dot = ink->sample[first + k] == -1};

        absorb(kind, meeting, &ink->part, k, &found, &drop);
    }
}

/* The ways to do groups, by half of floyd_kind.sized. */
enum way {
    DONE, /* still() */
    FIRST_USUAL,
    FIRST_OTHER,
    OPENING_USUAL,
    LATER_USUAL,
    LATER_OTHER,
    NEAR_USUAL,
    NEAR_OTHER,
    WAYS
};

static do_group *const ways[3][WAYS] = {
    {still, first_usual, first_other, opening_usual, later_usual, later_other,
     near_usual, near_other},
    {still, first_usual_sizes, first_other_sizes, opening_usual_sizes,
     later_usual_sizes, later_other_sizes, NULL, NULL},
    {still, first_usual_five, first_other_five, opening_usual_five,
     later_usual_five, later_other_five, NULL, NULL}};

static unsigned sized(const struct ht_floyd_sweep *sweep)
{
    return sweep->sizes != NULL ? sweep->sizes->dot_bits : 0;
}

/* ---- A chunk ------------------------------------------------------------- */

/* Returns where the last row of a sweep is at the step `from`. */
static inline int16_t *last_row(const struct ht_floyd_sweep *sweep,
                                int16_t *line, size_t from)
{
    return line + (ptrdiff_t)(from - LAG * (sweep->rows - 1));
}

/* Looks at the chunk from step `from` on, and prepares the next. The sides of
 * the page need no care: beside it all is white. */
static void look(const struct ht_floyd_sweep *sweep, uint32_t number,
                 size_t from, struct floyd_ink *ink)
{
    struct window *window = &ink->window;
    struct seen seen = window->seen;
    bool was_regular = ink->regular;

    ink->sample = window_at(window, from);
    ink->error = sweep->line[number] + from;
    ink->leaves = last_row(sweep, sweep->line[number], from) - 1;
    if (ink->company != NULL) {
        int16_t *line = sweep->line[sweep->inks + number - 1];

        ink->company = line + from;
        ink->leaves_company = last_row(sweep, line, from);
    }
    __builtin_prefetch(ink->error + 2 * CHUNK);
    window_fill(window, sweep, number, from + CHUNK);
    if (sweep->sizes != NULL && from > 0)
        ink->sizes.row += CHUNK;
    ink->white = seen.white;
    ink->near = seen.near;

    bool is_still = !seen.toned && no_error(&ink->chain, ink->error);

    ink->regular = is_still || (!seen.forced && !window->seen.forced &&
                                toned_below(sweep, number, from));
    if (is_still)
        ink->content = STILL;
    else if (ink->regular && was_regular &&
             (sweep->sizes != NULL ? calm(&ink->chain, ink->error)
                                   : usual(ink->error)))
        ink->content = USUAL;
    else
        ink->content = OTHER;
    if (ink->content == OTHER)
        find_targets(&ink->targets, window, sweep, number, from);
}

/* Diffuses a chunk of an ink that meets no other. */
static void do_alone(const struct ht_floyd_sweep *sweep, struct floyd_ink *ink)
{
    const unsigned last_lane = LANES - sweep->rows, bits = sized(sweep);

    if (ink->content == STILL)
        leave_still(ink->chain.dots, ink->sample, ink->white, ink->leaves,
                    (int16_t)(bits ? ink->sizes.count : 1), bits ? bits : 1);
    else if (ink->content == USUAL && bits == 4)
        do_chunk((struct floyd_kind){.usual = true, .sized = 4}, ink,
                 last_lane);
    else if (ink->content == USUAL && bits == 2)
        do_chunk((struct floyd_kind){.usual = true, .sized = 2}, ink,
                 last_lane);
    else if (ink->content == USUAL)
        do_chunk((struct floyd_kind){.usual = true}, ink, last_lane);
    else if (bits == 4)
        do_chunk((struct floyd_kind){.sized = 4}, ink, last_lane);
    else if (bits == 2)
        do_chunk((struct floyd_kind){.sized = 2}, ink, last_lane);
    else
        do_chunk((struct floyd_kind){.usual = false}, ink, last_lane);
}

/* Says whether an ink inherits no company. */
static bool no_company(const struct floyd_ink *ink)
{
    return ink->company == NULL ||
           quiet(ink->part.below, LAG, ink->chain.flow.company, ink->company);
}

/* Keeps no company in a chunk without toned pixels, or another ink. */
static void drop_company(struct floyd_ink *ink)
{
    if (ink->company == NULL)
        return;
    ink->chain.flow.company = (vec){0};
    memset(ink->part.below, 0, sizeof ink->part.below);
    memset(ink->leaves_company, 0, CHUNK * sizeof *ink->leaves_company);
}

/* Returns how an ink does the groups of a chunk. */
static enum way way_of(const struct floyd_ink *ink, bool opens, bool near)
{
    if (ink->content == STILL)
        return DONE;
    if (ink->company == NULL)
        return ink->content == USUAL ? FIRST_USUAL : FIRST_OTHER;
    if (ink->content != USUAL)
        return near ? NEAR_OTHER : LATER_OTHER;
    return opens ? OPENING_USUAL : near ? NEAR_USUAL : LATER_USUAL;
}

/* Finds the inks [HT_MAX_INKS] that are not white in a chunk, and returns how
 * many there are. Does the others. */
static unsigned meet_inks(const struct ht_floyd_sweep *sweep,
                          struct floyd_ink *inks, struct floyd_ink **who)
{
    unsigned count = 0;

    for (uint32_t number = 0; number < sweep->inks; number++) {
        struct floyd_ink *ink = &inks[number];

        if (!ink->white)
            who[count++] = ink;
        if (!ink->white && ink->content != STILL)
            continue;
        drop_company(ink);
        do_alone(sweep, ink);
    }
    return count;
}

/* Says whether nothing is pushed in a chunk, and no light goes on: there is
 * none from above, and only one ink, without company. */
static bool nothing_together(struct floyd_ink *const *who, unsigned count,
                             const struct meeting *meeting,
                             const int16_t *light)
{
    bool toned = false;

    for (unsigned i = 0; i < count; i++)
        toned |= who[i]->content != STILL;
    if (!quiet(meeting->light, DELAY, meeting->light_left, light))
        return false;
    return !toned || (count == 1 && no_company(who[0]));
}

/* Decides how the inks `who` [count] of a chunk do its groups, `how`. */
static void take_turns(struct floyd_ink *const *who, unsigned count,
                       struct meeting *meeting, enum way *how)
{
    bool near = false;

    meeting->usual = 0;
    for (unsigned i = 0; i < count; i++) {
        bool usual = who[i]->content == USUAL;

        meeting->usual += usual;
        near |= usual && who[i]->near;
        how[i] = way_of(who[i], i == 0, near);
    }
    meeting->opened =
        count > 0 && (how[0] == FIRST_USUAL || how[0] == FIRST_OTHER ||
                      how[0] == OPENING_USUAL);
}

/* Diffuses a chunk of inks that have rules together. */
static void do_together(const struct ht_floyd_sweep *sweep, size_t from,
                        struct floyd_ink *inks, struct meeting *meeting)
{
    unsigned last_lane = LANES - sweep->rows;
    int16_t *line = sweep->line[2 * sweep->inks - 1];
    int16_t *leaves = last_row(sweep, line, from) - 1;
    struct floyd_ink *who[HT_MAX_INKS];
    enum way how[HT_MAX_INKS];
    do_group *const *way = ways[sized(sweep) / 2];
    unsigned count = meet_inks(sweep, inks, who);

    if (nothing_together(who, count, meeting, line + from)) {
        if (count == 1 && who[0]->content != STILL) {
            drop_company(who[0]);
            do_alone(sweep, who[0]);
        }
        memset(leaves, 0, CHUNK * sizeof *leaves);
        return;
    }
    take_turns(who, count, meeting, how);
    for (size_t first = 0; first < CHUNK; first += GROUP) {
        begin_group(meeting, first, line + from);
        for (unsigned i = 0; i < count; i++)
            way[how[i]](who[i], meeting, last_lane, first);
        end_group(meeting, first, last_lane, leaves);
    }
}

/* ---- All chunks -------------------------------------------------------- */

static void begin(const struct ht_floyd_sweep *sweep, uint32_t number,
                  struct floyd_ink *ink)
{
    ink->chain = (struct floyd_chain){.flow = {.left = {0}}};
    ink->part = (struct floyd_part){.share = {0}};
    ink->company = NULL;
    ink->regular = true;
    window_fill(&ink->window, sweep, number, 0);
    if (sweep->sizes != NULL)
        take_sizes(sweep, number, &ink->sizes);
    if (sweep->meeting == NULL)
        return;
    ink->part.share += sweep->meeting->absorbed[number];
    ink->part.minus = -ink->part.share;
    if (number > 0)
        ink->company = sweep->line[sweep->inks + number - 1];
}

static void run(const struct ht_floyd_sweep *sweep)
{
    size_t steps = sweep->width + LAG * (size_t)(sweep->rows - 1) + 1;
    struct floyd_ink *inks = sweep->space;
    struct meeting meeting;

    for (uint32_t number = 0; number < sweep->inks; number++)
        begin(sweep, number, &inks[number]);
    if (sweep->meeting != NULL)
        take_rules(&meeting, sweep->meeting);
    for (size_t from = 0; from < steps; from += CHUNK) {
        for (uint32_t number = 0; number < sweep->inks; number++) {
            look(sweep, number, from, &inks[number]);
            if (sweep->meeting == NULL)
                do_alone(sweep, &inks[number]);
        }
        if (sweep->meeting != NULL)
            do_together(sweep, from, inks, &meeting);
        for (uint32_t number = 0; number < sweep->inks; number++)
            put_dots(sweep, number, from, inks[number].chain.dots);
    }
}

const struct ht_floyd_kernel HT_KERNEL(floyd) = {LANES,
                                                 sizeof(struct floyd_ink), run};
