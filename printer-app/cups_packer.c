/*
 * packing.c - CUPS's packers. They ask a PPD for the number of their model, and
 * for the sheet and where it can be printed, and take the rest from the raster.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), mkostemps() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "printer-app/app.h"
#include "printer-app/packing.h"

static void program_path(const struct family *family,
                         char path[CHOICE_MAX_PATH])
{
    snprintf(path, CHOICE_MAX_PATH, "%s/filter/%s", choice_program_directory(),
             family->packer);
}

bool packing_is_possible(const struct family *family)
{
    char path[CHOICE_MAX_PATH];

    if (family->packer == NULL)
        return false;
    program_path(family, path);
    return access(path, X_OK) == 0;
}

bool packing_is_known(const struct family *family)
{
    return family->writer != NULL || family->packer == NULL ||
           packing_is_possible(family);
}

/* ---- The PPD ------------------------------------------------------------ */

static double points(int length)
{
    return length * 72.0 / 2540;
}

/* Writes the least that libcups takes for a PPD. */
static bool write_ppd(FILE *file, const struct family *family,
                      const pappl_media_col_t *media)
{
    const double width = points(media->size_width),
                 length = points(media->size_length);

    fputs("*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1\"\n"
          "*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n"
          "*PCFileName: \"PACKER.PPD\"\n*Manufacturer: \"Generic\"\n"
          "*Product: \"(Packer)\"\n*ModelName: \"Packer\"\n"
          "*ShortNickName: \"Packer\"\n*NickName: \"Packer\"\n"
          "*PSVersion: \"(3010.000) 0\"\n*LanguageLevel: \"3\"\n",
          file);
    fprintf(file, "*cupsModelNumber: %u\n", family->model);
    fputs("*OpenUI *PageSize: PickOne\n*DefaultPageSize: Job\n"
          "*PageSize Job: \"\"\n*CloseUI: *PageSize\n"
          "*DefaultPaperDimension: Job\n*DefaultImageableArea: Job\n",
          file);
    fprintf(file, "*PaperDimension Job: \"%.2f %.2f\"\n", width, length);
    fprintf(file, "*ImageableArea Job: \"%.2f %.2f %.2f %.2f\"\n",
            points(media->left_margin), points(media->bottom_margin),
            width - points(media->right_margin),
            length - points(media->top_margin));
    return fflush(file) == 0 && ferror(file) == 0;
}

/* Makes the PPD a file, whose name is in `packing`. */
static bool make_ppd(struct packing *packing, const pappl_media_col_t *media)
{
    const char *folder = getenv("TMPDIR");

    snprintf(packing->ppd, sizeof packing->ppd, "%s/halftone-XXXXXX.ppd",
             folder != NULL ? folder : "/tmp");

    const int fd = mkostemps(packing->ppd, 4, O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = file != NULL && write_ppd(file, packing->family, media);

    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    else if (fd >= 0)
        close(fd);
    if (!ok) {
        message("ERROR", "Cannot write %s: %s", packing->ppd, strerror(errno));
        if (fd >= 0)
            unlink(packing->ppd);
    }
    return ok;
}

/* ---- The process -------------------------------------------------------- */

/* Returns an errno, or 0. The arguments say nothing of the job. */
static int start(struct packing *packing, int input)
{
    char path[CHOICE_MAX_PATH], ppd[CHOICE_MAX_PATH + sizeof "PPD="];
    char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", ppd,
                                 NULL};
    char *const argv[] = {
        (char *)packing->family->packer, "1", "user", "title", "1", "", NULL};
    int output[2];

    program_path(packing->family, path);
    snprintf(ppd, sizeof ppd, "PPD=%s", packing->ppd);
    if (pipe2(output, O_CLOEXEC) < 0)
        return errno;
    const int error = program_start(&packing->program, path, argv, environment,
                                    input, output[1], PROGRAM_CLOSED);

    close(output[1]);
    packing->output = output[0];
    if (error != 0)
        close(output[0]);
    return error;
}

bool packing_start(struct packing *packing, const struct family *family,
                   const pappl_media_col_t *media, int input)
{
    *packing = (struct packing){.family = family, .output = -1};
    if (!make_ppd(packing, media))
        return false;

    const int error = start(packing, input);
    if (error == 0)
        return true;
    message("ERROR", "Cannot start the packer \"%s\": %s", family->packer,
            strerror(error));
    unlink(packing->ppd);
    return false;
}

bool packing_end(struct packing *packing)
{
    const char *name = packing->family->packer;
    int status = 0;

    close(packing->output); /* ends one whose data nobody takes */
    const int error = program_end(&packing->program, &status);
    const bool ended = error == 0 && WIFEXITED(status);

    unlink(packing->ppd);
    if (ended && WEXITSTATUS(status) == 0)
        return true;
    if (canceled()) /* perhaps before there was a page */
        return false;
    if (error != 0)
        message("ERROR", "Cannot wait for the packer \"%s\": %s", name,
                strerror(error));
    else if (ended)
        message("ERROR", "The packer \"%s\" failed with exit status %d", name,
                WEXITSTATUS(status));
    else
        message("ERROR", "The packer \"%s\" was ended by signal %d", name,
                WTERMSIG(status));
    return false;
}
