/*
 * by_eye.c - readings without an instrument.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/by_eye.h"

#define SOLID 0.7 /* (1 - t) / (1 + t), where a solid lets t through once */

double lines_light(double pitch, double share, double wider, double reach)
{
    const double line = fmin(fmax(share * pitch + wider, 0), pitch);
    const double gap = pitch - line, far = fmax(reach, 0.01);
    const double crossing = far / pitch * (1 - exp(-line / far)) *
                            (1 - exp(-gap / far)) / (1 - exp(-pitch / far));

    return 1 - line / pitch - SOLID * crossing;
}

/* Reads whole percents, which rise, separated by slashes. Returns what is
 * behind them, or NULL. */
static const char *take_tones(const char *text, double *tone)
{
    double before = 0;

    for (int i = 0; i < CHART_EYE_ROWS; i++) {
        char *end;
        const long percent = strtol(text, &end, 10);

        if (end == text || percent <= before || percent >= 100 ||
            (i + 1 < CHART_EYE_ROWS && *end != '/'))
            return NULL;
        before = (double)percent;
        tone[i] = before / 100;
        text = i + 1 < CHART_EYE_ROWS ? end + 1 : end;
    }
    return text;
}

bool by_eye_parse(struct readings *readings, const char *text,
                  struct refusal *refusal)
{
    *readings = (struct readings){0};
    for (bool more = true; more;) {
        const char *letter =
            *text != '\0' ? strchr(CURVE_LETTERS, *text) : NULL;

        if (letter == NULL || text[1] != ':')
            return refuse(refusal, 0,
                          "not an ink and three tones, such as "
                          "K:9/25/49");
        struct readings_ink *ink = &readings->ink[letter - CURVE_LETTERS];
        text = take_tones(text + 2, ink->tone + 1);
        if (text == NULL || ink->steps > 0 || (*text != '\0' && *text != ','))
            return refuse(refusal, 0,
                          "ink %c needs three tones once, which rise from 1 to "
                          "99, such as 9/25/49",
                          *letter);
        ink->steps = CHART_EYE_ROWS + 2;
        ink->tone[ink->steps - 1] = 1;
        for (unsigned i = 0; i < ink->steps; i++) {
            ink->sum[i] = i == 0 ? 1
                          : i + 1 == ink->steps
                              ? 0
                              : lines_light(CHART_EYE_PITCH, i / 4.0,
                                            LINES_WIDER, LINES_REACH);
            ink->count[i] = 1;
        }
        more = *text++ == ',';
    }
    return true;
}
