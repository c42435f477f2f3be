/*
 * cups_packer.c - starts CUPS's packers. From a PPD they need the number of
 * their model, the sheet and its printable area; the rest they take from the
 * raster.
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
#include <unistd.h>

#include "page/message.h"
#include "printer-app/cups_packer.h"

bool family_is_packed(const struct family *family)
{
    char path[CHOICE_MAX_PATH];

    if (family->writer != NULL || family->packer == NULL)
        return true;
    packer_path(family->packer, path);
    return access(path, X_OK) == 0;
}

/* ---- The PPD ------------------------------------------------------------ */

static double points(int length)
{
    return length * 72.0 / 2540;
}

/* Writes the shortest PPD that libcups accepts. */
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

/* Makes the PPD a file, whose name is in `cups`. */
static bool make_ppd(struct cups_packer *cups, const struct family *family,
                     const pappl_media_col_t *media)
{
    const char *folder = getenv("TMPDIR");

    snprintf(cups->ppd, sizeof cups->ppd, "%s/halftone-XXXXXX.ppd",
             folder != NULL ? folder : "/tmp");

    const int fd = mkostemps(cups->ppd, 4, O_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = file != NULL && write_ppd(file, family, media);

    if (file != NULL)
        ok = fclose(file) == 0 && ok;
    else if (fd >= 0)
        close(fd);
    if (!ok) {
        message("ERROR", "Cannot write %s: %s", cups->ppd, strerror(errno));
        if (fd >= 0)
            unlink(cups->ppd);
    }
    return ok;
}

/* ---- The process -------------------------------------------------------- */

/* Returns an errno, or 0. The program's arguments say nothing of the job. */
static int start(struct cups_packer *cups, const char *name, int input)
{
    char ppd[CHOICE_MAX_PATH + sizeof "PPD="];
    char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", ppd,
                                 NULL};
    char *const arguments[5] = {"1", "user", "title", "1", ""};
    int output[2];

    snprintf(ppd, sizeof ppd, "PPD=%s", cups->ppd);
    if (pipe2(output, O_CLOEXEC) < 0)
        return errno;
    const int error = packer_start(&cups->packer, name, arguments, environment,
                                   input, output[1], PROGRAM_CLOSED);

    close(output[1]);
    cups->output = output[0];
    if (error != 0)
        close(output[0]);
    return error;
}

bool cups_packer_start(struct cups_packer *cups, const struct family *family,
                       const pappl_media_col_t *media, int input)
{
    *cups = (struct cups_packer){.output = -1};
    if (!make_ppd(cups, family, media))
        return false;

    const int error = start(cups, family->packer, input);
    if (error == 0)
        return true;
    message("ERROR", "Cannot start the packer \"%s\": %s", family->packer,
            strerror(error));
    unlink(cups->ppd);
    return false;
}

bool cups_packer_end(struct cups_packer *cups)
{
    close(cups->output); /* ends one whose data nobody takes */
    const bool well = packer_end(&cups->packer);

    unlink(cups->ppd);
    return well;
}
