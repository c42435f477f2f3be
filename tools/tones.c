/*
 * tones.c - turns tones into ink, by a command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "halftone/base/text.h"
#include "page/curve_file.h"
#include "tools/command.h"
#include "tools/tones.h"

#define MAX_NAME 64 /* characters, of an installed curve: as in the filter */

/* ---- Curve ------------------------------------------------------------ */

static bool usable(const struct curve_file *file)
{
    if (file->status == CURVE_BROKEN)
        warnx("%s:%u: not valid", file->path, file->line);
    if (file->status == CURVE_NO_FILE)
        command_complain(file->path, text_error(errno));
    return file->status == CURVE_OK;
}

/* A path or an existing file is meant as such, as --table's. */
static bool is_path(const char *text)
{
    struct stat info;

    return strchr(text, '/') != NULL || stat(text, &info) == 0;
}

static bool load_path(struct curve *curve, struct curve_file *file,
                      const char *path)
{
    int length = snprintf(file->path, sizeof file->path, "%s", path);

    if (length < 0 || (size_t)length >= sizeof file->path)
        return command_complain("--curve", "the name is too long");
    file->status = curve_load(curve, path, &file->line);
    return usable(file);
}

bool tones_curve(struct ink_settings *tones, const char *text)
{
    const char *data = getenv("CUPS_DATADIR");
    struct curve_file file;

    tones->curved = strcasecmp(text, "none") != 0;
    if (!tones->curved)
        return true;
    if (strcasecmp(text, "default") == 0) {
        curve_file_default(&tones->curve, &file, getenv("CUPS_SERVERROOT"),
                           getenv("PRINTER"));
        return usable(&file);
    }
    if (is_path(text))
        return load_path(&tones->curve, &file, text);
    if (text[0] == '\0' || text[0] == '.' || strlen(text) > MAX_NAME)
        return command_complain("--curve", "not the name of a curve");
    if (curve_file_named(&tones->curve, &file, getenv("CUPS_SERVERROOT"),
                         data != NULL ? data : CUPS_DATADIR, text))
        return usable(&file);
    return command_complain(text, "no curve of this name is installed");
}

bool tones_gray(struct ink_settings *tones, const char *text)
{
    tones->gray = strcmp(text, "screen") == 0;
    return tones->gray || strcmp(text, "ink") == 0 ||
           command_complain("--gray", "neither ink nor screen");
}

/* ---- Numbers ---------------------------------------------------------- */

static bool read_number(const char *option, const char *text, double low,
                        double high, double unit, double *out)
{
    double number;

    if (!text_decimal(text, low, high, &number)) {
        warnx("%s: not a number from %g to %g: %s", option, low, high, text);
        return false;
    }
    *out = number / unit;
    return true;
}

bool tones_gamma(struct ink_settings *tones, const char *text)
{
    return read_number("--gamma", text, 0.25, 4, 1, &tones->gamma);
}

bool tones_density(struct ink_settings *tones, const char *text)
{
    return read_number("--density", text, 10, 200, 100, &tones->density);
}

bool tones_limit(struct ink_settings *tones, const char *text)
{
    return read_number("--limit", text, 100, 400, 100, &tones->limit);
}

bool tones_cut(struct ink_settings *tones)
{
    double gamma = tones->gamma;

    if (tones->sharpness > 0)
        return command_complain("--sharpness", "the method has no tones");
    if (tones->curved || tones->density != 1 || tones->limit != CURVE_INKS)
        command_complain("warning", "the method has no tones: of curve, gamma, "
                                    "density and limit it takes gamma");
    *tones = INK_AS_IT_IS;
    tones->gamma = gamma;
    tones->two_level = gamma != 1;
    return true;
}
