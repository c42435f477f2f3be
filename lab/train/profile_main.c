/*
 * profile_main.c - writes the generic profile,
 * halftone/tables/profiles/generic.icc:
 *
 *   lab/train/profile >generic.icc
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/train/plane.h"
#include "lab/train/profile.h"

#define DATE_AT 24 /* in the header of a profile */

/* Writes the profile with a date that does not change. */
static bool print_profile(cmsHPROFILE profile)
{
    static const uint8_t date[12] = {0x07, 0xea, 0, 11, 0, 27}; /* 2026-11-27 */
    cmsUInt32Number size = 0;
    uint8_t *bytes = NULL;
    bool ok = cmsSaveProfileToMem(profile, NULL, &size);

    if (ok) {
        bytes = train_alloc(size, 1);
        ok = cmsSaveProfileToMem(profile, bytes, &size);
        memcpy(bytes + DATE_AT, date, sizeof date);
    }
    ok = ok && fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0;
    free(bytes);
    return ok;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        fputs("usage: profile >generic.icc\n", stderr);
        return 2;
    }
    cmsHPROFILE profile = profile_make();
    bool ok = profile != NULL && print_profile(profile);

    if (!ok)
        fputs("profile: the profile cannot be made or written\n", stderr);
    if (profile != NULL)
        cmsCloseProfile(profile);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
