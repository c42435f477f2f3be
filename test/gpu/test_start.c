/*
 * test_start.c - when GPUs are started, and which pages and which processes get
 * them: on a fake that takes a while to start. Each test is a process of its
 * own, in which nothing has been started yet.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "halftone/halftone.h"
#include "test/gpu/gpu_test.h"

#define FEW_PAGES 8 /* those of gpu/cuda/buffers.c */

/* A module of this test's own: others lock theirs at the same time. */
static char module[] = MODULE "-XXXXXX";

/* The first takes the GPU 0.1 s less than the CPU, which may use one thread: as
 * much as a start is worth. The second takes no longer with the CPU. */
static const ht_page_t page = {.method = HT_TDFED4,
                               .width = 4500,
                               .inks = 4,
                               .bits = 8,
                               .segment = HT_DEFAULT_SEGMENT,
                               .band = 8,
                               .threads = 1,
                               .pages = 8};
static const ht_page_t small_page = {.method = HT_TDFED4,
                                     .width = 100,
                                     .inks = 1,
                                     .bits = 8,
                                     .segment = HT_DEFAULT_SEGMENT,
                                     .band = 8,
                                     .threads = 1,
                                     .pages = 8};

/* ---- In the process of a test ------------------------------------------ */

#define CHECK(what)                                                            \
    do {                                                                       \
        if (!(what)) {                                                         \
            fprintf(stderr, "# line %d: not so: %s\n", __LINE__, #what);       \
            _exit(1);                                                          \
        }                                                                      \
    } while (0)

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void nap(void)
{
    usleep(2000);
}

static ht_engine_t *opened(const char *name, const ht_page_t *shape)
{
    ht_engine_t *engine = NULL;

    CHECK(ht_engine_open(&engine, name, shape) == HT_OK);
    return engine;
}

/* Opens the page as a filter does; says whether it went to the GPU. */
static bool goes_to_gpu(const ht_page_t *shape, const char **why)
{
    ht_engine_prepare(shape);
    ht_engine_t *engine = opened(NULL, shape);
    bool gpu = strcmp(ht_engine_name(engine), "cuda") == 0;

    *why = ht_engine_why(engine); /* static */
    ht_engine_close(engine);
    return gpu;
}

static bool stays_for(const ht_page_t *shape, const char *reason)
{
    const char *why;
    bool gpu = goes_to_gpu(shape, &why);

    if (gpu || strcmp(why, reason) != 0)
        fprintf(stderr, "# %s: %s\n", gpu ? "GPU" : "CPU", why);
    return !gpu && strcmp(why, reason) == 0;
}

/* Opens pages until one goes to the GPU. */
static bool goes_to_gpu_at_last(void)
{
    const char *why;

    while (!goes_to_gpu(&page, &why))
        nap();
    return strcmp(why, "the GPU is faster for such a page") == 0;
}

/* Locks the module as another process does; -1 if one has it. */
static int lock(void)
{
    int file = open(module, O_RDONLY | O_CLOEXEC);

    CHECK(file >= 0);
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        return file;
    close(file);
    return -1;
}

static bool is_locked(void)
{
    int file = lock();

    if (file >= 0)
        close(file);
    return file < 0;
}

/* Counts the engines on the device of engine `i`. */
static int beside(ht_engine_t *const *engines, int count, int i)
{
    int same = 0;

    for (int k = 0; k < count; k++)
        same += strcmp(ht_engine_device(engines[k]),
                       ht_engine_device(engines[i])) == 0;
    return same;
}

static void open_some(ht_engine_t **engines, int count)
{
    for (int i = 0; i < count; i++)
        engines[i] = opened("cuda", &small_page);
}

static void close_some(ht_engine_t **engines, int count)
{
    for (int i = 0; i < count; i++)
        ht_engine_close(engines[i]);
}

/* ---- A process of its own ----------------------------------------------- */

static void run_alone(void (*test)(void))
{
    pid_t child = fork();
    int status = 0;

    assert_true(child >= 0);
    if (child == 0) {
        if (ht_engine_use_module(module) != HT_OK)
            _exit(2);
        test();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

#define ALONE(name)                                                            \
    static void in_##name(void);                                               \
    TEST(name)                                                                 \
    {                                                                          \
        run_alone(in_##name);                                                  \
    }                                                                          \
    static void in_##name(void)

/* ---- Tests ------------------------------------------------------------- */

ALONE(small_pages_start_nothing)
{
    for (int i = 0; i < 1000; i++)
        CHECK(stays_for(&small_page, "the CPU is as fast for such a page"));
    CHECK(!is_locked());
    CHECK(ht_engine_release());
}

/* They wait on the CPU, and not on the GPU. */
ALONE(but_they_gain_where_many_want_processors)
{
    setenv("HALFTONE_GPU_LOAD", "0 0 0 9999/9999 1", 1);
    CHECK(stays_for(&small_page, "a few pages are not worth starting the GPU"));
}

static void check_single_page(void)
{
    ht_page_t long_page = page;

    long_page.height = 100 * page.width;
    CHECK(stays_for(&long_page, "a few pages are not worth starting the GPU"));
    CHECK(!is_locked());
    CHECK(ht_engine_release());
}

ALONE(a_single_page_starts_nothing)
{
    check_single_page();
}

ALONE(a_page_more_does_after_such_a_one)
{
    check_single_page();
    CHECK(stays_for(&page, "a few pages are not worth starting the GPU"));
    CHECK(stays_for(&page, "the GPU is not ready yet"));
    CHECK(is_locked());
    CHECK(goes_to_gpu_at_last());
    CHECK(ht_engine_release());
    CHECK(!is_locked());
    CHECK(stays_for(&page, "a few pages are not worth starting the GPU"));
}

/* Less than half as wide, and as high where the height is not known. */
ALONE(so_do_some_that_gain_less)
{
    ht_page_t narrow = page;

    narrow.width = 2000;
    for (int i = 0; i < 4; i++)
        CHECK(stays_for(&narrow, "a few pages are not worth starting the GPU"));
    CHECK(stays_for(&narrow, "the GPU is not ready yet"));
}

ALONE(no_page_waits_for_it)
{
    setenv("HALFTONE_FAKE_START", "3600000", 1);
    ht_engine_prepare(NULL);
    for (int i = 0; i < 10; i++)
        CHECK(stays_for(&page, "the GPU is not ready yet"));
    CHECK(!ht_engine_release());
}

ALONE(nothing_starts_it_without_being_asked)
{
    ht_engine_t *engine = opened(NULL, &page);

    CHECK(strcmp(ht_engine_why(engine), "nothing has started the GPU") == 0);
    ht_engine_close(engine);
    ht_engine_prepare(NULL);
    CHECK(ht_engine_release() == false);
    CHECK(goes_to_gpu_at_last());
}

/* It is tried again after twice as many pages. */
ALONE(another_job_keeps_it)
{
    int other = lock();

    CHECK(other >= 0);
    CHECK(stays_for(&page, "a few pages are not worth starting the GPU"));
    CHECK(stays_for(&page, "another job has the GPU"));
    close(other);
    CHECK(stays_for(&page, "a few pages are not worth starting the GPU"));
    CHECK(!is_locked());
    CHECK(goes_to_gpu_at_last());
    CHECK(is_locked());
}

ALONE(until_it_is_killed)
{
    pid_t other = fork();
    int status;

    CHECK(other >= 0);
    if (other == 0) {
        ht_engine_prepare(NULL);
        CHECK(is_locked());
        raise(SIGKILL);
    }
    CHECK(waitpid(other, &status, 0) == other && WIFSIGNALED(status));
    CHECK(!is_locked());
}

ALONE(whoever_names_it_has_it_too)
{
    int other = lock();
    ht_engine_t *engine = opened("cuda", &page);

    CHECK(strcmp(ht_engine_device(engine), "GPU 9") < 0);
    close(other);
    CHECK(!is_locked());
    ht_engine_close(engine);
    ht_engine_close(opened("cuda", &page));
    CHECK(is_locked());
    CHECK(ht_engine_release());
    CHECK(!is_locked());
}

ALONE(the_first_pages_wait_for_one_device)
{
    ht_engine_t *engine[FEW_PAGES];
    double begin = now();

    setenv("HALFTONE_FAKE_START", "200", 1);
    open_some(engine, FEW_PAGES);
    CHECK(now() - begin >= 0.2);
    CHECK(beside(engine, FEW_PAGES, 0) == FEW_PAGES);
    CHECK(ht_engine_release()); /* nothing else is being started */
}

/* A page more than one device does as fast as one starts another, and so on;
 * pages then go to both in turn. */
ALONE(two_devices_share_the_pages)
{
    enum { COUNT = 2 * FEW_PAGES };
    ht_engine_t *engine[COUNT];

    open_some(engine, FEW_PAGES + 1);
    CHECK(beside(engine, FEW_PAGES + 1, 0) == FEW_PAGES + 1);
    ht_engine_close(engine[FEW_PAGES]);
    while (!ht_engine_release())
        nap();
    open_some(engine + FEW_PAGES, FEW_PAGES);
    CHECK(beside(engine, COUNT, 0) == FEW_PAGES);
    CHECK(beside(engine, COUNT, FEW_PAGES) == FEW_PAGES);
    close_some(engine, COUNT);
    open_some(engine, COUNT);
    CHECK(beside(engine, COUNT, 0) == FEW_PAGES);
    CHECK(beside(engine, COUNT, 1) == FEW_PAGES);
    CHECK(beside(engine, 2, 0) == 1); /* in turn */
    CHECK(ht_engine_release());       /* there was no need for a third */
}

/* A page for which there is no memory beside the one before starts another
 * device, too, and does not wait for it. */
ALONE(so_do_those_for_which_there_is_no_memory)
{
    ht_page_t large = small_page;
    ht_engine_t *engine = NULL, *second = NULL;
    double begin = now();

    large.width = 1000;
    large.band = 500;
    large.device_memory = 2000000;
    CHECK(ht_engine_open(&engine, "cuda", &large) == HT_OK);
    CHECK(ht_engine_open(&second, "cuda", &large) == HT_ERR_BUSY);
    while (ht_engine_open(&second, "cuda", &large) == HT_ERR_BUSY &&
           now() - begin < 600)
        nap();
    CHECK(second != NULL &&
          strcmp(ht_engine_device(second), ht_engine_device(engine)) != 0);
    ht_engine_close(engine);
    ht_engine_close(second);
}

ALONE(a_device_that_does_not_start_delays_nothing)
{
    enum { COUNT = 3 * FEW_PAGES };
    ht_engine_t *engine[COUNT];

    open_some(engine, 1);
    setenv("HALFTONE_FAKE_START", "60000", 1);
    open_some(engine + 1, COUNT - 1);
    CHECK(beside(engine, COUNT, 0) == COUNT);
    close_some(engine, COUNT);
    CHECK(!ht_engine_release());
}

ALONE(a_device_that_cannot_be_started_is_passed_over)
{
    ht_engine_t *engine;

    setenv("HALFTONE_GPU_FAULT", "start", 1);
    engine = opened("cuda", &small_page);
    CHECK(atoi(ht_engine_device(engine) + strlen("GPU ")) ==
          (int)(getpid() % 3 + 1) % 3);
    ht_engine_close(engine);
}

/* ---- The module ---------------------------------------------------------- */

static bool copy_module(void)
{
    static char bytes[1 << 16];
    FILE *from = fopen(MODULE, "rb"), *to = fdopen(mkstemp(module), "wb");
    bool ok = from != NULL && to != NULL;

    for (size_t got; ok && (got = fread(bytes, 1, sizeof bytes, from)) > 0;)
        ok = fwrite(bytes, 1, got, to) == got;
    if (from != NULL)
        fclose(from);
    return to != NULL && fclose(to) == 0 && ok;
}

void tests_begin(void)
{
    if (!copy_module()) {
        perror(module);
        exit(1);
    }
    unsetenv("HALFTONE_GPU_FAULT");
    setenv("HALFTONE_FAKE_START", "100", 1);
    setenv("HALFTONE_GPU_LOAD", NO_LOAD, 1);
}

void tests_end(void)
{
    unlink(module);
}
