/*
 * worth.c - estimates whether a device is worth it for a page; see worth.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "gpu/cuda/worth.h"
#include "gpu/host/fault.h"
#include "halftone/base/processors.h"
#include "halftone/definition.h"
#include "halftone/method.h"

/* Rough numbers of the machines in lab/doc/performance.md. They need not be
 * exact: for most pages one of the two is several times faster, or both wait
 * for the input. Floyd-Steinberg's launches do not overlap and each takes as
 * long as its rows are wide: its row is that of a launch of 64, as they come.
 */
#define INPUT_BYTES_PER_S 4e9       /* through libcups */
#define COPY_BYTES_PER_S 6e9        /* into pinned memory, by one thread */
#define SWATH_S 1e-6                /* from a swath to the next one */
#define STEP_S 25e-9                /* a column of a swath, */
#define STEP_MEETING_S 57e-9        /* of inks that meet */
#define FS_INK_S 3e-6               /* Floyd-Steinberg: a row of an ink */
#define CPU_FS_PER_S 2.2e9          /* samples, */
#define CPU_FS_MEETING_PER_S 1.1e9  /* of inks that meet */
#define CPU_SEGMENTS_PER_S 1.1e9    /* a thread, */
#define CPU_MEETING_PER_S 500e6     /* with inks that meet */
#define CPU_SEGMENTS 4              /* in a row, for each thread that is busy */
#define CPU_UNBROKEN_PER_S 280e6    /* an ink; inks in one thread, */
#define CPU_INKS 3                  /* at most so many inks' worth; */
#define CPU_MEETING_INK_PER_S 130e6 /* of inks that meet */
#define GPU_SIZES_LONGER 1.6        /* a pixel of several sizes takes, */
#define FS_SIZES_LONGER 5           /* by Floyd-Steinberg, */
#define CPU_SIZES_LONGER 1.3        /* and here */
#define MARGIN 1.2                  /* times faster is no more than hardly so */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Returns how many times as long a pixel takes as one of whole dots, if one of
 * several sizes takes `sizes` times as long. */
static double longer(const ht_page_t *page, double sizes)
{
    return page->levels > 2 ? sizes : 1;
}

static bool is_cut(const ht_page_t *page)
{
    return page->segment != 0 && page->segment < page->width;
}

/* Says whether the page's inks meet; the method's own table, which may not have
 * been made yet, lets them. */
static bool meets(const ht_page_t *page)
{
    if (page->table != NULL)
        return ht_inks_meet(page);
    return page->inks >= 2 && ht_own_table(page)->make != NULL;
}

/* ---- Seconds a row ------------------------------------------------------ */

static size_t row_bytes(const ht_page_t *page)
{
    return (size_t)page->width * page->inks * (page->bits / 8);
}

/* Leaves out the load. */
static double input_seconds(const ht_page_t *page)
{
    return (double)row_bytes(page) / INPUT_BYTES_PER_S;
}

/* Leaves out copies, which go on meanwhile. */
static double device_seconds(const ht_page_t *page)
{
    const ht_method_info_t *info = ht_info_of(page);
    double length = (is_cut(page) ? page->segment : page->width) *
                    longer(page, GPU_SIZES_LONGER);

    if (!info->diffuses)
        return 0;
    if (info->swath == 0)
        return page->inks * FS_INK_S * longer(page, FS_SIZES_LONGER);
    return (SWATH_S + length * (meets(page) ? STEP_MEETING_S : STEP_S)) /
           info->swath;
}

/* Returns how much longer `threads` threads take than they would alone: all
 * that want a processor get the same share. */
static double slowed(unsigned threads, const struct ht_gpu_load *load)
{
    return larger(1, (double)(load->others + threads) / load->online);
}

/* Pages are on the device at the same time only where the ring has room for
 * them, and so only if their height is known. */
static double gpu_seconds(const ht_page_t *page, unsigned pages,
                          const struct ht_gpu_load *load)
{
    double copy = (double)row_bytes(page) / COPY_BYTES_PER_S;
    double fed = larger(copy, input_seconds(page)) * slowed(1, load);

    return larger(device_seconds(page) / (page->height > 0 ? pages : 1), fed);
}

/* Returns how many threads a page with segments keeps busy. */
static unsigned busy_threads(const ht_page_t *page, unsigned allowed)
{
    unsigned segments = (page->width + page->segment - 1) / page->segment;
    unsigned threads = segments > CPU_SEGMENTS ? segments / CPU_SEGMENTS : 1;

    if (page->threads > 0)
        threads = least(threads, page->threads);
    return least(threads, allowed);
}

/* Leaves out the input. */
static double cpu_seconds(const ht_page_t *page, const struct ht_gpu_load *load)
{
    const bool meeting = meets(page);
    double rate = meeting ? CPU_MEETING_INK_PER_S * page->inks
                          : CPU_UNBROKEN_PER_S * least(page->inks, CPU_INKS);
    unsigned threads = 1;

    if (ht_info_of(page)->swath == 0) {
        rate = meeting ? CPU_FS_MEETING_PER_S : CPU_FS_PER_S;
    } else if (is_cut(page)) {
        threads = busy_threads(page, load->allowed);
        rate = (meeting ? CPU_MEETING_PER_S : CPU_SEGMENTS_PER_S) * threads;
    }
    return (double)page->width * page->inks * longer(page, CPU_SIZES_LONGER) /
           rate * slowed(threads, load);
}

/* ---- A page ----------------------------------------------------------- */

/* A CPU that is faster than the input is never MARGIN times as slow as a device
 * that waits for the same. */
double ht_gpu_gain(const ht_page_t *page, unsigned pages,
                   const struct ht_gpu_load *load)
{
    double rows = page->height > 0 ? page->height : page->width;

    assert(pages > 0 && load->allowed > 0 && load->online > 0);
    if (!ht_info_of(page)->diffuses)
        return 0;
    double gpu = gpu_seconds(page, pages, load), cpu = cpu_seconds(page, load);
    return cpu > MARGIN * gpu ? rows * (cpu - gpu) : 0;
}

bool ht_gpu_slower_than_input(const ht_page_t *page)
{
    return device_seconds(page) > 2 * input_seconds(page);
}

struct ht_gpu_load ht_gpu_load_now(void)
{
    const char *wanted = ht_load_wanted();

    return (struct ht_gpu_load){
        .allowed = ht_processors(),
        .online = ht_online_processors(),
        .others = wanted != NULL ? ht_others_in(wanted, 1) : ht_others()};
}
