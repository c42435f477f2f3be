/*
 * writer.c - raster through the writers of page/pack/.
 *
 *   input   a byte: which language (modulo their count), after how many KiB its
 *           printer breaks (the quotient, 0 = never); raster as raster_of()
 *           takes it
 *   holds   false with one ERROR line, or true and none; false and nothing more
 *           written when the printer breaks; what others get is a whole job: it
 *           ends as one of the language does
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/pack/packing.h"
#include "page/pack/writer.h"
#include "page/message.h"
#include "page/owner.h"
#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"

#define TAIL 8u

/* A printer that remembers how its job ends, and an owner that counts. */
struct fuzz_job {
    struct sink sink; /* the first members of each */
    size_t size, end;
    char tail[TAIL]; /* the last bytes, behind zeros */
};

struct counter {
    struct owner owner;
    unsigned errors;
};

static bool take(struct sink *sink, const void *data, size_t bytes)
{
    struct fuzz_job *job = (struct fuzz_job *)sink;
    const size_t last = bytes < TAIL ? bytes : TAIL;

    if (job->size > job->end)
        run_fail("written behind the end");
    memmove(job->tail, job->tail + last, TAIL - last);
    memcpy(job->tail + TAIL - last, (const char *)data + bytes - last, last);
    job->size += bytes;
    return job->size <= job->end;
}

static void hear(struct owner *owner, const char *prefix, const char *text)
{
    struct counter *counter = (struct counter *)owner;

    (void)text;
    counter->errors += strcmp(prefix, "ERROR") == 0;
}

static void check(const struct fuzz_job *job, bool ok, unsigned errors,
                  const char *ending)
{
    const size_t size = strlen(ending);

    if (job->sink.broken) {
        if (ok || errors > 1) /* one of before it broke */
            run_fail("a broken printer: %d, %u ERROR lines", ok, errors);
        return;
    }
    if (errors != !ok)
        run_fail("%d, with %u ERROR lines", ok, errors);
    if (job->size > 0 && memcmp(job->tail + TAIL - size, ending, size) != 0)
        run_fail("the job does not end");
    if (ok && job->size == 0)
        run_fail("nothing was written");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t count = 0;
    struct fuzz_job job = {.sink = {.write = take}, .end = SIZE_MAX / 2};
    struct counter counter = {
        .owner = {.hear = hear, .error_said = ATOMIC_FLAG_INIT}};
    struct stream in = {.raster = NULL};
    const uint8_t *raster;

    if (size == 0)
        return 0;
    do
        count++;
    while (language_at(count) != NULL);
    const struct language *language = language_at(data[0] % count);
    const size_t end = data[0] / count;
    if (end > 0)
        job.end = 1024 * end;
    const size_t bytes = raster_of(&raster, data + 1, size - 1);
    const int fd = run_file(raster, bytes);

    owner_set(&counter.owner);
    message_begin();
    if (stream_open_input(&in, fd)) {
        const bool ok = language_write(language, &in, &job.sink);

        check(&job, ok, counter.errors, language->ending);
    }
    stream_close(&in);
    owner_set(NULL);
    close(fd);
    return 0;
}
