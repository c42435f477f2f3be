/*
 * choose.c - picks a set of offsets for each tone, and writes tables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "lab/train/choose.h"

void choose_sets(int sets, const struct trained *trained, int *choice)
{
    double total[HT_TONES][CHOOSE_MAX] = {{0}};
    int from[HT_TONES][CHOOSE_MAX] = {{0}};
    int best = 0;

    for (int tone = 1; tone < (int)HT_TONES; tone++)
        for (int set = 0; set < sets; set++) {
            const double *before = total[tone - 1];
            int least = set;

            for (int other = 0; tone > 1 && other < sets; other++)
                if (before[other] + CHOOSE_CHANGE * (other != set) <
                    before[least] + CHOOSE_CHANGE * (least != set))
                    least = other;
            from[tone][set] = least;
            total[tone][set] = before[least] + CHOOSE_CHANGE * (least != set) +
                               trained[set * (int)HT_TONES + tone].cost;
        }
    for (int set = 1; set < sets; set++)
        if (total[HT_TONES - 1][set] < total[HT_TONES - 1][best])
            best = set;
    for (int tone = HT_TONES - 1; tone > 0; tone--) {
        choice[tone] = best;
        best = from[tone][best];
    }
    choice[0] = choice[1];
}

bool choose_write(const char *path, const struct table_note *note, int sets,
                  const int column[][HT_TAPS], const int *choice,
                  const ht_tone_t *tones, double cost)
{
    FILE *file = fopen(path, "w");

    if (file == NULL) {
        perror(path);
        return false;
    }
    fprintf(file, "halftone-table 4\nname %s\n", note->name);
    for (int i = 0; note->comment[i] != NULL; i++)
        fprintf(file, "# %s\n", note->comment[i]);
    fprintf(file, "made-by %s\nseed %llu\ncost %.6f\n", note->made_by,
            (unsigned long long)note->seed, cost);
    for (int set = 0; set < sets; set++)
        fprintf(file, "class %c 0,1 1,%d 1,%d 1,%d\n", 'A' + set,
                column[set][1], column[set][2], column[set][3]);
    fprintf(file, "# tone N CLASS t_u t_l begin w(0,1) w w w, in the class's "
                  "order\n");
    for (unsigned i = 0; i < HT_TONES; i++) {
        const ht_tone_t *t = &tones[i];
        fprintf(file, "tone %u %c %.5f %.5f %.3f %.5f %.5f %.5f %.5f\n", i,
                'A' + choice[i], t->t_upper, t->t_lower, t->begin, t->weight[0],
                t->weight[1], t->weight[2], t->weight[3]);
    }
    bool ok = !ferror(file);
    if (fclose(file) != 0 || !ok) {
        perror(path);
        return false;
    }
    return true;
}
