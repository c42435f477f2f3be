/*
 * csv.c - readings of a chart: a CSV, the lists of a form, and tints by eye.
 *
 *   input   a CSV; it is also tried as the list of each ink in a form
 *   holds   what is made of it is a curve; what is refused has a sentence that
 *           says why, and a line that there is; a form that is accepted is a
 *           CSV that is
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/by_eye.h"
#include "tools/calibrate/fit.h"
#include "tools/calibrate/form.h"
#include "test/fuzz/run.h"

/* A sentence for a web page: nothing in it comes from the input. */
static void check_refusal(const struct refusal *refusal, size_t size)
{
    size_t length = strnlen(refusal->why, sizeof refusal->why);

    if (length == 0 || length >= sizeof refusal->why - 1)
        run_fail("a refusal of %zu bytes", length);
    for (size_t i = 0; i < length; i++)
        if (!isprint((unsigned char)refusal->why[i]) ||
            strchr("<>&\"", refusal->why[i]) != NULL)
            run_fail("a refusal with a character %d", refusal->why[i]);
    if (refusal->line > size + 1)
        run_fail("line %u of %zu bytes is at fault", refusal->line, size);
}

static void check_curve(const struct fit *fit)
{
    static const double gains[] = {0, FIT_GAIN, 0.25};
    char text[FIT_TEXT_BYTES];
    struct refusal doubt;
    struct curve curve;
    unsigned line;

    if (!fit_is_smooth(fit, &doubt))
        check_refusal(&doubt, 0);
    for (unsigned i = 0; i < sizeof gains / sizeof gains[0]; i++) {
        size_t size = fit_write(fit, gains[i], "a name", "fuzz", text);

        if (!curve_parse(&curve, text, size, &line))
            run_fail("line %u of the curve is not valid: %s", line, text);
    }
}

static void check_eye(const char *text)
{
    struct readings readings;
    struct refusal refusal;
    struct fit fit;

    if (!by_eye_parse(&readings, text, &refusal))
        check_refusal(&refusal, 0);
    else if (fit_readings(&fit, &readings, &refusal))
        check_curve(&fit);
    else
        run_fail("tints that make no curve: %s", refusal.why);
}

/* Returns whether the text has readings. */
static bool check_csv(const char *text, size_t size)
{
    struct readings readings;
    struct refusal refusal;
    struct fit fit;

    if (!readings_parse(&readings, text, size, &refusal)) {
        check_refusal(&refusal, size);
        return false;
    }
    if (fit_readings(&fit, &readings, &refusal))
        check_curve(&fit);
    else
        check_refusal(&refusal, 0);
    return true;
}

static void check_form(const struct chart *chart, char *list, char *unit)
{
    cups_option_t fields[] = {{FORM_UNIT, unit}, {"ink-k", list},
                              {"ink-c", list},   {"ink-m", list},
                              {"ink-y", list},   {"other", list}};
    char text[FORM_TEXT_BYTES];
    struct refusal refusal;

    if (!form_readings(chart, sizeof fields / sizeof fields[0], fields, text,
                       &refusal))
        check_refusal(&refusal, 0);
    else if (!check_csv(text, strlen(text)))
        run_fail("a form makes a CSV that is refused: %s", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct chart chart = {.width = 595,
                          .height = 842,
                          .inks = CHART_ALL_INKS,
                          .steps = CHART_LEAST_STEPS};
    char *text = malloc(size + 1);

    if (text == NULL)
        run_fail("no memory");
    if (size > 0)
        memcpy(text, data, size);
    check_csv(text, size);
    text[size] = '\0';
    chart.steps += (uint32_t)(size % 5);
    check_form(&chart, text, "density");
    check_form(&chart, text, "reflectance");
    check_eye(text);
    free(text);
    return 0;
}
