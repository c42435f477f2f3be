/*
 * choice.c - decides whether the next page goes to a device; see choice.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>

#include "gpu/cuda/choice.h"
#include "gpu/cuda/start.h"
#include "gpu/cuda/worth.h"

static atomic_uint asked; /* calls of ht_gpu_pays() */

double ht_gpu_most_gain(const ht_page_t *page)
{
    const struct ht_gpu_load load = ht_gpu_load_now();

    return ht_gpu_gain(page, page->pages > 0 ? page->pages : 1, &load);
}

/* Returns how many pages are likely to be on the device at the same time.
 * Nobody knows how many a job has; as good a guess as any is that it is half
 * over. */
static unsigned likely_pages(const ht_page_t *page)
{
    unsigned before = atomic_fetch_add(&asked, 1);

    if (page->pages < 1 || before < 1)
        return 1;
    return before < page->pages ? before : page->pages;
}

bool ht_gpu_pays(const ht_page_t *page, const char **why)
{
    const struct ht_gpu_load load = ht_gpu_load_now();
    unsigned pages = likely_pages(page);

    if (ht_gpu_started(0) < 0) {
        *why = ht_gpu_is_starting() ? "the GPU is not ready yet"
                                    : "the GPU cannot be started";
        return false;
    }
    if (ht_gpu_gain(page, pages, &load) <= 0) {
        *why = "the CPU is as fast for such a page";
        return false;
    }
    *why = "the GPU is faster for such a page";
    return true;
}
