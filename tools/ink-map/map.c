/*
 * map.c - the table of sums: count.c counts batches of rows, in helper
 * threads where there are some, and here their counts become rows of the table
 * and windows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <endian.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ink-map/map.h"

#define PLACES 10 /* of a window's side */

/* Windows of one size. */
struct size {
    struct ink_map_axis across, down;
    uint32_t *left, *right; /* [across.places]: knots of the windows */
    uint64_t *above; /* [kept][across.places]: the table at the right knot
                        less at the left one, where windows begin */
    uint32_t kept; /* rows of `above`, at least one for each window that is not
                      done */
    uint32_t top, row;     /* next row of places to begin, to end */
    uint32_t begins, ends; /* next places of next_event() to begin, to end */
};

struct helper {
    struct ink_map *map;
    uint32_t number; /* of its range */
    pthread_t thread;
};

struct ink_map {
    struct ink_map_job job;
    struct ink_count count;
    struct size size[INK_MAP_SIZES];
    struct ink_knot *knots;
    struct ink_range *ranges;
    struct ink_batch batch[2]; /* one comes in, and helpers count the other */
    uint8_t *planes[INK_MAP_INKS];
    uint64_t *table;  /* [knots]: the dots above and left of a knot, so far */
    uint64_t *sums;   /* [places] */
    uint32_t filling; /* the batch that comes in */
    uint32_t row;     /* rows of the page that have come in */
    uint32_t next;    /* row above which windows begin or end */
    uint32_t done;    /* rows that are in the table */
    struct helper helper[INK_MAP_THREADS];
    unsigned helpers;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t changed;
    uint64_t begun; /* batches that helpers were given */
    unsigned busy;  /* helpers that count the last of them */
    bool quit;
};

/* ---- Places ----------------------------------------------------------- */

struct ink_map_axis ink_map_axis(uint32_t pixels, double window)
{
    struct ink_map_axis axis = {.pixels = pixels, .window = 1, .step = 1};

    assert(pixels > 0);
    if (window > pixels)
        window = pixels;
    if (window >= 1)
        axis.window = (uint32_t)(window + 0.5);
    if (window >= PLACES)
        axis.step = (uint32_t)(window / PLACES);
    if (axis.window > pixels)
        axis.window = pixels;
    axis.places = (pixels - 1) / axis.step + 1;
    return axis;
}

uint32_t ink_map_begin(const struct ink_map_axis *axis, uint32_t place)
{
    uint32_t middle = place * axis->step + axis->step / 2;
    uint32_t half = axis->window / 2, most = axis->pixels - axis->window;
    uint32_t begin = middle > half ? middle - half : 0;

    return begin < most ? begin : most;
}

uint32_t ink_map_place(const struct ink_map_axis *axis, uint32_t place)
{
    uint32_t left = axis->pixels - place * axis->step;

    return left < axis->step ? left : axis->step;
}

/* ---- Knots and ranges --------------------------------------------------- */

/* Marks the columns where windows begin and end. */
static uint32_t mark_knots(const struct ink_map *map, uint8_t *marked)
{
    uint32_t knots = 0;

    for (unsigned s = 0; s < map->job.sizes; s++) {
        const struct ink_map_axis *across = &map->size[s].across;

        for (uint32_t i = 0; i < across->places; i++) {
            uint32_t begin = ink_map_begin(across, i);

            knots += !marked[begin];
            marked[begin] = 1;
            knots += !marked[begin + across->window];
            marked[begin + across->window] = 1;
        }
    }
    return knots;
}

static struct ink_knot knot_at(uint32_t x)
{
    unsigned within = x % INK_WORD_DOTS;
    uint64_t mask = within > 0 ? ~(UINT64_MAX >> within) : 0;

    return (struct ink_knot){htobe64(mask), x / INK_WORD_DOTS, x};
}

/* Numbers the marked columns, in `number`, and finds the windows' own. */
static void set_knots(struct ink_map *map, const uint8_t *marked,
                      uint32_t *number)
{
    uint32_t width = map->size[0].across.pixels, n = 0;

    for (uint32_t x = 0; x <= width; x++)
        if (marked[x]) {
            number[x] = n;
            map->knots[n++] = knot_at(x);
        }
    for (unsigned s = 0; s < map->job.sizes; s++) {
        struct size *size = &map->size[s];

        for (uint32_t i = 0; i < size->across.places; i++) {
            uint32_t begin = ink_map_begin(&size->across, i);

            size->left[i] = number[begin];
            size->right[i] = number[begin + size->across.window];
        }
    }
}

static bool make_knots(struct ink_map *map)
{
    size_t columns = (size_t)map->size[0].across.pixels + 1;
    uint8_t *marked = calloc(columns, 1);
    uint32_t *number = calloc(columns, sizeof *number);
    bool ok = marked != NULL && number != NULL;

    if (ok) {
        map->count.knots = mark_knots(map, marked);
        assert(map->count.knots > 0);
        map->knots = calloc(map->count.knots, sizeof *map->knots);
        map->count.knot = map->knots;
        ok = map->knots != NULL;
    }
    if (ok)
        set_knots(map, marked, number);
    free(marked);
    free(number);
    return ok;
}

/* Gives each range as many words, two at a time. */
static void set_ranges(struct ink_map *map)
{
    struct ink_count *count = &map->count;
    uint32_t knot = 0;

    for (uint32_t r = 0; r < count->ranges; r++) {
        struct ink_range *range = &map->ranges[r];
        uint64_t pairs = count->words / 2;

        range->begin = (uint32_t)(pairs * r / count->ranges) * 2;
        range->end = (uint32_t)(pairs * (r + 1) / count->ranges) * 2;
        range->first = knot;
        while (knot < count->knots && map->knots[knot].word < range->end)
            knot++;
        range->after = knot;
    }
}

/* ---- The table ---------------------------------------------------------- */

/* Returns the next row above which windows begin or end, below row `row`; the
 * page's height if there is none. Rows may only rise from call to call. */
static uint32_t next_event(struct ink_map *map, uint32_t row)
{
    uint32_t next = map->size[0].down.pixels;

    for (unsigned s = 0; s < map->job.sizes; s++) {
        struct size *size = &map->size[s];
        const struct ink_map_axis *down = &size->down;
        uint32_t at;

        for (; size->begins < down->places; size->begins++)
            if ((at = ink_map_begin(down, size->begins)) > row) {
                next = at < next ? at : next;
                break;
            }
        for (; size->ends < down->places; size->ends++)
            if ((at = ink_map_begin(down, size->ends) + down->window) > row) {
                next = at < next ? at : next;
                break;
            }
    }
    return next;
}

/* Keeps the row of the table at whose place windows begin. */
static void keep_row(const struct ink_map *map, struct size *size)
{
    uint64_t *above =
        size->above + (size_t)(size->top % size->kept) * size->across.places;

    for (uint32_t i = 0; i < size->across.places; i++)
        above[i] = map->table[size->right[i]] - map->table[size->left[i]];
    size->top++;
}

static void take_row(const struct ink_map *map, unsigned s, struct size *size)
{
    const uint64_t *above =
        size->above + (size_t)(size->row % size->kept) * size->across.places;

    for (uint32_t i = 0; i < size->across.places; i++)
        map->sums[i] =
            map->table[size->right[i]] - map->table[size->left[i]] - above[i];
    map->job.take(map->job.context, s, size->row, map->sums);
    size->row++;
}

/* Begins and ends windows above row `map->done`. */
static void look(struct ink_map *map)
{
    for (unsigned s = 0; s < map->job.sizes; s++) {
        struct size *size = &map->size[s];
        const struct ink_map_axis *down = &size->down;

        while (size->top < down->places &&
               ink_map_begin(down, size->top) == map->done)
            keep_row(map, size);
        while (size->row < down->places &&
               ink_map_begin(down, size->row) + down->window == map->done)
            take_row(map, s, size);
    }
}

/* Adds a batch that was counted. */
static void add_batch(struct ink_map *map, const struct ink_batch *batch)
{
    const struct ink_count *count = &map->count;
    uint32_t begin = map->done;

    for (uint32_t piece = 0; piece < batch->pieces; piece++) {
        const uint32_t *ranks = batch->ranks + (size_t)piece * count->knots;
        const uint32_t *totals = batch->totals + (size_t)piece * count->ranges;
        uint64_t before = 0;

        for (uint32_t r = 0; r < count->ranges; r++) {
            for (uint32_t i = map->ranges[r].first; i < map->ranges[r].after;
                 i++)
                map->table[i] += before + ranks[i];
            before += totals[r];
        }
        map->done = begin + batch->end[piece];
        look(map);
    }
}

/* ---- Threads ------------------------------------------------------------ */

static struct ink_batch *other(struct ink_map *map)
{
    return &map->batch[1 - map->filling];
}

/* Counts range `r`; a device counts all, and has one caller. */
static void count_range(struct ink_map *map, struct ink_batch *batch,
                        uint32_t r)
{
    const struct ink_map_job *job = &map->job;

    if (job->device == NULL ||
        !job->device(job->device_context, &map->count, batch))
        ink_count_range(&map->count, batch, r);
}

static void *help(void *context)
{
    struct helper *helper = context;
    struct ink_map *map = helper->map;
    uint64_t batch = 0;

    pthread_mutex_lock(&map->mutex);
    for (;;) {
        while (map->begun == batch && !map->quit)
            pthread_cond_wait(&map->changed, &map->mutex);
        if (map->quit)
            break;
        batch = map->begun;
        pthread_mutex_unlock(&map->mutex);
        count_range(map, other(map), helper->number);
        pthread_mutex_lock(&map->mutex);
        if (--map->busy == 0)
            pthread_cond_broadcast(&map->changed);
    }
    pthread_mutex_unlock(&map->mutex);
    return NULL;
}

/* Starts a helper for each thread beside the caller's, as far as the system
 * lets it; without any the caller counts. All signals are for the program's own
 * threads. */
static void start_helpers(struct ink_map *map)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (; map->helpers + 1 < map->job.threads; map->helpers++) {
        struct helper *helper = &map->helper[map->helpers];

        *helper = (struct helper){.map = map, .number = map->helpers};
        if (pthread_create(&helper->thread, NULL, help, helper) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void wait_for_helpers(struct ink_map *map)
{
    pthread_mutex_lock(&map->mutex);
    while (map->busy > 0)
        pthread_cond_wait(&map->changed, &map->mutex);
    pthread_mutex_unlock(&map->mutex);
}

static void stop_helpers(struct ink_map *map)
{
    pthread_mutex_lock(&map->mutex);
    map->quit = true;
    pthread_cond_broadcast(&map->changed);
    pthread_mutex_unlock(&map->mutex);
    for (unsigned i = 0; i < map->helpers; i++)
        pthread_join(map->helper[i].thread, NULL);
}

/* Makes the batch that has come in the other one, and lets helpers count it
 * while the one that they counted before goes into the table. */
static void hand_over(struct ink_map *map)
{
    wait_for_helpers(map);
    map->filling = 1 - map->filling;
    pthread_mutex_lock(&map->mutex);
    map->begun++;
    map->busy = map->helpers;
    pthread_cond_broadcast(&map->changed);
    pthread_mutex_unlock(&map->mutex);
    add_batch(map, &map->batch[map->filling]);
}

/* Counts a batch that has come in, now or soon. */
static void count_batch(struct ink_map *map)
{
    struct ink_batch *batch = &map->batch[map->filling];

    if (map->helpers > 0) {
        hand_over(map);
    } else {
        count_range(map, batch, 0);
        add_batch(map, batch);
    }
    map->batch[map->filling].rows = 0;
    map->batch[map->filling].pieces = 0;
    if (map->row == map->size[0].down.pixels && map->helpers > 0) {
        wait_for_helpers(map);
        add_batch(map, other(map));
    }
}

/* ---- Pages -------------------------------------------------------------- */

static void *array(size_t count, size_t size, bool *ok)
{
    void *memory;

    assert(count > 0);
    memory = calloc(count, size);
    *ok = *ok && memory != NULL;
    return memory;
}

static bool make_batch(const struct ink_count *count, struct ink_batch *batch)
{
    size_t bytes = (size_t)INK_BATCH_ROWS * count->inks * count->words *
                   sizeof *batch->dots;
    bool ok = true;

    batch->dots = aligned_alloc(16, bytes);
    batch->ranks =
        array((size_t)INK_BATCH_ROWS * count->knots, sizeof *batch->ranks, &ok);
    batch->totals = array((size_t)INK_BATCH_ROWS * count->ranges,
                          sizeof *batch->totals, &ok);
    batch->inks = array(count->ranges, sizeof *batch->inks, &ok);
    if (!ok || batch->dots == NULL)
        return false;
    memset(batch->dots, 0, bytes);
    return true;
}

static bool make_size(struct size *size, uint32_t *most)
{
    size_t places = size->across.places;
    bool ok = true;

    /* Keeps the rows of windows that have begun: a window's height of places,
     * and up to half as many at each end of the page, whose windows are moved
     * inwards. */
    size->kept = 2 * (size->down.window / size->down.step) + 5;
    if (size->kept > size->down.places)
        size->kept = size->down.places;
    size->left = array(places, sizeof *size->left, &ok);
    size->right = array(places, sizeof *size->right, &ok);
    size->above = array(places * size->kept, sizeof *size->above, &ok);
    *most = size->across.places > *most ? size->across.places : *most;
    return ok;
}

/* Makes all arrays, of a map whose helpers are known. */
static bool make(struct ink_map *map)
{
    struct ink_count *count = &map->count;
    uint32_t width = map->job.size[0].across.pixels, most = 0;
    bool ok = true;

    count->inks = map->job.inks;
    count->counted = map->job.counted;
    count->words = ink_count_words(width);
    count->ranges = map->helpers > 0 ? map->helpers : 1;
    for (unsigned s = 0; s < map->job.sizes; s++) {
        map->size[s].across = map->job.size[s].across;
        map->size[s].down = map->job.size[s].down;
        ok = make_size(&map->size[s], &most) && ok;
    }
    if (!ok || !make_knots(map))
        return false;
    map->ranges = array(count->ranges, sizeof *map->ranges, &ok);
    count->range = map->ranges;
    map->table = array(count->knots, sizeof *map->table, &ok);
    map->sums = array(most, sizeof *map->sums, &ok);
    ok = ok && make_batch(count, &map->batch[0]) &&
         (map->helpers == 0 || make_batch(count, &map->batch[1]));
    if (ok)
        set_ranges(map);
    return ok;
}

bool ink_map_open(struct ink_map **out, const struct ink_map_job *job)
{
    struct ink_map *map = calloc(1, sizeof *map);

    assert(job->inks >= 1 && job->inks <= INK_MAP_INKS);
    assert(job->threads >= 1 && job->threads <= INK_MAP_THREADS);
    assert(job->sizes >= 1 && job->sizes <= INK_MAP_SIZES);
    if (map == NULL)
        return false;
    map->job = *job;
    if (job->device != NULL && job->threads > 2)
        map->job.threads = 2;
    pthread_mutex_init(&map->mutex, NULL);
    pthread_cond_init(&map->changed, NULL);
    start_helpers(map);
    if (!make(map)) {
        ink_map_close(map);
        return false;
    }
    map->next = next_event(map, 0);
    look(map);
    *out = map;
    return true;
}

uint8_t *const *ink_map_row(struct ink_map *map)
{
    const struct ink_count *count = &map->count;
    const struct ink_batch *batch = &map->batch[map->filling];
    uint64_t *row =
        batch->dots + (size_t)batch->rows * count->inks * count->words;

    for (uint32_t k = 0; k < count->inks; k++)
        map->planes[k] = (uint8_t *)(row + (size_t)k * count->words);
    return map->planes;
}

void ink_map_count(struct ink_map *map)
{
    const uint32_t fit = INK_BATCH_DOTS / map->count.inks;
    const uint32_t most = fit < INK_BATCH_ROWS ? fit : INK_BATCH_ROWS;
    struct ink_batch *batch = &map->batch[map->filling];

    assert(map->row < map->size[0].down.pixels);
    map->row++;
    batch->rows++;
    if (map->row == map->next || batch->rows == most)
        batch->end[batch->pieces++] = batch->rows;
    if (map->row == map->next)
        map->next = next_event(map, map->row);
    if (batch->rows == most || map->row == map->size[0].down.pixels)
        count_batch(map);
}

uint64_t ink_map_dots(const struct ink_map *map, uint32_t ink)
{
    uint64_t dots = 0;

    for (unsigned i = 0; i < 2; i++)
        for (uint32_t r = 0; map->batch[i].inks && r < map->count.ranges; r++)
            dots += map->batch[i].inks[r][ink];
    return dots;
}

static void free_batch(struct ink_batch *batch)
{
    free(batch->dots);
    free(batch->ranks);
    free(batch->totals);
    free(batch->inks);
}

void ink_map_close(struct ink_map *map)
{
    if (map == NULL)
        return;
    stop_helpers(map);
    for (unsigned s = 0; s < map->job.sizes; s++) {
        free(map->size[s].left);
        free(map->size[s].right);
        free(map->size[s].above);
    }
    free_batch(&map->batch[0]);
    free_batch(&map->batch[1]);
    free(map->knots);
    free(map->ranges);
    free(map->table);
    free(map->sums);
    pthread_cond_destroy(&map->changed);
    pthread_mutex_destroy(&map->mutex);
    free(map);
}
