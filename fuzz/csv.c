/*
 * csv.c - measurements through tools/halftone-curve.
 *
 *   input   a CSV
 *   holds   what is written is a curve; what is refused has one line that says
 *           why, and no curve
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "page/curve.h"
#include "fuzz/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *argv[] = {"halftone-curve", RUN_INPUT, NULL};
    struct curve curve;
    struct run run;
    unsigned line;

    run_program(&run, program_main, argv, data, size, RUN_FILE);
    if (run.status == 0 &&
        !curve_parse(&curve, (const char *)run.out, run.size, &line))
        run_fail("line %u of the curve is not valid: %.*s", line, (int)run.size,
                 (const char *)run.out);
    if (run.status != 0 && (run.size > 0 || strchr(run.said, '\n') == NULL))
        run_fail("status %d, and %zu bytes of a curve: %s", run.status,
                 run.size, run.said);
    run_free(&run);
    return 0;
}
