/*
 * gpu_peers.h - the published ways to run Floyd-Steinberg on a GPU, to measure
 * against: one page, the methods, and the result of a measurement.
 *
 * All methods compute one function, in whole numbers only, so that their dots
 * can be compared bit by bit. A tone s is 0 (no ink) to 255 (full ink), an
 * error is counted in 1/4096 of a tone step:
 *
 *   sum(y,x) = 65536 s(y,x) + 8 + 7 e(y,x-1) + 1 e(y-1,x-1) + 5 e(y-1,x)
 *                               + 3 e(y-1,x+1)
 *   v = floor(sum / 16)
 *   dot = 1 where v > 255 * 4096 / 2, else 0
 *   e(y,x) = v - 255 * 4096 * dot
 *
 * with e = 0 outside the page. Only the whole sum is rounded, so a pixel that
 * pushes 7 e, 3 e, 5 e and e to its neighbours (error diffusion) and a pixel
 * that pulls them from its neighbours (error collection) add up the same sum in
 * another order. |e| is at most 255 * 2048 and |sum| below 2^25.
 *
 * This is the classic algorithm of the papers, not the one of
 * doc/dev/halftone.md, which has rules of its own for white, solid, sides and
 * start.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef GPU_PEERS_H
#define GPU_PEERS_H

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#define PEER_MAX_SIZE 32768u /* pixels a side */
#define PEER_MIN_MARGIN 33u  /* errors that a strip reads ahead at its start */

/* Words of peer_page.flags. A strip's progress marker is word PEER_PROGRESS
 * plus its number. */
enum { PEER_TICKET, PEER_STUCK, PEER_PROGRESS };

/*
 * A square page in the device's memory, owned from peer_page_open() to
 * peer_page_close(). Passed to kernels by value.
 */
struct peer_page {
    uint32_t size;      /* pixels a side, 1 to PEER_MAX_SIZE */
    size_t pitch;       /* elements from row to row in all arrays: a multiple
                           of 128, at least size + 32 */
    uint8_t *tone;      /* [size][pitch] 0 = no ink .. 255 = full ink */
    uint8_t *dots;      /* [size][pitch] 0 or 1 = ink; a method's result */
    uint8_t *reference; /* [size][pitch] the dots of a sequential run */
    int32_t *error;     /* [size + 32][pitch] scratch of the methods */
    uint32_t *flags;    /* ticket, stuck, progress markers */
    unsigned long long *difference; /* [2] dots that differ, the first one */
    uint32_t strip_rows; /* rows of a strip: a multiple of 32, 32 to 1024 */
    uint32_t margin;     /* start-up margin, pixels: PEER_MIN_MARGIN and up */
    cudaStream_t stream;
};

/* A way to do it. */
struct peer_method {
    const char *name, *text;
    bool exact;    /* false: its dots may be wrong; they are only counted */
    bool graph;    /* true: its launches are captured in a CUDA graph once */
    uint32_t runs; /* timed runs, an odd number */

    /* Queues all work from tone to dots on page->stream; does not wait. Returns
     * false after an ERROR: line. */
    bool (*run)(const struct peer_page *page);
};

/* The result of measuring a method on a page. */
struct peer_result {
    double median, low, high;  /* ms from tone to dots in the device's memory */
    uint64_t wrong;            /* dots that differ from the reference: the
                                  worst of all runs, the warm-up included */
    uint32_t wrong_x, wrong_y; /* the first of them */
    bool stuck; /* a wait was given up, so the dots are no result */
};

/* The methods, in gpu_peers_pixel.cu, _block.cu, _strips.cu and _ticket.cu. */
bool peer_pwed(const struct peer_page *page);
bool peer_pwec(const struct peer_page *page);
bool peer_bwed(const struct peer_page *page);
bool peer_bwec(const struct peer_page *page);
bool peer_strips_margin(const struct peer_page *page);
bool peer_strips_flag(const struct peer_page *page);
bool peer_ticket(const struct peer_page *page);

/*
 * Makes the page: a synthetic photo (ramps and texture, no two areas alike),
 * its reference dots by a plain sequential run on the CPU, and the methods'
 * memory. *reference_ms is the time of that run, on one thread. Returns false
 * after an ERROR: line; peer_page_close() is due in either case.
 */
bool peer_page_open(struct peer_page *page, uint32_t size, uint32_t strip_rows,
                    uint32_t margin, double *reference_ms);
void peer_page_close(struct peer_page *page);

/* Runs a method once to warm up and then method->runs times, timed; compares
 * each run with the reference. Returns false after an ERROR: line when CUDA
 * fails. */
bool peer_measure(const struct peer_page *page,
                  const struct peer_method *method, struct peer_result *result);

/* Measures the clock that the multiprocessors run at just now. Returns false
 * after an ERROR: line. */
bool peer_clock(double *mhz);

/* Prints an ERROR: line with `what` unless status is cudaSuccess. Returns
 * whether it is. */
bool peer_cuda_ok(cudaError_t status, const char *what, const char *file,
                  int line);

/* Leaves the calling function with false when a CUDA call fails. */
#define CUDA_TRY(call)                                                         \
    do {                                                                       \
        if (!peer_cuda_ok((call), #call, __FILE__, __LINE__))                  \
            return false;                                                      \
    } while (0)

#endif
