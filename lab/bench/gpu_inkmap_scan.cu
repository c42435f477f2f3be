/*
 * gpu_inkmap_scan.cu - Harris's scan, the paper's, and transposes.
 *
 * scan_blocks: grid lines * parts, block half as many threads as a part has
 * pixels; shared: the part. add_carries, carry: each.cuh's grid.
 * scan_lines: grid lines, block up to 1024 threads; shared: the line and a sum
 * for each thread. transpose: a block of 256 threads for each tile of 32 x 32;
 * shared: the tile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lab/bench/gpu_inkmap.h"
#include "gpu/cuda/each.cuh"
#include "gpu/cuda/ptx.cuh"

namespace
{

constexpr uint32_t MOST_THREADS = 1024;
constexpr uint32_t TILE = 32, TILE_ROWS = 8;

/* Lines to be scanned: of a plane's bin in the image, or of numbers. A line is
 * a row of the plane line / rows. */
struct Pixels {
    const uint8_t *image;
    uint32_t rows, pitch, bins;

    __device__ uint32_t at(uint32_t line, uint32_t x) const
    {
        const uint32_t pixel = image[(size_t)(line % rows) * pitch + x];

        return pixel * bins >> 8 == line / rows;
    }
};

struct Numbers {
    const uint32_t *numbers;
    uint32_t pitch;

    __device__ uint32_t at(uint32_t line, uint32_t x) const
    {
        return numbers[(size_t)line * pitch + x];
    }
};

/* Where a number is in shared memory: neighbours in a tree, which are powers of
 * two apart, in other banks. */
__device__ uint32_t padded(uint32_t i)
{
    return i + (i >> 5);
}

/* Makes of `count` numbers, a power of two, the sums before each of them;
 * returns the sum of all. By all threads of a block, count / 2 or more. */
__device__ uint32_t scan_tree(uint32_t *numbers, uint32_t count)
{
    const uint32_t thread = threadIdx.x;
    uint32_t stride = 1;

    for (uint32_t active = count / 2; active > 0; active /= 2, stride *= 2) {
        __syncthreads();
        if (thread < active) {
            const uint32_t right = stride * (2 * thread + 2) - 1;

            numbers[padded(right)] += numbers[padded(right - stride)];
        }
    }
    __syncthreads();
    const uint32_t total = numbers[padded(count - 1)];
    __syncthreads();
    if (thread == 0)
        numbers[padded(count - 1)] = 0;
    for (uint32_t active = 1; active < count; active *= 2) {
        stride /= 2;
        __syncthreads();
        if (thread < active) {
            const uint32_t right = stride * (2 * thread + 2) - 1;
            const uint32_t left = numbers[padded(right - stride)];

            numbers[padded(right - stride)] = numbers[padded(right)];
            numbers[padded(right)] += left;
        }
    }
    __syncthreads();
    return total;
}

/* ---- Harris ------------------------------------------------------------- */

template <class Source>
__global__ void scan_blocks(Source source, uint32_t length, uint32_t parts,
                            uint32_t pitch, uint32_t *out, uint32_t *totals)
{
    uint32_t *numbers = (uint32_t *)shared_memory();
    const uint32_t half = blockDim.x;
    const uint32_t line = blockIdx.x / parts;
    const uint32_t begin = blockIdx.x % parts * 2 * half;
    uint32_t own[2];

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t x = begin + i * half + threadIdx.x;

        own[i] = x < length ? source.at(line, x) : 0;
        numbers[padded(i * half + threadIdx.x)] = own[i];
    }
    const uint32_t total = scan_tree(numbers, 2 * half);

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t x = begin + i * half + threadIdx.x;

        if (x < length)
            out[(size_t)line * pitch + x] =
                numbers[padded(i * half + threadIdx.x)] + own[i];
    }
    if (threadIdx.x == 0)
        totals[blockIdx.x] = total;
}

/* Makes of the parts' sums what is left of each part. */
__global__ void add_carries(uint32_t lines, uint32_t parts, uint32_t *totals)
{
    EACH(line, lines)
    {
        uint32_t *at = totals + line * parts;
        uint32_t before = 0;

        for (uint32_t i = 0; i < parts; i++) {
            const uint32_t here = at[i];

            at[i] = before;
            before += here;
        }
    }
}

/* A block a part, but the first of each line. */
__global__ void carry(uint32_t length, uint32_t parts, uint32_t size,
                      uint32_t pitch, const uint32_t *totals, uint32_t *out)
{
    const uint32_t line = blockIdx.x / (parts - 1);
    const uint32_t part = blockIdx.x % (parts - 1) + 1;
    const uint32_t before = totals[(size_t)line * parts + part];

    for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
        if (part * size + i < length)
            out[(size_t)line * pitch + part * size + i] += before;
}

struct Harris {
    template <class Source>
    static cudaError_t scan(const Source &source, uint32_t lines,
                            uint32_t length, uint32_t pitch, uint32_t *out,
                            uint32_t *totals, cudaStream_t stream)
    {
        uint32_t threads = 32;

        while (threads < MOST_THREADS && 2 * threads < length)
            threads *= 2;
        const uint32_t size = 2 * threads, parts = (length - 1) / size + 1;
        const size_t shared = (size + size / 32) * sizeof(uint32_t);
        cudaError_t error =
            launch(scan_blocks<Source>, lines * parts, threads, shared, stream,
                   source, length, parts, pitch, out, totals);

        if (error == cudaSuccess && parts > 1)
            error = launch(add_carries, blocks_for(lines), THREADS, 0, stream,
                           lines, parts, totals);
        if (error == cudaSuccess && parts > 1)
            error =
                launch(carry, lines * (parts - 1), threads, 0, stream, length,
                       parts, size, pitch, (const uint32_t *)totals, out);
        return error;
    }
};

/* ---- The paper ---------------------------------------------------------- */

/* `each` pixels a thread, a power of two. */
template <class Source>
__global__ void scan_lines(Source source, uint32_t length, uint32_t each,
                           uint32_t pitch, uint32_t *out)
{
    const uint32_t whole = blockDim.x * each;
    uint32_t *numbers = (uint32_t *)shared_memory();
    uint32_t *sums = numbers + padded(whole);
    uint32_t sum = 0;

    for (uint32_t x = threadIdx.x; x < whole; x += blockDim.x)
        numbers[padded(x)] = x < length ? source.at(blockIdx.x, x) : 0;
    __syncthreads();
    for (uint32_t i = 0; i < each; i++) {
        uint32_t &number = numbers[padded(threadIdx.x * each + i)];

        sum += number;
        number = sum;
    }
    sums[padded(threadIdx.x)] = sum;
    scan_tree(sums, blockDim.x);
    sum = sums[padded(threadIdx.x)];
    for (uint32_t i = 0; i < each; i++)
        numbers[padded(threadIdx.x * each + i)] += sum;
    __syncthreads();
    for (uint32_t x = threadIdx.x; x < length; x += blockDim.x)
        out[(size_t)blockIdx.x * pitch + x] = numbers[padded(x)];
}

struct Paper {
    template <class Source>
    static cudaError_t scan(const Source &source, uint32_t lines,
                            uint32_t length, uint32_t pitch, uint32_t *out,
                            uint32_t *, cudaStream_t stream)
    {
        uint32_t threads = 32, each = 2;

        assert(length <= INKMAP_MOST_LINE);
        while (threads < MOST_THREADS && threads * each < length)
            threads *= 2;
        while (threads * each < length)
            each *= 2;
        const uint32_t numbers = threads * (each + 1);

        return launch(scan_lines<Source>, lines, threads,
                      (numbers + numbers / 32 + 1) * sizeof(uint32_t), stream,
                      source, length, each, pitch, out);
    }
};

/* ---- Both directions ---------------------------------------------------- */

__global__ void transpose(const uint32_t *from, uint32_t width, uint32_t height,
                          uint32_t pitch, uint32_t down, uint32_t *to)
{
    uint32_t(*tile)[TILE + 1] = (uint32_t(*)[TILE + 1]) shared_memory();
    const uint32_t across = (width - 1) / TILE + 1;
    const uint32_t tiles = across * ((height - 1) / TILE + 1);
    const uint32_t plane = blockIdx.x / tiles, n = blockIdx.x % tiles;
    const uint32_t left = n % across * TILE, top = n / across * TILE;
    const uint32_t i = threadIdx.x % TILE, j = threadIdx.x / TILE;

    for (uint32_t k = j; k < TILE; k += TILE_ROWS)
        if (left + i < width && top + k < height)
            tile[k][i] =
                from[((size_t)plane * height + top + k) * pitch + left + i];
    __syncthreads();
    for (uint32_t k = j; k < TILE; k += TILE_ROWS)
        if (left + k < width && top + i < height)
            to[((size_t)plane * width + left + k) * down + top + i] =
                tile[i][k];
}

/* Scans rows, then columns. In scratch memory are the transpose and the sums of
 * parts. */
template <class Method>
cudaError_t scan_both(const struct ht_sums *s, const uint8_t *image,
                      void *scratch, uint32_t *table, cudaStream_t stream)
{
    const uint32_t down = inkmap_down(s->height);
    uint32_t *columns = (uint32_t *)scratch;
    uint32_t *totals = columns + (size_t)s->planes * s->width * down;
    cudaError_t error = Method::scan(
        Pixels{image, s->height, s->pitch, s->planes}, s->planes * s->height,
        s->width, s->pitch, table, totals, stream);

    if (error == cudaSuccess)
        error = inkmap_transpose(table, s->planes, s->width, s->height,
                                 s->pitch, down, columns, stream);
    if (error == cudaSuccess)
        error = Method::scan(Numbers{columns, down}, s->planes * s->width,
                             s->height, down, columns, totals, stream);
    if (error == cudaSuccess)
        error = inkmap_transpose(columns, s->planes, s->height, s->width, down,
                                 s->pitch, table, stream);
    return error;
}

} // namespace

uint32_t inkmap_down(uint32_t height)
{
    return (height + TILE - 1) / TILE * TILE;
}

cudaError_t inkmap_transpose(const uint32_t *from, uint32_t planes,
                             uint32_t width, uint32_t height, uint32_t pitch,
                             uint32_t down, uint32_t *to, cudaStream_t stream)
{
    const uint32_t tiles = ((width - 1) / TILE + 1) * ((height - 1) / TILE + 1);

    return launch(transpose, planes * tiles, TILE * TILE_ROWS,
                  TILE * (TILE + 1) * sizeof(uint32_t), stream, from, width,
                  height, pitch, down, to);
}

/* A line has at most as many parts as 2048 pixels go into it, and one. CUB
 * keeps some words for each 1024 or more numbers. */
size_t inkmap_scratch(const struct ht_sums *s)
{
    const size_t parts = (s->width + s->height) / (2 * MOST_THREADS) + 2;
    const size_t lines =
        (size_t)s->planes * (s->width > s->height ? s->width : s->height);

    const size_t numbers =
        (size_t)s->planes * s->width * inkmap_down(s->height);

    return (numbers + numbers / 16 + lines * parts + (1 << 20)) *
           sizeof(uint32_t);
}

cudaError_t inkmap_harris(const struct ht_sums *sums, const uint8_t *image,
                          void *scratch, uint32_t *table, cudaStream_t stream)
{
    return scan_both<Harris>(sums, image, scratch, table, stream);
}

cudaError_t inkmap_paper(const struct ht_sums *sums, const uint8_t *image,
                         void *scratch, uint32_t *table, cudaStream_t stream)
{
    return scan_both<Paper>(sums, image, scratch, table, stream);
}
