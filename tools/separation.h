/*
 * separation.h - color images to four inks, from a command line: --profile and
 * --intent.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SEPARATION_H
#define TOOLS_SEPARATION_H

#include "page/color/table.h"
#include "tools/image.h"

struct image_separation {
    struct profile printer; /* of no data: color images stay */
    enum color_intent intent;
    struct color_table *srgb; /* made when it is needed */
};

/* Each reads the value of --profile, which is "none", "generic", a file or the
 * name of an installed profile, or of --intent. False after a complaint. */
bool separation_profile(struct image_separation *separation, const char *text);
bool separation_intent(struct image_separation *separation, const char *text);

/*
 * Turns the three channels of a color image into four, full less K, C, M and Y:
 * image_to_inks() then finds the inks. The image's light is that of its
 * profile, or else sRGB; a profile that is not valid is a warning, and sRGB.
 * Other images stay, and so do all without a printer's profile. False after a
 * complaint about `path`.
 */
bool separation_apply(struct image_separation *separation, struct image *image,
                      const char *path);

void separation_free(struct image_separation *separation);

#endif
