/*
 * fit.h - the parabola through numbers at equal distances.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRAIN_FIT_H
#define TRAIN_FIT_H

/* Returns the middle of the parabola that fits value[step * k], k = -reach ..
 * reach, best; value[0] itself if these are fewer than five. */
static inline double fit_middle(const double *value, int step, int reach)
{
    double n = 0, xx = 0, xxxx = 0, y = 0, xxy = 0;

    for (int k = -reach; k <= reach; k++) {
        n += 1;
        xx += k * k;
        xxxx += (double)k * k * k * k;
        y += value[step * k];
        xxy += k * k * value[step * k];
    }
    return reach < 2 ? value[0] : (y * xxxx - xxy * xx) / (n * xxxx - xx * xx);
}

#endif
