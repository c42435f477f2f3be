/*
 * peers.h - published halftones to compare with, plainly written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_PEERS_H
#define TRAIN_PEERS_H

#include "lab/train/plane.h"

struct peer {
    const char *name;
    bool (*available)(void); /* NULL = always */
    /* Dots of one plane, a new plane of the same size; false with a message
     * when it cannot be had. */
    bool (*print)(const struct plane *tones, struct plane *dots);
};

extern const struct peer peers[];
extern const int peers_count;

/* Fixed weights (fixed.c). */
bool peer_floyd_steinberg(const struct plane *tones, struct plane *dots);
bool peer_floyd_steinberg_serpentine(const struct plane *tones,
                                     struct plane *dots);
bool peer_jarvis(const struct plane *tones, struct plane *dots);
bool peer_stucki(const struct plane *tones, struct plane *dots);
bool peer_shiau_fan(const struct plane *tones, struct plane *dots);

/* Weights that depend on the tone (variable.c). */
bool peer_ostromoukhov(const struct plane *tones, struct plane *dots);
bool peer_zhou_fang(const struct plane *tones, struct plane *dots);

/* Screens (screens.c). */
bool peer_bayer(const struct plane *tones, struct plane *dots);
bool peer_void_and_cluster(const struct plane *tones, struct plane *dots);

/* The dither of cups-filters before 2, where it is installed (cups.c). */
bool peer_has_cups(void);
bool peer_cups(const struct plane *tones, struct plane *dots);

/* Other programs, where they are installed (programs.c). */
bool peer_has_imagemagick(void);
bool peer_imagemagick(const struct plane *tones, struct plane *dots);
bool peer_has_netpbm(void);
bool peer_netpbm(const struct plane *tones, struct plane *dots);
bool peer_has_ghostscript(void);
bool peer_ghostscript(const struct plane *tones, struct plane *dots);
/* Its screen for 600 dpi, which is no peer in `peers`. */
bool peer_ghostscript_600(const struct plane *tones, struct plane *dots);

#endif
