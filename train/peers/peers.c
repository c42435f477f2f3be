/*
 * peers.c - the list of published halftones to compare with. To add one: a
 * function in one of the files here, and a line below.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "train/peers/peers.h"

const struct peer peers[] = {
    {"floyd-steinberg", "Floyd and Steinberg 1976, raster order", NULL,
     peer_floyd_steinberg},
    {"floyd-steinberg-serpentine", "the same, serpentine", NULL,
     peer_floyd_steinberg_serpentine},
    {"jarvis", "Jarvis, Judice and Ninke 1976", NULL, peer_jarvis},
    {"stucki", "Stucki 1981", NULL, peer_stucki},
    {"shiau-fan", "Shiau and Fan 1996", NULL, peer_shiau_fan},
    {"ostromoukhov", "Ostromoukhov 2001", NULL, peer_ostromoukhov},
    {"zhou-fang", "Zhou and Fang 2003", NULL, peer_zhou_fang},
    {"void-and-cluster", "Ulichney 1993, 128 x 128", NULL,
     peer_void_and_cluster},
    {"bayer", "Bayer 1973, 8 x 8", NULL, peer_bayer},
    {"imagemagick", "ImageMagick's Floyd-Steinberg", peer_has_imagemagick,
     peer_imagemagick},
    {"netpbm", "netpbm's pgmtopbm -hilbert", peer_has_netpbm, peer_netpbm},
    {"ghostscript", "Ghostscript's pbmraw", peer_has_ghostscript,
     peer_ghostscript},
};

const int peers_count = sizeof peers / sizeof peers[0];
