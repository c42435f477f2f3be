/*
 * gpu_inkmap_main.cu - gpu-inkmap: integral histograms of images in the
 * device's memory, sizes x bins x methods; every table is compared with one of
 * the processor's. Then tables of dots, which ink-report asks for.
 *
 * "bound" is what it takes to copy as many bytes as the image and the table
 * have, read once and written once, at the rate of a copy here.
 *
 * Exits with 1 when CUDA fails or a table is wrong, with 77 where there is no
 * device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "lab/bench/gpu_inkmap.h"

#define TRY(call)                                                              \
    do {                                                                       \
        const cudaError_t error_ = (call);                                     \
                                                                               \
        if (error_ != cudaSuccess) {                                           \
            fprintf(stderr, "gpu-inkmap: %s: %s\n", #call,                     \
                    cudaGetErrorString(error_));                               \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

static const unsigned runs = 10;
static const size_t copied = (size_t)1 << 30;  /* bytes of the copy */
static const size_t flushed = (size_t)1 << 28; /* more than a cache has */

/* Measured images: the paper's sizes and a page. A page's pixel has one of 16
 * combinations of inks. */
static const struct shape {
    const char *name;
    uint32_t width, height;
    bool page;
} images[] = {{"FHD", 1920, 1080, false},
              {"QHD", 2560, 1440, false},
              {"UHD", 3840, 2160, false},
              {"DCI-4K", 4096, 2160, false},
              {"A4 CMYK 600", 4960, 7016, true}};
static const uint32_t all_bins[] = {2, 4, 8, 16};

static const struct method {
    const char *name;
    inkmap_method *make;
} methods[] = {{"ours", ht_sums_histogram},
               {"paper", inkmap_paper},
               {"Harris", inkmap_harris},
               {"CUB", inkmap_cub}};
static constexpr size_t METHODS = sizeof methods / sizeof(struct method);

/* ---- Images and their tables -------------------------------------------- */

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Waves with noise; of a page, four inks that are dots of such. */
static void fill(std::vector<uint8_t> &image, uint32_t width, uint32_t height,
                 uint32_t pitch, bool page)
{
    uint64_t seed = width * 31u + height;

    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t tone = (x * 3 / 16 + y * 5 / 16) % 256;
            uint32_t pixel = (tone + next_random(&seed) % 64) % 256;

            if (page) {
                pixel = 0;
                for (uint32_t k = 0; k < 4; k++)
                    pixel = 2 * pixel +
                            (next_random(&seed) % 256 < (tone + 50 * k) % 256);
                pixel *= 17;
            }
            image[(size_t)y * pitch + x] = (uint8_t)pixel;
        }
}

static void sum_plane(const ht_sums &s, const uint8_t *image, uint32_t plane,
                      uint32_t *table)
{
    for (uint32_t y = 0; y < s.height; y++) {
        uint32_t *row = table + (size_t)y * s.pitch;
        uint32_t left = 0;

        for (uint32_t x = 0; x < s.width; x++) {
            left += image[(size_t)y * s.pitch + x] * s.planes / 256 == plane;
            row[x] = left + (y > 0 ? (row - s.pitch)[x] : 0);
        }
    }
}

static std::vector<uint32_t> sum_on_host(const ht_sums &s,
                                         const std::vector<uint8_t> &image)
{
    const size_t plane = (size_t)s.height * s.pitch;
    std::vector<uint32_t> table(s.planes * plane);
    std::vector<std::thread> threads;

    for (uint32_t b = 0; b < s.planes; b++)
        threads.emplace_back(sum_plane, std::cref(s), image.data(), b,
                             table.data() + b * plane);
    for (std::thread &thread : threads)
        thread.join();
    return table;
}

/* ---- On the device ------------------------------------------------------ */

static __global__ void compare(const uint32_t *got, const uint32_t *wanted,
                               uint32_t width, uint32_t pitch, size_t count,
                               unsigned long long *different)
{
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        if (i % pitch < width && got[i] != wanted[i])
            atomicAdd(different, 1);
}

static void *device_memory(size_t bytes)
{
    void *memory = nullptr;

    TRY(cudaMalloc(&memory, bytes));
    return memory;
}

/* Returns the median time of something, ms, with nothing of it in a cache. */
template <class Work> static double median_ms(void *flush, const Work &work)
{
    std::vector<float> times;
    cudaEvent_t begin, end;

    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    for (unsigned i = 0; i < runs + 1; i++) {
        float ms;

        TRY(cudaMemsetAsync(flush, (int)i, flushed, 0));
        TRY(cudaEventRecord(begin, 0));
        TRY(work());
        TRY(cudaEventRecord(end, 0));
        TRY(cudaEventSynchronize(end));
        TRY(cudaEventElapsedTime(&ms, begin, end));
        if (i > 0)
            times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return times[times.size() / 2];
}

/* Returns bytes a millisecond, read and written. */
static double copy_rate(void *flush)
{
    void *from = device_memory(copied), *to = device_memory(copied);

    TRY(cudaMemset(from, 1, copied));
    const double ms = median_ms(flush, [=] {
        return cudaMemcpyAsync(to, from, copied, cudaMemcpyDeviceToDevice, 0);
    });

    TRY(cudaFree(from));
    TRY(cudaFree(to));
    return 2.0 * (double)copied / ms;
}

struct Device {
    void *flush;
    double rate;
    unsigned long long *different;
};

static unsigned long long differences(const Device &device, const ht_sums &s,
                                      const uint32_t *got,
                                      const uint32_t *wanted)
{
    unsigned long long different = 0;

    TRY(cudaMemset(device.different, 0, sizeof different));
    compare<<<4096, 256>>>(got, wanted, s.width, s.pitch,
                           (size_t)s.planes * s.height * s.pitch,
                           device.different);
    TRY(cudaGetLastError());
    TRY(cudaMemcpy(&different, device.different, sizeof different,
                   cudaMemcpyDeviceToHost));
    return different;
}

/* ---- The tables --------------------------------------------------------- */

/* Prints a row; false when a table is wrong. */
static bool measure(const Device &device, const char *name, const ht_sums &s,
                    const std::vector<uint8_t> &image)
{
    const std::vector<uint32_t> wanted = sum_on_host(s, image);
    const size_t bytes = wanted.size() * sizeof(uint32_t);
    void *on_device = device_memory(image.size());
    void *reference = device_memory(bytes), *table = device_memory(bytes);
    void *scratch =
        device_memory(std::max(inkmap_scratch(&s), ht_sums_scratch(&s)));
    const double bound =
        ((double)s.width * s.height * (1 + 4.0 * s.planes)) / device.rate;
    double ms[METHODS];
    bool ok = true;

    TRY(cudaMemcpy(on_device, image.data(), image.size(),
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(reference, wanted.data(), bytes, cudaMemcpyHostToDevice));
    printf("| %s | %u |", name, s.planes);
    for (size_t m = 0; m < METHODS; m++) {
        TRY(cudaMemset(table, 0x88, bytes));
        ms[m] = median_ms(device.flush, [&] {
            return methods[m].make(&s, (const uint8_t *)on_device, scratch,
                                   (uint32_t *)table, 0);
        });
        const unsigned long long different = differences(
            device, s, (const uint32_t *)table, (const uint32_t *)reference);

        printf(" %.4f (%.0f %%)", ms[m], 100 * bound / ms[m]);
        if (different > 0)
            printf(" WRONG: %llu sums", different);
        printf(" |");
        ok = ok && different == 0;
    }
    printf(" %.4f | %.3f | %.3f |\n", bound, ms[0] / ms[2], ms[1] / ms[2]);
    fflush(stdout);
    TRY(cudaFree(on_device));
    TRY(cudaFree(reference));
    TRY(cudaFree(table));
    TRY(cudaFree(scratch));
    return ok;
}

/* The dots of the page's inks: what is 1 in a pixel's four bits. */
static bool measure_dots(const Device &device, const ht_sums &s,
                         const std::vector<uint8_t> &image)
{
    const size_t line = (s.width + 7) / 8;
    std::vector<uint8_t> dots(s.height * 4 * line);
    std::vector<uint32_t> wanted((size_t)s.height * s.pitch);
    const size_t bytes = wanted.size() * sizeof(uint32_t);

    for (uint32_t y = 0; y < s.height; y++) {
        uint32_t left = 0;

        for (uint32_t x = 0; x < s.width; x++) {
            const size_t at = (size_t)y * s.pitch + x;

            for (uint32_t k = 0; k < 4; k++)
                if (image[at] >> k & 1) {
                    dots[((size_t)y * 4 + k) * line + x / 8] |= 128 >> x % 8;
                    left++;
                }
            wanted[at] = left + (y > 0 ? wanted[at - s.pitch] : 0);
        }
    }
    void *on_device = device_memory(dots.size());
    void *reference = device_memory(bytes), *table = device_memory(bytes);
    void *scratch = device_memory(ht_sums_scratch(&s));

    TRY(cudaMemcpy(on_device, dots.data(), dots.size(),
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(reference, wanted.data(), bytes, cudaMemcpyHostToDevice));
    const double ms = median_ms(device.flush, [&] {
        return ht_sums_dots(&s, (const uint8_t *)on_device, 4, line, 15,
                            scratch, (uint32_t *)table, 0);
    });
    const double bound =
        (double)(dots.size() + 4.0 * s.width * s.height) / device.rate;
    const unsigned long long different = differences(
        device, s, (const uint32_t *)table, (const uint32_t *)reference);

    printf("\ndots of the page, all inks in a table: %.4f ms (%.0f %% of the "
           "bound, %.4f ms)%s\n",
           ms, 100 * bound / ms, bound, different > 0 ? ", WRONG" : "");
    TRY(cudaFree(on_device));
    TRY(cudaFree(reference));
    TRY(cudaFree(table));
    TRY(cudaFree(scratch));
    return different == 0;
}

int main()
{
    int count = 0;
    cudaDeviceProp properties;
    bool ok = true;

    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
        fputs("gpu-inkmap: no device\n", stderr);
        return 77;
    }
    TRY(cudaGetDeviceProperties(&properties, 0));
    Device device = {device_memory(flushed), 0,
                     (unsigned long long *)device_memory(8)};

    device.rate = copy_rate(device.flush);
    printf("%s, copies %.0f GB/s; ms (percent of the bound), medians of %u "
           "runs\n\n"
           "| image | bins |",
           properties.name, device.rate / 1e6, runs);
    for (size_t m = 0; m < METHODS; m++)
        printf(" %s |", methods[m].name);
    printf(" bound | ours / Harris | paper / Harris |\n|---|---|");
    for (size_t m = 0; m < METHODS + 3; m++)
        printf("---|");
    printf("\n");
    for (const shape &image : images) {
        ht_sums s = {image.width, image.height, image.width, 1};
        std::vector<uint8_t> pixels((size_t)s.height * s.pitch);

        fill(pixels, s.width, s.height, s.pitch, image.page);
        for (uint32_t bins : all_bins) {
            s.planes = bins;
            ok = measure(device, image.name, s, pixels) && ok;
        }
        s.planes = 1;
        if (image.page)
            ok = measure_dots(device, s, pixels) && ok;
    }
    printf(
        "\nThe paper's own, GeForce GTX 670, DCI-4K: paper / Harris 0.947\n");
    return ok ? 0 : 1;
}
