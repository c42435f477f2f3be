/*
 * vectors.h - runs of inks that meet, for kernel.c. Strip i + 1 is a step
 * behind strip i, the one of the next ink before it; four strips lie in a
 * vector, or in several, of which every one does a step in turn. A row is as
 * many steps behind the row above as there are strips, and one more: then the
 * last ink has been there, one column further.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

static inline __attribute__((always_inline)) struct rules
rules_of(const struct ht_tdfed_meeting *meeting)
{
    const vec zero = {0};
    int steps = meeting->steps + 1;

    return (struct rules){zero + meeting->from, zero + (int16_t)(1 << steps),
                          zero + (int16_t)(INT16_MAX >> steps)};
}

/* Exchanges what is done now with what was done some steps ago, which the rows
 * below inherit next. */
static inline __attribute__((always_inline)) void delay(int16_t *place,
                                                        vec *done)
{
    vec before;

    memcpy(&before, place, sizeof before);
    memcpy(place, done, sizeof *done);
    *done = before;
}

static inline __attribute__((always_inline)) void
begin_lines(struct progress *progress, const struct ht_tdfed_tape *tape,
            size_t step)
{
    progress->in = load_errors(tape->error, step);
    progress->company.in = load_errors(tape->company, step);
    progress->out = progress->company.out = (strips){0};
}

static inline __attribute__((always_inline)) void
end_lines(const struct progress *progress, struct ht_tdfed_tape *tape,
          size_t step)
{
    store_errors(tape->error, step, progress->out);
    store_errors(tape->company, step, progress->company.out);
}

#if STRIPS == HT_TDFED_QUARTET

/* ---- Up to four inks in a vector ----------------------------------------- */

static inline __attribute__((always_inline)) void
do_meeting_step(const struct kind kind, const struct work *work, size_t step,
                unsigned k, struct progress *progress, vec *light, vec field[8])
{
    struct company *company = &progress->company;

    pass_on(kind, NULL, company, &progress->met);
    do_step(kind, work, step, k, true, progress, field);
    delay(work->chain->company[k], &company->done);
    company->done = strips_around(
        shine(kind, &progress->met, work->tape->goes_on[step + k], light),
        company->done);
}

static inline __attribute__((always_inline)) void
do_meeting_group(const struct kind kind, const struct work *work,
                 struct ht_tdfed_tape *tape, size_t step,
                 struct progress *progress, vec *light, vec field[8])
{
    begin_lines(progress, tape, step);
    do_meeting_step(kind, work, step, 0, progress, light, field);
    do_meeting_step(kind, work, step, 1, progress, light, field);
    do_meeting_step(kind, work, step, 2, progress, light, field);
    do_meeting_step(kind, work, step, 3, progress, light, field);
    end_lines(progress, tape, step);
}

static inline __attribute__((always_inline)) void
run_vector(const struct kind kind, const struct ht_tdfed_run *run)
{
    struct ht_tdfed_tape *tape = run->vector[0].tape;
    struct ht_tdfed_meeting *meeting = run->meeting;
    struct rules rules = rules_of(meeting);
    struct work work = work_of(run, 0);
    struct progress progress;
    struct bytes targets;
    struct span_sizes sizes;
    vec field[8], light, dots_of[4] = {{0}};

    work.targets = &targets;
    work.rules = &rules;
    work.sizes = &sizes;
    if (kind.sized)
        sizes = sizes_of(run->sizes);
    take_up(kind, work.chain, &progress);
    memcpy(&light, meeting->light, sizeof light);
    fetch(kind, &work.pixels, tape, 0, field);
    for (size_t step = 0; step < run->steps; step += HT_TDFED_BLOCK) {
        size_t steps = steps_of_block(run, step);

        progress.dots = (vec){0};
        if (kind.content == HT_TDFED_KEPT)
            load_block(tape->targets[0] + step, sizeof tape->targets[0],
                       &targets);
        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS) {
            do_meeting_group(kind, &work, tape, step + i, &progress, &light,
                             field);
            put_part(kind, tape, dots_of, step + i, run->steps, &progress);
        }
        put_block(kind, tape, dots_of, step, steps, run->steps, &progress);
    }
    put_down(kind, work.chain, &progress);
    memcpy(meeting->light, &light, sizeof light);
}

#define TOGETHER(name, content, sized)                                         \
    static __attribute__((noinline)) void name(const struct ht_tdfed_run *run) \
    {                                                                          \
        run_vector((struct kind){HT_TDFED_ROWS, false, content, 1, sized, 2},  \
                   run);                                                       \
    }

TOGETHER(near_together, HT_TDFED_NEAR, false)
TOGETHER(far_together, HT_TDFED_FAR_TOO, false)
TOGETHER(kept_together, HT_TDFED_KEPT, false)
TOGETHER(sizes_together, HT_TDFED_FAR_TOO, true)
TOGETHER(kept_sizes_together, HT_TDFED_KEPT, true)

#undef TOGETHER

#endif

/* ---- Any inks, in several vectors -----------------------------------------
 */

/* The vectors of a run, with the state of each in memory. */
struct vectors {
    const struct ht_tdfed_run *run;
    struct rules rules;
    struct span_sizes sizes;
    struct work work[HT_TDFED_MAX_VECTORS];
    struct progress progress[HT_TDFED_MAX_VECTORS];
    struct bytes targets[HT_TDFED_MAX_VECTORS];
    vec light;
};

/* Does a step of all vectors, `step` + k, of the `group`-th four. The last
 * vector comes first: each one still finds what the one before left at the last
 * step.
 */
static inline __attribute__((always_inline)) void
do_vectors_step(const struct kind kind, struct vectors *all, size_t step,
                unsigned k, uint32_t group)
{
    const uint32_t delays = kind.vectors * STRIPS / HT_TDFED_QUARTET;
    vec light = {0};

    for (unsigned v = kind.vectors; v-- > 0;) {
        struct progress *progress = &all->progress[v];
        struct company *company = &progress->company;
        struct work *work = &all->work[v];
        vec field[8];

        pass_on(kind, v > 0 ? &all->progress[v - 1].met : NULL, company,
                &progress->met);
        fetch(kind, &work->pixels, work->tape, step + k, field);
        do_step(kind, work, step, k, false, progress, field);
        delay(work->chain->company[group % delays * HT_TDFED_ROWS + k],
              &company->done);
        if (delays > 1)
            delay(work->chain->error[group % (delays - 1) * HT_TDFED_ROWS + k],
                  &progress->chain.done);
        if (v == kind.vectors - 1)
            light = shine(kind, &progress->met, work->tape->goes_on[step + k],
                          &all->light);
        if (v == 0)
            company->done = strips_around(light, company->done);
    }
}

static inline __attribute__((always_inline)) void
do_vectors_group(const struct kind kind, struct vectors *all, vec dots_of[][4],
                 size_t step)
{
    const struct ht_tdfed_run *run = all->run;
    uint32_t group = (run->before + (uint32_t)step) / HT_TDFED_ROWS;

    for (unsigned v = 0; v < kind.vectors; v++)
        begin_lines(&all->progress[v], run->vector[v].tape, step);
    for (unsigned k = 0; k < HT_TDFED_ROWS; k++)
        do_vectors_step(kind, all, step, k, group);
    for (unsigned v = 0; v < kind.vectors; v++) {
        end_lines(&all->progress[v], run->vector[v].tape, step);
        put_part(kind, run->vector[v].tape, dots_of[v], step, run->steps,
                 &all->progress[v]);
    }
}

static inline __attribute__((always_inline)) void
run_vectors(const struct kind kind, const struct ht_tdfed_run *run)
{
    struct vectors all;
    vec dots_of[HT_TDFED_MAX_VECTORS][4];

    assert(kind.vectors > 0 && kind.vectors * STRIPS % HT_TDFED_QUARTET == 0);
    memset(dots_of, 0, sizeof dots_of);
    all.run = run;
    all.rules = rules_of(run->meeting);
    if (kind.sized)
        all.sizes = sizes_of(run->sizes);
    memcpy(&all.light, run->meeting->light, sizeof all.light);
    for (unsigned v = 0; v < kind.vectors; v++) {
        all.work[v] = work_of(run, v);
        all.work[v].targets = &all.targets[v];
        all.work[v].rules = &all.rules;
        all.work[v].sizes = &all.sizes;
        take_up(kind, all.work[v].chain, &all.progress[v]);
    }
    for (size_t step = 0; step < run->steps; step += HT_TDFED_BLOCK) {
        size_t steps = steps_of_block(run, step);

        for (unsigned v = 0; v < kind.vectors; v++) {
            const struct ht_tdfed_tape *tape = run->vector[v].tape;

            all.progress[v].dots = (vec){0};
            if (kind.content == HT_TDFED_KEPT)
                load_block(tape->targets[0] + step, sizeof tape->targets[0],
                           &all.targets[v]);
        }
        for (size_t i = 0; i < steps; i += HT_TDFED_ROWS)
            do_vectors_group(kind, &all, dots_of, step + i);
        for (unsigned v = 0; v < kind.vectors; v++)
            put_block(kind, run->vector[v].tape, dots_of[v], step, steps,
                      run->steps, &all.progress[v]);
    }
    for (unsigned v = 0; v < kind.vectors; v++)
        put_down(kind, all.work[v].chain, &all.progress[v]);
    memcpy(run->meeting->light, &all.light, sizeof all.light);
}

#define ANY_TOGETHER(name, content, sized)                                     \
    static __attribute__((noinline)) void name(const struct ht_tdfed_run *run) \
    {                                                                          \
        run_vectors((struct kind){run->rows, run->deep, content, run->vectors, \
                                  sized, run->dot_bits},                       \
                    run);                                                      \
    }

ANY_TOGETHER(any_together, HT_TDFED_FAR_TOO, false)
ANY_TOGETHER(any_kept_together, HT_TDFED_KEPT, false)
ANY_TOGETHER(any_sizes_together, HT_TDFED_FAR_TOO, true)
ANY_TOGETHER(any_kept_sizes_together, HT_TDFED_KEPT, true)

#undef ANY_TOGETHER

#if STRIPS == HT_TDFED_QUARTET
/* Runs up to four inks in a vector. */
static void run_one_vector(const struct ht_tdfed_run *run)
{
    bool kept = run->content == HT_TDFED_KEPT;

    if (run->sizes != NULL)
        (kept ? kept_sizes_together : sizes_together)(run);
    else if (kept)
        kept_together(run);
    else
        (run->content == HT_TDFED_NEAR ? near_together : far_together)(run);
}
#endif

/* Runs inks that meet. */
static void run_meeting(const struct ht_tdfed_run *run)
{
    bool kept = run->content == HT_TDFED_KEPT;

#if STRIPS == HT_TDFED_QUARTET
    if (run->vectors == 1 && run->rows == HT_TDFED_ROWS && !run->deep &&
        run->dot_bits <= 2) {
        run_one_vector(run);
        return;
    }
#endif
    if (run->sizes != NULL)
        (kept ? any_kept_sizes_together : any_sizes_together)(run);
    else
        (kept ? any_kept_together : any_together)(run);
}
