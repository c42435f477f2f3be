/*
 * rip_scan.c - the sizes of a PDF's pictures. A picture is a stream, whose
 * dictionary is never compressed or encrypted: its words are found without
 * reading the rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/owner.h"
#include "printer-app/rip/rip_scan.h"

#define MOST_BYTES (256l << 20) /* a larger file is no scan */
#define LOOK (1l << 20) /* bytes from one look for a cancel to the next */
#define WORD 16         /* bytes of a word, cut and with its end */

/* A dictionary on its way. */
struct dictionary {
    bool is_picture;
    uint64_t sides[2]; /* pixels across and down; 0 = unknown */
};

/* Reads the next word: a name, with its slash, or other characters between
 * spaces and brackets. False at the file's end, or if it was canceled. */
static bool next_word(FILE *file, long *read, char word[WORD])
{
    size_t length = 0;
    int c;

    while ((c = getc_unlocked(file)) != EOF) {
        if (++*read % LOOK == 0 && canceled())
            break;
        const bool ends = c <= ' ' || strchr("<>[](){}%/", c) != NULL;

        if (ends && length > 0) {
            ungetc(c, file);
            break;
        }
        if ((!ends || c == '/') && length < WORD - 1)
            word[length++] = (char)c;
    }
    word[length] = '\0';
    return length > 0;
}

/* Whether the picture has more pixels than the sheet, however it is turned. */
static bool is_finer(const struct dictionary *picture,
                     const struct rip_sheet *sheet)
{
    const uint64_t *a = picture->sides;
    const uint64_t b[2] = {sheet->width, sheet->height};
    const bool turned = (a[0] > a[1]) != (b[0] > b[1]);

    return a[turned] > b[0] && a[!turned] > b[1];
}

static void take(struct dictionary *dictionary, const char *key,
                 const char *value)
{
    if (strcmp(key, "/Subtype") == 0 && strcmp(value, "/Image") == 0)
        dictionary->is_picture = true;
    if (strcmp(key, "/Width") == 0)
        dictionary->sides[0] = strtoul(value, NULL, 10);
    if (strcmp(key, "/Height") == 0)
        dictionary->sides[1] = strtoul(value, NULL, 10);
}

static bool has_fine_pictures(FILE *file, const struct rip_sheet *sheet)
{
    struct dictionary dictionary = {.is_picture = false};
    char word[WORD], before[WORD] = "";
    bool found = false;
    long read = 0;

    for (; next_word(file, &read, word); memcpy(before, word, WORD)) {
        take(&dictionary, before, word);
        if (strcmp(word, "stream") == 0 && dictionary.is_picture) {
            if (!is_finer(&dictionary, sheet))
                return false;
            found = true;
        }
        if (strcmp(word, "stream") == 0 || strcmp(word, "obj") == 0)
            dictionary = (struct dictionary){.is_picture = false};
    }
    return found && !ferror(file);
}

bool rip_is_scan(const char *path, const struct rip_sheet *sheet)
{
    FILE *file = fopen(path, "rbe");
    const bool ok = file != NULL && fseek(file, 0, SEEK_END) == 0 &&
                    ftell(file) <= MOST_BYTES &&
                    fseek(file, 0, SEEK_SET) == 0 &&
                    has_fine_pictures(file, sheet);

    if (file != NULL)
        fclose(file);
    return ok;
}
