/*
 * raw_settings.c - translates choices and headers into parameters: those of a
 * PPD's options StpNAME are NAME.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gutenprint/raw_settings.h"
#include "page/message.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Walks over all parameters of the driver. */
static void walk(stp_vars_t *vars, const struct choices *from,
                 void (*act)(stp_vars_t *vars, const struct choices *from,
                             const stp_parameter_t *parameter))
{
    stp_parameter_list_t all = stp_get_parameter_list(vars);

    for (size_t i = 0; i < stp_parameter_list_count(all); i++) {
        stp_parameter_t parameter;

        stp_describe_parameter(vars, stp_parameter_list_param(all, i)->name,
                               &parameter);
        act(vars, from, &parameter);
        stp_parameter_description_destroy(&parameter);
    }
    stp_parameter_list_destroy(all);
}

/* ---- The job ------------------------------------------------------------- */

/* Sets a parameter by the choice of its option. Numbers with a fraction act on
 * tones alone. */
static void set_chosen(stp_vars_t *vars, const struct choices *from,
                       const stp_parameter_t *parameter)
{
    char option[PPD_MAX_NAME];
    char custom[CHOICE_CUSTOM_BYTES];
    const char *value;

    if (snprintf(option, sizeof option, "Stp%s", parameter->name) >=
            (int)sizeof option ||
        (value = choice_of_queue(from, option)) == NULL)
        return;
    value = choice_custom(from, option, value, custom);
    if (parameter->p_type == STP_PARAMETER_TYPE_STRING_LIST)
        stp_set_string_parameter(vars, parameter->name, value);
    else if (value[0] == '\0' || strcmp(value, "None") == 0)
        return;
    else if (parameter->p_type == STP_PARAMETER_TYPE_INT)
        stp_set_int_parameter(vars, parameter->name, atoi(value));
    else if (parameter->p_type == STP_PARAMETER_TYPE_DIMENSION)
        stp_set_dimension_parameter(vars, parameter->name, atoi(value));
    else if (parameter->p_type == STP_PARAMETER_TYPE_BOOLEAN)
        stp_set_boolean_parameter(vars, parameter->name,
                                  choice_is(value, "True"));
}

stp_vars_t *raw_settings_of_job(const stp_printer_t *printer,
                                const struct choices *from)
{
    stp_vars_t *vars = stp_vars_create();

    stp_set_printer_defaults(vars, printer);
    walk(vars, from, set_chosen);
    return vars;
}

/* ---- Pages --------------------------------------------------------------- */

/* Sets the choice of that number, from 1; 0 = the driver chooses. */
static void set_numbered(stp_vars_t *vars, const char *name, unsigned number)
{
    stp_parameter_t parameter;

    stp_describe_parameter(vars, name, &parameter);
    if (parameter.p_type == STP_PARAMETER_TYPE_STRING_LIST) {
        const stp_string_list_t *list = parameter.bounds.str;

        if (list != NULL && number > 0 && number <= stp_string_list_count(list))
            stp_set_string_parameter(
                vars, name, stp_string_list_param(list, number - 1)->name);
        else
            stp_clear_string_parameter(vars, name);
    }
    stp_parameter_description_destroy(&parameter);
}

/* Sets the sheet: one of a name that the driver knows, or the header's. */
static void set_sheet(stp_vars_t *vars, const ppd_size_t *size,
                      const cups_page_header2_t *header)
{
    double width = 0, height = 0;

    if (size != NULL && strcmp(size->name, "Custom") != 0 &&
        stp_describe_papersize(vars, size->name) != NULL) {
        stp_set_string_parameter(vars, "PageSize", size->name);
        stp_get_media_size(vars, &width, &height);
    }
    stp_set_page_width(vars, width > 0 ? width : header->PageSize[0]);
    stp_set_page_height(vars, height > 0 ? height : header->PageSize[1]);
}

/* Replaces a choice that the driver does not have. */
static void mend(stp_vars_t *vars, const struct choices *from,
                 const stp_parameter_t *parameter)
{
    const char *name = parameter->name;

    (void)from;
    if (parameter->p_type != STP_PARAMETER_TYPE_STRING_LIST ||
        stp_string_list_is_present(parameter->bounds.str,
                                   stp_get_string_parameter(vars, name)))
        return;
    stp_clear_string_parameter(vars, name);
    if (!parameter->read_only && parameter->is_mandatory &&
        parameter->is_active)
        stp_set_string_parameter(vars, name, parameter->deflt.str);
}

/* Sets what is printed: all that the printer reaches of the part that the RIP
 * takes for it, which is that of the least margins. The order of operations is
 * that of Gutenprint's filter, since a dot of a quotient can hang on it. */
static void set_place(stp_vars_t *vars, const unsigned dpi[2],
                      struct raw_place *place)
{
    double width, height, left, right, bottom, top;
    double least_left, most_right, most_bottom, least_top;

    stp_get_media_size(vars, &width, &height);
    stp_get_maximum_imageable_area(vars, &least_left, &most_right, &most_bottom,
                                   &least_top);
    stp_get_imageable_area(vars, &left, &right, &bottom, &top);
    least_left = fmax(least_left, 0);
    least_top = fmax(least_top, 0);
    if (most_right > least_left + width)
        most_right = width;
    if (most_bottom > least_top + height)
        most_bottom = height;
    place->left = floor(dpi[0] * fmax(left - least_left, 0) / 72);
    place->top = floor(dpi[1] * fmax(top - least_top, 0) / 72 + 0.01);
    left = fmax(left, least_left);
    top = fmax(top, least_top);
    right = fmin(right, most_right);
    bottom = fmin(bottom, most_bottom);
    stp_set_width(vars, right - left);
    stp_set_height(vars, bottom - top);
    stp_set_left(vars, left);
    stp_set_top(vars, top);
    right = width - right;
    bottom = height - bottom;
    place->width = floor(dpi[0] * (width - left - right) / 72);
    place->height = floor(dpi[1] * (height - top - bottom) / 72);
}

bool raw_settings_of_page(stp_vars_t *vars, const struct choices *from,
                          const cups_page_header2_t *header, unsigned page,
                          struct raw_place *place)
{
    const ppd_size_t *size =
        from->ppd == NULL ? NULL : ppdPageSize(from->ppd, NULL);
    char text[sizeof header->MediaType + 1];
    stp_resolution_t across = 0, down = 0;

    set_numbered(vars, "Resolution", header->cupsCompression);
    set_numbered(vars, "Quality", header->cupsRowFeed);
    snprintf(text, sizeof text, "%.64s", header->MediaClass);
    if (text[0] != '\0')
        stp_set_string_parameter(vars, "InputSlot", text);
    snprintf(text, sizeof text, "%.64s", header->MediaType);
    if (text[0] != '\0')
        stp_set_string_parameter(vars, "MediaType", text);
    set_sheet(vars, size, header);
    if (header->Duplex)
        stp_set_string_parameter(
            vars, "Duplex", header->Tumble ? "DuplexTumble" : "DuplexNoTumble");
    stp_set_string_parameter(vars, "JobMode", "Job");
    walk(vars, from, mend);
    stp_describe_resolution(vars, &across, &down);
    if (across != (int)header->HWResolution[0] ||
        down != (int)header->HWResolution[1]) {
        message("ERROR", "Gutenprint prints at %dx%d dpi, not at %ux%u", across,
                down, header->HWResolution[0], header->HWResolution[1]);
        return false;
    }
    set_place(vars, header->HWResolution, place);
    stp_merge_printvars(vars, stp_printer_get_defaults(stp_get_printer(vars)));
    stp_set_boolean_parameter(vars, "Collate", header->Collate);
    stp_set_boolean_parameter_active(vars, "Collate", STP_PARAMETER_ACTIVE);
    stp_set_int_parameter(vars, "NumCopies", (int)header->NumCopies);
    stp_set_int_parameter_active(vars, "NumCopies", STP_PARAMETER_ACTIVE);
    stp_set_int_parameter(vars, "PageNumber", (int)page);
    return true;
}
