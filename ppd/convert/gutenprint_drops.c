/*
 * gutenprint_drops.c - asks with a page in color and one in black for each
 * resolution, since Gutenprint may print black otherwise.
 *
 * Canon's driver takes another mode if the resolution's is not for the paper,
 * the set of ink or two sides, with other drops; a drop that an ink does not
 * have there spoils those beside it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#include "ppd/convert/gutenprint_ask.h"
#include "ppd/convert/gutenprint_drops.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WHOLE .9 /* of an ink's largest drop, that counts as the largest */
#define MOST_SIZES 5
#define FEW_SIZES 3 /* whose codes are no larger */
#define INKS_ASKED (TRACE_INKS + 1)

/* Holds what all pages are asked with. */
struct asker {
    ppd_file_t *ppd;
    int file; /* of the PPD */
    const char *filter, *ink;
    bool color, lost; /* the filter does not answer */
};

/* ---- Asking -------------------------------------------------------------- */

/* Describes the page that the PPD asks for with these choices. */
static void describe(const struct asker *asker,
                     const struct drop_choice *resolution,
                     const struct drop_choice *other, const char *model,
                     cups_page_header2_t *header)
{
    ppdMarkDefaults(asker->ppd);
    ppdMarkOption(asker->ppd, "StpQuality", "None");
    ppdMarkOption(asker->ppd, "Resolution", resolution->name);
    ppdMarkOption(asker->ppd, "ColorModel", model);
    ppdMarkOption(asker->ppd, other->option, other->name);
    cupsRasterInterpretPPD(header, asker->ppd, 0, NULL, NULL);
    header->HWResolution[0] = resolution->dpi[0];
    header->HWResolution[1] = resolution->dpi[1];
    header->cupsWidth = header->PageSize[0] * resolution->dpi[0] / 72;
    header->cupsHeight = header->PageSize[1] * resolution->dpi[1] / 72;
    header->cupsBitsPerColor = 16;
    header->cupsBitsPerPixel = 16 * header->cupsNumColors;
    header->cupsBytesPerLine = 2 * header->cupsNumColors * header->cupsWidth;
}

/* Asks for the drops of a page; false if it is not to be printed. */
static bool ask(struct asker *asker, const struct drop_choice *resolution,
                const struct drop_choice *other, bool color,
                struct gutenprint_trace *trace)
{
    const char *model = color ? "KCMY" : "Black";
    cups_page_header2_t header;
    char options[600];

    if (asker->lost)
        return false;
    describe(asker, resolution, other, model, &header);
    snprintf(options, sizeof options,
             "StpQuality=None StpColorPrecision=Best StpColorCorrection=Raw "
             "StpDitherAlgorithm=EvenTone StpiShrinkOutput=Crop "
             "ColorModel=%s Resolution=%s %s=%s %s%s",
             model, resolution->name, other->option, other->name,
             asker->ink == NULL ? "" : "StpInkType=",
             asker->ink == NULL ? "" : asker->ink);
    asker->lost =
        !gutenprint_ask(trace, asker->filter, asker->file, &header, options) &&
        !trace->failed;
    for (int i = 0; i < (color ? TRACE_INKS : 1); i++)
        trace->failed = trace->failed || trace->inks[i].codes == 0;
    return trace->whole && !trace->failed;
}

/* Whether the largest of these drops is nearly the ink's. */
static bool is_whole(const struct ink_codes *ink,
                     const struct ink_codes *common)
{
    struct ink_codes left = *ink;

    trace_meet(&left, common);
    return trace_largest(&left) >= WHOLE * trace_largest(ink);
}

/* Finds the drops of a choice at a resolution, which may be that choice. */
static void find(struct asker *asker, struct drop_choice *choice,
                 const struct drop_choice *resolution)
{
    struct gutenprint_trace color, black;
    struct ink_codes *inks[INKS_ASKED], both;
    char value[DROPS_VALUE];
    int count = 0;

    choice->left =
        !ask(asker, resolution, choice, false, &black) ||
        (asker->color && !ask(asker, resolution, choice, true, &color));
    if (choice->left)
        return;
    inks[count++] = &black.inks[0];
    for (int i = 0; asker->color && i < TRACE_INKS; i++)
        inks[count++] = &color.inks[i];
    choice->common = *inks[0];
    for (int i = 1; i < count; i++)
        trace_meet(&choice->common, inks[i]);
    both = choice->common;
    trace_meet(&both, &resolution->common);
    choice->whole = both.codes != 0 && is_whole(&resolution->common, &both);
    for (int i = 0; i < count; i++)
        choice->whole = choice->whole && is_whole(inks[i], &both);
    choice->left = !gutenprint_drops_value(&choice->common, value);
    trace_describe(asker->color ? &color : &black, choice->said);
}

/* ---- Choices ------------------------------------------------------------- */

/* Adds the choices of an option; returns how many there are then. */
static int list(ppd_file_t *ppd, const char *option,
                struct drop_choice choices[DROPS_CHOICES], int count)
{
    const ppd_option_t *found = ppdFindOption(ppd, option);

    for (int i = 0; found != NULL && i < found->num_choices; i++) {
        struct drop_choice choice = {.option = found->keyword,
                                     .name = found->choices[i].choice};
        const char *code = found->choices[i].code;
        const char *dpi = code == NULL ? NULL : strstr(code, "/HWResolution[");

        if (dpi != NULL)
            sscanf(dpi, "/HWResolution[%u %u]", &choice.dpi[0], &choice.dpi[1]);
        if (count < DROPS_CHOICES)
            choices[count++] = choice;
    }
    return count;
}

/* Leaves out the resolution that Gutenprint chooses itself, by quality and
 * paper: its code has no number of a resolution. */
static void leave_automatic(struct gutenprint_drops *drops, ppd_file_t *ppd)
{
    for (int i = 0; i < drops->resolution_count; i++) {
        struct drop_choice *choice = &drops->resolutions[i];
        const ppd_choice_t *found =
            ppdFindChoice(ppdFindOption(ppd, "Resolution"), choice->name);

        choice->left = choice->dpi[0] == 0 || choice->dpi[1] == 0 ||
                       (drops->resolution_count > 1 &&
                        strstr(found->code, "/cupsCompression") == NULL);
    }
}

static const struct drop_choice *first_left(const struct drop_choice *choices,
                                            int count, bool whole)
{
    for (int i = 0; i < count; i++)
        if (!choices[i].left && choices[i].whole >= whole)
            return &choices[i];
    return NULL;
}

/* Leaves out the choices that are not whole, if there are others. */
static void leave_pale(struct drop_choice *choices, int count)
{
    if (first_left(choices, count, true) != NULL)
        for (int i = 0; i < count; i++)
            choices[i].left = choices[i].left || !choices[i].whole;
}

static void meet_others(struct gutenprint_drops *drops)
{
    for (int i = 0; i < drops->resolution_count; i++) {
        struct drop_choice *resolution = &drops->resolutions[i];
        const struct ink_codes before = resolution->common;

        for (int j = 0; j < drops->other_count; j++)
            if (!drops->others[j].left)
                trace_meet(&resolution->common, &drops->others[j].common);
        resolution->left = resolution->left || resolution->common.codes == 0;
        resolution->whole =
            resolution->whole && is_whole(&before, &resolution->common);
    }
    leave_pale(drops->resolutions, drops->resolution_count);
}

/* Asks with each of the others, at a resolution that is whole if there is one.
 */
static void find_others(struct asker *asker, struct gutenprint_drops *drops)
{
    static const char *const options[] = {"MediaType", "StpInkSet", "Duplex"};
    const struct drop_choice *resolution =
        first_left(drops->resolutions, drops->resolution_count, true);

    if (resolution == NULL)
        resolution =
            first_left(drops->resolutions, drops->resolution_count, false);
    for (int i = 0; i < 3; i++)
        drops->other_count =
            list(asker->ppd, options[i], drops->others, drops->other_count);
    for (int i = 0; resolution != NULL && i < drops->other_count; i++)
        find(asker, &drops->others[i], resolution);
    leave_pale(drops->others, drops->other_count);
    meet_others(drops);
}

struct drop_choice *gutenprint_drops_like(struct gutenprint_drops *drops,
                                          const struct drop_choice *choice)
{
    for (int i = 0; i < drops->resolution_count; i++) {
        struct drop_choice *at = &drops->resolutions[i];

        if (!at->left && at->dpi[0] == choice->dpi[0] &&
            at->dpi[1] == choice->dpi[1])
            return at;
    }
    return NULL;
}

/* Gives resolutions of the same dpi, which share a line of sizes, the drops
 * that all have; leaves out those that would get paler, or the first paler. */
static void join_equal(struct gutenprint_drops *drops)
{
    struct drop_choice *choices = drops->resolutions;

    for (int i = 0; i < drops->resolution_count; i++) {
        struct drop_choice *first = gutenprint_drops_like(drops, &choices[i]);

        if (choices[i].left || first == &choices[i])
            continue;
        struct ink_codes both = first->common;

        trace_meet(&both, &choices[i].common);
        if (is_whole(&first->common, &both) &&
            is_whole(&choices[i].common, &both))
            first->common = both;
        else
            choices[i].left = true;
    }
}

void gutenprint_drops_find(struct gutenprint_drops *drops, ppd_file_t *ppd,
                           int file, const char *filter, bool color,
                           const char *ink)
{
    struct asker asker = {
        .ppd = ppd, .file = file, .filter = filter, .ink = ink, .color = color};
    const ppd_attr_t *family = ppdFindAttr(ppd, "StpDriverModelFamily", NULL);

    drops->resolution_count = list(ppd, "Resolution", drops->resolutions, 0);
    leave_automatic(drops, ppd);
    for (int i = 0; i < drops->resolution_count && !asker.lost; i++)
        if (!drops->resolutions[i].left)
            find(&asker, &drops->resolutions[i], &drops->resolutions[i]);
    leave_pale(drops->resolutions, drops->resolution_count);
    if (family != NULL && family->value != NULL &&
        strstr(family->value, "_canon") != NULL)
        find_others(&asker, drops);
    join_equal(drops);
    drops->asked = !asker.lost;
    if (asker.lost)
        leave_automatic(drops, ppd);
}

/* ---- Sizes --------------------------------------------------------------- */

/* Lists the codes whose areas rise, by more than a percent. */
static int rising(const struct ink_codes *codes, unsigned last,
                  unsigned out[TRACE_CODES])
{
    double before = 0;
    int count = 0;

    for (unsigned code = 1; code <= last; code++)
        if ((codes->codes >> code & 1) != 0 &&
            codes->area[code] > before + .01) {
            out[count++] = code;
            before = codes->area[code];
        }
    return count;
}

bool gutenprint_drops_value(const struct ink_codes *codes,
                            char value[DROPS_VALUE])
{
    unsigned at[TRACE_CODES];
    char names[32] = "";
    int count = rising(codes, TRACE_CODES - 1, at), used = 0, named = 0;

    if (count <= FEW_SIZES)
        count = rising(codes, FEW_SIZES, at);
    const int sizes = count > MOST_SIZES ? MOST_SIZES : count;
    for (int i = 0; i < sizes; i++) {
        const unsigned code =
            at[sizes == count ? i : i * (count - 1) / (sizes - 1)];
        const double area = codes->area[code] / codes->area[at[count - 1]];
        const char *comma = i > 0 ? "," : "";

        used += sprintf(value + used, "%s%.0f", comma, 100 * area);
        named += sprintf(names + named, "%s%u", comma, code);
    }
    sprintf(value + used, " %s", names);
    return sizes > 0;
}
