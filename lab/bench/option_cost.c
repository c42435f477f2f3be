/*
 * option_cost.c - the same pages without options and with them, by turns.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/bench/option_cost.h"
#include "lab/bench/scaling_run.h"

static bool run_options(struct scaling *s, struct scaling_case what)
{
    static const uint32_t cpus[] = {2, 4, 16};
    struct scaling_rows *rows = &s->report->scaling;

    for (size_t i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
        unsigned first = rows->count;

        if (cpus[i] > s->report->machine.cpus)
            break;
        what.cpus = cpus[i];
        for (unsigned o = 0; o < OPTION_SETS; o++) {
            what.options = (enum option_set)o;
            scaling_rows_add(rows, &what);
        }
        if (!scaling_run_rows(s, first, s->plan->budget))
            return false;
    }
    return true;
}

static bool measure_pages(struct scaling *s, struct scaling_case what)
{
    uint8_t *samples =
        scaling_make_pages(s, what.content, what.inks, what.pages);

    free(samples);
    return samples != NULL && run_options(s, what);
}

/* Renders the sample photo by Ghostscript, as CUPS does for a queue in CMYK. */
static bool render(const struct scaling *s)
{
    char command[1200];
    struct stat file;

    snprintf(command, sizeof command,
             "gs -q -dSAFER -dBATCH -dNOPAUSE -sDEVICE=cups -r%u "
             "-dcupsColorSpace=6 -dcupsBitsPerColor=8 -sOutputFile='%s' "
             "'" BENCH_SOURCE "/doc/samples/photo.pdf' >/dev/null 2>&1",
             PAGE_DPI, s->file);
    return system(command) == 0 && stat(s->file, &file) == 0 &&
           file.st_size > 0;
}

static bool measure_rendered(struct scaling *s, struct scaling_case what)
{
    what.content = RENDERED;
    what.pages = 1;
    if (render(s))
        return run_options(s, what);
    report_missing(s->report, "a page from the RIP",
                   "no Ghostscript, or no doc/samples/photo.pdf");
    return true;
}

bool option_cost_measure(struct bench_report *report, const char *folder)
{
    static struct scaling s;
    struct scaling_case what = {.part = BY_OPTIONS,
                                .content = PHOTO,
                                .inks = 4,
                                .engine = "CPU",
                                .jobs = 1};
    bool ok;

    scaling_begin(&s, report, folder);
    what.pages = s.plan->pages;
    printf("\nOptions: %u pages a job, one from the RIP, %s\n", what.pages,
           report->filter);
    scaling_rows_head(BY_OPTIONS);
    ok = measure_pages(&s, what);
    what.content = TEXT;
    ok = ok && measure_pages(&s, what) && measure_rendered(&s, what);
    unlink(s.file);
    return ok || s.no_room;
}
