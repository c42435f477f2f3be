/*
 * report.c - the rows on standard output.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lab/bench/report.h"

double megapixels(const struct result *result)
{
    return result->pixels / result->timing.median / 1e6;
}

void report_begin(struct bench_report *report)
{
    struct machine *machine = &report->machine;

    machine_describe(machine);
    printf("rastertohalftone %s\n%s, %u CPUs, %s\n%s\n", machine->version,
           machine->processor, machine->cpus, machine->system,
           machine->compiler);
    printf("load %.1f%s\n%s\n", machine->load,
           machine->load > 0.5 ? ": others use this machine, too" : "",
           report->quick
               ? "quick: shorter or fewer pages and few runs, which say that "
                 "all works and not how fast\n"
               : "");
}

void report_head(void)
{
    printf("%-18s %-16s %-6s %4s %7s %9s %9s %9s %9s %9s\n", "", "method",
           "page", "inks", "threads", "Mpixel/s", "least", "most", "ms",
           "busy");
}

void report_add(struct bench_report *report, const struct result *r)
{
    assert(report->results < MAX_RESULTS);
    report->result[report->results++] = *r;
    printf("%-18s %-16s %-6s %4u %7u %9.1f %9.1f %9.1f %9.1f %9.1f\n", r->name,
           r->method, r->content, r->inks, r->threads, megapixels(r),
           r->pixels / r->timing.most / 1e6, r->pixels / r->timing.least / 1e6,
           1e3 * r->timing.median, 1e3 * r->timing.busy);
    fflush(stdout);
}

void report_missing(struct bench_report *report, const char *name,
                    const char *why)
{
    printf("%-18s %s\n", name, why);
    if (report->missings < MAX_MISSING)
        snprintf(report->missing[report->missings++], sizeof report->missing[0],
                 "%s: %s", name, why);
}

static bool is_called(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);

    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(name, pattern, length - 1) == 0;
    return strcmp(name, pattern) == 0;
}

const struct result *report_best(const struct bench_report *report,
                                 const char *name, const char *method,
                                 const char *content, uint32_t inks,
                                 uint32_t threads)
{
    const struct result *best = NULL;

    for (unsigned i = 0; i < report->results; i++) {
        const struct result *r = &report->result[i];

        if (is_called(r->name, name) && strcmp(r->method, method) == 0 &&
            strcmp(r->content, content) == 0 && r->inks == inks &&
            r->threads == threads &&
            (best == NULL || megapixels(r) > megapixels(best)))
            best = r;
    }
    return best;
}
