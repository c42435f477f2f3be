/*
 * gpu_peers.cu - the page that the peers halftone: its tones, its reference
 * dots, and how a method is timed and compared with them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "gpu_peers_device.h"
#include "noise.h"

#define THREADS 256u

bool peer_cuda_ok(cudaError_t status, const char *what, const char *file,
                  int line)
{
    if (status != cudaSuccess)
        fprintf(stderr, "ERROR: %s:%d: %s: %s\n", file, line, what,
                cudaGetErrorString(status));
    return status == cudaSuccess;
}

/* ---- Tones ------------------------------------------------------------ */

/* Paints a ramp across the page, another down it, clouds of 40 pixels, and
 * grain. Grid: (blocks of THREADS columns, rows); a thread a pixel. */
static __global__ void paint(const struct peer_page page)
{
    uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= page.size)
        return;
    uint32_t tone = (uint32_t)((uint64_t)x * 110 / page.size) +
                    (uint32_t)((uint64_t)y * 70 / page.size) +
                    noise_smooth(x, y, 40, 40) / 4 +
                    noise_hash(y * PEER_MAX_SIZE + x) % 12;

    page.tone[y * page.pitch + x] = (uint8_t)tone;
}

/* ---- Reference -------------------------------------------------------- */

/* Halftones by error collection, pixel by pixel. `above` and `errors` hold size
 * + 2 errors, that of pixel x at x + 1; `above` is 0 at first. */
static void collect_page(const uint8_t *tone, uint8_t *dots, uint32_t size,
                         size_t pitch, int32_t *above, int32_t *errors)
{
    for (uint32_t y = 0; y < size; y++) {
        int32_t west = 0;

        for (uint32_t x = 0; x < size; x++) {
            int32_t sum = peer_tone(tone[x]) + 7 * west + above[x] +
                          5 * above[x + 1] + 3 * above[x + 2];

            dots[x] = peer_dot(sum, &west);
            errors[x + 1] = west;
        }
        std::swap(above, errors);
        tone += pitch;
        dots += pitch;
    }
}

/* Copies the tones from the device, makes the dots, and copies them to
 * page->reference. The buffers are the caller's, of size * pitch bytes and of 2
 * (size + 2) errors, which are 0. */
static bool make_reference(const struct peer_page *page, uint8_t *tone,
                           uint8_t *dots, int32_t *errors, double *ms)
{
    size_t bytes = page->size * page->pitch;

    CUDA_TRY(cudaMemcpy(tone, page->tone, bytes, cudaMemcpyDeviceToHost));
    auto start = std::chrono::steady_clock::now();
    collect_page(tone, dots, page->size, page->pitch, errors,
                 errors + page->size + 2);
    *ms = std::chrono::duration<double, std::milli>(
              std::chrono::steady_clock::now() - start)
              .count();
    CUDA_TRY(cudaMemcpy(page->reference, dots, bytes, cudaMemcpyHostToDevice));
    return true;
}

/* ---- Page ------------------------------------------------------------- */

static bool allocate(struct peer_page *page)
{
    size_t cells = page->size * page->pitch;
    size_t errors = (page->size + 32) * page->pitch * sizeof *page->error;
    size_t flags = (PEER_PROGRESS + page->size) * sizeof *page->flags;

    CUDA_TRY(cudaStreamCreate(&page->stream));
    CUDA_TRY(cudaMalloc((void **)&page->tone, cells));
    CUDA_TRY(cudaMalloc((void **)&page->dots, cells));
    CUDA_TRY(cudaMalloc((void **)&page->reference, cells));
    CUDA_TRY(cudaMalloc((void **)&page->error, errors));
    CUDA_TRY(cudaMalloc((void **)&page->flags, flags));
    CUDA_TRY(
        cudaMalloc((void **)&page->difference, 2 * sizeof *page->difference));
    CUDA_TRY(cudaMemset(page->tone, 0, cells));
    paint<<<dim3((page->size + THREADS - 1) / THREADS, page->size), THREADS>>>(
        *page);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaDeviceSynchronize());
    return true;
}

bool peer_page_open(struct peer_page *page, uint32_t size, uint32_t strip_rows,
                    uint32_t margin, double *reference_ms)
{
    *page = {};
    page->size = size;
    page->pitch = (size + 32 + 127) / 128 * 128;
    page->strip_rows = strip_rows;
    page->margin = margin;
    if (!allocate(page))
        return false;

    size_t bytes = page->size * page->pitch;
    uint8_t *tone = (uint8_t *)malloc(bytes);
    uint8_t *dots = (uint8_t *)calloc(bytes, 1);
    int32_t *errors = (int32_t *)calloc(2 * (size + 2), sizeof *errors);
    bool ok = tone && dots && errors;

    if (!ok)
        fprintf(stderr, "ERROR: out of memory\n");
    ok = ok && make_reference(page, tone, dots, errors, reference_ms);
    free(tone);
    free(dots);
    free(errors);
    return ok;
}

void peer_page_close(struct peer_page *page)
{
    cudaFree(page->tone);
    cudaFree(page->dots);
    cudaFree(page->reference);
    cudaFree(page->error);
    cudaFree(page->flags);
    cudaFree(page->difference);
    if (page->stream)
        cudaStreamDestroy(page->stream);
    *page = {};
}

/* ---- Comparing -------------------------------------------------------- */

/* Adds to difference[0] the dots of row blockIdx.x that are not the
 * reference's, and makes difference[1] the lowest y * PEER_MAX_SIZE + x of
 * them. Grid: a block of THREADS for each row. */
static __global__ void compare_rows(const struct peer_page page)
{
    uint32_t y = blockIdx.x;
    const uint8_t *dots = page.dots + y * page.pitch;
    const uint8_t *reference = page.reference + y * page.pitch;

    for (uint32_t x = threadIdx.x; x < page.size; x += blockDim.x)
        if (dots[x] != reference[x]) {
            unsigned long long at = y;

            atomicAdd(&page.difference[0], 1ull);
            atomicMin(&page.difference[1], at * PEER_MAX_SIZE + x);
        }
}

/* Counts the wrong dots of a run that has ended; keeps the worst run's. */
static bool compare(const struct peer_page *page, struct peer_result *result)
{
    unsigned long long difference[2] = {0, ~0ull};
    uint32_t stuck = 0;

    CUDA_TRY(cudaMemcpy(page->difference, difference, sizeof difference,
                        cudaMemcpyHostToDevice));
    compare_rows<<<page->size, THREADS>>>(*page);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaMemcpy(difference, page->difference, sizeof difference,
                        cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaMemcpy(&stuck, &page->flags[PEER_STUCK], sizeof stuck,
                        cudaMemcpyDeviceToHost));
    result->stuck = result->stuck || stuck;
    if (difference[0] > result->wrong) {
        result->wrong = difference[0];
        result->wrong_x = (uint32_t)(difference[1] % PEER_MAX_SIZE);
        result->wrong_y = (uint32_t)(difference[1] / PEER_MAX_SIZE);
    }
    return true;
}

/* ---- Timing ----------------------------------------------------------- */

/* Spoils what a run left, so that it cannot pass for results of the next:
 * errors become about 16 full inks, and dots neither 0 nor 1. */
static bool spoil(const struct peer_page *page)
{
    size_t cells = page->size * page->pitch;

    CUDA_TRY(cudaMemset(page->dots, 0xee, cells));
    CUDA_TRY(cudaMemset(page->error, 1, cells * sizeof *page->error));
    CUDA_TRY(cudaMemset(page->flags, 0,
                        (PEER_PROGRESS + page->size) * sizeof *page->flags));
    CUDA_TRY(cudaDeviceSynchronize());
    return true;
}

/* Captures a run of the method in a graph; free it with
 * cudaGraphExecDestroy(). */
static bool capture(const struct peer_page *page,
                    const struct peer_method *method, cudaGraphExec_t *out)
{
    cudaGraph_t graph = NULL;

    CUDA_TRY(
        cudaStreamBeginCapture(page->stream, cudaStreamCaptureModeThreadLocal));
    if (!method->run(page))
        return false;
    CUDA_TRY(cudaStreamEndCapture(page->stream, &graph));
    CUDA_TRY(cudaGraphInstantiate(out, graph, 0));
    CUDA_TRY(cudaGraphDestroy(graph));
    CUDA_TRY(cudaGraphUpload(*out, page->stream));
    CUDA_TRY(cudaStreamSynchronize(page->stream));
    return true;
}

/* Runs the method once between two events; *ms is the time between them. */
static bool run_once(const struct peer_page *page,
                     const struct peer_method *method, cudaGraphExec_t graph,
                     double *ms)
{
    cudaEvent_t start, end;
    float elapsed = 0;

    if (!spoil(page))
        return false;
    CUDA_TRY(cudaEventCreate(&start));
    CUDA_TRY(cudaEventCreate(&end));
    CUDA_TRY(cudaEventRecord(start, page->stream));
    if (graph)
        CUDA_TRY(cudaGraphLaunch(graph, page->stream));
    else if (!method->run(page))
        return false;
    CUDA_TRY(cudaEventRecord(end, page->stream));
    CUDA_TRY(cudaEventSynchronize(end));
    CUDA_TRY(cudaEventElapsedTime(&elapsed, start, end));
    CUDA_TRY(cudaEventDestroy(start));
    CUDA_TRY(cudaEventDestroy(end));
    *ms = elapsed;
    return true;
}

bool peer_measure(const struct peer_page *page,
                  const struct peer_method *method, struct peer_result *result)
{
    cudaGraphExec_t graph = NULL;
    std::vector<double> ms(1 + method->runs); /* the first one is the warm-up */

    *result = {};
    if (method->graph && !capture(page, method, &graph))
        return false;
    for (double &run_ms : ms)
        if (!run_once(page, method, graph, &run_ms) || !compare(page, result))
            return false;
    if (graph)
        CUDA_TRY(cudaGraphExecDestroy(graph));
    std::sort(ms.begin() + 1, ms.end());
    result->low = ms[1];
    result->median = ms[1 + method->runs / 2];
    result->high = ms.back();
    return true;
}

static __global__ void count_cycles(long long cycles)
{
    long long start = clock64();

    while (clock64() - start < cycles)
        continue;
}

bool peer_clock(double *mhz)
{
    const long long cycles = 20000000;
    cudaEvent_t start, end;
    float ms = 0;

    CUDA_TRY(cudaEventCreate(&start));
    CUDA_TRY(cudaEventCreate(&end));
    count_cycles<<<1, 1>>>(cycles);
    CUDA_TRY(cudaEventRecord(start));
    count_cycles<<<1, 1>>>(cycles);
    CUDA_TRY(cudaGetLastError());
    CUDA_TRY(cudaEventRecord(end));
    CUDA_TRY(cudaEventSynchronize(end));
    CUDA_TRY(cudaEventElapsedTime(&ms, start, end));
    CUDA_TRY(cudaEventDestroy(start));
    CUDA_TRY(cudaEventDestroy(end));
    *mhz = (double)cycles / (1000.0 * ms);
    return true;
}
