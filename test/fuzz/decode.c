/*
 * decode.c - jobs through the readers of test/readers/.
 *
 *   input   a byte for the language, one for inks, then a job; its pages are
 *           listed, and once more painted
 *   holds   nothing: what a reader does not expect ends it with a line
 *
 * A reader's main() has the name of its file here, and exit() comes back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

/* Here these are the real ones. */
#undef calloc
#undef free

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/fuzz/run.h"
#include "test/readers/printed.h"

#define WIDTH 200u /* dots of a page, more than any reader's first row */
#define HEIGHT 60u
#define MOST 4096u /* bytes of a job */

#define LANGUAGES(X)                                                           \
    X(brlaser)                                                                 \
    X(dymo) X(escp) X(label) X(pcl) X(pcl5) X(ptouch) X(qpdl) X(sag) X(tspl)
#define DECLARE(name) int decode_##name##_main(int argc, char **argv);
LANGUAGES(DECLARE)
#define NAME(name) decode_##name##_main,
static run_main *const readers[] = {LANGUAGES(NAME)};

/* These take the places of exit(), calloc() and free(). */
_Noreturn void decode_exit(int status);
void *decode_calloc(size_t count, size_t size);
void decode_free(void *memory);

static struct {
    const uint8_t *data;
    size_t size;
    struct printed paper;
} job;
static jmp_buf back;
static void *held; /* what a reader has not freed; it has one thing at most */

void *decode_calloc(size_t count, size_t size)
{
    if (held != NULL)
        run_fail("a reader has two things in memory");
    held = calloc(count, size);
    return held;
}

void decode_free(void *memory)
{
    free(memory);
    held = NULL;
}

void decode_exit(int status)
{
    (void)status;
    longjmp(back, 1);
}

/* Takes the place of read_job(), which reads files. */
int decode_job(int argc, char **argv,
               void (*read)(struct job_bytes *in, struct printed *page));
int decode_job(int argc, char **argv,
               void (*read)(struct job_bytes *in, struct printed *page))
{
    struct job_bytes in = {.data = (unsigned char *)job.data, .size = job.size};

    (void)argc, (void)argv;
    read(&in, &job.paper);
    return 0;
}

static void decode(uint8_t language, const char *inks, bool painted)
{
    static unsigned char planes[4][(WIDTH + 3) / 4 * HEIGHT];
    char *argv[] = {"decode", "--pages", "job", NULL};

    job.paper = (struct printed){.inks = inks};
    memset(planes, 0, sizeof planes);
    for (size_t ink = 0; painted && ink < 4; ink++)
        job.paper.plane[ink] = planes[ink];
    if (painted) {
        job.paper.width = WIDTH;
        job.paper.height = HEIGHT;
    }
    if (setjmp(back) == 0)
        readers[language % (sizeof readers / sizeof readers[0])](3, argv);
    decode_free(held);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    FILE *const out = stdout, *const error = stderr;

    if (size < 2 || size > MOST)
        return 0;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    if (nowhere == NULL)
        run_fail("fuzz: cannot open /dev/null");
    /* A copy of its own size: what is read behind its end is found. */
    uint8_t *copy = malloc(size - 2);
    if (copy == NULL)
        return 0;
    memcpy(copy, data + 2, size - 2);
    job.data = copy;
    job.size = size - 2;
    stdout = stderr = nowhere;
    decode(data[0], data[1] & 1 ? "CMYK" : "K", false);
    decode(data[0], data[1] & 1 ? "CMYK" : "K", true);
    stdout = out;
    stderr = error;
    free(copy);
    return 0;
}
