/*
 * sender.h - dots to a device in its language: rows of them by a writer of
 * page/pack/ or, as raster through a pipe, by a packer of CUPS or as they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_SENDER_H
#define PRINTER_APP_SENDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <pappl/pappl.h>

#include "page/pack/writer.h"
#include "page/owner.h"
#include "page/page.h"
#include "printer-app/device_job.h"
#include "printer-app/families/family.h"

struct sender {
    struct stream_taker taker; /* these two first: rows, */
    struct sink sink;          /* and what a writer makes of them */
    struct writer *writer;     /* NULL: the dots come through the pipe */
    const atomic_bool *failed; /* whether the dots are not all of the job's */
    struct owner *owner;       /* of the thread behind the pipe */
    const struct family *family;
    pappl_media_col_t media; /* for packers of CUPS */
    struct device_job at;
    int input; /* the pipe's end, closed when nothing more is taken */
    bool well; /* all has left */
    pthread_t thread;
};

/* Begins to send a job of a printer of that family, and says in `delivery`
 * where its pages leave. A pipe there is the caller's to close before
 * sender_end(), and has a thread of `owner`, the caller's. `failed`, the
 * caller's, is read when all has come. Waits for a printer that has vanished.
 * False after an ERROR line, or because the job is canceled meanwhile. */
bool sender_start(struct sender *sender, struct owner *owner,
                  const atomic_bool *failed, pappl_job_t *job,
                  const struct family *family, const pappl_media_col_t *media,
                  pappl_device_t *device, struct delivery *delivery);

/* Waits until all has left, to the last byte that PAPPL kept. False after an
 * ERROR line, or because the job is canceled. */
bool sender_end(struct sender *sender);

#endif
