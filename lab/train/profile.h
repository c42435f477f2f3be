/*
 * profile.h - makes the generic profile, which is for printers as in
 * doc/dev/color-model.md with the default curve.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PROFILE_H
#define TRAIN_PROFILE_H

#include <lcms2.h>

/* A profile of CMYK output, version 2, with tables for all intents; NULL after
 * a message. The caller's, until cmsCloseProfile(). */
cmsHPROFILE profile_make(void);

#endif
