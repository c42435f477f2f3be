/*
 * table.c - tone tables: what is accepted prints alike on every engine.
 *
 *   input   the text of a table; or "+" and lines to put in the place of those
 *           of the built-in one that begin with the same two words
 *   holds   a line at fault lies in the text; a table that is accepted is made
 *           again of its tones; its dots are the reference's
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "test/fuzz/engines.h"
#include "test/fuzz/run.h"

static const char builtin[] = {
#include "halftone/tables/tdfed-4row.inc"
};

#define MOST_TEXT (2 * HT_MAX_TABLE_BYTES)

struct words {
    const char *at;
    size_t size;
};

static struct words line_of(const char *at, const char *end)
{
    const char *feed = memchr(at, '\n', (size_t)(end - at));

    return (struct words){at, (size_t)((feed ? feed + 1 : end) - at)};
}

/* Returns the length of the first two words of a line, with the blank between.
 */
static size_t two_words(struct words line)
{
    size_t i = 0;

    for (unsigned blanks = 0; i < line.size; i++)
        if ((line.at[i] == ' ' && ++blanks == 2) || line.at[i] == '\n')
            break;
    return i;
}

/* The last of `lines` that begins as `line` does; else the line itself. */
static struct words instead(struct words line, const char *lines,
                            const char *end)
{
    struct words found = line;
    size_t begin = two_words(line);

    while (lines < end) {
        struct words other = line_of(lines, end);

        if (two_words(other) == begin && memcmp(other.at, line.at, begin) == 0)
            found = other;
        lines += other.size;
    }
    return found;
}

/* The built-in table with these lines; returns its size. */
static size_t edit(char text[MOST_TEXT], const char *lines, size_t size)
{
    size_t used = 0;

    for (size_t at = 0; at < sizeof builtin;) {
        struct words line = line_of(builtin + at, builtin + sizeof builtin);
        struct words put = instead(line, lines, lines + size);

        at += line.size;
        if (put.size > MOST_TEXT - used)
            break;
        memcpy(text + used, put.at, put.size);
        used += put.size;
    }
    return used;
}

static void check_line(const uint8_t *data, size_t size, unsigned line)
{
    unsigned lines = 2; /* the one behind the last may be at fault */

    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (line > lines)
        run_fail("line %u of %u is at fault", line, lines);
}

static bool same_tone(const ht_tone_t *a, const ht_tone_t *b)
{
    for (unsigned k = 0; k < HT_TAPS; k++)
        if (a->weight[k] != b->weight[k] || a->column[k] != b->column[k])
            return false;
    return a->t_upper == b->t_upper && a->t_lower == b->t_lower &&
           a->begin == b->begin;
}

static void check_made_again(const ht_table_t *table)
{
    ht_table_t *again = NULL;
    ht_status_t status = ht_table_new(&again, ht_table_tones(table), NULL,
                                      ht_table_rules(table));

    if (status != HT_OK)
        run_fail("tones of an accepted table: %s", ht_status_text(status));
    for (unsigned tone = 0; tone < HT_TONES; tone++)
        if (!same_tone(&ht_table_tones(table)[tone],
                       &ht_table_tones(again)[tone]))
            run_fail("tone %u is another when made again", tone);
    ht_table_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST_TEXT];
    ht_table_t *table = NULL;
    unsigned line = 0;

    if (size > 0 && data[0] == '+') {
        size = edit(text, (const char *)data + 1, size - 1);
        data = (const uint8_t *)text;
    }
    ht_status_t status =
        ht_table_parse(&table, (const char *)data, size, &line);

    if (status == HT_OK && size > 0) {
        uint8_t shape[ENGINES_BYTES];

        for (size_t i = 0; i < sizeof shape; i++)
            shape[i] = data[(size / 2 + i * 7919) % size];
        shape[ENGINES_WIDTH + 1] = 0; /* small pages */
        check_made_again(table);
        engines_check(shape, table, NULL);
    } else if (status != HT_ERR_TABLE && status != HT_ERR_FORMAT) {
        run_fail("a table: %s", ht_status_text(status));
    } else {
        check_line(data, size, line);
    }
    ht_table_free(table);
    return 0;
}
