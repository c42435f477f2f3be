/*
 * ink_choice.c - what the job and the queue ask for of ink.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/curve_file.h"
#include "page/ink_choice.h"
#include "page/message.h"
#include "page/option.h"
#include "base/text.h"

/* C, M, Y and K that Ghostscript's own profile makes of RGB 0 0 0. */
static const uint8_t ghostscript_black[CURVE_INKS] = {184, 173, 171, 226};

/* ---- Curves ------------------------------------------------------------- */

static bool usable(const struct curve_file *file)
{
    if (file->status == CURVE_NO_FILE)
        message("ERROR", "Tone curve %s: %s", file->path, text_error(errno));
    if (file->status == CURVE_BROKEN)
        message("ERROR", "Tone curve %s: line %u is not valid", file->path,
                file->line);
    if (file->status == CURVE_OK && file->path[0] != '\0')
        message("DEBUG", "rastertohalftone: tone curve %s", file->path);
    return file->status == CURVE_OK;
}

static bool choose_curve(struct ink_settings *ink, const struct choices *from,
                         const char **name)
{
    const char *root = choice_own_directory(from);
    struct option_value curve;
    struct curve_file file;

    if (!option_read(from, OPTION_CURVE, &curve))
        return false;
    *name = curve.text;
    ink->curved = curve.choice != CURVE_NONE;
    if (!ink->curved)
        return true;
    if (curve.choice == CURVE_DEFAULT)
        curve_file_default(&ink->curve, &file, root, choice_queue_name(from));
    if (curve.choice == CURVE_DEFAULT ||
        curve_file_named(&ink->curve, &file, root, choice_data_directory(),
                         curve.text))
        return usable(&file);
    message("ERROR", "Tone curve %s.curve is not in %s%s%s/rastertohalftone",
            curve.text, root != NULL ? root : "",
            root != NULL ? "/rastertohalftone and not in " : "",
            choice_data_directory());
    return false;
}

/* ---- Black and numbers -------------------------------------------------- */

static_assert(OPTION_INKS == CURVE_INKS, "black has the inks of a page");

/* Reads what the RIP makes of black, and black ink alone is to replace. */
static bool choose_black(struct ink_settings *ink, const struct choices *from,
                         const char **name)
{
    struct option_value black;

    if (!option_read(from, OPTION_BLACK, &black))
        return false;
    *name = black.text;
    ink->pure_black = black.choice != BLACK_NONE;
    if (ink->pure_black)
        memcpy(ink->black,
               black.choice == BLACK_PURE ? ghostscript_black : black.cmyk,
               sizeof ink->black);
    return true;
}

/* A number that the option has in `unit`, such as percent. */
static bool choose_number(const struct choices *from, enum option_id id,
                          double unit, double *out)
{
    struct option_value value;

    if (!option_read(from, id, &value))
        return false;
    *out = value.number / unit;
    return true;
}

static bool choose_sharpness(const struct choices *from, uint32_t *sharpness)
{
    struct option_value value;

    if (!option_read(from, OPTION_SHARPNESS, &value))
        return false;
    *sharpness = (uint32_t)value.choice;
    return true;
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
                "%%, ink limit %g %%, sharpness %u%s",
                black, ink->curved ? curve : "None", ink->gamma,
                100 * ink->density, 100 * ink->limit, ink->sharpness,
                ink->strokes ? ", sharp text" : "");
}

bool ink_choose(struct ink_settings *ink, const struct choices *from,
                bool two_level, bool strokes)
{
    const char *black, *curve;

    *ink = INK_AS_IT_IS;
    if (!choose_black(ink, from, &black) ||
        !choose_number(from, OPTION_GAMMA, 1, &ink->gamma) ||
        !choose_curve(ink, from, &curve) ||
        !choose_number(from, OPTION_DENSITY, 100, &ink->density) ||
        !choose_number(from, OPTION_INK_LIMIT, 100, &ink->limit) ||
        !choose_sharpness(from, &ink->sharpness))
        return false;
    ink->strokes = strokes && !two_level;
    if (two_level) {
        ink->curved = false;
        ink->density = INK_AS_IT_IS.density;
        ink->limit = INK_AS_IT_IS.limit;
        ink->sharpness = INK_AS_IT_IS.sharpness;
        ink->two_level = true;
    }
    say_ink(ink, black, curve);
    return true;
}
