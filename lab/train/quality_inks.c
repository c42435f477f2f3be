/*
 * quality_inks.c - judges inks that are printed together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/inks.h"
#include "lab/train/quality.h"

struct ink_rows {
    int percent;
    const char *name[2][5]; /* of two inks, of four */
};

static const struct ink_rows ink_rows[] = {
    {5,
     {{"C+M 5 %: overprint / chance", "C+M 5 %: ink / alone, HVS",
       "C+M 5 %: ink / alone, texture", NULL, NULL},
      {"CMYK 5 %: overprint / chance", "CMYK 5 %: ink / alone, HVS",
       "CMYK 5 %: ink / alone, texture", NULL, NULL}}},
    {10,
     {{"C+M 10 %: overprint / chance", "C+M 10 %: ink / alone, HVS",
       "C+M 10 %: ink / alone, texture", "C+M 10 %: sum / independent, HVS",
       "C+M 10 %: sum / one ink of 20 % by DBS"},
      {"CMYK 10 %: overprint / chance", "CMYK 10 %: ink / alone, HVS",
       "CMYK 10 %: ink / alone, texture", "CMYK 10 %: sum / independent, HVS",
       "CMYK 10 %: sum / one ink of 40 % by DBS"}}},
    {20,
     {{"C+M 20 %: overprint / chance", "C+M 20 %: ink / alone, HVS",
       "C+M 20 %: ink / alone, texture", "C+M 20 %: sum / independent, HVS",
       "C+M 20 %: sum / one ink of 40 % by DBS"},
      {"CMYK 20 %: overprint / chance", "CMYK 20 %: ink / alone, HVS",
       "CMYK 20 %: ink / alone, texture", "CMYK 20 %: sum / independent, HVS",
       "CMYK 20 %: sum / one ink of 80 % by DBS"}}},
    {30,
     {{"C+M 30 %: overprint / chance", "C+M 30 %: ink / alone, HVS",
       "C+M 30 %: ink / alone, texture", "C+M 30 %: sum / independent, HVS",
       "C+M 30 %: sum / one ink of 60 % by DBS"},
      {"CMYK 30 %: overprint / chance", "CMYK 30 %: ink / alone, HVS",
       "CMYK 30 %: ink / alone, texture", "CMYK 30 %: sum / independent, HVS",
       NULL}}},
    {40,
     {{"C+M 40 %: overprint / chance", NULL, NULL, NULL, NULL},
      {"CMYK 40 %: overprint / chance", NULL, NULL, NULL, NULL}}},
};

/* All is for information: inks overprint as chance would have it, and are
 * judged as one picture. */
static bool add_rows(struct quality *q, const struct printer *printer,
                     const struct ink_rows *rows, int inks,
                     const struct reference *best)
{
    struct of_ink alone[INKS_MAX];
    const char *const *name = rows->name[inks > 2];
    int tone = rows->percent * 255 / 100;
    struct together t;

    if (!inks_alone(printer, tone, inks, best, alone) ||
        !inks_together(&t, printer, tone, inks, alone, best))
        return false;

    const double value[] = {t.overprint, t.ratio, t.texture, t.sum, t.joint};
    for (int i = 0; i < 5; i++)
        if (name[i] != NULL)
            quality_inform(q, name[i], value[i]);
    return true;
}

bool quality_inks(struct quality *q, const struct printer *printer,
                  const struct reference *best)
{
    const int count = sizeof ink_rows / sizeof ink_rows[0];
    bool ok = true;

    for (int inks = 2; inks <= INKS_MAX; inks += 2)
        for (int i = 0; ok && i < count; i++)
            ok = add_rows(q, printer, &ink_rows[i], inks, best);
    return ok;
}
