/*
 * test_schedule.c - the schedule of TDFED with threads that are delayed at
 * random, at each atomic access (delays.h) and in the middle of their tasks.
 * The tasks are fakes: they only see to it that each column gets one swath
 * after the other. Under ThreadSanitizer they also show that a task sees what
 * the tasks above it have written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/schedule.h"
#include "test/cases.h"
#include "test/unit/delays.h"
#include "test/quick.h"

#define WIDTH 1000u
#define MOST_WIDTH 4400u
#define INKS 4u

/* ---- Delays ------------------------------------------------------------- */

static atomic_uint seed; /* of the case */
static atomic_uint threads_seen;
/* Delays in 1000 that put a thread to sleep; NO_DELAYS = there are none. */
static atomic_uint naps;
#define NO_DELAYS UINT_MAX

/* Returns a number below `end`, of a sequence of the thread's own. */
static unsigned thread_random(unsigned end)
{
    static _Thread_local uint64_t own;

    if (own == 0)
        own =
            (uint64_t)atomic_load_explicit(&seed, memory_order_relaxed) << 32 |
            (1 +
             atomic_fetch_add_explicit(&threads_seen, 1, memory_order_relaxed));
    own = own * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(own >> 40) % end;
}

void delay_at_random(void)
{
    unsigned most = atomic_load_explicit(&naps, memory_order_relaxed);

    if (most == NO_DELAYS)
        return;
    unsigned kind = thread_random(1000);
    struct timespec nap = {0, 1000L * thread_random(300)};

    if (kind < most)
        nanosleep(&nap, NULL);
    else if (kind < 30)
        sched_yield();
}

/* ---- Fakes of the tasks -------------------------------------------------- */

/* State of each column: the swaths that it has got, the inks of which the last
 * one left errors, and whether it left company. Not atomic, because the
 * schedule has to keep threads apart. */
static uint32_t column[MOST_WIDTH];
static uint32_t errors[MOST_WIDTH];
static bool company[MOST_WIDTH];
static uint32_t width;   /* columns of this trial */
static atomic_uint done; /* tasks, of all swaths */
static unsigned awaited; /* of these, when swath 1 ends in the first track */
static atomic_uint wrong;

static void expect(bool right)
{
    if (!right)
        atomic_fetch_add_explicit(&wrong, 1, memory_order_relaxed);
}

/* Returns the inks of a task that are not blank, always the same. */
static uint32_t inks_at_work(const struct ht_tdfed_segment *segment)
{
    uint64_t mix = (segment->swath->number * 1000003 + segment->begin) *
                   0x9e3779b97f4a7c15u;

    return mix >> 61 < 3 ? 0 : (uint32_t)(mix >> 50) % (1u << INKS);
}

/* Puts the task's swath into its columns, and what it leaves. */
static void do_columns(struct ht_tdfed_segment *segment)
{
    uint32_t inks = inks_at_work(segment);
    bool together = (inks & (inks - 1)) != 0;

    for (uint32_t x = segment->begin; x < segment->end; x++) {
        expect(column[x] == segment->swath->number);
        expect((errors[x] % (1u << INKS) & ~segment->inherits) == 0);
        expect(segment->together || !company[x]);
        column[x]++;
        errors[x] = inks;
        company[x] = together;
        if (x % 64 == 0)
            delay_at_random();
    }
    while (segment->begin == 0 && segment->swath->number == 1 &&
           atomic_load_explicit(&done, memory_order_relaxed) < awaited)
        sched_yield();
    atomic_fetch_add_explicit(&done, 1, memory_order_relaxed);
    segment->uneasy = inks;
    segment->together = together;
}

void ht_tdfed_do_blank(const struct ht_tdfed_page *page,
                       struct ht_tdfed_segment *segment)
{
    (void)page;
    expect(segment->begin <= segment->end && segment->end <= width);
    segment->inks = inks_at_work(segment);
    if (segment->inks == 0)
        do_columns(segment);
}

void ht_tdfed_run_segments(const struct ht_tdfed_page *page,
                           struct ht_tdfed_segment *segments, unsigned count,
                           struct ht_tdfed_space *space)
{
    expect(count >= 1 && count <= 4 * page->kernel->strips);
    memset(space, 1, sizeof *space); /* the thread's own */
    for (unsigned i = 0; i < count; i++) {
        expect(segments[i].inks != 0);
        expect(segments[i].swath->rows == segments[0].swath->rows);
        do_columns(&segments[i]);
    }
}

ht_status_t ht_tdfed_space_new(struct ht_tdfed_space **out,
                               const struct ht_tdfed_page *page, bool shared)
{
    (void)page;
    (void)shared;
    *out = aligned_alloc(64, sizeof **out);
    return *out != NULL ? HT_OK : HT_ERR_MEMORY;
}

void ht_tdfed_space_free(struct ht_tdfed_space *space)
{
    free(space);
}

/* ---- Pages --------------------------------------------------------------- */

struct trial {
    uint32_t width, segment, swaths;
    bool right; /* each cut lies right of the one above */
    unsigned strips, threads;
    bool guest;
    uint32_t wait_after; /* so many swaths, until all are done; 0 = at random */
};

struct guest {
    struct ht_tdfed_schedule *schedule;
    atomic_bool over;
};

static bool enough_at_random(void *context)
{
    struct guest *guest = context;

    return thread_random(8) == 0 ||
           atomic_load_explicit(&guest->over, memory_order_relaxed);
}

static void *help(void *context)
{
    struct guest *guest = context;

    while (!atomic_load_explicit(&guest->over, memory_order_relaxed))
        ht_tdfed_schedule_help(guest->schedule, enough_at_random, guest);
    return NULL;
}

static uint32_t tracks_of(const struct trial *trial)
{
    return trial->segment != 0 ? width / trial->segment + 2 : 1;
}

/* Says whether the first swaths are in all columns. */
static bool has_swaths(uint32_t swaths)
{
    bool all = true;

    for (uint32_t x = 0; x < width; x++)
        all = all && column[x] >= swaths;
    return all;
}

/* Returns h(S) of the next swath, far enough from the last one. */
static uint32_t next_shift(const struct trial *trial, uint32_t shift)
{
    uint32_t t = trial->segment;

    if (t == 0)
        return 0;
    if (trial->right)
        return shift + t / 4;
    return (shift + 3 * t / 8 + thread_random(t / 4)) % t;
}

/* Adds swaths of any cuts; works now and then until some are done. */
static void add_swaths(struct ht_tdfed_schedule *schedule,
                       const struct trial *trial, uint32_t swaths)
{
    uint32_t shift = 0;

    for (uint32_t i = 0; i < swaths; i++) {
        uint32_t known = ht_tdfed_schedule_done(schedule);
        struct ht_tdfed_swath *swath = ht_tdfed_schedule_next(schedule);

        *swath = (struct ht_tdfed_swath){.number = i,
                                         .inks = thread_random(1u << INKS),
                                         .rows = thread_random(9) ? 4 : 1};
        shift = next_shift(trial, shift);
        ht_tdfed_schedule_add(schedule, shift);
        assert_int_equal(ht_tdfed_schedule_added(schedule), i + 1);
        assert_between(ht_tdfed_schedule_done(schedule), known, i + 1);
        if (trial->wait_after ? (i + 1) % trial->wait_after == 0
                              : thread_random(16) == 0) {
            uint32_t until = trial->wait_after ? i + 1 : thread_random(i + 2);

            ht_tdfed_schedule_work(schedule, until, thread_random(2) != 0);
            assert_true(ht_tdfed_schedule_done(schedule) >= until);
        }
    }
}

/* With `whole`, waits until all swaths are done; otherwise closes the page in
 * the middle of its work. */
static void run_trial(const struct trial *trial, bool whole)
{
    static struct ht_tdfed_kernel kernel;
    static struct guest guest;
    static int16_t light[MOST_WIDTH];
    const struct ht_tdfed_page page = {.kernel = &kernel,
                                       .width = trial->width,
                                       .inks = INKS,
                                       .bits = 8,
                                       .light = light};
    struct ht_tdfed_schedule *schedule = NULL;
    pthread_t thread;

    case_is("segments of %u, strips %u, threads %u, %s guest, seed %u",
            trial->segment, trial->strips, trial->threads,
            trial->guest ? "a" : "no", atomic_load(&seed));
    width = trial->width;
    memset(column, 0, sizeof column);
    memset(errors, 0xff, sizeof errors); /* a state may have been given */
    memset(company, true, sizeof company);
    kernel.strips = trial->strips;
    atomic_store(&done, 0);
    atomic_store(&wrong, 0);
    assert_int_equal(ht_tdfed_schedule_open(
                         &schedule, &page, trial->segment, trial->threads,
                         trial->guest, !trial->right && thread_random(2) != 0),
                     HT_OK);
    guest.schedule = schedule;
    atomic_store(&guest.over, false);
    if (trial->guest)
        assert_int_equal(pthread_create(&thread, NULL, help, &guest), 0);
    else
        ht_tdfed_schedule_help(schedule, enough_at_random, &guest);
    add_swaths(schedule, trial, trial->swaths);
    if (whole) {
        ht_tdfed_schedule_work(schedule, trial->swaths, true);
        assert_true(has_swaths(trial->swaths));
        assert_int_equal(ht_tdfed_schedule_done(schedule), trial->swaths);
        assert_int_equal(atomic_load(&done), trial->swaths * tracks_of(trial));
    }
    atomic_store(&guest.over, true);
    if (trial->guest)
        pthread_join(thread, NULL);
    ht_tdfed_schedule_close(schedule);
    assert_int_equal(atomic_load(&wrong), 0);
}

TEST(columns_get_swaths_in_order)
{
    static const uint32_t segments[] = {0, 16, 60, 250, 999, 4000};
    static const unsigned strips[] = {1, 2, 4};

    for (unsigned i = 0; i < 60; i += one_in(11)) {
        struct trial trial = {.width = WIDTH,
                              .segment = segments[i % 6],
                              .strips = strips[i % 3],
                              .threads = 1 + i % 7,
                              .guest = i / 7 % 2 != 0,
                              .swaths = i % 6 == 1 ? 150 : 400};

        atomic_store(&seed, i);
        atomic_store(&naps, 1);
        run_trial(&trial, i % 5 != 4);
    }
}

/* Waits after every few swaths, beside threads that nap so often that the
 * caller has to sleep, and has to be woken by the last of them. */
TEST(the_caller_wakes_up)
{
    for (unsigned i = 0; i < 6; i++) {
        struct trial trial = {.width = WIDTH,
                              .segment = 300,
                              .strips = 1,
                              .threads = 2 + i % 3,
                              .guest = i % 2 != 0,
                              .swaths = 3000 / one_in(5),
                              .wait_after = 1 + i};

        atomic_store(&seed, i);
        atomic_store(&naps, 15);
        run_trial(&trial, true);
    }
}

/* Waits after every swath for a helper whose last task ends, now and then, in
 * the nanoseconds in which the caller falls asleep: any delay would be longer.
 * qemu lost a wake there in 300,000. */
TEST(no_wake_is_lost)
{
    for (unsigned i = 0; i < 6; i++) {
        struct trial trial = {.width = 100,
                              .segment = 50,
                              .strips = 1,
                              .threads = 2,
                              .swaths = 50000,
                              .wait_after = 1};

        atomic_store(&seed, i);
        atomic_store(&naps, NO_DELAYS);
        run_trial(&trial, true);
    }
}

/* Holds the first track back until the others, none of which needs it, have
 * done all swaths of the ring. Segments are so long that a thread takes one at
 * a time. */
TEST(a_neighbour_far_ahead_is_remembered)
{
    const struct trial trial = {.width = MOST_WIDTH,
                                .segment = 260,
                                .strips = 1,
                                .threads = 2,
                                .right = true,
                                .swaths = HT_TDFED_SWATHS,
                                .wait_after = UINT32_MAX};

    for (unsigned i = 0; i < 4; i++) {
        atomic_store(&seed, i);
        atomic_store(&naps, NO_DELAYS);
        awaited = 1 + trial.swaths * (MOST_WIDTH / trial.segment + 1);
        run_trial(&trial, true);
    }
    awaited = 0;
}
