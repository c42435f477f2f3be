/*
 * scaling_rows.c - medians, Markdown and JSON of the scaling.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "lab/bench/scaling_rows.h"

static const char *const programs[SCALING_PROGRAMS] = {
    [WHOLE_FILTER] = "filter",
    [NULL_FILTER] = "null filter",
    [IN_MEMORY] = "engine in memory"};
static const char *const option_sets[OPTION_SETS] = {
    [NO_OPTIONS] = "none",
    [PPD_OPTIONS] = "of our PPDs",
    [SHARP_TEXT] = "and TextAndGraphic"};

struct scaling_row *scaling_rows_add(struct scaling_rows *rows,
                                     const struct scaling_case *what)
{
    struct scaling_row *row = &rows->row[rows->count++];

    assert(rows->count <= MAX_SCALING_ROWS);
    *row = (struct scaling_row){.what = *what};
    return row;
}

static void sort(double *values, unsigned count, double *median, double *least,
                 double *most)
{
    sort_ascending(values, count);
    *median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    *least = values[0];
    *most = values[count - 1];
}

void scaling_row_end(struct scaling_row *row)
{
    double wall[MAX_SCALING_RUNS], cpu[MAX_SCALING_RUNS];

    assert(row->runs > 0);
    for (unsigned i = 0; i < row->runs; i++) {
        wall[i] = row->run[i].wall;
        cpu[i] = row->run[i].cpu;
    }
    sort(wall, row->runs, &row->wall, &row->wall_least, &row->wall_most);
    sort(cpu, row->runs, &row->cpu, &row->cpu_least, &row->cpu_most);
}

const struct scaling_row *scaling_rows_find(const struct scaling_rows *rows,
                                            const struct scaling_case *what)
{
    for (unsigned i = 0; i < rows->count; i++) {
        const struct scaling_case *w = &rows->row[i].what;

        if (rows->row[i].runs > 0 && w->part == what->part &&
            w->program == what->program && w->content == what->content &&
            w->inks == what->inks && w->options == what->options &&
            w->cpus == what->cpus && w->unbroken == what->unbroken &&
            strcmp(w->engine, what->engine) == 0 &&
            w->threads == what->threads && w->jobs == what->jobs &&
            w->pages == what->pages)
            return &rows->row[i];
    }
    return NULL;
}

/* ---- Markdown ------------------------------------------------------------ */

const char *scaling_page_name(const struct scaling_case *what, char name[64])
{
    if (what->content == RENDERED)
        snprintf(name, 64, "page from the RIP");
    else
        snprintf(name, 64, "%s %s%s", what->inks == 1 ? "gray" : "CMYK",
                 content_names[what->content],
                 what->unbroken ? ", unbroken rows" : "");
    return name;
}

void scaling_rows_head(enum scaling_part part)
{
    static const char *const first[] = {"program", "jobs at once",
                                        "jobs at once", "CPUs"};
    static const char *const third[] = {"threads", "threads", "engine",
                                        "options"};
    static const char *const base[] = {"one thread's", "two threads'",
                                       "the CPU's", "that without"};

    printf("\n| %s | page | %s | runs | wall, ms | least | most | CPU time | "
           "wall to %s | CPU to %s |\n|---|---|---|---|---|---|---|---|---|---|"
           "\n",
           first[part], third[part], base[part], base[part]);
    fflush(stdout);
}

/* Finds the row that this one is compared with, or NULL. */
static const struct scaling_row *base_of(const struct scaling_rows *rows,
                                         const struct scaling_row *row)
{
    struct scaling_case what = row->what;

    if (what.program == NULL_FILTER) /* compared with the filter */
        what.program = WHOLE_FILTER;
    if (what.part == BY_ENGINES)
        what.engine = "CPU";
    else if (what.part == BY_OPTIONS)
        what.options = NO_OPTIONS;
    else
        what.threads = what.part == BY_THREADS ? 1 : 2;
    return scaling_rows_find(rows, &what);
}

/* Prints the first cell: what is run. */
static void print_first(const struct scaling_case *what)
{
    if (what->part == BY_THREADS)
        printf("| %s ", programs[what->program]);
    else if (what->part == BY_OPTIONS)
        printf("| %u ", what->cpus);
    else
        printf("| %u of %u page%s ", what->jobs, what->pages,
               what->pages == 1 ? "" : "s");
}

/* Prints the third cell: what a part varies. */
static void print_third(const struct scaling_case *what)
{
    if (what->program == NULL_FILTER)
        printf("| ");
    else if (what->part == BY_OPTIONS)
        printf("| %s ", option_sets[what->options]);
    else if (what->part == BY_ENGINES)
        printf("| %s ", what->engine);
    else if (what->threads == 0)
        printf("| default ");
    else
        printf("| %u ", what->threads);
}

void scaling_row_print(const struct scaling_rows *rows,
                       const struct scaling_row *row)
{
    const struct scaling_row *base = base_of(rows, row);
    char name[64];

    print_first(&row->what);
    printf("| %s ", scaling_page_name(&row->what, name));
    print_third(&row->what);
    printf("| %u | %.0f | %.0f | %.0f | %.0f ", row->runs, 1e3 * row->wall,
           1e3 * row->wall_least, 1e3 * row->wall_most, 1e3 * row->cpu);
    if (base != NULL)
        printf("| %.2f | %.2f |\n", row->wall / base->wall,
               row->cpu / base->cpu);
    else
        printf("| | |\n");
    fflush(stdout);
}

/* ---- JSON ---------------------------------------------------------------- */

static void put_row(FILE *out, const struct scaling_row *row)
{
    static const char *const parts[] = {"threads", "jobs", "engines",
                                        "options"};
    const struct scaling_case *what = &row->what;

    fprintf(out,
            "    {\"by\": \"%s\", \"program\": \"%s\", \"content\": \"%s\", "
            "\"inks\": %u, \"unbroken\": %s, \"engine\": \"%s\", ",
            parts[what->part], programs[what->program],
            content_names[what->content], what->inks,
            what->unbroken ? "true" : "false", what->engine);
    fprintf(out,
            "\"options\": \"%s\", \"cpus\": %u, "
            "\"threads\": %u, \"jobs\": %u, \"pages\": %u, \"runs\": %u, "
            "\"seconds\": %.6f, \"least_seconds\": %.6f, "
            "\"most_seconds\": %.6f, ",
            option_sets[what->options], what->cpus, what->threads, what->jobs,
            what->pages, row->runs, row->wall, row->wall_least, row->wall_most);
    fprintf(out,
            "\"cpu_seconds\": %.6f, \"least_cpu_seconds\": %.6f, "
            "\"most_cpu_seconds\": %.6f}",
            row->cpu, row->cpu_least, row->cpu_most);
}

void scaling_rows_json(const struct scaling_rows *rows, FILE *out)
{
    bool first = true;

    for (unsigned i = 0; i < rows->count; i++) {
        if (rows->row[i].runs == 0)
            continue;
        fputs(first ? "\n" : ",\n", out);
        put_row(out, &rows->row[i]);
        first = false;
    }
}
