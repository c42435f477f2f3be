/*
 * sender.h - dots as raster, from a pipe to a device in its language.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SENDER_H
#define PRINTER_APP_SENDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <pappl/pappl.h>

#include "pack/writer.h"
#include "page/owner.h"
#include "printer-app/device_job.h"
#include "printer-app/family.h"

struct sender {
    const atomic_bool *failed; /* whether the dots are not all of the job's */
    struct owner *owner; /* hears it; if it cannot be canceled, a canceled job
                          * is still sent to its end */
    const struct family *family;
    pappl_media_col_t media; /* for packers of CUPS */
    struct device_job at;
    int input;         /* the pipe's end, closed when nothing more is taken */
    struct sink *sink; /* of a writer at work; else NULL */
    bool well;         /* all has left */
    pthread_t thread;
};

/* Starts a thread of `owner`, the caller's, that sends what is written to
 * `*output`, a pipe that is the caller's to close, for a job of a printer of
 * that family. `failed`, the caller's, is read when the pipe is closed. Waits
 * for a printer that has vanished. False after an ERROR line, or because the
 * job is canceled meanwhile. */
bool sender_start(struct sender *sender, struct owner *owner,
                  const atomic_bool *failed, pappl_job_t *job,
                  const struct family *family, const pappl_media_col_t *media,
                  pappl_device_t *device, int *output);

/* Waits until the pipe can be read, as owner_wait() does, for the sender's own
 * thread. What the device can have meanwhile, it gets. */
bool sender_await(struct sender *sender, int fd);

/* Waits until the pipe was closed and all of it has left, to the last byte that
 * PAPPL kept. False after an ERROR line, or because the job is canceled. */
bool sender_end(struct sender *sender);

#endif
