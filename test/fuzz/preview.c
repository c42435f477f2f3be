/*
 * preview.c - raster through tools/raster-preview or tools/ink-report.
 *
 *   input   a byte for options, then raster as raster_of() takes it
 *   holds   a page that is shown has a line; what is wrong has one, too; the
 *           same from a pipe as from a file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"

#define MOST_SAMPLES (1u << 15) /* of a run */

static void show(struct run *run, uint8_t choice, const uint8_t *raster,
                 size_t size, enum run_input way)
{
#ifdef FUZZ_REPORT
    char window[] = "--window=0.5", json[] = "--json";
    char *argv[] = {"ink-report", RUN_INPUT, choice & 1 ? json : window, NULL};
#else
    char scale[] = "--scale=1", paper[] = "--paper", prefix[128];
    char *argv[] = {"raster-preview",
                    choice & 128 ? paper : scale,
                    scale,
                    RUN_INPUT,
                    prefix,
                    NULL};

    scale[8] = (char)('1' + choice % 9);
    snprintf(prefix, sizeof prefix, "%s/page", run_folder());
    if (choice & 64)
        strcpy(prefix, "-");
#endif
    raster_begin(MOST_SAMPLES);
    run_program(run, program_main, argv, raster, size, way);
    if ((run->status != 0) != (run->said[0] != '\0'))
        run_fail("status %d: %s", run->status, run->said);
    if (run->status == 0 && !run->full && run->size == 0)
        run_fail("nothing shown, and nothing wrong");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *raster;
    struct run file, pipe;

    if (size < 1)
        return 0;
    size_t bytes = raster_of(&raster, data + 1, size - 1);

    show(&file, data[0], raster, bytes, RUN_FILE);
    if (data[0] & 128) {
        show(&pipe, data[0], raster, bytes, RUN_PIPE);
        run_check_same(&file, &pipe, "from a pipe");
        run_free(&pipe);
    }
    run_free(&file);
    return 0;
}
