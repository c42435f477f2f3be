/*
 * report.c - the rows on standard output, and all of them as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "lab/bench/content.h"
#include "lab/bench/goals.h"
#include "lab/bench/report.h"
#include "lab/bench/scaling_goals.h"

static const char *const kinds[] = {"engine", "peer", "program"};

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

/* ---- JSON ------------------------------------------------------------- */

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            putc('\\', out);
        if (c >= ' ')
            putc(c, out);
    }
    putc('"', out);
}

static void put_field(FILE *out, const char *name, const char *value)
{
    fprintf(out, "  \"%s\": ", name);
    put_string(out, value);
    fputs(",\n", out);
}

static void put_result(FILE *out, const struct result *r)
{
    const struct timing *t = &r->timing;

    fprintf(out, "    {\"kind\": \"%s\", \"engine\": ", kinds[r->kind]);
    put_string(out, r->name);
    fputs(", \"version\": ", out);
    put_string(out, r->version);
    fprintf(out,
            ", \"method\": \"%s\", \"content\": \"%s\", \"inks\": %u, "
            "\"threads\": %u, \"pixels\": %.0f, \"runs\": %u, ",
            r->method, r->content, r->inks, r->threads, r->pixels, t->runs);
    fprintf(out, "\"median\": %.2f, \"low\": %.2f, \"high\": %.2f, ",
            megapixels(r), r->pixels / t->most / 1e6,
            r->pixels / t->least / 1e6);
    fprintf(out, "\"seconds\": %.6f, \"busy_seconds\": %.6f}", t->median,
            t->busy);
}

static void put_goals(FILE *out, const struct bench_report *report)
{
    struct goal goals[MAX_GOALS];
    unsigned count = goals_of(report, goals);

    for (unsigned i = 0; i < count; i++) {
        fputs(i == 0 ? "\n    {\"what\": " : ",\n    {\"what\": ", out);
        put_string(out, goals[i].what);
        fputs(", \"must\": ", out);
        put_string(out, goals[i].must);
        if (goals[i].measured)
            fprintf(out, ", \"ratio\": %.3f, \"busy_ratio\": %.3f}",
                    goals[i].ratio, goals[i].busy);
        else
            fputs(", \"ratio\": null}", out);
    }
}

bool report_json(const struct bench_report *report, FILE *out)
{
    const struct machine *machine = &report->machine;

    fputs("{\n", out);
    put_field(out, "unit", "megapixels a second");
    put_field(out, "program", "halftone-bench");
    put_field(out, "version", machine->version);
    put_field(out, "processor", machine->processor);
    put_field(out, "system", machine->system);
    put_field(out, "compiler", machine->compiler);
    put_field(out, "filter", report->filter);
    fprintf(out, "  \"cpus\": %u,\n  \"load\": %.2f,\n  \"quick\": %s,\n",
            machine->cpus, machine->load, report->quick ? "true" : "false");
    fprintf(out, "  \"page\": {\"width\": %u, \"rows\": %u, \"dpi\": %u},\n",
            PAGE_WIDTH, PAGE_ROWS, PAGE_DPI);
    fputs("  \"results\": [", out);
    for (unsigned i = 0; i < report->results; i++) {
        fputs(i == 0 ? "\n" : ",\n", out);
        put_result(out, &report->result[i]);
    }
    fputs("\n  ],\n  \"not_measured\": [", out);
    for (unsigned i = 0; i < report->missings; i++) {
        fputs(i == 0 ? "" : ", ", out);
        put_string(out, report->missing[i]);
    }
    fputs("],\n  \"goals\": [", out);
    put_goals(out, report);
    fputs("\n  ],\n  \"sizes\": [", out);
    size_goals_json(&report->sizes, out);
    fputs("\n  ],\n  \"scaling\": [", out);
    scaling_rows_json(&report->scaling, out);
    fprintf(out, "\n  ],\n  \"peak_mib\": %.1f,\n  \"scaling_goals\": [",
            report->scaling.peak);
    scaling_goals_json(report, out);
    fputs("\n  ]\n}\n", out);

    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}
