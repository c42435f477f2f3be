/*
 * stream.c - raster in, raster out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/memory.h"
#include "page/message.h"
#include "page/owner.h"
#include "page/stream.h"

/* More than any number of pages needs, and no overflow in frame.c. */
#define PAID_BYTES ((uint64_t)1 << 48)

/* Reads up to `size` bytes, as read() does. Ends when a wait was told that the
 * job is canceled, -1 with the stream's error 0. Cancellation between waits is
 * left to the readers of bands, which ask canceled(). */
static ssize_t read_file(struct stream *stream, void *data, size_t size)
{
    while (!owner_was_told()) {
        if (stream->may_wait && !owner_wait(stream->fd)) {
            if (errno == EINTR)
                continue;
            stream->error = errno;
            return -1;
        }
        ssize_t got = read(stream->fd, data, size);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got < 0)
            stream->error = errno;
        return got;
    }
    return -1;
}

/* Returns up to `size` bytes that were read ahead, or reads ahead. */
static ssize_t read_ahead(struct stream *stream, void *data, size_t size)
{
    if (stream->held == 0) {
        const ssize_t got = read_file(stream, stream->ahead, STREAM_HELD);

        if (got <= 0)
            return got;
        stream->next = 0;
        stream->held = (size_t)got;
    }
    if (size > stream->held)
        size = stream->held;
    memcpy(data, stream->ahead + stream->next, size);
    stream->next += size;
    stream->held -= size;
    return (ssize_t)size;
}

static ssize_t read_some(void *context, unsigned char *data, size_t size)
{
    struct stream *stream = context;

    if (stream->header == 0 && stream->raster != NULL)
        stream->header = size;
    const ssize_t got = stream->held > 0 || size < STREAM_HELD / 4
                            ? read_ahead(stream, data, size)
                            : read_file(stream, data, size);

    stream->came |= got > 0;
    stream->bytes += got > 0 ? (uint64_t)got : 0;
    stream->at_end = got == 0 && size == stream->header;
    return got;
}

static ssize_t write_all(void *context, unsigned char *data, size_t size)
{
    struct stream *stream = context;
    struct pollfd output = {.fd = stream->fd, .events = POLLOUT};

    for (size_t done = 0; done < size;) {
        ssize_t wrote = write(stream->fd, data + done, size - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote < 0 && errno == EAGAIN)
            wrote = poll(&output, 1, -1);
        if (wrote == 0 || (wrote < 0 && errno != EINTR))
            return -1;
    }
    return (ssize_t)size;
}

static bool open_raster(struct stream *stream, int fd, cups_mode_t mode)
{
    struct stat file;

    *stream = (struct stream){.fd = fd};
    stream->may_wait = fstat(fd, &file) < 0 || !S_ISREG(file.st_mode);
    errno = 0;
    stream->raster = cupsRasterOpenIO(
        mode == CUPS_RASTER_READ ? read_some : write_all, stream, mode);
    return stream->raster != NULL;
}

bool stream_open_input(struct stream *stream, int fd)
{
    memory_insist("the raster");
    bool ok = open_raster(stream, fd, CUPS_RASTER_READ);
    memory_insist(NULL);
    return ok;
}

void stream_open_lines(struct stream *stream,
                       size_t (*lines)(void *from, unsigned char *data,
                                       size_t lines, size_t bytes),
                       void *from)
{
    *stream = (struct stream){
        .fd = -1, .lines = lines, .from = from, .bytes = PAID_BYTES};
}

void stream_open_taker(struct stream *stream, struct stream_taker *taker)
{
    *stream = (struct stream){.fd = -1, .taker = taker};
}

void stream_close(struct stream *stream)
{
    if (stream->raster != NULL)
        cupsRasterClose(stream->raster);
    stream->raster = NULL;
}

/*
 * libcups says only "no header", be it the end or a damaged one. The stream has
 * ended well if libcups last asked for a whole header and nothing came: it asks
 * for a whole one only when its buffer is empty, for less when a part of a
 * header is there, and for nothing when all of it is. How many bytes a whole
 * header has depends on the kind of raster; it is what libcups asks for first
 * of all.
 */
enum stream_header stream_read_header(struct stream *stream,
                                      cups_page_header2_t *header)
{
    stream->at_end = false;
    memset(header, 0, sizeof *header);
    errno = 0;
    if (cupsRasterReadHeader2(stream->raster, header))
        return STREAM_PAGE;
    if (errno == ENOMEM) /* libcups had none, and says no more than "no" */
        stream->error = errno;
    return stream->at_end ? STREAM_END : STREAM_DAMAGED;
}

static void say_damaged(const struct stream *stream, unsigned pages)
{
    if (stream->error != 0)
        message("ERROR", "Cannot read the raster after page %u: %s", pages,
                strerror(stream->error));
    else if (pages == 0)
        message("ERROR", "The first page's header is damaged or cut short");
    else
        message("ERROR", "The raster is damaged after page %u", pages);
}

bool stream_next_page(struct stream *stream, cups_page_header2_t *header,
                      unsigned pages, bool *ok)
{
    if (canceled())
        return false;
    const enum stream_header next = stream_read_header(stream, header);

    if (next == STREAM_PAGE)
        return true;
    if (canceled() || (next == STREAM_END && pages > 0))
        return false;
    if (next == STREAM_END)
        message("ERROR", "The raster has no pages");
    else
        say_damaged(stream, pages);
    *ok = false;
    return false;
}

size_t stream_read_lines(struct stream *stream, unsigned char *data,
                         size_t lines, size_t bytes)
{
    if (stream->lines != NULL)
        return stream->lines(stream->from, data, lines, bytes);
    for (size_t line = 0; line < lines; line++, data += bytes)
        if (cupsRasterReadPixels(stream->raster, data, (unsigned)bytes) !=
            bytes)
            return line;
    return lines;
}

static bool written(struct stream *stream, bool ok)
{
    if (!ok && !stream->broken)
        stream->error = errno;
    stream->broken = stream->broken || !ok;
    return ok;
}

bool stream_open_output(struct stream *stream, int fd, bool pwg)
{
    return written(
        stream, open_raster(stream, fd,
                            pwg ? CUPS_RASTER_WRITE_PWG : CUPS_RASTER_WRITE));
}

bool stream_write_header(struct stream *stream, cups_page_header2_t *header)
{
    if (stream->taker != NULL) {
        const bool taken = stream->taker->header(stream->taker, header);

        errno = EPIPE;
        return written(stream, taken);
    }
    errno = 0;
    return written(stream, cupsRasterWriteHeader2(stream->raster, header) != 0);
}

bool stream_write(struct stream *stream, const unsigned char *data,
                  size_t bytes)
{
    if (stream->taker != NULL) {
        const bool taken = stream->taker->lines(stream->taker, data, bytes);

        errno = EPIPE;
        return written(stream, taken);
    }
    errno = 0;
    return written(stream,
                   cupsRasterWritePixels(stream->raster, (unsigned char *)data,
                                         (unsigned)bytes) == bytes);
}

void stream_report(const struct stream *stream)
{
    if (stream->broken && !canceled())
        message("ERROR", "Cannot write the raster: %s",
                stream->error != 0 ? strerror(stream->error)
                                   : "libcups refused it");
}
