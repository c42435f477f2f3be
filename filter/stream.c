/*
 * stream.c - raster in, raster out, and the signals that end a job.
 *
 * SIGTERM stays blocked, in all threads, but for the moments in which the one
 * that reads waits for input: it can neither cut a line that is being written
 * nor come between a look at the flag and a read that would then wait for
 * ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "filter/message.h"
#include "filter/stream.h"

static atomic_bool canceled;   /* SIGTERM came in; it may also be pending */
static sigset_t while_waiting; /* the signals blocked during a wait */

static void cancel(int number)
{
    (void)number;
    atomic_store(&canceled, true);
}

void stream_catch_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigset_t terminate;

    sigaction(SIGPIPE, &action, NULL);
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, &while_waiting);
    sigdelset(&while_waiting, SIGTERM);
    action.sa_handler = cancel;
    sigaction(SIGTERM, &action, NULL);
}

/* Pending first: from there it goes to the flag. */
bool stream_canceled(void)
{
    sigset_t pending;

    return (sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1) ||
           atomic_load(&canceled);
}

/* Who reads asks for signals once a band; only waits have to end early. */
static ssize_t read_some(void *context, unsigned char *data, size_t size)
{
    struct stream *stream = context;
    struct pollfd input = {.fd = stream->fd, .events = POLLIN};

    while (!atomic_load(&canceled)) {
        if (stream->may_wait && ppoll(&input, 1, NULL, &while_waiting) < 0) {
            if (errno == EINTR)
                continue;
            return -1;
        }
        if (stream->header == 0 && stream->raster != NULL)
            stream->header = size;
        ssize_t got = read(stream->fd, data, size);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        stream->came |= got > 0;
        stream->at_end = got == 0 && size == stream->header;
        return got;
    }
    return 0;
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
    return open_raster(stream, fd, CUPS_RASTER_READ);
}

void stream_close(struct stream *stream)
{
    if (stream->raster != NULL)
        cupsRasterClose(stream->raster);
    stream->raster = NULL;
}

/*
 * libcups says only "no header". It first asks for a whole header when it has
 * nothing left in its buffer, for less when it has a part of one there, and
 * for nothing when it has all of it. So the stream has ended well when a whole
 * header was asked for and nothing came. How much that is depends on the kind
 * of raster: it is what libcups asks for first of all, when its buffer is
 * empty for sure.
 */
enum stream_header stream_read_header(struct stream *stream,
                                      cups_page_header2_t *header)
{
    stream->at_end = false;
    memset(header, 0, sizeof *header);
    if (cupsRasterReadHeader2(stream->raster, header))
        return STREAM_PAGE;
    return stream->at_end ? STREAM_END : STREAM_DAMAGED;
}

void stream_begin_page(struct stream *stream, const struct frame *frame)
{
    stream->frame = *frame;
    stream->line = 0;
}

static bool read_line(struct stream *stream, unsigned char *data, size_t bytes)
{
    const struct frame *frame = &stream->frame;
    size_t line = stream->line++;
    size_t come = bytes - frame->left - frame->right;

    if (frame->lines > 0 &&
        (line < frame->top || line - frame->top >= frame->lines)) {
        memset(data, frame->paper, bytes);
        return true;
    }
    memset(data, frame->paper, frame->left);
    memset(data + frame->left + come, frame->paper, frame->right);
    return cupsRasterReadPixels(stream->raster, data + frame->left,
                                (unsigned)come) == come;
}

size_t stream_read_lines(struct stream *stream, unsigned char *data,
                         size_t lines, size_t bytes)
{
    for (size_t line = 0; line < lines; line++, data += bytes)
        if (!read_line(stream, data, bytes))
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
    errno = 0;
    return written(stream, cupsRasterWriteHeader2(stream->raster, header) != 0);
}

bool stream_write(struct stream *stream, const unsigned char *data,
                  size_t bytes)
{
    errno = 0;
    return written(stream,
                   cupsRasterWritePixels(stream->raster, (unsigned char *)data,
                                         (unsigned)bytes) == bytes);
}

void stream_report(const struct stream *stream)
{
    if (stream->broken && !stream_canceled())
        message("ERROR", "Cannot write the raster: %s",
                stream->error != 0 ? strerror(stream->error)
                                   : "libcups refused it");
}
