/*
 * scan_chart.c - a printer and a flatbed scanner: prints the chart with dots,
 * on paper that scatters light, and scans it.
 *
 *   scan-chart NAME=VALUE... SCAN.ppm EXACT.csv
 *
 * EXACT.csv has the mean light of each patch, as an instrument measures it: C
 * in red, M in green, Y in blue, K in green.
 *
 * A dot covers its pixel and 0.143 of each pixel beside it, as round dots of
 * sqrt 2 pixels do. A point of the paper returns t T: t is what the inks on it
 * let through, T the mean of t around it. The scanner blurs this light, and its
 * transfer makes samples of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/chart_rows.h"

#define SPREAD 0.143 /* of a pixel that a dot beside it covers */
#define LIGHT 60000.0
#define TABLE 30000 /* lights whose values are tabled */

/* Settings, with what they are unless named. */
enum setting {
    PRINT_DPI,
    SCAN_DPI,
    TURN,    /* degrees */
    SKEW,    /* degrees that the columns lean */
    QUARTER, /* turns */
    BLUR,    /* mm, of a Gaussian */
    SCATTER, /* mm, each way, of a mean */
    NOISE,   /* of 255 */
    GAMMA,   /* 0: sRGB; -1: L*; -2: sRGB and an S */
    BLACK,   /* value of no light, of 255 */
    PAPER,   /* light of bare paper */
    GAIN,    /* of the value, behind the transfer: more than 1 clips */
    SHARPEN, /* unsharp mask, of the value */
    STEPS,
    DUST,  /* specks */
    HIDE,  /* marks that are cut off */
    CROSS, /* value by which the scanner bends the middle */
    SETTINGS
};
static struct {
    const char *name;
    double value;
} settings[SETTINGS] = {
    {"print", 300}, {"dpi", 200},   {"turn", 0},     {"skew", 0},
    {"quarter", 0}, {"blur", 0.05}, {"scatter", .1}, {"noise", 2},
    {"gamma", 0},   {"black", 0},   {"paper", .85},  {"gain", 1},
    {"sharpen", 0}, {"steps", 21},  {"dust", 0},     {"hide", 0}};
static const char *inks = CHART_ALL_INKS;

static double get(enum setting setting)
{
    return settings[setting].value;
}

/* Light that solid C, M, Y and K let through, in red, green and blue, once. */
static const double through[4][3] = {{0.22, 0.62, 0.84},
                                     {0.88, 0.25, 0.50},
                                     {0.97, 0.93, 0.28},
                                     {0.17, 0.17, 0.18}};

struct printed_sheet {
    uint32_t width, height;
    uint16_t *light; /* [3][height][width], of LIGHT */
};

static uint16_t *plane(const struct printed_sheet *page, int c)
{
    return page->light + (size_t)c * page->width * page->height;
}

/* ---- The printer -------------------------------------------------------- */

static double noise(void)
{
    static uint64_t state = 88172645463325252u;
    double sum = 0;

    for (int i = 0; i < 4; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        sum += (double)(state >> 11) / (double)(1ull << 53) - 0.5;
    }
    return sum * 1.7320508;
}

/* Diffuses the errors of a row (Floyd and Steinberg): samples become dots. */
static void diffuse(const uint8_t *samples, uint8_t *dots, double *error,
                    uint32_t width, int ink)
{
    double right = 0, corner = 0;

    for (uint32_t x = 0; x < width; x++) {
        double v = samples[4 * x + ink] / 255.0 + right + error[x + 1];

        dots[4 * x + ink] = v >= 0.5 + 0.1 * noise();
        if (samples[4 * x + ink] % 255 == 0)
            dots[4 * x + ink] = samples[4 * x + ink] != 0,
                         v = dots[4 * x + ink];
        double e = v - dots[4 * x + ink];
        right = e * 7 / 16;
        error[x] += e * 3 / 16;
        error[x + 1] = e * 5 / 16 + corner;
        corner = e / 16;
    }
}

static uint8_t *print_dots(const struct chart *chart,
                           struct printed_sheet *page)
{
    const struct chart_pixels pixels = {page->width, (uint32_t)get(PRINT_DPI),
                                        (uint32_t)get(PRINT_DPI), 4};
    uint8_t *row = malloc((size_t)4 * page->width);
    uint8_t *dots = calloc((size_t)page->width * page->height, 4);
    double *error = calloc((size_t)4 * (page->width + 2), sizeof *error);

    if (row == NULL || dots == NULL || error == NULL)
        abort();
    for (uint32_t y = 0; y < page->height; y++) {
        chart_row(chart, &pixels, y, row);
        for (int ink = 0; ink < 4; ink++)
            diffuse(row, dots + (size_t)4 * y * page->width,
                    error + (size_t)ink * (page->width + 2), page->width, ink);
    }
    free(row);
    free(error);
    return dots;
}

/* Fills t of the page. */
static void let_through(const struct printed_sheet *page, const uint8_t *dots)
{
    size_t down = (size_t)4 * page->width;

    for (uint32_t y = 0; y < page->height; y++)
        for (uint32_t x = 0; x < page->width; x++) {
            const uint8_t *dot = dots + y * down + (size_t)4 * x;
            double t[3] = {1, 1, 1};

            for (int ink = 0; ink < 4; ink++, dot++) {
                int beside = (x > 0 && dot[-4]) + (y > 0 && dot[-down]) +
                             (x + 1 < page->width && dot[4]) +
                             (y + 1 < page->height && dot[down]);
                double c = *dot ? 1 : 1 - pow(1 - SPREAD, beside);

                for (int k = 0; k < 3 && c > 0; k++)
                    t[k] *= 1 - c + c * through[ink][k];
            }
            for (int k = 0; k < 3; k++)
                plane(page, k)[(size_t)y * page->width + x] =
                    (uint16_t)(t[k] * LIGHT + 0.5);
        }
}

/* Blurs one line of a plane, `step` apart, by `kernel` [2 * reach + 1]. */
static void blur_line(const uint16_t *in, uint16_t *line, uint32_t count,
                      size_t step, const double *kernel, int reach, float *copy)
{
    for (uint32_t i = 0; i < count; i++)
        copy[i] = in[i * step];
    for (int i = 0; i < (int)count; i++) {
        float sum = 0;

        if (i >= reach && i + reach < (int)count)
            for (int j = -reach; j <= reach; j++)
                sum += (float)kernel[j + reach] * copy[i + j];
        else
            sum = copy[i];
        line[i * step] = (uint16_t)(sum + 0.5F);
    }
}

static void blur(const struct printed_sheet *page, uint16_t *light,
                 double deviation, double box)
{
    double kernel[401], sum = 0;
    int reach = (int)ceil(box > 0 ? box : 3 * deviation);
    uint32_t longest = page->width > page->height ? page->width : page->height;
    float *copy = malloc(longest * sizeof *copy);

    if (reach > 200 || copy == NULL)
        abort();
    for (int i = -reach; i <= reach; i++)
        sum += kernel[i + reach] =
            box > 0 ? fmin(1, fmax(0, box + 0.5 - abs(i)))
                    : exp(-0.5 * i * i / (deviation * deviation));
    for (int i = 0; i <= 2 * reach; i++)
        kernel[i] /= sum;
    for (uint32_t y = 0; y < page->height && reach > 0; y++)
        blur_line(light + (size_t)y * page->width,
                  light + (size_t)y * page->width, page->width, 1, kernel,
                  reach, copy);
    for (uint32_t x = 0; x < page->width && reach > 0; x++)
        blur_line(light + x, light + x, page->height, page->width, kernel,
                  reach, copy);
    free(copy);
}

static void print_page(const struct chart *chart, struct printed_sheet *page)
{
    size_t size = (size_t)page->width * page->height;
    uint16_t *scattered = malloc(size * sizeof *scattered);
    uint8_t *dots = print_dots(chart, page);

    page->light = malloc(3 * size * sizeof *page->light);
    if (scattered == NULL || page->light == NULL)
        abort();
    let_through(page, dots);
    free(dots);
    for (int c = 0; c < 3; c++) {
        memcpy(scattered, plane(page, c), size * sizeof *scattered);
        blur(page, scattered, 0, get(SCATTER) / 25.4 * get(PRINT_DPI));
        for (size_t i = 0; i < size; i++)
            plane(page, c)[i] =
                (uint16_t)(plane(page, c)[i] * (scattered[i] / LIGHT) *
                               get(PAPER) +
                           0.5);
    }
    free(scattered);
}

/* Writes what an instrument measures. */
static void measure(const struct chart *chart, const struct printed_sheet *page,
                    FILE *file)
{
    fputs("ink,percent,reflectance\n", file);
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        const struct chart_patch p = chart_patch(chart, i);
        int c = p.ink == 'C' ? 0 : p.ink == 'Y' ? 2 : 1;
        double scale = get(PRINT_DPI) / 72, sum = 0, count = 0;

        for (uint32_t y = (uint32_t)((p.y + 0.2 * p.height) * scale);
             y < (p.y + 0.8 * p.height) * scale; y++)
            for (uint32_t x = (uint32_t)((p.x + 0.2 * p.width) * scale);
                 x < (p.x + 0.8 * p.width) * scale; x++, count++)
                sum += plane(page, c)[(size_t)y * page->width + x] / LIGHT;
        fprintf(file, "%c,%.5g,%.6f\n", p.ink, p.percent, sum / count);
    }
}

/* ---- The scanner -------------------------------------------------------- */

/* Light to a value, 0..1. */
static double transfer(double light)
{
    double gamma = get(GAMMA), v;

    light = fmin(light, 1);
    if (gamma > 0)
        v = pow(light, 1 / gamma);
    else if (gamma == -1)
        v = light > 0.008856 ? 1.16 * cbrt(light) - 0.16 : 9.033 * light;
    else
        v = light <= 0.0031308 ? light * 12.92
                               : 1.055 * pow(light, 1 / 2.4) - 0.055;
    if (gamma == -2)
        v = 0.6 * v + 0.4 * v * v * (3 - 2 * v);
    return get(BLACK) / 255 + (1 - get(BLACK) / 255) * v;
}

/* Light at a place, in pixels of the page; beside it the white lid. */
static double look(const struct printed_sheet *page, int c, double x, double y)
{
    x -= 0.5, y -= 0.5;
    if (!(x >= 0 && y >= 0 && x < page->width - 1 && y < page->height - 1))
        return 0.9;
    const uint16_t *p = plane(page, c) + (size_t)y * page->width + (size_t)x;
    double u = x - floor(x), v = y - floor(y);

    return ((1 - v) * ((1 - u) * p[0] + u * p[1]) +
            v * ((1 - u) * p[page->width] + u * p[page->width + 1])) /
           LIGHT;
}

static void scan_page(const struct chart *chart,
                      const struct printed_sheet *page, FILE *file)
{
    const double turn = get(TURN) * 3.14159265358979 / 180;
    const double skew = tan(get(SKEW) * 3.14159265358979 / 180);
    const int quarter = (int)get(QUARTER);
    const double scale = get(PRINT_DPI) / get(SCAN_DPI);
    uint32_t side[2] = {(uint32_t)((chart->width + 60) / 72 * get(SCAN_DPI)),
                        (uint32_t)((chart->height + 60) / 72 * get(SCAN_DPI))};
    uint32_t width = side[quarter % 2], height = side[1 - quarter % 2];
    double *row = malloc((size_t)3 * width * sizeof *row);

    double values[TABLE + 1];

    if (row == NULL)
        abort();
    for (int i = 0; i <= TABLE; i++)
        values[i] = 255 * transfer((i + 0.5) / TABLE);
    fprintf(file, "P6\n%u %u\n255\n", width, height);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            double u = x + 0.5 - width / 2.0, v = y + 0.5 - height / 2.0;

            for (int i = 0; i < quarter; i++) {
                double old = u;
                u = v, v = -old;
            }
            double a = cos(turn) * u + sin(turn) * v;
            double b = cos(turn) * v - sin(turn) * u;

            a = (a + skew * b) * scale + page->width / 2.0;
            b = b * scale + page->height / 2.0;
            bool hidden = b < get(HIDE) * page->height;
            for (int c = 0; c < 3; c++) {
                double light = hidden ? 0.9 : look(page, c, a, b);

                row[3 * x + c] = values[(int)(light * TABLE)];
            }
        }
        for (uint32_t i = 0; i < 3 * width; i++) {
            double sharp =
                i >= 3 && i + 3 < 3 * width
                    ? get(SHARPEN) * (row[i] - (row[i - 3] + row[i + 3]) / 2)
                    : 0;
            double v = (row[i] + sharp) * get(GAIN) + get(NOISE) * noise();

            if (get(DUST) > 0 &&
                (i / 9 * 7919 + y / 3 * 104729) % 100003 < (uint32_t)get(DUST))
                v = 90;
            putc((int)fmin(255, fmax(0, v + 0.5)), file);
        }
    }
    free(row);
}

static bool set(const char *text)
{
    const char *is = strchr(text, '=');

    if (strncmp(text, "inks=", 5) == 0)
        inks = text + 5;
    else
        for (int i = 0;; i++)
            if (i == SETTINGS)
                return false;
            else if (strncmp(text, settings[i].name, (size_t)(is - text)) ==
                         0 &&
                     settings[i].name[is - text] == '\0') {
                settings[i].value = atof(is + 1);
                break;
            }
    return true;
}

int main(int argc, char **argv)
{
    int i = 1;

    for (; i < argc && strchr(argv[i], '=') != NULL; i++)
        if (!set(argv[i])) {
            fprintf(stderr, "scan-chart: %s\n", argv[i]);
            return 2;
        }
    if (argc - i != 2)
        return 2;
    const struct chart chart = {595, 842, inks, (uint32_t)get(STEPS), false};
    struct printed_sheet page = {(uint32_t)(595 * get(PRINT_DPI) / 72),
                                 (uint32_t)(842 * get(PRINT_DPI) / 72), NULL};
    FILE *scan = fopen(argv[i], "wb"), *exact = fopen(argv[i + 1], "w");

    if (scan == NULL || exact == NULL)
        return 1;
    print_page(&chart, &page);
    measure(&chart, &page, exact);
    for (int c = 0; c < 3 && get(BLUR) > 0; c++)
        blur(&page, plane(&page, c),
             hypot(get(BLUR) / 25.4, 1 / get(SCAN_DPI) / sqrt(12)) *
                 get(PRINT_DPI),
             0);
    scan_page(&chart, &page, scan);
    free(page.light);
    return fclose(scan) == 0 && fclose(exact) == 0 ? 0 : 1;
}
