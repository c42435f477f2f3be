/*
 * pcl3.c - raster through the packer rastertopcl3.
 *
 *   input   raster as raster_of() takes it
 *   holds   one ERROR line if it fails, and none if not; the same from a pipe
 *           as from a file; a printer that got anything is reset in the end
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"

static void pack(struct run *run, const uint8_t *raster, size_t size,
                 enum run_input way)
{
    char *argv[] = {"rastertopcl3", "1", "user", "title", "1", "", NULL};

    run_program(run, program_main, argv, raster, size, way);
    run_check_messages(run, run->status != 0);
    if (!run->full && run->size > 0 &&
        (run->size < 2 || memcmp(run->out + run->size - 2, "\033E", 2) != 0))
        run_fail("the printer is not reset");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *raster;
    struct run file, pipe;
    size_t bytes = raster_of(&raster, data, size);

    pack(&file, raster, bytes, RUN_FILE);
    if (!file.full && size % 4 == 0) {
        pack(&pipe, raster, bytes, RUN_PIPE);
        run_check_same(&file, &pipe, "from a pipe");
        run_free(&pipe);
    }
    run_free(&file);
    return 0;
}
