/*
 * meet.h - inks together: doc/dev/halftone.md "Inks together", whose letters
 * these are. For kernel.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* Steps that inks with rules together do in turns. At most DELAY: the light of
 * a step is what all inks together have left DELAY steps before. */
#define GROUP 4

#define MOST_TOGETHER (HT_ONE - 1) /* of v and m in size */

/* Without a push, u above this prints a dot. */
#define HALF_LESS (HT_ONE / 2 - 1)

/* Sums over the inks so far at each step of a group, and the light that passes
 * from group to group. */
struct meeting {
    vec from;             /* z */
    vec most_below;       /* (z - a) of tones that are fully near, -2^(14-i) */
    int steps;            /* i + 1 */
    unsigned usual;       /* inks with nothing but toned pixels in the chunk */
    bool opened;          /* the first of the chunk's inks is an opening one */
    vec twice[GROUP];     /* 2 U */
    vec tone[GROUP];      /* the highest of the toned inks' tones, at least z */
    vec reflected[GROUP]; /* L */
    vec due[GROUP];       /* M - ONE */
    vec toned[GROUP];     /* -Q, where less than two inks are usual */
    vec light_left;       /* half of the last m */
    vec light[LAG];       /* of step s at s % LAG: what the row above leaves */
};

/* An ink's part in a meeting. */
struct floyd_part {
    vec share;      /* f */
    vec minus;      /* -f */
    vec below[LAG]; /* of step s at s % LAG: V that the row above leaves */
};

/* State of an ink at a step, before its dot is chosen. */
struct floyd_encounter {
    vec tone;      /* a, or a* */
    vec toned;     /* -1 or 0, unless all are */
    vec reflected; /* L */
    vec due;       /* M - ONE */
    vec absorbed;  /* q */
    vec unlike;    /* A - ONE */
    vec v;
    vec with_dot; /* what v becomes with a whole dot */
};

static inline vec held_together(vec a)
{
    const vec most = (vec){0} + MOST_TOGETHER;

    return vec_max(vec_min(a, most), -most);
}

/* ---- A group of steps ---------------------------------------------------- */

static void take_rules(struct meeting *meeting,
                       const struct ht_meeting_rules *rules)
{
    const vec zero = {0};

    *meeting = (struct meeting){.steps = rules->steps + 1};
    meeting->from = zero + rules->from;
    meeting->most_below = zero - (int16_t)(32768 >> meeting->steps);
}

/* Begins a group, whose first step is `first` of the chunk, before the first
 * ink. `light` is what the first row inherits, from the chunk's first step on.
 */
static void begin_group(struct meeting *meeting, size_t first,
                        const int16_t *light)
{
    const vec zero = {0};

    for (size_t k = 0; k < GROUP; k++) {
        size_t i = first + k;
        vec u = vec_passed_down(meeting->light[i % LAG], light + i);

        meeting->twice[k] = u + u;
        if (meeting->usual < 2)
            meeting->toned[k] = zero;
        if (meeting->opened)
            continue;
        meeting->tone[k] = meeting->from;
        meeting->reflected[k] = zero + HT_ONE;
        meeting->due[k] = zero;
    }
}

/* Ends a group after the last ink: gives on the light. Shares behind the page's
 * first column are never asked for. */
static void end_group(struct meeting *meeting, size_t first, unsigned last_lane,
                      int16_t *leaves)
{
    const int16_t enough = (int16_t)(meeting->usual - 1);
    vec left = meeting->light_left;

    for (size_t k = 0; k < GROUP; k++) {
        size_t i = first + k;
        vec *done = &meeting->light[(i + DELAY) % LAG];
        vec m = held_together((meeting->twice[k] >> 1) + meeting->reflected[k] -
                              HT_ONE - meeting->due[k]);

        if (meeting->usual < 2)
            m &= meeting->toned[k] < enough;
        *done = left + (m >> 1);
        left = m - (m >> 1);
        leaves[i] = (*done)[last_lane];
    }
    meeting->light_left = left;
}

/* ---- A step -------------------------------------------------------------- */

/* Returns -O at step k of a group, where the ink has this tone. It has -32768
 * for -32767: the products with 0..ONE are the same. */
static ALWAYS_INLINE vec nearness(struct meeting *meeting, size_t k, vec tone)
{
    tone = vec_max(meeting->tone[k], tone);
    meeting->tone[k] = tone;
    return vec_max(meeting->from - tone, meeting->most_below) << meeting->steps;
}

/* Finds the company that an ink that does not open should have at step k, and
 * returns how much that pushes. */
static ALWAYS_INLINE vec welcome(const struct floyd_kind kind,
                                 struct meeting *meeting, size_t k,
                                 struct floyd_encounter *found)
{
    if (kind.near)
        found->unlike -= found->due;
    else
        found->unlike +=
            vec_weighted(found->due, nearness(meeting, k, found->tone));

    vec missing = found->reflected + found->unlike;
    vec s = missing + (missing >> 1);

    if (!kind.usual)
        s &= found->toned;
    found->with_dot = held_together(vec_add_held(found->v, s));
    return vec_weighted(s, found->v);
}

/* Looks at step k of a group and returns half of the push, as far as it keeps
 * thresholds in 0..ONE. `found` has the tone, 0 where the ink is not toned;
 * `company` is left_k + V. */
static ALWAYS_INLINE vec meet(const struct floyd_kind kind,
                              struct meeting *meeting,
                              const struct floyd_part *part, size_t k,
                              vec company, struct floyd_encounter *found)
{
    const vec zero = {0}, one = zero + HT_ONE, most = one >> 2;

    found->reflected = kind.opens ? one : meeting->reflected[k];
    found->due = kind.opens ? zero : meeting->due[k];
    found->absorbed = vec_weighted(found->reflected, part->share);
    found->unlike = -one;
    found->v = kind.usual ? company : company & found->toned;
    found->with_dot = found->v;

    vec push = -vec_weighted(found->absorbed, meeting->twice[k]);

    if (!kind.opens)
        push += welcome(kind, meeting, k, found);
    else
        meeting->tone[k] = vec_max(meeting->from, found->tone);
    return vec_max(vec_min(push, most), -most);
}

/* Takes what an ink absorbs at step k from the light that there is (L), and
 * from the light that there should be (M). */
static ALWAYS_INLINE void absorb(const struct floyd_kind kind,
                                 struct meeting *meeting,
                                 const struct floyd_part *part, size_t k,
                                 const struct floyd_encounter *found,
                                 const struct drop *drop)
{
    const vec one = (vec){0} + HT_ONE;
    vec share = vec_weighted(found->unlike, part->minus);
    vec due = found->due - vec_weighted(share + share, found->tone);

    if (!kind.opens)
        due = vec_max(due, -one);
    if (!kind.usual) {
        vec lost = vec_weighted(found->due + one, part->share);

        due = vec_select(found->toned, due, found->due - (lost & drop->dot));
    }
    meeting->due[k] = due;
    meeting->reflected[k] = found->reflected - (found->absorbed & drop->dot);
}

/* Gives on what that leaves with the dots known: V to the row below, and
 * returns left_k. */
static ALWAYS_INLINE vec part_from(const struct floyd_kind kind,
                                   struct meeting *meeting,
                                   const struct floyd_part *part, size_t k,
                                   const struct floyd_encounter *found,
                                   const struct drop *drop, vec *company)
{
    const vec zero = {0};

    absorb(kind, meeting, part, k, found, drop);
    if (!kind.usual && meeting->usual < 2)
        meeting->toned[k] += found->toned;
    if (!kind.keeps)
        return zero;

    vec v = found->v;

    if (!kind.opens)
        v = vec_select(drop->dot, found->with_dot, v);
    vec left = vec_weighted(v, zero + HT_COMPANY_ON);

    *company = v - left;
    return left;
}
