/*
 * pack_dots.c - writes a raster of dots in a printer's language,
 * page/pack/writer.h, for tests.
 *
 *   pack-dots [--break BYTES | --cancel BYTES | --threads N] LANGUAGE RASTER
 *   pack-dots --list
 *
 * With --break the printer takes nothing more after so many bytes: the exit
 * status is then 3, and it is wrong if anything is written behind. With
 * --cancel the work is canceled then. With --threads so many jobs run at the
 * same time, and must come out the same.
 *
 * The list has a line for each language: its name, the inks of its pages, a
 * resolution, the points from a sheet's left and upper edges where its rows
 * begin, the most dots of a row, and the bits of a dot.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/pack/packing.h"
#include "page/pack/writer.h"
#include "page/message.h"
#include "page/owner.h"

#define MOST_THREADS 64

/* A job in memory. */
struct memory_job {
    struct sink sink; /* the first member */
    struct owner owner;
    const struct language *language;
    const char *raster;
    char *bytes;
    size_t size, end, cancel;
    bool broke, ok;
};

static bool keep(struct sink *sink, const void *data, size_t bytes)
{
    struct memory_job *job = (struct memory_job *)sink;

    if (job->broke) {
        fputs("written behind the end\n", stderr);
        abort();
    }
    job->broke = bytes > job->end - job->size;
    if (job->broke)
        bytes = job->end - job->size;
    job->bytes = realloc(job->bytes, job->size + bytes + 1);
    if (job->bytes == NULL)
        abort();
    memcpy(job->bytes + job->size, data, bytes);
    job->size += bytes;
    return !job->broke;
}

static bool is_canceled(struct owner *owner)
{
    const struct memory_job *job =
        (struct memory_job *)((char *)owner -
                              offsetof(struct memory_job, owner));

    return job->size >= job->cancel;
}

static void *run(void *context)
{
    struct memory_job *job = context;
    struct stream in = {.raster = NULL};
    const int fd = open(job->raster, O_RDONLY | O_CLOEXEC);

    owner_set(&job->owner);
    message_begin();
    job->sink = (struct sink){.write = keep};
    if (stream_open_input(&in, fd))
        job->ok = language_write(job->language, &in, &job->sink);
    stream_close(&in);
    close(fd);
    owner_set(NULL);
    return NULL;
}

/* Runs the jobs side by side; false unless all do the same. */
static bool run_all(struct memory_job *jobs, unsigned count)
{
    pthread_t threads[MOST_THREADS];
    bool same = true;

    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&threads[i], NULL, run, &jobs[i]) != 0)
            abort();
    for (unsigned i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        same = same && jobs[i].ok == jobs[0].ok &&
               jobs[i].size == jobs[0].size &&
               memcmp(jobs[i].bytes, jobs[0].bytes, jobs[0].size) == 0;
    }
    return same;
}

/* A resolution that the language has: 300 dpi, or the middle one of its own. */
static unsigned dpi_of(const struct accepted *accepted)
{
    unsigned count = 0;

    while (count < 8 && accepted->dpi[count] > 0)
        if (accepted->dpi[count++] == 300)
            return 300;
    return count == 0 ? 300 : accepted->dpi[count / 2];
}

static void list_languages(void)
{
    const struct language *language;

    for (size_t i = 0; (language = language_at(i)) != NULL; i++) {
        const struct accepted *accepted = &language->accepted;

        printf("%s K%s%s %u %g %g %u %d\n", language->name,
               accepted->no_black ? ",CMY" : "", accepted->color ? ",KCMY" : "",
               dpi_of(accepted), language->left, language->top,
               packing_widest(accepted), accepted->sizes ? 2 : 1);
    }
}

int main(int argc, char **argv)
{
    static struct memory_job jobs[MOST_THREADS];
    const struct language *language =
        argc > 2 ? language_named(argv[argc - 2]) : NULL;
    size_t end = SIZE_MAX, cancel = SIZE_MAX;
    unsigned count = 1;

    if (argc == 5 && strcmp(argv[1], "--break") == 0)
        end = strtoul(argv[2], NULL, 10);
    else if (argc == 5 && strcmp(argv[1], "--cancel") == 0)
        cancel = strtoul(argv[2], NULL, 10);
    else if (argc == 5 && strcmp(argv[1], "--threads") == 0)
        count = (unsigned)atoi(argv[2]);
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_languages();
        return 0;
    }
    if (language == NULL || count < 1 || count > MOST_THREADS)
        return 2;
    for (unsigned i = 0; i < count; i++) {
        jobs[i].language = language;
        jobs[i].raster = argv[argc - 1];
        jobs[i].end = end;
        jobs[i].cancel = cancel;
        jobs[i].bytes = calloc(1, 1);
        jobs[i].owner = (struct owner){.is_canceled = is_canceled,
                                       .error_said = ATOMIC_FLAG_INIT};
    }
    if (!run_all(jobs, count)) {
        fputs("jobs differ\n", stderr);
        return 4;
    }
    const bool ok = jobs[0].ok;
    if (jobs[0].broke != jobs[0].sink.broken || (jobs[0].broke && ok)) {
        fputs("a broken sink went well\n", stderr);
        return 4;
    }
    fwrite(jobs[0].bytes, 1, jobs[0].size, stdout);
    for (unsigned i = 0; i < count; i++)
        free(jobs[i].bytes);
    return fflush(stdout) != 0 || !ok ? jobs[0].broke ? 3 : 1 : 0;
}
