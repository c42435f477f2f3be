/*
 * launch.c - rows of a page through the device; see launch.h.
 *
 * The first inks and the last ones, if they have no samples in a launch and
 * bring no errors, are left out of it: doc/dev/halftone.md "What may be
 * skipped". Their error lines are 0. Methods that do not diffuse have no
 * errors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "gpu/cuda/tdfed/lookup.h"
#include "gpu/host/fault.h"
#include "gpu/cuda/device.h"
#include "gpu/cuda/launch.h"
#include "gpu/cuda/page.h"
#include "halftone/least.h"

/* ---- Inks --------------------------------------------------------------- */

static bool has_errors(const int16_t *errors, size_t count)
{
    return count > 0 &&
           (errors[0] != 0 ||
            memcmp(errors, errors + 1, (count - 1) * sizeof *errors) != 0);
}

/* Returns the inks that have an error behind row `finished`, a bit each. */
static uint32_t troubled(const struct ht_ring *ring, const ht_page_t *page)
{
    const size_t width = page->width, samples = page->inks * width;
    uint32_t inks = 0;

    if (ring->state == NULL)
        return 0;
    /* Company and light of any inks: a row without them drops it. */
    if (has_errors(ring->state + samples,
                   ring->sizes.state / sizeof *ring->state - samples))
        return UINT16_MAX;
    for (uint32_t ink = 0; ink < page->inks; ink++)
        if (has_errors(ring->state + ink * width, width))
            inks |= 1u << ink;
    return inks;
}

/* Says whether a launch needs the row below its rows, and has it. */
static bool has_below(const struct ht_ring *ring,
                      const struct ht_launch *launch)
{
    return ring->scan.table != NULL && launch->below;
}

/* Returns the inks of a launch. An ink that had no error behind row `finished`,
 * and no sample since, has no error now; samples of the row below make
 * noise. */
static struct ht_gpu_inks inks_of(const struct ht_ring *ring,
                                  const ht_page_t *page,
                                  const struct ht_launch *launch)
{
    struct ht_gpu_inks inks = {0, page->inks};
    uint32_t busy = troubled(ring, page);
    uint64_t end = ring->launched + launch->in + has_below(ring, launch);

    for (uint64_t row = ring->finished; row < end; row++)
        busy |= ring->inked[row % ring->sizes.rows];
    while (inks.first < inks.end && (busy >> inks.first & 1) == 0)
        inks.first++;
    while (inks.first < inks.end && (busy >> (inks.end - 1) & 1) == 0)
        inks.end--;
    return inks;
}

static void make_plan(struct ht_gpu_page *own, const ht_page_t *page)
{
    const bool diffuses = ht_info_of(page)->diffuses;

    own->plan =
        (struct ht_gpu_plan){.width = page->width,
                             .planes = page->inks,
                             .first = own->inks.first,
                             .inks = own->inks.end - own->inks.first,
                             .bits = own->buffers->sizes.deep ? 16 : page->bits,
                             .segment = own->ring.scan.segment,
                             .sizes = ht_sizes_of(page)};
    if (!diffuses)
        return;
    own->plan.meets = ht_inks_meet(page);
    if (own->plan.meets)
        own->plan.meeting = ht_rules_of(page);
    ht_gpu_plan_make(&own->plan, own->ring.scan.swath);
}

/* Sets a line of the state to 0 for the next sweep. */
static bool clear_line(struct ht_gpu_page *own, size_t line)
{
    const size_t width = own->ring.scan.width;

    return ht_gpu_ok(ht_gpu_set_line(own->buffers->line + line * width, NULL,
                                     width, own->sweep, own->buffers->run));
}

static bool has_ink(const struct ht_gpu_inks *inks, uint32_t ink)
{
    return ink >= inks->first && ink < inks->end;
}

/* Clears the lines of company of inks that had none among `old` inks, of which
 * the first has none; and of the light if those were too few to have any. */
static bool clear_company(struct ht_gpu_page *own, const ht_page_t *page,
                          const struct ht_gpu_inks *old)
{
    bool ok = true;

    for (uint32_t ink = 1; ink < page->inks; ink++)
        if (!has_ink(old, ink) || ink == old->first)
            ok = ok && clear_line(own, page->inks + ink - 1);
    if (old->end - old->first < 2)
        ok = ok && clear_line(own, 2 * page->inks - 1);
    return ok;
}

/* Makes launches do these inks from now on. Inks that were left out begin with
 * no error. */
static bool choose_inks(struct ht_gpu_page *own, const ht_page_t *page,
                        struct ht_gpu_inks inks)
{
    const struct ht_gpu_inks old = own->inks;

    if (inks.first == old.first && inks.end == old.end)
        return true;
    if (!ht_info_of(page)->diffuses) {
        own->inks = inks;
        make_plan(own, page);
        return true;
    }
    for (uint32_t ink = inks.first; ink < inks.end; ink++)
        if (!has_ink(&old, ink) && !clear_line(own, ink))
            return false;
    if (ht_inks_meet(page) && !clear_company(own, page, &old))
        return false;
    own->inks = inks;
    if (inks.first == inks.end)
        return true;
    make_plan(own, page);
    return ht_gpu_ok(ht_gpu_prepare(&own->plan));
}

/* ---- Opening ------------------------------------------------------------ */

/* Returns how many numbers the state has, and the error lines words. */
static size_t state_count(const struct ht_gpu_page *own)
{
    return own->ring.sizes.state / sizeof(int16_t);
}

/* Sets the error lines to what the next sweep inherits: a state on the device,
 * NULL = 0. */
static bool begin_lines(struct ht_gpu_page *own, const int16_t *errors)
{
    return ht_gpu_ok(ht_gpu_set_line(own->buffers->line, errors,
                                     state_count(own), own->sweep,
                                     own->buffers->run));
}

/* Says whether the page's tones are those of curves: samples of 8 bits that
 * have none stand for 257 times as much. */
static bool has_curves(const struct ht_gpu_page *own, const ht_page_t *page)
{
    return own->buffers->sizes.deep && page->bits == 8;
}

static bool send_curves(struct ht_gpu_page *own, const ht_page_t *page)
{
    uint16_t straight[HT_LEVELS];
    bool ok = true;

    for (uint32_t v = 0; v < HT_LEVELS; v++)
        straight[v] = (uint16_t)(257 * v);
    for (uint32_t ink = 0; has_curves(own, page) && ink < page->inks; ink++)
        ok = ok &&
             ht_gpu_ok(cudaMemcpyAsync(
                 own->buffers->curves + ink * HT_LEVELS,
                 page->curves != NULL ? page->curves[ink] : straight,
                 sizeof straight, cudaMemcpyHostToDevice, own->buffers->run));
    return ok;
}

static bool send_least(struct ht_gpu_buffers *buffers,
                       const ht_engine_t *engine)
{
    ht_find_least(&engine->page, engine->ranks, buffers->host_least);
    return ht_gpu_ok(cudaMemcpyAsync(buffers->least, buffers->host_least,
                                     buffers->sizes.least,
                                     cudaMemcpyHostToDevice, buffers->run));
}

bool ht_gpu_open_page(ht_engine_t *engine)
{
    struct ht_gpu_page *own = engine->own;
    const ht_page_t *page = &engine->page;
    struct ht_gpu_buffers *buffers = own->buffers;
    struct ht_gpu_entry entries[HT_GPU_ENTRIES];

    own->inks.end = page->inks;
    make_plan(own, page);
    if (!ht_info_of(page)->diffuses)
        return !ht_gpu_fails("begin") && send_least(buffers, engine);
    ht_gpu_fill_entries(entries, &own->ring.scan,
                        own->buffers->sizes.deep ? 16 : 8);
    return !ht_gpu_fails("begin") && send_curves(own, page) &&
           ht_gpu_ok(ht_gpu_prepare(&own->plan)) &&
           ht_gpu_ok(cudaMemcpyAsync(buffers->entries, entries, sizeof entries,
                                     cudaMemcpyHostToDevice, buffers->run)) &&
           ht_gpu_ok(cudaMemcpyAsync(buffers->pattern, page->table->pattern,
                                     HT_PATTERN_BYTES, cudaMemcpyHostToDevice,
                                     buffers->run)) &&
           begin_lines(own, NULL);
}

bool ht_gpu_send_state(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_gpu_page *own = engine->own;
    int16_t *errors = own->buffers->launch[launch->number].errors;

    if (!ht_info_of(&engine->page)->diffuses)
        return true;
    return ht_gpu_ok(
               cudaMemcpyAsync(errors, launch->errors, own->ring.sizes.state,
                               cudaMemcpyHostToDevice, own->buffers->run)) &&
           begin_lines(own, errors);
}

/* ---- Copying in --------------------------------------------------------- */

/* Copies the samples of the launch's inks to the device. */
static bool copy_samples(struct ht_gpu_page *own, const ht_page_t *page,
                         size_t slot, size_t rows)
{
    const size_t row = own->ring.sizes.sample_row, plane = row / page->inks;
    const size_t from = slot * row + own->inks.first * plane;

    return ht_gpu_ok(
        cudaMemcpy2DAsync(own->buffers->samples + HT_GPU_PAD + from, row,
                          own->buffers->host_samples + from, row,
                          (own->inks.end - own->inks.first) * plane, rows,
                          cudaMemcpyHostToDevice, own->buffers->in));
}

/* Makes tones and levels of those samples, on the device. */
static bool find_tones(struct ht_gpu_page *own, const ht_page_t *page,
                       size_t slot, size_t rows)
{
    struct ht_gpu_buffers *buffers = own->buffers;
    const size_t samples = buffers->sizes.samples;
    const uint8_t *from =
        buffers->samples + HT_GPU_PAD + slot * own->ring.sizes.sample_row;
    int16_t *tone = buffers->tone + HT_GPU_PAD + slot * samples;
    uint8_t *level = buffers->level + HT_GPU_PAD + slot * samples;

    if (has_curves(own, page))
        return ht_gpu_ok(ht_gpu_look_up(&own->plan, from, buffers->curves, rows,
                                        tone, level, buffers->run));
    return ht_gpu_ok(ht_gpu_split(&own->plan,
                                  (const uint16_t *)(const void *)from, rows,
                                  tone, level, buffers->run));
}

bool ht_gpu_send(ht_engine_t *engine, const struct ht_launch *launch)
{
    struct ht_gpu_page *own = engine->own;
    const ht_page_t *page = &engine->page;
    const struct ht_gpu_launch *to = &own->buffers->launch[launch->number];
    const bool deep = own->buffers->sizes.deep;
    const bool more = !launch->preroll && has_below(&own->ring, launch);
    const size_t below = (launch->slot + launch->in) % own->ring.sizes.rows;

    if ((!launch->preroll && ht_gpu_fails("launch")) ||
        !choose_inks(own, page, inks_of(&own->ring, page, launch)))
        return false;
    if (own->inks.first == own->inks.end)
        return true;
    return copy_samples(own, page, launch->slot, launch->in) &&
           (!more || copy_samples(own, page, below, 1)) &&
           ht_gpu_ok(cudaEventRecord(to->copied, own->buffers->in)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->buffers->run, to->copied, 0)) &&
           (!deep || find_tones(own, page, launch->slot, launch->in)) &&
           (!deep || !more || find_tones(own, page, below, 1));
}

/* ---- Kernels ------------------------------------------------------------ */

/* Writes the first cut of each swath that the rows touch; returns how many.
 * Moves the ring's place behind the rows. */
static size_t fill_shifts(struct ht_ring *ring, uint32_t *shifts, size_t rows)
{
    const uint32_t swath = ring->scan.swath;
    size_t count = 0;

    for (size_t i = 0; i < rows; i++) {
        if (i == 0 || (swath != 0 && ring->place.row % swath == 0))
            shifts[count++] = ring->place.shift;
        ht_place_next(&ring->scan, &ring->place);
    }
    return count;
}

/* Returns the slot of the row below the last one of a launch: another one like
 * it at the page's end, and in the pre-roll, whose rows are all the first
 * one. */
static size_t slot_below(const struct ht_ring *ring,
                         const struct ht_launch *launch)
{
    if (launch->preroll)
        return launch->slot;
    return (launch->slot + launch->rows - !has_below(ring, launch)) %
           ring->sizes.rows;
}

/* Diffuses rows that are on the device. The dots of the pre-roll are not
 * wanted. What a launch needs besides samples is made while the launch before
 * runs. */
static bool diffuse(struct ht_gpu_page *own, const struct ht_launch *launch)
{
    struct ht_gpu_buffers *buffers = own->buffers;
    const struct ht_gpu_launch *to = &buffers->launch[launch->number];
    size_t samples = buffers->sizes.samples;
    bool deep = buffers->sizes.deep;
    const uint8_t *level =
        (deep ? buffers->level : buffers->samples) + HT_GPU_PAD;
    struct ht_gpu_band band = {
        .level = level + launch->slot * samples,
        .below = level + slot_below(&own->ring, launch) * samples,
        .tone =
            deep ? buffers->tone + HT_GPU_PAD + launch->slot * samples : NULL,
        .spans = buffers->spans != NULL ? buffers->spans + HT_GPU_PAD : NULL,
        .entries = buffers->entries,
        .pattern = buffers->pattern,
        .shifts = to->shifts,
        .dots = launch->preroll ? NULL : to->dots,
        .line = buffers->line,
        .ticket = to->ticket,
        .stop = buffers->stop,
        .row = own->ring.place.row,
        .rows = (uint32_t)launch->rows,
        .row_step = launch->preroll ? 0 : 1,
        .sweep = own->sweep};
    size_t shifts = fill_shifts(&own->ring, to->host_shifts, launch->rows);
    size_t dots = (launch->out * own->ring.sizes.dot_row + 3) / 4 * 4;

    own->plan.pages = ht_gpu_buffers_in_use(buffers->device);
    own->sweep += ht_gpu_sweeps(&own->plan, (uint32_t)launch->rows);
    return ht_gpu_ok(cudaMemcpyAsync(to->shifts, to->host_shifts,
                                     shifts * sizeof(uint32_t),
                                     cudaMemcpyHostToDevice, buffers->in)) &&
           ht_gpu_ok(
               cudaMemsetAsync(to->ticket, 0, sizeof(uint32_t), buffers->in)) &&
           ht_gpu_ok(cudaMemsetAsync(to->dots, 0, dots, buffers->in)) &&
           ht_gpu_ok(cudaEventRecord(to->copied, buffers->in)) &&
           ht_gpu_ok(cudaStreamWaitEvent(buffers->run, to->copied, 0)) &&
           (own->inks.first == own->inks.end ||
            ht_gpu_ok(ht_gpu_diffuse(&own->plan, &band, buffers->run))) &&
           ht_gpu_ok(ht_gpu_get_line(buffers->line, to->errors,
                                     state_count(own), buffers->run));
}

/* Compares rows that are on the device with the least samples. Inks that are
 * left out have no dots. */
static bool compare(struct ht_gpu_page *own, const struct ht_launch *launch)
{
    const struct ht_gpu_plan *plan = &own->plan;
    const struct ht_gpu_launch *to = &own->buffers->launch[launch->number];
    const uint8_t *samples = own->buffers->samples + HT_GPU_PAD +
                             launch->slot * own->ring.sizes.sample_row;

    return (plan->inks == plan->planes ||
            ht_gpu_ok(cudaMemsetAsync(to->dots, 0,
                                      launch->rows * own->ring.sizes.dot_row,
                                      own->buffers->run))) &&
           (plan->inks == 0 ||
            ht_gpu_ok(ht_gpu_compare(plan, samples, own->buffers->least,
                                     own->ring.launched, (uint32_t)launch->rows,
                                     to->dots, own->buffers->run)));
}

/* Launches a kernel that hangs if a test wants that, fault.h: until it is told
 * to stop, or for ever. Other builds do not have it. */
static bool hang_on_demand(struct ht_gpu_page *own)
{
#ifdef HT_GPU_FAULTS
    bool dead = ht_fault("dead");

    if (dead || ht_fault("hang"))
        return ht_gpu_ok(
            ht_gpu_hang(dead ? NULL : own->buffers->stop, own->buffers->run));
#endif
    (void)own;
    return true;
}

bool ht_gpu_run(ht_engine_t *engine, const struct ht_launch *launch)
{
    if (!hang_on_demand(engine->own))
        return false;
    if (ht_info_of(&engine->page)->diffuses)
        return diffuse(engine->own, launch);
    return compare(engine->own, launch);
}

/* ---- Copying out -------------------------------------------------------- */

/* Copies the errors behind a launch's rows to the host. */
static bool copy_errors(ht_engine_t *engine, const struct ht_launch *launch)
{
    const struct ht_gpu_page *own = engine->own;
    const size_t bytes = own->ring.sizes.state;

    if (!ht_info_of(&engine->page)->diffuses) {
        memset(launch->errors, 0, bytes);
        return true;
    }
    return ht_gpu_ok(cudaMemcpyAsync(
        launch->errors, own->buffers->launch[launch->number].errors, bytes,
        cudaMemcpyDeviceToHost, own->buffers->out));
}

bool ht_gpu_fetch(ht_engine_t *engine, const struct ht_launch *launch)
{
    const struct ht_gpu_page *own = engine->own;
    const struct ht_gpu_launch *from = &own->buffers->launch[launch->number];
    const size_t dot_row = own->ring.sizes.dot_row;

    return ht_gpu_ok(cudaEventRecord(from->ran, own->buffers->run)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->buffers->out, from->ran, 0)) &&
           (launch->out == 0 ||
            ht_gpu_ok(cudaMemcpyAsync(
                own->buffers->host_dots + launch->slot * dot_row, from->dots,
                launch->out * dot_row, cudaMemcpyDeviceToHost,
                own->buffers->out))) &&
           copy_errors(engine, launch) &&
           ht_gpu_ok(cudaEventRecord(from->done, own->buffers->out));
}
