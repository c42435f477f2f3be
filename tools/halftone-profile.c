/*
 * halftone-profile.c - gives a printer of the application, or a queue of
 * CUPS's, an ICC profile of its own: doc/user/color.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/color/profile_file.h"
#include "tools/command.h"
#include "tools/profile_queue.h"

#define APP_FOLDER "/var/lib/halftone-printer-app"
#define CUPS_FOLDER "/etc/cups"
#define MOST_PATH 1400
#define MOST_NAME 250 /* characters of a printer's */

struct profile_options {
    const char *file;   /* to install; NULL = removes */
    const char *name;   /* of the printer or queue */
    bool queue;         /* of CUPS's, and not a printer of the application */
    const char *folder; /* in whose rastertohalftone/ profiles are */
};

/* ---- Files ------------------------------------------------------------- */

static void path_of(const struct profile_options *options, const char *end,
                    char path[MOST_PATH])
{
    snprintf(path, MOST_PATH, "%s/rastertohalftone/%s%s", options->folder,
             options->name, end);
}

/* Makes the folder for profiles, whose owner is that of the one above: the
 * application keeps curves there. */
static bool make_folder(const struct profile_options *options)
{
    char path[MOST_PATH];
    struct stat above;

    snprintf(path, sizeof path, "%s/rastertohalftone", options->folder);
    if (stat(options->folder, &above) < 0)
        return command_complain(options->folder, strerror(errno));
    if (mkdir(path, 0755) < 0)
        return errno == EEXIST || command_complain(path, strerror(errno));
    return chown(path, above.st_uid, above.st_gid) == 0 ||
           command_complain(path, strerror(errno));
}

/* Writes the file whole or not at all. */
static bool write_file(const struct profile_options *options, const void *data,
                       size_t size)
{
    char path[MOST_PATH], fresh[MOST_PATH];

    path_of(options, ".icc", path);
    path_of(options, ".new", fresh);
    const int fd = open(
        fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);

    if (fd < 0)
        return command_complain(fresh, strerror(errno));
    bool ok = write(fd, data, size) == (ssize_t)size && fchmod(fd, 0644) == 0 &&
              fsync(fd) == 0;

    ok = close(fd) == 0 && ok && rename(fresh, path) == 0;
    if (!ok) {
        command_complain(path, strerror(errno));
        unlink(fresh);
    }
    return ok;
}

/* ---- Commands ---------------------------------------------------------- */

/* Installs the tags that are needed, and nothing else of the file. */
static bool install(const struct profile_options *options)
{
    struct profile profile;
    char why[PROFILE_WHY], path[MOST_PATH];
    uint8_t black[4];

    if (!profile_file_check(&profile, options->file, black, why))
        return command_complain(options->file, why);
    bool ok =
        make_folder(options) && write_file(options, profile.data, profile.size);

    path_of(options, ".icc", path);
    ok = ok && (!options->queue ||
                profile_queue_set(options->folder, options->name, path, black));
    profile_free(&profile);
    return ok;
}

static bool uninstall(const struct profile_options *options)
{
    char path[MOST_PATH];

    if (options->queue &&
        !profile_queue_set(options->folder, options->name, NULL, NULL))
        return false;
    path_of(options, ".icc", path);
    return unlink(path) == 0 || errno == ENOENT ||
           command_complain(path, strerror(errno));
}

/* ---- Command line ------------------------------------------------------ */

static const char usage[] =
    "Usage: halftone-profile install FILE.icc -d PRINTER | -q QUEUE\n"
    "       halftone-profile remove -d PRINTER | -q QUEUE\n"
    "Gives a printer an ICC profile of its own, or takes it away: of the "
    "class\n"
    "\"output\", for CMYK or RGB, version 2 or 4, of at most 16 MiB.\n"
    "\n"
    "  -d, --printer PRINTER  of halftone-printer-app\n"
    "  -q, --queue QUEUE      of CUPS; its PPD is written anew by lpadmin\n"
    "  --folder FOLDER        the application's state (" APP_FOLDER "),\n"
    "                         or CUPS's configuration (" CUPS_FOLDER ")\n"
    "  --help, --version\n";

/* Takes a name, which must not lead to another folder. */
static bool take_name(struct profile_options *options, const char *name,
                      bool queue)
{
    if (name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL ||
        strlen(name) > MOST_NAME)
        return command_complain(name, "not the name of a printer or queue");
    options->name = name;
    options->queue = queue;
    return true;
}

static bool parse_words(struct profile_options *options, int count,
                        char **words)
{
    const bool installs = count > 0 && strcmp(words[0], "install") == 0;
    const bool removes = count > 0 && strcmp(words[0], "remove") == 0;

    if (options->name == NULL || (!installs && !removes) ||
        count != (installs ? 2 : 1))
        command_misuse(usage);
    options->file = installs ? words[1] : NULL;
    if (options->folder == NULL)
        options->folder = options->queue ? CUPS_FOLDER : APP_FOLDER;
    return true;
}

static bool parse_options(struct profile_options *options, int argc,
                          char **argv)
{
    static const struct option names[] = {
        {"printer", required_argument, NULL, 'd'},
        {"queue", required_argument, NULL, 'q'},
        {"folder", required_argument, NULL, 'f'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok &&
           (option = command_letter(argc, argv, "d:q:", names, usage)) != -1)
        switch (option) {
        case 'd':
        case 'q':
            if (options->name != NULL)
                command_misuse(usage);
            ok = take_name(options, optarg, option == 'q');
            break;
        case 'f':
            options->folder = optarg;
            break;
        }
    return ok && parse_words(options, argc - optind, argv + optind);
}

int main(int argc, char **argv)
{
    struct profile_options options = {.file = NULL};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(options.file != NULL ? install(&options)
                                               : uninstall(&options));
}
