/*
 * gpu_peers_main.cu - gpu-peers: the published ways to run Floyd-Steinberg on a
 * GPU side by side, sizes x methods, every run compared with a sequential one.
 *
 * Exits with 1 when CUDA fails, a wait was given up, or an exact method's dots
 * differ from the reference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <getopt.h>

#include "gpu_peers.h"

static const struct peer_method methods[] = {
    {"pwed", "pixel-wise error diffusion, a launch a step", true, false, 3,
     peer_pwed},
    {"pwec", "pixel-wise error collection, a launch a step", true, false, 3,
     peer_pwec},
    {"bwed", "block-wise error diffusion, a launch a step of 32 x 32 blocks",
     true, false, 7, peer_bwed},
    {"bwec", "block-wise error collection, likewise", true, false, 7,
     peer_bwec},
    {"bwed-graph", "bwed, its launches captured in a CUDA graph", true, true, 7,
     peer_bwed},
    {"bwec-graph", "bwec, its launches captured in a CUDA graph", true, true, 7,
     peer_bwec},
    {"ssl-margin",
     "skewed scan-line strips, start-up margin only: may be wrong", false,
     false, 7, peer_strips_margin},
    {"ssl-flag", "skewed scan-line strips, progress published and waited for",
     true, false, 7, peer_strips_flag},
    {"ticket", "work groups by ticket, a progress marker a row", true, false, 7,
     peer_ticket},
};

#define COUNT(list) (sizeof list / sizeof list[0])
#define METHODS COUNT(methods)

/* The papers' own times, ms; 0 = not given. */
static const uint32_t published_sizes[] = {1024,  2048,  3072, 4096, 5120,
                                           6144,  7168,  8192, 9216, 10240,
                                           12288, 14336, 16384};
static const struct published {
    const char *source, *device, *method;
    double ms[COUNT(published_sizes)];
} published[] = {
    {"Kasagi, Nakano and Ito",
     "GeForce GTX 780 Ti",
     "pwed",
     {20.89, 42.22, 63.69, 85.53, 108.64, 129.52, 153.74, 189.16, 231.57,
      281.58, 381.31, 554.83, 737.34}},
    {"Kasagi, Nakano and Ito",
     "GeForce GTX 780 Ti",
     "pwec",
     {20.10, 40.36, 62.01, 90.27, 119.84, 145.58, 155.76, 187.6, 218.08, 251.91,
      356.98, 472.74, 650.28}},
    {"Kasagi, Nakano and Ito",
     "GeForce GTX 780 Ti",
     "bwed",
     {1.89, 3.94, 6.05, 7.99, 10.16, 12.19, 14.30, 16.45, 18.92, 24.26, 29.59,
      35.05, 55.77}},
    {"Kasagi, Nakano and Ito",
     "GeForce GTX 780 Ti",
     "bwec",
     {1.85, 3.92, 6.01, 8.10, 9.85, 12.01, 14.25, 16.63, 18.77, 21.07, 26.33,
      31.32, 46.75}},
    {"Kasagi, Nakano and Ito",
     "Core i7-3770K, one thread",
     "cpu",
     {8.29, 32.79, 73.77, 130.8, 203.2, 294.2, 397.5, 526.5, 659.2, 821.9, 1175,
      1598, 2092}},
    {"Seong, Ahn and Sung",
     "GeForce GTX 285",
     "ssl-margin",
     {4.865, 10.066, 0, 26.404, 0, 0, 0, 73.270, 0, 0, 0, 0, 0}},
};

struct options {
    std::vector<uint32_t> sizes;
    bool chosen[METHODS];
    uint32_t strip_rows, margin;
    const char *json; /* NULL: none */
};

/* One row of the table. */
struct peer_row {
    uint32_t size;
    double reference_ms;
    struct peer_result results[METHODS];
};

struct device {
    cudaDeviceProp properties;
    int driver, runtime; /* 1000 major + 10 minor */
    double mhz;
};

/* ---- Options ---------------------------------------------------------- */

static void usage(FILE *out)
{
    fprintf(out,
            "Usage: gpu-peers [options]\n"
            "  --sizes LIST       sides of the pages, like 1K,2K,5000\n"
            "                     (default: 1K to 10K, 12K, 14K, 16K)\n"
            "  --methods LIST     of the methods below (default: all)\n"
            "  --strip-rows N     rows a strip or group, a multiple of 32 up\n"
            "                     to 1024 (default: 128)\n"
            "  --margin N         start-up margin of ssl-margin in pixels,\n"
            "                     at least %u (default: 40)\n"
            "  --json FILE        also write the results to FILE\n",
            PEER_MIN_MARGIN);
    for (const struct peer_method &method : methods)
        fprintf(out, "%12s  %s\n", method.name, method.text);
}

/* Parses a whole number up to `most` with an optional K for 1024, up to the end
 * of the text or a comma, and moves *text behind it. Returns 0 if there is
 * none. */
static uint32_t parse_number(const char **text, uint32_t most)
{
    char *end = NULL;
    unsigned long number = strtoul(*text, &end, 10);

    if (end == *text || **text == '-' || number > most)
        return 0;
    if (*end == 'K') {
        number *= 1024;
        end++;
    }
    if ((*end != ',' && *end != '\0') || number > most)
        return 0;
    *text = *end ? end + 1 : end;
    return (uint32_t)number;
}

static bool parse_sizes(struct options *options, const char *list)
{
    options->sizes.clear();
    while (*list) {
        uint32_t size = parse_number(&list, PEER_MAX_SIZE);

        if (size == 0)
            return false;
        options->sizes.push_back(size);
    }
    return !options->sizes.empty();
}

static bool parse_methods(struct options *options, const char *list)
{
    memset(options->chosen, 0, sizeof options->chosen);
    while (*list) {
        size_t length = strcspn(list, ","), m = 0;

        while (m < METHODS && (strlen(methods[m].name) != length ||
                               strncmp(methods[m].name, list, length) != 0))
            m++;
        if (m == METHODS)
            return false;
        options->chosen[m] = true;
        list += length + (list[length] == ',');
    }
    return true;
}

static bool parse_option(struct options *options, int option, const char *value)
{
    switch (option) {
    case 's':
        return parse_sizes(options, value);
    case 'm':
        return parse_methods(options, value);
    case 'r':
        options->strip_rows = parse_number(&value, 1024);
        return options->strip_rows >= 32 && options->strip_rows % 32 == 0;
    case 'a':
        options->margin = parse_number(&value, PEER_MAX_SIZE);
        return options->margin >= PEER_MIN_MARGIN;
    case 'j':
        options->json = value;
        return true;
    default:
        return false;
    }
}

static bool parse_options(struct options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"sizes", required_argument, NULL, 's'},
        {"methods", required_argument, NULL, 'm'},
        {"strip-rows", required_argument, NULL, 'r'},
        {"margin", required_argument, NULL, 'a'},
        {"json", required_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0}};
    int option = 0;

    options->sizes.assign(published_sizes,
                          published_sizes + COUNT(published_sizes));
    for (bool &chosen : options->chosen)
        chosen = true;
    options->strip_rows = 128;
    options->margin = 40;
    options->json = NULL;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (option == 'h') {
            usage(stdout);
            exit(0);
        }
        if (!parse_option(options, option, optarg)) {
            fprintf(stderr, "ERROR: a wrong option or value; see --help\n");
            return false;
        }
    }
    if (optind != argc)
        fprintf(stderr, "ERROR: what is \"%s\"? See --help\n", argv[optind]);
    return optind == argc;
}

/* ---- Measuring -------------------------------------------------------- */

static bool find_device(struct device *device)
{
    CUDA_TRY(cudaSetDevice(0));
    CUDA_TRY(cudaGetDeviceProperties(&device->properties, 0));
    CUDA_TRY(cudaDriverGetVersion(&device->driver));
    CUDA_TRY(cudaRuntimeGetVersion(&device->runtime));
    return peer_clock(&device->mhz);
}

/* Returns whether the dots are what they must be; prints it if not. */
static bool check_result(const struct peer_method *method, uint32_t size,
                         const struct peer_result *result)
{
    if (result->stuck)
        fprintf(stderr, "ERROR: %s at %u: a wait was given up\n", method->name,
                size);
    if (result->wrong && method->exact)
        fprintf(stderr,
                "ERROR: %s at %u: %llu wrong dots, the first at %u,%u\n",
                method->name, size, (unsigned long long)result->wrong,
                result->wrong_x, result->wrong_y);
    return !result->stuck && (!result->wrong || !method->exact);
}

/* Measures the chosen methods on one page. Returns false when CUDA failed; sets
 * *right to false when a method did. */
static bool measure_row(struct peer_row *row, uint32_t size,
                        const struct options *options, bool *right)
{
    struct peer_page page;

    row->size = size;
    bool ok = peer_page_open(&page, size, options->strip_rows, options->margin,
                             &row->reference_ms);
    for (size_t m = 0; ok && m < METHODS; m++) {
        if (!options->chosen[m])
            continue;
        ok = peer_measure(&page, &methods[m], &row->results[m]);
        if (ok && !check_result(&methods[m], size, &row->results[m]))
            *right = false;
    }
    peer_page_close(&page);
    return ok;
}

/* ---- Printing --------------------------------------------------------- */

static void print_head(const struct device *device,
                       const struct options *options)
{
    printf("%s, %d multiprocessors, measured at %.0f MHz; CUDA driver %d.%d, "
           "runtime %d.%d\n"
           "Strips and groups of %u rows, margin %u pixels; ms from tones to "
           "dots in the device's memory, medians\n\n",
           device->properties.name, device->properties.multiProcessorCount,
           device->mhz, device->driver / 1000, device->driver % 1000 / 10,
           device->runtime / 1000, device->runtime % 1000 / 10,
           options->strip_rows, options->margin);
    printf("%6s %9s", "size", "cpu");
    for (size_t m = 0; m < METHODS; m++)
        if (options->chosen[m])
            printf(" %11s", methods[m].name);
    printf("\n");
}

static void print_row(const struct peer_row *row, const struct options *options)
{
    printf("%6u %9.2f", row->size, row->reference_ms);
    for (size_t m = 0; m < METHODS; m++) {
        const struct peer_result *result = &row->results[m];

        if (options->chosen[m])
            printf(" %10.3f%c", result->median,
                   result->wrong || result->stuck ? '*' : ' ');
    }
    printf("\n");
    fflush(stdout);
}

static void print_wrong(const struct peer_row *row,
                        const struct options *options)
{
    for (size_t m = 0; m < METHODS; m++)
        if (options->chosen[m] && row->results[m].wrong)
            printf("* %s at %u: up to %llu wrong dots in a run (%.3f %%)\n",
                   methods[m].name, row->size,
                   (unsigned long long)row->results[m].wrong,
                   100.0 * (double)row->results[m].wrong / row->size /
                       row->size);
}

static void print_published(void)
{
    printf("\nAs published, ms:\n%6s", "size");
    for (const struct published &paper : published)
        printf(" %11s", paper.method);
    printf("\n");
    for (size_t i = 0; i < COUNT(published_sizes); i++) {
        printf("%6u", published_sizes[i]);
        for (const struct published &paper : published)
            if (paper.ms[i] > 0)
                printf(" %11.2f", paper.ms[i]);
            else
                printf(" %11s", "-");
        printf("\n");
    }
    for (const struct published &paper : published)
        printf("%12s: %s, %s\n", paper.method, paper.source, paper.device);
}

/* ---- JSON ------------------------------------------------------------- */

static void json_results(FILE *out, const std::vector<struct peer_row> &rows,
                         const struct options *options)
{
    const char *comma = "";

    fprintf(out, "  \"results\": [");
    for (const struct peer_row &row : rows) {
        fprintf(out,
                "%s\n    {\"size\": %u, \"method\": \"cpu\", \"ms\": %.4f}",
                comma, row.size, row.reference_ms);
        comma = ",";
        for (size_t m = 0; m < METHODS; m++) {
            const struct peer_result *result = &row.results[m];

            if (options->chosen[m])
                fprintf(out,
                        ",\n    {\"size\": %u, \"method\": \"%s\", "
                        "\"ms\": %.4f, \"low\": %.4f, \"high\": %.4f, "
                        "\"runs\": %u, \"wrong\": %llu, \"stuck\": %s}",
                        row.size, methods[m].name, result->median, result->low,
                        result->high, methods[m].runs,
                        (unsigned long long)result->wrong,
                        result->stuck ? "true" : "false");
        }
    }
    fprintf(out, "\n  ],\n");
}

static void json_published(FILE *out)
{
    const char *comma = "";

    fprintf(out, "  \"published\": [");
    for (const struct published &paper : published)
        for (size_t i = 0; i < COUNT(published_sizes); i++)
            if (paper.ms[i] > 0) {
                fprintf(out,
                        "%s\n    {\"size\": %u, \"method\": \"%s\", "
                        "\"ms\": %.3f, \"source\": \"%s\", "
                        "\"device\": \"%s\"}",
                        comma, published_sizes[i], paper.method, paper.ms[i],
                        paper.source, paper.device);
                comma = ",";
            }
    fprintf(out, "\n  ]\n");
}

/* Returns false after an ERROR: line. */
static bool write_json(const struct device *device,
                       const std::vector<struct peer_row> &rows,
                       const struct options *options)
{
    FILE *out = fopen(options->json, "w");
    bool ok = out != NULL;

    if (ok) {
        fprintf(out,
                "{\n  \"gpu\": \"%s\", \"multiprocessors\": %d, "
                "\"mhz\": %.0f,\n  \"cuda_driver\": %d, "
                "\"cuda_runtime\": %d,\n"
                "  \"strip_rows\": %u, \"margin\": %u,\n",
                device->properties.name, device->properties.multiProcessorCount,
                device->mhz, device->driver, device->runtime,
                options->strip_rows, options->margin);
        json_results(out, rows, options);
        json_published(out);
        fprintf(out, "}\n");
        ok = !ferror(out);
        ok = fclose(out) == 0 && ok;
    }
    if (!ok)
        fprintf(stderr, "ERROR: cannot write %s\n", options->json);
    return ok;
}

int main(int argc, char **argv)
{
    struct options options;
    struct device device;
    bool right = true;

    if (!parse_options(&options, argc, argv) || !find_device(&device))
        return 1;

    std::vector<struct peer_row> rows;
    print_head(&device, &options);
    for (uint32_t size : options.sizes) {
        rows.push_back({});
        if (!measure_row(&rows.back(), size, &options, &right))
            return 1;
        print_row(&rows.back(), &options);
    }
    for (const struct peer_row &row : rows)
        print_wrong(&row, &options);
    print_published();
    if (options.json && !write_json(&device, rows, &options))
        return 1;
    return right ? 0 : 1;
}
