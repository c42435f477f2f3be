/*
 * state.c - what PAPPL 1.3 reads of printers when its server starts, but does
 * not write: their default speed, and a darkness of 0.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cups/cups.h>

#include "printer-app/overrides/pappl.h"

#define MAX_PATH 1024

typedef bool save(pappl_system_t *system, const char *filename);

/* The printer whose lines begin with this one, "<Printer id="1" ...>"; NULL =
 * it is another line. */
static pappl_printer_t *printer_of(pappl_system_t *system, const char *line)
{
    static const char start[] = "<Printer ";
    cups_option_t *options = NULL;

    if (strncmp(line, start, sizeof start - 1) != 0)
        return NULL;
    const int count = cupsParseOptions(line + sizeof start - 1, 0, &options);
    const char *id = cupsGetOption("id", count, options);
    pappl_printer_t *printer =
        id != NULL ? papplSystemFindPrinter(system, NULL, atoi(id), NULL)
                   : NULL;

    cupsFreeOptions(count, options);
    return printer;
}

static void add_lines(FILE *to, pappl_printer_t *printer)
{
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(printer, &data);
    if (data.speed_default > 0)
        fprintf(to, "print-speed-default %d\n", data.speed_default);
    if (data.darkness_configured == 0 && data.darkness_supported > 0)
        fputs("printer-darkness-configured 0\n", to);
}

/* Copies the state, with what is missing behind the first line of each printer,
 * for the same readers. */
static bool complete(pappl_system_t *system, FILE *from, FILE *to)
{
    struct stat info;
    char *line = NULL;
    size_t room = 0;

    if (fstat(fileno(from), &info) < 0 ||
        fchmod(fileno(to), info.st_mode & 0777) < 0)
        return false;
    while (getline(&line, &room, from) > 0) {
        pappl_printer_t *printer = printer_of(system, line);

        fputs(line, to);
        if (printer != NULL)
            add_lines(to, printer);
    }
    free(line);
    return !ferror(from) && fflush(to) == 0 && !ferror(to);
}

bool papplSystemSaveState(pappl_system_t *system, const char *filename)
{
    char path[MAX_PATH];
    save *pappl;
    bool ok;

    override_find(&pappl, "papplSystemSaveState");
    if (pappl == NULL || !pappl(system, filename))
        return false;
    snprintf(path, sizeof path, "%s.new", filename);
    FILE *from = fopen(filename, "re"), *to = fopen(path, "we");

    errno = 0;
    ok = from != NULL && to != NULL && complete(system, from, to);
    if (from != NULL)
        fclose(from);
    if (to != NULL)
        ok = fclose(to) == 0 && ok;
    if (ok && rename(path, filename) == 0)
        return true;
    papplLog(system, PAPPL_LOGLEVEL_ERROR, "Cannot write %s: %s", path,
             strerror(errno));
    remove(path);
    return false;
}
