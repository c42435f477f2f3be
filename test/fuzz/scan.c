/*
 * scan.c - fuzzes what tells scans among PDFs, and the pictures that are mended
 * when a RIP has drawn them.
 *
 *   input   a PDF; and rows of pixels
 *   holds   with a picture of one pixel no file is a scan; what is mended is no
 *           lighter than it was
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "printer-app/picture/line_art.h"
#include "printer-app/rip/rip_scan.h"
#include "printer-app/rip/rip_thin.h"
#include "test/fuzz/run.h"

static const char one_pixel[] =
    "\n1 0 obj <</Subtype/Image/Width 1/Height 1>>stream\n";

static bool is_scan(const uint8_t *data, size_t size)
{
    const struct rip_sheet sheet = {100, 150};
    const int fd = run_file(data, size);
    const bool is = rip_is_scan(run_path(fd), &sheet);

    close(fd);
    return is;
}

/* Takes the first byte for the width. */
static void mend(const uint8_t *data, size_t size)
{
    const size_t width = 1 + data[0] % 20, height = (size - 1) / width;
    uint8_t *art = malloc(size), *row = malloc(width);
    struct rip_exact exact = {art, width, height, 1};

    if (art != NULL && row != NULL) {
        memcpy(art, data + 1, size - 1);
        line_art_keep(art, width, height, 1);
        for (size_t i = 0; i < width * height; i++)
            if (art[i] > data[1 + i])
                run_fail("pixel %zu is lighter", i);
        for (size_t y = 0; y < height; y++) {
            memset(row, 128, width);
            rip_thin_keep(&exact, y, row);
        }
    }
    free(art);
    free(row);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *more = malloc(size + sizeof one_pixel);

    if (more == NULL)
        return 0;
    if (size > 0)
        memcpy(more, data, size);
    memcpy(more + size, one_pixel, sizeof one_pixel);
    (void)is_scan(data, size);
    if (is_scan(more, size + sizeof one_pixel - 1))
        run_fail("a picture of one pixel is finer than the sheet");
    free(more);
    if (size > 1)
        mend(data, size);
    return 0;
}
