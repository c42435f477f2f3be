/*
 * fake_engine.c - an engine that fails and dawdles on demand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "page/stream.h"
#include "test/unit/fake_engine.h"

#define SWATH 4u /* rows that are finished together */

/* ---- The reader ------------------------------------------------------- */

atomic_size_t lines_read;

size_t __real_stream_read_lines(struct stream *stream, unsigned char *data,
                                size_t lines, size_t bytes);
size_t __wrap_stream_read_lines(struct stream *stream, unsigned char *data,
                                size_t lines, size_t bytes);

size_t __wrap_stream_read_lines(struct stream *stream, unsigned char *data,
                                size_t lines, size_t bytes)
{
    size_t got = __real_stream_read_lines(stream, data, lines, bytes);

    lines_read += got;
    return got;
}

void note_ahead(size_t *most, size_t done)
{
    size_t ahead = lines_read - done;

    if (ahead > *most)
        *most = ahead;
}

/* ---- The engine ------------------------------------------------------- */

static bool has_ink(const uint8_t *row)
{
    for (size_t i = 0; i < LINE; i++)
        if (row[i] != 0)
            return true;
    return false;
}

/* Reads the samples of submits that it has not read yet, but for those of the
 * last `left`. */
static void read_samples(ht_engine_t *engine, unsigned left)
{
    while (engine->lent > left) {
        memcpy(engine->ink + engine->samples_read * LINE, engine->tones[0],
               engine->rows[0] * LINE);
        engine->samples_read += engine->rows[0];
        engine->lent--;
        for (unsigned i = 0; i < engine->lent; i++) {
            engine->tones[i] = engine->tones[i + 1];
            engine->rows[i] = engine->rows[i + 1];
        }
    }
}

/* A host's engine keeps its guest for a few milliseconds, as long as it lets
 * itself be kept. */
void ht_engine_help(ht_engine_t *engine, bool (*enough)(void *context),
                    void *context)
{
    if (engine->room > 0)
        return;
    engine->guest++;
    for (unsigned i = 0; i < 50 && !enough(context); i++)
        usleep(100);
}

/* Refuses rows that are said to have no ink and have some. */
ht_status_t ht_engine_submit(ht_engine_t *engine, const void *tones,
                             const uint16_t *inked, size_t rows)
{
    sigset_t blocked;

    for (size_t row = 0; row < rows; row++)
        if (inked[row] == 0 && has_ink((const uint8_t *)tones + row * LINE))
            return HT_ERR_ARGUMENT;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    engine->takes_signals = !sigismember(&blocked, SIGTERM);
    usleep(engine->dawdles);
    note_ahead(&engine->most_ahead, engine->submitted);
    if (engine->submits-- == 0)
        return HT_ERR_DEVICE;
    engine->tones[engine->lent] = tones;
    engine->rows[engine->lent++] = rows;
    read_samples(engine, engine->room > 0 ? 0 : PIPELINE_LENT);
    engine->submitted += rows;
    engine->finished = engine->submitted / SWATH * SWATH;
    if (engine->submitted - engine->collected > engine->most)
        engine->most = engine->submitted - engine->collected;
    return HT_OK;
}

const char *ht_engine_device(const ht_engine_t *engine)
{
    return engine->room > 0 ? "test" : NULL;
}

size_t ht_engine_room(const ht_engine_t *engine)
{
    size_t room = engine->room > 0        ? engine->room
                  : engine->host_room > 0 ? engine->host_room
                                          : 2000;

    return room - (engine->submitted - engine->collected);
}

/* An accelerator stays so many rows behind, or does a row from one question to
 * the next. */
size_t ht_engine_done(ht_engine_t *engine)
{
    if (engine->room == 0)
        return engine->finished - engine->collected;
    if (engine->done < engine->collected)
        engine->done = engine->collected;
    if (engine->lag == 0 && engine->done < engine->finished)
        engine->done++;
    if (engine->lag > 0 && engine->done + engine->lag < engine->finished)
        engine->done = engine->finished - engine->lag;
    return engine->done - engine->collected;
}

ht_status_t ht_engine_end(ht_engine_t *engine)
{
    engine->finished = engine->submitted;
    return engine->fails_to_end ? HT_ERR_DEVICE : HT_OK;
}

size_t ht_engine_ready(const ht_engine_t *engine)
{
    return engine->finished - engine->collected;
}

ht_status_t ht_engine_collect(ht_engine_t *engine, uint8_t *dots, size_t rows)
{
    const uint8_t *ink = engine->ink + engine->collected * LINE;

    usleep(engine->dawdles);
    if (engine->collects-- == 0)
        return HT_ERR_DEVICE;
    if (engine->samples_read < engine->collected + rows)
        read_samples(engine, 0);
    memset(dots, 0, rows * DOTS);
    for (size_t i = 0; i < rows * LINE; i++)
        dots[i / 8] |= (uint8_t)((ink[i] >> 7) << (7 - i % 8));
    engine->collected += rows;
    return HT_OK;
}
