/*
 * test_engine.c - every engine against the reference, on each kind of pages of
 * engine_rows.h; and what opening an engine does.
 *
 *   test_engine [--engines NAME,...] [--rows PATTERN] [--bench] [MODULE]
 *
 * --engines leaves out the engines that are not named, --rows the rows of which
 * the name does not fit, with "*" for any text. --bench also prints how many
 * times as fast as cpu-plain each engine does each row. The engine of a MODULE
 * is tried, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <fnmatch.h>
#include <getopt.h>
#include <time.h>

#include "halftone/definition.h"
#include "test/cases.h"
#include "test/quick.h"
#include "test/unit/engine_rows.h"

#define REFERENCE ht_engine_names()[0]
#define PLAIN "cpu-plain"

#define EACH_ENGINE(name)                                                      \
    for (const char *const *name = ht_engine_names(); *name; name++)           \
        if (is_asked_for(*name))

/* Options of the command line. */
static const char *asked_for; /* names; NULL: all */
static bool bench;

static bool is_asked_for(const char *name)
{
    size_t length = strlen(name);
    const char *at = asked_for;

    while (at != NULL && (strncmp(at, name, length) != 0 ||
                          (at[length] != ',' && at[length] != '\0')))
        at = strchr(at, ',') == NULL ? NULL : strchr(at, ',') + 1;
    return asked_for == NULL || at != NULL;
}

/* ---- The loop ------------------------------------------------------------ */

void fill(struct checked_page *trial, enum content content)
{
    const ht_page_t *page = &trial->page;

    trial->samples = make_samples(content, page->width, trial->rows, page->inks,
                                  page->bits, trial->seed);
}

int16_t *begin_state(struct checked_page *trial, uint32_t rare)
{
    const ht_page_t *page = &trial->page;
    size_t known = (size_t)page->inks * page->width, all;
    ht_engine_t *engine = NULL;
    uint64_t seed = page->width;

    assert_int_equal(ht_engine_open(&engine, REFERENCE, page), HT_OK);
    all = ht_engine_state_lines(engine) * page->width;
    ht_engine_close(engine);
    trial->state = calloc(all, sizeof *trial->state);
    assert_non_null(trial->state);
    for (size_t i = known; rare > 0 && i < all; i++)
        if (random_below(&seed, rare) == 0) {
            int most = i < all - page->width ? 3 * HT_ONE / 8 : HT_ONE - 1;

            trial->state[i] =
                (int16_t)((int)random_below(&seed, 2u * most + 1) - most);
        }
    return trial->state;
}

/* Prints a trial, in bands of page->band rows, with `samples` for its own. */
static struct engine_result print(const char *name, const ht_page_t *page,
                                  const struct checked_page *trial,
                                  const uint8_t *samples)
{
    struct engine_result left = {poisoned(trial->rows * dot_row_bytes(page)), 0,
                                 0};
    size_t row_bytes = (size_t)page->inks * page->width * (page->bits / 8);
    uint64_t seed = trial->seed;
    uint8_t *dots = left.dots;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, name, page), HT_OK);
    if (trial->state != NULL)
        assert_int_equal(
            ht_engine_give_state(engine, trial->first, trial->state), HT_OK);
    for (size_t y = 0, count; y < trial->rows; y += count) {
        size_t ready = ht_engine_ready(engine);

        assert_int_equal(ht_engine_collect(engine, dots, ready), HT_OK);
        dots += ready * dot_row_bytes(page);
        count = trial->rows - y;
        count = count < page->band ? count : page->band;
        assert_int_equal(
            submit_rows(engine, page, samples + y * row_bytes, count, &seed),
            HT_OK);
    }
    assert_int_equal(ht_engine_end(engine), HT_OK);
    assert_int_equal(ht_engine_collect(engine, dots, ht_engine_ready(engine)),
                     HT_OK);
    left.state =
        state_behind(engine, page, trial->first + trial->rows, &left.lines);
    assert_null(ht_engine_trouble(engine));
    ht_engine_close(engine);
    return left;
}

static void free_outcome(struct engine_result *left)
{
    free(left->dots);
    free(left->state);
}

/* By the reference in one piece, of a page with curves from the samples that
 * it stands for. */
static struct engine_result print_wanted(const struct checked_page *trial)
{
    ht_page_t whole = trial->page;
    uint16_t *deep = take_curves(&whole, trial->samples, trial->rows);
    struct engine_result wanted;

    whole.band = (uint32_t)trial->rows;
    wanted = print(REFERENCE, &whole, trial,
                   deep != NULL ? (void *)deep : trial->samples);
    free(deep);
    return wanted;
}

/* In bands of any height, handed over from the one engine to the other. */
static void check_bands(const char *name, const char *heir,
                        const struct checked_page *trial, size_t handover,
                        const struct engine_result *wanted)
{
    const ht_page_t *page = &trial->page;
    uint8_t *got = poisoned(trial->rows * dot_row_bytes(page));

    halftone_page(name, heir, page, trial->samples, trial->rows, handover,
                  trial->seed, got);
    compare_dots(name, page, trial->rows, trial->seed, got, wanted->dots);
    free(got);
}

/* An engine leaves what is wanted: in equal bands, and, unless a state is
 * given, in others, from and to the reference. The reference itself has done
 * equal bands. */
static void check_engine(const char *name, const struct checked_page *trial,
                         const struct engine_result *wanted)
{
    const ht_page_t *page = &trial->page;
    uint64_t seed = trial->seed;
    size_t row = random_below(&seed, (uint32_t)trial->rows + 1);
    bool begins = trial->state == NULL;

    if (begins)
        check_bands(name, REFERENCE, trial, row, wanted);
    if (strcmp(name, REFERENCE) == 0)
        return;
    if (begins) {
        check_bands(name, name, trial, SIZE_MAX, wanted);
        check_bands(REFERENCE, name, trial, row, wanted);
    }
    struct engine_result got = print(name, page, trial, trial->samples);
    compare_dots(name, page, trial->rows, seed, got.dots, wanted->dots);
    compare_state(name, page, trial->rows, seed, got.state, wanted->state,
                  wanted->lines);
    free_outcome(&got);
}

/* Seconds of the pages of a row and method that an engine does, by it and by
 * cpu-plain. */
struct engine_times {
    double own, plain;
};

static double time_engine(const char *name, const struct checked_page *trial)
{
    struct timespec start, end;

    clock_gettime(CLOCK_MONOTONIC, &start);
    struct engine_result left =
        print(name, &trial->page, trial, trial->samples);
    clock_gettime(CLOCK_MONOTONIC, &end);
    free_outcome(&left);
    return (double)(end.tv_sec - start.tv_sec) +
           1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Adds the least of some times, by turns. */
static void add_times(const char *name, const struct checked_page *trial,
                      struct engine_times *times)
{
    struct engine_times least = {HUGE_VAL, HUGE_VAL};

    for (int i = 0; i < 7; i++) {
        least.plain = fmin(least.plain, time_engine(PLAIN, trial));
        least.own = fmin(least.own, time_engine(name, trial));
    }
    times->plain += least.plain;
    times->own += least.own;
}

static void check_page(const struct engine_row *row, uint32_t i,
                       struct engine_times times[][HT_METHODS])
{
    struct checked_page trial = {.seed = i + 1};

    case_is("page %u", i);
    row->make(&trial, i);
    struct engine_result wanted = print_wanted(&trial);
    EACH_ENGINE(name)
    {
        case_is("page %u, %s, %s, width %u, rows %zu, inks %u", i, *name,
                ht_method_info(trial.page.method)->choice, trial.page.width,
                trial.rows, trial.page.inks);
        if (!engine_can_do(*name, &trial.page))
            continue;
        check_engine(*name, &trial, &wanted);
        if (bench)
            add_times(*name, &trial,
                      &times[name - ht_engine_names()][trial.page.method]);
    }
    free_outcome(&wanted);
    free(trial.samples);
    free(trial.state);
    ht_table_free(trial.table);
}

static void print_times(const char *row,
                        const struct engine_times times[][HT_METHODS])
{
    EACH_ENGINE(name)
    for (ht_method_t method = 0; method < HT_METHODS; method++) {
        const struct engine_times *time =
            &times[name - ht_engine_names()][method];

        if (time->own > 0)
            print_message("# %6.2f %-10s %s, %s\n", time->plain / time->own,
                          *name, ht_method_info(method)->choice, row);
    }
}

static void check_row(const void *context)
{
    const struct engine_row *row = context;
    struct engine_times times[16][HT_METHODS] = {{{0}}};

    for (uint32_t i = 0; i < row->count; i += one_in(row->step))
        check_page(row, i, times);
    case_is("%s", "");
    print_times(row->name, times);
}

/* ---- Opening ------------------------------------------------------------- */

/* An allocation that is made to fail: the `fail_at`-th from now on, 0 = none.
 * The linker puts these in the place of calloc() and aligned_alloc(). */
static unsigned fail_at;
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (fail_at > 0 && --fail_at == 0)
        return NULL;
    return __real_calloc(count, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    if (fail_at > 0 && --fail_at == 0)
        return NULL;
    return __real_aligned_alloc(alignment, size);
}

static const ht_page_t good_page = {.width = 10,
                                    .inks = 1,
                                    .bits = 8,
                                    .segment = HT_DEFAULT_SEGMENT,
                                    .band = 4};

TEST(the_default_page_has_a_fast_engine)
{
    for (const char *const *name = ht_engine_names(); *name; name++)
        if (!engine_can_do(*name, &good_page))
            print_message("# SKIP %s: not on this machine\n", *name);

    ht_page_t page = good_page;
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_not_equal(ht_engine_name(engine), REFERENCE);
    ht_engine_close(engine);
}

/* No page waits for the reference: not even those of several sizes. */
TEST(every_method_has_a_fast_engine_for_several_sizes)
{
    ht_page_t page = good_page;

    page.area[0] = HT_WHOLE_DOT / 3;
    for (int method = 0; method < HT_METHODS; method++)
        for (page.levels = 3; page.levels <= HT_MAX_LEVELS; page.levels++) {
            ht_engine_t *engine = NULL;

            page.method = (ht_method_t)method;
            for (uint32_t i = 1; i < page.levels - 2; i++)
                page.area[i] = (uint16_t)(HT_WHOLE_DOT / 3 + i);
            page.area[page.levels - 2] = HT_WHOLE_DOT;
            case_is("%s, %u levels", ht_method_info(page.method)->choice,
                    page.levels);
            assert_int_equal(ht_engine_open(&engine, "cpu-plain", &page),
                             HT_OK);
            assert_string_equal(ht_engine_name(engine), "cpu-plain");
            ht_engine_close(engine);
        }
}

/* The pre-roll stands in for rows before the page; a state stands in for the
 * pre-roll, so a page can begin with no error at all: of a light tone, its
 * first row then has no dot. */
TEST(a_given_state_replaces_the_preroll)
{
    enum { WIDTH = 80 };
    const ht_page_t page = {.width = WIDTH,
                            .inks = 1,
                            .bits = 8,
                            .segment = HT_DEFAULT_SEGMENT,
                            .band = 1};
    static const int16_t errors[WIDTH];
    uint8_t tones[WIDTH], dots[WIDTH / 8];

    memset(tones, 27, sizeof tones);
    for (const char *const *name = ht_engine_names(); *name; name++)
        for (int given = 0; given < 2 && engine_can_do(*name, &page); given++) {
            ht_engine_t *engine = NULL;

            case_is("%s, %s", *name, given ? "a given state" : "the pre-roll");
            assert_int_equal(ht_engine_open(&engine, *name, &page), HT_OK);
            if (given)
                assert_int_equal(ht_engine_give_state(engine, 0, errors),
                                 HT_OK);
            assert_int_equal(ht_engine_submit(engine, tones, NULL, 1), HT_OK);
            assert_int_equal(ht_engine_end(engine), HT_OK);
            assert_int_equal(ht_engine_collect(engine, dots, 1), HT_OK);
            uint64_t count = count_dots(&page, dots, 0, 0, 1, 0, WIDTH);
            assert_between(count, given ? 0 : 1, given ? 0 : WIDTH);
            ht_engine_close(engine);
        }
}

static void check_failing_allocations(const char *name, const ht_page_t *page)
{
    for (unsigned n = 1; engine_can_do(name, page); n++) {
        ht_engine_t *engine = NULL;
        ht_status_t status;

        case_is("%s, %s, allocation %u", name,
                ht_method_info(page->method)->choice, n);
        fail_at = n;
        status = ht_engine_open(&engine, name, page);
        if (fail_at > 0) {
            fail_at = 0;
            assert_int_equal(status, HT_OK);
            ht_engine_close(engine);
            break;
        }
        assert_int_equal(status, HT_ERR_MEMORY);
        assert_null(engine);
    }
}

TEST(open_survives_every_failing_allocation)
{
    ht_page_t screen = good_page, inks = good_page, sizes = good_page;

    screen.method = HT_SCREEN;
    inks.inks = 2;
    sizes.bits = 16;
    sizes.levels = 3;
    sizes.area[0] = HT_WHOLE_DOT / 2;
    sizes.area[1] = HT_WHOLE_DOT;
    for (const char *const *name = ht_engine_names(); *name; name++) {
        check_failing_allocations(*name, &good_page);
        check_failing_allocations(*name, &screen);
        check_failing_allocations(*name, &inks);
        sizes.method = HT_TDFED4;
        check_failing_allocations(*name, &sizes);
        sizes.method = HT_FLOYD_STEINBERG;
        check_failing_allocations(*name, &sizes);
    }
}

/* Whoever asks for an engine by name gets it for each method that it has. */
TEST(engines_of_one_name_share_the_methods)
{
    ht_page_t page = good_page;

    EACH_METHOD (method, diffuses) {
        ht_engine_t *engine = NULL;

        page.method = (ht_method_t)method;
        case_is("%s", ht_method_info(page.method)->choice);
        page.segment = HT_DEFAULT_SEGMENT;
        assert_int_equal(ht_engine_open(&engine, "cpu-plain", &page), HT_OK);
        assert_string_equal(ht_engine_name(engine), "cpu-plain");
        ht_engine_close(engine);
    }
}

/* ---- The command line ---------------------------------------------------- */

void tests_begin(void)
{
    const struct engine_row *const lists[] = {any_rows, floyd_rows, sizes_rows};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const struct engine_row *row = lists[i]; row->name != NULL; row++)
            test_add((struct test){row->name, row->name, 0, check_row, row});
}

bool tests_options(int argc, char **argv)
{
    static const struct option options[] = {
        {"engines", required_argument, NULL, 'e'},
        {"rows", required_argument, NULL, 'r'},
        {"bench", no_argument, NULL, 'b'},
        {0}};
    int option;

    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
        switch (option) {
        case 'e':
            asked_for = optarg;
            break;
        case 'r':
            tests_pattern = optarg;
            break;
        case 'b':
            bench = true;
            break;
        default:
            return false;
        }
    return optind == argc || ht_engine_use_module(argv[optind]) == HT_OK;
}
