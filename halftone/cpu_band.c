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
#include <stdlib.h>
#include <string.h>

#include "halftone/cpu_band.h"

struct place {
    uint32_t swath, segment; /* counted from the left */
};

struct ht_cpu_band {
    const struct ht_cpu_page *page;
    uint32_t length;
    struct ht_pool *pool;
    struct ht_cpu_space *spaces; /* [threads] */

    const struct ht_cpu_swath *swaths;  /* at work */
    uint32_t first[HT_CPU_BAND_SWATHS]; /* cut behind column 0 */
    unsigned count;

    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t change;
    unsigned sleepers;
    size_t left;    /* segments that are not done */
    uint32_t most;  /* segments of a swath */
    uint8_t *waits; /* [swaths][most] for how many segments above */
    /* Those that wait no longer, a ring. They have no column in common, so
     * they cannot be more than `most`. */
    struct place *ready; /* [most] */
    uint32_t ready_first, ready_count;
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

/* The segment of a swath that has a column. */
static uint32_t segment_at(const struct ht_cpu_band *band, uint32_t swath,
                           uint32_t column)
{
    uint32_t first = band->first[swath];

    return column < first ? 0 : 1 + (column - first) / band->length;
}

static uint32_t segments_of(const struct ht_cpu_band *band, uint32_t swath)
{
    return segment_at(band, swath, band->page->width - 1) + 1;
}

/* The segments of the swath `by` before or behind that touch this one. */
static void neighbours(const struct ht_cpu_band *band, struct place p, int by,
                       uint32_t *from, uint32_t *to)
{
    uint32_t swath = p.swath + (uint32_t)by;

    *from = segment_at(band, swath, segment_begin(band, p));
    *to = segment_at(band, swath, segment_end(band, p) - 1);
}

/* ---- The order --------------------------------------------------------- */

static uint8_t *waits_of(struct ht_cpu_band *band, uint32_t swath,
                         uint32_t segment)
{
    return &band->waits[(size_t)swath * band->most + segment];
}

static void make_ready(struct ht_cpu_band *band, struct place p)
{
    uint32_t at = (band->ready_first + band->ready_count++) % band->most;

    band->ready[at] = p;
}

static void begin(struct ht_cpu_band *band)
{
    band->left = band->ready_first = band->ready_count = 0;
    for (uint32_t swath = 0; swath < band->count; swath++)
        for (uint32_t i = 0; i < segments_of(band, swath); i++, band->left++) {
            struct place p = {swath, i};
            uint32_t from = 1, to = 0;

            if (swath == 0)
                make_ready(band, p);
            else
                neighbours(band, p, -1, &from, &to);
            *waits_of(band, swath, i) = (uint8_t)(to - from + 1);
        }
}

static unsigned take(struct ht_cpu_band *band, struct place *places,
                     unsigned most)
{
    unsigned count = 0;

    for (; count < most && band->ready_count > 0; band->ready_count--) {
        places[count++] = band->ready[band->ready_first];
        band->ready_first = (band->ready_first + 1) % band->most;
    }
    return count;
}

static void done(struct ht_cpu_band *band, const struct place *places,
                 unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t below = places[i].swath + 1, from, to;

        band->left--;
        if (below == band->count)
            continue;
        neighbours(band, places[i], 1, &from, &to);
        for (uint32_t k = from; k <= to; k++)
            if (--*waits_of(band, below, k) == 0)
                make_ready(band, (struct place){below, k});
    }
    if (band->sleepers > 0 && (band->ready_count > 0 || band->left == 0))
        pthread_cond_broadcast(&band->change);
}

/* ---- A thread ---------------------------------------------------------- */

/* Segments that a thread has in hand. */
struct hand {
    struct place place[HT_CPU_MAX_STRIPS];
    struct ht_cpu_segment segment[HT_CPU_MAX_STRIPS];
    unsigned count;
};

/* Fills the hand with ready segments that have work; those that have none
 * are done with that. The lock is held at entry and exit. */
static void fill_hand(struct ht_cpu_band *band, struct hand *hand)
{
    struct place taken[HT_CPU_MAX_STRIPS];
    unsigned count;

    hand->count = 0;
    while ((count = take(band, taken,
                         band->page->kernel->strips - hand->count)) > 0) {
        unsigned idle = 0;

        pthread_mutex_unlock(&band->lock);
        for (unsigned i = 0; i < count; i++) {
            struct ht_cpu_segment segment = {
                .swath = &band->swaths[taken[i].swath],
                .begin = segment_begin(band, taken[i]),
                .end = segment_end(band, taken[i])};

            segment.inks = ht_cpu_busy_inks(band->page, &segment);
            if (segment.inks == 0) {
                taken[idle++] = taken[i];
            } else {
                hand->segment[hand->count] = segment;
                hand->place[hand->count++] = taken[i];
            }
        }
        pthread_mutex_lock(&band->lock);
        done(band, taken, idle);
    }
}

static void work(void *context, unsigned thread)
{
    struct ht_cpu_band *band = context;
    struct hand hand;

    pthread_mutex_lock(&band->lock);
    while (band->left > 0) {
        fill_hand(band, &hand);
        if (hand.count > 0) {
            pthread_mutex_unlock(&band->lock);
            ht_cpu_run_segments(band->page, hand.segment, hand.count,
                                &band->spaces[thread]);
            pthread_mutex_lock(&band->lock);
            done(band, hand.place, hand.count);
        } else if (band->left > 0) {
            band->sleepers++;
            pthread_cond_wait(&band->change, &band->lock);
            band->sleepers--;
        }
    }
    pthread_mutex_unlock(&band->lock);
}

void ht_cpu_band_run(struct ht_cpu_band *band,
                     const struct ht_cpu_swath *swaths, const uint32_t *shifts,
                     unsigned count)
{
    band->swaths = swaths;
    band->count = count;
    for (unsigned i = 0; i < count; i++)
        band->first[i] = shifts[i] ? shifts[i] : band->length;
    begin(band);
    ht_pool_run(band->pool, work, band);
}

/* ---- Opening ----------------------------------------------------------- */

void ht_cpu_band_close(struct ht_cpu_band *band)
{
    if (band == NULL)
        return;
    ht_pool_close(band->pool);
    free(band->spaces);
    free(band->waits);
    free(band->ready);
    pthread_cond_destroy(&band->change);
    pthread_mutex_destroy(&band->lock);
    free(band);
}

ht_status_t ht_cpu_band_open(struct ht_cpu_band **out,
                             const struct ht_cpu_page *page, uint32_t length,
                             unsigned threads)
{
    struct ht_cpu_band *band = calloc(1, sizeof *band);

    if (band == NULL)
        return HT_ERR_MEMORY;
    pthread_mutex_init(&band->lock, NULL);
    pthread_cond_init(&band->change, NULL);
    band->page = page;
    band->length = length;
    band->most = page->width / length + 2;
    if (threads > band->most)
        threads = band->most;
    band->waits = calloc(HT_CPU_BAND_SWATHS, band->most);
    band->ready = calloc(band->most, sizeof *band->ready);
    band->spaces = aligned_alloc(64, threads * sizeof *band->spaces);
    if (!band->waits || !band->ready || !band->spaces ||
        ht_pool_open(&band->pool, threads) != HT_OK) {
        ht_cpu_band_close(band);
        return HT_ERR_MEMORY;
    }
    memset(band->spaces, 0, threads * sizeof *band->spaces);
    *out = band;
    return HT_OK;
}
