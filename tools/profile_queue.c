/*
 * profile_queue.c - replaces the lines "cupsICCProfile" of a PPD. cups-filters
 * 1.28 takes the line whose qualifier is color model, kind of paper and
 * resolution of the job, to the letter; so there is one for each combination.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cups/ppd.h>

#include "ppd/convert/source.h"
#include "tools/command.h"
#include "tools/profile_queue.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define LINE "*cupsICCProfile "
#define MOST_PATH 1200

extern char **environ;

/* ---- The lines ----------------------------------------------------------- */

/* The choices of an option, or one that is empty where the PPD has none. */
struct queue_list {
    int count;
    const ppd_choice_t *choices;
};

static struct queue_list list_of(ppd_file_t *ppd, const char *keyword)
{
    static const ppd_choice_t none;
    const ppd_option_t *option = ppdFindOption(ppd, keyword);

    return option != NULL && option->num_choices > 0
               ? (struct queue_list){option->num_choices, option->choices}
               : (struct queue_list){1, &none};
}

static bool is_gray(const char *model)
{
    return strncmp(model, "Gray", 4) == 0 || strncmp(model, "Black", 5) == 0 ||
           strcmp(model, "K") == 0;
}

static void write_lines(FILE *to, ppd_file_t *ppd, const char *path)
{
    const struct queue_list models = list_of(ppd, "ColorModel");
    const struct queue_list papers = list_of(ppd, "MediaType");
    const struct queue_list sizes = list_of(ppd, "Resolution");

    for (int m = 0; m < models.count; m++)
        for (int p = 0; p < papers.count; p++)
            for (int s = 0; s < sizes.count; s++)
                if (!is_gray(models.choices[m].choice))
                    fprintf(to, LINE "%s.%s.%s/Profile: \"%s\"\n",
                            models.choices[m].choice, papers.choices[p].choice,
                            sizes.choices[s].choice, path);
}

/* Copies the PPD, with the profile's lines in place of the old ones. */
static bool copy_ppd(const char *from, FILE *to, const char *path)
{
    FILE *file = fopen(from, "re");
    ppd_file_t *ppd = ppdOpenFile(from);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool ok = file != NULL && ppd != NULL;

    if (!ok)
        command_complain(from, file == NULL ? strerror(errno) : "not a PPD");
    while (ok && (length = getline(&line, &room, file)) > 0)
        if (strncmp(line, LINE, strlen(LINE)) != 0)
            fwrite(line, 1, (size_t)length, to);
    if (ok && path != NULL)
        write_lines(to, ppd, path);
    free(line);
    ppdClose(ppd);
    if (file != NULL)
        fclose(file);
    return ok;
}

/* Whether libcups can open what was made. */
static bool can_open(const char *path)
{
    char why[SOURCE_WHY] = "";
    size_t size;
    char *bytes = source_read(path, &size, why);
    ppd_file_t *ppd = bytes != NULL ? source_open(bytes, size, why) : NULL;

    free(bytes);
    if (ppd == NULL)
        return command_complain(path, why);
    ppdClose(ppd);
    return true;
}

/* ---- Its queue ----------------------------------------------------------- */

static bool run_lpadmin(const char *queue, const char *ppd, const char *option,
                        const char *value)
{
    const char *const argv[] = {"lpadmin", "-p",   queue, "-P",
                                ppd,       option, value, NULL};
    pid_t process;
    int status = 0;
    const int error = posix_spawnp(&process, argv[0], NULL, NULL,
                                   (char *const *)argv, environ);

    if (error != 0)
        return command_complain(argv[0], strerror(error));
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        ;
    return status == 0 || command_complain(queue, "lpadmin has failed");
}

bool profile_queue_set(const char *root, const char *queue, const char *path,
                       const uint8_t black[4])
{
    char from[MOST_PATH], to[] = "/tmp/halftone-profile-XXXXXX",
                          value[64] = "HalftoneBlack-default";
    const int fd = mkstemp(to);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (file == NULL)
        return command_complain(to, strerror(errno));
    snprintf(from, sizeof from, "%s/ppd/%s.ppd", root, queue);
    if (path != NULL)
        snprintf(value, sizeof value, "HalftoneBlack-default=%u,%u,%u,%u",
                 black[0], black[1], black[2], black[3]);
    const bool copied = copy_ppd(from, file, path);
    const bool written = fflush(file) == 0 && !ferror(file);
    const bool ok = (written || command_complain(to, strerror(errno))) &&
                    copied && can_open(to) &&
                    run_lpadmin(queue, to, path != NULL ? "-o" : "-R", value);

    fclose(file);
    unlink(to);
    return ok;
}
