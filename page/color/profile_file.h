/*
 * profile_file.h - finds the file of a printer's profile by its name, as
 * page/curve_file.h does curves.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COLOR_PROFILE_FILE_H
#define COLOR_PROFILE_FILE_H

#include "page/color/profile.h"

#define PROFILE_PATH 1400
#define PROFILE_GENERIC_NAME                                                   \
    "generic" /* the name of the one that comes along */

/*
 * Loads NAME.icc, an output profile, from rastertohalftone/ of the folder
 * `own`, where profiles are that were made for this system's printers, or else
 * of the data directory `data`, or else from where ours are installed. Both may
 * be NULL. False with the reason in `why` [PROFILE_WHY] and the file in `path`
 * [PROFILE_PATH]; where there is none, errno is ENOENT and in other cases not.
 * Free with profile_free().
 */
bool profile_file_named(struct profile *profile, char path[PROFILE_PATH],
                        const char *own, const char *data, const char *name,
                        char why[PROFILE_WHY]);

/* Loads the profile of the printer's name from the folder `own`, or else the
 * generic one of `data`, likewise. `printer` may be NULL. */
bool profile_file_default(struct profile *profile, char path[PROFILE_PATH],
                          const char *own, const char *data,
                          const char *printer, char why[PROFILE_WHY]);

/* Loads the output profile at `path` as profile_load() does, and makes sure
 * that it separates; `black` gets the C, M, Y and K of black, in 1/255. */
bool profile_file_check(struct profile *profile, const char *path,
                        uint8_t black[4], char why[PROFILE_WHY]);

#endif
