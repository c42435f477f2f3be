/*
 * test_table.c - the tables that ship are accepted; each broken rule is
 * refused, with the line at fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <glob.h>
#include <limits.h>
#include <unistd.h>

#include "halftone/definition.h"
#include "halftone/method.h"
#include "test/cases.h"

/* A whole table as text, in which one line can be replaced or left out. */
static size_t write_table(char *text, size_t size, unsigned line,
                          const char *replacement)
{
    FILE *out = fmemopen(text, size, "w");
    unsigned number = 1;
    long end;

    assert_non_null(out);
    for (int i = -3; i < (int)HT_TONES; i++, number++) {
        if (number == line) {
            if (replacement != NULL)
                fprintf(out, "%s\n", replacement);
        } else if (i == -3) {
            fputs("halftone-table 4\n", out);
        } else if (i == -2) {
            fputs("# a comment\n", out);
        } else if (i == -1) {
            fputs("class A 0,1 1,1 1,-1 1,0\n", out);
        } else {
            fprintf(out, "tone %d A 0.7 0.5 0.2 0.4 0.1 0.2 0.3\n", i);
        }
    }
    fflush(out);
    end = ftell(out);
    fclose(out);
    return (size_t)end;
}

static ht_status_t parse_with(unsigned line, const char *replacement,
                              unsigned *fault)
{
    static char text[HT_MAX_TABLE_BYTES];
    ht_table_t *table = NULL;
    size_t size = write_table(text, sizeof text, line, replacement);
    ht_status_t status = ht_table_parse(&table, text, size, fault);

    assert_true((status == HT_OK) == (table != NULL));
    ht_table_free(table);
    return status;
}

TEST(accepts_a_plain_table)
{
    static char text[HT_MAX_TABLE_BYTES];
    size_t size = write_table(text, sizeof text, 0, NULL);
    ht_table_t *table = NULL;

    assert_int_equal(ht_table_parse(&table, text, size, NULL), HT_OK);
    for (unsigned i = 0; i < HT_LEVELS; i++) {
        const struct ht_weights *w = &table->level[i];

        assert_int_equal(w->weight[0], 13107); /* 0.4 x 32768 */
        assert_int_equal(w->weight[1], 3277);
        assert_int_equal(w->weight[2], 6554);
        assert_int_equal(w->t_upper, i < HT_TONES ? 11469 : 8192);
        assert_int_equal(w->t_lower, i < HT_TONES ? 8192 : HT_ONE - 11469);
        assert_int_equal(w->noise, 3277);
        assert_int_equal(w->column[2], -1);
    }
    assert_true(ht_table_tones(table)[5].weight[3] == 0.3);
    ht_table_free(table);
}

/* One line says so. */
TEST(refuses_earlier_formats_by_name)
{
    static const char *const first[] = {"halftone-table 1", "halftone-table 2",
                                        "halftone-table 3"};

    for (int i = 0; i < 3; i++) {
        unsigned fault = 0;

        assert_int_equal(parse_with(1, first[i], &fault), HT_ERR_FORMAT);
        assert_int_equal(fault, 1);
    }
    assert_non_null(strstr(ht_status_text(HT_ERR_FORMAT), "no longer read"));
    assert_non_null(strstr(ht_status_text(HT_ERR_FORMAT), "train"));
}

TEST(accepts_the_line_ends_of_others)
{
    static char text[HT_MAX_TABLE_BYTES], other[HT_MAX_TABLE_BYTES];
    size_t size = write_table(text, sizeof text, 0, NULL), length = 0;
    ht_table_t *table = NULL;

    for (size_t i = 0; i < size; i++) {
        if (text[i] == '\n')
            other[length++] = '\r';
        other[length++] = text[i];
    }
    assert_int_equal(ht_table_parse(&table, other, length, NULL), HT_OK);
    ht_table_free(table);
}

TEST(accepts_words_of_any_kind)
{
    static const char *const lines[] = {"name", "name\tx", "\tseed 1 2",
                                        "made-by ", "cost\t"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_int_equal(parse_with(2, lines[i], NULL), HT_OK);
    assert_int_equal(
        parse_with(9, "tone\t5 A\t\t0.7 0.5 0.2 0.4 0.1 0.2 0.3", NULL), HT_OK);
}

TEST(accepts_every_table_that_ships)
{
    glob_t found = {0};

    assert_int_equal(glob(DATA "/*.table", 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 2);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        ht_table_t *table = NULL;
        unsigned line = 0;

        if (ht_table_load(&table, found.gl_pathv[i], &line) != HT_OK)
            fail_msg("%s:%u", found.gl_pathv[i], line);
        ht_table_free(table);
    }
    globfree(&found);
}

TEST(the_builtin_tables_are_those_that_ship)
{
    static const ht_page_t pages[] = {
        {.method = HT_TDFED4},
        {.method = HT_TDFED4, .across = 720, .down = 360},
        {.method = HT_TDFED4, .across = 360, .down = 720},
        {.method = HT_TDFED1}};

    for (size_t page = 0; page < sizeof pages / sizeof pages[0]; page++) {
        const struct ht_own_table *own = ht_own_table(&pages[page]);
        ht_table_t *builtin = NULL, *file = NULL;
        char path[PATH_MAX];

        snprintf(path, sizeof path, DATA "/%s.table", own->name);
        assert_int_equal(own->make(&builtin), HT_OK);
        assert_int_equal(ht_table_load(&file, path, NULL), HT_OK);
        for (unsigned i = 0; i < HT_TONES; i++)
            assert_memory_equal(&ht_table_tones(builtin)[i],
                                &ht_table_tones(file)[i], sizeof(ht_tone_t));
        assert_memory_equal(ht_table_rules(builtin), ht_table_rules(file),
                            sizeof(ht_rules_t));
        ht_table_free(builtin);
        ht_table_free(file);
    }
}

TEST(names_the_line_at_fault)
{
    static const struct {
        unsigned line;
        const char *text;
    } bad[] = {
        {1, "halftone-table 5"},
        {1, "halftone-table 0"},
        {1, "halftone-table 44"},
        {1, "halftone-table 33"},
        {1, "halftone-table "},
        {1, "halftone-table 4 "},
        {2, "unknown keyword"},
        {3, "class A 0,1 1,1 1,0"},
        {3, "class A 1,1 0,1 1,-1 1,0"},
        {3, "class A 0,1 1,2 1,-1 1,0"},
        {3, "class A 0,1 1,1 1,-7 1,0"},
        {3, "class A 0,1 1,1 2,-1 1,0"},
        {3, "class a 0,1 1,1 1,-1 1,0"},
        {3, "class A 0,1 1,1 1,-1 1,0 1,-2"},
        {3, "class A 0,1 1,1 1,0 1,-1"},
        {3, "class A 0,1 1,1 1,0 1,0"},
        {3, "class A 0,1 1,0 1,1 1,0"},
        {3, "class A 0,1 1,-1 1,-1 1,0"},
        {3, "class A 0,1 1,+1 1,-1 1,0"},
        {3, "class A 0,1 1,01 1,-1 1,0"},
        {3, "class A 0,1 1,1 1,-01 1,0"},
        {3, "class A 0,1 1,1 1,-0 1,0"},
        {3, "class A 0,1 1,1 1,- 1,0"},
        {3, "class A 0,1 1,1 1, 1,0"},
        {3, "class A 0,1 1,1 1,\v-1 1,0"},
        {2, "class B 0,1 1,0 1,0 1,0"}, /* no tone uses it */
        {2, "class B 0,1 1,-1 1,-1 1,0"},
        {4, "class A 0,1 1,1 1,-1 1,0"},
        {9, "tone 4 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 128 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone +5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 05 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone \v5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 5x A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 99999999999999999999 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {4, "tone 00 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {4, "tone -0 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone -1 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 5 B 0.7 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3 0 0"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3 0.251"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3 -0.1"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3 0 0 0 0 0"},
        {9, "tone 5 A nan 0.5 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 -0 0.2 0.4 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 inf 0.4 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 0.2 0,4 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 0.2 4e-1 0.1 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 0.2 -0.4 0.9 0.2 0.3"},
        {9, "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.3000000000"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        unsigned fault = 0;

        if (parse_with(bad[i].line, bad[i].text, &fault) != HT_ERR_TABLE ||
            fault != bad[i].line)
            fail_msg("\"%s\" at line %u: fault at %u", bad[i].text, bad[i].line,
                     fault);
    }
}

TEST(takes_feedback_where_thresholds_have_room)
{
    static const struct {
        unsigned tone;
        const char *text;
        ht_status_t status;
    } tried[] = {{63, "0.7 0.5 0.2 0.4 0.1 0.2 0.3 0.1", HT_ERR_TABLE},
                 {64, "0.7 0.5 0.2 0.4 0.1 0.2 0.3 0.149", HT_OK},
                 {127, "0.7 0.5 0.2 0.4 0.1 0.2 0.3 0.1501", HT_ERR_TABLE},
                 {100, "0.4 0.2 0.2 0.4 0.1 0.2 0.3 0.1", HT_OK},
                 {100, "0.4 0.2 0.2 0.4 0.1 0.2 0.3 0.1001", HT_ERR_TABLE},
                 {5, "0.7 0.5 0.2 0.4 0.1 0.2 0.3 0", HT_OK}};

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        char line[80];
        unsigned fault = 1;

        snprintf(line, sizeof line, "tone %u A %s", tried[i].tone,
                 tried[i].text);
        assert_int_equal(parse_with(4 + tried[i].tone, line, &fault),
                         tried[i].status);
        assert_int_equal(fault, 0);
    }
}

/* Parses a table of which line `number`, of 3 and up, is `line`: 2 is a class,
 * 3 and 4 the rules, 5 and up the tones. */
static ht_status_t parse_with_rules(unsigned number, const char *line,
                                    unsigned *fault)
{
    char text[16384];
    size_t size = 0;
    ht_table_t *table = NULL;

    for (unsigned i = 1; i < 5 + HT_TONES; i++) {
        char tone[64];
        const char *head[] = {"halftone-table 4", "class A 0,1 1,1 1,-1 1,0",
                              "overlap 0.1 4", "light 0.9 0.7 0.8 0.1"};

        snprintf(tone, sizeof tone, "tone %u A 0.7 0.5 0.2 0.4 0.1 0.2 0.3",
                 i - 5);
        const char *usual = i < 5 ? head[i - 1] : tone;
        size += (size_t)snprintf(text + size, sizeof text - size, "%s\n",
                                 i == number ? line : usual);
    }
    ht_status_t status = ht_table_parse(&table, text, size, fault);
    if (status == HT_OK) {
        assert_true(ht_table_rules(table)->together);
        assert_int_equal(ht_table_tones(table)[0].begin * 10, 2);
    }
    ht_table_free(table);
    return status;
}

TEST(reads_rules_for_inks_together)
{
    static const struct {
        unsigned line;
        const char *text;
    } good[] = {{0, ""},
                {3, "overlap 0 0"},
                {3, "overlap 0.25 5"},
                {4, "light 0 0 0 0.999"}},
      bad[] = {{3, "overlap 0.1"},
               {3, "overlap 0.1 6"},
               {3, "overlap 0.1 -1"},
               {3, "overlap 0.1 4 4"},
               {4, "overlap 0.1 4"},
               {4, "light 0.9 0.7 0.8"},
               {4, "light 0.9 0.7 0.8 -0.1"},
               {5, "light 0.9 0.7 0.8 0.1"},
               {7, "tone 2 A 0.7 0.5 0.4 0.1 0.2 0.3"},
               {7, "tone 2 A 0.7 0.5 0.1 0.2 0.4 0.1 0.2 0.3"},
               {7, "tone 2 A 0.7 0.5 0.51 0.4 0.1 0.2 0.3"}},
      whole[] = {{3, "overlap 0.26 4"},
                 {4, "light 0.9995 0.7 0.8 0.1"},
                 {3, "# no overlap, but light"},
                 {4, "# no light, but overlap"}};
    unsigned fault;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_int_equal(parse_with_rules(good[i].line, good[i].text, &fault),
                         HT_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(parse_with_rules(bad[i].line, bad[i].text, &fault),
                         HT_ERR_TABLE);
        assert_int_equal(fault, bad[i].line);
    }
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        assert_int_equal(parse_with_rules(whole[i].line, whole[i].text, &fault),
                         HT_ERR_TABLE);
}

TEST(lines_have_at_most_255_bytes)
{
    char comment[257];
    unsigned fault = 0;

    memset(comment, '#', 256);
    comment[255] = '\0';
    assert_int_equal(parse_with(2, comment, NULL), HT_OK);
    comment[255] = '#';
    comment[256] = '\0';
    assert_int_equal(parse_with(2, comment, &fault), HT_ERR_TABLE);
    assert_int_equal(fault, 2);
}

TEST(rejects_tones_outside_their_ranges)
{
    static const char *const bad[] = {
        "tone 5 A 1.01 0.5 0.2 0.4 0.1 0.2 0.3",     /* t_upper */
        "tone 5 A 0.7 0.71 0.2 0.4 0.1 0.2 0.3",     /* t_lower */
        "tone 5 A 0.7 0.5 0.51 0.4 0.1 0.2 0.3",     /* begin */
        "tone 5 A 0.7 0.5 0.2 0.4 0.1 0.2 0.300002", /* sum */
        "tone 5 A 0.7 0.5 0.2 1 0 0 0",              /* a weight of 1 */
        "tone 5 A 0.7 0.5 0.2 0 0 0.00003 0.99997",  /* above 32767/32768 */
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        unsigned fault = 0;

        assert_int_equal(parse_with(9, bad[i], &fault), HT_ERR_TABLE);
        assert_int_equal(fault, 9);
    }
    assert_int_equal(
        parse_with(9, "tone 5 A 1 0 0.2 0.4 0.1 0.2 0.3000009", NULL), HT_OK);
    assert_int_equal(
        parse_with(9, "tone 5 A 0.1 0.1 0.5 0.4 0.1 0.2 0.3", NULL), HT_OK);
    assert_int_equal(
        parse_with(9, "tone 5 A 0.7 0.5 0.2 0 0 0.00004 0.99996", NULL), HT_OK);
}

TEST(rejects_a_missing_tone)
{
    for (unsigned line = 4; line < 4 + HT_TONES; line++)
        assert_int_equal(parse_with(line, NULL, NULL), HT_ERR_TABLE);
}

/* No file can have such tones; in a file the line of the class is at fault. */
TEST(rejects_an_offset_given_twice)
{
    static const int columns[][2] = {{-1, -1}, {0, -1}, {1, 0}};

    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        ht_tone_t tones[HT_TONES];
        ht_table_t *table = NULL;

        for (unsigned tone = 0; tone < HT_TONES; tone++)
            tones[tone] =
                (ht_tone_t){.t_upper = 0.5,
                            .t_lower = 0.5,
                            .weight = {0.4, 0.2, 0.1, 0.3},
                            .column = {1, columns[i][0], columns[i][1], 0}};
        assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_ERR_TABLE);
        assert_null(table);
    }
}

/* A tone of three weights and what is left of 1. */
static ht_tone_t tone_of(double right, double first, double second, int column)
{
    return (ht_tone_t){
        .t_upper = 0.5,
        .t_lower = 0.5,
        .weight = {right, first, second, 1 - right - first - second},
        .column = {1, column, -column, 0}};
}

/* Checks that a table is refused although each tone is in order. */
static void check_refused(const ht_tone_t *tones)
{
    ht_table_t *table = NULL;

    for (unsigned i = 0; i < HT_TONES; i++)
        assert_true(ht_tone_valid(&tones[i]));
    assert_int_equal(ht_table_new(&table, tones, NULL, NULL), HT_ERR_TABLE);
    assert_null(table);
}

/* Tones that put all their weight on different pixels would together put
 * more than 16 bits on one. */
TEST(rejects_weights_whose_errors_could_overflow)
{
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++) {
        tones[i] = tone_of(0.01, 0.01, 0.01, 1);
        tones[i].weight[3] = 0.01;
        tones[i].weight[i % 4] = 0.97;
    }
    check_refused(tones);
}

/* A row gives to the columns behind it up to the side of the page or a cut;
 * the next row, which may run back or have other cuts, brings more from there.
 */
TEST(rejects_weights_that_overflow_where_rows_turn)
{
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = i % 2 == 0 ? tone_of(0, 0.9, 0, -1) : tone_of(0.9, 0, 0, -1);
    check_refused(tones);
}

/* The last pixel of a segment keeps what it would give ahead for the row
 * below, where it meets what comes along that row and from the pixel before. */
TEST(rejects_weights_that_overflow_at_the_end_of_a_segment)
{
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++)
        tones[i] = tone_of(0.6, 0.4, 0, 1);
    check_refused(tones);
}

/* Tones that give all to the next pixel, straight down, or to the column
 * ahead: any two of these fit, all three do not. */
TEST(rejects_weights_that_overflow_with_the_column_ahead)
{
    ht_tone_t tones[HT_TONES];

    for (unsigned i = 0; i < HT_TONES; i++) {
        tones[i] = tone_of(0.01, 0.01, 0.01, -1);
        tones[i].weight[3] = 0.01;
        tones[i].weight[(const int[]){0, 2, 3}[i % 3]] = 0.97;
    }
    check_refused(tones);
}

TEST(rejects_files_that_are_no_tables)
{
    static char large[HT_MAX_TABLE_BYTES + 1];
    ht_table_t *table = NULL;
    char name[] = "/tmp/halftone-table-XXXXXX", link[64];
    int fd = mkstemp(name);

    memset(large, '#', sizeof large);
    assert_int_equal(ht_table_parse(&table, large, sizeof large, NULL),
                     HT_ERR_TABLE);
    assert_int_equal(ht_table_parse(&table, "", 0, NULL), HT_ERR_TABLE);
    assert_int_equal(ht_table_parse(&table, NULL, 0, NULL), HT_ERR_TABLE);
    assert_int_equal(ht_table_parse(&table, "halftone-table 4\n\0\n", 19, NULL),
                     HT_ERR_TABLE);
    assert_int_equal(ht_table_load(&table, "/nonexistent", NULL), HT_ERR_FILE);
    assert_int_equal(ht_table_load(&table, "/tmp", NULL), HT_ERR_FILE);
    assert_int_equal(ht_table_load(&table, "/dev/zero", NULL), HT_ERR_FILE);

    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(ht_table_load(&table, name, NULL), HT_ERR_TABLE);
    snprintf(link, sizeof link, "%s.link", name);
    assert_int_equal(symlink(name, link), 0);
    assert_int_equal(ht_table_load(&table, link, NULL), HT_ERR_FILE);
    unlink(link);
    unlink(name);
    assert_null(table);
}
