/*
 * separation.c - color images to four inks, from a command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "page/color/profile_file.h"
#include "tools/command.h"
#include "tools/separation.h"

/* ---- Command line ----------------------------------------------------- */

/* A path or an existing file is meant as such, as --curve's. */
static bool is_path(const char *text)
{
    struct stat info;

    return strchr(text, '/') != NULL || stat(text, &info) == 0;
}

bool separation_profile(struct image_separation *separation, const char *text)
{
    const char *data = getenv("CUPS_DATADIR");
    char path[PROFILE_PATH], why[PROFILE_WHY];

    profile_free(&separation->printer);
    if (strcmp(text, "none") == 0)
        return true;
    if (is_path(text))
        return profile_load(&separation->printer, text, PROFILE_OUTPUT, why) ||
               command_complain(text, why);
    return profile_file_named(&separation->printer, path,
                              getenv("CUPS_SERVERROOT"),
                              data != NULL ? data : CUPS_DATADIR, text, why) ||
           command_complain(path, why);
}

bool separation_intent(struct image_separation *separation, const char *text)
{
    static const char *const names[] = {[COLOR_RELATIVE_BLACK] = "relative-bpc",
                                        [COLOR_RELATIVE] = "relative",
                                        [COLOR_PERCEPTUAL] = "perceptual",
                                        [COLOR_ABSOLUTE] = "absolute"};

    for (int i = 0; i <= COLOR_ABSOLUTE; i++)
        if (strcmp(text, names[i]) == 0) {
            separation->intent = (enum color_intent)i;
            return true;
        }
    return command_complain("--intent", "not one that --help lists");
}

/* ---- Images ----------------------------------------------------------- */

/* Returns the table of the image's own profile, for the caller to free; NULL if
 * it has no usable one. */
static struct color_table *own_table(const struct image_separation *separation,
                                     const struct image *image,
                                     const char *path)
{
    struct profile profile;
    struct color_table *table = NULL;
    char why[PROFILE_WHY];

    if (image->icc == NULL)
        return NULL;
    if (!profile_take(&profile, image->icc, image->icc_bytes, PROFILE_INPUT,
                      why)) {
        warnx("%s: warning: its color profile is not used: %s", path, why);
        return NULL;
    }
    if (profile.channels == 3)
        table = color_table_make(COLOR_BY_PROFILE, &profile,
                                 &separation->printer, separation->intent, why);
    else
        strcpy(why, "it is not one of RGB");
    if (table == NULL)
        warnx("%s: warning: its color profile is not used: %s", path, why);
    profile_free(&profile);
    return table;
}

/* Returns the table of sRGB; NULL after a complaint. */
static struct color_table *usual_table(struct image_separation *separation)
{
    char why[PROFILE_WHY];

    if (separation->srgb == NULL)
        separation->srgb = color_table_make(
            COLOR_SRGB, NULL, &separation->printer, separation->intent, why);
    if (separation->srgb == NULL)
        command_complain("--profile", why);
    return separation->srgb;
}

/* Turns inks into full less inks. */
static void invert(uint8_t *samples, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        samples[i] = (uint8_t)~samples[i];
}

/* Separates the rows into `made` [height][width][4]. */
static void separate(const struct color_table *table, const struct image *image,
                     void *made)
{
    const size_t width = image->width, bytes = image->bits / 8;

    for (size_t y = 0; y < image->height; y++) {
        const uint8_t *row =
            (const uint8_t *)image->samples + y * width * 3 * bytes;
        uint8_t *to = (uint8_t *)made + y * width * 4 * bytes;

        if (image->bits == 8)
            color_table_line(table, row, image->width, to);
        else
            color_table_line_16(table, (const void *)row, image->width,
                                (void *)to);
        invert(to, width * 4 * bytes);
    }
}

bool separation_apply(struct image_separation *separation, struct image *image,
                      const char *path)
{
    if (separation->printer.data == NULL || image->channels != 3)
        return true;
    /* An image has at most 2 GiB of three channels: no overflow. */
    void *made =
        malloc((size_t)image->width * image->height * 4 * (image->bits / 8));
    struct color_table *own = own_table(separation, image, path);
    const struct color_table *table =
        own != NULL ? own : usual_table(separation);

    if (made == NULL)
        command_complain(path, "not enough memory");
    const bool ok = made != NULL && table != NULL;

    if (ok) {
        separate(table, image, made);
        free(image->samples);
        image->samples = made;
        image->channels = 4;
    } else {
        free(made);
    }
    free(own);
    return ok;
}

void separation_free(struct image_separation *separation)
{
    profile_free(&separation->printer);
    free(separation->srgb);
    separation->srgb = NULL;
}
