/*
 * json.c - all that was measured as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/bench/content.h"
#include "lab/bench/goals.h"
#include "lab/bench/json.h"
#include "lab/bench/scaling_goals.h"

/* ---- JSON ------------------------------------------------------------- */

static const char *const kinds[] = {"engine", "peer", "program"};

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

bool report_json(const struct bench_report *report,
                 const struct size_goals *sizes, FILE *out)
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
    size_goals_json(sizes, out);
    fputs("\n  ],\n  \"scaling\": [", out);
    scaling_rows_json(&report->scaling, out);
    fprintf(out, "\n  ],\n  \"peak_mib\": %.1f,\n  \"scaling_goals\": [",
            report->scaling.peak);
    scaling_goals_json(report, out);
    fputs("\n  ]\n}\n", out);

    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}
