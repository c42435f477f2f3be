/*
 * lines.c - lines of the state that PAPPL can read.
 *
 * At a line of a job that lacks a value PAPPL 1.3 stops reading that printer's
 * jobs (system-loadsave.c:293-297), and at such a line of a printer all of the
 * printers (:143-147). It writes such lines itself: a job of Create-Job has no
 * format before its document comes, nor if it is canceled instead (job.c:102,
 * printer-ipp.c:1262). It takes what is behind 2,047 bytes for the next line
 * (:55), which the address and the identification of a printer may have. Other
 * lines it has cupsFilePutConf() write, which puts backslashes before some of
 * their characters, before which depends on libcups; it does not take them out
 * again (read_line), and there are more at each start.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "halftone/base/utf8.h"
#include "pappl-fixes/lines.h"

#define MOST_BYTES 2046 /* of a line, without its end */

int lines_number(const char *name, int count, cups_option_t *options)
{
    const char *value = cupsGetOption(name, count, options);

    return value != NULL ? atoi(value) : 0;
}

/* ---- Lines of options ---------------------------------------------------- */

static bool is_printer(const char *start)
{
    return strcmp(start, LINES_PRINTER) == 0;
}

void lines_put_option(FILE *to, const char *name, const char *value)
{
    fprintf(to, " %s=\"", name);
    for (; *value != '\0'; value++) {
        if (*value == '\\' || *value == '"')
            fputc('\\', to);
        fputc(*value, to);
    }
    fputc('"', to);
}

/* As PAPPL writes them: the last one ends with a quote, or with ">". */
void lines_put(FILE *to, const char *start, int count,
               const cups_option_t *options)
{
    fprintf(to, "%.*s", (int)strlen(start) - 1, start);
    for (int i = 0; i < count; i++)
        lines_put_option(to, options[i].name, options[i].value);
    fputs(is_printer(start) ? ">\n" : "\n", to);
}

/* Whether PAPPL reads all of the line, with a quote at both ends of each value
 * and a backslash before some of its bytes. */
static bool fits(const char *start, int count, const cups_option_t *options)
{
    size_t bytes = strlen(start);

    for (int i = 0; i < count; i++) {
        bytes += strlen(options[i].name) + strlen(" =\"\"");
        for (const char *at = options[i].value; *at != '\0'; at++)
            bytes += *at == '\\' || *at == '"' ? 2 : 1;
    }
    return bytes <= MOST_BYTES;
}

bool lines_have_room(const char *name, const char *driver,
                     const char *device_id, const char *uri)
{
    cups_option_t *options = NULL;
    int count = cupsAddOption("id", "1000000000", 0, &options);

    count = cupsAddOption("name", name, count, &options);
    count = cupsAddOption("driver", driver, count, &options);
    count = cupsAddOption("did", device_id, count, &options);
    count = cupsAddOption("uri", uri, count, &options);
    const bool has = fits(LINES_PRINTER, count, options);

    cupsFreeOptions(count, options);
    return has;
}

bool lines_mend_job(pappl_system_t *system, int printer, int *count,
                    cups_option_t **options)
{
    static const cups_option_t needed[] = {
        {"name", "Untitled"},
        {"username", "guest"},
        {"format", "application/octet-stream"}};
    const int id = lines_number("id", *count, *options);

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        const char *name = needed[i].name, *value = needed[i].value;

        if (cupsGetOption(name, *count, *options) != NULL)
            continue;
        *count = cupsAddOption(name, value, *count, options);
        papplLog(system, PAPPL_LOGLEVEL_INFO,
                 "Job %d of printer %d had no %s; it is \"%s\" now.", id,
                 printer, name, value);
    }
    if (id > 0 && fits(LINES_JOB, *count, *options))
        return true;
    papplLog(system, PAPPL_LOGLEVEL_ERROR,
             "Job %d of printer %d is lost: its line of the state is %s.", id,
             printer, id > 0 ? "too long" : "without a number");
    return false;
}

bool lines_mend_printer(pappl_system_t *system, int *count,
                        cups_option_t **options)
{
    static const char *const needed[] = {"id", "name", "did", "uri", "driver"};
    const int all = sizeof needed / sizeof needed[0];
    const int id = lines_number("id", *count, *options);
    int has = 0;

    for (int i = 0; i < all; i++)
        has += cupsGetOption(needed[i], *count, *options) != NULL;
    if (!fits(LINES_PRINTER, *count, *options)) {
        *count = cupsAddOption("did", "", *count, options);
        papplLog(system, PAPPL_LOGLEVEL_WARN,
                 "Printer %d has no identification now: it was too long.", id);
    }
    if (id > 0 && has == all && *count == all &&
        fits(LINES_PRINTER, *count, *options))
        return true;
    papplLog(system, PAPPL_LOGLEVEL_ERROR,
             "Printer %d and its jobs are lost: its line of the state cannot "
             "be read.",
             id);
    return false;
}

/* ---- Other lines --------------------------------------------------------- */

/* Writes a line as PAPPL reads it, in place of libcups. */
ssize_t cupsFilePutConf(cups_file_t *file, const char *directive,
                        const char *value)
{
    char *text = strdup(value != NULL ? value : "");

    if (text == NULL)
        return -1;
    utf8_copy(text, strlen(text) + 1, text, '?');
    const int written = cupsFilePrintf(file, "%s%s%s\n", directive,
                                       text[0] != '\0' ? " " : "", text);

    free(text);
    return written;
}

void lines_copy(pappl_system_t *system, char *line, FILE *to)
{
    char start[MOST_BYTES + 1];

    line[strcspn(line, "\n")] = '\0';
    if (strlen(line) > MOST_BYTES) {
        utf8_copy(start, sizeof start, line, '?');
        papplLog(system, PAPPL_LOGLEVEL_WARN,
                 "A line of the state is cut: it was too long: %.80s", line);
        line = start;
    }
    fprintf(to, "%s\n", line);
}
