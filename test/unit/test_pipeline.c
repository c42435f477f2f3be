/*
 * test_pipeline.c - the filter's three stages with an engine that fails and
 * dawdles on demand, and what they do when the ends of the pipeline do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "page/queue.h"
#include "filter/signals.h"
#include "test/cases.h"
#include "test/unit/pipeline_page.h"

TEST(every_row_leaves_in_order)
{
    static const uint32_t heights[] = {1, 3, 4, 5, 100, 333};
    static const uint32_t bands[] = {1, 2, 7, 64, 1000};

    for (size_t h = 0; h < 6; h++)
        for (size_t b = 0; b < 5; b++) {
            struct pipeline_page page;

            case_is("%u rows, bands of %u", heights[h], bands[b]);
            open_page(&page, heights[h], heights[h], bands[b],
                      temporary_file());
            run_page(&page);
            assert_int_equal(page.outcome.read, heights[h]);
            assert_int_equal(page.outcome.status, HT_OK);
            assert_int_equal(page.output.lines, heights[h]);
            check_page(&page, heights[h]);
            close_page(&page);
        }
}

/* As long as there is no room for more ink. */
TEST(the_reader_helps_a_slow_engine)
{
    struct pipeline_page page;

    open_page(&page, 1000, 1000, 10, temporary_file());
    page.engine.dawdles = 1000;
    run_page(&page);
    check_page(&page, 1000);
    assert_between(page.engine.guest, 50, 99);
    close_page(&page);
}

TEST(an_accelerator_is_kept_busy)
{
    struct pipeline_page page;

    open_page(&page, 2000, 2000, 10, temporary_file());
    page.engine.room = 400;
    page.engine.lag = 200;
    run_page(&page);
    assert_int_equal(page.output.lines, 2000);
    check_page(&page, 2000);
    assert_between(page.engine.most, 200, 400);
    close_page(&page);
}

/* The page stays in the accelerator until the writer begins. */
TEST(an_accelerator_takes_a_page_that_cannot_leave_yet)
{
    struct pipeline_page page;

    open_page(&page, 1000, 1000, 10, temporary_file());
    page.engine.room = 1004;
    pipeline_start(page.pipeline, &page.engine);
    assert_true(pipeline_read(page.pipeline, &page.lines, &page.engine));
    pipeline_write(page.pipeline, &page.output);
    page.outcome = pipeline_finish(page.pipeline);
    assert_int_equal(page.output.lines, 1000);
    check_page(&page, 1000);
    close_page(&page);
}

/* Input that goes on when the dots of what came have left. */
struct late_writer {
    int to;
    const char *data;
    size_t bytes;
    int dots;
    bool dots_came;
};

static void *write_late(void *context)
{
    struct late_writer *late = context;

    for (int i = 0; i < 60000 && !late->dots_came; i++) {
        usleep(10000);
        late->dots_came =
            lseek(late->dots, 0, SEEK_END) >= (off_t)(4 + 1796 + 88 * DOTS);
    }
    if (write(late->to, late->data, late->bytes) != (ssize_t)late->bytes)
        late->dots_came = false;
    return NULL;
}

/* A printer gets what it can have before more ink comes. */
TEST(dots_leave_while_the_input_pauses)
{
    struct pipeline_page page;
    int ends[2], whole;
    pthread_t writer;
    static char raster[4 + 1796 + 100 * LINE];

    open_page(&page, 100, 100, 4, temporary_file());
    page.engine.room = 104;
    whole = page.in.fd;
    assert_int_equal(lseek(whole, 0, SEEK_SET), 0);
    assert_int_equal(read(whole, raster, sizeof raster), sizeof raster);
    stream_close(&page.in);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], raster, sizeof raster - 10 * LINE),
                     sizeof raster - 10 * LINE);
    assert_true(stream_open_input(&page.in, ends[0]));
    assert_int_equal(stream_read_header(&page.in, &page.header), STREAM_PAGE);
    assert_int_equal(pthread_create(&writer, NULL, write_page, &page), 0);
    struct late_writer late = {.to = ends[1],
                               .data = raster + sizeof raster - 10 * LINE,
                               .bytes = 10 * LINE,
                               .dots = page.out.fd};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, write_late, &late), 0);
    assert_true(pipeline_read(page.pipeline, &page.lines, &page.engine));
    pthread_join(thread, NULL);
    pthread_join(writer, NULL);
    assert_true(late.dots_came);
    check_page(&page, 100);
    close(whole);
    close(ends[1]);
    close_page(&page);
}

TEST(a_slow_engine_holds_the_reader_back)
{
    struct pipeline_page page;

    open_page(&page, 200, 200, 4, temporary_file());
    page.engine.dawdles = 1000;
    run_page(&page);
    assert_between(page.engine.most_ahead, 4, QUEUE_BANDS * 4);
    assert_int_equal(page.output.lines, 200);
    check_page(&page, 200);
    close_page(&page);
}

#define SLOW_BYTES 50 /* at once */

struct slow_reader {
    int from, to;
    size_t most_ahead; /* lines that were read and have not come out here */
};

static void *read_slowly(void *context)
{
    struct slow_reader *reader = context;
    char data[SLOW_BYTES];
    size_t bytes = 0;
    ssize_t got;

    while ((got = read(reader->from, data, sizeof data)) > 0) {
        usleep(100);
        bytes += (size_t)got;
        if (bytes >= 4 + 1796)
            note_ahead(&reader->most_ahead, (bytes - 4 - 1796) / DOTS);
        if (write(reader->to, data, (size_t)got) != got)
            break;
    }
    return NULL;
}

TEST(a_slow_printer_holds_all_back)
{
    struct slow_reader reader = {.to = temporary_file()};
    pthread_t thread;
    struct pipeline_page page;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    reader.from = ends[0];
    size_t pipe_bytes = (size_t)fcntl(ends[1], F_SETPIPE_SZ, 4096);
    assert_between(pipe_bytes, 4096, 500 * DOTS);
    assert_int_equal(pthread_create(&thread, NULL, read_slowly, &reader), 0);
    open_page(&page, 1000, 1000, 4, ends[1]);
    page.engine.host_room = 12;
    run_page(&page);
    close(ends[1]);
    pthread_join(thread, NULL);
    /* Rows in both queues, in the engine and in the pipe, and the last bytes.
     */
    assert_between(reader.most_ahead, 4,
                   2 * QUEUE_BANDS * 4 + page.engine.host_room +
                       (pipe_bytes + SLOW_BYTES) / DOTS + 1);
    page.out.fd = reader.to;
    assert_int_equal(page.output.lines, 1000);
    check_page(&page, 1000);
    close_page(&page);
    close(ends[0]);
}

TEST(what_was_halftoned_leaves_when_the_engine_fails)
{
    /* Eleven submits, each of which makes rows to collect. */
    for (size_t calls = 0; calls < 11; calls++)
        for (int way = 0; way < 3; way++) {
            struct pipeline_page page;

            case_is("%s fails after %zu calls",
                    (const char *[]){"submit", "collect", "end"}[way], calls);
            open_page(&page, 101, 101, 10, temporary_file());
            if (way == 0)
                page.engine.submits = calls;
            else if (way == 1)
                page.engine.collects = calls;
            page.engine.fails_to_end = way == 2;
            run_page(&page);
            assert_int_equal(page.outcome.status, HT_ERR_DEVICE);
            assert_int_equal(page.output.lines, page.engine.collected);
            assert_true(output_rest(&page.output));
            check_page(&page, page.engine.collected);
            close_page(&page);
        }
}

TEST(a_broken_output_stops_the_other_stages)
{
    struct pipeline_page page;

    open_page(&page, 100000, 100000, 10, open("/dev/full", O_WRONLY));
    page.engine.host_room = 20; /* or it may take 2000 first */
    run_page(&page);
    assert_true(page.out.broken);
    assert_int_equal(page.out.error, ENOSPC);
    assert_int_equal(page.output.lines, 0);
    /* A few bands were on their way. */
    assert_between(page.outcome.read, 0, 199);
    close_page(&page);
}

TEST(rows_before_the_end_of_the_input_leave)
{
    for (size_t lines = 0; lines < 60; lines += 7) {
        struct pipeline_page page;

        case_is("%zu of 60 lines", lines);
        open_page(&page, 60, lines, 16, temporary_file());
        run_page(&page);
        assert_int_equal(page.outcome.read, lines);
        assert_int_equal(page.outcome.status, HT_OK);
        assert_int_equal(page.output.lines, lines);
        assert_true(output_rest(&page.output));
        check_page(&page, lines);
        close_page(&page);
    }
}

/* Reads `lines` lines of a page of 60 and returns the engine's ink, [60][LINE];
 * free() it. */
static uint8_t *ink_of_page(size_t lines, uint32_t band, uint32_t sharpness)
{
    struct pipeline_page page;
    uint8_t *ink;

    open_page(&page, 60, lines, band, temporary_file());
    pipeline_close(page.pipeline);
    page.ink.sharpness = sharpness;
    page.pipeline = pipeline_open(&page.layout, &page.ink, band);
    assert_non_null(page.pipeline);
    run_page(&page);
    assert_int_equal(page.outcome.read, lines);
    assert_int_equal(page.output.lines, lines);
    ink = page.engine.ink;
    page.engine.ink = NULL;
    close_page(&page);
    return ink;
}

/* Rows that did not come count as outside the page. */
TEST(rows_are_sharpened_whatever_the_bands)
{
    static const size_t counts[] = {0, 1, 2, 3, 31, 59, 60};
    static const uint32_t bands[] = {1, 2, 3, 16, 59, 60, 100};

    for (size_t i = 0; i < 7; i++)
        for (size_t b = 0; b < 7; b++) {
            size_t lines = counts[i];

            case_is("%zu of 60 lines, bands of %u", lines, bands[b]);
            uint8_t *plain = ink_of_page(lines, bands[b], 0);
            uint8_t *sharp = ink_of_page(lines, bands[b], 2);
            for (size_t y = 0; y < lines; y++)
                for (size_t k = 0; k < 4; k++) {
                    const uint8_t *row = plain + y * LINE + k * WIDTH;
                    uint8_t wanted[WIDTH];

                    ht_sharpen(y > 0 ? row - LINE : NULL, row,
                               y + 1 < lines ? row + LINE : NULL, 8, WIDTH, 2,
                               wanted);
                    assert_memory_equal(sharp + y * LINE + k * WIDTH, wanted,
                                        WIDTH);
                }
            if (lines > 0)
                assert_memory_not_equal(plain, sharp, lines * LINE);
            free(plain);
            free(sharp);
        }
}

/* Reads a socket whose other end was closed with bytes unread. */
TEST(an_input_that_fails_is_no_end)
{
    static char raster[4 + 1796 + 10 * LINE];
    unsigned char lines[10 * LINE];
    cups_page_header2_t header;
    struct pipeline_page page;
    int ends[2];

    open_page(&page, 10, 10, 16, temporary_file());
    assert_int_equal(pread(page.in.fd, raster, sizeof raster, 0),
                     sizeof raster);
    stream_close(&page.in);
    close(page.in.fd);
    for (int fails = 0; fails < 2; fails++) {
        case_is("an input that %s", fails ? "fails" : "ends");
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        assert_int_equal(write(ends[0], "unread", fails), fails);
        assert_int_equal(write(ends[1], raster, sizeof raster), sizeof raster);
        close(ends[1]);
        assert_true(stream_open_input(&page.in, ends[0]));
        assert_int_equal(stream_read_header(&page.in, &header), STREAM_PAGE);
        assert_int_equal(stream_read_lines(&page.in, lines, 10, LINE), 10);
        assert_int_equal(stream_read_header(&page.in, &header),
                         fails ? STREAM_DAMAGED : STREAM_END);
        stream_close(&page.in);
        close(ends[0]);
    }
    page.in.fd = -1;
    close_page(&page);
}

/* A machine may be out of them. */
static atomic_size_t threads = NEVER; /* that can be started */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *context)
{
    if (threads == 0)
        return EAGAIN;
    threads--;
    return __real_pthread_create(thread, attributes, start, context);
}

TEST(a_thread_that_cannot_start_leaves_bare_paper)
{
    struct pipeline_page page;

    open_page(&page, 60, 60, 16, temporary_file());
    threads = 1; /* the page's, not the halftoner's */
    run_page(&page);
    threads = NEVER;
    assert_int_equal(page.outcome.no_thread, EAGAIN);
    assert_int_equal(page.output.lines, 0);
    assert_true(output_rest(&page.output));
    check_page(&page, 0);
    close_page(&page);
}

TEST(only_the_reader_takes_signals)
{
    struct pipeline_page page;

    open_page(&page, 10, 10, 16, temporary_file());
    page.engine.takes_signals = true;
    run_page(&page);
    assert_false(page.engine.takes_signals);
    close_page(&page);
}

void tests_begin(void)
{
    signals_catch();
    signals_keep();
    owner_set(signals_owner());
}
