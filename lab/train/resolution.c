/*
 * resolution.c - a resolution on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/resolution.h"

bool resolution_parse(const char *text, double dpi[2])
{
    char rest;
    int numbers = sscanf(text, "%lfx%lf%c", &dpi[0], &dpi[1], &rest);

    if (numbers == 1 && strchr(text, 'x') == NULL)
        dpi[1] = dpi[0];
    else if (numbers != 2)
        return command_complain("--resolution", "not X or XxY");
    return (dpi[0] > 0 && dpi[1] > 0 && dpi[0] <= 2 * dpi[1] &&
            dpi[1] <= 2 * dpi[0]) ||
           command_complain("--resolution", "not of 1/2 to 2");
}
