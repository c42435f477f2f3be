/*
 * cpu_band.c - which segments of some swaths may run, and the threads that
 * run them.
 *
 * A segment reads the errors of the columns that it covers: it waits for the
 * one or two segments of the swath before that cover them too. So there is no
 * end of a swath at which threads would have to meet, and a thread mostly
 * finds as many segments ready as its kernel takes at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/cpu_band.h"
#include "halftone/cpu_idle.h"

#define TRIES 1000 /* to get a lock, or work, before sleeping */
#define LOOKS 200  /* a guest's for the next swaths */

struct place {
    uint32_t swath, segment; /* counted from the left */
};

/* Segments that are ready have no column in common, so they cannot be more
 * than the band's `most`. */
struct ring {
    struct place *place; /* [most] */
    uint32_t first, count;
};

struct ht_cpu_band {
    const struct ht_cpu_page *page;
    uint32_t length;
    unsigned threads;            /* with the guest, whose number is the last */
    bool guest;                  /* calls ht_cpu_band_help() */
    struct ht_pool *pool;        /* the others */
    struct ht_cpu_space *spaces; /* [threads] */

    pthread_mutex_t lock;               /* guards the rest */
    const struct ht_cpu_swath *swaths;  /* at work */
    uint32_t first[HT_CPU_BAND_SWATHS]; /* cut behind column 0: 1..length */
    uint32_t segments[HT_CPU_BAND_SWATHS];
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

static uint32_t segment_begin(const struct ht_cpu_band *band, struct place p)
{
    return p.segment == 0
               ? 0
               : band->first[p.swath] + (p.segment - 1) * band->length;
}

static uint32_t segment_end(const struct ht_cpu_band *band, struct place p)
{
    uint64_t end = band->first[p.swath] + (uint64_t)p.segment * band->length;

    return end < band->page->width ? (uint32_t)end : band->page->width;
}

/* How many a swath has whose first cut is behind column `first`. */
static uint32_t segments_of(const struct ht_cpu_band *band, uint32_t first)
{
    uint32_t width = band->page->width;

    return width <= first ? 1 : 2 + (width - 1 - first) / band->length;
}

/* The segments of the swath `by` before or behind that touch this one: of the
 * same number, or beside that. */
static void neighbours(const struct ht_cpu_band *band, struct place p, int by,
                       uint32_t *from, uint32_t *to)
{
    uint32_t other = p.swath + (uint32_t)by;
    uint32_t first = band->first[p.swath], others = band->first[other];
    uint32_t last = band->segments[other] - 1;

    *from = p.segment - (p.segment > 0 && first < others);
    *to = p.segment + (first > others);
    *to = *to < last ? *to : last;
}

/* ---- The order --------------------------------------------------------- */

static uint8_t *waits_of(struct ht_cpu_band *band, uint32_t swath,
                         uint32_t segment)
{
    return &band->waits[(size_t)swath * band->most + segment];
}

/* Each thread has a share of the columns, so that their errors stay in its
 * cache. */
static void make_ready(struct ht_cpu_band *band, struct place p)
{
    uint32_t column = segment_begin(band, p);
    struct ring *ring =
        &band->ready[column * band->threads / band->page->width];
    uint32_t next = ring->first + ring->count++;

    ring->place[next < band->most ? next : next - band->most] = p;
    band->ready_count++;
}

static void begin(struct ht_cpu_band *band)
{
    band->left = 0;
    for (uint32_t swath = 0; swath < band->count; swath++)
        for (uint32_t i = 0; i < band->segments[swath]; i++, band->left++) {
            struct place p = {swath, i};
            uint32_t from = 1, to = 0;

            if (swath == 0)
                make_ready(band, p);
            else
                neighbours(band, p, -1, &from, &to);
            *waits_of(band, swath, i) = (uint8_t)(to - from + 1);
        }
}

/* A ready segment: of the thread's own, or else of the next that has one. */
static bool take_one(struct ht_cpu_band *band, unsigned thread,
                     struct place *place)
{
    struct ring *ring = &band->ready[thread];

    if (band->ready_count == 0)
        return false;
    while (ring->count == 0)
        ring = &band->ready[++thread % band->threads];
    *place = ring->place[ring->first];
    ring->first = ring->first + 1 < band->most ? ring->first + 1 : 0;
    ring->count--;
    band->ready_count--;
    return true;
}

static void done(struct ht_cpu_band *band, struct place p)
{
    uint32_t below = p.swath + 1, from, to;

    band->left--;
    if (below == band->count)
        return;
    neighbours(band, p, 1, &from, &to);
    for (uint32_t k = from; k <= to; k++)
        if (--*waits_of(band, below, k) == 0)
            make_ready(band, (struct place){below, k});
}

/* Tells those who wait that there is something to do, or nothing any more. */
static void tell(struct ht_cpu_band *band)
{
    if (band->ready_count == 0 && band->left > 0)
        return;
    atomic_fetch_add(&band->changes, 1);
    if (band->sleepers > 0)
        pthread_cond_broadcast(&band->change);
}

/* What the lock guards takes far less time than to sleep and wake up. */
static void lock(struct ht_cpu_band *band)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (pthread_mutex_trylock(&band->lock) == 0)
            return;
    pthread_mutex_lock(&band->lock);
}

/* Lets go of the lock until something has changed. Others take microseconds
 * to be done, so this looks for a while before it sleeps. */
static void wait_for_change(struct ht_cpu_band *band)
{
    unsigned before = atomic_load(&band->changes);

    pthread_mutex_unlock(&band->lock);
    for (unsigned i = 0; i < TRIES; i++) {
        if (atomic_load(&band->changes) != before)
            break;
        sched_yield();
    }
    lock(band);
    if (atomic_load(&band->changes) == before) {
        band->sleepers++;
        pthread_cond_wait(&band->change, &band->lock);
        band->sleepers--;
    }
}

/* ---- A thread ---------------------------------------------------------- */

/* Segments that a thread has in hand. */
struct hand {
    struct place place[HT_CPU_MAX_STRIPS];
    struct ht_cpu_segment segment[HT_CPU_MAX_STRIPS];
    unsigned count;
};

/* Takes segments from the ready ones until the hand is full. */
static void take(struct ht_cpu_band *band, unsigned thread, struct hand *hand)
{
    struct place p;

    while (hand->count < band->page->kernel->strips &&
           take_one(band, thread, &p)) {
        struct ht_cpu_segment *segment = &hand->segment[hand->count];

        hand->place[hand->count++] = p;
        segment->swath = &band->swaths[p.swath];
        segment->begin = segment_begin(band, p);
        segment->end = segment_end(band, p);
        memset(segment->edge, 0, band->page->inks * sizeof segment->edge[0]);
    }
}

/* Puts those in hand away that are done: all, or all without work. */
static void put_away(struct ht_cpu_band *band, struct hand *hand, bool all)
{
    unsigned count = hand->count;

    hand->count = 0;
    for (unsigned i = 0; i < count; i++) {
        if (all || hand->segment[i].inks == 0) {
            ht_cpu_join_edges(band->page, &hand->segment[i]);
            done(band, hand->place[i]);
        } else {
            hand->place[hand->count] = hand->place[i];
            hand->segment[hand->count++] = hand->segment[i];
        }
    }
    tell(band);
}

/* Fills the hand with ready segments that have work; those that have none
 * are done with that. The lock is held at entry and exit. */
static void fill_hand(struct ht_cpu_band *band, unsigned thread,
                      struct hand *hand)
{
    for (;;) {
        unsigned before = hand->count;

        take(band, thread, hand);
        if (hand->count == before)
            return;
        pthread_mutex_unlock(&band->lock);
        for (unsigned i = before; i < hand->count; i++)
            ht_cpu_do_idle_inks(band->page, &hand->segment[i]);
        lock(band);
        put_away(band, hand, false);
    }
}

/* Halftones a handful of segments, or waits until there are some. The lock is
 * held at entry and exit. */
static void work_once(struct ht_cpu_band *band, unsigned thread)
{
    struct hand hand;

    hand.count = 0;
    fill_hand(band, thread, &hand);
    if (hand.count > 0) {
        pthread_mutex_unlock(&band->lock);
        ht_cpu_run_segments(band->page, hand.segment, hand.count,
                            &band->spaces[thread]);
        lock(band);
        put_away(band, &hand, true);
    } else if (band->left > 0) {
        wait_for_change(band);
    }
}

static void work(void *context, unsigned thread)
{
    struct ht_cpu_band *band = context;

    lock(band);
    while (band->left > 0)
        work_once(band, thread);
    pthread_mutex_unlock(&band->lock);
}

void ht_cpu_band_help(struct ht_cpu_band *band, bool (*enough)(void *context),
                      void *context)
{
    lock(band);
    for (unsigned i = 0; band->guest && i < LOOKS && !enough(context); i++) {
        if (band->left > 0) {
            work_once(band, band->threads - 1);
            i = 0;
        } else {
            pthread_mutex_unlock(&band->lock);
            sched_yield();
            lock(band);
        }
    }
    pthread_mutex_unlock(&band->lock);
}

void ht_cpu_band_run(struct ht_cpu_band *band,
                     const struct ht_cpu_swath *swaths, const uint32_t *shifts,
                     unsigned count, bool alone)
{
    lock(band);
    band->swaths = swaths;
    band->count = count;
    for (unsigned i = 0; i < count; i++) {
        band->first[i] = shifts[i] ? shifts[i] : band->length;
        band->segments[i] = segments_of(band, band->first[i]);
    }
    begin(band);
    tell(band);
    pthread_mutex_unlock(&band->lock);
    if (alone) {
        ht_pool_rest(band->pool);
        work(band, 0);
    } else {
        ht_pool_run(band->pool, work, band);
    }
}

/* ---- Opening ----------------------------------------------------------- */

void ht_cpu_band_close(struct ht_cpu_band *band)
{
    if (band == NULL)
        return;
    ht_pool_close(band->pool);
    for (unsigned i = 0; band->ready != NULL && i < band->threads; i++)
        free(band->ready[i].place);
    free(band->ready);
    free(band->spaces);
    free(band->waits);
    pthread_cond_destroy(&band->change);
    pthread_mutex_destroy(&band->lock);
    free(band);
}

static bool open_rings(struct ht_cpu_band *band)
{
    band->ready = calloc(band->threads, sizeof *band->ready);
    for (unsigned i = 0; band->ready != NULL && i < band->threads; i++) {
        band->ready[i].place = calloc(band->most, sizeof *band->ready[i].place);
        if (band->ready[i].place == NULL)
            return false;
    }
    return band->ready != NULL;
}

ht_status_t ht_cpu_band_open(struct ht_cpu_band **out,
                             const struct ht_cpu_page *page, uint32_t length,
                             unsigned threads, bool guest)
{
    struct ht_cpu_band *band = calloc(1, sizeof *band);

    if (band == NULL)
        return HT_ERR_MEMORY;
    pthread_mutex_init(&band->lock, NULL);
    pthread_cond_init(&band->change, NULL);
    band->page = page;
    band->length = length;
    band->most = page->width / length + 2;
    /* Where a swath is one segment, more threads would only wait. */
    uint32_t useful = page->width > length ? page->width / length : 1;
    band->threads = threads < useful ? threads : useful;
    band->guest = guest && band->threads > 1;
    band->waits = calloc(HT_CPU_BAND_SWATHS, band->most);
    band->spaces = aligned_alloc(64, band->threads * sizeof *band->spaces);
    if (!band->waits || !band->spaces || !open_rings(band) ||
        ht_pool_open(&band->pool, band->threads - band->guest) != HT_OK) {
        ht_cpu_band_close(band);
        return HT_ERR_MEMORY;
    }
    memset(band->spaces, 0, band->threads * sizeof *band->spaces);
    *out = band;
    return HT_OK;
}
