/*
 * sender.c - packs dots and writes them to the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "printer-app/cups_packer.h"
#include "printer-app/sender.h"

#define PIPE_BYTES (1 << 20)  /* of dots that wait for a device */
#define PIECE_BYTES (1 << 16) /* of raster that is sent as it is */

/* Tells an IPP printer that takes no more of a canceled job that it is
 * canceled. */
static bool refuse(void)
{
    if (!canceled())
        message("ERROR", "The printer takes no more data");
    return false;
}

static bool write_device(struct sender *sender, const void *data, size_t bytes)
{
    return device_job_write(&sender->at, data, bytes) || refuse();
}

/* Passes all bytes on unchanged. */
static bool pass(struct sender *sender, int input)
{
    char data[PIECE_BYTES];
    ssize_t got;

    while ((got = read(input, data, sizeof data)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 || !write_device(sender, data, (size_t)got))
            return false;
    }
    return true;
}

/* ---- By a writer -------------------------------------------------------- */

static struct sender *sender_of_sink(struct sink *sink)
{
    return (struct sender *)(void *)((char *)sink -
                                     offsetof(struct sender, sink));
}

static bool write_sink(struct sink *sink, const void *data, size_t bytes)
{
    return write_device(sender_of_sink(sink), data, bytes);
}

/* Sends the device all bytes so far, because the next ones may take long. */
static bool flush(struct sender *sender)
{
    const bool ok = sink_flush(&sender->sink);

    device_job_flush(&sender->at);
    return ok;
}

static bool take_header(struct stream_taker *taker,
                        const cups_page_header2_t *header)
{
    struct sender *sender = (struct sender *)(void *)taker;

    return writer_begin(sender->writer, header) && flush(sender);
}

/* A page ends with its last line. */
static bool take_lines(struct stream_taker *taker, const unsigned char *data,
                       size_t bytes)
{
    struct sender *sender = (struct sender *)(void *)taker;
    bool ok = writer_rows(sender->writer, data, bytes);

    if (ok && writer_is_whole(sender->writer))
        ok = writer_end(sender->writer);
    return flush(sender) && ok;
}

static bool start_writer(struct sender *sender, struct delivery *delivery)
{
    sender->taker =
        (struct stream_taker){.header = take_header, .lines = take_lines};
    sender->sink.write = write_sink;
    sender->writer =
        writer_open(language_named(sender->family->writer), &sender->sink);
    delivery->taker = &sender->taker;
    return sender->writer != NULL;
}

/* ---- Through a pipe ----------------------------------------------------- */

/* Sends the output of a CUPS packer. */
static bool pack_by_program(struct sender *sender)
{
    struct cups_packer cups;

    if (!cups_packer_start(&cups, sender->family, &sender->media,
                           sender->input))
        return false;
    const bool sent = pass(sender, cups.output);

    return cups_packer_end(&cups) && sent;
}

/* Runs the sender's thread. A packer that was removed after the printer was
 * added reports that itself. */
static void *send_all(void *context)
{
    struct sender *sender = context;

    owner_set(sender->owner);
    sender->well = sender->family->packer != NULL ? pack_by_program(sender)
                                                  : pass(sender, sender->input);
    close(sender->input); /* who still writes waits no longer */
    return NULL;
}

/* False after an ERROR line. */
static bool start_thread(struct sender *sender, struct delivery *delivery)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0) {
        message("ERROR", "Cannot make a pipe: %s", strerror(errno));
        return false;
    }
    fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
    sender->input = ends[0];
    const int error = pthread_create(&sender->thread, NULL, send_all, sender);
    if (error != 0) {
        message("ERROR", "Cannot start a thread: %s", strerror(error));
        close(ends[0]);
        close(ends[1]);
        return false;
    }
    delivery->output = ends[1];
    return true;
}

/* ---- The job ------------------------------------------------------------ */

bool sender_start(struct sender *sender, struct owner *owner,
                  const atomic_bool *failed, pappl_job_t *job,
                  const struct family *family, const pappl_media_col_t *media,
                  pappl_device_t *device, struct delivery *delivery)
{
    *sender = (struct sender){
        .owner = owner, .failed = failed, .family = family, .media = *media};
    if (!device_job_begin(&sender->at, job, device))
        return false;
    if (family->writer != NULL ? start_writer(sender, delivery)
                               : start_thread(sender, delivery))
        return true;
    (void)device_job_end(&sender->at, true);
    return false;
}

bool sender_end(struct sender *sender)
{
    if (sender->writer != NULL)
        sender->well = writer_close(sender->writer);
    else
        pthread_join(sender->thread, NULL);
    if (!device_job_end(&sender->at, !sender->well || *sender->failed))
        sender->well = refuse();
    return sender->well;
}
