/*
 * ink_choice.c - chooses the ink that the job and the queue ask for.
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
#include "halftone/base/text.h"

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
                         const struct option_value *curve)
{
    const char *root = choice_own_directory(from);
    struct curve_file file;

    if (from->paper_curved && !curve->of_job) {
        ink->curve = from->paper_curve;
        return ink->curved = true;
    }
    ink->curved = curve->choice != CURVE_NONE;
    if (!ink->curved)
        return true;
    if (curve->choice == CURVE_DEFAULT)
        curve_file_default(&ink->curve, &file, root, choice_queue_name(from));
    ink->usual = curve->choice == CURVE_DEFAULT && file.path[0] == '\0';
    if (curve->choice == CURVE_DEFAULT ||
        curve_file_named(&ink->curve, &file, root, choice_data_directory(),
                         curve->text))
        return usable(&file);
    message("ERROR", "Tone curve %s.curve is not in %s%s%s/rastertohalftone",
            curve->text, root != NULL ? root : "",
            root != NULL ? "/rastertohalftone and not in " : "",
            choice_data_directory());
    return false;
}

/* ---- Black -------------------------------------------------- */

static_assert(OPTION_INKS == CURVE_INKS, "black has the inks of a page");

/* Takes the inks that the RIP makes of black, which black ink alone is to
 * replace. */
static void choose_black(struct ink_settings *ink,
                         const struct option_value *black)
{
    ink->pure_black = black->choice != BLACK_NONE;
    if (ink->pure_black)
        memcpy(ink->black,
               black->choice == BLACK_PURE ? ghostscript_grays[0] : black->cmyk,
               sizeof ink->black);
}

/* Takes the inks that the RIP makes of grays. Custom numbers say nothing of a
 * profile's other grays. */
static void choose_grays(struct ink_settings *ink, int grays, int black)
{
    ink->mixed_gray = grays == GRAYS_BLACK && black != OPTION_NO_CHOICE;
    if (grays == GRAYS_BLACK && !ink->mixed_gray)
        message("WARNING", "HalftoneGrays=Black changes nothing: with "
                           "HalftoneBlack=C,M,Y,K the profile's grays are not "
                           "known");
    memcpy(ink->axis, ghostscript_grays, sizeof ink->axis);
}

/* ---- Toning ------------------------------------------------- */

/* Takes the percent of C, M and Y, whole ones up to 50. */
static bool choose_toning(struct ink_settings *ink,
                          const struct option_value *toning)
{
    static const double named[][3] = {[TONING_NONE] = {0, 0, 0},
                                      [TONING_WARM] = {0, 4, 8},
                                      [TONING_COOL] = {6, 2, 0},
                                      [TONING_SEPIA] = {4, 18, 30}};
    unsigned percent[3];
    int bytes = 0;
    const bool own = toning->choice == OPTION_NO_CHOICE;
    bool ok = !own || (sscanf(toning->text, "%2u-%2u-%2u%n", &percent[0],
                              &percent[1], &percent[2], &bytes) == 3 &&
                       toning->text[bytes] == '\0');

    for (int i = 0; ok && i < 3; i++) {
        ok = !own || percent[i] <= 50;
        ink->toning[i] = (own ? percent[i] : named[toning->choice][i]) / 100;
    }
    if (!ok)
        message("ERROR",
                "HalftoneToning=%s is no choice, nor percent of C, M "
                "and Y, such as 3-6-9, up to 50",
                toning->text);
    return ok;
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
                "%%, ink limit %g %%, sharpness %u%s%s",
                black, ink->curved ? curve : "None", ink->gamma,
                100 * ink->density, 100 * ink->limit, ink->sharpness,
                ink->strokes ? ", sharp text" : "",
                ink->mixed_gray ? ", grays black" : "");
}

bool ink_choose(struct ink_settings *ink, const struct choices *from,
                const struct option_value options[OPTIONS], bool two_level,
                bool strokes)
{
    *ink = INK_AS_IT_IS;
    choose_black(ink, &options[OPTION_BLACK]);
    choose_grays(ink, options[OPTION_GRAYS].choice,
                 options[OPTION_BLACK].choice);
    ink->gamma = options[OPTION_GAMMA].number;
    ink->density = options[OPTION_DENSITY].number / 100;
    ink->limit = options[OPTION_INK_LIMIT].number / 100;
    ink->sharpness = (uint32_t)options[OPTION_SHARPNESS].number;
    if (!choose_curve(ink, from, &options[OPTION_CURVE]))
        return false;
    if (!choose_toning(ink, &options[OPTION_TONING]))
        return false;
    ink->gray = ink->mixed_screen = ink->pure_black && ink->curved;
    ink->strokes = strokes && !two_level;
    if (two_level) {
        ink->curved = ink->gray = ink->mixed_gray = false;
        ink->density = INK_AS_IT_IS.density;
        ink->limit = INK_AS_IT_IS.limit;
        ink->sharpness = INK_AS_IT_IS.sharpness;
        ink->two_level = true;
    }
    say_ink(ink, options[OPTION_BLACK].text, options[OPTION_CURVE].text);
    return true;
}
