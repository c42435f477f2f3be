/*
 * quality.h - the quality that the product has to reach, must by must.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_QUALITY_H
#define TRAIN_QUALITY_H

#include "lab/train/measure.h"
#include "lab/train/peers/peers.h"
#include "lab/train/printer.h"

/* Maker of the dots: the library, or a peer. */
struct maker {
    const char *name;
    const struct printer *printer; /* NULL = the peer */
    const struct peer *peer;
};

/* The maker's dots of a plane, a new plane. False after a message. */
bool maker_print(const struct maker *maker, const struct plane *tones,
                 struct plane *dots);

/* One line of the table: a value and the limit it must keep. */
struct must {
    char quantity[80];
    double value, limit;
    bool at_least; /* else at most */
    bool stated;   /* false: for information, no limit */
};

#define QUALITY_MUSTS 256

struct quality {
    struct must must[QUALITY_MUSTS];
    int count;
    bool unlimited; /* all lines are for information */
    bool square;    /* they are about square dots, and for information */
};

/* Add a line, with a limit or for information; lines over QUALITY_MUSTS end the
 * program. */
void quality_add(struct quality *quality, const char *quantity, double value,
                 double limit, bool at_least);
void quality_inform(struct quality *quality, const char *quantity,
                    double value);
bool must_kept(const struct must *must);

/* Says from which line on dots are seen as square, not round. */
void quality_square(struct quality *quality, bool square);

/* Prints one plane; false after a complaint. */
bool maker_print(const struct maker *maker, const struct plane *tones,
                 struct plane *dots);

/* All flat patches, measured[256] (1..254 are filled), in several processes;
 * NULL when one could not be made. munmap() is left to the end. */
struct measured *quality_measure(const struct maker *maker,
                                 const struct reference *usual,
                                 const struct reference *best, uint32_t jobs);

/* The musts on flat patches; `rival` is Zhou and Fang's. */
void quality_flat(struct quality *quality, const struct measured *measured,
                  const struct measured *rival);

/* The gray ramp; DBS's is kept in `work`. */
bool quality_ramp(struct quality *quality, const struct maker *maker,
                  const char *work);

/* A photo (PGM), with its limit at S; DBS's is kept in `work`. */
bool quality_photo(struct quality *quality, const struct maker *maker,
                   const char *work, const char *path, double limit);

/* Pure white and solid next to pictures. */
bool quality_forced(struct quality *quality, const struct maker *maker);

/* Inks together (quality_inks.c): of the library only. */
bool quality_inks(struct quality *quality, const struct printer *printer,
                  const struct reference *best);

/* Inks as one picture (quality_color.c): of the library only. False after a
 * complaint. */
bool quality_color(struct quality *quality, const struct printer *printer);

/* Judges the evenness of mixtures: bands, inks out of register, ramps
 * (quality_together.c). For the library only; false after a complaint. */
bool quality_together(struct quality *quality, const struct printer *printer);

/* Names the tones of one ink to measure, and their look (quality_round.c). */
struct round_options {
    const int *tones; /* [count], 0..255, or usual ones if it is 0 */
    int count;
    uint32_t parts; /* of a pixel, across and down */
    double dpi[2];  /* across, down */
    uint32_t jobs;
};

/* Judges the grain of one ink's dots, square ones and round ones of three
 * sizes, from 12 and 6 inches; prints that of every tone. False after a
 * complaint. */
bool quality_round(struct quality *quality, const struct printer *printer,
                   const struct round_options *options);

/* Judges by round dots how even the steps from tone to tone are, and ramps.
 * False after a complaint. */
bool quality_steps(struct quality *quality, const struct printer *printer,
                   const struct round_options *options);

/* Judges the grain of drops of several sizes, by the area that they cover, and
 * how much it grows with M out of register (quality_drops.c). For the library
 * only; false after a complaint. */
bool quality_drops(struct quality *quality, const struct printer *printer);

/* Judges mixtures by joint direct binary search: the floor for inks as one
 * picture. */
void quality_color_floor(struct quality *quality);

/* Lines and tints (quality_tints.c), which need no references. Those of a
 * maker: the direction of few dots, and how dots cling together. */
bool quality_dots(struct quality *quality, const struct maker *maker);

/* Judges thin lines by all methods, repeats, and beginnings, whose HVS error is
 * divided by that with the table `baseline`; NULL leaves beginnings out. For
 * the library. */
bool quality_tints(struct quality *quality, const struct printer *printer,
                   const ht_table_t *baseline);

/* Judges the strength of fine detail, and the error of a made picture
 * (quality_sharpness.c): at each sharpness, if it is the library. */
bool quality_sharpness(struct quality *quality, const struct maker *maker);

/* The error of a photo (PGM) at each sharpness. */
bool quality_sharp_photo(struct quality *quality, const struct maker *maker,
                         const char *path);

#endif
