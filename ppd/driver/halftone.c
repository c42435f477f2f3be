/*
 * halftone.c - the program by which CUPS lists the PPDs of other drivers with
 * our dots, and makes them: doc/user/queues.md. It is linked with no library of
 * CUPS's, to take a millisecond.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ppd/driver/list.h"

#define SCHEME "halftone:"

/* Prints a line for the log of CUPS. Always 1. */
static int complain(const char *what, const char *why)
{
    fprintf(stderr, "ERROR: halftone: %s: %s\n", what, why);
    return 1;
}

static int list(void)
{
    const char *path = list_path();
    char bytes[1 << 16];
    ssize_t count;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 && errno == ENOENT) {
        fputs("INFO: halftone: \"halftone-ppd --update-list\" has not listed "
              "PPDs yet\n",
              stderr);
        return 0;
    }
    if (file < 0)
        return complain(path, strerror(errno));
    while ((count = read(file, bytes, sizeof bytes)) > 0)
        fwrite(bytes, 1, (size_t)count, stdout);
    if (count < 0 || fflush(stdout) != 0 || ferror(stdout))
        return complain(path, strerror(errno));
    return 0;
}

/* Becomes halftone-ppd, whose complaints then begin as lines of the log. */
static int cat(const char *name)
{
    const char *program = getenv("HALFTONE_PPD");

    if (strncmp(name, SCHEME, strlen(SCHEME)) != 0)
        return complain("cat", "the name of a PPD begins with " SCHEME);
    if (program == NULL)
        program = BINDIR "/halftone-ppd";
    execl(program, "ERROR: halftone", name, (char *)NULL);
    return complain(program, strerror(errno));
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list();
    if (argc == 3 && strcmp(argv[1], "cat") == 0)
        return cat(argv[2]);
    fputs("Usage: halftone list\n       halftone cat halftone:PPD\n", stderr);
    return 2;
}
