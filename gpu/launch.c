/*
 * launch.c - rows of a page through the device; see launch.h.
 *
 * The first inks, and the last, that a launch has no samples of, and that bring
 * no error along, are left out: doc/halftone.md "What may be skipped". Their
 * error lines are 0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "gpu/fault.h"
#include "gpu/launch.h"

/* ---- Inks --------------------------------------------------------------- */

static bool has_errors(const int16_t *errors, size_t count)
{
    return errors[0] != 0 ||
           memcmp(errors, errors + 1, (count - 1) * sizeof *errors) != 0;
}

void ht_gpu_note_state(ht_engine_t *engine, uint64_t finished,
                       const int16_t *errors)
{
    struct ht_gpu_page *own = engine->own;
    const size_t width = engine->page.width;

    own->finished = finished;
    own->state = errors;
    own->troubled = 0;
    for (uint32_t ink = 0; ink < engine->page.inks; ink++)
        if (has_errors(errors + ink * width, width))
            own->troubled |= (uint16_t)(1u << ink);
}

/* The inks of a launch of the next `rows` rows. An ink that had no error
 * behind row `finished` and has had no sample since has none now. */
static struct ht_gpu_inks inks_of(const struct ht_gpu_page *own,
                                  const ht_page_t *page, size_t rows)
{
    struct ht_gpu_inks inks = {0, page->inks};
    uint32_t busy = own->troubled;

    if (!ht_info_of(page)->diffuses)
        return inks;
    for (uint64_t row = own->finished; row < own->launched + rows; row++)
        busy |= own->inked[row % own->sizes.ring];
    while (inks.first < inks.end && (busy >> inks.first & 1) == 0)
        inks.first++;
    while (inks.first < inks.end && (busy >> (inks.end - 1) & 1) == 0)
        inks.end--;
    return inks;
}

static void make_plan(struct ht_gpu_page *own, const ht_page_t *page)
{
    own->plan = (struct ht_gpu_plan){.width = page->width,
                                     .planes = page->inks,
                                     .first = own->inks.first,
                                     .inks = own->inks.end - own->inks.first,
                                     .bits = own->sizes.deep ? 16 : 8,
                                     .segment = own->scan.segment,
                                     .middle = page->table->middle};
    ht_gpu_plan_make(&own->plan, own->scan.swath);
}

/* Launches are of these inks now. Those that were left out before begin with
 * no error. */
static bool choose_inks(struct ht_gpu_page *own, const ht_page_t *page,
                        struct ht_gpu_inks inks)
{
    const struct ht_gpu_inks old = own->inks;
    const size_t width = page->width;

    if (inks.first == old.first && inks.end == old.end)
        return true;
    for (uint32_t ink = inks.first; ink < inks.end; ink++)
        if ((ink < old.first || ink >= old.end) &&
            !ht_gpu_ok(ht_gpu_set_line(own->at->line + ink * width, NULL, width,
                                       own->strip, own->at->run)))
            return false;
    own->inks = inks;
    if (inks.first == inks.end)
        return true;
    make_plan(own, page);
    return ht_gpu_ok(ht_gpu_prepare(&own->plan));
}

/* ---- Opening ------------------------------------------------------------ */

/* What the next strip inherits: errors [inks][width] on the device, NULL for
 * none. */
static bool begin_lines(struct ht_gpu_page *own, const int16_t *errors)
{
    return ht_gpu_ok(ht_gpu_set_line(own->at->line, errors, own->sizes.samples,
                                     own->strip, own->at->run));
}

static bool send_curves(struct ht_gpu_buffers *at, const ht_page_t *page)
{
    bool ok = true;

    for (uint32_t ink = 0; page->curves != NULL && ink < page->inks; ink++)
        ok = ok && ht_gpu_ok(cudaMemcpyAsync(at->curves + ink * HT_LEVELS,
                                             page->curves[ink],
                                             HT_LEVELS * sizeof *at->curves,
                                             cudaMemcpyHostToDevice, at->run));
    return ok;
}

bool ht_gpu_open_page(struct ht_gpu_page *own, const ht_page_t *page)
{
    struct ht_gpu_buffers *at = own->at;
    struct ht_gpu_entry entries[HT_GPU_ENTRIES];

    own->inks.end = page->inks;
    if (!ht_info_of(page)->diffuses)
        return true;
    ht_gpu_fill_entries(entries, page->table, own->sizes.deep ? 16 : 8);
    make_plan(own, page);
    return !ht_gpu_fails("begin") && send_curves(at, page) &&
           ht_gpu_ok(ht_gpu_prepare(&own->plan)) &&
           ht_gpu_ok(cudaMemcpyAsync(at->entries, entries, sizeof entries,
                                     cudaMemcpyHostToDevice, at->run)) &&
           ht_gpu_ok(cudaMemcpyAsync(at->pattern, page->table->pattern,
                                     HT_PATTERN_BYTES, cudaMemcpyHostToDevice,
                                     at->run)) &&
           begin_lines(own, NULL);
}

bool ht_gpu_send_state(ht_engine_t *engine, struct ht_gpu_launch *launch)
{
    struct ht_gpu_page *own = engine->own;

    if (!ht_info_of(&engine->page)->diffuses)
        return true;
    return ht_gpu_ok(cudaMemcpyAsync(launch->errors, launch->host_errors,
                                     own->sizes.state, cudaMemcpyHostToDevice,
                                     own->at->run)) &&
           begin_lines(own, launch->errors);
}

/* ---- A launch --------------------------------------------------------- */

/* The first cut of each swath that the rows touch; moves the place on. */
static size_t fill_shifts(struct ht_gpu_page *own, uint32_t *shifts,
                          size_t rows)
{
    size_t count = 0;

    for (size_t i = 0; i < rows; i++) {
        if (i == 0 ||
            (own->scan.swath != 0 && own->place.row % own->scan.swath == 0))
            shifts[count++] = own->place.shift;
        ht_place_next(&own->scan, &own->place);
    }
    return count;
}

/* Diffuses rows that are on the device, from ring row `slot`; the pre-roll's
 * are all the first one, and its dots are not wanted. */
static bool diffuse(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    size_t samples = (size_t)page->inks * page->width;
    bool deep = own->sizes.deep, preroll = own->place.row < HT_PREROLL;
    struct ht_gpu_band band = {
        .level = (deep ? own->at->level : own->at->samples) + HT_GPU_PAD +
                 slot * samples,
        .tone = deep ? own->at->tone + HT_GPU_PAD + slot * samples : NULL,
        .entries = own->at->entries,
        .pattern = own->at->pattern,
        .shifts = launch->shifts,
        .dots = preroll ? NULL : launch->dots,
        .line = own->at->line,
        .ticket = launch->ticket,
        .stop = own->at->stop,
        .row = own->place.row,
        .rows = (uint32_t)rows,
        .row_step = preroll ? 0 : 1,
        .strip = own->strip};
    size_t shifts = fill_shifts(own, launch->host_shifts, rows);

    own->plan.pages = ht_gpu_buffers_in_use(own->at->device);
    own->strip += ht_gpu_strips(&own->plan, (uint32_t)rows);
    return ht_gpu_ok(cudaMemcpyAsync(launch->shifts, launch->host_shifts,
                                     shifts * sizeof(uint32_t),
                                     cudaMemcpyHostToDevice, own->at->run)) &&
           ht_gpu_ok(cudaMemsetAsync(launch->ticket, 0, sizeof(uint32_t),
                                     own->at->run)) &&
           ht_gpu_ok(cudaMemsetAsync(
               launch->dots, 0,
               preroll ? 0 : (rows * own->sizes.dot_row + 3) / 4 * 4,
               own->at->run)) &&
           (own->inks.first == own->inks.end ||
            ht_gpu_ok(ht_gpu_diffuse(&own->plan, &band, own->at->run))) &&
           ht_gpu_ok(ht_gpu_get_line(own->at->line, launch->errors, samples,
                                     own->at->run));
}

/* The planes of the launch's inks. */
static bool copy_samples(struct ht_gpu_page *own, const ht_page_t *page,
                         size_t slot, size_t rows)
{
    const size_t row = own->sizes.sample_row, plane = row / page->inks;
    const size_t from = slot * row + own->inks.first * plane;

    return ht_gpu_ok(cudaMemcpy2DAsync(
        own->at->samples + HT_GPU_PAD + from, row, own->at->host_samples + from,
        row, (own->inks.end - own->inks.first) * plane, rows,
        cudaMemcpyHostToDevice, own->at->in));
}

/* Tones and levels of those planes of rows that are on the device. */
static cudaError_t find_tones(struct ht_gpu_page *own, const ht_page_t *page,
                              size_t slot, size_t rows)
{
    struct ht_gpu_buffers *at = own->at;
    const size_t samples = own->sizes.samples;
    const uint8_t *from =
        at->samples + HT_GPU_PAD + slot * own->sizes.sample_row;
    int16_t *tone = at->tone + HT_GPU_PAD + slot * samples;
    uint8_t *level = at->level + HT_GPU_PAD + slot * samples;

    if (page->curves != NULL)
        return ht_gpu_look_up(&own->plan, from, at->curves, rows, tone, level,
                              at->run);
    return ht_gpu_split(&own->plan, (const uint16_t *)(const void *)from, rows,
                        tone, level, at->run);
}

static bool copy_in(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    if (own->inks.first == own->inks.end)
        return true;
    return copy_samples(own, page, slot, rows) &&
           ht_gpu_ok(cudaEventRecord(launch->copied, own->at->in)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->at->run, launch->copied, 0)) &&
           (!own->sizes.deep || !ht_info_of(page)->diffuses ||
            ht_gpu_ok(find_tones(own, page, slot, rows)));
}

/* For tests, with a kernel that other builds do not have: it ends when it is
 * told to, or never. */
static bool hang_on_demand(struct ht_gpu_page *own)
{
#ifdef HT_GPU_FAULTS
    bool dead = ht_gpu_fault("dead");

    if (dead || ht_gpu_fault("hang"))
        return ht_gpu_ok(
            ht_gpu_hang(dead ? NULL : own->at->stop, own->at->run));
#endif
    (void)own;
    return true;
}

static bool run(struct ht_gpu_page *own, const ht_page_t *page,
                struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    if (!hang_on_demand(own))
        return false;
    if (ht_info_of(page)->diffuses)
        return diffuse(own, page, launch, slot, rows);
    return ht_gpu_ok(ht_gpu_threshold(own->at->samples + HT_GPU_PAD +
                                          slot * own->sizes.sample_row,
                                      page->bits, launch->dots, page->width,
                                      rows * page->inks, own->at->run));
}

/* The error behind the rows of a launch. */
static bool copy_errors(const struct ht_gpu_page *own, const ht_page_t *page,
                        struct ht_gpu_launch *launch)
{
    if (!ht_info_of(page)->diffuses) {
        memset(launch->host_errors, 0, own->sizes.state);
        return true;
    }
    return ht_gpu_ok(cudaMemcpyAsync(launch->host_errors, launch->errors,
                                     own->sizes.state, cudaMemcpyDeviceToHost,
                                     own->at->out));
}

/* `rows` of dots, and the error behind them. */
static bool copy_out(struct ht_gpu_page *own, const ht_page_t *page,
                     struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    return ht_gpu_ok(cudaEventRecord(launch->ran, own->at->run)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->at->out, launch->ran, 0)) &&
           (rows == 0 || ht_gpu_ok(cudaMemcpyAsync(
                             own->at->host_dots + slot * own->sizes.dot_row,
                             launch->dots, rows * own->sizes.dot_row,
                             cudaMemcpyDeviceToHost, own->at->out))) &&
           copy_errors(own, page, launch) &&
           ht_gpu_ok(cudaEventRecord(launch->done, own->at->out));
}

bool ht_gpu_send_rows(ht_engine_t *engine, size_t rows)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch =
        &own->at->launch[own->launches % own->sizes.launches];
    size_t slot = own->launched % own->sizes.ring;

    if (ht_gpu_fails("launch") ||
        !choose_inks(own, &engine->page, inks_of(own, &engine->page, rows)) ||
        !copy_in(own, &engine->page, launch, slot, rows) ||
        !run(own, &engine->page, launch, slot, rows) ||
        !copy_out(own, &engine->page, launch, slot, rows))
        return false;
    own->launched += rows;
    launch->end = own->launched;
    own->launches++;
    return true;
}

bool ht_gpu_send_preroll(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch = &own->at->launch[0];

    if (!choose_inks(own, &engine->page, inks_of(own, &engine->page, 1)) ||
        !copy_in(own, &engine->page, launch, 0, 1) ||
        !run(own, &engine->page, launch, 0, HT_PREROLL) ||
        !copy_out(own, &engine->page, launch, 0, 0))
        return false;
    launch->end = 0;
    own->launches++;
    return true;
}
