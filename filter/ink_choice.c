/*
 * ink_choice.c - what the job and the queue ask for of ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filter/ink_choice.h"
#include "filter/message.h"
#include "base/text.h"

#define GHOSTSCRIPT_BLACK "184,173,171,226" /* C, M, Y, K of RGB 0 0 0 */

/* ---- Curves ------------------------------------------------------------- */

/* A queue's name comes from cupsd, which takes what can be printed but '/' and
 * a few more; '.' in front would lead to what is hidden, or out. */
static bool is_queue_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL &&
           strlen(name) <= CHOICE_MAX_VALUE;
}

struct curve_file {
    char path[CHOICE_MAX_PATH];
    unsigned line; /* at fault */
    enum curve_status status;
};

/* Loads NAME.curve of a directory's rastertohalftone/. False when there is no
 * such file or no directory, so that another may be tried. */
static bool find_curve(struct curve *curve, struct curve_file *file,
                       const char *directory, const char *name)
{
    if (directory == NULL)
        return false;
    snprintf(file->path, sizeof file->path, "%s/rastertohalftone/%s.curve",
             directory, name);
    file->status = curve_load(curve, file->path, &file->line);
    return file->status != CURVE_NO_FILE || errno != ENOENT;
}

static bool usable(const struct curve_file *file)
{
    if (file->status == CURVE_NO_FILE)
        message("ERROR", "Tone curve %s: %s", file->path, text_error(errno));
    if (file->status == CURVE_BROKEN)
        message("ERROR", "Tone curve %s: line %u is not valid", file->path,
                file->line);
    if (file->status == CURVE_OK)
        message("DEBUG", "rastertohalftone: tone curve %s", file->path);
    return file->status == CURVE_OK;
}

/* Curves that were made for the printers of this server lie beside CUPS's own
 * configuration; the default is the one with the queue's name, if there is
 * one. */
static bool choose_curve(struct ink_settings *ink, const struct choices *from)
{
    const char *name = choice_of(from, "HalftoneCurve");
    const char *queue = getenv("PRINTER"), *root = getenv("CUPS_SERVERROOT");
    struct curve *curve = &ink->curve;
    struct curve_file file;

    ink->curved = name != NULL && !choice_is(name, "None");
    if (!ink->curved)
        return true;
    if (choice_is(name, "Default")) {
        if (queue != NULL && is_queue_name(queue) &&
            find_curve(curve, &file, root, queue))
            return usable(&file);
        curve_default(curve);
        return true;
    }
    if (!choice_is_plain_name(name))
        return choice_unknown("HalftoneCurve", name);
    if (find_curve(curve, &file, root, name) ||
        find_curve(curve, &file, choice_data_directory(), name))
        return usable(&file);
    message("ERROR", "Tone curve %s.curve is not in %s%s%s/rastertohalftone",
            name, root != NULL ? root : "",
            root != NULL ? "/rastertohalftone and not in " : "",
            choice_data_directory());
    return false;
}

/* ---- Black ------------------------------------------------------------ */

/* C,M,Y,K of 0..255. Black has an ink that is more than half, or paper might be
 * taken for it. */
static bool black_of(const char *value, uint8_t black[CURVE_INKS])
{
    bool dark = false;

    for (unsigned i = 0; i < CURVE_INKS; i++) {
        size_t digits = strspn(value, "0123456789");
        char end = i + 1 < CURVE_INKS ? ',' : '\0';

        if (digits < 1 || digits > 3 || value[digits] != end ||
            strtoul(value, NULL, 10) > UINT8_MAX)
            return false;
        black[i] = (uint8_t)strtoul(value, NULL, 10);
        dark = dark || black[i] > UINT8_MAX / 2;
        value += digits + 1;
    }
    return dark;
}

/* What is black for the RIP, and is to be black ink alone. "Pure" is what
 * Ghostscript's own profile makes of RGB 0 0 0. */
static bool choose_black(struct ink_settings *ink, const struct choices *from)
{
    const char *value = choice_of(from, "HalftoneBlack");

    if (value == NULL || choice_is(value, "None"))
        return true;
    ink->pure_black = true;
    if (black_of(choice_is(value, "Pure") ? GHOSTSCRIPT_BLACK : value,
                 ink->black))
        return true;
    message("ERROR",
            "HalftoneBlack is Pure, None or C,M,Y,K, numbers from 0 to 255 and "
            "one above 127, not \"%.*s\"",
            CHOICE_MAX_VALUE, value);
    return false;
}

/* ---- All ---------------------------------------------------------------- */

static void say_ink(const struct ink_settings *ink, const char *black,
                    const char *curve)
{
    if (!ink->pure_black)
        black = "None";
    if (ink->two_level)
        message("DEBUG",
                "rastertohalftone: black %s, gamma %g; no curve, density or "
                "ink limit: of four inks two are the most",
                black, ink->gamma);
    else
        message("DEBUG",
                "rastertohalftone: black %s, curve %s, gamma %g, density %g "
                "%%, ink limit %g %%",
                black, ink->curved ? curve : "None", ink->gamma,
                100 * ink->density, 100 * ink->limit);
}

bool ink_choose(struct ink_settings *ink, const struct choices *from,
                bool two_level)
{
    *ink = INK_AS_IT_IS;
    if (!choose_black(ink, from) ||
        !choice_number(from, "HalftoneGamma", 0.25, 4, 1, &ink->gamma) ||
        !choose_curve(ink, from) ||
        !choice_number(from, "HalftoneDensity", 10, 200, 100, &ink->density) ||
        !choice_number(from, "HalftoneInkLimit", 100, 400, 100, &ink->limit))
        return false;
    if (two_level) {
        ink->curved = false;
        ink->density = INK_AS_IT_IS.density;
        ink->limit = INK_AS_IT_IS.limit;
        ink->two_level = true;
    }
    say_ink(ink, choice_of(from, "HalftoneBlack"),
            choice_of(from, "HalftoneCurve"));
    return true;
}
