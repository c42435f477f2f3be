/*
 * cpu.c - the fast CPU engine: cuts swaths into segments and gives them, a
 * vector's worth at a time, to the best kernel that the processor can run.
 * Segments that are white and inherit nothing are left out: all their dots
 * are 0 and they leave nothing (doc/halftone.md, "Why white and solid are
 * so").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/cpu.h"
#include "halftone/host.h"

struct cpu {
    struct ht_host host; /* its place is the swath's first row */
    const struct ht_cpu_kernel *kernel;
    uint32_t rows;               /* of the swath so far */
    uint8_t *level;              /* [width], for 16-bit samples */
    struct ht_cpu_pixel *pixels; /* [2][HT_LEVELS] */
    uint16_t *index;             /* [swath][inks][width] */
    int16_t *tone;               /* [swath][inks][width]; 16 bits only */
    void *scratch;               /* the kernel's */
};

/* ---- Opening ---------------------------------------------------------- */

static bool within_reach(const ht_page_t *page)
{
    const ht_table_t *table = page->table;

    for (unsigned i = 0; table != NULL && i < HT_LEVELS; i++)
        for (unsigned k = 1; k < HT_TAPS - 1; k++)
            if (table->level[i].column[k] < -HT_CPU_REACH)
                return false;
    return true;
}

static bool page_suits(const ht_page_t *page)
{
    return (page->method == HT_TDFED4 || page->method == HT_TDFED1) &&
           page->segment > 0 && within_reach(page);
}

#if defined __x86_64__ || defined __i386__
static const struct ht_cpu_kernel *avx2_kernel(void)
{
    return __builtin_cpu_supports("avx2") ? &ht_cpu_avx2 : NULL;
}
#else
static const struct ht_cpu_kernel *avx2_kernel(void)
{
    return NULL;
}
#endif

static const struct ht_cpu_kernel *plain_kernel(void)
{
    return &ht_cpu_plain;
}

static struct ht_cpu_pixel pixel_of(const ht_table_t *table, uint32_t level,
                                    bool pattern)
{
    static const int field[] = {HT_CPU_M3, HT_CPU_M2, HT_CPU_M1, -1,
                                HT_CPU_P1}; /* by column + 3 */
    const struct ht_weights *w = &table->level[level];
    struct ht_cpu_pixel pixel = {{0}};
    uint8_t sample = (uint8_t)level, same;

    pixel.field[HT_CPU_RIGHT] = w->weight[0];
    for (unsigned k = 1; k < HT_TAPS - 1; k++)
        pixel.field[field[w->column[k] + HT_CPU_REACH]] = w->weight[k];
    pixel.field[HT_CPU_AVOID] = w->avoid;
    pixel.field[HT_CPU_THRESHOLD] =
        (int16_t)((pattern ? HT_ONE - w->t_upper : w->t_upper) - 1);
    if (level == 0 || level == HT_LEVELS - 1) {
        pixel.field[HT_CPU_AVOID] = 0;
        pixel.field[HT_CPU_THRESHOLD] =
            level == 0 ? HT_CPU_WHITE : HT_CPU_SOLID;
    }
    ht_tones_from_samples(&sample, 8, 1, &pixel.field[HT_CPU_TONE], &same);
    return pixel;
}

static void cpu_close(ht_engine_t *engine)
{
    struct cpu *own = engine->own;

    if (own == NULL)
        return;
    free(own->level);
    free(own->pixels);
    free(own->index);
    free(own->tone);
    free(own->scratch);
    ht_host_free(&own->host);
    free(own);
    engine->own = NULL;
}

static void *calloc_aligned(size_t count, size_t size)
{
    size_t bytes = (count * size + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);

    if (memory != NULL)
        memset(memory, 0, bytes);
    return memory;
}

/* The page's limits keep every product far inside size_t: 15 x 4 x 262144
 * elements are the largest. */
static ht_status_t open_with(ht_engine_t *engine,
                             const struct ht_cpu_kernel *kernel)
{
    const ht_page_t *page = &engine->page;
    size_t width = page->width, inks = page->inks;
    uint32_t longest =
        page->segment < page->width ? page->segment : page->width;
    struct cpu *own = engine->own = calloc(1, sizeof *own);

    if (own == NULL)
        return HT_ERR_MEMORY;
    own->kernel = kernel;
    own->level = calloc(width, sizeof *own->level);
    own->pixels = calloc_aligned(2 * HT_LEVELS, sizeof *own->pixels);
    own->index = calloc(HT_CPU_SWATH * inks * width, sizeof *own->index);
    if (page->bits == 16)
        own->tone = calloc(HT_CPU_SWATH * inks * width, sizeof *own->tone);
    own->scratch = calloc_aligned(
        inks * ht_cpu_stride(longest) * own->kernel->lanes, sizeof(int16_t));
    if (!own->level || !own->pixels || !own->index ||
        (page->bits == 16 && !own->tone) || !own->scratch)
        return HT_ERR_MEMORY;
    for (unsigned pattern = 0; pattern < 2; pattern++)
        for (uint32_t level = 0; level < HT_LEVELS; level++)
            own->pixels[pattern * HT_LEVELS + level] =
                pixel_of(page->table, level, pattern);
    return ht_host_init(&own->host, engine, HT_CPU_SWATH - 1);
}

/* ---- A row comes in --------------------------------------------------- */

/* Where the levels of a row lie in `pixels`, by the pattern's dots. */
static void index_row(const struct cpu *own, uint32_t ink, uint64_t row,
                      const uint8_t *level, uint16_t *index)
{
    const uint8_t *pattern =
        own->host.scan.table->pattern +
        (row + ink / 2 * 79) % HT_PATTERN_SIZE * (HT_PATTERN_SIZE / 8);
    uint32_t width = own->host.scan.width, x = 0;
    uint16_t offset[HT_PATTERN_SIZE];

    for (uint32_t i = 0; i < HT_PATTERN_SIZE; i++) {
        uint32_t p = (i + ink / 2 * 37) % HT_PATTERN_SIZE;

        bool dot = pattern[p / 8] >> (7 - p % 8) & 1;
        offset[i] = dot != ink % 2 ? HT_LEVELS : 0;
    }
    for (; width - x >= HT_PATTERN_SIZE; x += HT_PATTERN_SIZE)
        for (uint32_t i = 0; i < HT_PATTERN_SIZE; i++)
            index[x + i] = level[x + i] + offset[i];
    for (; x < width; x++)
        index[x] = level[x] + offset[x % HT_PATTERN_SIZE];
}

static void take_row(ht_engine_t *engine, const uint8_t *samples)
{
    struct cpu *own = engine->own;
    const ht_page_t *page = &engine->page;
    size_t width = page->width;

    for (uint32_t ink = 0; ink < page->inks; ink++) {
        size_t offset = ((size_t)own->rows * page->inks + ink) * width;
        const uint8_t *level = samples; /* 8 bits: the samples themselves */

        if (page->bits == 16) {
            ht_tones_from_samples(samples, 16, page->width, own->tone + offset,
                                  own->level);
            level = own->level;
        }
        index_row(own, ink, own->host.place.row + own->rows, level,
                  own->index + offset);
        samples += width * (page->bits / 8);
    }
    own->rows++;
}

/* ---- A swath goes out ------------------------------------------------- */

static bool all_white(const uint16_t *index, uint32_t count)
{
    uint16_t any = 0;

    for (uint32_t i = 0; i < count; i++)
        any |= index[i] & (HT_LEVELS - 1);
    return any == 0;
}

static bool all_zero(const int16_t *error, uint32_t count)
{
    int any = 0;

    for (uint32_t i = 0; i < count; i++)
        any |= error[i];
    return any == 0;
}

/* Columns begin..begin+count-1 of an ink: nothing comes, nothing leaves. */
static bool blank(const struct cpu *own, uint32_t inks, uint32_t ink,
                  uint32_t begin, uint32_t count)
{
    size_t width = own->host.scan.width;

    for (uint32_t row = 0; row < own->rows; row++)
        if (!all_white(own->index + (row * inks + ink) * width + begin, count))
            return false;
    return all_zero(own->host.error + ink * width + begin, count);
}

/* A vector's worth of segments, and which inks are blank in all of them. */
struct group {
    struct ht_cpu_lane lane[HT_CPU_MAX_LANES];
    unsigned count;
};

static void run_group(struct cpu *own, struct ht_cpu_swath *swath,
                      struct group *group)
{
    if (group->count == 0)
        return;
    own->kernel->run(swath, group->lane, group->count);
    group->count = 0;
    memset(swath->blank, true, sizeof swath->blank);
}

/* Adds the segment of columns begin..end-1 to the group, unless it is blank. */
static void add_segment(struct cpu *own, struct ht_cpu_swath *swath,
                        struct group *group, uint32_t begin, uint32_t end)
{
    bool wanted = false;

    for (uint32_t ink = 0; ink < swath->inks; ink++)
        if (!blank(own, swath->inks, ink, begin, end - begin)) {
            swath->blank[ink] = false;
            wanted = true;
        }
    if (!wanted)
        return;
    group->lane[group->count++] =
        (struct ht_cpu_lane){swath->step > 0 ? begin : end - 1, end - begin};
    if (group->count == own->kernel->lanes)
        run_group(own, swath, group);
}

/* Halftones the rows that have come; the first of them is at `place`. */
static void print_swath(ht_engine_t *engine)
{
    struct cpu *own = engine->own;
    const ht_page_t *page = &engine->page;
    uint32_t width = page->width, segment = page->segment;
    struct group group = {.count = 0};
    struct ht_cpu_swath swath = {
        .pixels = own->pixels,
        .width = width,
        .inks = page->inks,
        .rows = own->rows,
        .step = own->host.place.row / own->host.scan.swath % 2 ? -1 : 1,
        .index = own->index,
        .tone = page->bits == 16 ? own->tone : NULL,
        .error = own->host.error,
        .scratch = own->scratch};
    uint32_t end = own->host.place.shift ? own->host.place.shift : segment;

    memset(swath.blank, true, sizeof swath.blank);
    for (uint32_t row = 0; row < own->rows; row++) {
        swath.dots[row] = ht_host_dots(&own->host, own->host.place.row + row);
        memset(swath.dots[row], 0, own->host.row_bytes);
    }
    for (uint32_t begin = 0; begin < width; begin = end, end += segment) {
        end = end < width ? end : width;
        add_segment(own, &swath, &group, begin, end);
    }
    run_group(own, &swath, &group);
    for (; own->rows > 0; own->rows--)
        ht_place_next(&own->host.scan, &own->host.place);
}

static void add_row(ht_engine_t *engine, const uint8_t *samples)
{
    struct cpu *own = engine->own;

    take_row(engine, samples);
    if ((own->host.place.row + own->rows) % own->host.scan.swath == 0)
        print_swath(engine);
}

/* ---- The engine ------------------------------------------------------- */

static ht_status_t cpu_submit(ht_engine_t *engine, const void *tones,
                              size_t rows)
{
    struct cpu *own = engine->own;
    const ht_page_t *page = &engine->page;
    const uint8_t *samples = tones;

    while (own->host.place.row < HT_PREROLL)
        add_row(engine, samples);
    for (size_t row = 0; row < rows; row++) {
        add_row(engine, samples);
        samples += (size_t)page->inks * page->width * (page->bits / 8);
    }
    return HT_OK;
}

static ht_status_t cpu_end(ht_engine_t *engine)
{
    struct cpu *own = engine->own;

    if (own->rows > 0)
        print_swath(engine);
    return HT_OK;
}

/* An engine for each kernel; the fastest that the processor can run is the
 * last in engine.c's list that is available. */
#define CPU_ENGINE(kernel, text)                                               \
    static bool kernel##_available(const ht_page_t *page)                      \
    {                                                                          \
        return kernel() != NULL && kernel()->run != NULL && page_suits(page);  \
    }                                                                          \
    static ht_status_t kernel##_open(ht_engine_t *engine)                      \
    {                                                                          \
        return open_with(engine, kernel());                                    \
    }                                                                          \
    const struct ht_engine_ops ht_cpu_##kernel = {                             \
        .name = text,                                                          \
        .available = kernel##_available,                                       \
        .open = kernel##_open,                                                 \
        .submit = cpu_submit,                                                  \
        .end = cpu_end,                                                        \
        .ready = ht_host_ready,                                                \
        .collect = ht_host_collect,                                            \
        .take_state = ht_host_take_state,                                      \
        .give_state = ht_host_give_state,                                      \
        .close = cpu_close,                                                    \
    };

CPU_ENGINE(plain_kernel, "cpu-plain")
CPU_ENGINE(avx2_kernel, "cpu-avx2")
