/*
 * gutenprint_drops.c - asks with a page of each resolution and paper.
 *
 * Canon's driver takes another mode if the resolution's is not for the paper,
 * the set of ink or two sides, with other drops. A code that an ink does not
 * have spoils those beside it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "halftone/halftone.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/gutenprint_ask.h"
#include "ppd/convert/gutenprint_drops.h"
#include "ppd/convert/gutenprint_value.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define CHOICES 64       /* of an option at most */
#define FAST (720 * 720) /* dots of a square inch */

struct asked_choice {
    const char *name;        /* NULL = the paper of a PPD without MediaType */
    unsigned dpi[2], number; /* of a resolution */
    bool left, one_sided;    /* out; with other drops on two sides */
};

/* Choices that are asked for, and behind them those that are not. */
struct list {
    const char *option;
    struct asked_choice at[CHOICES];
    int count, all, preset;
};

struct finder {
    struct gutenprint_drops *drops;
    int file;                              /* of the PPD */
    struct list resolutions, papers, sets; /* of ink */
    struct asked_page *pages; /* of each resolution all papers, and others */
    char (*values)[GUTENPRINT_VALUE]; /* of these pages; "" = none */
};

/* ---- Choices ------------------------------------------------------------- */

/* Reads a resolution's code; false if it has no number. */
static bool read_code(const char *code, struct asked_choice *choice)
{
    const char *dpi = strstr(code, "/HWResolution[");
    const char *number = strstr(code, "/cupsCompression ");

    return dpi != NULL &&
           sscanf(dpi, "/HWResolution[%u %u", &choice->dpi[0],
                  &choice->dpi[1]) == 2 &&
           choice->dpi[0] - 1 < HT_MAX_DPI && choice->dpi[1] - 1 < HT_MAX_DPI &&
           number != NULL &&
           sscanf(number, "/cupsCompression %u", &choice->number) == 1;
}

/* Lists choices; of resolutions, those with a number first: Gutenprint chooses
 * another itself, by quality and paper. False if there are too many. */
static bool list_choices(struct list *list, ppd_file_t *ppd, bool coded)
{
    const ppd_option_t *option = ppdFindOption(ppd, list->option);
    const int count = option == NULL ? 0 : option->num_choices;

    for (int left = 0; left < 2 && count <= CHOICES; left++)
        for (int i = 0; i < count; i++) {
            const ppd_choice_t *choice = &option->choices[i];
            struct asked_choice at = {.name = choice->choice,
                                      .left = left != 0};
            const bool read =
                choice->code != NULL && read_code(choice->code, &at);

            if ((coded && !read) != at.left)
                continue;
            if (strcmp(at.name, option->defchoice) == 0)
                list->preset = list->all;
            list->at[list->all++] = at;
            list->count += !left;
        }
    return count <= CHOICES;
}

/* ---- Asking -------------------------------------------------------------- */

/* Describes a page of each resolution and `papers` papers from one on. */
static struct asked_page *add(const struct finder *finder,
                              struct asked_page *pages, int paper, int papers,
                              struct asked_page kind)
{
    for (int i = 0; i < finder->resolutions.count; i++)
        for (int j = paper; j < paper + papers; j++) {
            memcpy(kind.dpi, finder->resolutions.at[i].dpi, sizeof kind.dpi);
            kind.number = finder->resolutions.at[i].number;
            kind.paper = finder->papers.at[j].name;
            *pages++ = kind;
        }
    return pages;
}

/* Describes a page of each paper, at the finest resolution that is fast: at
 * coarse ones densities are cut although they are lowered. */
static struct asked_page *add_papers(const struct finder *finder,
                                     struct asked_page *pages,
                                     struct asked_page kind)
{
    const struct asked_choice *best = NULL;

    for (int i = 0; i < finder->resolutions.count; i++) {
        const struct asked_choice *at = &finder->resolutions.at[i];
        const unsigned dots = at->dpi[0] * at->dpi[1];
        const unsigned before = best == NULL ? 0 : best->dpi[0] * best->dpi[1];

        if (best == NULL || (dots <= FAST && dots > before) ||
            (before > FAST && dots < before))
            best = at;
    }
    memcpy(kind.dpi, best->dpi, sizeof kind.dpi);
    kind.number = best->number;
    for (int j = 0; j < finder->papers.count; j++) {
        kind.paper = finder->papers.at[j].name;
        *pages++ = kind;
    }
    return pages;
}

/* Makes the answers for all pairs of those at each resolution on the default
 * paper, and on each paper: tones are the paper's, drops the resolution's, and
 * densities have a factor of each. */
static void cross(struct finder *finder, const struct asked_page *resolution,
                  const struct asked_page *papers)
{
    const struct asked_page *usual = &papers[finder->papers.preset];
    struct asked_page *page = finder->pages;

    for (int i = 0; i < finder->resolutions.count; i++)
        for (int j = 0; j < finder->papers.count; j++, page++) {
            *page = resolution[i];
            page->failed = page->failed || papers[j].failed;
            page->print_gamma = papers[j].print_gamma;
            page->contrast = papers[j].contrast;
            page->brightness = papers[j].brightness;
            for (int k = 0; k < ASK_INKS; k++) {
                page->ink[k].gamma = papers[j].ink[k].gamma;
                if (usual->ink[k].density > 0)
                    page->ink[k].density *=
                        papers[j].ink[k].density / usual->ink[k].density;
            }
        }
}

/* Asks for pages in one job, with a set of inks. Densities are those before
 * Gutenprint cuts them to 1, where it has an option that lowers them all. */
static bool ask(const struct finder *finder, struct asked_page *pages,
                const struct asked_page *end, const char *set)
{
    const double lower = finder->drops->by_pairs ? 1 : 0.1;
    const char *ink = finder->drops->ink;
    char options[400];

    snprintf(options, sizeof options,
             "PageSize=Custom StpQuality=None StpColorPrecision=Normal "
             "StpiShrinkOutput=Crop StpDitherAlgorithm=VeryFast "
             "StpDensity=%s StpInkType=%s%s%s",
             lower < 1 ? "100" : "None", ink == NULL ? "None" : ink,
             set == NULL ? "" : " StpInkSet=", set == NULL ? "" : set);
    if (!gutenprint_ask(pages, (size_t)(end - pages), finder->drops->filter,
                        finder->file, options))
        return false;
    for (; pages < end; pages++)
        for (int i = 0; i < ASK_INKS; i++)
            pages->ink[i].density /= lower;
    return true;
}

/* Whether a page's inks print otherwise than on the default paper at that
 * resolution, where our dots can be printed. */
static bool differs(const struct finder *finder, const struct asked_page *pages,
                    int resolution)
{
    const struct asked_page *page = &pages[resolution];
    struct asked_page usual =
        finder
            ->pages[resolution * finder->papers.count + finder->papers.preset];
    char text[GUTENPRINT_VALUE], other[GUTENPRINT_VALUE];

    usual.inks = page->inks;
    gutenprint_value(text, usual);
    gutenprint_value(other, *page);
    return text[0] != '\0' && strcmp(text, other) != 0;
}

/* Writes that gray pages are sent as four inks, and their tones: those of the
 * first page here that black alone prints. */
static void write_gray(const struct asked_page *pages, int count, FILE *out)
{
    char text[GUTENPRINT_VALUE] = "";

    for (int i = 0; text[0] == '\0' && i < count; i++)
        gutenprint_value(text, pages[i]);
    const char *tones = strchr(text, ' '); /* behind areas, and codes */

    if (tones != NULL)
        tones = strchr(tones + 1, ' ');
    fprintf(out, "*HalftoneGutenprintGray: \"KCMY%s\"\n",
            tones == NULL ? "" : tones);
}

/* Asks for all pairs, or what tells of them, and on the default paper for pages
 * in gray, of two sides and with other sets of ink. False if the first job is
 * not answered. */
static bool ask_all(struct finder *finder, bool sides, FILE *out)
{
    const bool by_pairs = finder->drops->by_pairs;
    const struct asked_page kind = {.inks = finder->drops->inks};
    const int count = finder->resolutions.count;
    const int papers = finder->papers.count, preset = finder->papers.preset;
    struct list *sets = &finder->sets;
    struct asked_page *few = add(finder, finder->pages, 0, papers, kind);
    struct asked_page *by_paper = add(finder, few, preset, 1, kind);
    struct asked_page *grays =
        by_pairs ? few : add_papers(finder, by_paper, kind);
    struct asked_page *backs =
        add(finder, grays, preset, 1, (struct asked_page){.inks = 1});
    struct asked_page *end =
        add(finder, backs, preset, 1,
            (struct asked_page){.inks = kind.inks, .duplex = 1});
    bool gray = finder->drops->mixed_gray;

    if (!ask(finder, by_pairs ? finder->pages : few, sides ? end : backs, NULL))
        return false;
    if (!by_pairs)
        cross(finder, few, by_paper);
    for (int i = 0; i < count; i++) {
        finder->resolutions.at[i].one_sided =
            sides && differs(finder, backs, i);
        gray = gray || differs(finder, grays, i);
    }
    if (gray)
        write_gray(grays, count, out);
    for (int k = 0; k < sets->count; k++) {
        if (k == sets->preset)
            continue;
        add(finder, backs, preset, 1, kind);
        sets->at[k].left = !ask(finder, backs, end, sets->at[k].name);
        for (int i = 0; i < count; i++)
            sets->at[k].left = sets->at[k].left || differs(finder, backs, i);
    }
    return true;
}

/* ---- Lines --------------------------------------------------------------- */

static char *value_of(const struct finder *finder, int resolution, int paper)
{
    return finder->values[resolution * finder->papers.count + paper];
}

/* Leaves out resolutions and papers that work with none of the others. Makes a
 * paper that is left the default, and the resolution that works with it and has
 * the dpi of the default one, or else the first. */
static void choose(struct finder *finder)
{
    struct list *resolutions = &finder->resolutions, *papers = &finder->papers;
    const unsigned *dpi = resolutions->at[resolutions->preset].dpi;
    bool exact = false;
    int found = -1;

    for (int k = 0; k < resolutions->count * papers->count; k++) {
        struct asked_choice *at = &resolutions->at[k / papers->count];
        struct asked_choice *paper = &papers->at[k % papers->count];

        at->left = k % papers->count == 0 || at->left;
        paper->left = k < papers->count || paper->left;
        gutenprint_value(finder->values[k], finder->pages[k]);
        if (finder->values[k][0] != '\0')
            at->left = paper->left = false;
    }
    for (int j = 0; papers->at[papers->preset].left && j < papers->count; j++)
        papers->preset = papers->at[j].left ? papers->preset : j;
    for (int i = 0; i < resolutions->count && !exact; i++)
        if (value_of(finder, i, papers->preset)[0] != '\0') {
            exact = memcmp(resolutions->at[i].dpi, dpi, 2 * sizeof *dpi) == 0;
            found = exact || found < 0 ? i : found;
        }
    resolutions->preset = found;
}

/* Writes constraints between a choice and a resolution. */
static void constrain(FILE *out, const char *option, const char *choice,
                      const char *resolution)
{
    fprintf(out,
            "*UIConstraints: *%s %s *Resolution %s\n"
            "*UIConstraints: *Resolution %s *%s %s\n",
            option, choice, resolution, resolution, option, choice);
}

/* Writes the lines of a resolution: for all papers if each works, and for those
 * with others. Constrains what does not work. */
static void write_lines(struct finder *finder, int resolution,
                        const ppd_option_t *sides, FILE *out)
{
    const struct list *papers = &finder->papers;
    const struct asked_choice *at = &finder->resolutions.at[resolution];
    const char *all = value_of(finder, resolution, papers->preset);

    for (int i = 0; at->one_sided && sides != NULL && i < sides->num_choices;
         i++)
        if (strcmp(sides->choices[i].choice, sides->defchoice) != 0)
            constrain(out, sides->keyword, sides->choices[i].choice, at->name);
    for (int j = 0; j < papers->count; j++)
        if (!papers->at[j].left && value_of(finder, resolution, j)[0] == '\0') {
            constrain(out, papers->option, papers->at[j].name, at->name);
            all = "";
        }
    if (all[0] != '\0')
        fprintf(out, "*HalftoneSizes %s: \"%s\"\n", at->name, all);
    for (int j = 0; j < papers->count; j++) {
        const char *value = value_of(finder, resolution, j);

        if (value[0] != '\0' && strcmp(value, all) != 0)
            fprintf(out, "*HalftoneSizes %s.%s: \"%s\"\n", at->name,
                    papers->at[j].name, value);
        if (strcspn(value, ",") < strcspn(value, " "))
            finder->drops->sized = true;
    }
}

/* ---- All ----------------------------------------------------------------- */

static const char *find(struct finder *finder, struct ppd_text *text,
                        ppd_file_t *ppd, FILE *out)
{
    struct list *resolutions = &finder->resolutions, *papers = &finder->papers;
    struct list *const lists[] = {resolutions, papers, &finder->sets};
    const ppd_option_t *sides = ppdFindOption(ppd, "Duplex");

    for (unsigned k = 0; k < 3; k++)
        if (!list_choices(lists[k], ppd, k == 0))
            return "an option has too many choices";
    if (papers->all == 0)
        papers->count = papers->all = 1;
    const size_t pairs = (size_t)resolutions->count * (size_t)papers->count;
    finder->values = calloc(pairs + 1, GUTENPRINT_VALUE);
    finder->pages = calloc(pairs + 4 * CHOICES, sizeof *finder->pages);
    if (finder->values == NULL || finder->pages == NULL)
        return "no memory";
    if (pairs == 0 || !ask_all(finder, sides != NULL, out))
        return "Gutenprint's filter does not tell its drops";
    choose(finder);
    if (resolutions->preset < 0)
        return "Gutenprint prints other inks than black, cyan, magenta and "
               "yellow, or none with whole drops";
    for (int i = 0; i < resolutions->count; i++)
        if (!resolutions->at[i].left)
            write_lines(finder, i, sides, out);
    for (unsigned k = 0; k < 3; k++)
        for (int i = 0; i < lists[k]->all; i++)
            if (lists[k]->at[i].left)
                edit_drop_choice(text, lists[k]->option, lists[k]->at[i].name,
                                 lists[k]->at[lists[k]->preset].name);
    edit_set_default(text, resolutions->option,
                     resolutions->at[resolutions->preset].name);
    edit_choice_first(text, resolutions->option,
                      resolutions->at[resolutions->preset].name);
    return NULL;
}

const char *gutenprint_drops_find(struct gutenprint_drops *drops,
                                  struct ppd_text *text, ppd_file_t *ppd,
                                  FILE *out)
{
    struct finder finder = {.drops = drops,
                            .resolutions.option = "Resolution",
                            .papers.option = "MediaType",
                            .sets.option = "StpInkSet"};
    size_t size;
    char *bytes = ppd_text_join(text, &size);
    const char *why = "no memory";

    finder.file = bytes == NULL ? -1 : gutenprint_file(bytes, size);
    free(bytes);
    if (finder.file >= 0) {
        why = find(&finder, text, ppd, out);
        close(finder.file);
    }
    free(finder.values);
    free(finder.pages);
    return why;
}
