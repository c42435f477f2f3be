/*
 * schedule.c - which segments of some swaths may run, and the threads that run
 * them.
 *
 * A segment reads the errors of the columns that it covers: it waits for the
 * one or two segments of the swath before that cover them too. So there is no
 * end of a swath at which threads would have to meet, and a thread mostly
 * finds as many segments ready as its kernel takes at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/schedule.h"

#define TRIES 1000 /* to get a lock, or work, before sleeping */
#define LOOKS 200  /* that a guest takes for the next swaths */

/* A segment of a swath, as work. */
struct task {
    uint32_t swath, segment; /* counted from the top and the left */
};

/* Tasks that are ready, first in, first out. They have no column in common, so
 * there are at most as many as a swath has segments. */
struct ring {
    struct task *task; /* [most] */
    uint32_t first, count;
};

struct ht_tdfed_schedule {
    const struct ht_tdfed_page *page;
    uint32_t length;
    unsigned threads;     /* with the guest, whose number is the last */
    bool guest;           /* one of them calls ..._help() */
    struct ht_pool *pool; /* the others */
    struct ht_tdfed_space *spaces; /* [threads] */

    pthread_mutex_t lock;                /* guards the rest */
    const struct ht_tdfed_swath *swaths; /* at work */
    uint32_t first[HT_TDFED_SWATHS];     /* cut behind column 0: 1..length */
    uint32_t segments[HT_TDFED_SWATHS];
    unsigned count;
    pthread_cond_t change;
    atomic_uint changes; /* grows when segments get ready or the last is done */
    unsigned sleepers;
    size_t left;          /* segments that are not done */
    uint32_t most;        /* segments of a swath */
    uint8_t *waits;       /* [swaths][most] for how many segments above */
    struct ring *ready;   /* [threads] those that wait no longer */
    uint32_t ready_count; /* in all rings */
};

/* ---- Segments ---------------------------------------------------------- */

static uint32_t segment_begin(const struct ht_tdfed_schedule *schedule,
                              struct task p)
{
    return p.segment == 0
               ? 0
               : schedule->first[p.swath] + (p.segment - 1) * schedule->length;
}

static uint32_t segment_end(const struct ht_tdfed_schedule *schedule,
                            struct task p)
{
    uint64_t end =
        schedule->first[p.swath] + (uint64_t)p.segment * schedule->length;

    return end < schedule->page->width ? (uint32_t)end : schedule->page->width;
}

/* Returns how many segments a swath has whose first cut is at column `first`.
 */
static uint32_t segments_of(const struct ht_tdfed_schedule *schedule,
                            uint32_t first)
{
    uint32_t width = schedule->page->width;

    return width <= first ? 1 : 2 + (width - 1 - first) / schedule->length;
}

/* Sets from..to to the segments of the swath before (`by` = -1) or behind (+1)
 * that touch this one: those of the same number, and one beside it. */
static void neighbours(const struct ht_tdfed_schedule *schedule, struct task p,
                       int by, uint32_t *from, uint32_t *to)
{
    uint32_t other = p.swath + (uint32_t)by;
    uint32_t first = schedule->first[p.swath], others = schedule->first[other];
    uint32_t last = schedule->segments[other] - 1;

    *from = p.segment - (p.segment > 0 && first < others);
    *to = p.segment + (first > others);
    *to = *to < last ? *to : last;
}

/* ---- The order --------------------------------------------------------- */

static uint8_t *waits_of(struct ht_tdfed_schedule *schedule, uint32_t swath,
                         uint32_t segment)
{
    return &schedule->waits[(size_t)swath * schedule->most + segment];
}

/* Adds a task to the ring of the thread whose share its columns are, so that
 * their errors stay in that thread's cache. */
static void make_ready(struct ht_tdfed_schedule *schedule, struct task p)
{
    uint32_t column = segment_begin(schedule, p);
    struct ring *ring =
        &schedule->ready[column * schedule->threads / schedule->page->width];
    uint32_t next = ring->first + ring->count++;

    ring->task[next < schedule->most ? next : next - schedule->most] = p;
    schedule->ready_count++;
}

static void begin(struct ht_tdfed_schedule *schedule)
{
    schedule->left = 0;
    for (uint32_t swath = 0; swath < schedule->count; swath++)
        for (uint32_t i = 0; i < schedule->segments[swath];
             i++, schedule->left++) {
            struct task p = {swath, i};
            uint32_t from = 1, to = 0;

            if (swath == 0)
                make_ready(schedule, p);
            else
                neighbours(schedule, p, -1, &from, &to);
            *waits_of(schedule, swath, i) = (uint8_t)(to - from + 1);
        }
}

/* Takes a task from the thread's own ring, or else from the next that has one.
 * False when there is none. */
static bool take_one(struct ht_tdfed_schedule *schedule, unsigned thread,
                     struct task *task)
{
    struct ring *ring = &schedule->ready[thread];

    if (schedule->ready_count == 0)
        return false;
    while (ring->count == 0)
        ring = &schedule->ready[++thread % schedule->threads];
    *task = ring->task[ring->first];
    ring->first = ring->first + 1 < schedule->most ? ring->first + 1 : 0;
    ring->count--;
    schedule->ready_count--;
    return true;
}

static void done(struct ht_tdfed_schedule *schedule, struct task p)
{
    uint32_t below = p.swath + 1, from, to;

    schedule->left--;
    if (below == schedule->count)
        return;
    neighbours(schedule, p, 1, &from, &to);
    for (uint32_t k = from; k <= to; k++)
        if (--*waits_of(schedule, below, k) == 0)
            make_ready(schedule, (struct task){below, k});
}

/* Wakes those that wait, when there is something to do or nothing left. */
static void tell(struct ht_tdfed_schedule *schedule)
{
    if (schedule->ready_count == 0 && schedule->left > 0)
        return;
    atomic_fetch_add(&schedule->changes, 1);
    if (schedule->sleepers > 0)
        pthread_cond_broadcast(&schedule->change);
}

/* Tries for a while: what the lock guards takes far less time than to sleep and
 * wake up. */
static void lock(struct ht_tdfed_schedule *schedule)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (pthread_mutex_trylock(&schedule->lock) == 0)
            return;
    pthread_mutex_lock(&schedule->lock);
}

/* Lets go of the lock until something has changed. Looks for a while before it
 * sleeps, as others are done in microseconds. */
static void wait_for_change(struct ht_tdfed_schedule *schedule)
{
    unsigned before = atomic_load(&schedule->changes);

    pthread_mutex_unlock(&schedule->lock);
    for (unsigned i = 0; i < TRIES; i++) {
        if (atomic_load(&schedule->changes) != before)
            break;
        sched_yield();
    }
    lock(schedule);
    if (atomic_load(&schedule->changes) == before) {
        schedule->sleepers++;
        pthread_cond_wait(&schedule->change, &schedule->lock);
        schedule->sleepers--;
    }
}

/* ---- A thread ---------------------------------------------------------- */

/* Tasks that a thread runs at the same time. */
struct batch {
    struct task task[HT_TDFED_MAX_STRIPS];
    struct ht_tdfed_segment segment[HT_TDFED_MAX_STRIPS];
    unsigned count;
};

/* Takes tasks that are ready until the batch is full. */
static void take(struct ht_tdfed_schedule *schedule, unsigned thread,
                 struct batch *batch)
{
    struct task p;

    while (batch->count < schedule->page->kernel->strips &&
           take_one(schedule, thread, &p)) {
        struct ht_tdfed_segment *segment = &batch->segment[batch->count];

        batch->task[batch->count++] = p;
        segment->swath = &schedule->swaths[p.swath];
        segment->begin = segment_begin(schedule, p);
        segment->end = segment_end(schedule, p);
        memset(segment->edge, 0,
               schedule->page->inks * sizeof segment->edge[0]);
    }
}

/* Marks tasks of the batch as done, `all` or those that were blank, and leaves
 * the others. */
static void finish(struct ht_tdfed_schedule *schedule, struct batch *batch,
                   bool all)
{
    unsigned count = batch->count;

    batch->count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (all || batch->segment[i].inks == 0) {
            ht_tdfed_join_edges(schedule->page, &batch->segment[i]);
            done(schedule, batch->task[i]);
        } else {
            batch->task[batch->count] = batch->task[i];
            batch->segment[batch->count++] = batch->segment[i];
        }
    }
    tell(schedule);
}

/* Fills the batch with tasks that are ready and not blank; does the blank ones.
 * The lock is held at entry and exit. */
static void fill_batch(struct ht_tdfed_schedule *schedule, unsigned thread,
                       struct batch *batch)
{
    for (;;) {
        unsigned before = batch->count;

        take(schedule, thread, batch);
        if (batch->count == before)
            return;
        pthread_mutex_unlock(&schedule->lock);
        for (unsigned i = before; i < batch->count; i++)
            ht_tdfed_do_blank(schedule->page, &batch->segment[i]);
        lock(schedule);
        finish(schedule, batch, false);
    }
}

/* Halftones a batch of tasks, or waits until some are ready. The lock is held
 * at entry and exit. */
static void work_once(struct ht_tdfed_schedule *schedule, unsigned thread)
{
    struct batch batch;

    batch.count = 0;
    fill_batch(schedule, thread, &batch);
    if (batch.count > 0) {
        pthread_mutex_unlock(&schedule->lock);
        ht_tdfed_run_segments(schedule->page, batch.segment, batch.count,
                              &schedule->spaces[thread]);
        lock(schedule);
        finish(schedule, &batch, true);
    } else if (schedule->left > 0) {
        wait_for_change(schedule);
    }
}

static void work(void *context, unsigned thread)
{
    struct ht_tdfed_schedule *schedule = context;

    lock(schedule);
    while (schedule->left > 0)
        work_once(schedule, thread);
    pthread_mutex_unlock(&schedule->lock);
}

void ht_tdfed_schedule_help(struct ht_tdfed_schedule *schedule,
                            bool (*enough)(void *context), void *context)
{
    lock(schedule);
    for (unsigned i = 0; schedule->guest && i < LOOKS && !enough(context);
         i++) {
        if (schedule->left > 0) {
            work_once(schedule, schedule->threads - 1);
            i = 0;
        } else {
            pthread_mutex_unlock(&schedule->lock);
            sched_yield();
            lock(schedule);
        }
    }
    pthread_mutex_unlock(&schedule->lock);
}

void ht_tdfed_schedule_run(struct ht_tdfed_schedule *schedule,
                           const struct ht_tdfed_swath *swaths,
                           const uint32_t *shifts, unsigned count, bool helpers)
{
    assert(count >= 1 && count <= HT_TDFED_SWATHS);
    lock(schedule);
    schedule->swaths = swaths;
    schedule->count = count;
    for (unsigned i = 0; i < count; i++) {
        schedule->first[i] = shifts[i] ? shifts[i] : schedule->length;
        schedule->segments[i] = segments_of(schedule, schedule->first[i]);
    }
    begin(schedule);
    tell(schedule);
    pthread_mutex_unlock(&schedule->lock);
    if (!helpers) {
        ht_pool_rest(schedule->pool);
        work(schedule, 0);
    } else {
        ht_pool_run(schedule->pool, work, schedule);
    }
}

/* ---- Opening ----------------------------------------------------------- */

void ht_tdfed_schedule_close(struct ht_tdfed_schedule *schedule)
{
    if (schedule == NULL)
        return;
    ht_pool_close(schedule->pool);
    for (unsigned i = 0; schedule->ready != NULL && i < schedule->threads; i++)
        free(schedule->ready[i].task);
    free(schedule->ready);
    free(schedule->spaces);
    free(schedule->waits);
    pthread_cond_destroy(&schedule->change);
    pthread_mutex_destroy(&schedule->lock);
    free(schedule);
}

static bool open_rings(struct ht_tdfed_schedule *schedule)
{
    schedule->ready = calloc(schedule->threads, sizeof *schedule->ready);
    for (unsigned i = 0; schedule->ready != NULL && i < schedule->threads;
         i++) {
        schedule->ready[i].task =
            calloc(schedule->most, sizeof *schedule->ready[i].task);
        if (schedule->ready[i].task == NULL)
            return false;
    }
    return schedule->ready != NULL;
}

ht_status_t ht_tdfed_schedule_open(struct ht_tdfed_schedule **out,
                                   const struct ht_tdfed_page *page,
                                   uint32_t length, unsigned threads,
                                   bool guest)
{
    struct ht_tdfed_schedule *schedule = calloc(1, sizeof *schedule);

    assert(threads > 0);
    if (schedule == NULL)
        return HT_ERR_MEMORY;
    pthread_mutex_init(&schedule->lock, NULL);
    pthread_cond_init(&schedule->change, NULL);
    schedule->page = page;
    schedule->length = length;
    schedule->most = page->width / length + 2;
    /* Where a swath is one segment, more threads would only wait. */
    uint32_t useful = page->width > length ? page->width / length : 1;
    schedule->threads = threads < useful ? threads : useful;
    schedule->guest = guest && schedule->threads > 1;
    schedule->waits = calloc(HT_TDFED_SWATHS, schedule->most);
    schedule->spaces =
        aligned_alloc(64, schedule->threads * sizeof *schedule->spaces);
    if (!schedule->waits || !schedule->spaces || !open_rings(schedule) ||
        ht_pool_open(&schedule->pool, schedule->threads - schedule->guest) !=
            HT_OK) {
        ht_tdfed_schedule_close(schedule);
        return HT_ERR_MEMORY;
    }
    memset(schedule->spaces, 0, schedule->threads * sizeof *schedule->spaces);
    *out = schedule;
    return HT_OK;
}
