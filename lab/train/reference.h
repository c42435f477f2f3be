/*
 * reference.h - the results of direct binary search at each tone, kept in the
 * files of a work directory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_REFERENCE_H
#define TRAIN_REFERENCE_H

#include "lab/train/dbs.h"
#include "lab/train/hvs.h"
#include "lab/train/spectrum.h"

#define REFERENCE_SIDE 256  /* pixels of a patch */
#define REFERENCE_PATCHES 5 /* a tone at most, each from another seed */
#define REFERENCE_TONES 128 /* 1..127; the others are their mirrors */

struct reference {
    struct spectrum spectrum; /* of all patches, symmetrised */
    double hvs[2];            /* mean error at HVS_SCALE and twice that */
};

/* The path of a patch; `path` holds 4096 bytes. */
void reference_path(char *path, const char *work, enum dbs_kind kind, int tone,
                    int patch);

/* Returns how many patches a kind has: the best ones vary less. */
int reference_patches(enum dbs_kind kind);

/* Reads a tone's patches from `work`; false with a message when a file is
 * missing or broken. Tones above 127 give their mirror's. */
bool reference_load(struct reference *out, const char *work, enum dbs_kind kind,
                    int tone);

/* All of them, [256], tones 1..254; NULL with a message when one is missing.
 * free() it. */
struct reference *reference_load_all(const char *work, enum dbs_kind kind);

#endif
