/*
 * test_answers.c - every engine against answers that do not come from this
 * library: test/unit/halftone-by-the-book has worked them out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/halftone.h"
#include "test/unit/pages.h"
#include "test/cases.h"

#define MOST_DRAWN 32 /* rows of dots that a page may have in the file */
#define MOST_LINE 256

/* Line of the file for a page. */
struct known_answer {
    ht_page_t page; /* `band` is its height */
    char method[16];
    char table[32]; /* or its cells */
    unsigned curve; /* which its inks have, 0 for none */
    uint64_t seed;
    uint64_t dots, errors; /* checksums */
    char drawn[MOST_DRAWN][MOST_LINE];
    size_t rows_drawn; /* of all inks */
};

/* FNV-1a of 64 bits. */
#define FNV_BASIS 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

static uint64_t checksum(const uint8_t *bytes, size_t count)
{
    uint64_t sum = FNV_BASIS;

    for (size_t i = 0; i < count; i++)
        sum = (sum ^ bytes[i]) * FNV_PRIME;
    return sum;
}

/* Sums up the errors' low and high bytes, in this order on any processor. */
static uint64_t checksum_of_errors(const int16_t *errors, size_t count)
{
    uint64_t sum = FNV_BASIS;

    for (size_t i = 0; i < count; i++) {
        sum = (sum ^ (uint8_t)(errors[i] & 255)) * FNV_PRIME;
        sum = (sum ^ (uint8_t)(errors[i] >> 8 & 255)) * FNV_PRIME;
    }
    return sum;
}

static void put(const ht_page_t *page, void *samples, size_t i, uint32_t value)
{
    if (page->bits == 8)
        ((uint8_t *)samples)[i] = (uint8_t)value;
    else
        ((uint16_t *)samples)[i] = (uint16_t)value;
}

/* Fills samples first..end-1 with stretches: of white, solid, a light tint,
 * about 1/2, or, twice as often, any. */
static void make_stretches(const ht_page_t *page, void *samples, size_t first,
                           size_t end, uint64_t *seed)
{
    uint32_t full = page->bits == 8 ? 255 : 65535;

    while (first < end) {
        uint32_t length = 1 + random_below(seed, 12);
        uint32_t any = random_below(seed, full + 1);
        uint32_t half = full / 2 - 2 + any % 4;
        const uint32_t kinds[] = {0, full, any / 8, half, any, any};
        uint32_t value = kinds[random_below(seed, 6)];

        for (; length > 0 && first < end; length--)
            put(page, samples, first++, value);
    }
}

/* make_stretches() with longer stretches, half of them white and solid, and
 * light tints. */
static void make_long_stretches(const ht_page_t *page, void *samples,
                                size_t first, size_t end, uint64_t *seed)
{
    uint32_t full = page->bits == 8 ? 255 : 65535;

    while (first < end) {
        uint32_t longest = random_below(seed, 64);
        uint32_t length = 1 + (longest >> random_below(seed, 7));
        uint32_t any = random_below(seed, full + 1);
        const uint32_t kinds[] = {0, 0, full, any / 16, any / 4, any};
        uint32_t value = kinds[random_below(seed, 6)];

        for (; length > 0 && first < end; length--)
            put(page, samples, first++, value);
    }
}

/* Fills the page with bands of up to eight equal rows of long stretches. */
static void make_bands(const ht_page_t *page, uint8_t *samples, uint64_t *seed)
{
    size_t row = (size_t)page->inks * page->width;
    size_t bytes = row * (page->bits / 8);

    for (size_t y = 0; y < page->band;) {
        size_t first = y++;
        make_long_stretches(page, samples + first * bytes, 0, row, seed);
        for (uint32_t more = random_below(seed, 8); more > 0; more--, y++)
            if (y < page->band)
                memcpy(samples + y * bytes, samples + first * bytes, bytes);
    }
}

#define BANDS 100 /* the first seed of a page of bands */

/* Allocates samples [band][inks][width]. */
static void *make_page(const ht_page_t *page, uint64_t seed)
{
    size_t count = (size_t)page->band * page->inks * page->width;
    uint8_t *samples = malloc(count * (page->bits / 8));

    assert_non_null(samples);
    if (seed >= BANDS)
        make_bands(page, samples, &seed);
    else
        make_stretches(page, samples, 0, count, &seed);
    return samples;
}

/* Makes ink k's curve [256]: the lower `n`, the more bent. */
static void make_curve(uint16_t *curve, uint64_t n, uint64_t k)
{
    for (uint64_t v = 0; v < 256; v++)
        curve[v] = (uint16_t)(65535 * v * (n + k + v) / (255 * (n + k + 255)));
    assert_true(ht_curve_valid(curve));
}

static void check_drawn(const char *name, const struct known_answer *answer,
                        const uint8_t *dots)
{
    size_t plane = ht_row_bytes(&answer->page);
    const uint32_t levels = answer->page.levels;

    for (size_t row = 0; row < answer->rows_drawn; row++)
        for (uint32_t x = 0; x < answer->page.width; x++) {
            uint32_t dot = ht_size_at(dots + row * plane, levels, x);

            if (answer->drawn[row][x] != (levels > 2 ? ".12345" : ".#")[dot])
                fail_msg("%s: row %zu, column %u", name, row, x);
        }
}

static void check_engine(const char *name, const struct known_answer *answer,
                         const void *samples)
{
    const ht_page_t *page = &answer->page;
    size_t count, bytes = page->band * dot_row_bytes(page);
    int16_t *errors;
    uint8_t *dots = poisoned(bytes);
    ht_engine_t *engine = NULL;
    uint64_t row = 0;

    assert_int_equal(ht_engine_open(&engine, name, page), HT_OK);
    count = ht_engine_state_lines(engine) * page->width;
    errors = poisoned(count * sizeof *errors);
    assert_int_equal(ht_engine_submit(engine, samples, NULL, page->band),
                     HT_OK);
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, page->band), HT_OK);
    assert_int_equal(ht_engine_take_state(engine, &row, errors), HT_OK);
    assert_int_equal(row, page->band);
    ht_engine_close(engine);
    check_guard(dots, bytes);
    check_guard(errors, count * sizeof *errors);
    check_drawn(name, answer, dots);
    if (checksum(dots, bytes) != answer->dots)
        fail_msg("%s: the dots of page %llu, %s, differ", name,
                 (unsigned long long)answer->seed, answer->method);
    if (checksum_of_errors(errors, count) != answer->errors)
        fail_msg("%s: the errors of page %llu, %s, differ", name,
                 (unsigned long long)answer->seed, answer->method);
    free(dots);
    free(errors);
}

static ht_method_t method_of(const char *name)
{
    for (ht_method_t method = 0; method < HT_METHODS; method++)
        if (strcmp(name, ht_method_info(method)->name) == 0)
            return method;
    fail_msg("no method %s", name);
    return HT_METHODS;
}

static void check_answer(struct known_answer *answer)
{
    ht_page_t *page = &answer->page;
    void *samples = make_page(page, answer->seed);
    uint16_t curve[HT_MAX_INKS][256];
    const uint16_t *curves[HT_MAX_INKS];
    ht_table_t *table = NULL;
    char path[1024];

    page->method = method_of(answer->method);
    if (ht_method_info(page->method)->cells)
        page->cells = (uint32_t)strtoul(answer->table, NULL, 10);
    else if (strcmp(answer->table, "-") != 0) {
        snprintf(path, sizeof path, "%s/%s.table",
                 strncmp(answer->table, "tdfed", 5) == 0 ? DATA : TESTS,
                 answer->table);
        assert_int_equal(ht_table_load(&table, path, NULL), HT_OK);
    }
    page->table = table;
    for (uint32_t k = 0; k < page->inks; k++) {
        make_curve(curve[k], answer->curve, k);
        curves[k] = curve[k];
    }
    page->curves = answer->curve > 0 ? curves : NULL;
    for (const char *const *name = ht_engine_names(); *name; name++)
        if (engine_can_do(*name, page))
            check_engine(*name, answer, samples);
    page->table = NULL;
    page->curves = NULL;
    ht_table_free(table);
    free(samples);
}

/* Reads the line's rest about several sizes of drops. */
static bool read_sizes(const char *text, ht_page_t *page)
{
    int count = sscanf(text, " sizes %u %hu %hu %hu %hu %hu", &page->mixed,
                       &page->area[0], &page->area[1], &page->area[2],
                       &page->area[3], &page->area[4]);

    page->levels = count > 0 ? (uint32_t)count : 0;
    return count >= 3 || strcmp(text, "\n") == 0;
}

/* Reads the inks that are lighter ones, if the line names any. Returns what is
 * behind them. */
static const char *read_lighter(const char *text, ht_page_t *page)
{
    unsigned ink, of, share;
    int length;

    if (strncmp(text, " lighter", 8) != 0)
        return text;
    text += 8;
    while (sscanf(text, " %u:%u:%u%n", &ink, &of, &share, &length) == 3) {
        assert_true(ink < page->inks);
        page->lighter[ink] =
            (ht_lighter_t){.share = (uint16_t)share, .of = (uint8_t)of};
        text += length;
    }
    return text;
}

/* A line of the file that begins a page. */
static bool read_page(const char *line, struct known_answer *answer)
{
    unsigned long long seed, dots, errors;
    ht_page_t *page = &answer->page;
    int length;

    *answer = (struct known_answer){0};
    if (sscanf(line, "page %15s %31s %u %u %u %u %u %u %llu %llx %llx%n",
               answer->method, answer->table, &page->width, &page->band,
               &page->inks, &page->bits, &answer->curve, &page->segment, &seed,
               &dots, &errors, &length) != 11)
        return false;
    answer->seed = seed;
    answer->dots = dots;
    answer->errors = errors;
    return read_sizes(read_lighter(line + length, page), page);
}

TEST(engines_give_the_known_answers)
{
    FILE *file = fopen(TESTS "/known-answers.txt", "r");
    static struct known_answer answer;
    char line[MOST_LINE];
    unsigned pages = 0;

    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "row ", 4) == 0) {
            assert_true(answer.rows_drawn < MOST_DRAWN);
            snprintf(answer.drawn[answer.rows_drawn++], sizeof answer.drawn[0],
                     "%s", line + 4);
        } else if (line[0] != '#') {
            if (pages++ > 0)
                check_answer(&answer);
            assert_true(read_page(line, &answer));
        }
    fclose(file);
    assert_true(pages > 0);
    check_answer(&answer);
}
