/*
 * sender.c - a thread that packs dots and writes them to the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/stream.h"
#include "printer-app/cups_packer.h"
#include "printer-app/sender.h"

#define PIPE_BYTES (1 << 20)  /* of dots that wait for a device */
#define PIECE_BYTES (1 << 16) /* of raster that is sent as it is */

/* An IPP printer that takes no more of a canceled job is told so. */
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

/* Sends what comes as it is. */
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

/* Where a writer's bytes go. */
struct device_sink {
    struct sink sink;
    struct sender *sender;
};

static bool write_sink(struct sink *sink, const void *data, size_t bytes)
{
    struct device_sink *to = (struct device_sink *)(void *)sink;

    return write_device(to->sender, data, bytes);
}

/* A job without a page has no raster. */
static bool pack(struct sender *sender)
{
    const struct language *language = language_named(sender->family->writer);
    struct device_sink to = {.sink = {.write = write_sink}, .sender = sender};
    struct stream in;
    bool ok = true;

    sender->sink = &to.sink;
    if (stream_open_input(&in, sender->input)) {
        ok = language_write(language, &in, &to.sink);
        ok = sink_flush(&to.sink) && ok;
    }
    sender->sink = NULL;
    stream_close(&in);
    return ok;
}

bool sender_await(struct sender *sender, int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    int ready = poll(&input, 1, 0);

    if (ready == 0) {
        if (sender->sink != NULL && sink_flush(sender->sink))
            device_job_flush(&sender->at);
        ready = poll(&input, 1, -1);
    }
    return ready >= 0;
}

/* Sends what a packer of CUPS makes of it. */
static bool pack_by_program(struct sender *sender)
{
    struct cups_packer cups;

    if (!cups_packer_start(&cups, sender->family, &sender->media,
                           sender->input))
        return false;
    const bool sent = pass(sender, cups.output);

    return cups_packer_end(&cups) && sent;
}

static bool send_dots(struct sender *sender)
{
    const struct family *family = sender->family;

    if (cups_packer_is_there(family))
        return pack_by_program(sender);
    if (family->writer != NULL)
        return pack(sender);
    /* A packer that has gone since the printer was added says so. */
    return family->packer != NULL ? pack_by_program(sender)
                                  : pass(sender, sender->input);
}

static void *send_all(void *context)
{
    struct sender *sender = context;

    owner_set(sender->owner);
    sender->well = send_dots(sender);
    close(sender->input); /* who still writes waits no longer */
    if (!device_job_end(&sender->at, !sender->well || *sender->failed))
        sender->well = refuse();
    return NULL;
}

bool sender_start(struct sender *sender, struct owner *owner,
                  const atomic_bool *failed, pappl_job_t *job,
                  const struct family *family, const pappl_media_col_t *media,
                  pappl_device_t *device, int *output)
{
    int ends[2], error;

    *sender = (struct sender){
        .owner = owner, .failed = failed, .family = family, .media = *media};
    if (!device_job_begin(&sender->at, job, device))
        return false;
    if (pipe2(ends, O_CLOEXEC) < 0) {
        message("ERROR", "Cannot make a pipe: %s", strerror(errno));
        (void)device_job_end(&sender->at, true);
        return false;
    }
    fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
    sender->input = ends[0];
    error = pthread_create(&sender->thread, NULL, send_all, sender);
    if (error != 0) {
        message("ERROR", "Cannot start a thread: %s", strerror(error));
        close(ends[0]);
        close(ends[1]);
        (void)device_job_end(&sender->at, true);
        return false;
    }
    *output = ends[1];
    return true;
}

bool sender_end(struct sender *sender)
{
    pthread_join(sender->thread, NULL);
    return sender->well;
}
