/*
 * ring.h - a page's rows on their way: in the ring, on the device, at the
 * rescuer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_RING_H
#define HT_RING_H

#include "gpu/host/device.h"
#include "halftone/definition.h"
#include "halftone/method.h"

#define HT_RING_SWATH 4 /* rows of the tallest swath */
#define HT_RING_PARTS 8 /* launches for the rows of a ring, at most */

/* HT_RING_PARTS; a smaller launch at each end of the ring and of the page; one
 * of too few rows, launched because nothing else is under way; and one at rest,
 * which holds the last state. */
#define HT_RING_MOST_LAUNCHES (HT_RING_PARTS + 5)

/* Sizes of a page's ring on the host and of its launches on the device. */
struct ht_ring_sizes {
    size_t rows;       /* of the ring */
    size_t part;       /* rows of a launch, at most */
    size_t worth;      /* rows that are worth a launch of a device that has
                          nothing to do, while more come in */
    size_t launches;   /* 2..HT_RING_MOST_LAUNCHES: one is at rest, and holds
                          the last state */
    size_t sample_row; /* bytes of a row's samples */
    size_t dot_row;    /* bytes of a row's dots */
    size_t state;      /* bytes of a page's state between two rows */
};

/* A page on its way, ht_engine.own; the device's own part is behind it. Rows
 * count from the page's first: collected <= finished <= launched <= submitted
 * <= collected + sizes.rows. With a rescuer, collected <= fed <= submitted, and
 * `launched` and `finished` stand still. */
struct ht_ring {
    const struct ht_device_ops *ops;
    struct ht_scan scan;
    struct ht_place place; /* in the scan, of the next row to launch */
    struct ht_ring_sizes sizes;
    uint8_t *samples; /* [rows][sample_row], the device's */
    uint8_t *dots;    /* [rows][dot_row], likewise */
    uint16_t *inked;  /* [rows] inks that a row may have, a bit each */
    struct ht_launch launch[HT_RING_MOST_LAUNCHES];
    uint64_t submitted, launched, finished, collected;
    uint64_t launches, finished_launches;
    const int16_t *state; /* behind row `finished`; NULL = 0 */
    bool given;           /* a state was given, so there is no pre-roll */
    bool failed;          /* the device failed in this page */
    uint64_t fed;         /* row behind the last one that the rescuer has */
    ht_engine_t *rescuer; /* then goes on with the page; owned */
};

static inline size_t ht_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t ht_most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Returns a number of rows, made up to whole swaths. */
static inline size_t ht_ring_whole_swaths(size_t rows)
{
    return (rows + HT_RING_SWATH - 1) / HT_RING_SWATH * HT_RING_SWATH;
}

/* Returns the sizes of a page's ring, but for `launches`. The ring has the
 * whole page, if its height is known, but at most `most_rows` rows; and no
 * fewer than a caller may leave uncollected, with a swath that is not whole or
 * whose last row waits. */
struct ht_ring_sizes ht_ring_measure(const ht_page_t *page, size_t most_rows);

#endif
