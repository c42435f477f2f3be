/*
 * pipeline.c - three threads: one reads lines and turns them into ink, one
 * halftones, one packs dots into lines and writes them.
 *
 *   in --> lines --> [ink queue] --> engine --> [dots queue] --> out
 *
 * To turn lines into ink takes up to half of the reader's time. It leaves that
 * to the second thread whenever this one has no more ink waiting, and so is
 * ahead. Changes that depend on the rows below are always the second thread's:
 * it keeps bands back until their last row is done.
 *
 * A stage that cannot go on ends the queues on both of its sides: the one
 * before it stops for want of space, the one behind it finishes what it has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/pipeline.h"
#include "page/queue.h"
#include "page/row_changes.h"
#include "page/rows.h"

#define POLL_MS 1

struct pipeline {
    const struct layout *layout;
    const struct ink *to_ink;
    size_t band;    /* rows */
    uint8_t *lines; /* not ink yet: one, or a whole planar page */
    /* Lines of a band that the reader left, and of one that the halftoner may
     * still be turning into ink. NULL until there are any. */
    uint8_t *left[2];
    unsigned leaves; /* bands left, modulo 2 */
    bool waits;      /* rows depend on those below: */
    struct row_changes changes;
    struct band **held; /* [queue.bands] taken and not submitted, a ring */
    unsigned first_held, held_bands;
    size_t submitted;  /* rows of the page */
    unsigned kept;     /* bands that the engine may still need */
    struct queue ink;  /* bands of [rows][inks][width] */
    struct queue dots; /* bands of [rows], rows_dot_bytes() each */
    sem_t read_over;   /* posted when pipeline_read() is */
    pthread_t halftoner;
    ht_engine_t *engine;
    struct outcome outcome; /* a field has one thread that sets it */
};

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the CPU time of the calling thread. */
static double thread_seconds(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* ---- Memory ----------------------------------------------------------- */

bool pipeline_holds_page(const struct layout *layout)
{
    return layout->order == CUPS_ORDER_PLANAR && layout->inks > 1;
}

struct pipeline *pipeline_open(const struct layout *layout,
                               const struct ink *to_ink, uint32_t band)
{
    struct pipeline *p = calloc(1, sizeof *p);
    size_t lines = pipeline_holds_page(layout) ? layout->lines : 1;
    bool ok;

    assert(band > 0);
    if (p == NULL)
        return NULL;
    p->layout = layout;
    p->to_ink = to_ink;
    p->waits = row_changes_wait(to_ink);
    p->band = band;
    p->lines = malloc(lines * layout->line_bytes);
    sem_init(&p->read_over, 0, 0);
    ok = !p->waits || row_changes_open(&p->changes, layout, to_ink, band);
    const size_t most = p->waits && ok ? row_changes_most(&p->changes) : 0;
    ok = queue_open(&p->ink, (unsigned)((most + band - 1) / band), band,
                    ink_row_bytes(to_ink)) &&
         ok;
    ok = queue_open(&p->dots, 0, band, rows_dot_bytes(layout)) && ok;
    p->held = malloc(p->ink.bands * sizeof *p->held);
    if (ok && p->lines != NULL && p->held != NULL)
        return p;
    pipeline_close(p);
    return NULL;
}

void pipeline_close(struct pipeline *p)
{
    if (p == NULL)
        return;
    queue_close(&p->ink);
    queue_close(&p->dots);
    free(p->left[0]);
    free(p->left[1]);
    free(p->held);
    row_changes_close(&p->changes);
    sem_destroy(&p->read_over);
    free(p->lines);
    free(p);
}

/* ---- Reading ---------------------------------------------------------- */

/* Makes ink of a line, but for changes that wait. `*inked` are the inks that
 * the row has, before and after. */
static void take_line(struct pipeline *p, const uint8_t *line,
                      size_t plane_bytes, uint8_t *ink, uint16_t *inked)
{
    const bool moves = ink_moves(p->to_ink) && *inked != 0;

    *inked = rows_to_ink(p->layout, line, plane_bytes, ink,
                         moves ? UINT16_MAX : *inked);
    if (p->layout->monochrome != NULL)
        *inked = monochrome_row(p->layout->monochrome, ink, p->layout->width,
                                p->layout->bits, *inked);
    if (!p->waits && (moves || *inked != 0))
        *inked = ink_apply(p->to_ink, ink, *inked);
}

/* Returns memory for the lines of a band, if these are better left to the
 * halftoner; or NULL. */
static uint8_t *leave_lines(struct pipeline *p)
{
    if (rows_are_ink(p->layout) || queue_has_next(&p->ink))
        return NULL;

    uint8_t **lines = &p->left[p->leaves];
    p->leaves = 1 - p->leaves;
    if (*lines == NULL)
        *lines = malloc(p->band * p->layout->line_bytes);
    return *lines;
}

/* Reads rows one by one: a line is still in the nearest cache when it becomes
 * ink. Returns how many came whole. */
static size_t read_rows(struct pipeline *p, struct framed_lines *in,
                        struct band *band, size_t rows)
{
    const struct layout *l = p->layout;
    bool in_place = rows_are_ink(l);
    uint8_t *ink = band->data, *lines = leave_lines(p);

    band->lines = lines;
    if (lines != NULL)
        return frame_read(in, lines, rows, l->line_bytes);
    for (size_t row = 0; row < rows; row++, ink += ink_row_bytes(p->to_ink)) {
        uint8_t *line = in_place ? ink : p->lines;

        if (frame_read(in, line, 1, l->line_bytes) < 1)
            return row;
        take_line(p, line, 0, ink, &band->inked[row]);
    }
    return rows;
}

/* Reads all planes. False when the input ends before or the job is canceled. */
static bool read_planes(struct pipeline *p, struct framed_lines *in)
{
    const struct layout *l = p->layout;
    size_t *read = &p->outcome.read, wanted, got;

    do {
        wanted = l->lines - *read < p->band ? l->lines - *read : p->band;
        got = frame_read(in, p->lines + *read * l->line_bytes, wanted,
                         l->line_bytes);
        *read += got;
    } while (got == wanted && *read < l->lines && !canceled());
    return *read == l->lines;
}

/* Makes ink of the lines of a band; the planes of a planar page are
 * `plane_bytes` apart. */
static void take_rows(struct pipeline *p, const uint8_t *lines,
                      size_t plane_bytes, struct band *band, size_t rows)
{
    uint8_t *ink = band->data;

    for (size_t row = 0; row < rows; row++) {
        take_line(p, lines, plane_bytes, ink, &band->inked[row]);
        lines += p->layout->line_bytes;
        ink += ink_row_bytes(p->to_ink);
    }
}

static bool has_space(void *queue)
{
    return queue_has_space(queue);
}

static bool never(void *queue)
{
    (void)queue;
    return false;
}

/* Halftones until `enough` says so of the queue of ink. */
static void help(struct pipeline *p, ht_engine_t *engine,
                 bool (*enough)(void *queue))
{
    double before;

    if (enough(&p->ink))
        return;
    before = thread_seconds();
    ht_engine_help(engine, enough, &p->ink);
    p->outcome.helping += thread_seconds() - before;
}

static void read_page(struct pipeline *p, struct framed_lines *in,
                      ht_engine_t *engine)
{
    const struct layout *l = p->layout;
    size_t *read = &p->outcome.read, row = 0, wanted, got;
    bool planes = pipeline_holds_page(l);

    if (planes && !read_planes(p, in))
        return;
    do {
        const double before = seconds_of(CLOCK_MONOTONIC);

        help(p, engine, has_space);
        struct band *band = queue_space(&p->ink);
        p->outcome.waiting += seconds_of(CLOCK_MONOTONIC) - before;
        if (band == NULL)
            return;
        wanted = l->height - row < p->band ? l->height - row : p->band;
        got = wanted;
        if (planes)
            take_rows(p, p->lines + row * l->line_bytes,
                      l->height * l->line_bytes, band, wanted);
        else
            got = read_rows(p, in, band, wanted);
        *read += planes ? 0 : got;
        row += got;
        band->rows = got;
        if (got > 0)
            queue_put(&p->ink);
    } while (got == wanted && row < l->height && !canceled());
}

bool pipeline_read(struct pipeline *p, struct framed_lines *in,
                   ht_engine_t *engine)
{
    double before = thread_seconds();

    read_page(p, in, engine);
    bool whole = p->outcome.read == p->layout->lines;
    queue_end(&p->ink);
    help(p, engine, never);
    p->outcome.reading = thread_seconds() - before - p->outcome.helping;
    sem_post(&p->read_over);
    return whole;
}

/* ---- Halftoning ------------------------------------------------------- */

/* Hands on the rows that are done, at most a band, or waits for some. False
 * when the engine failed, or the dots cannot leave, or the job is canceled
 * while an accelerator works: it may have more rows than anybody should wait
 * for. */
static bool collect(struct pipeline *p)
{
    bool drop = ht_engine_device(p->engine) != NULL && canceled();
    struct band *band = drop ? NULL : queue_space(&p->dots);
    size_t done = ht_engine_done(p->engine);
    size_t rows = done > 0 ? done : ht_engine_ready(p->engine);

    if (band == NULL)
        return false;
    band->rows = rows < p->band ? rows : p->band;
    p->outcome.status = ht_engine_collect(p->engine, band->data, band->rows);
    if (p->outcome.status != HT_OK)
        return false;
    queue_put(&p->dots);
    return true;
}

/* Collects whole bands that are done, without waiting. False as collect(). */
static bool collect_bands(struct pipeline *p)
{
    while (ht_engine_done(p->engine) >= p->band && queue_has_space(&p->dots))
        if (!collect(p))
            return false;
    return true;
}

/* Collects rows that are done from an accelerator, without waiting for any,
 * until another band of ink has come or no more will. Polls it: there is no way
 * to wait for it and for a band together. False as collect(). */
static bool collect_meanwhile(struct pipeline *p)
{
    while (ht_engine_ready(p->engine) > 0) {
        if (ht_engine_done(p->engine) > 0 && queue_has_space(&p->dots)) {
            if (!collect(p))
                return false;
        } else if (queue_await(&p->ink, POLL_MS)) {
            break;
        }
    }
    return true;
}

/* Collects what it can before the next band is there. Until then the
 * processor's engine does the rows that it has, while we wait for them. False
 * as collect(). */
static bool collect_some(struct pipeline *p)
{
    if (ht_engine_device(p->engine) != NULL)
        return collect_meanwhile(p);
    if (!collect_bands(p))
        return false;
    while (!queue_has_next(&p->ink) && ht_engine_ready(p->engine) > 0)
        if (!collect(p))
            return false;
    return true;
}

static bool submit(struct pipeline *p, struct band *band)
{
    while (ht_engine_room(p->engine) < band->rows)
        if (!collect(p))
            return false;
    p->outcome.status =
        ht_engine_submit(p->engine, band->data, band->inked, band->rows);
    p->submitted += band->rows;
    if (p->kept < PIPELINE_LENT)
        p->kept++;
    else
        queue_done(&p->ink);
    return p->outcome.status == HT_OK;
}

/* Submits the bands of which all rows are done. */
static bool submit_done(struct pipeline *p)
{
    while (p->held_bands > 0) {
        struct band *band = p->held[p->first_held];

        if (p->waits && p->changes.done < p->submitted + band->rows)
            return true;
        p->first_held = (p->first_held + 1) % p->ink.bands;
        p->held_bands--;
        if (!submit(p, band))
            return false;
    }
    return true;
}

/* Takes in the next band, and submits what is done then. */
static bool take_band(struct pipeline *p, struct band *band)
{
    if (band->lines != NULL)
        take_rows(p, band->lines, 0, band, band->rows);
    p->held[(p->first_held + p->held_bands++) % p->ink.bands] = band;
    for (size_t row = 0; p->waits && row < band->rows; row++)
        row_changes_put(&p->changes,
                        band->data + row * ink_row_bytes(p->to_ink),
                        &band->inked[row]);
    if (p->waits)
        row_changes_some(&p->changes);
    return submit_done(p);
}

static void *halftone_page(void *context)
{
    struct pipeline *p = context;
    struct band *band;
    bool ok = true;

    while ((ok = ok && collect_some(p)) && (band = queue_next(&p->ink)) != NULL)
        ok = take_band(p, band);
    if (ok && p->waits) {
        row_changes_end(&p->changes);
        ok = submit_done(p);
    }
    if (ok) {
        p->outcome.status = ht_engine_end(p->engine);
        ok = p->outcome.status == HT_OK;
    }
    while (ok && ht_engine_ready(p->engine) > 0)
        ok = collect(p);
    pipeline_stop(p);
    p->outcome.halftoning = thread_seconds();
    return NULL;
}

void pipeline_start(struct pipeline *p, ht_engine_t *engine)
{
    p->engine = engine;
    p->outcome.no_thread = owner_thread(&p->halftoner, halftone_page, p);
    if (p->outcome.no_thread != 0)
        pipeline_stop(p);
}

/* ---- Writing, and the end ----------------------------------------------- */

void pipeline_write(struct pipeline *p, struct output *out)
{
    double before = thread_seconds();
    struct band *band;
    bool ok = true;

    while (ok && (band = queue_next(&p->dots)) != NULL) {
        ok = output_rows(out, band->data, band->rows);
        queue_done(&p->dots);
    }
    p->outcome.writing = thread_seconds() - before;
    if (!ok)
        pipeline_stop(p);
}

void pipeline_stop(struct pipeline *p)
{
    queue_end(&p->ink);
    queue_end(&p->dots);
}

struct outcome pipeline_finish(struct pipeline *p)
{
    while (sem_wait(&p->read_over) != 0)
        ;
    if (p->outcome.no_thread == 0)
        pthread_join(p->halftoner, NULL);
    return p->outcome;
}

void outcome_tell(const struct outcome *outcome, unsigned number)
{
    message("DEBUG",
            "rastertohalftone: page %u: threads were busy reading %.0f ms, "
            "halftoning %.0f and %.0f ms without helpers, writing %.0f ms",
            number, 1e3 * outcome->reading, 1e3 * outcome->halftoning,
            1e3 * outcome->helping, 1e3 * outcome->writing);
}
