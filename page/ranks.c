/*
 * ranks.c - ranks the inks of a table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>

#include "page/ranks.h"

#define MOST (UINT8_MAX - 1) /* ranks between 0, none, and 255, solid */

static int compare(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

void ranks_fill(struct ranks *ranks, const uint16_t table[UINT8_MAX + 1])
{
    uint16_t sorted[UINT8_MAX + 1], *curve = ranks->curve;
    unsigned count = 0; /* of ranks, behind 0 */

    for (unsigned v = 0; v <= UINT8_MAX; v++)
        sorted[v] = table[v];
    qsort(sorted, UINT8_MAX + 1, sizeof *sorted, compare);
    curve[0] = 0;
    for (unsigned i = 0; i <= UINT8_MAX; i++) {
        if (sorted[i] == curve[count] || sorted[i] == UINT16_MAX)
            continue;
        if (count < MOST)
            count++;
        else /* one too many: the least goes to the next */
            for (unsigned rank = 1; rank < count; rank++)
                curve[rank] = curve[rank + 1];
        curve[count] = sorted[i];
    }
    for (unsigned rank = count + 1; rank <= MOST; rank++)
        curve[rank] = count > 0 ? curve[count] : (uint16_t)(257 * rank);
    curve[UINT8_MAX] = UINT16_MAX;
    for (unsigned v = 0; v <= UINT8_MAX; v++) {
        unsigned rank = table[v] == UINT16_MAX ? UINT8_MAX : 0;

        while (rank < UINT8_MAX && curve[rank] < table[v])
            rank++;
        ranks->of[v] = (uint8_t)rank;
    }
}
