/*
 * chart.c - scans of charts.
 *
 *   input   bytes that describe the chart and its scanner, and a JPEG, PNM or
 *           PNG, whose checks need not be right; or, behind an odd byte, boxes
 *           upon a scan that is drawn, of 5 bytes each
 *   holds   what is refused has a reason; what is read makes a curve that is
 *           one, or none for a reason
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/calibrate/chart_rows.h"
#include "tools/calibrate/fit.h"
#include "tools/chart_scan.h"
#include "tools/scan_jpeg.h"
#include "test/fuzz/png.h"
#include "test/fuzz/run.h"

#define FIELDS 7 /* bytes of the chart, the scanner and an eye */
#define BOX 5    /* left, top, width, height, value */
#define PRINT_DPI 600u

static bool read_file(struct image *image, const uint8_t *data, size_t size,
                      char error[IMAGE_ERROR_BYTES])
{
    uint8_t *bytes = malloc(size + 1);
    struct image_file in;

    memcpy(bytes, data, size);
    png_mend(bytes, size);
    const int fd = run_file(bytes, size);
    const bool ok =
        image_open(&in, run_path(fd), error) &&
        (scan_jpeg_is(in.file) ? scan_jpeg_read(image, in.file, error)
                               : image_next(image, &in, error) == IMAGE_READ);

    image_close(&in);
    close(fd);
    free(bytes);
    return ok;
}

/* Draws a scan by a scanner of a gamma, then the boxes. */
static void draw(struct image *image, const struct chart *chart,
                 const uint8_t *of, size_t size)
{
    const uint32_t parts = 3 + of[4] % 3, dpi = PRINT_DPI / parts;
    const uint32_t width = (uint32_t)(chart->width * dpi / 72);
    const struct chart_pixels sheet = {width * parts, PRINT_DPI, dpi, 4};
    uint8_t *row = malloc((size_t)sheet.width * 4), *to;

    *image = (struct image){.width = width,
                            .height = (uint32_t)(chart->height * dpi / 72),
                            .channels = 3,
                            .bits = 8};
    image->samples = to = malloc((size_t)width * image->height * 3);
    for (uint32_t y = 0; y < image->height; y++) {
        chart_row(chart, &sheet, y, row);
        for (uint32_t i = 0; i < width * 3; i++) {
            const uint8_t *in = row + (size_t)i / 3 * parts * 4;
            double light = 0;

            for (uint32_t x = 0; x < parts; x++, in += 4)
                light += (255 - in[i % 3]) * (255 - in[3]) / 65025.0 / parts;
            *to++ = (uint8_t)(255 * pow(0.03 + 0.85 * light,
                                        1 / (1 + of[5] % 16 / 10.0)));
        }
    }
    free(row);
    for (size_t at = FIELDS; at + BOX <= size; at += BOX) {
        const uint32_t left = width * of[at] / 256, wide = of[at + 2];
        uint32_t y = image->height * of[at + 1] / 256;

        for (uint32_t n = of[at + 3]; n > 0 && y < image->height; n--, y++)
            memset((uint8_t *)image->samples + 3 * ((size_t)y * width + left),
                   of[at + 4], 3 * (left + wide < width ? wide : width - left));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const inks[] = {"K", "KCMY", "MY", "CK"};
    static const char *const gammas[] = {NULL,     "sRGB", "2.2", "1.8",
                                         "linear", "L*",   "1.4", "2"};
    struct image image = {0};
    struct refusal refusal = {.why = ""};
    struct readings readings;
    struct curve curve;
    struct fit fit;
    char text[FIT_TEXT_BYTES];
    unsigned line;

    if (size < FIELDS)
        return 0;
    struct scan scan = {.image = &image,
                        .chart = {.width = 250 + data[1] / 2.0,
                                  .height = 250 + data[2] / 2.0,
                                  .inks = inks[data[0] >> 1 & 3],
                                  .steps = CHART_LEAST_STEPS + data[3] % 9u},
                        .match = data[6] / 255.0};
    const char *gamma = gammas[data[0] >> 3 & 7];

    if (!chart_check(&scan.chart, &refusal) ||
        (gamma != NULL && !scan_gamma_read(&scan.gamma, gamma)))
        return 0;
    if (data[0] & 1)
        draw(&image, &scan.chart, data, size);
    if (((data[0] & 1) ||
         read_file(&image, data + FIELDS, size - FIELDS, refusal.why)) &&
        scan_read(&readings, &scan, &refusal) &&
        fit_readings(&fit, &readings, &refusal)) {
        const size_t bytes = fit_write(&fit, FIT_GAIN, NULL, NULL, text);

        if (!curve_parse(&curve, text, bytes, &line))
            run_fail("line %u of the curve is not valid: %s", line, text);
    } else if (refusal.why[0] == '\0') {
        run_fail("refused without a reason");
    }
    image_free(&image);
    return 0;
}
