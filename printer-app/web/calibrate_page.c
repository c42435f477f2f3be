/*
 * calibrate_page.c - a form: print the chart, type in what it measures, and the
 * printer has a curve. A printer with colors has one for its profile, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tools/calibrate/by_eye.h"
#include "tools/calibrate/fit.h"
#include "tools/calibrate/form.h"
#include "printer-app/web/calibrate_page.h"
#include "printer-app/chart_job.h"
#include "printer-app/service/own_file.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"
#include "printer-app/web/profile_form.h"

#define SAYS_BYTES 512

/* Visit to the page. */
struct calibrate_visit {
    pappl_client_t *client;
    pappl_printer_t *printer;
    const char *name; /* the printer's */
    struct chart chart;
    bool has_chart, has_eye, color;
    int count; /* of the form */
    cups_option_t *form;
    bool wrong, wrong_gain, wrong_eye;
    char says[SAYS_BYTES]; /* what became of the form; "" = nothing */
};

/* ---- The form --------------------------------------------------------------
 */

static const char *field(const struct calibrate_visit *visit, const char *name)
{
    const char *value = cupsGetOption(name, visit->count, visit->form);

    return value != NULL ? value : "";
}

static bool refuse_form(struct calibrate_visit *visit,
                        const struct refusal *refusal)
{
    visit->wrong = true;
    if (refusal->line > 0)
        snprintf(visit->says, sizeof visit->says, "%s (line %u)", refusal->why,
                 refusal->line);
    else
        snprintf(visit->says, sizeof visit->says, "%s", refusal->why);
    return false;
}

static void print_chart(struct calibrate_visit *visit, const char *type,
                        bool curved)
{
    cups_option_t *options = NULL;
    const int count = cupsAddOption("halftone-curve",
                                    curved ? "default" : "none", 0, &options);
    const char *user = papplClientGetUsername(visit->client);
    const pappl_job_t *job = papplJobCreateWithFile(
        visit->printer, user != NULL && user[0] != '\0' ? user : "guest", type,
        curved                              ? "Chart with the curve"
        : strcmp(type, CHART_EYE_TYPE) == 0 ? "Tints"
                                            : "Chart",
        count, options, "/dev/null");

    cupsFreeOptions(count, options);
    visit->wrong = job == NULL;
    snprintf(visit->says, sizeof visit->says,
             job == NULL ? "The chart cannot be printed now."
                         : "The chart is being printed.");
}

/* Fits a curve to the readings, a CSV if there is one, or the lists. */
static bool fit_form(struct calibrate_visit *visit, struct fit *fit)
{
    const char *csv = field(visit, "csv");
    char text[FORM_TEXT_BYTES];
    struct readings readings;
    struct refusal refusal;

    if (csv[strspn(csv, " \t\r\n")] == '\0') {
        if (!form_readings(&visit->chart, visit->count, visit->form, text,
                           &refusal))
            return refuse_form(visit, &refusal);
        csv = text;
    }
    return (readings_parse(&readings, csv, strlen(csv), &refusal) &&
            fit_readings(fit, &readings, &refusal)) ||
           refuse_form(visit, &refusal);
}

static void save_curve(struct calibrate_visit *visit, const struct fit *fit,
                       double gain)
{
    struct refusal refusal;
    char text[FIT_TEXT_BYTES];
    const size_t size =
        fit_write(fit, gain, NULL, "the web page of the printer", text);

    visit->wrong = !own_file_save(visit->name, OWN_CURVE, text, size);
    if (visit->wrong)
        snprintf(visit->says, sizeof visit->says,
                 "The curve cannot be saved: %s.", strerror(errno));
    else if (!fit_is_smooth(fit, &refusal))
        snprintf(visit->says, sizeof visit->says,
                 "The printer has a curve now. Look at the readings again, "
                 "though: %s",
                 refusal.why);
    else
        snprintf(visit->says, sizeof visit->says,
                 "The printer has a curve now.");
}

static void make_curve(struct calibrate_visit *visit)
{
    struct fit fit;
    struct refusal refusal;
    double gain = FIT_GAIN;

    if (field(visit, FORM_GAIN)[0] != '\0' &&
        !fit_gain(field(visit, FORM_GAIN), &gain, &refusal))
        visit->wrong_gain = !refuse_form(visit, &refusal);
    else if (fit_form(visit, &fit))
        save_curve(visit, &fit, gain);
}

static void make_eye_curve(struct calibrate_visit *visit)
{
    struct readings readings;
    struct refusal refusal;
    struct fit fit;

    if (by_eye_parse(&readings, field(visit, "tints"), &refusal) &&
        fit_readings(&fit, &readings, &refusal))
        save_curve(visit, &fit, FIT_GAIN);
    else
        visit->wrong_eye = !refuse_form(visit, &refusal);
}

static void remove_curve(struct calibrate_visit *visit)
{
    visit->wrong = !own_file_remove(visit->name, OWN_CURVE);
    snprintf(visit->says, sizeof visit->says,
             visit->wrong ? "The curve cannot be removed: %s."
                          : "The printer has no curve of its own any more.",
             strerror(errno));
}

static void do_form(struct calibrate_visit *visit)
{
    const char *action;

    visit->count = papplClientGetForm(visit->client, &visit->form);
    action = field(visit, "action");
    visit->wrong = true;
    if (!papplClientIsValidForm(visit->client, visit->count, visit->form))
        snprintf(visit->says, sizeof visit->says, "Invalid form submission.");
    else if (strcmp(action, "chart") == 0)
        print_chart(visit, CHART_TYPE, false);
    else if (strcmp(action, "check") == 0)
        print_chart(visit, CHART_TYPE, true);
    else if (strcmp(action, "curve") == 0 && visit->has_chart)
        visit->wrong = false, make_curve(visit);
    else if (strcmp(action, "eye-chart") == 0 && visit->has_eye)
        print_chart(visit, CHART_EYE_TYPE, false);
    else if (strcmp(action, "eye") == 0 && visit->has_eye)
        make_eye_curve(visit);
    else if (strcmp(action, "remove") == 0)
        remove_curve(visit);
    else if (strcmp(action, PROFILE_TAKE) == 0 && visit->color)
        visit->wrong = !profile_form_take(visit->name, field(visit, "profile"),
                                          visit->says, sizeof visit->says);
    else if (strcmp(action, PROFILE_REMOVE) == 0)
        visit->wrong =
            !profile_form_remove(visit->name, visit->says, sizeof visit->says);
    else
        snprintf(visit->says, sizeof visit->says, "Unknown action.");
}

/* ---- The page -------------------------------------------------------------
 */

/* Returns what became of the form if that begins with the name of an ink. */
static const char *error_of(const struct calibrate_visit *visit,
                            const char *ink)
{
    return visit->wrong && strncmp(visit->says, ink, strlen(ink)) == 0
               ? visit->says
               : NULL;
}

static void show_lists(const struct calibrate_visit *visit)
{
    for (unsigned i = 0; i < strlen(visit->chart.inks); i++) {
        const struct form_field list = form_field(&visit->chart, i);
        char hint[64];

        papplLocFormatString(papplClientGetLoc(visit->client), hint,
                             sizeof hint, "%u numbers, or none", list.numbers);
        page_lines(visit->client,
                   &(struct page_field){.name = list.name,
                                        .label = list.label,
                                        .value = field(visit, list.name),
                                        .said = hint,
                                        .error = error_of(visit, list.label)},
                   2);
    }
}

static void show_units(const struct calibrate_visit *visit)
{
    const struct page_field list = {.name = FORM_UNIT, .label = "Unit"};

    page_list_start(visit->client, &list);
    for (int i = 0; i < FORM_UNITS; i++)
        page_choice(visit->client, form_units[i].name,
                    papplClientGetLocString(visit->client, form_units[i].label),
                    strcmp(field(visit, FORM_UNIT), form_units[i].name) == 0);
    page_list_end(visit->client, &list);
}

static void show_readings(const struct calibrate_visit *visit, const char *uri)
{
    pappl_client_t *client = visit->client;
    const char *gain = field(visit, FORM_GAIN);

    page_text(client, "h2", NULL, "2. Measure it, and make the curve");
    page_text(
        client, "p", NULL,
        "Type in what each patch of an ink measures, from 0 % to 100 %, or "
        "paste the CSV of an instrument.");
    page_form_start(client, uri, "curve", false);
    show_units(visit);
    show_lists(visit);
    page_lines(client,
               &(struct page_field){.name = "csv",
                                    .label = "CSV of an instrument",
                                    .value = field(visit, "csv")},
               3);
    page_input(client, &(struct page_field){
                           .name = FORM_GAIN,
                           .label = "Gain wanted at 50 %",
                           .type = "number",
                           .value = gain[0] != '\0' ? gain : "20",
                           .error = visit->wrong_gain ? visit->says : NULL,
                           .more = "min=\"0\" max=\"25\"",
                           .unit = "%"});
    page_form_end(client, "Make the Curve");
}

/* The form for who has no instrument. */
static void show_eye(const struct calibrate_visit *visit, const char *uri)
{
    pappl_client_t *client = visit->client;

    page_text(client, "h2", NULL, "Or by eye, without an instrument");
    page_text(client, "p", NULL,
              "The page has three rows of tints for each ink, within lines. "
              "Look at it from 3 m: the number of the tint that vanishes in "
              "its lines counts.");
    page_button(client, uri, "eye-chart", "Print the Tints");
    page_form_start(client, uri, "eye", false);
    page_input(client,
               &(struct page_field){
                   .name = "tints",
                   .label = "Tints that vanish",
                   .type = "text",
                   .value = field(visit, "tints"),
                   .hint = "Three numbers of each ink: K:9/25/49,C:12/30/55",
                   .error = visit->wrong_eye ? visit->says : NULL});
    page_form_end(client, "Make the Curve");
}

static void show_page(const struct calibrate_visit *visit, const char *uri)
{
    pappl_client_t *client = visit->client;
    const bool curved = own_file_has(visit->name, OWN_CURVE);

    papplClientHTMLPrinterHeader(client, visit->printer, "Calibrate", 0, NULL,
                                 NULL);
    page_banner(client, visit->says, visit->wrong);
    page_text(client, "p", NULL,
              curved ? "This printer has a curve of its own: jobs with the "
                       "usual tone curve take it."
                     : "This printer has the curve for the usual dot gain.");
    page_text(client, "h2", NULL, "1. Print the chart");
    if (visit->has_chart)
        page_button(client, uri, "chart", "Print the Chart");
    else
        page_text(client, "p", NULL, "The loaded sheet is too small for it.");
    if (visit->has_chart)
        show_readings(visit, uri);
    if (visit->has_eye)
        show_eye(visit, uri);
    page_text(client, "h2", NULL, "3. Check it");
    page_button(client, uri, "check", "Print the Chart with the Curve");
    if (curved)
        page_button(client, uri, "remove", "Remove the Curve");
    if (visit->color)
        profile_form_show(client, uri, visit->name);
    papplClientHTMLPrinterFooter(client);
}

/* PAPPL's callback for the page. */
static bool answer(pappl_client_t *client, void *data)
{
    struct calibrate_visit visit = {.client = client, .printer = data};
    pappl_pr_driver_data_t driver;
    struct refusal refusal;
    char uri[256];

    if (!papplClientHTMLAuthorize(client))
        return true;
    visit.name = papplPrinterGetName(visit.printer);
    papplPrinterGetDriverData(visit.printer, &driver);
    visit.color = (driver.color_supported & PAPPL_COLOR_MODE_COLOR) != 0;
    visit.has_eye = chart_for(&visit.chart, &driver.media_default, visit.color,
                              true, &refusal);
    visit.has_chart = chart_for(&visit.chart, &driver.media_default,
                                visit.color, false, &refusal);
    papplPrinterGetPath(visit.printer, "calibrate", uri, sizeof uri);
    if (papplClientGetMethod(client) == HTTP_STATE_POST)
        do_form(&visit);
    show_page(&visit, uri);
    cupsFreeOptions(visit.count, visit.form);
    return true;
}

void calibrate_page_add(pappl_printer_t *printer, void *data)
{
    char path[256];

    (void)data;
    print_page_add(printer);
    papplPrinterGetPath(printer, "calibrate", path, sizeof path);
    papplSystemAddResourceCallback(papplPrinterGetSystem(printer), path,
                                   "text/html", answer, printer);
    papplPrinterAddLink(printer, "Calibrate", path,
                        PAPPL_LOPTIONS_NAVIGATION |
                            PAPPL_LOPTIONS_CONFIGURATION);
}
