/*
 * paper.c - the paper that the job and the queue choose.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "page/message.h"
#include "page/paper.h"

/* CUPS marks all of its PPD functions so; they are what a filter of CUPS 2
 * has. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define ROUNDING 0.5 /* points; a size may be given in any unit */

static double millimeters(double points)
{
    return points * 25.4 / 72;
}

/* Writes an ERROR line about a custom size beyond that of the PPD. */
static void blame_size(const ppd_size_t *size, const char *how,
                       const float limit[2])
{
    message("ERROR",
            "PageSize: %g x %g mm is %s than %g x %g mm, the %s that the PPD "
            "allows",
            millimeters((double)size->width), millimeters((double)size->length),
            how, millimeters((double)limit[0]), millimeters((double)limit[1]),
            how[0] == 's' ? "least" : "most");
}

static bool in_range(const ppd_file_t *ppd, const ppd_size_t *size)
{
    const float *least = ppd->custom_min, *most = ppd->custom_max;

    if ((double)size->width < (double)least[0] - ROUNDING ||
        (double)size->length < (double)least[1] - ROUNDING) {
        blame_size(size, "smaller", least);
        return false;
    }
    if ((double)size->width > (double)most[0] + ROUNDING ||
        (double)size->length > (double)most[1] + ROUNDING) {
        blame_size(size, "larger", most);
        return false;
    }
    return true;
}

bool paper_choose(struct paper *paper, const struct choices *from)
{
    ppd_size_t *size = from->ppd != NULL ? ppdPageSize(from->ppd, NULL) : NULL;

    *paper = (struct paper){0};
    if (size == NULL)
        return true;
    if (from->ppd->variable_sizes && choice_is(size->name, "Custom") &&
        !in_range(from->ppd, size))
        return false;
    *paper = (struct paper){
        .width = (double)size->width,
        .height = (double)size->length,
        .left = (double)size->left,
        .bottom = (double)size->bottom,
        .right = (double)size->right,
        .top = (double)size->top,
    };
    return true;
}
