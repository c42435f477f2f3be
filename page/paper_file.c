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

#define FAULT 560 /* bytes of what is wrong with a line */

static const char format_line[] = "halftone-paper 1";
static const char curve_line[] = "halftone-curve 1";

/* ---- Reading ------------------------------------------------------------- */

/* Whether the RIP reads the option: the PPD has its choices. */
static bool is_of_rip(const char *name)
{
    return strcmp(name, "MediaType") == 0 || strcmp(name, "Resolution") == 0;
}

/* Adds "NAME VALUE", or writes what is wrong with them. */
static void set_option(struct paper_file *paper, char *rest, char fault[FAULT])
{
    const char *name = strtok_r(rest, TEXT_BLANKS, &rest);
    const char *value = strtok_r(NULL, TEXT_BLANKS, &rest);
    const int id = name != NULL ? option_of_job(name) : OPTION_NO_CHOICE;
    const bool of_rip = name != NULL && is_of_rip(name);

    if (value == NULL || strtok_r(NULL, TEXT_BLANKS, &rest) != NULL)
        snprintf(fault, FAULT, "\"set\" takes an option and its value");
    else if (!of_rip && (id == OPTION_NO_CHOICE || id == OPTION_PAPER))
        snprintf(fault, FAULT, "a paper cannot set %s", name);
    else if (!of_rip && !option_takes((enum option_id)id, value))
        snprintf(fault, FAULT, "%s does not take \"%s\"", name, value);
    else if (cupsGetOption(name, paper->count, paper->set) != NULL)
        snprintf(fault, FAULT, "%s is set twice", name);
    else
        paper->count = cupsAddOption(name, value, paper->count, &paper->set);
}

/* Reads a line. Returns whether it is one that a curve file cannot have. */
static bool read_line(struct paper_file *paper, char *line, char fault[FAULT])
{
    line += strspn(line, TEXT_BLANKS);
    if (text_begins(line, "name"))
        utf8_copy(paper->title, sizeof paper->title,
                  line + 4 + strspn(line + 4, TEXT_BLANKS), '?');
    if (text_begins(line, "point") || text_begins(line, "pixel"))
        paper->curved = true;
    if (!text_begins(line, "set"))
        return false;
    set_option(paper, line + 3, fault);
    return true;
}

bool paper_file_parse(struct paper_file *paper, char *text, size_t size,
                      char why[PAPER_FILE_WHY])
{
    struct text in = {.rest = text, .size = size};
    char fault[FAULT] = "";

    *paper = (struct paper_file){.count = 0};
    if (size > CURVE_MAX_BYTES || !text_next(&in) ||
        strcmp(in.line, format_line) != 0) {
        snprintf(why, PAPER_FILE_WHY,
                 "not a paper file of at most %d bytes, which begins \"%s\"",
                 CURVE_MAX_BYTES, format_line);
        return false;
    }
    memcpy(text, curve_line, strlen(curve_line));
    for (char *at = text + (size - in.size); fault[0] == '\0' && text_next(&in);
         at = text + (size - in.size))
        if (read_line(paper, in.line, fault))
            *at = '#';
    if (fault[0] == '\0' && curve_parse(&paper->curve, text, size, &in.number))
        return true;
    snprintf(why, PAPER_FILE_WHY, "line %u: %s", in.number,
             fault[0] != '\0' ? fault : "not valid");
    return false;
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

void paper_file_free(struct paper_file *paper)
{
    cupsFreeOptions(paper->count, paper->set);
}

/* ---- The job's ------------------------------------------------------------
 */

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
        from->paper_count = paper.count;
        from->paper = paper.set;
        from->paper_curved = paper.curved;
        from->paper_curve = paper.curve;
    }
    message(ok ? "DEBUG" : "ERROR",
            ok ? "rastertohalftone: paper %s" : "Paper %s: %s", path, why);
    return ok;
}
