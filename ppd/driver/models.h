/*
 * models.h - the PPDs that CUPS offers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DRIVER_MODELS_H
#define DRIVER_MODELS_H

#include <stdbool.h>
#include <stddef.h>

#include <cups/ipp.h>

#include "ppd/driver/crew.h"

#define DRIVER_SCHEME "halftone:" /* begins the names of our PPDs */
/* Set for cups-driverd, which would start us again. */
#define DRIVER_GUARD "HALFTONE_DRIVER"

/* As cups-driverd says it; "" where it says nothing. */
struct driver_model {
    const char *name; /* drv:///sample.drv/deskjet.ppd */
    const char *language;
    const char *make, *model; /* the model has the make, too */
    const char *device_id;    /* of IEEE 1284 */
    const char *product, *version;
};

struct driver_models {
    struct driver_model *models;
    size_t count;
    ipp_t *answer; /* whose strings they are */
};

/* Reads the answer of cups-driverd. False when it is none; free in any case. */
bool models_read(struct driver_models *models, const char *text, size_t size);

/* Asks cups-driverd for those of a scheme: "drv", "file" or a driver program.
 * False when it does not answer, or not within the time of the crew; free in
 * any case. */
bool models_list(struct driver_models *models, struct crew *crew,
                 const char *scheme);
void models_free(struct driver_models *models);

#endif
