/*
 * meet.h - inks that meet, for kernel.c: doc/dev/halftone.md "Inks together",
 * whose letters these are. Instead of L and M there is what they lack to ONE.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define MOST_TOGETHER (HT_ONE - 1) /* of v and m in size */

/* Parameters of nearness (O) for tones that come from the tape. */
struct rules {
    vec from, times; /* z, 2^(i+1) */
    vec most_above;  /* z that this many times is within 16 bits */
};

/* Sums at a column over each strip's ink and the inks before it. */
struct met {
    vec taken, due; /* light: ONE - L, ONE - M */
    vec near;       /* O */
    vec light;      /* U */
    vec count;      /* Q */
};

/* The company of each strip's ink on its way. The ink of the first place never
 * has any: there is the light. */
struct company {
    vec left;      /* left_k */
    vec done;      /* V and U that the rows below inherit at the next step */
    vec inherited; /* V and U of a step */
    strips in, out;
};

/* State of an ink at a pixel, before its dot is chosen. */
struct encounter {
    mask toned;
    vec absorbed; /* q */
    vec should;   /* A */
    vec welcome;  /* s */
    vec company;  /* v */
};

static inline vec held_together(vec a)
{
    const vec most = (vec){0} + MOST_TOGETHER;

    return vec_max(vec_min(a, most), -most);
}

/* Passes what the inks have left from strip to strip: to the first of these
 * strips from the last of those `before`; without any, it begins with the light
 * that it inherits. */
static inline __attribute__((always_inline)) void
pass_on(const struct kind kind, const struct met *before,
        struct company *company, struct met *met)
{
    const vec none = {0};

    company->inherited =
        pass_errors_down(kind.rows, company->done, &company->in, &company->out);
    met->light = before != NULL ? strips_after(before->light, met->light)
                                : strips_behind(company->inherited, met->light);
#define PASS(part)                                                             \
    met->part = strips_after(before != NULL ? before->part : none, met->part)
    PASS(taken);
    PASS(due);
    PASS(near);
    if (kind.content == HT_TDFED_KEPT)
        PASS(count);
#undef PASS
}

/* Returns how fully inks meet that have a tone: (a - z) 2^(i+1), held. */
static inline __attribute__((always_inline)) vec
nearness(const struct rules *rules, vec tone)
{
    vec above = vec_max(tone - rules->from, (vec){0});

    return vec_blend(mask_greater(above, rules->most_above),
                     (vec){0} + INT16_MAX,
                     (vec)((uvec)above * (uvec)rules->times));
}

/* Returns -t with the push, of which the negative is given. */
static inline vec pushed_minus(vec minus_t, vec push)
{
    const vec least = (vec){0} - HT_ONE;
    vec pushed = vec_add_held(minus_t, vec_add_held(push, push));

    return vec_max(vec_min(pushed, (vec){0}), least);
}

/* Looks at what the inks before have left, and returns the pixels' limits with
 * the push: their thresholds are held to 0..ONE. */
static inline __attribute__((always_inline)) vec
meet(const struct kind kind, const struct rules *rules, const int16_t *absorbed,
     const struct company *company, struct met *met, const vec field[8],
     vec tone, vec limit, struct encounter *found)
{
    const vec one = (vec){0} + HT_ONE, least = (vec){0} - 1;
    vec near = field[HT_TDFED_NEARNESS], d;

    memcpy(&d, absorbed, sizeof d);
    if (kind.content == HT_TDFED_KEPT)
        found->toned = toned_pixels(kind, field);
    if (kind.sized)
        near = nearness(rules, tone);
    else if (kind.deep)
        near |= nearness(rules, tone);
    if (kind.sized && kind.content == HT_TDFED_KEPT)
        near = vec_where(found->toned, near);
    met->near = vec_max(met->near, near);
    found->absorbed = vec_weighted(one - met->taken, d);
    found->should = vec_weighted(met->due, met->near);
    vec missing = found->should - met->taken;
    found->welcome = missing + (missing >> 1);
    found->company = company->left + company->inherited;

    vec away = vec_weighted(found->welcome, found->company);
    vec nearer = vec_weighted(found->absorbed + found->absorbed, met->light);
    if (kind.sized)
        return pushed_minus(limit, nearer - away);
    vec push = away - nearer;
    vec pushed = vec_add_held(limit, vec_add_held(push, push));
    pushed = vec_max(vec_min(pushed, one - 1), least);
    return kind.content == HT_TDFED_KEPT
               ? vec_blend(found->toned, pushed, limit)
               : pushed;
}

/* Takes what the inks absorb from the light that there should be (M), and from
 * the light that there is (L). */
static inline __attribute__((always_inline)) void
absorb(const struct kind kind, const int16_t *absorbed, struct met *met,
       vec tone, const struct encounter *found, mask dot)
{
    const vec one = (vec){0} + HT_ONE;
    vec d;

    memcpy(&d, absorbed, sizeof d);
    vec share = vec_weighted(one - found->should, d);
    share = vec_weighted(share + share, tone);
    if (kind.content == HT_TDFED_KEPT) {
        mask solid = dot & ~found->toned;

        share = vec_blend(solid, vec_weighted(one - met->due, d), share);
        met->count = vec_plus_where(found->toned, met->count, (vec){0} + 1);
    }
    met->due = vec_min(met->due + share, one);
    met->taken = vec_plus_where(dot, met->taken, found->absorbed);
}

/* Gives on what the inks leave, with their dots known. The company that strips
 * get `goes_on` as a mask, -1 or 0; the rest is left in company->done. */
static inline __attribute__((always_inline)) void
part(const struct kind kind, const int16_t *absorbed, const int16_t *goes_on,
     struct company *company, struct met *met, vec tone,
     const struct encounter *found, const struct dots *dots)
{
    vec v, on;
    mask dot = dots->any;

    if (kind.sized && kind.content == HT_TDFED_KEPT)
        dot |= ~found->toned;
    if (kind.sized) /* white pixels have none */
        dot &= mask_negative(dots->drops.minus);
    memcpy(&on, goes_on, sizeof on);
    v = held_together(vec_add_held_where(dot, found->company, found->welcome));
    if (kind.content == HT_TDFED_KEPT)
        v = vec_where(found->toned, v);
    vec left = vec_weighted(v, (vec){0} + HT_COMPANY_ON);
    company->left = left & on;
    company->done = v - left;
    absorb(kind, absorbed, met, tone, found, dot);
}

/* Gives on the light of the last strip's columns: returns U' that the rows
 * below inherit at the next step, and keeps in `*left` what else goes there.
 * `goes_on` is the last step's. */
static inline __attribute__((always_inline)) vec shine(const struct kind kind,
                                                       const struct met *met,
                                                       const int16_t *goes_on,
                                                       vec *left)
{
    vec m = held_together(met->light + met->due - met->taken), on;

    if (kind.content == HT_TDFED_KEPT)
        m = vec_where(mask_greater(met->count, (vec){0} + 1), m);
    memcpy(&on, goes_on, sizeof on);
    vec done = *left + ((m >> 1) & on);
    *left = m - (m >> 1);
    return done;
}
