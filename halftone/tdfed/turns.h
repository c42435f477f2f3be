/*
 * turns.h - a run of inks that meet, for kernel.c: their turns, every four
 * steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

/* What the turns of inks share. */
struct turns {
    const struct ht_tdfed_run *run;
    _Alignas(64) lanes before[HT_TDFED_ROWS];
    struct meeting meeting;
    struct bytes kept[HT_MAX_INKS];
    vec dots[HT_MAX_INKS];
};

/* Does the turn of an ink: four steps. */
static inline __attribute__((always_inline)) void
do_turn(const struct kind kind, struct turns *turns, unsigned turn, size_t step)
{
    const struct ht_tdfed_run *run = turns->run;
    struct ht_tdfed_tape *tape = run->turn[turn].tape;
    struct work work = work_of(run, turn);
    struct progress progress;
    struct partners partners = {0}; /* gcc 14 does not see that it is filled */
    vec field[8];

    progress.dots = turns->dots[turn];
    work.kept = &turns->kept[turn];
    work.before = turns->before;
    work.meeting = &turns->meeting;
    work.partners = &partners;
    take_up(kind, run->turn[turn].chain, &progress);
#define BEGIN(i) begin_partner(&partners.of[i], &turns->meeting, turn, i, step)
    EACH_PARTNER(kind, BEGIN);
#undef BEGIN
    fetch(&work.pixels, tape, step, kind.deep, field);
    do_group(kind, &work, tape->error, step, false, &progress, field);
#define END(i) end_partner(&partners.of[i], run, turn, i, step)
    EACH_PARTNER(kind, END);
#undef END
    put_down(kind, run->turn[turn].chain, &progress);
    turns->dots[turn] = progress.dots;
}

typedef void turn_of_ink(struct turns *turns, unsigned turn, size_t step);

#define TURN(name, rows, deep, content, partners, toned)                       \
    static __attribute__((noinline)) void name(struct turns *turns,            \
                                               unsigned turn, size_t step)     \
    {                                                                          \
        do_turn((struct kind){rows, deep, content, true, partners, toned,      \
                              toned && partners == 0},                         \
                turns, turn, step);                                            \
    }
#define TURNS(name, content, toned)                                            \
    TURN(name##_0, HT_TDFED_ROWS, false, content, 0, toned)                    \
    TURN(name##_1, HT_TDFED_ROWS, false, content, 1, toned)                    \
    TURN(name##_2, HT_TDFED_ROWS, false, content, 2, toned)                    \
    TURN(name##_3, HT_TDFED_ROWS, false, content, 3, toned)                    \
    static turn_of_ink *const name[] = {name##_0, name##_1, name##_2, name##_3};
#define RARE_TURN(name, deep, content)                                         \
    TURN(name, turns->run->rows, deep, content,                                \
         turns->run->meeting->partners[turn].count, false)

TURNS(near_that_meets, HT_TDFED_NEAR, true)
TURNS(toned_that_meets, HT_TDFED_FAR_TOO, true)
TURNS(far_that_meets, HT_TDFED_FAR_TOO, false)
TURNS(kept_that_meets, HT_TDFED_KEPT, false)
RARE_TURN(rows_that_meet, false, HT_TDFED_FAR_TOO)
RARE_TURN(kept_rows_that_meet, false, HT_TDFED_KEPT)
RARE_TURN(deep_that_meets, true, HT_TDFED_FAR_TOO)
RARE_TURN(kept_deep_that_meets, true, HT_TDFED_KEPT)

#undef RARE_TURN
#undef TURNS
#undef TURN

/* Returns what does an ink's turns. */
static turn_of_ink *turn_of(const struct ht_tdfed_run *run, unsigned turn)
{
    const uint8_t partners = run->meeting->partners[turn].count;
    const enum ht_tdfed_content content = run->turn[turn].content;
    const bool kept = content == HT_TDFED_KEPT;

    if (run->deep)
        return kept ? kept_deep_that_meets : deep_that_meets;
    if (run->rows < HT_TDFED_ROWS)
        return kept ? kept_rows_that_meet : rows_that_meet;
    if (run->toned && (turn == 0 || partners > 0))
        return (content == HT_TDFED_NEAR ? near_that_meets
                                         : toned_that_meets)[partners];
    return (kept ? kept_that_meets : far_that_meets)[partners];
}

/* Loads what a block's turns look at. */
static void begin_block(struct turns *turns, size_t step)
{
    const struct ht_tdfed_run *run = turns->run;

    for (unsigned turn = 0; turn < run->turns; turn++) {
        const struct ht_tdfed_tape *tape = run->turn[turn].tape;

        turns->dots[turn] = (vec){0};
        if (run->turn[turn].content == HT_TDFED_KEPT)
            load_block(tape->kept[0] + step, sizeof tape->kept[0],
                       &turns->kept[turn]);
    }
    load_block(run->meeting->side[0] + step, sizeof run->meeting->side[0],
               &turns->meeting.sides);
}

/* Runs inks that meet. */
static void run_meeting(const struct ht_tdfed_run *run)
{
    struct turns turns;
    vec dots_of[HT_MAX_INKS][4];

    turns.run = run;
    take_rules(&turns.meeting, run);
    memset(dots_of, 0, run->turns * sizeof dots_of[0]);
    for (size_t block = 0; block * HT_TDFED_BLOCK < run->steps; block++) {
        size_t step = block * HT_TDFED_BLOCK, left_over = run->steps - step;
        size_t steps = left_over < HT_TDFED_BLOCK ? left_over : HT_TDFED_BLOCK;

        begin_block(&turns, step);
        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS) {
            memset(turns.before, 0, sizeof turns.before);
            begin_meeting(&turns.meeting, step + i);
            for (unsigned turn = 0; turn < run->turns; turn++)
                turn_of(run, turn)(&turns, turn, step + i);
            end_meeting(&turns.meeting);
        }
        for (unsigned turn = 0; turn < run->turns; turn++)
            put_block(run->turn[turn].tape, dots_of[turn], block, steps,
                      steps == left_over, turns.dots[turn]);
    }
}
