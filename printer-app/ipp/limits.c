/*
 * limits.c - numbers with units, for those who keep to the limits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer-app/app.h"
#include "printer-app/ipp/limits.h"
#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/picture/picture_memory.h"

#define MOST_SECONDS 86400
#define MOST_HOLD 31536000 /* a year */
#define MOST_JOBS 1000000
#define MOST_BYTES (UINT64_C(1) << 50)

/* Reads a whole number from 1 to `most`; `units`: K, M or G behind it multiply
 * it. False after a message. */
static bool read_number(const char *name, const char *text, bool units,
                        uint64_t most, uint64_t *number)
{
    static const char letters[] = "KMG";
    char *end;

    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const char *unit = units && *end != '\0' ? strchr(letters, *end) : NULL;
    const unsigned shift =
        unit != NULL ? 10 * (unsigned)(unit - letters + 1) : 0;

    if (*text >= '0' && *text <= '9' && errno == 0 && value >= 1 &&
        value <= most >> shift && end[unit != NULL] == '\0') {
        *number = (uint64_t)value << shift;
        return true;
    }
    fprintf(stderr, APP_NAME ": Bad value of %s: \"%s\"\n", name, text);
    return false;
}

static bool take(int count, cups_option_t *options, const char *name,
                 bool units, uint64_t most, uint64_t *number)
{
    const char *text = cupsGetOption(name, count, options);

    return text == NULL || read_number(name, text, units, most, number);
}

bool limits_take(int count, cups_option_t *options)
{
    const char *any = cupsGetOption("untested-pappl", count, options),
               *keep = cupsGetOption("keep-limit", count, options);
    const bool keeps = keep == NULL || strcmp(keep, "0") != 0;
    uint64_t client = 0, printer = 0, jobs = 0, document = 0, all = 0,
             pictures = 0, share = 0, hold = 0, kept = 0;

    if (!take(count, options, "client-timeout", false, MOST_SECONDS, &client) ||
        !take(count, options, "printer-timeout", false, MOST_SECONDS,
              &printer) ||
        !take(count, options, "job-limit", false, MOST_JOBS, &jobs) ||
        !take(count, options, "stranger-share", false, 100, &share) ||
        !take(count, options, "hold-limit", false, MOST_HOLD, &hold) ||
        (keeps &&
         !take(count, options, "keep-limit", false, MOST_HOLD, &kept)) ||
        !take(count, options, "document-limit", true, MOST_BYTES, &document) ||
        !take(count, options, "spool-limit", true, MOST_BYTES, &all) ||
        !take(count, options, "picture-memory", true, MOST_BYTES, &pictures))
        return false;
    papplfixes_set(&(struct papplfixes_settings){
        .client_seconds = (int)client,
        .printer_seconds = (int)printer,
        .jobs = (int)jobs,
        .share = (unsigned)share,
        .hold_seconds = (int)hold,
        .keep_seconds = keeps ? (int)kept : -1,
        .document = document,
        .documents = all,
        .any_pappl = any != NULL && strcmp(any, "yes") == 0});
    picture_memory_limit((size_t)pictures);
    return true;
}
