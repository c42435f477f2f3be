/*
 * raw_settings.c - translates choices and headers into parameters.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gutenprint/raw_driver.h"
#include "page/message.h"

/* Sets a parameter by the choice of its option. Numbers with a fraction act on
 * tones alone. */
static void set(stp_vars_t *vars, const stp_parameter_t *parameter,
                const char *value)
{
    const char *name = parameter->name;

    if (parameter->p_type == STP_PARAMETER_TYPE_STRING_LIST)
        stp_set_string_parameter(vars, name, value);
    else if (value[0] == '\0' || strcmp(value, "None") == 0)
        return;
    else if (parameter->p_type == STP_PARAMETER_TYPE_INT)
        stp_set_int_parameter(vars, name, atoi(value));
    else if (parameter->p_type == STP_PARAMETER_TYPE_DIMENSION)
        stp_set_dimension_parameter(vars, name, atoi(value));
    else if (parameter->p_type == STP_PARAMETER_TYPE_BOOLEAN)
        stp_set_boolean_parameter(vars, name, choice_is(value, "True"));
}

/* Replaces a choice that the driver does not have. */
static void mend(stp_vars_t *vars, const stp_parameter_t *parameter)
{
    const char *name = parameter->name;

    if (parameter->p_type != STP_PARAMETER_TYPE_STRING_LIST ||
        stp_string_list_is_present(parameter->bounds.str,
                                   stp_get_string_parameter(vars, name)))
        return;
    stp_clear_string_parameter(vars, name);
    if (!parameter->read_only && parameter->is_mandatory &&
        parameter->is_active)
        stp_set_string_parameter(vars, name, parameter->deflt.str);
}

/* Sets all parameters by the options of a PPD, or mends them if it is NULL. */
static void set_all(stp_vars_t *vars, const struct choices *from)
{
    stp_parameter_list_t all = stp_get_parameter_list(vars);

    for (size_t i = 0; i < stp_parameter_list_count(all); i++) {
        char option[PPD_MAX_NAME], custom[CHOICE_CUSTOM_BYTES];
        stp_parameter_t parameter;
        const char *value;

        stp_describe_parameter(vars, stp_parameter_list_param(all, i)->name,
                               &parameter);
        snprintf(option, sizeof option, "Stp%.30s", parameter.name);
        if (from == NULL)
            mend(vars, &parameter);
        else if ((value = choice_of_queue(from, option)) != NULL)
            set(vars, &parameter, choice_custom(from, option, value, custom));
        stp_parameter_description_destroy(&parameter);
    }
    stp_parameter_list_destroy(all);
}

void raw_choose(stp_vars_t *vars, const struct choices *from)
{
    set_all(vars, from);
}

void raw_choose_numbered(stp_vars_t *vars, const char *name, unsigned number)
{
    stp_parameter_t parameter;

    stp_describe_parameter(vars, name, &parameter);
    const stp_string_list_t *list =
        parameter.p_type == STP_PARAMETER_TYPE_STRING_LIST
            ? parameter.bounds.str
            : NULL;

    if (list != NULL && number > 0 && number <= stp_string_list_count(list))
        stp_set_string_parameter(vars, name,
                                 stp_string_list_param(list, number - 1)->name);
    else
        stp_clear_string_parameter(vars, name);
    stp_parameter_description_destroy(&parameter);
}

/* Sets the sheet: one of a name that the driver knows, or the header's. */
static void set_sheet(stp_vars_t *vars, const ppd_size_t *size,
                      const unsigned points[2])
{
    double width = 0, height = 0;

    if (size != NULL && strcmp(size->name, "Custom") != 0 &&
        stp_describe_papersize(vars, size->name) != NULL) {
        stp_set_string_parameter(vars, "PageSize", size->name);
        stp_get_media_size(vars, &width, &height);
    }
    stp_set_page_width(vars, width > 0 ? width : points[0]);
    stp_set_page_height(vars, height > 0 ? height : points[1]);
}

/* Sets what is printed: all that the printer reaches of the part that the RIP
 * makes raster of, which has the least margins. The order of operations is that
 * of Gutenprint's filter, since a dot of a quotient can hang on it. */
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
    place->left = floor(dpi[0] * fmax(left - least_left, 0) / 72);
    place->top = floor(dpi[1] * fmax(top - least_top, 0) / 72 + 0.01);
    left = fmax(left, least_left);
    top = fmax(top, least_top);
    right = fmin(right, fmin(most_right, least_left + width));
    bottom = fmin(bottom, fmin(most_bottom, least_top + height));
    stp_set_width(vars, right - left);
    stp_set_height(vars, bottom - top);
    stp_set_left(vars, left);
    stp_set_top(vars, top);
    place->width = floor(dpi[0] * (width - left - (width - right)) / 72);
    place->height = floor(dpi[1] * (height - top - (height - bottom)) / 72);
}

bool raw_set_page(stp_vars_t *vars, const ppd_size_t *size,
                  const cups_page_header2_t *header, struct raw_place *place)
{
    const unsigned *dpi = header->HWResolution;
    stp_resolution_t across = 0, down = 0;

    raw_choose_numbered(vars, "Resolution", header->cupsCompression);
    if (header->MediaClass[0] != '\0')
        stp_set_string_parameter_n(vars, "InputSlot", header->MediaClass,
                                   strnlen(header->MediaClass, 64));
    if (header->MediaType[0] != '\0')
        stp_set_string_parameter_n(vars, "MediaType", header->MediaType,
                                   strnlen(header->MediaType, 64));
    set_sheet(vars, size, header->PageSize);
    if (header->Duplex)
        stp_set_string_parameter(
            vars, "Duplex", header->Tumble ? "DuplexTumble" : "DuplexNoTumble");
    stp_set_string_parameter(vars, "JobMode", "Job");
    set_all(vars, NULL);
    stp_describe_resolution(vars, &across, &down);
    if ((unsigned)across != dpi[0] || (unsigned)down != dpi[1]) {
        message("ERROR", "Gutenprint prints at %dx%d dpi, not at %ux%u", across,
                down, dpi[0], dpi[1]);
        return false;
    }
    set_place(vars, dpi, place);
    stp_merge_printvars(vars, stp_printer_get_defaults(stp_get_printer(vars)));
    stp_set_int_parameter(vars, "NumCopies", (int)header->NumCopies);
    stp_set_int_parameter_active(vars, "NumCopies", STP_PARAMETER_ACTIVE);
    return true;
}
