/*
 * test_queue.c - the ring of bands between two threads, and how long it waits.
 * The clock and the wait for it are the test's, but for one test; so is memory
 * that cannot be had.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "page/queue.h"
#include "test/cases.h"
#include "test/unit/no_memory.h"

/* ---- Memory -------------------------------------------------------------- */

TEST(without_memory_there_is_no_queue)
{
    struct queue queue;

    for (unsigned i = 1; i <= 2 * (QUEUE_BANDS + 1) + 3; i++) {
        case_is("allocation %u", i);
        fail_at = i;
        assert_false(queue_open(&queue, 1, 2, 3));
        assert_int_equal(fail_at, 0);
        queue_close(&queue);
    }
    fail_at = 2 * (QUEUE_BANDS + 1) + 4;
    assert_true(queue_open(&queue, 1, 2, 3));
    fail_at = 0;
    queue_close(&queue);
}

/* ---- Time ---------------------------------------------------------------- */

static struct timespec now, end_of_wait;
static bool real;
static unsigned waits, interrupted; /* so many of them end early */
static struct queue *put_while_waiting;

int __real_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
    assert_int_equal(clock, CLOCK_MONOTONIC);
    if (real)
        return __real_clock_gettime(clock, time);
    *time = now;
    return 0;
}

int __real_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *end);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *end);
int __wrap_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                  const struct timespec *end)
{
    if (real)
        return __real_pthread_cond_timedwait(cond, mutex, end);
    end_of_wait = *end;
    waits++;
    if (put_while_waiting != NULL) {
        put_while_waiting->ring[0] = &put_while_waiting->band[0];
        put_while_waiting->full++;
    }
    return waits <= interrupted || put_while_waiting != NULL ? 0 : ETIMEDOUT;
}

TEST(a_wait_ends_at_a_time_that_is_one)
{
    static const struct {
        long ns;
        unsigned ms;
        long end_s, end_ns;
    } cases[] = {
        {0, 0, 7, 0},
        {0, 999, 7, 999000000},
        {999999999, 0, 7, 999999999},
        {999999999, 1, 8, 999999},
        {500000000, 499, 7, 999000000},
        {500000000, 500, 8, 0},
        {999999999, 999, 8, 998999999},
    };
    struct queue queue;

    assert_true(queue_open(&queue, 0, 1, 1));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("%ld ns and %u ms", cases[i].ns, cases[i].ms);
        now = (struct timespec){.tv_sec = 7, .tv_nsec = cases[i].ns};
        waits = 0;
        interrupted = (unsigned)i % 2;
        assert_false(queue_await(&queue, cases[i].ms));
        assert_int_equal(waits, 1 + interrupted);
        assert_int_equal(end_of_wait.tv_sec, cases[i].end_s);
        assert_int_equal(end_of_wait.tv_nsec, cases[i].end_ns);
    }
    queue_close(&queue);
}

TEST(a_wait_is_for_the_next_band_or_the_end)
{
    struct queue queue;

    assert_true(queue_open(&queue, 0, 1, 1));
    waits = 0;
    put_while_waiting = &queue;
    assert_true(queue_await(&queue, 10));
    assert_int_equal(waits, 1);
    assert_true(queue_await(&queue, 10));
    assert_int_equal(waits, 1);
    put_while_waiting = NULL;
    assert_ptr_equal(queue_next(&queue), &queue.band[0]);
    assert_false(queue_await(&queue, 10));
    assert_int_equal(waits, 2);
    queue_end(&queue);
    assert_true(queue_await(&queue, 10));
    assert_int_equal(waits, 2);
    queue_close(&queue);
}

TEST(a_wait_takes_its_time)
{
    struct timespec begin, end;
    struct queue queue;

    assert_true(queue_open(&queue, 0, 1, 1));
    real = true;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    assert_false(queue_await(&queue, 30));
    clock_gettime(CLOCK_MONOTONIC, &end);
    real = false;
    assert_true((double)(end.tv_sec - begin.tv_sec) * 1e3 +
                    (double)(end.tv_nsec - begin.tv_nsec) / 1e6 >=
                30);
    queue_close(&queue);
}

/* ---- The ring ------------------------------------------------------------ */

/* The one that was given back last is filled next. */
TEST(bands_come_in_their_order)
{
    struct queue queue;
    struct band *back[2] = {NULL};
    unsigned filled = 0, taken = 0;

    assert_true(queue_open(&queue, 0, 3, 4));
    assert_false(queue_has_next(&queue));
    for (unsigned round = 0; round < 2 * QUEUE_BANDS; round++) {
        case_is("round %u", round);
        while (queue_has_space(&queue)) {
            struct band *band = queue_space(&queue);

            assert_ptr_equal(
                band, filled < QUEUE_BANDS
                          ? &queue.band[filled]
                          : back[filled + 1 - taken == QUEUE_BANDS ? 0 : 1]);
            assert_ptr_equal(queue_space(&queue), band);
            memset(band->data, (int)filled, (size_t)3 * 4);
            band->rows = filled++;
            queue_put(&queue);
        }
        assert_int_equal(filled - taken, QUEUE_BANDS);
        for (unsigned i = 0; i < 2; i++) {
            assert_true(queue_has_next(&queue));
            back[i] = queue_next(&queue);
            assert_int_equal(back[i]->rows, taken++);
            assert_false(queue_has_space(&queue));
        }
        queue_done(&queue);
        assert_true(queue_has_space(&queue));
        queue_done(&queue);
    }
    queue_close(&queue);
}

TEST(ended_queues_give_what_they_have)
{
    struct queue queue;

    assert_true(queue_open(&queue, 0, 1, 1));
    assert_non_null(queue_space(&queue));
    queue_put(&queue);
    queue_end(&queue);
    assert_true(queue_has_space(&queue));
    assert_null(queue_space(&queue));
    assert_true(queue_has_next(&queue));
    assert_ptr_equal(queue_next(&queue), &queue.band[0]);
    assert_true(queue_has_next(&queue));
    assert_null(queue_next(&queue));
    queue_close(&queue);
}

TEST(rows_may_have_all_inks_at_first)
{
    struct queue queue;

    assert_true(queue_open(&queue, 0, 3, 2));
    for (unsigned i = 0; i < QUEUE_BANDS; i++) {
        assert_null(queue.band[i].lines);
        for (unsigned row = 0; row < 3; row++)
            assert_int_equal(queue.band[i].inked[row], UINT16_MAX);
    }
    queue_close(&queue);
}

/* ---- Two threads --------------------------------------------------------- */

#define BANDS 5000u

static void *fill(void *context)
{
    struct queue *queue = context;

    for (unsigned i = 0; i < BANDS; i++) {
        struct band *band = queue_space(queue);

        band->rows = i;
        queue_put(queue);
    }
    queue_end(queue);
    return NULL;
}

TEST(threads_wake_each_other)
{
    struct queue queue;
    struct band *band;
    pthread_t thread;
    unsigned count = 0;

    assert_true(queue_open(&queue, 0, 1, 1));
    assert_int_equal(pthread_create(&thread, NULL, fill, &queue), 0);
    while ((band = queue_next(&queue)) != NULL) {
        assert_int_equal(band->rows, count++);
        queue_done(&queue);
    }
    assert_int_equal(count, BANDS);
    pthread_join(thread, NULL);
    queue_close(&queue);
}
