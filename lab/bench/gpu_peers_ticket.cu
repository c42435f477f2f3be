/*
 * gpu_peers_ticket.cu - the work groups of "When Parallelism Gets Tricky:
 * Accelerating Floyd-Steinberg on the Mali GPU" (ARM, 2014): a group does
 * strip_rows rows, a thread a row; an atomic ticket tells a group which rows
 * are its own, in the order in which groups get to run; and a thread goes on
 * only as far as the progress marker of the row above allows.
 *
 * This is the article's form for GPUs whose threads run in lockstep: a thread
 * that must wait goes round the loop once more instead of standing still. The
 * article's markers are plain volatile words; here they are set with release
 * and read with acquire: within a group by its own threads, and between groups
 * every PUBLISH pixels, since a release to the whole device is slow.
 *
 * Kinder than the article's code: the share of the pixel to the right stays in
 * a register and a row's three shares of a pixel below are summed in registers,
 * so the error buffer is written and read once a pixel and never zeroed; and a
 * row need be only two pixels ahead, not three.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_peers_device.h"

#define PUBLISH 32u /* pixels between a group's progress marks */
#define IDLE_ROUNDS                                                            \
    (1u << 25) /* rounds without progress, after which a row gives up */

using group_word = cuda::atomic_ref<uint32_t, cuda::thread_scope_block>;

/* A thread's row, and how far it is. */
struct ticket_row {
    uint32_t x;           /* pixels done */
    uint32_t y, size;     /* of the page */
    uint32_t seen;        /* pixels that the row above is known to have done */
    int32_t west;         /* error of the last pixel, */
    int32_t southwest;    /* sum so far of what the pixel below it gets */
    const int32_t *above; /* 16 times what the row above gives to each pixel */
    int32_t *below;       /* the same for the row below; NULL: none */
    uint8_t *dots;
    uint64_t word;
    struct peer_reader tones;
};

/* Does the row's next pixel, and completes the sum of the pixel below left. */
static __device__ void do_pixel(struct ticket_row *row)
{
    uint32_t x = row->x++;
    int32_t e = 0, inherited = row->above ? row->above[x] : 0;
    bool dot = peer_dot(
        peer_tone(peer_read(&row->tones, x)) + 7 * row->west + inherited, &e);

    peer_write(row->dots, &row->word, x, row->size, dot);
    if (row->below) {
        if (x > 0)
            row->below[x - 1] = row->southwest + 3 * e;
        row->southwest = row->west + 5 * e;
        if (x + 1 == row->size)
            row->below[x] = row->southwest;
    }
    row->west = e;
}

static __device__ struct ticket_row open_row(const struct peer_page &page,
                                             uint32_t y)
{
    bool on_page = y < page.size;
    size_t at = (on_page ? y : 0) * page.pitch;

    return {on_page ? 0 : page.size,
            y,
            page.size,
            y == 0 ? page.size : 0,
            0,
            0,
            y == 0 ? NULL : page.error + at,
            y + 1 < page.size ? page.error + at + page.pitch : NULL,
            page.dots + at,
            0,
            peer_reader_at(page.tone + at)};
}

/* Does one group of rows a block. Shared memory: uint32_t [blockDim.x], the
 * pixels done of each row. */
static __global__ void run_groups(const struct peer_page page)
{
    extern __shared__ uint32_t done[];
    __shared__ uint32_t ticket;
    uint32_t r = threadIdx.x, rows = blockDim.x;

    if (r == 0)
        ticket = atomicAdd(&page.flags[PEER_TICKET], 1u);
    done[r] = 0;
    __syncthreads();

    uint32_t group = ticket, idle = 0;
    uint32_t *progress = &page.flags[PEER_PROGRESS + group];
    peer_word<uint32_t> stuck(page.flags[PEER_STUCK]);
    struct ticket_row row = open_row(page, group * rows + r);

    while (__any_sync(0xffffffffu, row.x < page.size)) {
        uint32_t need = min(row.x + 2, page.size);

        if (row.x == page.size)
            continue;
        if (row.seen < need)
            row.seen =
                r > 0 ? group_word(done[r - 1]).load(cuda::memory_order_acquire)
                      : peer_word<uint32_t>(progress[-1])
                            .load(cuda::memory_order_acquire);
        if (row.seen >= need) {
            do_pixel(&row);
            idle = 0;
            if (r + 1 < rows)
                group_word(done[r]).store(row.x, cuda::memory_order_release);
            else if (row.x % PUBLISH == 0 || row.x == page.size)
                peer_word<uint32_t>(*progress).store(
                    row.x, cuda::memory_order_release);
        } else if (++idle == IDLE_ROUNDS) {
            stuck.store(1, cuda::memory_order_relaxed);
            row.x = page.size;
        } else if (idle % 1024 == 0 && stuck.load(cuda::memory_order_relaxed)) {
            row.x = page.size;
        }
    }
}

bool peer_ticket(const struct peer_page *page)
{
    uint32_t rows = page->strip_rows;
    uint32_t groups = (page->size + rows - 1) / rows;

    CUDA_TRY(cudaMemsetAsync(page->flags, 0,
                             (PEER_PROGRESS + groups) * sizeof *page->flags,
                             page->stream));
    run_groups<<<groups, rows, rows * sizeof(uint32_t), page->stream>>>(*page);
    CUDA_TRY(cudaGetLastError());
    return true;
}
