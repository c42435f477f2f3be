/*
 * drop_areas.c - the areas of drops on a command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "halftone/base/text.h"
#include "tools/command.h"
#include "tools/drop_areas.h"

bool drop_areas(char *text, double area[DROP_AREAS])
{
    char *rest = NULL, *one = strtok_r(text, ",", &rest);
    unsigned size = 0;
    double percent = 0;

    for (; one != NULL; one = strtok_r(NULL, ",", &rest)) {
        if (size == DROP_AREAS || !text_decimal(one, percent, 100, &percent))
            return command_complain("--drops",
                                    "not up to 5 percents that rise");
        area[size++] = percent / 100;
    }
    if (size == 0)
        return command_complain("--drops", "no percents");
    while (size < DROP_AREAS)
        area[size++] = 1;
    return true;
}

const double *drop_areas_or_usual(const double area[DROP_AREAS], uint32_t bits)
{
    static const double usual[2][DROP_AREAS] = {{1.0 / 3, 2.0 / 3, 1, 1, 1},
                                                {.2, .4, .6, .8, 1}};

    return area[0] >= 0 ? area : usual[bits == 4];
}
