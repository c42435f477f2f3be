/*
 * launch.c - rows of a page through the device; see launch.h.
 *
 * The first inks and the last ones, if they have no samples in a launch and
 * bring no errors, are left out of it: doc/dev/halftone.md "What may be
 * skipped". Their error lines are 0. Of methods that do not diffuse nothing
 * brings errors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "gpu/fault.h"
#include "gpu/launch.h"
#include "halftone/least.h"

/* ---- Inks --------------------------------------------------------------- */

static bool has_errors(const int16_t *errors, size_t count)
{
    return count > 0 &&
           (errors[0] != 0 ||
            memcmp(errors, errors + 1, (count - 1) * sizeof *errors) != 0);
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
    /* Company and light of any inks: a row without them drops it. */
    if (has_errors(errors + own->sizes.samples,
                   own->sizes.state / sizeof *errors - own->sizes.samples))
        own->troubled = UINT16_MAX;
}

/* Says whether the page has a row below the next `rows` ones that a launch of
 * those needs, which then is submitted. */
static bool has_below(const struct ht_gpu_page *own, size_t rows)
{
    return own->scan.table != NULL && own->launched + rows < own->submitted;
}

/* Returns the inks of a launch of the next `rows` rows. An ink that had no
 * error behind row `finished`, and no sample since, has no error now; samples
 * of the row below make noise. */
static struct ht_gpu_inks inks_of(const struct ht_gpu_page *own,
                                  const ht_page_t *page, size_t rows)
{
    struct ht_gpu_inks inks = {0, page->inks};
    uint32_t busy = own->troubled;

    if (ht_info_of(page)->diffuses)
        rows += has_below(own, rows);
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
    const bool diffuses = ht_info_of(page)->diffuses;

    own->plan = (struct ht_gpu_plan){.width = page->width,
                                     .planes = page->inks,
                                     .first = own->inks.first,
                                     .inks = own->inks.end - own->inks.first,
                                     .bits = own->sizes.deep ? 16 : page->bits,
                                     .segment = own->scan.segment};
    if (!diffuses)
        return;
    own->plan.meets = ht_inks_meet(page);
    own->plan.meeting = page->table->meeting;
    ht_gpu_plan_make(&own->plan, own->scan.swath);
}

/* Sets a line of the state to 0 for the next sweep. */
static bool clear_line(struct ht_gpu_page *own, size_t line)
{
    const size_t width = own->scan.width;

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

/* Makes launches do these inks from now on. Those that were left out begin with
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
    return own->sizes.state / sizeof(int16_t);
}

/* Sets the error lines to what the next sweep inherits: a state on the device,
 * NULL = 0. */
static bool begin_lines(struct ht_gpu_page *own, const int16_t *errors)
{
    return ht_gpu_ok(ht_gpu_set_line(own->buffers->line, errors,
                                     state_count(own), own->sweep,
                                     own->buffers->run));
}

static bool send_curves(struct ht_gpu_buffers *buffers, const ht_page_t *page)
{
    bool ok = true;

    for (uint32_t ink = 0; page->curves != NULL && ink < page->inks; ink++)
        ok = ok && ht_gpu_ok(cudaMemcpyAsync(
                       buffers->curves + ink * HT_LEVELS, page->curves[ink],
                       HT_LEVELS * sizeof *buffers->curves,
                       cudaMemcpyHostToDevice, buffers->run));
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
    ht_gpu_fill_entries(entries, page->table, own->sizes.deep ? 16 : 8);
    return !ht_gpu_fails("begin") && send_curves(buffers, page) &&
           ht_gpu_ok(ht_gpu_prepare(&own->plan)) &&
           ht_gpu_ok(cudaMemcpyAsync(buffers->entries, entries, sizeof entries,
                                     cudaMemcpyHostToDevice, buffers->run)) &&
           ht_gpu_ok(cudaMemcpyAsync(buffers->pattern, page->table->pattern,
                                     HT_PATTERN_BYTES, cudaMemcpyHostToDevice,
                                     buffers->run)) &&
           begin_lines(own, NULL);
}

bool ht_gpu_send_state(ht_engine_t *engine, struct ht_gpu_launch *launch)
{
    struct ht_gpu_page *own = engine->own;

    if (!ht_info_of(&engine->page)->diffuses)
        return true;
    return ht_gpu_ok(cudaMemcpyAsync(launch->errors, launch->host_errors,
                                     own->sizes.state, cudaMemcpyHostToDevice,
                                     own->buffers->run)) &&
           begin_lines(own, launch->errors);
}

/* ---- A launch --------------------------------------------------------- */

/* Writes the first cut of each swath that the rows touch; returns how many.
 * Moves own->place behind the rows. */
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

/* Returns the slot of the row below the last one of a launch: another one like
 * it at the page's end, and in the pre-roll, whose rows are all the first
 * one. */
static size_t slot_below(const struct ht_gpu_page *own, size_t slot,
                         size_t rows)
{
    if (own->place.row < HT_PREROLL)
        return slot;
    return (slot + rows - !has_below(own, rows)) % own->sizes.ring;
}

/* Diffuses rows that are on the device, from row `slot` of the ring on. The
 * pre-roll's rows are all the first one, and their dots are not wanted. */
static bool diffuse(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    size_t samples = (size_t)page->inks * page->width;
    bool deep = own->sizes.deep, preroll = own->place.row < HT_PREROLL;
    const uint8_t *level =
        (deep ? own->buffers->level : own->buffers->samples) + HT_GPU_PAD;
    struct ht_gpu_band band = {
        .level = level + slot * samples,
        .below = level + slot_below(own, slot, rows) * samples,
        .tone = deep ? own->buffers->tone + HT_GPU_PAD + slot * samples : NULL,
        .entries = own->buffers->entries,
        .pattern = own->buffers->pattern,
        .shifts = launch->shifts,
        .dots = preroll ? NULL : launch->dots,
        .line = own->buffers->line,
        .ticket = launch->ticket,
        .stop = own->buffers->stop,
        .row = own->place.row,
        .rows = (uint32_t)rows,
        .row_step = preroll ? 0 : 1,
        .sweep = own->sweep};
    size_t shifts = fill_shifts(own, launch->host_shifts, rows);

    own->plan.pages = ht_gpu_buffers_in_use(own->buffers->device);
    own->sweep += ht_gpu_sweeps(&own->plan, (uint32_t)rows);
    return ht_gpu_ok(cudaMemcpyAsync(
               launch->shifts, launch->host_shifts, shifts * sizeof(uint32_t),
               cudaMemcpyHostToDevice, own->buffers->run)) &&
           ht_gpu_ok(cudaMemsetAsync(launch->ticket, 0, sizeof(uint32_t),
                                     own->buffers->run)) &&
           ht_gpu_ok(cudaMemsetAsync(
               launch->dots, 0,
               preroll ? 0 : (rows * own->sizes.dot_row + 3) / 4 * 4,
               own->buffers->run)) &&
           (own->inks.first == own->inks.end ||
            ht_gpu_ok(ht_gpu_diffuse(&own->plan, &band, own->buffers->run))) &&
           ht_gpu_ok(ht_gpu_get_line(own->buffers->line, launch->errors,
                                     state_count(own), own->buffers->run));
}

/* Compares rows that are on the device with the least samples. Inks that are
 * left out have no dots. */
static bool compare(struct ht_gpu_page *own, struct ht_gpu_launch *launch,
                    size_t slot, size_t rows)
{
    const struct ht_gpu_plan *plan = &own->plan;
    const uint8_t *samples = own->buffers->samples + HT_GPU_PAD;

    return (plan->inks == plan->planes ||
            ht_gpu_ok(cudaMemsetAsync(launch->dots, 0,
                                      rows * own->sizes.dot_row,
                                      own->buffers->run))) &&
           (plan->inks == 0 ||
            ht_gpu_ok(ht_gpu_compare(
                plan, samples + slot * own->sizes.sample_row,
                own->buffers->least, own->launched, (uint32_t)rows,
                launch->dots, own->buffers->run)));
}

/* Copies the samples of the launch's inks to the device. */
static bool copy_samples(struct ht_gpu_page *own, const ht_page_t *page,
                         size_t slot, size_t rows)
{
    const size_t row = own->sizes.sample_row, plane = row / page->inks;
    const size_t from = slot * row + own->inks.first * plane;

    return ht_gpu_ok(
        cudaMemcpy2DAsync(own->buffers->samples + HT_GPU_PAD + from, row,
                          own->buffers->host_samples + from, row,
                          (own->inks.end - own->inks.first) * plane, rows,
                          cudaMemcpyHostToDevice, own->buffers->in));
}

/* Makes tones and levels of those samples, on the device. */
static cudaError_t find_tones(struct ht_gpu_page *own, const ht_page_t *page,
                              size_t slot, size_t rows)
{
    struct ht_gpu_buffers *buffers = own->buffers;
    const size_t samples = own->sizes.samples;
    const uint8_t *from =
        buffers->samples + HT_GPU_PAD + slot * own->sizes.sample_row;
    int16_t *tone = buffers->tone + HT_GPU_PAD + slot * samples;
    uint8_t *level = buffers->level + HT_GPU_PAD + slot * samples;

    if (page->curves != NULL)
        return ht_gpu_look_up(&own->plan, from, buffers->curves, rows, tone,
                              level, buffers->run);
    return ht_gpu_split(&own->plan, (const uint16_t *)(const void *)from, rows,
                        tone, level, buffers->run);
}

/* Brings a launch's rows to the device, and the one below them where it needs
 * that. */
static bool copy_in(struct ht_gpu_page *own, const ht_page_t *page,
                    struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    const bool more = own->place.row >= HT_PREROLL && has_below(own, rows);
    const size_t below = (slot + rows) % own->sizes.ring;

    if (own->inks.first == own->inks.end)
        return true;
    return copy_samples(own, page, slot, rows) &&
           (!more || copy_samples(own, page, below, 1)) &&
           ht_gpu_ok(cudaEventRecord(launch->copied, own->buffers->in)) &&
           ht_gpu_ok(
               cudaStreamWaitEvent(own->buffers->run, launch->copied, 0)) &&
           (!own->sizes.deep || ht_gpu_ok(find_tones(own, page, slot, rows))) &&
           (!own->sizes.deep || !more ||
            ht_gpu_ok(find_tones(own, page, below, 1)));
}

/* Launches a kernel that hangs if a test wants that, fault.h: until it is told
 * to stop, or for ever. Other builds do not have it. */
static bool hang_on_demand(struct ht_gpu_page *own)
{
#ifdef HT_GPU_FAULTS
    bool dead = ht_gpu_fault("dead");

    if (dead || ht_gpu_fault("hang"))
        return ht_gpu_ok(
            ht_gpu_hang(dead ? NULL : own->buffers->stop, own->buffers->run));
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
    return compare(own, launch, slot, rows);
}

/* Copies the errors behind a launch's rows to the host. */
static bool copy_errors(const struct ht_gpu_page *own, const ht_page_t *page,
                        struct ht_gpu_launch *launch)
{
    if (!ht_info_of(page)->diffuses) {
        memset(launch->host_errors, 0, own->sizes.state);
        return true;
    }
    return ht_gpu_ok(cudaMemcpyAsync(launch->host_errors, launch->errors,
                                     own->sizes.state, cudaMemcpyDeviceToHost,
                                     own->buffers->out));
}

/* Copies `rows` rows of dots to the host, and the errors behind them. */
static bool copy_out(struct ht_gpu_page *own, const ht_page_t *page,
                     struct ht_gpu_launch *launch, size_t slot, size_t rows)
{
    return ht_gpu_ok(cudaEventRecord(launch->ran, own->buffers->run)) &&
           ht_gpu_ok(cudaStreamWaitEvent(own->buffers->out, launch->ran, 0)) &&
           (rows == 0 ||
            ht_gpu_ok(cudaMemcpyAsync(
                own->buffers->host_dots + slot * own->sizes.dot_row,
                launch->dots, rows * own->sizes.dot_row, cudaMemcpyDeviceToHost,
                own->buffers->out))) &&
           copy_errors(own, page, launch) &&
           ht_gpu_ok(cudaEventRecord(launch->done, own->buffers->out));
}

bool ht_gpu_send_rows(ht_engine_t *engine, size_t rows)
{
    struct ht_gpu_page *own = engine->own;
    struct ht_gpu_launch *launch =
        &own->buffers->launch[own->launches % own->sizes.launches];
    size_t slot = own->launched % own->sizes.ring;

    assert(rows > 0 && rows <= own->sizes.part &&
           own->launched + rows <= own->submitted &&
           slot + rows <= own->sizes.ring);
    assert(own->launches - own->finished_launches < own->sizes.launches);
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
    struct ht_gpu_launch *launch = &own->buffers->launch[0];

    assert(own->launches == 0 && own->submitted > 0);
    if (!choose_inks(own, &engine->page, inks_of(own, &engine->page, 1)) ||
        !copy_in(own, &engine->page, launch, 0, 1) ||
        !run(own, &engine->page, launch, 0, HT_PREROLL) ||
        !copy_out(own, &engine->page, launch, 0, 0))
        return false;
    launch->end = 0;
    own->launches++;
    return true;
}
