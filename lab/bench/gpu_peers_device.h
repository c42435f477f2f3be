/*
 * gpu_peers_device.h - what the kernels of the peers share: the arithmetic of
 * gpu_peers.h, rows read and written eight pixels at a time, and words passed
 * between blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GPU_PEERS_DEVICE_H
#define GPU_PEERS_DEVICE_H

#include <cuda/atomic>

#include "gpu_peers.h"

#define PEER_INK (255 * 4096) /* full ink, in 1/4096 of a tone step */

/* Returns what a pixel's tone adds to its sum, with the half for rounding. */
static __host__ __device__ inline int32_t peer_tone(uint8_t tone)
{
    return tone * 65536 + 8;
}

/* Returns the dot of a sum, and sets *error to the error that it leaves. */
static __host__ __device__ inline bool peer_dot(int32_t sum, int32_t *error)
{
    int32_t v = sum >> 4;
    bool dot = v > PEER_INK / 2;

    *error = v - (dot ? PEER_INK : 0);
    return dot;
}

/* A row of tones, read 16 to 24 pixels ahead of their use. */
struct peer_reader {
    const uint64_t *row;
    uint64_t now, next, later; /* eight tones each, the next one lowest */
};

static __device__ inline struct peer_reader peer_reader_at(const uint8_t *row)
{
    const uint64_t *words = (const uint64_t *)row;

    return {words, 0, words[0], words[1]};
}

/* Returns the tone of pixel x; call it for x = 0, 1, 2 ... in turn. Reads up to
 * 23 pixels behind x, within the row's pitch. */
static __device__ inline uint8_t peer_read(struct peer_reader *reader,
                                           uint32_t x)
{
    if (x % 8 == 0) {
        reader->now = reader->next;
        reader->next = reader->later;
        reader->later = reader->row[x / 8 + 2];
    }
    uint8_t tone = (uint8_t)reader->now;
    reader->now >>= 8;
    return tone;
}

/* Adds the dot of pixel x = 0, 1, 2 ... of a row of n to `word`; stores the
 * word when it is full or the row ends. */
static __device__ inline void peer_write(uint8_t *row, uint64_t *word,
                                         uint32_t x, uint32_t n, bool dot)
{
    *word = *word >> 8 | (uint64_t)dot << 56;
    if (x % 8 == 7 || x + 1 == n)
        ((uint64_t *)row)[x / 8] = *word >> 8 * (7 - x % 8);
}

/* A word that blocks pass to each other through the device's memory. */
template <typename word>
using peer_word = cuda::atomic_ref<word, cuda::thread_scope_device>;

#define PEER_SPINS (1u << 22) /* reads until a wait is given up */

/*
 * Waits until the marker is at least `need`, and returns it; all that was
 * written before it was set is then visible. A wait that lasts too long is
 * given up, here and wherever another thread waits: the page's stuck flag is
 * set and the dots are worthless, but the kernel ends.
 */
static __device__ inline uint32_t peer_wait(uint32_t *marker, uint32_t need,
                                            uint32_t *stuck)
{
    uint32_t seen = 0;

    for (uint32_t spins = 1;; spins++) {
        seen = peer_word<uint32_t>(*marker).load(cuda::memory_order_acquire);
        if (seen >= need)
            return seen;
        if (spins % 64 == 0 &&
            peer_word<uint32_t>(*stuck).load(cuda::memory_order_relaxed))
            return need;
        if (spins == PEER_SPINS) {
            peer_word<uint32_t>(*stuck).store(1, cuda::memory_order_relaxed);
            return need;
        }
    }
}

#endif
