/*
 * gpu_stream_main.c - times the CUDA engine from host to host: many CMYK pages
 * at the same time, each in a thread and an engine of its own, of TDFED4 and of
 * Screen; and what the same memory and device copy without halftoning.
 *
 *   gpu-stream MODULE
 *
 * Samples lie in pinned memory, where ht_engine_buffer() lets a caller write
 * them; the first page of each thread, which is not timed, fills it. The time
 * is from before the threads start until all dots are collected, with each
 * page's opening and closing. The copy is the best of seven.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "halftone/halftone.h"

#define WIDTH 5088u /* Letter at 600 dpi */
#define ROWS 6592u
#define INKS 4u
#define BAND 824u /* an eighth */
#define PAGES 4   /* a thread */
#define MOST_THREADS 32
#define COPY_BYTES ((size_t)256 << 20)

struct stream_worker {
    pthread_t thread;
    ht_method_t method;
    uint64_t seed;
    unsigned pages;
    bool ok;
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Smooth tones with some noise: never blank, never flat. */
static void fill(uint8_t *samples, size_t count, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        samples[i] = (uint8_t)(40 + (i / 37 & 127) + (*seed >> 59));
    }
}

static bool print_page(struct stream_worker *worker, uint8_t *dots, bool first)
{
    ht_page_t page = {.method = worker->method,
                      .width = WIDTH,
                      .inks = INKS,
                      .bits = 8,
                      .segment = HT_DEFAULT_SEGMENT,
                      .band = BAND};
    ht_engine_t *engine = NULL;
    size_t done = 0;
    bool ok = ht_engine_open(&engine, "cuda", &page) == HT_OK;

    while (ok && done < ROWS) {
        size_t room = 0, rows = BAND, ready = ht_engine_ready(engine);

        if (ready > BAND)
            ok = ht_engine_collect(engine, dots, ready - BAND) == HT_OK;
        uint8_t *buffer = ht_engine_buffer(engine, &room);
        if (!ok || buffer == NULL)
            break;
        rows = room < rows ? room : rows;
        rows = ROWS - done < rows ? ROWS - done : rows;
        if (first)
            fill(buffer, rows * INKS * WIDTH, &worker->seed);
        ok = ht_engine_submit(engine, buffer, NULL, rows) == HT_OK;
        done += rows;
    }
    ok = ok && done == ROWS && ht_engine_end(engine) == HT_OK;
    while (ok && ht_engine_ready(engine) > 0) {
        size_t ready = ht_engine_ready(engine);
        ok = ht_engine_collect(engine, dots, ready < BAND ? ready : BAND) ==
             HT_OK;
    }
    ok = ok && ht_engine_trouble(engine) == NULL;
    ht_engine_close(engine);
    return ok;
}

static void *work(void *argument)
{
    struct stream_worker *worker = argument;
    uint8_t *dots = malloc((size_t)(BAND + 4) * INKS * ((WIDTH + 7) / 8));

    worker->ok = dots != NULL;
    for (unsigned i = 0; worker->ok && i < worker->pages; i++)
        worker->ok = print_page(worker, dots, worker->pages == 1);
    free(dots);
    return NULL;
}

/* Returns the seconds for `pages` pages in each of `threads` threads; below 0 =
 * failed. */
static double run(ht_method_t method, unsigned threads, unsigned pages)
{
    struct stream_worker worker[MOST_THREADS];
    double begin = now();
    bool ok = true;

    for (unsigned i = 0; i < threads; i++) {
        worker[i] = (struct stream_worker){
            .method = method, .seed = i + 1, .pages = pages};
        if (pthread_create(&worker[i].thread, NULL, work, &worker[i]) != 0) {
            ok = false;
            threads = i;
        }
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(worker[i].thread, NULL);
        ok = ok && worker[i].ok;
    }
    return ok ? now() - begin : -1;
}

/* Returns bytes a second from pinned memory to the device; 0 = failed. */
static double copy_rate(void)
{
    void *host, *device;
    double best = 0;

    if (cudaHostAlloc(&host, COPY_BYTES, cudaHostAllocDefault) != cudaSuccess ||
        cudaMalloc(&device, COPY_BYTES) != cudaSuccess)
        return 0;
    memset(host, 0x5a, COPY_BYTES);
    for (int i = 0; i < 7; i++) {
        double begin = now();
        cudaMemcpy(device, host, COPY_BYTES, cudaMemcpyHostToDevice);
        double rate = (double)COPY_BYTES / (now() - begin);
        best = rate > best ? rate : best;
    }
    cudaFreeHost(host);
    cudaFree(device);
    return best;
}

/* Prints a line; false = failed. */
static bool measure(ht_method_t method, unsigned threads, double copy)
{
    double page = (double)WIDTH * ROWS * INKS;

    if (run(method, threads, 1) < 0) /* fills the buffers that wait */
        return false;
    double seconds = run(method, threads, PAGES);
    if (seconds < 0)
        return false;
    double rate = page * PAGES * threads / seconds;
    printf("%-6s %2u CMYK pages at the same time %7.1f GB/s, %5.1f %% of "
           "the copy, %6.2f ms a page\n",
           ht_method_info(method)->name, threads, rate / 1e9, 100 * rate / copy,
           1e3 * seconds / PAGES / threads);
    return true;
}

int main(int argc, char **argv)
{
    bool ok = true;

    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
    if (argc < 2 || ht_engine_use_module(argv[1]) != HT_OK) {
        fputs("usage: gpu-stream MODULE\n", stderr);
        return 1;
    }
    double copy = copy_rate();
    if (copy == 0) {
        fputs("gpu-stream: no memory for the copy\n", stderr);
        return 1;
    }
    printf("copy to the device                 %7.1f GB/s\n", copy / 1e9);
    for (unsigned threads = 1; ok && threads <= MOST_THREADS; threads *= 2)
        ok = measure(HT_TDFED4, threads, copy);
    for (unsigned threads = 1; ok && threads <= MOST_THREADS; threads *= 32)
        ok = measure(HT_SCREEN, threads, copy);
    ht_engine_release();
    return ok ? 0 : 1;
}
