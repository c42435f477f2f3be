/*
 * gutenprint_drops.c - asks with a page of each resolution and paper, in color
 * and, where Gutenprint prints black otherwise then, in gray.
 *
 * Canon's driver takes another mode if the resolution's is not for the paper,
 * the set of ink or two sides, with other drops. A code that an ink does not
 * have spoils those beside it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/halftone.h"
#include "ppd/convert/gutenprint_ask.h"
#include "ppd/convert/gutenprint_drops.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define SIZES 5    /* at most */
#define SAME .03   /* areas that differ by no more become one size */
#define RISE .01   /* by which an area is above the one before, at least */
#define LOWEST .1  /* gamma that our filter reads */
#define VALUE 192  /* bytes, of HalftoneSizes */
#define LONGEST 38 /* characters of its key without the point */
#define KEYWORD "*HalftoneSizes "

/* ---- Choices ------------------------------------------------------------- */

/* Reads what a resolution's code has; returns how many numbers there are. The
 * one that Gutenprint chooses itself, by quality and paper, has two. */
static int read_code(const ppd_choice_t *choice, unsigned dpi[2],
                     unsigned *number)
{
    const char *code =
        choice == NULL || choice->code == NULL ? "" : choice->code;
    const char *at = strstr(code, "/HWResolution[");
    const char *next = strstr(code, "/cupsCompression ");

    if (at == NULL || sscanf(at, "/HWResolution[%u %u", &dpi[0], &dpi[1]) < 2 ||
        dpi[0] - 1 >= HT_MAX_DPI || dpi[1] - 1 >= HT_MAX_DPI)
        return 0;
    return next != NULL && sscanf(next, "/cupsCompression %u", number) == 1 ? 3
                                                                            : 2;
}

/* Lists choices; of resolutions, those with numbers first. False if there are
 * too many. */
static bool list(struct drop_list *choices, ppd_file_t *ppd, const char *name)
{
    const ppd_option_t *option = ppdFindOption(ppd, name);
    const int count = option == NULL ? 0 : option->num_choices;
    const int least = strcmp(name, "Resolution") != 0 ? 0 : count > 1 ? 3 : 2;

    for (int left = 0; left < 2 && count <= DROPS_CHOICES; left++)
        for (int i = 0; i < count; i++) {
            const ppd_choice_t *choice = &option->choices[i];
            struct drop_choice at = {.name = choice->choice, .left = left};

            if ((read_code(choice, at.dpi, &at.number) < least) != at.left)
                continue;
            if (strcmp(at.name, option->defchoice) == 0)
                choices->preset = choices->all;
            choices->at[choices->all++] = at;
            choices->count += !left;
        }
    return count <= DROPS_CHOICES;
}

/* ---- Values -------------------------------------------------------------- */

/* Lists the codes whose areas rise; returns how many there are. */
static unsigned rising(const struct asked_ink *ink, unsigned at[ASK_CODES])
{
    double before = 0;
    unsigned count = 0;

    for (unsigned code = 1; code < ASK_CODES; code++)
        if ((ink->codes >> code & 1) != 0 && ink->area[code] > before + RISE) {
            at[count++] = code;
            before = ink->area[code];
        }
    return count;
}

/* Returns the ink's code of nearly that area, relative to its largest, and sets
 * the area that it has; 0 = none. */
static unsigned code_of(const struct asked_ink *ink, double area, double *found)
{
    unsigned at[ASK_CODES], code = 0;
    const unsigned count = rising(ink, at);
    double nearest = SAME + 1e-9;

    for (unsigned i = 0; i < count; i++) {
        const double share = ink->area[at[i]] / ink->area[at[count - 1]];

        if (fabs(share - area) <= nearest) {
            nearest = fabs(share - area);
            *found = share;
            code = at[i];
        }
    }
    return code;
}

/* Finds the sizes that all inks have, from the largest on, and each ink's code
 * for them; returns how many there are. */
static unsigned find_sizes(const struct asked_page *page,
                           double area[ASK_CODES],
                           double code[ASK_CODES][ASK_INKS])
{
    const struct asked_ink *first = &page->ink[0];
    unsigned at[ASK_CODES], found = 0;
    const unsigned count = rising(first, at);

    for (unsigned i = count; i-- > 0;) {
        bool all = true;
        double share = 0;

        area[found] = 0;
        for (unsigned ink = 0; ink < page->inks; ink++) {
            code[found][ink] = code_of(
                &page->ink[ink],
                first->area[at[i]] / first->area[at[count - 1]], &share);
            area[found] += share / page->inks;
            all = all && code[found][ink] > 0 &&
                  (found == 0 || code[found][ink] < code[found - 1][ink]);
        }
        found += all && (found == 0 || area[found] < area[found - 1] - RISE);
    }
    return found;
}

static void put(char text[VALUE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put(char text[VALUE], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list values;

    va_start(values, format);
    vsnprintf(text + used, VALUE - used, format, values);
    va_end(values);
}

/* Puts a number of each ink, or one if they are equal. */
static void put_inks(char text[VALUE], const char *before, char between,
                     const double of[ASK_INKS], unsigned inks)
{
    bool equal = true;

    for (unsigned i = 1; i < inks; i++)
        equal = equal && fabs(of[i] - of[0]) < 1e-4;
    put(text, "%s%.5g", before, of[0]);
    for (unsigned i = 1; i < inks && !equal; i++)
        put(text, "%c%.5g", between, of[i]);
}

/* Returns where a size from 0 on is among those found, from the largest on. */
static unsigned chosen(unsigned size, unsigned found)
{
    return found - 1 -
           (found <= SIZES ? size : size * (found - 1) / (SIZES - 1));
}

/* Writes the value for a page; "" if our dots cannot be printed. Lowers
 * `*lowest` to the area of each ink's largest drop. */
static void describe(char text[VALUE], const struct asked_page *page,
                     double *lowest)
{
    double area[ASK_CODES], code[ASK_CODES][ASK_INKS], most[ASK_INKS],
        gamma[ASK_INKS], all = 0;
    const unsigned found = find_sizes(page, area, code);
    bool ok = page->answered && !page->failed && found > 0 &&
              page->print_gamma >= LOWEST;

    text[0] = '\0';
    for (unsigned i = 0; ok && i < page->inks; i++) {
        const struct asked_ink *ink = &page->ink[i];

        ok = ink->density > 0 && ink->gamma >= LOWEST;
        most[i] = fmax(1, 100 * ink->density);
        gamma[i] = ink->gamma;
        all += ink->density;
        *lowest = fmin(*lowest, ink->area[(int)code[0][i]]);
    }
    if (!ok)
        return;
    for (unsigned i = 0; i < found && i < SIZES; i++)
        put(text, "%s%.0f", i == 0 ? "" : ",", 100 * area[chosen(i, found)]);
    for (unsigned i = 0; i < found && i < SIZES; i++)
        put_inks(text, i == 0 ? " " : ",", ':', code[chosen(i, found)],
                 page->inks);
    put_inks(text, " ", ',', most, page->inks);
    put(text, " %.5g", page->print_gamma);
    put_inks(text, " ", ',', gamma, page->inks);
    put(text, " %.5g", page->limit < all ? 100 * page->limit : 0);
}

/* Whether areas and codes are the same. */
static bool same_drops(const char *value, const char *other)
{
    const char *codes = strchr(value, ' ');
    const size_t size =
        codes == NULL ? 0 : (size_t)(strchr(codes + 1, ' ') - value);

    return size > 0 && strncmp(value, other, size + 1) == 0;
}

/* ---- Asking -------------------------------------------------------------- */

struct finder {
    struct gutenprint_drops *drops;
    const struct drop_source *source;
    struct asked_page *pages; /* as described by add() */
    char (*values)[VALUE];    /* of each resolution all papers; "" = none */
};

static char *value_of(const struct finder *finder, int resolution, int paper)
{
    return finder->values[resolution * finder->drops->papers.count + paper];
}

/* Describes a page of each resolution and `papers` papers from one on. */
static struct asked_page *add(struct asked_page *pages,
                              const struct gutenprint_drops *drops, int paper,
                              int papers, struct asked_page kind)
{
    for (int i = 0; i < drops->resolutions.count; i++)
        for (int j = paper; j < paper + papers; j++) {
            memcpy(kind.dpi, drops->resolutions.at[i].dpi, sizeof kind.dpi);
            kind.number = drops->resolutions.at[i].number;
            kind.paper = drops->papers.at[j].name;
            *pages++ = kind;
        }
    return pages;
}

/* Asks in one job for the pages up to `end`, with a set of inks that may be
 * NULL. */
static bool ask(const struct finder *finder, const struct asked_page *end,
                const char *set)
{
    const struct drop_source *source = finder->source;
    char options[400];

    snprintf(options, sizeof options,
             "PageSize=Custom StpQuality=None StpColorPrecision=Normal "
             "StpiShrinkOutput=Crop StpDitherAlgorithm=VeryFast%s%s%s%s",
             source->ink == NULL ? "" : " StpInkType=",
             source->ink == NULL ? "" : source->ink,
             set == NULL ? "" : " StpInkSet=", set == NULL ? "" : set);
    return gutenprint_ask(finder->pages, (size_t)(end - finder->pages),
                          source->filter, source->file, options);
}

/* Whether a page has other drops than the default paper at that resolution. */
static bool differs(const struct finder *finder, const struct asked_page *pages,
                    int resolution)
{
    struct gutenprint_drops *drops = finder->drops;
    const char *value = value_of(finder, resolution, drops->papers.preset);
    char text[VALUE];

    describe(text, &pages[resolution], &drops->lowest);
    return value[0] != '\0' && !same_drops(value, text);
}

/* Whether black prints otherwise in gray than in color, on the default paper
 * at some resolution. */
static bool other_gray(const struct finder *finder,
                       const struct asked_page *grays)
{
    struct gutenprint_drops *drops = finder->drops;
    const int papers = drops->papers.count, preset = drops->papers.preset;
    bool other = false;

    for (int i = 0; i < drops->resolutions.count; i++) {
        struct asked_page black = finder->pages[i * papers + preset];
        char text[VALUE], gray[VALUE];

        black.inks = 1;
        describe(text, &black, &drops->lowest);
        describe(gray, &grays[i], &drops->lowest);
        other = other || strcmp(text, gray) != 0;
    }
    return other;
}

/* Asks for all pages in color, and for those in gray and of two sides on the
 * default paper. */
static bool ask_all(struct finder *finder)
{
    struct gutenprint_drops *drops = finder->drops;
    const unsigned inks = finder->source->inks;
    const int papers = drops->papers.count, preset = drops->papers.preset;
    struct asked_page *grays =
        add(finder->pages, drops, 0, papers, (struct asked_page){.inks = inks});
    struct asked_page *backs =
        add(grays, drops, preset, 1, (struct asked_page){.inks = 1});
    const bool ok = ask(finder,
                        add(backs, drops, preset, 1,
                            (struct asked_page){.inks = inks, .duplex = 1}),
                        NULL);

    for (int i = 0; i < drops->resolutions.count * papers; i++)
        describe(finder->values[i], &finder->pages[i], &drops->lowest);
    for (int i = 0; i < drops->resolutions.count; i++)
        drops->resolutions.at[i].one_sided = differs(finder, backs, i);
    drops->gray_as_color = inks > 1 && other_gray(finder, grays);
    return ok;
}

/* Leaves out the sets of ink that change the drops. */
static void leave_sets(const struct finder *finder)
{
    struct gutenprint_drops *drops = finder->drops;

    for (int k = 0; k < drops->sets.count; k++) {
        struct drop_choice *at = &drops->sets.at[k];

        if (k == drops->sets.preset)
            continue;
        at->left = !ask(finder,
                        add(finder->pages, drops, drops->papers.preset, 1,
                            (struct asked_page){.inks = finder->source->inks}),
                        at->name);
        for (int i = 0; i < drops->resolutions.count; i++)
            at->left = at->left || differs(finder, finder->pages, i);
    }
}

/* ---- Lines --------------------------------------------------------------- */

/* Leaves out resolutions and papers that work with none of the others. */
static void leave_out(const struct finder *finder)
{
    struct drop_list *resolutions = &finder->drops->resolutions;
    struct drop_list *papers = &finder->drops->papers;

    for (int j = 0; j < papers->count; j++)
        papers->at[j].left = true;
    for (int i = 0; i < resolutions->count; i++) {
        struct drop_choice *at = &resolutions->at[i];

        at->left = true;
        for (int j = 0; j < papers->count; j++) {
            const char *paper = papers->at[j].name;

            if (paper != NULL && strlen(at->name) + strlen(paper) > LONGEST)
                value_of(finder, i, j)[0] = '\0';
            if (value_of(finder, i, j)[0] != '\0')
                at->left = papers->at[j].left = false;
        }
    }
}

/* Makes a paper that is not left out the default, and of the resolutions that
 * work with it the first, if possible of the default quality's dpi. */
static void set_presets(const struct finder *finder)
{
    struct drop_list *resolutions = &finder->drops->resolutions;
    struct drop_list *papers = &finder->drops->papers;
    ppd_option_t *quality = ppdFindOption(finder->source->ppd, "StpQuality");
    unsigned dpi[2] = {0, 0}, number;
    bool exact = false;

    if (quality == NULL)
        quality = ppdFindOption(finder->source->ppd, "Resolution");
    read_code(ppdFindChoice(quality, quality->defchoice), dpi, &number);
    for (int j = 0; papers->at[papers->preset].left && j < papers->count; j++)
        papers->preset = papers->at[j].left ? papers->preset : j;
    resolutions->preset = -1;
    for (int i = 0; i < resolutions->count && !exact; i++) {
        if (value_of(finder, i, papers->preset)[0] == '\0')
            continue;
        exact = memcmp(resolutions->at[i].dpi, dpi, sizeof dpi) == 0;
        if (exact || resolutions->preset < 0)
            resolutions->preset = i;
    }
}

/* Has a choice exclude a resolution. */
static void constrain(FILE *out, const char *option, const char *choice,
                      const char *resolution)
{
    fprintf(out,
            "*UIConstraints: *%s %s *Resolution %s\n"
            "*UIConstraints: *Resolution %s *%s %s\n",
            option, choice, resolution, resolution, option, choice);
}

static void constrain_sides(ppd_file_t *ppd, const char *resolution, FILE *out)
{
    const ppd_option_t *sides = ppdFindOption(ppd, "Duplex");

    for (int i = 0; sides != NULL && i < sides->num_choices; i++)
        if (strcmp(sides->choices[i].choice, sides->defchoice) != 0)
            constrain(out, "Duplex", sides->choices[i].choice, resolution);
}

/* Writes the lines of a resolution: for all papers if each works, and for those
 * with others. Constrains a paper that does not work. */
static void write_lines(const struct finder *finder, int resolution, FILE *out)
{
    const struct drop_list *papers = &finder->drops->papers;
    const char *name = finder->drops->resolutions.at[resolution].name;
    const char *all = value_of(finder, resolution, papers->preset);

    for (int j = 0; j < papers->count; j++)
        if (!papers->at[j].left && value_of(finder, resolution, j)[0] == '\0') {
            constrain(out, "MediaType", papers->at[j].name, name);
            all = "";
        }
    if (all[0] != '\0')
        fprintf(out, KEYWORD "%s: \"%s\"\n", name, all);
    for (int j = 0; j < papers->count; j++) {
        const char *value = value_of(finder, resolution, j);

        if (value[0] != '\0' && strcmp(value, all) != 0)
            fprintf(out, KEYWORD "%s.%s: \"%s\"\n", name, papers->at[j].name,
                    value);
        if (strcspn(value, ",") < strcspn(value, " "))
            finder->drops->sized = true;
    }
}

static const char *find(struct finder *finder, FILE *out)
{
    struct gutenprint_drops *drops = finder->drops;
    const size_t resolutions = (size_t)drops->resolutions.count;

    if (drops->papers.all == 0)
        drops->papers.count = drops->papers.all = 1;
    const size_t pairs = resolutions * (size_t)drops->papers.count;
    finder->values = calloc(pairs + 1, sizeof *finder->values);
    finder->pages = calloc(pairs + 2 * resolutions + 1, sizeof *finder->pages);
    if (finder->values == NULL || finder->pages == NULL)
        return "no memory";
    if (resolutions == 0 || !ask_all(finder))
        return "Gutenprint's filter does not tell its drops";
    leave_sets(finder);
    leave_out(finder);
    set_presets(finder);
    if (drops->resolutions.preset < 0)
        return "Gutenprint prints other inks than black, cyan, magenta and "
               "yellow";
    if (drops->gray_as_color)
        fputs("*HalftoneGutenprintGray: \"KCMY\"\n", out);
    for (int i = 0; i < drops->resolutions.count; i++) {
        const struct drop_choice *at = &drops->resolutions.at[i];

        if (!at->left)
            write_lines(finder, i, out);
        if (!at->left && at->one_sided)
            constrain_sides(finder->source->ppd, at->name, out);
    }
    return NULL;
}

const char *gutenprint_drops_find(struct gutenprint_drops *drops,
                                  const struct drop_source *source, FILE *out)
{
    struct finder finder = {.drops = drops, .source = source};
    const char *why;

    drops->lowest = 1;
    if (!list(&drops->resolutions, source->ppd, "Resolution") ||
        !list(&drops->papers, source->ppd, "MediaType") ||
        !list(&drops->sets, source->ppd, "StpInkSet"))
        return "more choices than this program asks for";
    why = find(&finder, out);
    free(finder.values);
    free(finder.pages);
    return why;
}
