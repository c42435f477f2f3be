/*
 * meet.h - inks together, for kernel.c: doc/dev/halftone.md "Inks together",
 * whose letters these are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define MOST_TOGETHER (HT_ONE - 1) /* of v, m and U in size */

typedef int16_t lanes[HT_TDFED_MAX_LANES];

/* What the inks so far have left at each step of a group. */
struct meeting {
    const struct ht_tdfed_run *run;
    vec from, times;          /* z, 2^(i+1) */
    vec most_above;           /* z that this many times is within 16 bits */
    struct bytes sides;       /* of a block: enum ht_tdfed_side */
    vec light[HT_TDFED_ROWS]; /* U */
    vec near[HT_TDFED_ROWS];  /* O */
    vec reflected[HT_TDFED_ROWS], due[HT_TDFED_ROWS]; /* L, ONE - M */
    mask once[HT_TDFED_ROWS], twice[HT_TDFED_ROWS]; /* Q is at least 1, or 2 */
    mask follows[HT_TDFED_ROWS],
        goes_on[HT_TDFED_ROWS]; /* not the first, or
                                   last, of a segment */
    struct seen {
        vec tone[HT_TDFED_ROWS];
        vec dot[HT_TDFED_ROWS]; /* ONE where there is one */
        mask toned[HT_TDFED_ROWS];
    } of[HT_MAX_INKS]; /* turns */
};

/* An ink that another one meets, and what it finds there at a step. */
struct partner {
    struct ht_tdfed_line_of_inks *overlap;
    const struct seen *seen;
    strips in, out;
    vec left;
    vec done; /* what the rows below inherit at the next step */
    /* Of a step: */
    vec v, welcome; /* v and, where both are toned, s */
};

/* The inks that an ink meets: kind.partners of them. All by name, which keeps
 * them in registers. */
struct partners {
    struct partner of[HT_PARTNERS];
    mask toned;   /* the ink itself */
    vec absorbed; /* q */
};

#define EACH_PARTNER(kind, DO)                                                 \
    do {                                                                       \
        if ((kind).partners > 0)                                               \
            DO(0);                                                             \
        if ((kind).partners > 1)                                               \
            DO(1);                                                             \
        if ((kind).partners > 2)                                               \
            DO(2);                                                             \
    } while (0)

static inline vec held_together(vec a)
{
    const vec most = (vec){0} + MOST_TOGETHER;

    return vec_max(vec_min(a, most), -most);
}

/* Looks up the rules of a run. */
static void take_rules(struct meeting *meeting, const struct ht_tdfed_run *run)
{
    const vec zero = {0};
    int steps = run->meeting->steps + 1;

    meeting->run = run;
    meeting->from = zero + run->meeting->from;
    meeting->times = zero + (int16_t)(1 << steps);
    meeting->most_above = zero + (int16_t)(INT16_MAX >> steps);
}

/* ---- A group of steps ---------------------------------------------------- */

/* Begins a group of steps before the first turn. */
static void begin_meeting(struct meeting *meeting, size_t step)
{
    struct ht_tdfed_line_of_inks *light = &meeting->run->meeting->light;
    strips in = load_errors(light->line, step), out = {0};
    const vec zero = {0};

    for (unsigned k = 0; k < HT_TDFED_ROWS; k++) {
        vec side = bytes_of_step(&meeting->sides, step + k, k);
        vec done;

        memcpy(&done, light->below[k], sizeof done);
        meeting->light[k] =
            pass_errors_down(meeting->run->rows, done, &in, &out);
        meeting->near[k] = meeting->due[k] = zero;
        meeting->reflected[k] = zero + HT_ONE;
        meeting->once[k] = mask_none();
        meeting->twice[k] = meeting->run->toned ? ~mask_none() : mask_none();
        meeting->follows[k] = ~mask_has(side, HT_TDFED_BEGINS);
        meeting->goes_on[k] = ~mask_has(side, HT_TDFED_ENDS);
    }
    store_errors(light->line, step, out);
}

/* Ends a group after the last turn: gives on the light of each step. */
static void end_meeting(struct meeting *meeting)
{
    struct ht_tdfed_meeting *kept = meeting->run->meeting;
    vec left;

    memcpy(&left, kept->light_left, sizeof left);
    for (unsigned k = 0; k < HT_TDFED_ROWS; k++) {
        vec m = held_together(meeting->light[k] + meeting->reflected[k] -
                              HT_ONE + meeting->due[k]);

        m = vec_where(meeting->twice[k], m);
        vec behind = vec_where(meeting->follows[k], m >> 1);
        vec done = held_together(left + behind);
        left = m - behind;
        memcpy(kept->light.below[k], &done, sizeof done);
    }
    memcpy(kept->light_left, &left, sizeof left);
}

static inline __attribute__((always_inline)) void
begin_partner(struct partner *partner, const struct meeting *meeting,
              unsigned turn, unsigned i, size_t step)
{
    const struct ht_tdfed_run *run = meeting->run;

    partner->overlap = run->meeting->partners[turn].overlap[i];
    partner->seen = &meeting->of[run->meeting->partners[turn].turn[i]];
    partner->in = load_errors(partner->overlap->line, step);
    partner->out = (strips){0};
    memcpy(&partner->left, run->turn[turn].chain->overlap[i], sizeof(vec));
    memcpy(&partner->done, partner->overlap->below[0], sizeof(vec));
}

static inline __attribute__((always_inline)) void
end_partner(const struct partner *partner, const struct ht_tdfed_run *run,
            unsigned turn, unsigned i, size_t step)
{
    store_errors(partner->overlap->line, step, partner->out);
    memcpy(partner->overlap->below[0], &partner->done, sizeof(vec));
    memcpy(run->turn[turn].chain->overlap[i], &partner->left, sizeof(vec));
}

/* ---- A step ---------------------------------------------------------------
 */

/* Returns how fully inks meet that have a tone: (a - z) 2^(i+1), held. */
static inline __attribute__((always_inline)) vec
nearness(const struct meeting *meeting, vec tone)
{
    vec above = vec_max(tone - meeting->from, (vec){0});

    return vec_blend(mask_greater(above, meeting->most_above),
                     (vec){0} + INT16_MAX, above * meeting->times);
}

/* Looks at an ink before, and returns how much it pushes. */
static inline __attribute__((always_inline)) vec
meet_one(const struct kind kind, const struct meeting *meeting,
         const struct partners *partners, struct partner *partner, unsigned k)
{
    const vec tone = partner->seen->tone[k], dot = partner->seen->dot[k];
    vec above =
        pass_errors_down(kind.rows, partner->done, &partner->in, &partner->out);
    vec v = held_together(partner->left + above);
    vec welcome = vec_weighted(tone, meeting->near[k]) - dot;

    if (!kind.toned) {
        mask both = partners->toned & partner->seen->toned[k];

        v = vec_where(both, v);
        welcome = vec_where(both, welcome);
    }
    partner->v = v;
    partner->welcome = welcome;
    return vec_weighted(welcome, v);
}

/* Looks at the inks before, and returns the pixels' margins, `margin` and the
 * push, whose thresholds are held to 0..ONE. */
static inline __attribute__((always_inline)) vec
meet(const struct kind kind, struct meeting *meeting, struct partners *partners,
     unsigned turn, unsigned k, const vec field[8], vec margin)
{
    vec tone = field[HT_TDFED_TONE], near = nearness(meeting, tone);
    vec least = ~tone, sum = {0}, d;

    memcpy(&d, meeting->run->meeting->absorbed[turn], sizeof d);
    if (!kind.toned) {
        partners->toned = ~white_or_solid(field[HT_TDFED_MARGIN]);
        near = vec_where(partners->toned, near);
    }
    partners->absorbed =
        vec_weighted(kind.first ? sum + HT_ONE : meeting->reflected[k], d);
    meeting->near[k] = kind.first ? near : vec_max(meeting->near[k], near);
#define MEET(i) sum += meet_one(kind, meeting, partners, &partners->of[i], k)
    EACH_PARTNER(kind, MEET);
#undef MEET

    vec push = vec_weighted(
        (sum >> 1) - vec_weighted(partners->absorbed, meeting->light[k]),
        meeting->near[k]);
    push = vec_add_held(push, push);
    push = vec_add_held(push, push);
    vec pushed = vec_add_held(margin, push);
    pushed = vec_max(vec_min(pushed, least + HT_ONE), least);
    return kind.toned
               ? pushed
               : vec_blend(partners->toned, pushed, field[HT_TDFED_MARGIN]);
}

/* Takes what the ink absorbs from the light that there should be (M), and from
 * the light that there is (L). */
static inline __attribute__((always_inline)) void
absorb(const struct kind kind, struct meeting *meeting,
       const struct partners *partners, unsigned turn, unsigned k, vec tone,
       mask dot)
{
    const vec one = (vec){0} + HT_ONE;
    vec share = partners->absorbed, due = {0}, reflected = one, d;

    memcpy(&d, meeting->run->meeting->absorbed[turn], sizeof d);
    if (!kind.first) {
        due = meeting->due[k];
        reflected = meeting->reflected[k];
        share = vec_weighted(one - vec_weighted(due, meeting->near[k]), d);
    }
    vec toned = vec_min(due + vec_weighted(share + share, tone), one);
    if (!kind.toned) {
        vec solid = vec_plus_where(dot, due, vec_weighted(one - due, d));

        toned = vec_blend(partners->toned, toned, solid);
    }
    meeting->due[k] = toned;
    meeting->reflected[k] = vec_minus_where(dot, reflected, partners->absorbed);
}

/* Gives on the overlap with an ink, with the dots known. */
static inline __attribute__((always_inline)) void
part_from(const struct meeting *meeting, struct partner *partner, unsigned k,
          mask dot)
{
    lanes *below = partner->overlap->below;
    vec v = held_together(vec_plus_where(dot, partner->v, partner->welcome));

    partner->left = vec_where(meeting->goes_on[k], v - (v >> 2));
    v -= partner->left;
    memcpy(&partner->done, below[k + 1], sizeof(vec));
    memcpy(below[k + 1], &v, sizeof v);
}

/* Gives on the overlaps of a step, and says what the ink has there to those
 * after it. */
static inline __attribute__((always_inline)) void
part(const struct kind kind, struct meeting *meeting, struct partners *partners,
     unsigned turn, unsigned k, const vec field[8], mask dot)
{
    vec tone = field[HT_TDFED_TONE];
    struct seen *seen = &meeting->of[turn];

#define PART(i) part_from(meeting, &partners->of[i], k, dot)
    EACH_PARTNER(kind, PART);
#undef PART
    absorb(kind, meeting, partners, turn, k, tone, dot);
    seen->tone[k] = tone;
    seen->dot[k] = vec_where(dot, (vec){0} + HT_ONE);
    if (kind.toned)
        return;
    seen->toned[k] = partners->toned;
    meeting->twice[k] |= meeting->once[k] & partners->toned;
    meeting->once[k] |= partners->toned;
}
