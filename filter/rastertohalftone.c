/*
 * rastertohalftone.c - the CUPS filter: contone raster in, dots out.
 *
 *   rastertohalftone job-id user title copies options [file]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "filter/job.h"
#include "page/message.h"
#include "filter/outlet.h"
#include "page/page.h"
#include "filter/signals.h"

/* Prints all pages of the raster. `*number` counts pages. */
static bool print_raster(const struct job *job, struct pages *pages,
                         cups_page_header2_t *last, unsigned *number)
{
    cups_page_header2_t header;
    bool ok = stream_open_input(pages->in, job->input);

    if (!ok && pages->in->error != 0 && !canceled())
        message("ERROR", "Cannot read the raster: %s",
                strerror(pages->in->error));
    else if (!ok && !canceled())
        message("ERROR", pages->in->came
                             ? "The input is not a CUPS, PWG or Apple raster"
                             : "The input is empty: the filter before failed");
    while (ok && stream_next_page(pages->in, &header, *number, &ok)) {
        ok = page_print(pages, &header, ++*number, false);
        *last = header;
    }
    return ok;
}

/* Prints the raster once more; a copy does not begin on the back of another. */
static bool print_again(const struct job *job, struct pages *pages,
                        cups_page_header2_t *last, unsigned *number)
{
    if (*number % 2 == 1 && last->Duplex &&
        !page_print(pages, last, ++*number, true))
        return false;
    stream_close(pages->in);
    lseek(job->input, 0, SEEK_SET);
    return print_raster(job, pages, last, number);
}

static bool print_job(const struct job *job)
{
    struct stream in;
    struct pages pages;
    cups_page_header2_t last;
    unsigned number = 0;
    bool ok;

    pages_open(&pages, &job->settings, &job->delivery, &in);
    ok = print_raster(job, &pages, &last, &number);
    for (unsigned i = 1; i < job->copies && ok && !canceled(); i++)
        ok = print_again(job, &pages, &last, &number);
    ok = pages_close(&pages) && ok;
    if (canceled())
        message("DEBUG", "rastertohalftone: canceled at page %u", number);
    stream_close(&in);
    return ok || canceled();
}

/* Starts the GPU that a job asks for, while the first page comes in. Otherwise
 * it may be started later; then one is enough, as it does all pages that are on
 * their way as fast as one, and the driver takes longer for each GPU that it
 * sees. */
static void prepare_gpu(const struct job *job)
{
    if (settings_ask_for_gpu(&job->settings))
        ht_engine_prepare(NULL);
    else if (settings_leave_choice(&job->settings))
        setenv("CUDA_VISIBLE_DEVICES", "0", false);
}

/* Prints the job through its packer, which gets one copy where we make them. */
static bool print_packed(const struct job *job, char *const argv[])
{
    struct packer packer;
    const char *copies = job->input == STDIN_FILENO ? argv[4] : "1";
    bool ok = outlet_open(&packer, job->packer, argv, copies);

    if (ok)
        prepare_gpu(job);
    ok = ok && print_job(job);
    return outlet_close(&packer, ok);
}

/* Ends a job that was over before the GPU had started. The GPU's driver may
 * hold the process up, so the output is closed first: the next filter can
 * finish. */
static void leave_gpu(bool ok)
{
    close(STDOUT_FILENO);
    _exit(ok ? 0 : 1);
}

/* Keeps the memory of a page for the next one: to give it back to the system
 * and to get it anew takes as long as to read some megabytes. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD /* glibc */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

/* Refuses a stack with which a call may end the process without a word; threads
 * have one of the same size. */
static bool has_stack(void)
{
    const unsigned needed = 128; /* KiB */
    struct rlimit limit;

    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= (rlim_t)needed
                                                                      << 10)
        return true;
    message("ERROR",
            "A stack of %u KiB is too small: %u are needed (ulimit -s)",
            (unsigned)(limit.rlim_cur >> 10), needed);
    return false;
}

int main(int argc, char *argv[])
{
    static struct job job; /* too large for a small stack */
    bool ok;

    keep_memory();
    signals_catch();
    owner_set(signals_owner());
    message_begin();
    if (!has_stack())
        return 1;
    ok = job_open(&job, argc, argv);
    signals_keep();
    ok = ok && print_packed(&job, argv);
    job_close(&job);
    if (!ht_engine_release())
        leave_gpu(ok);
    return ok ? 0 : 1;
}
