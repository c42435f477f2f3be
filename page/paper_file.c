/*
 * paper_file.c - reads paper files, and finds that of a job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/text.h"
#include "halftone/base/utf8.h"
#include "page/message.h"
#include "page/option.h"
#include "page/paper_file.h"

/* Whether a paper may set the option to this value; that of MediaType and
 * Resolution is a matter of the PPD. */
static bool may_set(const char *name, const char *value)
{
    return strcmp(name, "MediaType") == 0 || strcmp(name, "Resolution") == 0 ||
           (!choice_is(name, option_info(OPTION_PAPER)->name) &&
            option_job_takes(name, value));
}

/* Adds "NAME VALUE". False with the reason. */
static bool set_option(struct paper_file *paper, char *rest, char *why,
                       size_t room)
{
    const char *name = strtok_r(rest, TEXT_BLANKS, &rest);
    const char *value = strtok_r(NULL, TEXT_BLANKS, &rest);

    if (value == NULL || strtok_r(NULL, TEXT_BLANKS, &rest) != NULL)
        snprintf(why, room, "\"set\" takes an option and its value");
    else if (cupsGetOption(name, paper->count, paper->set) != NULL)
        snprintf(why, room, "%s is set twice", name);
    else if (!may_set(name, value))
        snprintf(why, room, "a paper cannot set %s to \"%s\"", name, value);
    else {
        paper->count = cupsAddOption(name, value, paper->count, &paper->set);
        return true;
    }
    return false;
}

/* Reads all lines but the curve's, and makes comments of those that a curve
 * file cannot have. Writes "line N: " and what is wrong with it. */
static bool read_lines(struct paper_file *paper, char *text, size_t size,
                       char why[PAPER_FILE_WHY])
{
    static const char first[] = "halftone-paper 1",
                      curve[] = "halftone-curve 1";
    struct text in = {.rest = text, .size = size};
    char *at = text;
    bool ok = true;

    for (; ok && text_next(&in); at = text + (size - in.size)) {
        char *line = in.line + strspn(in.line, TEXT_BLANKS);
        int n = snprintf(why, PAPER_FILE_WHY, "line %u: ", in.number);

        if (in.number == 1) {
            ok = strcmp(in.line, first) == 0;
            snprintf(why + n, PAPER_FILE_WHY - n, "not \"%s\"", first);
            memcpy(at, curve, ok ? strlen(curve) : 0);
        } else if (text_begins(line, "set")) {
            ok = set_option(paper, line + 3, why + n, PAPER_FILE_WHY - n);
            *at = '#';
        } else if (text_begins(line, "name"))
            utf8_copy(paper->title, sizeof paper->title,
                      line + 4 + strspn(line + 4, TEXT_BLANKS), '?');
        paper->curved = paper->curved || text_begins(line, "point") ||
                        text_begins(line, "pixel");
    }
    return ok;
}

bool paper_file_parse(struct paper_file *paper, char *text, size_t size,
                      char why[PAPER_FILE_WHY])
{
    unsigned line;

    *paper = (struct paper_file){.count = 0};
    if (!read_lines(paper, text, size, why))
        return false;
    bool ok = curve_parse(&paper->curve, text, size, &line);
    if (!ok)
        snprintf(why, PAPER_FILE_WHY, "line %u: not valid", line);
    return ok;
}

bool paper_file_load(struct paper_file *paper, const char *path,
                     char why[PAPER_FILE_WHY])
{
    char *text = malloc(CURVE_MAX_BYTES + 1);
    const ssize_t size =
        text != NULL ? text_read(path, text, CURVE_MAX_BYTES + 1) : -1;
    const int error = errno;

    *paper = (struct paper_file){.count = 0};
    if (size < 0)
        snprintf(why, PAPER_FILE_WHY, "%s", text_error(error));
    bool ok = size >= 0 && paper_file_parse(paper, text, (size_t)size, why);
    free(text);
    errno = size < 0 ? error : 0;
    return ok;
}

bool paper_file_choose(struct choices *from)
{
    const char *const folders[] = {choice_own_directory(from),
                                   choice_data_directory()};
    struct option_value name;
    struct paper_file paper;
    char path[CHOICE_MAX_PATH], why[PAPER_FILE_WHY];
    bool ok = false;

    if (!option_read(from, OPTION_PAPER, &name))
        return false;
    if (name.choice == PAPER_NONE)
        return true;
    errno = ENOENT;
    for (int i = 0; i < 2 && !ok && errno == ENOENT; i++) {
        if (folders[i] == NULL)
            continue;
        snprintf(path, sizeof path, "%s/rastertohalftone/%s.paper", folders[i],
                 name.text);
        ok = paper_file_load(&paper, path, why);
        from->paper = paper.set;
        from->paper_count = paper.count;
        from->paper_curve = paper.curve;
        from->paper_curved = paper.curved;
    }
    if (!ok && errno == ENOENT && folders[0] != NULL)
        snprintf(why, sizeof why, "not there, nor in %s/rastertohalftone",
                 folders[0]);
    if (from->paper_curved)
        from->paper_count =
            cupsAddOption(option_info(OPTION_CURVE)->name, name.text,
                          from->paper_count, &from->paper);
    message(ok ? "DEBUG" : "ERROR",
            ok ? "rastertohalftone: paper %s" : "Paper %s: %s", path, why);
    return ok;
}
