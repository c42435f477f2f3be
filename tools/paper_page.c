/*
 * paper_page.c - rows come in batches; of one, threads make the light, each of
 * some columns, while the caller brings the next batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tools/crew.h"
#include "tools/paper_page.h"

#define BATCH_ROWS 32
#define LAG (2 * PAPER_MARGIN) /* rows that come before the first light */

/* Slices a thread, so that none waits long for the others, whatever lies where;
 * columns of a slice, of which PAPER_MARGIN are done twice on either side. */
#define SLICES_A_THREAD 4
#define LEAST_COLUMNS 128

struct slice {
    struct paper_slice *light;
    uint32_t first, columns; /* of the region */
    double *sums;            /* [blocks][3]: light of their rows so far */
};

/* Rows on their way; row 0 of all is PAPER_MARGIN above the region. */
struct paper_batch {
    uint32_t
        *dots;    /* [BATCH_ROWS][stride], the page's from MARGIN columns on */
    uint8_t *out; /* [BATCH_ROWS][blocks][3] */
    uint64_t first;
    uint32_t rows;
};

struct paper_page {
    struct paper_page_job job;
    size_t stride;   /* the page's columns and PAPER_MARGIN on either side */
    uint32_t blocks; /* in a row of the picture */
    uint64_t row;    /* of the page, the next */
    struct paper_light *light;
    struct slice *slices;
    uint32_t count;
    struct crew *crew;
    struct paper_batch batch[2];
    struct paper_batch *coming, *going;
};

/* ---- Open ---------------------------------------------------------------- */

static bool make_slices(struct paper_page *page)
{
    const struct paper_page_job *job = &page->job;
    const uint32_t most = job->threads * SLICES_A_THREAD;
    uint32_t blocks = (page->blocks - 1) / most + 1; /* of a slice */

    if (blocks < (LEAST_COLUMNS - 1) / job->scale + 1)
        blocks = (LEAST_COLUMNS - 1) / job->scale + 1;
    page->slices =
        calloc((page->blocks - 1) / blocks + 1, sizeof(struct slice));
    if (page->slices == NULL)
        return false;
    for (uint32_t at = 0; at < page->blocks; at += blocks) {
        struct slice *slice = &page->slices[page->count++];
        const uint32_t left = job->region.width - at * job->scale;

        slice->first = at * job->scale;
        slice->columns =
            left / blocks < job->scale ? left : blocks * job->scale;
        slice->light = paper_slice_open(page->light, slice->columns);
        slice->sums = calloc((size_t)blocks * 3, sizeof *slice->sums);
        if (slice->light == NULL || slice->sums == NULL)
            return false;
    }
    return true;
}

static bool make_batch(const struct paper_page *page, struct paper_batch *batch)
{
    batch->dots = calloc(BATCH_ROWS * page->stride, sizeof *batch->dots);
    batch->out = malloc((size_t)BATCH_ROWS * page->blocks * 3);
    return batch->dots != NULL && batch->out != NULL;
}

struct paper_page *paper_page_open(const struct paper_page_job *job)
{
    struct paper_page *page = calloc(1, sizeof *page);

    if (page == NULL)
        return NULL;
    page->job = *job;
    page->stride = (size_t)job->layout->width + 2 * PAPER_MARGIN;
    page->blocks = (job->region.width - 1) / job->scale + 1;
    page->coming = &page->batch[0];
    page->going = &page->batch[1];
    page->light = paper_light_open(job->layout, job->area);
    page->crew = crew_open(job->threads);
    if (page->light == NULL || page->crew == NULL || !make_slices(page) ||
        !make_batch(page, page->coming) || !make_batch(page, page->going)) {
        paper_page_close(page);
        return NULL;
    }
    if (job->region.y < PAPER_MARGIN) /* bare paper above the page */
        page->coming->rows = PAPER_MARGIN - job->region.y;
    return page;
}

void paper_page_close(struct paper_page *page)
{
    if (page == NULL)
        return;
    crew_close(page->crew);
    for (uint32_t i = 0; i < page->count; i++) {
        paper_slice_close(page->slices[i].light);
        free(page->slices[i].sums);
    }
    free(page->slices);
    for (int i = 0; i < 2; i++) {
        free(page->batch[i].dots);
        free(page->batch[i].out);
    }
    paper_light_close(page->light);
    free(page);
}

/* ---- A batch ------------------------------------------------------------- */

/* Adds a row of light, [3][columns], to the sums of its blocks. */
static void add_light(const struct paper_page *page, struct slice *slice,
                      const float *light)
{
    const uint32_t scale = page->job.scale;

    for (size_t c = 0; c < 3; c++, light += slice->columns) {
        double *sum = slice->sums + c;

        for (uint32_t x = 0; x < slice->columns; sum += 3)
            for (uint32_t i = 0; i < scale && x < slice->columns; i++, x++)
                *sum += (double)light[x];
    }
}

/* Makes colors of the sums of `rows` rows, which start afresh. The last block
 * of a row may be narrower than the others. */
static void make_colors(const struct paper_page *page, struct slice *slice,
                        uint32_t rows, uint8_t *out)
{
    const uint32_t scale = page->job.scale;
    double *sum = slice->sums;

    for (uint32_t x = 0; x < slice->columns; x += scale)
        for (int c = 0; c < 3; c++, sum++) {
            const uint32_t left = slice->columns - x;
            const double pixels = (double)(left < scale ? left : scale) * rows;

            *out++ = srgb_from_light(page->job.srgb, *sum / pixels);
            *sum = 0;
        }
}

/* Tells whether row `y` of the region is the last of its blocks. */
static bool ends_blocks(const struct paper_page *page, uint64_t y)
{
    return (y + 1) % page->job.scale == 0 || y + 1 == page->job.region.height;
}

/* Returns a batch's row of the picture that has row `y` of the region: y /
 * scale less that of the batch's first row. */
static uint8_t *out_of(const struct paper_page *page,
                       const struct paper_batch *batch, uint64_t y)
{
    const uint64_t first = batch->first < LAG ? 0 : batch->first - LAG;

    return batch->out +
           (y / page->job.scale - first / page->job.scale) * page->blocks * 3;
}

/* Makes a slice of the batch that is going. */
static void make_slice(void *context, uint32_t number)
{
    const struct paper_page *page = context;
    const struct paper_batch *batch = page->going;
    struct slice *slice = &page->slices[number];
    const uint32_t scale = page->job.scale;
    const uint32_t *dots = batch->dots + page->job.region.x + slice->first;

    for (uint32_t i = 0; i < batch->rows; i++, dots += page->stride) {
        const float *light = paper_slice_row(slice->light, dots);
        const uint64_t y = batch->first + i - LAG;

        if (batch->first + i < LAG)
            continue;
        add_light(page, slice, light);
        if (ends_blocks(page, y))
            make_colors(page, slice, (uint32_t)(y % scale + 1),
                        out_of(page, batch, y) + slice->first / scale * 3);
    }
}

/* Puts the rows of a batch whose light is made. */
static bool put_rows(const struct paper_page *page,
                     const struct paper_batch *batch)
{
    bool ok = true;

    for (uint32_t i = 0; ok && i < batch->rows; i++)
        if (batch->first + i >= LAG &&
            ends_blocks(page, batch->first + i - LAG))
            ok = page->job.put(page->job.context,
                               out_of(page, batch, batch->first + i - LAG));
    return ok;
}

/* Lets the crew begin with the batch that has come, and puts the one before. */
static bool hand_over(struct paper_page *page)
{
    struct paper_batch *done = page->going;

    crew_finish(page->crew);
    page->going = page->coming;
    page->coming = done;
    crew_begin(page->crew, page->count, make_slice, page);
    const bool ok = put_rows(page, done);

    memset(done->dots, 0, BATCH_ROWS * page->stride * sizeof *done->dots);
    done->first = page->going->first + page->going->rows;
    done->rows = 0;
    return ok;
}

/* ---- Rows ---------------------------------------------------------------- */

/* Tells whether the picture depends on the page's next row. */
static bool is_seen(const struct paper_page *page)
{
    const struct region *region = &page->job.region;

    return page->row + PAPER_MARGIN >= region->y &&
           page->row < (uint64_t)region->y + region->height + PAPER_MARGIN;
}

uint32_t *paper_page_dots(struct paper_page *page)
{
    if (!is_seen(page))
        return NULL;
    return page->coming->dots + page->coming->rows * page->stride +
           PAPER_MARGIN;
}

bool paper_page_row(struct paper_page *page)
{
    const bool seen = is_seen(page);

    page->row++;
    return !seen || ++page->coming->rows < BATCH_ROWS || hand_over(page);
}

bool paper_page_end(struct paper_page *page)
{
    const uint64_t all = (uint64_t)page->job.region.height + LAG;
    bool ok = true;

    while (ok && page->coming->first + page->coming->rows < all) {
        page->coming->rows++; /* bare paper below the page */
        if (page->coming->rows == BATCH_ROWS)
            ok = hand_over(page);
    }
    ok = ok && hand_over(page);
    crew_finish(page->crew);
    return ok && put_rows(page, page->going);
}
