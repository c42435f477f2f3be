/*
 * profile.h - ICC profiles of strangers and of administrators, checked before
 * lcms2 sees them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_PROFILE_H
#define COLOR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE_MOST_BYTES ((size_t)16 << 20) /* of a file */
#define PROFILE_WHY 128                       /* bytes of a reason */

enum profile_role {
    PROFILE_INPUT, /* says what the samples of a picture mean */
    PROFILE_OUTPUT /* of a printer: the class "output" */
};

/* Tags of a profile that a separation needs. */
struct profile {
    uint8_t *data; /* [size]; NULL = there is none */
    size_t size;
    unsigned channels; /* of its device: 1 = gray, 3 = RGB, 4 = CMYK */
};

/*
 * Checks a profile of `size` bytes, and copies of it what lcms2 is to read:
 * every tag has to lie in the file, and those that are copied have to be of a
 * known type, with all that they announce. Version 2 or 4, of gray, RGB or CMYK
 * (output: RGB or CMYK), by XYZ or Lab. False with the reason in `why`
 * [PROFILE_WHY], in words for one line, and no data. Free with profile_free().
 */
bool profile_take(struct profile *profile, const void *file, size_t size,
                  enum profile_role role, char why[PROFILE_WHY]);

/* profile_take() of the regular file at `path`. If the file does not exist,
 * errno is ENOENT, in all other cases something else. */
bool profile_load(struct profile *profile, const char *path,
                  enum profile_role role, char why[PROFILE_WHY]);

void profile_free(struct profile *profile); /* {0} is allowed; leaves {0} */

#endif
