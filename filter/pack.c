/*
 * pack.c - a packer of our own, around PACK_LANGUAGE of page/pack/:
 *
 *   PACK_PROGRAM job-id user title copies options [file]
 *
 * What is missing of the last page is bare paper. SIGTERM is ignored: in a
 * canceled job the raster ends soon, and the printer gets whole pages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "page/pack/writer.h"
#include "page/message.h"
#include "page/stream.h"

static bool to_stdout(struct sink *sink, const void *data, size_t bytes)
{
    (void)sink;
    return fwrite(data, 1, bytes, stdout) == bytes && fflush(stdout) == 0;
}

/* Prints the job from `input`; 0, or 1 after an ERROR line. */
static int print_job(int input)
{
    struct stream in = {.raster = NULL};
    struct sink out = {.write = to_stdout};
    bool ok = stream_open_input(&in, input);

    if (ok)
        ok = language_write(language_named(PACK_LANGUAGE), &in, &out);
    else
        message("ERROR", "The raster has no pages");
    if (out.broken)
        message("ERROR", "The printer's data cannot be written");
    stream_close(&in);
    return ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    int input = STDIN_FILENO;

    message_begin();
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc != 6 && argc != 7) {
        message("ERROR",
                PACK_PROGRAM " job-id user title copies options [file]");
        return 1;
    }
    if (argc == 7 && (input = open(argv[6], O_RDONLY | O_CLOEXEC)) < 0) {
        message("ERROR", "The raster cannot be opened");
        return 1;
    }
    return print_job(input);
}
