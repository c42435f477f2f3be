/*
 * packer.c - raster through rastertopcl3 and the packers for Gutenprint.
 *
 *   input   a byte for the packer, a PPD up to a NUL, and raster as raster_of()
 *           takes it
 *   holds   one ERROR line if it fails, and none if not; the same from a pipe
 *           as from a file; a printer of PCL that got anything is reset in the
 *           end, and Gutenprint's filter gets whole pages
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/outlet.h"
#include "page/message.h"
#include "page/owner.h"
#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"

#define MOST_SAMPLES (1u << 14) /* of a run */
#define MARGINS 100             /* more than pages */

enum { PCL, FILTER, LIBRARY };
run_main pack_main, halftonetogutenprint_main, halftonetorawgutenprint_main;
static run_main *const packers[] = {pack_main, halftonetogutenprint_main,
                                    halftonetorawgutenprint_main};

/* The linker puts these in the places of outlet_open() and outlet_close():
 * Gutenprint's filter says where pages lie. */
bool __wrap_outlet_open(struct packer *packer);
bool __wrap_outlet_close(struct packer *packer, bool all);

bool __wrap_outlet_open(struct packer *packer)
{
    packer->program.process = INT_MAX; /* there is none */
    for (int i = 0; i < MARGINS; i++)
        message("DEBUG", "Gutenprint:   top margin 7,5");
    return true;
}

bool __wrap_outlet_close(struct packer *packer, bool all)
{
    (void)packer;
    if (!all)
        message("ERROR", "The filter ended before the raster did");
    return all;
}

/* Is signal() to the packers: faults of libgutenprint are not hidden. */
sighandler_t signal(int number, sighandler_t handler)
{
    return number == 0 ? handler : SIG_DFL;
}

static void pack(struct run *run, unsigned packer, const uint8_t *raster,
                 size_t size, enum run_input way)
{
    char *argv[] = {"packer", "1", "user", "title", "1", "", NULL};

    raster_begin(MOST_SAMPLES);
    run_program(run, packers[packer], argv, raster, size, way);
    run_check_messages(run, run->status != 0);
    if (packer == FILTER && run->status == 0 && !run->full)
        raster_whole_pages(run->out, run->size);
    if (packer == PCL && !run->full && run->size > 0 &&
        (run->size < 2 || memcmp(run->out + run->size - 2, "\033E", 2) != 0))
        run_fail("the printer is not reset");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *end = size < 1 ? NULL : memchr(data + 1, '\0', size - 1);
    const uint8_t *raster;
    struct run file, pipe;

    if (end == NULL)
        return 0;
    const int ppd = run_file(data + 1, (size_t)(end - data) - 1);
    const size_t bytes =
        raster_of(&raster, end + 1, (size_t)(data + size - end) - 1);

    setenv("PPD", run_path(ppd), 1);
    pack(&file, data[0] % 3, raster, bytes, RUN_FILE);
    if (!file.full && size % 4 == 0) {
        pack(&pipe, data[0] % 3, raster, bytes, RUN_PIPE);
        run_check_same(&file, &pipe, "from a pipe");
        run_free(&pipe);
    }
    run_free(&file);
    close(ppd);
    return 0;
}
