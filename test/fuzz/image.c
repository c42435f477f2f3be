/*
 * image.c - PNM and PNG through tools/halftone.
 *
 *   input   two bytes for the method and the form of the output, then an image
 *           the checks of a PNG need not be right
 *   holds   what is read is printed; the PNG or PBM that is written, read with
 *           Threshold, gives itself
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test/fuzz/png.h"
#include "test/fuzz/run.h"
#include "halftone/halftone.h"

#define MOST_FILE (1u << 22) /* bytes, of an image that is written */

static void halftone(struct run *run, const char *method, char *out,
                     const uint8_t *data, size_t size)
{
    char option[64];
    char *argv[] = {"halftone", option, "--threads=1", RUN_INPUT, out, NULL};

    snprintf(option, sizeof option, "--method=%s", method);
    run_program(run, program_main, argv, data, size, RUN_FILE);
    if (run->status == 0
            ? run->said[0] != '\0'
            : strchr(run->said, '\n') != run->said + strlen(run->said) - 1)
        run_fail("status %d: %s", run->status, run->said);
}

/* A file's bytes, to be freed, and their number. */
static uint8_t *bytes_of(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MOST_FILE);

    if (file == NULL || bytes == NULL)
        run_fail("%s was not written", path);
    *size = fread(bytes, 1, MOST_FILE, file);
    fclose(file);
    return bytes;
}

static void check_dots(const uint8_t *dots, size_t size, char *out)
{
    struct run again;

    halftone(&again, "threshold", out, dots, size);
    if (again.status != 0)
        run_fail("what was written cannot be read: %s", again.said);
    if (strcmp(out, "-") == 0) {
        if (!again.full &&
            (size != again.size || memcmp(dots, again.out, size) != 0))
            run_fail("other dots in PBM");
    } else {
        size_t other;
        uint8_t *bytes = bytes_of(out, &other);

        if (size != other || memcmp(dots, bytes, size) != 0)
            run_fail("other dots in PNG");
        free(bytes);
    }
    run_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char png[128], standard[] = "-";
    struct run run;

    if (size < 2)
        return 0;
    snprintf(png, sizeof png, "%s/out.png", run_folder());
    char *out = data[1] & 1 ? standard : png;
    const char *method = ht_method_info(data[0] % HT_METHODS)->name;

    uint8_t *image = malloc(size);

    if (image == NULL)
        return 0;
    memcpy(image, data + 2, size - 2);
    png_mend(image, size - 2);
    halftone(&run, method, out, image, size - 2);
    free(image);
    if (run.status == 0 && out == png) {
        size_t bytes;
        uint8_t *file = bytes_of(png, &bytes);

        if (bytes < MOST_FILE)
            check_dots(file, bytes, png);
        free(file);
    } else if (run.status == 0 && !run.full) {
        check_dots(run.out, run.size, standard);
    }
    unlink(png);
    run_free(&run);
    return 0;
}
