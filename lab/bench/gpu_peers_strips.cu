/*
 * gpu_peers_strips.cu - skewed scan-line strips of Seong, Ahn and Sung: a
 * thread block does a strip of rows, thread r row r, two pixels behind thread
 * r - 1; all of a strip step together, errors pass through shared memory, and
 * the last row's errors go to the next strip through the device's memory.
 *
 * Two ways to keep a strip behind the one above it:
 *
 *   margin  the paper's: start when the last row above has done `margin`
 *           pixels, then run on, in the hope that it stays ahead. Nothing
 *           orders the reads after the writes: the dots may be wrong.
 *   flag    every PUBLISH pixels the last row publishes how far it is, with
 *           release; the next strip reads that with acquire before it reads
 *           the errors. Always right.
 *
 * Kinder to the method than the paper's code: strips are numbered by a ticket
 * in the order in which they get to run, so none can wait for one that cannot
 * run; tones, dots and the errors from above are read ahead and written in
 * words instead of one by one; and of the paper's four columns of shared errors
 * two suffice, since a thread keeps what it read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_peers_device.h"

#define AHEAD 16u /* errors of the strip above, read at a time */

/* Pixels between two progress marks: a release waits until all earlier writes
 * have arrived, some 500 cycles. */
#define PUBLISH 32u

static_assert(PEER_MIN_MARGIN >= 2 * AHEAD + 1,
              "a strip starts by reading this many errors");
static_assert(AHEAD <= 32, "a warp reads them");

/* The last row of the strip above, for the first warp of a strip. */
struct above {
    uint32_t *marker, *stuck; /* marker NULL: there is no strip above */
    int32_t *errors;
    uint32_t size, seen;
    bool flagged;
};

/* Returns this lane's one of the AHEAD errors from column x on; 0 outside the
 * page. All lanes of the warp call it together. */
static __device__ int32_t errors_above(struct above *above, uint32_t x)
{
    uint32_t lane = threadIdx.x, need = min(x + AHEAD, above->size);

    if (above->marker == NULL || x >= above->size)
        return 0;
    if (above->flagged && lane == 0 && above->seen < need)
        above->seen = peer_wait(above->marker, need, above->stuck);
    __syncwarp();
    return lane < AHEAD && x + lane < above->size
               ? peer_word<int32_t>(above->errors[x + lane])
                     .load(cuda::memory_order_relaxed)
               : 0;
}

/* Hands on the error of pixel x of a strip's last row. */
static __device__ void hand_on(const struct peer_page &page, uint32_t strip,
                               bool flagged, uint32_t x, int32_t e)
{
    uint32_t done = x + 1;
    bool mark = flagged ? done % PUBLISH == 0 || done == page.size
                        : done == min(page.margin, page.size);

    peer_word<int32_t>(page.error[strip * page.pitch + x])
        .store(e, cuda::memory_order_relaxed);
    if (mark)
        peer_word<uint32_t>(page.flags[PEER_PROGRESS + strip])
            .store(done, cuda::memory_order_release);
}

/* Returns the strip above, when it is far enough for this one to start. All
 * lanes of the warp call it together. */
static __device__ struct above strip_above(const struct peer_page &page,
                                           uint32_t strip, bool flagged)
{
    struct above above = {NULL,   &page.flags[PEER_STUCK], NULL, page.size, 0,
                          flagged};

    if (strip == 0)
        return above;
    above.marker = &page.flags[PEER_PROGRESS + strip - 1];
    above.errors = page.error + (strip - 1) * page.pitch;
    if (!flagged && threadIdx.x == 0)
        peer_wait(above.marker, min(page.margin, page.size), above.stuck);
    __syncwarp();
    return above;
}

/*
 * Does one strip a block, whose thread r in step t does pixel t - 2r of its
 * row: the errors above left, above and above right of it were made in the
 * steps t - 3, t - 2 and t - 1. Shared memory: int32_t [2][blockDim.x], the
 * errors of this step and of the one before.
 */
static __global__ void scan_strips(const struct peer_page page, bool flagged)
{
    extern __shared__ int32_t passed[];
    __shared__ int32_t from_above[AHEAD];
    __shared__ uint32_t ticket;
    uint32_t rows = blockDim.x, r = threadIdx.x, n = page.size;

    if (r == 0)
        ticket = atomicAdd(&page.flags[PEER_TICKET], 1u);
    passed[rows + r] = 0;
    __syncthreads();

    uint32_t strip = ticket, y = strip * rows + r;
    bool on_page = y < n, hands_on = r + 1 == rows && y + 1 < n;
    size_t row = (on_page ? y : 0) * page.pitch;
    struct peer_reader tones = peer_reader_at(page.tone + row);
    uint64_t dots = 0;
    int32_t north = 0, northeast = 0, west = 0, next = 0;
    struct above above = {};

    if (r < 32) {
        above = strip_above(page, strip, flagged);
        next = errors_above(&above, 0);
        if (r == 0)
            northeast = next;
        next = errors_above(&above, 1);
    }
    for (uint32_t t = 0; t < n + 2 * (rows - 1); t++) {
        if (r < 32 && t % AHEAD == 0) {
            if (r < AHEAD)
                from_above[r] = next;
            __syncwarp();
            next = errors_above(&above, t + AHEAD + 1);
        }
        uint32_t x = t - 2 * r; /* wraps before the row's start */
        int32_t northwest = north, e = 0;

        north = northeast;
        northeast =
            r == 0 ? from_above[t % AHEAD] : passed[(t + 1) % 2 * rows + r - 1];
        if (x < n && on_page) {
            int32_t sum = peer_tone(peer_read(&tones, x)) + 7 * west +
                          northwest + 5 * north + 3 * northeast;

            bool dot = peer_dot(sum, &e);
            peer_write(page.dots + row, &dots, x, n, dot);
            if (hands_on)
                hand_on(page, strip, flagged, x, e);
        }
        west = e;
        passed[t % 2 * rows + r] = e;
        __syncthreads();
    }
}

static bool launch_strips(const struct peer_page *page, bool flagged)
{
    uint32_t rows = page->strip_rows;
    uint32_t strips = (page->size + rows - 1) / rows;

    CUDA_TRY(cudaMemsetAsync(page->flags, 0,
                             (PEER_PROGRESS + strips) * sizeof *page->flags,
                             page->stream));
    scan_strips<<<strips, rows, 2 * rows * sizeof(int32_t), page->stream>>>(
        *page, flagged);
    CUDA_TRY(cudaGetLastError());
    return true;
}

bool peer_strips_margin(const struct peer_page *page)
{
    return launch_strips(page, false);
}

bool peer_strips_flag(const struct peer_page *page)
{
    return launch_strips(page, true);
}
