/*
 * gpu_peers_block.cu - block-wise error diffusion and collection (BWED, BWEC)
 * of Kasagi, Nakano and Ito: parallelograms of 32 rows and 32 columns, each
 * done in shared memory by one warp, one launch for all those of a step.
 *
 * Row r of the parallelogram (i, j) is row 32 i + r of the page and begins at
 * its column 32 j - 2 r. Thread r does cell c of it in step c, when its upper
 * neighbours, the cells c - 3, c - 2 and c - 1 of the row above, are done. (i,
 * j) is done in launch 3 i + j: it needs (i, j - 1), (i - 1, j + 1) and (i - 1,
 * j + 2). Errors pass from launch to launch through two arrays:
 *
 *   right [3][32 x rows of blocks]  what passes to the block on the right, by
 *                                   page row
 *   down  [size]                    what passes to the block row below, by page
 *                                   column
 *
 * No column of `down` is read or written by two blocks of a launch: (i, j)
 * reads from 32 j - 1 to 32 j + 32 and writes from 32 j - 63 to 32 j - 30, and
 * its launch's blocks of the rows next to it are 96 columns away.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_peers_device.h"

#define SIDE 32 /* rows and columns of a block; lanes of a warp */
#define SLANT 2 /* columns that a row begins before the one above */
#define REACH 3 /* cells that an error reaches to the right */
#define WIDTH (SIDE + REACH) /* odd: no two rows' cells in one bank */
#define DOT_PITCH (SIDE + 4) /* bytes: likewise for words of dots */

/* The block that a warp does. */
struct block_place {
    int32_t size, left, top; /* of its first row */
    bool first_row, first_column;
    int32_t *right, *down;
    uint32_t right_pitch;
};

static __device__ struct block_place find_place(const struct peer_page &page,
                                                uint32_t step, uint32_t first)
{
    uint32_t i = first + blockIdx.x, j = step - 3 * i;
    uint32_t rows = (page.size + SIDE - 1) / SIDE * SIDE;

    return {(int32_t)page.size,
            (int32_t)(SIDE * j),
            (int32_t)(SIDE * i),
            i == 0,
            j == 0,
            page.error,
            page.error + REACH * rows,
            rows};
}

static __device__ bool inside(const struct block_place &place, int32_t x)
{
    return x >= 0 && x < place.size;
}

/* Loads the tone part of all sums into cells[r][from + c]; 8 outside the
 * page. */
static __device__ void load_tones(const struct peer_page &page,
                                  const struct block_place &place,
                                  int32_t (*cells)[WIDTH], uint32_t from)
{
    int32_t lane = threadIdx.x;

#pragma unroll
    for (int32_t r = 0; r < SIDE; r++) {
        int32_t x = place.left - SLANT * r + lane, y = place.top + r;
        bool on_page = inside(place, x) && y < place.size;

        cells[r][from + lane] =
            peer_tone(on_page ? page.tone[y * page.pitch + x] : 0);
    }
}

static __device__ void store_dots(const struct peer_page &page,
                                  const struct block_place &place,
                                  const uint8_t (*dots)[DOT_PITCH])
{
    int32_t lane = threadIdx.x;

#pragma unroll 8
    for (int32_t r = 0; r < SIDE; r++) {
        int32_t x = place.left - SLANT * r + lane, y = place.top + r;

        if (inside(place, x) && y < place.size)
            page.dots[y * page.pitch + x] = dots[r][lane];
    }
}

/*
 * Diffuses errors in a block of one warp. cells[r][c] is what pixel c of row r
 * got, cells[r][32 + c] what it passes to the right, and cells[32] what the row
 * below gets. Two threads may write in a step to two of the four pixels that
 * get an error, the one to the right and the one below left: atomics, as in the
 * paper.
 *
 * Two blocks give to the first two columns of `down` that a block writes: the
 * left one has set them, so this one adds. The rest it sets.
 */
static __global__ void __launch_bounds__(SIDE)
    diffuse_blocks(const struct peer_page page, uint32_t step, uint32_t first)
{
    __shared__ int32_t cells[SIDE + 1][WIDTH];
    __shared__ uint8_t dots[SIDE][DOT_PITCH];
    struct block_place place = find_place(page, step, first);
    int32_t lane = threadIdx.x;

    load_tones(page, place, cells, 0);
    for (int32_t c = 0; c < REACH; c++)
        cells[lane][SIDE + c] = 0;
    for (int32_t c = lane; c < WIDTH; c += SIDE)
        cells[SIDE][c] = 0;
    __syncwarp();
    if (!place.first_column)
        for (int32_t c = 0; c < REACH; c++)
            cells[lane][c] +=
                place.right[c * place.right_pitch + place.top + lane];
    __syncwarp();
    if (!place.first_row && inside(place, place.left + lane))
        cells[0][lane] += place.down[place.left + lane];
    __syncwarp();

    int32_t *own = cells[lane], *below = cells[lane + 1];
    for (int32_t c = 0; c < SIDE; c++) {
        int32_t e = 0;
        bool dot = peer_dot(own[c], &e);

        dots[lane][c] = dot;
        if (inside(place, place.left - SLANT * lane + c)) {
            atomicAdd(&own[c + 1], 7 * e);
            atomicAdd(&below[c + 1], 3 * e);
            below[c + 2] += 5 * e;
            below[c + 3] += e;
        }
        __syncwarp();
    }

    for (int32_t c = 0; c < REACH; c++)
        place.right[c * place.right_pitch + place.top + lane] =
            cells[lane][SIDE + c];
    int32_t x = place.left - SLANT * SIDE;
    if (lane < 2 && inside(place, x + 1 + lane))
        place.down[x + 1 + lane] += cells[SIDE][1 + lane];
    if (inside(place, x + 3 + lane))
        place.down[x + 3 + lane] = cells[SIDE][3 + lane];
    store_dots(page, place, dots);
}

/*
 * Collects errors in a block of one warp. cells[1 + r][3 + c] holds the tone of
 * pixel c of row r until that is done, and then its error; cells[0] the errors
 * of the row above, and columns 0 to 2 those of the block on the left.
 */
static __global__ void __launch_bounds__(SIDE)
    collect_blocks(const struct peer_page page, uint32_t step, uint32_t first)
{
    __shared__ int32_t cells[SIDE + 1][WIDTH];
    __shared__ uint8_t dots[SIDE][DOT_PITCH];
    struct block_place place = find_place(page, step, first);
    int32_t lane = threadIdx.x;

    load_tones(page, place, cells + 1, REACH);
    for (int32_t c = 0; c < REACH; c++)
        cells[1 + lane][c] =
            place.first_column
                ? 0
                : place.right[c * place.right_pitch + place.top + lane];
    for (int32_t c = lane; c < WIDTH; c += SIDE) {
        int32_t x = place.left - 1 + c;

        cells[0][c] = !place.first_row && inside(place, x) ? place.down[x] : 0;
    }
    __syncwarp();

    int32_t *own = cells[1 + lane], *above = cells[lane];
    int32_t west = own[2], northwest = above[0], north = above[1];
    for (int32_t c = 0; c < SIDE; c++) {
        int32_t northeast = above[c + 2], e = 0;
        bool dot = peer_dot(
            own[c + 3] + 7 * west + northwest + 5 * north + 3 * northeast, &e);

        dots[lane][c] = dot;
        northwest = north;
        north = northeast;
        west = inside(place, place.left - SLANT * lane + c) ? e : 0;
        own[c + 3] = west;
        __syncwarp();
    }

    for (int32_t c = 0; c < REACH; c++)
        place.right[c * place.right_pitch + place.top + lane] =
            cells[1 + lane][SIDE + c];
    int32_t x = place.left - SLANT * (SIDE - 1) + lane;
    if (inside(place, x))
        place.down[x] = cells[SIDE][REACH + lane];
    store_dots(page, place, dots);
}

/* Launches all steps, each with the block rows that have a block in it. */
static bool launch_blocks(const struct peer_page *page, bool diffuse)
{
    uint32_t block_rows = (page->size + SIDE - 1) / SIDE;
    uint32_t block_columns = (page->size - 1 + SLANT * (SIDE - 1)) / SIDE + 1;

    for (uint32_t step = 0; step < 3 * (block_rows - 1) + block_columns;
         step++) {
        uint32_t first =
            step < block_columns ? 0 : (step - block_columns) / 3 + 1;
        uint32_t end = step / 3 < block_rows ? step / 3 + 1 : block_rows;

        if (first >= end)
            continue;
        if (diffuse)
            diffuse_blocks<<<end - first, SIDE, 0, page->stream>>>(*page, step,
                                                                   first);
        else
            collect_blocks<<<end - first, SIDE, 0, page->stream>>>(*page, step,
                                                                   first);
    }
    CUDA_TRY(cudaGetLastError());
    return true;
}

bool peer_bwed(const struct peer_page *page)
{
    return launch_blocks(page, true);
}

bool peer_bwec(const struct peer_page *page)
{
    return launch_blocks(page, false);
}
