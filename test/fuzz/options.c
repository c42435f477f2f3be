/*
 * options.c - job options with a PPD.
 *
 *   input   a byte for the types of the chain, a job's options up to a NUL, and
 *           a PPD; without a NUL there is none
 *   holds   a job is refused with one ERROR line, or is within its ranges; no
 *           message has a line too much; the same once more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/job.h"
#include "page/message.h"
#include "test/fuzz/run.h"

#define MOST_TEXT 4096

static struct job job;

static void check_job(void)
{
    const struct ink_settings *ink = &job.settings.ink;

    if (ht_method_info(job.settings.method) == NULL ||
        job.settings.method_name == NULL || job.settings.threads > 256 ||
        job.copies < 1 || job.copies > PAGE_MAX_COPIES ||
        job.delivery.back > BACK_FLIPPED)
        run_fail("a job is out of its ranges");
    if (!(ink->gamma >= 0.25 && ink->gamma <= 4) ||
        !(ink->density >= 0.1 && ink->density <= 2) ||
        !(ink->limit >= 1 && ink->limit <= CURVE_INKS) ||
        ink->sharpness > HT_MAX_SHARPNESS)
        run_fail("a job's ink is out of its ranges");
    if (strchr(job.packer, '/') != NULL || job.packer[0] == '.')
        run_fail("a packer is a path: %s", job.packer);
}

/* Does what main() of the filter does before it prints. */
int program_main(int argc, char *argv[])
{
    bool ok;

    message_begin();
    ok = job_open(&job, argc, argv);
    if (ok)
        check_job();
    job_close(&job);
    return ok ? 0 : 1;
}

static void run_options(struct run *run, char *text)
{
    char *argv[] = {"rastertohalftone", "1", "user", "title", "2", text,
                    RUN_INPUT,          NULL};

    run_program(run, program_main, argv, (const uint8_t *)"", 0, RUN_FILE);
    run_check_messages(run, run->status != 0);
}

static void choose_type(uint8_t byte)
{
    static const char *const types[] = {
        "image/pwg-raster", "application/vnd.cups-raster", "printer/fuzz",
        "application/vnd.cups-halftone-raster"};
    unsigned choice = byte % 5;

    if (choice == 4)
        unsetenv("FINAL_CONTENT_TYPE");
    else
        setenv("FINAL_CONTENT_TYPE", types[choice], 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[MOST_TEXT] = "";
    size_t length;
    struct run first, again;
    int ppd = -1;

    if (size < 1)
        return 0;
    choose_type(*data++);
    length = strnlen((const char *)data, --size);
    memcpy(text, data, length < MOST_TEXT ? length : MOST_TEXT - 1);
    setenv("CUPS_DATADIR", "/nonexistent", 1);
    if (length < size) {
        ppd = run_file(data + length + 1, size - length - 1);
        setenv("PPD", run_path(ppd), 1);
    } else {
        unsetenv("PPD");
    }
    run_options(&first, text);
    run_options(&again, text);
    run_check_same(&first, &again, "once more");
    run_free(&first);
    run_free(&again);
    if (ppd >= 0)
        close(ppd);
    return 0;
}
