/*
 * test_picture_memory.c - what pictures have of the memory together: pixels
 * behind the limit are in files, and readers wait for each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "printer-app/picture/picture_memory.h"
#include "test/cases.h"

#define MIB ((size_t)1 << 20)
#define LIMIT (16 * MIB)

static void take(struct picture *picture, uint32_t mib)
{
    *picture = (struct picture){.width = 1024, .height = 1024, .depth = mib};
    assert_true(picture_memory_take(picture));
    memset(picture->pixels, (int)mib, mib * MIB);
}

TEST(pixels_behind_the_limit_are_in_a_file)
{
    struct picture first, second, third, small;

    take(&first, 10);
    take(&second, 7);
    take(&small, 3);
    assert_false(first.is_file);
    assert_true(second.is_file);
    assert_false(small.is_file);
    assert_int_equal(second.pixels[0], 7);
    assert_int_equal(second.pixels[7 * MIB - 1], 7);
    picture_memory_give(&first);
    picture_memory_give(&first); /* twice is once */
    take(&third, 16);
    assert_false(third.is_file);
    picture_memory_give(&second);
    picture_memory_give(&third);
    picture_memory_give(&small);
    take(&first, 16);
    assert_false(first.is_file);
    picture_memory_give(&first);
}

TEST(no_file_is_no_memory)
{
    struct picture picture = {.width = 1024, .height = 1024, .depth = 17};

    setenv("TMPDIR", "/no/such/folder", 1);
    assert_false(picture_memory_take(&picture));
    picture_memory_give(&picture);
    unsetenv("TMPDIR");
}

/* ---- Readers ---------------------------------------------------------------
 */

/* A reader on its way. */
struct memory_work {
    size_t bytes;
    atomic_bool canceled, waits, goes, ended;
    pthread_t thread;
};

static bool is_canceled(void *context)
{
    return ((struct memory_work *)context)->canceled;
}

static void say_waits(void *context)
{
    ((struct memory_work *)context)->waits = true;
}

static void *run(void *context)
{
    struct memory_work *work = context;
    const struct picture_reader reader = {NULL, is_canceled, work, say_waits};

    work->goes = picture_memory_wait(work->bytes, &reader);
    work->ended = true;
    return NULL;
}

static void start(struct memory_work *work, size_t bytes)
{
    *work = (struct memory_work){.bytes = bytes};
    assert_int_equal(pthread_create(&work->thread, NULL, run, work), 0);
}

static void await(const atomic_bool *what)
{
    while (!*what)
        usleep(1000);
}

TEST(readers_wait_for_each_other)
{
    struct memory_work first, second, third, fourth;

    start(&first, 20 * MIB); /* more than there is: alone */
    await(&first.ended);
    assert_true(first.goes);
    assert_false(first.waits);

    start(&second, 10 * MIB);
    await(&second.waits);
    start(&third, MIB); /* would fit later, too, but is not the first */
    await(&third.waits);
    start(&fourth, MIB);
    await(&fourth.waits);
    fourth.canceled = true;
    await(&fourth.ended);
    assert_false(fourth.goes);
    assert_false(second.ended);
    assert_false(third.ended);

    picture_memory_done(first.bytes);
    await(&second.ended);
    await(&third.ended);
    assert_true(second.goes);
    assert_true(third.goes);
    picture_memory_done(second.bytes);
    picture_memory_done(third.bytes);
    pthread_join(first.thread, NULL);
    pthread_join(second.thread, NULL);
    pthread_join(third.thread, NULL);
    pthread_join(fourth.thread, NULL);
}

void tests_begin(void)
{
    picture_memory_limit(LIMIT);
    unsetenv("TMPDIR");
}
