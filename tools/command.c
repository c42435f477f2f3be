/*
 * command.c - command lines of all tools.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"

int command_letter(int argc, char **argv, const char *letters,
                   const struct option *options, const char *usage)
{
    int option = getopt_long(argc, argv, letters, options, NULL);

    switch (option) {
    case 'h':
        fputs(usage, stdout);
        exit(command_status(true));
    case 'V':
        printf("%s (rastertohalftone) " PACKAGE_VERSION "\n",
               program_invocation_short_name);
        exit(command_status(true));
    case '?': /* getopt_long() has complained */
        exit(EXIT_USAGE);
    default:
        return option;
    }
}

int command_option(int argc, char **argv, const struct option *options,
                   const char *usage)
{
    return command_letter(argc, argv, "", options, usage);
}

void command_misuse(const char *usage)
{
    fputs(usage, stderr);
    exit(EXIT_USAGE);
}

bool command_complain(const char *name, const char *text)
{
    warnx("%s: %s", name, text);
    return false;
}

bool command_number(const char *option, const char *text, uint32_t low,
                    uint32_t high, uint32_t *out)
{
    char *end;

    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 ||
        number < low || number > high) {
        warnx("%s: not a whole number from %u to %u: %s", option, low, high,
              text);
        return false;
    }
    *out = (uint32_t)number;
    return true;
}

int command_status(bool ok)
{
    if (ok && (fflush(stdout) != 0 || ferror(stdout)))
        ok = command_complain("standard output", strerror(errno));
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
