/*
 * peers.c - the list of published halftones to compare with. To add one: a
 * function in one of the files here, and a line below.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/train/peers/peers.h"

const struct peer peers[] = {
    {"floyd-steinberg", NULL, peer_floyd_steinberg},
    {"floyd-steinberg-serpentine", NULL, peer_floyd_steinberg_serpentine},
    {"jarvis", NULL, peer_jarvis},
    {"stucki", NULL, peer_stucki},
    {"shiau-fan", NULL, peer_shiau_fan},
    {"ostromoukhov", NULL, peer_ostromoukhov},
    {"zhou-fang", NULL, peer_zhou_fang},
    {"void-and-cluster", NULL, peer_void_and_cluster},
    {"bayer", NULL, peer_bayer},
    {"imagemagick", peer_has_imagemagick, peer_imagemagick},
    {"netpbm", peer_has_netpbm, peer_netpbm},
    {"cups", peer_has_cups, peer_cups},
    {"ghostscript", peer_has_ghostscript, peer_ghostscript},
};

const int peers_count = sizeof peers / sizeof peers[0];
