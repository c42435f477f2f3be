/*
 * shadows.h - dark grays of several inks, which are to be lighter than black
 * ink alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_SHADOWS_H
#define PAGE_SHADOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHADOWS_GRAYS 10u /* sRGB 0, 8, 16 .. 72 */
#define SHADOWS_END 72

/* C, M, Y and K that a RIP makes of these, and of those that are printed in
 * their place. */
struct shadow_grays {
    uint8_t come[SHADOWS_GRAYS][4], leave[SHADOWS_GRAYS][4];
};

/*
 * Returns the gray, sRGB 0..255, that is printed in place of `gray` when black
 * is K alone and as light as the gray `black`, b:
 *
 *   b + gray / 4 + gray^2 / (8 b)    below 2 b
 *
 * which goes on as the grays above, that stay. Where 2 b is more than 72 that
 * is drawn together until it ends there.
 */
double shadows_gray(double black, double gray);

/* Changes to pixels, by their sum of inks in 1/255. */
struct shadows {
    uint8_t least[4], most[4]; /* K, C, M and Y of those that may change */
    struct {
        uint8_t inks[4]; /* the gray of this sum, .. */
        int8_t more[4];  /* .. and what it gets of each; none = 0 */
    } gray[4 * UINT8_MAX + 1];
};

/* False where no gray changes, and where lighter ones do not have less ink in
 * all, so that it does not tell them apart. */
bool shadows_init(struct shadows *shadows, const struct shadow_grays *grays);

/*
 * Adds to a pixel of K, C, M and Y, in 1/(255 unit), what its gray gets, times
 * (40 - e) / 24, within 0 and 1. e is its largest distance from that gray, in
 * 1/255. Returns whether it changed.
 */
bool shadows_lift(const struct shadows *shadows, uint32_t pixel[4],
                  uint32_t unit);

/* shadows_lift() for as many pixels of 8 bits as `bytes` of bytes.h has. Their
 * samples of K are at `row`, those of the next ink `plane` bytes behind.
 * Returns whether any changed. */
bool shadows_lift_bytes(const struct shadows *shadows, uint8_t *row,
                        size_t plane);

#endif
