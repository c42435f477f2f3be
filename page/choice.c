/*
 * choice.c - finds the choices of a job and of its queue's PPD.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/choice.h"
#include "page/message.h"

/* CUPS marks all of its PPD functions so; they are what a filter of CUPS 2
 * has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Tells whether a file was read to its end, because libcups takes a failed read
 * for the end. True for a FIFO, of which that is unknown. */
static bool is_read(int fd)
{
    struct stat file;

    return fstat(fd, &file) == 0 &&
           (!S_ISREG(file.st_mode) || lseek(fd, 0, SEEK_CUR) == file.st_size);
}

static bool is_empty(int fd)
{
    struct stat file;

    return fstat(fd, &file) == 0 && file.st_size == 0;
}

/* Reads the PPD on `fd`. False after an ERROR line; one that is empty is none,
 * after a WARNING line. */
static bool read_ppd(struct choices *from, cups_file_t *file)
{
    const int fd = cupsFileNumber(file);

    from->ppd = ppdOpen2(file);
    if (from->ppd != NULL) {
        if (is_read(fd))
            return true;
        message("ERROR", "The PPD cannot be read to its end");
        return false;
    }

    const bool none = is_empty(fd);
    int line;
    const char *why = ppdErrorString(ppdLastError(&line));

    message(none ? "WARNING" : "ERROR",
            "The PPD cannot be used (%s, line %d)%s", why, line,
            none ? "; using defaults" : "");
    return none;
}

/* Opens and reads the PPD that the environment names. False after an ERROR
 * line. cupsd also names one where a queue has none. */
static bool open_ppd(struct choices *from)
{
    const char *path = getenv("PPD");

    if (path == NULL)
        return true;

    int fd = open(path, O_RDONLY | O_CLOEXEC);
    cups_file_t *file = fd < 0 ? NULL : cupsFileOpenFd(fd, "r");
    if (file == NULL) {
        bool none = errno == ENOENT;

        message(none ? "WARNING" : "ERROR", "The PPD cannot be opened (%s)%s",
                strerror(errno), none ? "; using defaults" : "");
        if (fd >= 0)
            close(fd);
        return none;
    }
    bool ok = read_ppd(from, file);
    cupsFileClose(file);
    return ok;
}

bool choices_open(struct choices *from, const char *text)
{
    *from = (struct choices){.ppd = NULL};
    if (!open_ppd(from))
        return false;
    from->count = cupsParseOptions(text, 0, &from->options);
    if (from->ppd != NULL) {
        ppdMarkDefaults(from->ppd);
        cupsMarkOptions(from->ppd, from->count, from->options);
    }
    return true;
}

void choices_close(struct choices *from)
{
    cupsFreeOptions(from->count, from->options);
    cupsFreeOptions(from->queue_count, from->queue);
    ppdClose(from->ppd);
    cupsFreeOptions(from->paper_count, from->paper);
}

const char *choice_of_job(const struct choices *from, const char *keyword)
{
    return cupsGetOption(keyword, from->count, from->options);
}

const char *choice_of_queue(const struct choices *from, const char *keyword)
{
    if (from->ppd == NULL)
        return cupsGetOption(keyword, from->queue_count, from->queue);

    ppd_choice_t *marked = ppdFindMarkedChoice(from->ppd, keyword);
    ppd_option_t *option = ppdFindOption(from->ppd, keyword);
    ppd_attr_t *attribute = ppdFindAttr(from->ppd, keyword, NULL);

    /* libcups does not mark a default that is none of the option's choices. */
    if (marked != NULL)
        return marked->choice;
    if (option != NULL && option->defchoice[0] != '\0')
        return option->defchoice;
    return attribute ? attribute->value : NULL;
}

/* Whether a line "TYPE ... PROGRAM" takes our dots; the program "-" is none. */
static bool is_packer(const char *filter)
{
    const char dots[] = "application/vnd.cups-halftone-raster";
    size_t type = strcspn(filter, " \t"), length = strlen(filter);

    return type == strlen(dots) && strncasecmp(filter, dots, type) == 0 &&
           !(filter[length - 1] == '-' && strchr(" \t", filter[length - 2]));
}

const char *choice_of_queue_at(const struct choices *from, const char *keyword,
                               const char *option)
{
    const char *choice =
        from->ppd == NULL ? NULL : choice_of_queue(from, option);
    const ppd_attr_t *attribute =
        choice == NULL ? NULL : ppdFindAttr(from->ppd, keyword, choice);

    return attribute != NULL ? attribute->value
                             : choice_of_queue(from, keyword);
}

bool choice_has_packer(const struct choices *from)
{
    static const char *const keywords[] = {"cupsFilter2", "cupsFilter"};
    ppd_attr_t *line = NULL;

    /* cupsFilter counts only if there is no cupsFilter2. */
    for (int i = 0; i < 2 && line == NULL && from->ppd != NULL; i++)
        line = ppdFindAttr(from->ppd, keywords[i], NULL);
    for (; line != NULL; line = ppdFindNextAttr(from->ppd, line->name, NULL))
        if (line->value != NULL && is_packer(line->value))
            return true;
    return false;
}

bool choice_makes(const struct choices *from, const char *type)
{
    ppd_attr_t *line = NULL;
    long least = LONG_MAX;
    bool makes = false;

    if (from->ppd != NULL)
        line = ppdFindAttr(from->ppd, "cupsFilter2", NULL);
    for (; line != NULL; line = ppdFindNextAttr(from->ppd, line->name, NULL)) {
        char taken[64], made[64];
        long cost;

        if (line->value != NULL &&
            sscanf(line->value, "%63s %63s %ld", taken, made, &cost) == 3 &&
            choice_is(taken, "application/vnd.cups-raster") && cost < least) {
            least = cost;
            makes = choice_is(made, type);
        }
    }
    return makes;
}

bool choice_is_gutenprint(const char *program)
{
    static const char begin[] = "rastertogutenprint.";

    return strncmp(program, begin, sizeof begin - 1) == 0 &&
           program[strspn(program, "abcdefghijklmnopqrstuvwxyz0123456789-_."
                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] == '\0';
}

bool choice_is(const char *value, const char *expected)
{
    return value != NULL && strcasecmp(value, expected) == 0;
}

/* Writes the number that the user entered for the choice "Custom" of a PPD. */
static const char *entered(const struct choices *from, const char *keyword,
                           char text[CHOICE_CUSTOM_BYTES])
{
    ppd_coption_t *option = ppdFindCustomOption(from->ppd, keyword);
    ppd_cparam_t *number = option != NULL ? ppdFirstCustomParam(option) : NULL;

    if (number != NULL && number->type == PPD_CUSTOM_INT)
        snprintf(text, CHOICE_CUSTOM_BYTES, "%d", number->current.custom_int);
    else if (number != NULL && number->type == PPD_CUSTOM_REAL)
        snprintf(text, CHOICE_CUSTOM_BYTES, "%g",
                 (double)number->current.custom_real);
    else
        return "Custom";
    return text;
}

const char *choice_custom(const struct choices *from, const char *keyword,
                          const char *value, char text[CHOICE_CUSTOM_BYTES])
{
    if (strncasecmp(value, "Custom.", 7) == 0)
        return value + 7;
    return choice_is(value, "Custom") ? entered(from, keyword, text) : value;
}

const char *choice_own_directory(const struct choices *from)
{
    return from->own != NULL ? from->own : getenv("CUPS_SERVERROOT");
}

const char *choice_queue_name(const struct choices *from)
{
    return from->name != NULL ? from->name : getenv("PRINTER");
}

const char *choice_data_directory(void)
{
    const char *data = getenv("CUPS_DATADIR");

    return data != NULL ? data : CUPS_DATADIR;
}

const char *choice_program_directory(void)
{
    const char *programs = getenv("CUPS_SERVERBIN");

    return programs != NULL ? programs : CUPS_SERVERBIN;
}
