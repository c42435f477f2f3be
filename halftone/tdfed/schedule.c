/*
 * schedule.c - runs segments that are ready, in several threads.
 *
 * A task is one segment of one swath. Segments of the same number, one below
 * the other, are a track. The cuts of a swath lie left or right of those of the
 * swath before, and so a task needs the errors of one or two tasks: those of
 * its own track and of the track on that side.
 *
 *     track          0       1       2       3
 *     swath s-1  |     |       |       |       |  |
 *     swath s    |  |       |       |       |     |    cuts lie to the left:
 *                                 ^                    (s, 2) needs (s-1, 1)
 *                                                      and (s-1, 2)
 *
 * There is no lock and no end of a swath at which threads would have to meet.
 * Each track has a number, its progress, that everybody can see: 2 s when its
 * tasks of swaths 0..s-1 are done and nobody has taken the next; 2 s + 1 while
 * a thread does that of swath s. It only grows. These are the rules:
 *
 *  1. Task (s, i) is ready when swath s was added, track i's progress is 2 s,
 *     and that of the track on the side of the cuts is 2 s or more.
 *  2. A thread takes a task by raising the progress from 2 s to 2 s + 1, which
 *     one of several can, and gives it back done with 2 s + 2. A thread that
 *     has seen that sees the task's errors and dots, too.
 *  3. A thread takes as many tasks as its kernel has strips, or up to four
 * times as many, first from its home, neighbouring tracks whose errors stay in
 * its cache, in turn; then from the tracks behind it. So who is ahead takes
 * over what falls behind.
 *  4. The caller alone adds swaths, to a ring. It takes a place of the ring
 *     again when every track is past the swath that had it: no thread can look
 *     at that any more, or it would hold a track back.
 *  5. A thread that finds nothing looks a few more times. Then a helper sleeps,
 *     until the caller wakes it because it has to wait; the guest leaves; the
 *     caller, if it has to wait, sleeps until any task is done.
 *  6. Nobody waits for a sleeper. Threads that sleep have no task, and those
 *     that have given one back look for more before they sleep: after the last
 *     of them the caller looks, whom each task that is given back wakes. Only
 *     swaths that are added later, or not needed now, can be left.
 *
 * Rules 5 and 6 need that of two threads, one that gives back a task and then
 * looks whether the caller sleeps and one that goes to sleep and then looks at
 * progress, at least one sees the other. So these accesses are sequentially
 * consistent, as C's atomics are unless they say otherwise, and what they write
 * is exchanged, not stored: qemu lets a load of aarch64 overtake a store there,
 * so that neither sees the other and the caller sleeps for ever. On x86-64 the
 * two are one instruction. test/unit/test_schedule.c delays threads at random
 * at each access, and wakes the caller so often that qemu would show a store.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/pause.h"
#include "halftone/pool.h"
#include "halftone/tdfed/blank.h"
#include "halftone/tdfed/schedule.h"

/* Looks of a thread that finds no task, and pauses between two of them: some
 * microseconds, as long as a batch of one ink takes. Helpers of a caller that
 * lends no bands look longer, because it returns with the next band in less
 * time than they take to fall asleep and to wake up. */
#define LOOKS 4
#define LOOKS_FOR_A_BAND 100
#define PAUSES 8

/* Swaths that a lone thread leaves undone while it adds others: it has just
 * marked their samples, which are still in its cache. */
#define BEHIND 2

/* Swaths of which a track remembers something: a track may be so far ahead of
 * its neighbour. */
#define REMEMBERED (2 * HT_TDFED_SWATHS)

enum side { NEITHER, LEFT, RIGHT };

/* A place of the ring. */
struct slot {
    struct ht_tdfed_swath swath;
    uint32_t shift;  /* ht_place.shift */
    uint32_t *begin; /* [tracks+1] the first column of each task, and the page's
                        width */
    /* Read before a task is taken, when the caller may be writing here: then
     * nobody can take that task any more. */
    _Atomic enum side side; /* of the swath before's cuts, where these lie */
    atomic_uint rows;       /* of the swath */
};

struct track {
    _Alignas(64) atomic_uint progress;
    /* For each swath: the inks that may have left errors, and whether company
     * or light may have been left. */
    uint16_t inks[REMEMBERED];
    bool together[REMEMBERED];
};

struct worker {
    uint32_t begin, end; /* its home, tracks begin..end-1 */
    uint32_t at;         /* the track of it that it looks at next */
    struct ht_tdfed_space *space;
};

struct ht_tdfed_schedule {
    const struct ht_tdfed_page *page;
    uint32_t length;
    bool shared;            /* by several threads */
    unsigned batch;         /* most tasks that run at the same time */
    bool lends;             /* ht_page_t.lent is not 0 */
    struct worker *workers; /* the caller, [most] helpers, the guest */
    struct worker *guest;   /* NULL = none */
    struct ht_pool *helpers;
    unsigned most; /* helpers */

    uint32_t tracks;
    struct track *track; /* [tracks] */
    uint32_t *begins;    /* [HT_TDFED_SWATHS][tracks+1] */
    struct slot slot[HT_TDFED_SWATHS];
    atomic_uint added;         /* swaths */
    atomic_bool stop;          /* the page is closed */
    atomic_bool caller_sleeps; /* and wants to be woken */
    sem_t wakes_caller;

    /* The caller's: tracks 0..ahead-1 are known to be `asked` swaths far. */
    uint32_t asked, ahead;
};

struct task {
    uint32_t swath, track;
};

/* Tasks that a thread runs at the same time. */
struct batch {
    struct task task[HT_TDFED_MAX_SEGMENTS];
    struct ht_tdfed_segment segment[HT_TDFED_MAX_SEGMENTS];
    unsigned count, rows; /* of each one's swath */
};

static struct slot *slot_of(struct ht_tdfed_schedule *schedule, uint32_t swath)
{
    return &schedule->slot[swath % HT_TDFED_SWATHS];
}

/* ---- Tasks --------------------------------------------------------------- */

/* Returns the first column of a task; the page's width where the swath has
 * fewer segments. The first segment has no columns where a cut is at the side
 * of the page. */
static uint32_t begin_of(const struct ht_tdfed_schedule *schedule,
                         const struct slot *slot, uint32_t track)
{
    const struct ht_tdfed_page *page = schedule->page;
    uint64_t begin = 0;

    if (track > 0 && schedule->tracks == 1)
        return page->width;
    if (track > 0)
        begin = ht_cut(schedule->length, slot->shift,
                       (uint32_t)slot->swath.number, track - 1);
    return begin < page->width ? (uint32_t)begin : page->width;
}

/* Returns the track whose errors task (s, track) needs besides those of its
 * own; its own if it needs no others. */
static uint32_t neighbour(const struct ht_tdfed_schedule *schedule,
                          uint32_t track, enum side side)
{
    if (side == LEFT)
        return track > 0 ? track - 1 : track;
    return side == RIGHT && track + 1 < schedule->tracks ? track + 1 : track;
}

/* Returns the inks that may have errors in a task's columns, and sets
 * `*together` if there may be company or light. */
static uint32_t inherited(const struct ht_tdfed_schedule *schedule,
                          uint32_t swath, uint32_t track, uint32_t beside,
                          bool *together)
{
    const struct track *own = &schedule->track[track];
    const struct track *other = &schedule->track[beside];
    uint32_t above = (swath - 1) % REMEMBERED;
    bool first = swath == 0; /* has a state that was given */

    *together = first || own->together[above] || other->together[above];
    return first ? ((uint32_t)1 << schedule->page->inks) - 1
                 : own->inks[above] | other->inks[above];
}

/* Raises a track's progress from `seen` if no other thread has. */
static bool raise_progress(const struct ht_tdfed_schedule *schedule,
                           struct track *track, unsigned seen)
{
    if (schedule->shared)
        return atomic_compare_exchange_strong(&track->progress, &seen,
                                              seen + 1);
    atomic_store_explicit(&track->progress, seen + 1, memory_order_relaxed);
    return true;
}

/* Says whether a task can run with those of a batch. */
static bool fits(struct slot *slot, const struct batch *batch)
{
    return batch->count == 0 ||
           atomic_load_explicit(&slot->rows, memory_order_relaxed) ==
               batch->rows;
}

/* Takes the next task of a track into the batch, if it is ready and fits. */
static bool take(struct ht_tdfed_schedule *schedule, uint32_t track,
                 struct batch *batch)
{
    unsigned seen = atomic_load(&schedule->track[track].progress);
    uint32_t s = seen / 2;
    struct slot *slot = slot_of(schedule, s);

    if (seen % 2 != 0 || s >= atomic_load(&schedule->added))
        return false;
    uint32_t beside =
        neighbour(schedule, track,
                  atomic_load_explicit(&slot->side, memory_order_relaxed));
    if ((beside != track &&
         atomic_load(&schedule->track[beside].progress) < seen) ||
        !fits(slot, batch) ||
        !raise_progress(schedule, &schedule->track[track], seen))
        return false;

    struct ht_tdfed_segment *segment = &batch->segment[batch->count];
    if (batch->count == 0)
        batch->rows = slot->swath.rows;
    segment->swath = &slot->swath;
    segment->begin = slot->begin[track];
    segment->end = slot->begin[track + 1];
    segment->inherits =
        inherited(schedule, s, track, beside, &segment->together);
    batch->task[batch->count++] = (struct task){s, track};
    return true;
}

/* Gives back a task that is done. */
static void give_back(struct ht_tdfed_schedule *schedule, struct task task,
                      const struct ht_tdfed_segment *segment)
{
    struct track *track = &schedule->track[task.track];

    track->inks[task.swath % REMEMBERED] = (uint16_t)segment->uneasy;
    track->together[task.swath % REMEMBERED] = segment->together;
    if (schedule->shared)
        atomic_exchange(&track->progress, 2 * task.swath + 2);
    else
        atomic_store_explicit(&track->progress, 2 * task.swath + 2,
                              memory_order_relaxed);
}

/* Gives back tasks of the batch, `all` or those that were blank, and keeps the
 * others. Wakes the caller if it sleeps. */
static void give_back_some(struct ht_tdfed_schedule *schedule,
                           struct batch *batch, bool all)
{
    unsigned count = batch->count;

    batch->count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (all || batch->segment[i].inks == 0) {
            give_back(schedule, batch->task[i], &batch->segment[i]);
        } else {
            batch->task[batch->count] = batch->task[i];
            batch->segment[batch->count++] = batch->segment[i];
        }
    }
    if (atomic_load(&schedule->caller_sleeps) &&
        atomic_exchange(&schedule->caller_sleeps, false))
        sem_post(&schedule->wakes_caller);
}

/* ---- A thread ------------------------------------------------------------ */

/* Takes tasks that are ready until the batch is full. */
static void look(struct ht_tdfed_schedule *schedule, struct worker *worker,
                 struct batch *batch)
{
    const unsigned most = schedule->batch;
    const uint32_t home = worker->end - worker->begin;
    uint32_t at = worker->at;

    for (uint32_t i = 0; i < home && batch->count < most; i++) {
        bool taken = take(schedule, at, batch);

        at = at + 1 < worker->end ? at + 1 : worker->begin;
        if (taken)
            worker->at = at;
    }
    at = worker->end;
    for (uint32_t i = home; i < schedule->tracks && batch->count < most;
         i++, at++)
        take(schedule, at < schedule->tracks ? at : at - schedule->tracks,
             batch);
}

/* Fills the batch with tasks that are ready and not blank; does the blank ones.
 * Says whether there were any of either. */
static bool fill(struct ht_tdfed_schedule *schedule, struct worker *worker,
                 struct batch *batch)
{
    bool some = false;

    for (;;) {
        unsigned before = batch->count;

        look(schedule, worker, batch);
        if (batch->count == before)
            return some;
        some = true;
        for (unsigned i = before; i < batch->count; i++)
            ht_tdfed_do_blank(schedule->page, &batch->segment[i]);
        give_back_some(schedule, batch, false);
    }
}

enum work { NONE, BLANK, BATCH };

/* Halftones what is ready, until a batch is done or nothing is left. */
static enum work work_once(struct ht_tdfed_schedule *schedule,
                           struct worker *worker)
{
    struct batch batch;

    batch.count = 0;
    bool some = fill(schedule, worker, &batch);
    if (batch.count == 0)
        return some ? BLANK : NONE;
    ht_tdfed_run_segments(schedule->page, batch.segment, batch.count,
                          worker->space);
    give_back_some(schedule, &batch, true);
    return BATCH;
}

static void pause_for_a_look(void)
{
    for (unsigned i = 0; i < PAUSES; i++)
        ht_pause();
}

/* ---- Helpers and the guest ----------------------------------------------- */

/* Works until it is enough, or a thread has looked `most` times in vain. */
static void work_a_while(struct ht_tdfed_schedule *schedule,
                         struct worker *worker, unsigned most,
                         bool (*enough)(void *context), void *context)
{
    for (unsigned looks = 0; looks < most && !enough(context); looks++)
        if (work_once(schedule, worker) != NONE)
            looks = 0;
        else
            pause_for_a_look();
}

static bool stops(void *context)
{
    struct ht_tdfed_schedule *schedule = context;

    return atomic_load(&schedule->stop);
}

static void help(void *context, unsigned number)
{
    struct ht_tdfed_schedule *schedule = context;

    work_a_while(schedule, &schedule->workers[number],
                 schedule->lends ? LOOKS : LOOKS_FOR_A_BAND, stops, schedule);
}

void ht_tdfed_schedule_help(struct ht_tdfed_schedule *schedule,
                            bool (*enough)(void *context), void *context)
{
    if (schedule->guest != NULL)
        work_a_while(schedule, schedule->guest, LOOKS, enough, context);
}

/* ---- The caller ---------------------------------------------------------- */

/* Says whether the first `swaths` are done. */
static bool reached(struct ht_tdfed_schedule *schedule, uint32_t swaths)
{
    if (schedule->asked != swaths)
        schedule->ahead = 0;
    schedule->asked = swaths;
    while (schedule->ahead < schedule->tracks &&
           atomic_load(&schedule->track[schedule->ahead].progress) >=
               2 * swaths)
        schedule->ahead++;
    return schedule->ahead == schedule->tracks;
}

/* Sleeps until a task is done, unless there is something to do. */
static void sleep_or_work(struct ht_tdfed_schedule *schedule, uint32_t swaths)
{
    atomic_exchange(&schedule->caller_sleeps, true);
    if ((reached(schedule, swaths) ||
         work_once(schedule, &schedule->workers[0]) != NONE) &&
        atomic_exchange(&schedule->caller_sleeps, false))
        return;
    while (sem_wait(&schedule->wakes_caller) != 0)
        ;
}

void ht_tdfed_schedule_work(struct ht_tdfed_schedule *schedule, uint32_t swaths,
                            bool urgent)
{
    unsigned looks = 0;

    assert(swaths <= atomic_load(&schedule->added));
    for (unsigned i = 0; urgent && !schedule->lends && i < schedule->most; i++)
        ht_pool_wake(schedule->helpers);
    while (!reached(schedule, swaths)) {
        enum work work = work_once(schedule, &schedule->workers[0]);

        if (work == BATCH && urgent)
            ht_pool_wake(schedule->helpers);
        if (work != NONE)
            looks = 0;
        else if (looks++ < LOOKS)
            pause_for_a_look();
        else
            sleep_or_work(schedule, swaths);
    }
}

struct ht_tdfed_swath *
ht_tdfed_schedule_next(struct ht_tdfed_schedule *schedule)
{
    uint32_t added = atomic_load(&schedule->added);

    if (added >= HT_TDFED_SWATHS)
        ht_tdfed_schedule_work(schedule, added - HT_TDFED_SWATHS + 1, true);
    return &slot_of(schedule, added)->swath;
}

void ht_tdfed_schedule_add(struct ht_tdfed_schedule *schedule, uint32_t shift)
{
    uint32_t added = atomic_load(&schedule->added);
    struct slot *slot = slot_of(schedule, added);
    uint32_t above = added > 0 ? slot_of(schedule, added - 1)->shift : shift;

    slot->shift = shift;
    for (uint32_t track = 0; track <= schedule->tracks; track++)
        slot->begin[track] = begin_of(schedule, slot, track);
    atomic_store_explicit(&slot->side,
                          shift < above   ? LEFT
                          : shift > above ? RIGHT
                                          : NEITHER,
                          memory_order_relaxed);
    atomic_store_explicit(&slot->rows, slot->swath.rows, memory_order_relaxed);
    atomic_store(&schedule->added, added + 1);
    if (!schedule->shared && added >= BEHIND)
        ht_tdfed_schedule_work(schedule, added + 1 - BEHIND, false);
}

uint32_t ht_tdfed_schedule_added(const struct ht_tdfed_schedule *schedule)
{
    return atomic_load(&schedule->added);
}

uint32_t ht_tdfed_schedule_done(const struct ht_tdfed_schedule *schedule)
{
    uint32_t done = atomic_load(&schedule->added);

    for (uint32_t i = 0; i < schedule->tracks; i++) {
        uint32_t own = atomic_load(&schedule->track[i].progress) / 2;

        done = own < done ? own : done;
    }
    return done;
}

/* ---- Opening
 * ----------------------------------------------------------------- */

void ht_tdfed_schedule_close(struct ht_tdfed_schedule *schedule)
{
    if (schedule == NULL)
        return;
    atomic_store(&schedule->stop, true);
    ht_pool_close(schedule->helpers);
    sem_destroy(&schedule->wakes_caller);
    for (unsigned i = 0; schedule->workers != NULL && i <= schedule->most + 1;
         i++)
        ht_tdfed_space_free(schedule->workers[i].space);
    free(schedule->workers);
    free(schedule->track);
    free(schedule->begins);
    free(schedule);
}

/* Returns how many threads a page can keep busy: a swath's segments fill so
 * many batches, and those of the next swath need their errors. */
static unsigned useful_threads(const struct ht_tdfed_page *page,
                               uint32_t length)
{
    unsigned strips = page->kernel->strips;
    uint32_t batches = (page->width / length + strips - 1) / strips;

    return batches < 1              ? 1
           : batches > HT_POOL_MOST ? HT_POOL_MOST
                                    : (unsigned)batches;
}

/* Returns how many segments of a strip follow each other: the ends of strips
 * cost less then. Threads that share a page leave each other some. */
static unsigned segments_of_strip(const struct ht_tdfed_schedule *schedule,
                                  unsigned threads)
{
    const uint32_t least = threads > 1 ? 1 : 2, most = 4;
    uint32_t segments = 512 / schedule->length;
    uint32_t left =
        schedule->tracks / (threads * schedule->page->kernel->strips);

    segments = segments > left && threads > 1 ? left : segments;
    return segments < least ? least : segments > most ? most : segments;
}

/* Gives each worker an equal part of the tracks as its home; the guest, which
 * comes and goes, has none to itself. */
static void give_homes(struct ht_tdfed_schedule *schedule, unsigned workers)
{
    const uint32_t tracks = schedule->tracks;

    for (unsigned i = 0; i < workers; i++) {
        struct worker *worker = &schedule->workers[i];

        worker->begin = tracks * i / workers;
        worker->end = tracks * (i + 1) / workers;
        worker->at = worker->begin;
    }
    schedule->workers[workers].end = tracks;
    schedule->workers[workers].at = tracks / 2;
}

static ht_status_t open_threads(struct ht_tdfed_schedule *schedule,
                                unsigned threads, bool guest)
{
    unsigned useful = useful_threads(schedule->page, schedule->length);

    threads = threads < useful ? threads : useful;
    assert(threads > 0);
    guest = guest && threads > 1;
    schedule->shared = threads > 1;
    schedule->batch =
        schedule->page->kernel->strips * segments_of_strip(schedule, threads);
    threads -= guest;
    schedule->most = threads - 1;
    schedule->workers = calloc(threads + 1, sizeof *schedule->workers);
    if (schedule->workers == NULL)
        return HT_ERR_MEMORY;
    for (unsigned i = 0; i < threads + guest; i++)
        if (ht_tdfed_space_new(&schedule->workers[i].space, schedule->page,
                               schedule->shared) != HT_OK)
            return HT_ERR_MEMORY;
    give_homes(schedule, threads);
    schedule->guest = guest ? &schedule->workers[threads] : NULL;
    return ht_pool_open(&schedule->helpers, schedule->most, help, schedule);
}

ht_status_t ht_tdfed_schedule_open(struct ht_tdfed_schedule **out,
                                   const struct ht_tdfed_page *page,
                                   uint32_t segment, unsigned threads,
                                   bool guest, bool lends)
{
    struct ht_tdfed_schedule *schedule = calloc(1, sizeof *schedule);

    assert(threads > 0);
    if (schedule == NULL)
        return HT_ERR_MEMORY;
    sem_init(&schedule->wakes_caller, 0, 0);
    schedule->page = page;
    schedule->lends = lends;
    schedule->length = segment != 0 ? segment : page->width;
    schedule->tracks = segment != 0 ? page->width / segment + 2 : 1;
    schedule->track =
        aligned_alloc(64, schedule->tracks * sizeof *schedule->track);
    if (schedule->track != NULL)
        memset(schedule->track, 0, schedule->tracks * sizeof *schedule->track);
    schedule->begins =
        calloc(HT_TDFED_SWATHS, (schedule->tracks + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; schedule->begins != NULL && i < HT_TDFED_SWATHS; i++)
        schedule->slot[i].begin =
            schedule->begins + (size_t)i * (schedule->tracks + 1);
    if (schedule->track == NULL || schedule->begins == NULL ||
        open_threads(schedule, threads, guest) != HT_OK) {
        ht_tdfed_schedule_close(schedule);
        return HT_ERR_MEMORY;
    }
    *out = schedule;
    return HT_OK;
}
