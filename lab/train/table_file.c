/*
 * table_file.c - writes tone tables (doc/dev/table-format.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/train/table_file.h"

ht_tone_t table_rounded(const ht_tone_t *tone)
{
    ht_tone_t t = *tone;
    double rest = 1;

    t.t_upper = round(tone->t_upper * 1e5) / 1e5;
    t.t_lower = round(tone->t_lower * 1e5) / 1e5;
    t.feedback = round(tone->feedback * 1e5) / 1e5;
    for (int k = 0; k < (int)HT_TAPS - 1; k++) {
        t.weight[k] = floor(tone->weight[k] * 1e5) / 1e5;
        rest -= t.weight[k];
    }
    t.weight[HT_TAPS - 1] = round(rest * 1e5) / 1e5;
    return t;
}

bool table_write(const char *path, const struct table_note *note,
                 const ht_tone_t *tones)
{
    FILE *file = fopen(path, "w");
    int classes = 0, kind[HT_TONES], column[26][2];

    if (file == NULL) {
        perror(path);
        return false;
    }
    fprintf(file,
            "halftone-table 4\nname %s\nmade-by %s\nseed %u\n"
            "cost %.6f\n",
            note->name, note->made_by, (unsigned)note->seed, note->cost);
    for (unsigned i = 0; i < HT_TONES; i++) {
        const int *own = tones[i].column;
        int same = 0;

        while (same < classes &&
               (column[same][0] != own[1] || column[same][1] != own[2]))
            same++;
        kind[i] = same;
        if (same == classes) {
            memcpy(column[classes++], own + 1, sizeof column[0]);
            fprintf(file, "class %c 0,1 1,%d 1,%d 1,0\n", 'A' + same, own[1],
                    own[2]);
        }
    }
    fprintf(file, "# tone N CLASS t_u t_l begin w(0,1) w w w, in the class's "
                  "order, feedback\n");
    for (unsigned i = 0; i < HT_TONES; i++) {
        const ht_tone_t *s = &tones[i];

        fprintf(file, "tone %u %c %.5f %.5f %.3f %.5f %.5f %.5f %.5f", i,
                'A' + kind[i], s->t_upper, s->t_lower, s->begin, s->weight[0],
                s->weight[1], s->weight[2], s->weight[3]);
        if (s->feedback > 0)
            fprintf(file, " %.5f", s->feedback);
        fputc('\n', file);
    }
    bool ok = !ferror(file);
    if (fclose(file) != 0 || !ok) {
        perror(path);
        return false;
    }
    return true;
}
