/*
 * print.c - prints what is known of a page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "tools/ink-map/print.h"

#define MM_PER_INCH 25.4

/* The shares of a page whose loads are printed, in percent. */
static const unsigned shares[] = {50, 90, 99};
#define SHARES (sizeof shares / sizeof shares[0])

static double mm(uint32_t pixels, unsigned dpi)
{
    return pixels * MM_PER_INCH / dpi;
}

static double percent(const struct ink_report *report, uint64_t pixels)
{
    return 100.0 * (double)pixels / ((double)report->width * report->height);
}

static double cm2(const struct ink_report *report, uint64_t pixels)
{
    return (double)pixels * mm(1, report->dpi[0]) * mm(1, report->dpi[1]) / 100;
}

static uint64_t all_dots(const struct ink_report *report)
{
    uint64_t sum = 0;

    for (uint32_t k = 0; k < report->inks; k++)
        sum += report->dots[k];
    return sum;
}

static double worst(const struct ink_loads *loads)
{
    return 100 * ink_loads_of(loads, loads->worst);
}

/* ---- Text --------------------------------------------------------------- */

static void print_loads(const struct ink_report *report,
                        const struct ink_question *question, unsigned size)
{
    const struct ink_loads *loads = &report->loads[size];

    printf("  %g mm windows", question->window[size]);
    if (question->ink)
        printf(" of %s", question->ink);
    putchar(':');
    for (unsigned i = 0; i < SHARES; i++)
        printf(" %u%%%s up to %.1f%%,", shares[i], i == 0 ? " of the page" : "",
               100 * ink_loads_share(loads, shares[i] / 100.0));
    printf(" worst %.1f%% at %.1f,%.1f mm", worst(loads),
           mm(loads->x, report->dpi[0]), mm(loads->y, report->dpi[1]));
    if (question->limit >= 0)
        printf(", above %g%%: %.2f%% of the page, %.2f cm2", question->limit,
               percent(report, loads->above), cm2(report, loads->above));
    putchar('\n');
}

void ink_report_text(const struct ink_report *report,
                     const struct ink_question *question)
{
    const struct ink_loads *loads = &report->loads[0];

    printf("page %u: %ux%u %s,", report->page, report->width, report->height,
           report->space);
    for (uint32_t k = 0; k < report->inks; k++)
        printf(" %s %.2f%%", report->name[k], percent(report, report->dots[k]));
    printf(", all %.2f%%, worst %g mm window",
           percent(report, all_dots(report)), question->window[0]);
    if (question->ink)
        printf(" of %s", question->ink);
    printf(" %.1f%% at %.1f,%.1f mm\n", worst(loads),
           mm(loads->x, report->dpi[0]), mm(loads->y, report->dpi[1]));
    for (unsigned i = 0; i < question->sizes; i++)
        print_loads(report, question, i);
    if (report->map == NULL)
        return;
    printf("  map: %s", report->map);
    for (unsigned i = 0; i < report->marked; i++)
        printf("%s %.1f%% at %.1f,%.1f mm", i > 0 ? "," : ", framed",
               100 * report->marks[i].load,
               mm(report->marks[i].x, report->dpi[0]),
               mm(report->marks[i].y, report->dpi[1]));
    putchar('\n');
}

/* ---- JSON --------------------------------------------------------------- */

static void print_string(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            printf("\\%c", *text);
        else if ((unsigned char)*text < ' ')
            printf("\\u%04x", (unsigned)*text);
        else
            putchar(*text);
    putchar('"');
}

static void print_window(const struct ink_report *report, double load,
                         uint32_t x, uint32_t y)
{
    printf("{\"load\": %.4f, \"x_mm\": %.2f, \"y_mm\": %.2f}", load,
           mm(x, report->dpi[0]), mm(y, report->dpi[1]));
}

static void print_worst(const struct ink_report *report,
                        const struct ink_loads *loads)
{
    print_window(report, worst(loads), loads->x, loads->y);
}

static void print_json_loads(const struct ink_report *report,
                             const struct ink_question *question, unsigned size)
{
    const struct ink_loads *loads = &report->loads[size];

    printf("%s\n      {\"window_mm\": %g, \"percentiles\": {",
           size > 0 ? "," : "", question->window[size]);
    for (unsigned i = 0; i < SHARES; i++)
        printf("\"%u\": %.2f, ", shares[i],
               100 * ink_loads_share(loads, shares[i] / 100.0));
    printf("\"max\": %.4f}, \"worst\": ", worst(loads));
    print_worst(report, loads);
    if (question->limit >= 0)
        printf(", \"above\": {\"limit\": %g, \"percent\": %.4f, "
               "\"cm2\": %.4f}",
               question->limit, percent(report, loads->above),
               cm2(report, loads->above));
    putchar('}');
}

void ink_report_json_begin(const struct ink_question *question)
{
    printf("{\"window_mm\": %g, \"ink\": ", question->window[0]);
    if (question->ink)
        printf("\"%s\"", question->ink);
    else
        printf("\"all\"");
    printf(", \"pages\": [");
}

void ink_report_json(const struct ink_report *report,
                     const struct ink_question *question)
{
    printf("%s\n    {\"page\": %u, \"width\": %u, \"height\": %u, "
           "\"space\": \"%s\", \"coverage\": {",
           report->page > 1 ? "," : "", report->page, report->width,
           report->height, report->space);
    for (uint32_t k = 0; k < report->inks; k++)
        printf("%s\"%s\": %.4f", k > 0 ? ", " : "", report->name[k],
               percent(report, report->dots[k]));
    printf("}, \"all\": %.4f, \"worst\": ", percent(report, all_dots(report)));
    print_worst(report, &report->loads[0]);
    printf(", \"windows\": [");
    for (unsigned i = 0; i < question->sizes; i++)
        print_json_loads(report, question, i);
    putchar(']');
    if (report->map != NULL) {
        printf(", \"map\": {\"file\": ");
        print_string(report->map);
        printf(", \"framed\": [");
        for (unsigned i = 0; i < report->marked; i++) {
            printf("%s", i > 0 ? ", " : "");
            print_window(report, 100 * report->marks[i].load,
                         report->marks[i].x, report->marks[i].y);
        }
        printf("]}");
    }
    putchar('}');
}

void ink_report_json_end(void)
{
    puts("\n]}");
}
