/*
 * gpu_page.c - a page on the device, without the engine; see gpu_page.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "gpu/cuda/tdfed/lookup.h"
#include "lab/bench/gpu_page.h"
#include "halftone/least.h"
#include "halftone/method.h"

#define ALIGNMENT 256 /* bytes, as cudaMalloc() has it */

/* Offsets in a page's device memory, bytes, of what struct ht_gpu_band points
 * to, and the least samples; `end` is the memory's size. */
struct parts {
    size_t level, tone, spans, entries, pattern, shifts, dots, line, ticket,
        stop, least, end;
};

static bool has_ink(const uint8_t *samples, const struct page_kind *kind,
                    uint32_t ink)
{
    for (size_t y = 0; y < kind->rows; y++) {
        const uint8_t *row = samples + (y * kind->inks + ink) * kind->width;

        for (uint32_t x = 0; x < kind->width; x++)
            if (row[x] != 0)
                return true;
    }
    return false;
}

void page_find_inks(const uint8_t *samples, struct page_kind *kind)
{
    kind->first = 0;
    kind->end = kind->inks;
    while (kind->first + 1 < kind->end && !has_ink(samples, kind, kind->first))
        kind->first++;
    while (kind->first + 1 < kind->end &&
           !has_ink(samples, kind, kind->end - 1))
        kind->end--;
}

static bool compares(const struct page_kind *kind)
{
    return ht_method_info(kind->method)->cells;
}

static bool has_sizes(const struct page_kind *kind)
{
    return kind->levels > 2;
}

static bool is_deep(const struct page_kind *kind)
{
    return kind->samples != SHALLOW || has_sizes(kind);
}

/* Returns curves for any number of inks, static: each a little darker than
 * none, in its own way, or of SHALLOW samples straight. They lie one behind the
 * other. */
static const uint16_t *const *curves(enum samples samples)
{
    static uint16_t curve[HT_MAX_INKS][HT_LEVELS];
    static const uint16_t *of[HT_MAX_INKS];

    for (uint32_t ink = 0; ink < HT_MAX_INKS; ink++) {
        for (uint32_t v = 0; v < HT_LEVELS; v++) {
            const uint32_t more =
                samples == SHALLOW ? 0 : v * (255 - v) / (ink + 4);

            curve[ink][v] = (uint16_t)(257 * v + more);
        }
        of[ink] = curve[ink];
    }
    return of;
}

static ht_page_t shape_of(const struct page_kind *kind)
{
    ht_page_t shape = {.method = kind->method,
                       .width = kind->width,
                       .inks = kind->inks,
                       .bits = kind->samples == DEEP ? 16 : 8,
                       .segment = kind->segment,
                       .band = PAGE_CHECKED_ROWS,
                       .curves =
                           kind->samples == CURVED ? curves(CURVED) : NULL,
                       .levels = kind->levels > 0 ? kind->levels : 2,
                       .mixed = kind->mixed};

    for (uint32_t i = 1; has_sizes(kind) && i < kind->levels; i++)
        shape.area[i - 1] = (uint16_t)(HT_ONE * i / (kind->levels - 1));
    return shape;
}

/* Returns a copy on the device of bytes on the host; cudaFree() it. */
static void *copy_of(const void *host, size_t bytes)
{
    void *device;

    TRY(cudaMalloc(&device, bytes));
    TRY(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    TRY(cudaDeviceSynchronize()); /* non-blocking streams do not wait for the
                                     copy */
    return device;
}

void page_give_samples(struct bench_page *page, const void *samples)
{
    const struct page_kind *kind = &page->kind;
    void *level = (void *)page->band.level, *tone = (void *)page->band.tone;

    if (compares(kind)) {
        TRY(cudaMemcpy(level, samples, page->samples * (page->plan.bits / 8),
                       cudaMemcpyHostToDevice));
    } else if (!is_deep(kind)) {
        TRY(cudaMemcpy(level, samples, page->samples, cudaMemcpyHostToDevice));
    } else if (kind->samples == DEEP) {
        uint16_t *deep = copy_of(samples, page->samples * sizeof *deep);

        TRY(ht_gpu_split(&page->plan, deep, kind->rows, tone, level,
                         page->stream));
        TRY(cudaStreamSynchronize(page->stream));
        TRY(cudaFree(deep));
    } else {
        const size_t size = kind->inks * HT_LEVELS * sizeof(uint16_t);
        uint8_t *shallow = copy_of(samples, page->samples);
        uint16_t *curve = copy_of(curves(kind->samples)[0], size);

        TRY(ht_gpu_look_up(&page->plan, shallow, curve, kind->rows, tone, level,
                           page->stream));
        TRY(cudaStreamSynchronize(page->stream));
        TRY(cudaFree(curve));
        TRY(cudaFree(shallow));
    }
}

/* Returns the page's own table, or one without its rules for inks together; the
 * caller frees it. */
static ht_table_t *table_of(const ht_page_t *shape, bool apart_only)
{
    ht_table_t *own, *apart;

    if (ht_own_table(shape)->make(&own) != HT_OK)
        exit(1);
    if (!apart_only)
        return own;
    if (ht_table_new(&apart, ht_table_tones(own), NULL, NULL) != HT_OK)
        exit(1);
    ht_table_free(own);
    return apart;
}

/* Returns where the cuts of each swath begin; the caller frees them. */
static uint32_t *make_shifts(const struct ht_scan *scan, size_t swaths)
{
    uint32_t *shifts = malloc(swaths * sizeof *shifts);
    struct ht_place place;

    if (shifts == NULL)
        exit(1);
    ht_place_first(scan, &place);
    for (uint32_t r = 0; r < HT_PREROLL; r++)
        ht_place_next(scan, &place);
    for (size_t s = 0; s < swaths; s++) {
        shifts[s] = place.shift;
        for (uint32_t r = 0; r < scan->swath; r++)
            ht_place_next(scan, &place);
    }
    return shifts;
}

static void make_plan(struct bench_page *page, const ht_page_t *shape,
                      const struct ht_scan *scan)
{
    const struct page_kind *kind = &page->kind;

    page->plan = (struct ht_gpu_plan){.width = kind->width,
                                      .planes = kind->inks,
                                      .first = kind->first,
                                      .inks = kind->end - kind->first,
                                      .bits = is_deep(kind) ? 16 : 8,
                                      .segment = scan->segment,
                                      .meets = scan->table->rules.together,
                                      .meeting = ht_rules_of(shape),
                                      .sizes = scan->sizes};
    ht_gpu_plan_make(&page->plan, scan->swath);
    page->plan.pages = kind->pages;
    TRY(ht_gpu_prepare(&page->plan));
}

/* Reserves `bytes` at *end, and moves that; returns their offset. */
static size_t put(size_t *end, size_t bytes)
{
    size_t begin = *end;

    *end += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return begin;
}

static struct parts parts_of(const struct bench_page *page, size_t swaths)
{
    const struct page_kind *kind = &page->kind;
    const size_t padded = page->samples + 2 * HT_GPU_PAD;
    struct parts at = {.end = 0};

    at.level = put(&at.end, padded);
    at.dots = put(&at.end, page->dots);
    at.entries = put(&at.end, HT_GPU_ENTRIES * sizeof(struct ht_gpu_entry));
    at.pattern = put(&at.end, HT_PATTERN_BYTES);
    at.shifts = put(&at.end, swaths * sizeof(uint32_t));
    at.line = put(&at.end, page->lines * sizeof(uint32_t));
    at.ticket = put(&at.end, sizeof(uint32_t));
    at.stop = put(&at.end, sizeof(int));
    at.tone = put(&at.end, is_deep(kind) ? padded * sizeof(int16_t) : 0);
    at.spans = put(&at.end, has_sizes(kind) ? padded * sizeof(uint16_t) : 0);
    return at;
}

/* Makes the device's memory, zeros, of so many bytes, and returns it. */
static uint8_t *make_memory(struct bench_page *page, size_t bytes)
{
    TRY(cudaMalloc((void **)&page->memory, bytes));
    TRY(cudaMemset(page->memory, 0, bytes));
    return page->memory;
}

/* Opens a page of Screen: its samples, its least samples and its dots. */
static void open_compared(struct bench_page *page)
{
    const struct page_kind *kind = &page->kind;
    const ht_page_t shape = shape_of(kind);
    const size_t bytes = ht_least_bytes(&shape);
    const size_t padded = page->samples * (shape.bits / 8) + 2 * HT_GPU_PAD;
    uint8_t *least = malloc(bytes);
    struct parts at = {.end = 0};
    int16_t *ranks;

    if (least == NULL || ht_ranks_new(&ranks, &shape) != HT_OK)
        exit(1);
    ht_find_least(&shape, ranks, least);
    at.level = put(&at.end, padded);
    at.dots = put(&at.end, page->dots);
    at.least = put(&at.end, bytes);
    uint8_t *memory = make_memory(page, at.end);
    TRY(cudaMemcpy(memory + at.least, least, bytes, cudaMemcpyHostToDevice));
    page->plan = (struct ht_gpu_plan){.width = kind->width,
                                      .planes = kind->inks,
                                      .first = kind->first,
                                      .inks = kind->end - kind->first,
                                      .bits = shape.bits,
                                      .sizes = ht_sizes_of(&shape)};
    page->band = (struct ht_gpu_band){.level = memory + at.level + HT_GPU_PAD,
                                      .dots = memory + at.dots,
                                      .rows = kind->rows};
    page->least = memory + at.least;
    free(ranks);
    free(least);
}

static void open_diffused(struct bench_page *page)
{
    const struct page_kind *kind = &page->kind;
    ht_page_t shape = shape_of(kind);
    ht_table_t *table = table_of(&shape, kind->apart);
    struct ht_gpu_entry entries[HT_GPU_ENTRIES];

    shape.table = table;
    page->lines = (size_t)ht_state_lines(&shape) * kind->width;
    struct ht_scan scan = ht_scan_of(&shape);
    const size_t swaths = scan.swath ? kind->rows / scan.swath + 1 : 1;
    uint32_t *shifts = make_shifts(&scan, swaths);
    make_plan(page, &shape, &scan);
    ht_gpu_fill_entries(entries, &scan, page->plan.bits);
    const struct parts at = parts_of(page, swaths);
    uint8_t *memory = make_memory(page, at.end);
    TRY(cudaMemcpy(memory + at.entries, entries, sizeof entries,
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(memory + at.pattern, table->pattern, HT_PATTERN_BYTES,
                   cudaMemcpyHostToDevice));
    TRY(cudaMemcpy(memory + at.shifts, shifts, swaths * sizeof *shifts,
                   cudaMemcpyHostToDevice));
    page->band = (struct ht_gpu_band){
        .level = memory + at.level + HT_GPU_PAD,
        .tone = is_deep(kind) ? (const int16_t *)(memory + at.tone) + HT_GPU_PAD
                              : NULL,
        .spans = has_sizes(kind) ? (uint16_t *)(memory + at.spans) + HT_GPU_PAD
                                 : NULL,
        .entries = (const struct ht_gpu_entry *)(memory + at.entries),
        .pattern = memory + at.pattern,
        .shifts = (const uint32_t *)(memory + at.shifts),
        .dots = memory + at.dots,
        .line = (uint32_t *)(memory + at.line),
        .ticket = (uint32_t *)(memory + at.ticket),
        .stop = (const int *)(memory + at.stop),
        .row = HT_PREROLL,
        .rows = kind->rows,
        .row_step = 1};
    page->band.below = /* like the last row */
        page->band.level + page->samples - (size_t)kind->width * kind->inks;
    free(shifts);
    ht_table_free(table);
}

void page_open(struct bench_page *page, const struct page_kind *kind)
{
    const ht_page_t shape = shape_of(kind);
    const size_t dot_row = ht_row_bytes(&shape) * kind->inks;

    *page = (struct bench_page){.kind = *kind,
                                .samples = (size_t)kind->width * kind->rows *
                                           kind->inks,
                                .dot_row = dot_row,
                                .dots = (dot_row * kind->rows + 3) / 4 * 4};
    if (compares(kind))
        open_compared(page);
    else
        open_diffused(page);
    TRY(cudaStreamCreateWithFlags(&page->stream, cudaStreamNonBlocking));
    TRY(cudaEventCreate(&page->done));
}

void page_close(struct bench_page *page)
{
    TRY(cudaFree(page->memory));
    TRY(cudaStreamDestroy(page->stream));
    TRY(cudaEventDestroy(page->done));
}

static void reset_page(struct bench_page *page)
{
    TRY(cudaMemsetAsync(page->band.dots, 0, page->dots, page->stream));
    if (!compares(&page->kind)) {
        TRY(cudaMemsetAsync(page->band.ticket, 0, 4, page->stream));
        TRY(ht_gpu_set_line(page->band.line, NULL, page->lines,
                            page->band.sweep, page->stream));
    }
    TRY(cudaStreamSynchronize(page->stream));
}

static cudaError_t print(const struct bench_page *page)
{
    const struct ht_gpu_band *band = &page->band;

    if (compares(&page->kind))
        return ht_gpu_compare(&page->plan, band->level, page->least, 0,
                              band->rows, band->dots, page->stream);
    return ht_gpu_diffuse(&page->plan, band, page->stream);
}

double pages_run(struct bench_page *pages, int count)
{
    cudaEvent_t begin, end;
    float ms;

    /* Copies from the host may still be under way. */
    TRY(cudaDeviceSynchronize());
    for (int i = 0; i < count; i++)
        reset_page(&pages[i]);
    TRY(cudaEventCreate(&begin));
    TRY(cudaEventCreate(&end));
    TRY(cudaEventRecord(begin, pages[0].stream));
    for (int i = 0; i < count; i++) {
        TRY(cudaStreamWaitEvent(pages[i].stream, begin, 0));
        TRY(print(&pages[i]));
        TRY(cudaEventRecord(pages[i].done, pages[i].stream));
    }
    for (int i = 0; i < count; i++)
        TRY(cudaStreamWaitEvent(pages[0].stream, pages[i].done, 0));
    TRY(cudaEventRecord(end, pages[0].stream));
    TRY(cudaEventSynchronize(end));
    TRY(cudaEventElapsedTime(&ms, begin, end));
    TRY(cudaEventDestroy(begin));
    TRY(cudaEventDestroy(end));
    return ms;
}

bool page_check(const struct bench_page *page, const void *samples)
{
    const struct page_kind *kind = &page->kind;
    uint32_t width = kind->width, inks = kind->inks;
    bool whole = kind->rows <= PAGE_CHECKED_ROWS;
    uint32_t rows = whole ? kind->rows : PAGE_CHECKED_ROWS;
    size_t row = page->dot_row, bytes = row * rows;
    ht_page_t shape = shape_of(kind);
    bool same = true;
    int16_t *errors = calloc(page->lines, sizeof *errors);
    uint8_t *got = malloc(bytes), *right = malloc(bytes);
    ht_table_t *table = kind->apart ? table_of(&shape, true) : NULL;
    ht_engine_t *engine;

    shape.table = table;
    if (errors == NULL || got == NULL || right == NULL ||
        ht_engine_open(&engine, "reference", &shape) != HT_OK ||
        ht_engine_give_state(engine, 0, errors) != HT_OK ||
        ht_engine_submit(engine, samples, NULL, rows) != HT_OK ||
        (whole && ht_engine_end(engine) != HT_OK))
        exit(1);
    bytes = row * ht_engine_ready(engine); /* the last row may wait for more */
    if (ht_engine_collect(engine, right, ht_engine_ready(engine)) != HT_OK)
        exit(1);
    TRY(cudaMemcpy(got, page->band.dots, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes && same; i++)
        if (got[i] != right[i]) {
            same = false;
            fprintf(stderr,
                    "WRONG DOTS: method %d apart %d segment %u width %u inks %u"
                    " samples %d levels %u mixed %u pages %u: row %zu byte %zu:"
                    " %02x, not %02x\n",
                    kind->method, kind->apart, kind->segment, width, inks,
                    kind->samples, kind->levels, kind->mixed, kind->pages,
                    i / row, i % row, got[i], right[i]);
        }
    ht_engine_close(engine);
    ht_table_free(table);
    free(errors);
    free(got);
    free(right);
    return same;
}
