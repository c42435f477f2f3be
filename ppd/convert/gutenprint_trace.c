/*
 * gutenprint_trace.c - reads the lines
 *
 *   DEBUG: Gutenprint: Add channel INK, SHADE, DARKNESS
 *   DEBUG: Gutenprint: stpi_dither_set_ranges channel ...
 *   DEBUG: Gutenprint:   level NUMBER value AREA pattern CODE
 *   DEBUG: Gutenprint: stp_channel_initialize:
 *
 * Inks are 0 = K, C, M, Y; the number behind set_ranges is another one with
 * some drivers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "halftone/base/text.h"
#include "ppd/convert/gutenprint_trace.h"

static void add_level(struct ink_codes *ink, const char *area, unsigned code)
{
    double value;

    if (ink == NULL || code == 0 || code >= TRACE_CODES ||
        !text_decimal(area, 0, 1, &value))
        return;
    ink->codes |= 1U << code;
    ink->area[code] = value;
}

void trace_line(struct gutenprint_trace *trace, const char *line)
{
    static const char prefix[] = "DEBUG: Gutenprint: ";
    unsigned channel, shade, code;
    char area[20];

    trace->failed = trace->failed || strncmp(line, "ERROR:", 6) == 0;
    if (strncmp(line, prefix, sizeof prefix - 1) != 0)
        return;
    line += sizeof prefix - 1;
    if (sscanf(line, "Add channel %u, %u,", &channel, &shade) == 2) {
        trace->ink = channel < TRACE_INKS ? &trace->inks[channel] : NULL;
        trace->failed = trace->failed || shade > 0;
    } else if (strncmp(line, "stpi_dither_set_ranges ", 23) == 0) {
        if (trace->ink != NULL)
            trace->ink->codes = 0;
    } else if (sscanf(line, " level %*u value %19[0-9.] pattern %u", area,
                      &code) == 2) {
        add_level(trace->ink, area, code);
    } else if (strncmp(line, "stp_channel_initialize:", 23) == 0) {
        trace->whole = true;
    }
}

double trace_largest(const struct ink_codes *ink)
{
    double most = 0;

    for (unsigned code = 1; code < TRACE_CODES; code++)
        if ((ink->codes >> code & 1) != 0 && ink->area[code] > most)
            most = ink->area[code];
    return most;
}

void trace_meet(struct ink_codes *ink, const struct ink_codes *other)
{
    ink->codes &= other->codes;
}

void trace_describe(const struct gutenprint_trace *trace, char line[TRACE_LINE])
{
    size_t used = 0;

    line[0] = '\0';
    for (int i = 0; i < TRACE_INKS; i++) {
        const struct ink_codes *ink = &trace->inks[i];

        if (ink->codes == 0)
            continue;
        used += (size_t)sprintf(line + used, "%s%c", used > 0 ? ", " : "",
                                "KCMY"[i]);
        for (unsigned code = 1; code < TRACE_CODES; code++)
            if ((ink->codes >> code & 1) != 0 && used < TRACE_LINE - 16)
                used += (size_t)sprintf(line + used, " %u=%.0f", code,
                                        100 * ink->area[code]);
    }
}
