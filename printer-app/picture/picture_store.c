/*
 * picture_store.c - each pixel that is kept is the mean of the area that it
 * covers of the file's, to the share of a pixel.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "printer-app/picture/picture_memory.h"
#include "printer-app/picture/picture_store.h"

static double seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct picture_end picture_end(void)
{
    return (struct picture_end){
        .cpu = seconds(CLOCK_THREAD_CPUTIME_ID) + PICTURE_MOST_SECONDS,
        .clock = seconds(CLOCK_MONOTONIC) + PICTURE_MOST_SECONDS};
}

/* Asks the clock first: a thread has no more of its processor's time, and that
 * is a call of the kernel's for each line. */
static bool is_over(struct picture_end end)
{
    return seconds(CLOCK_MONOTONIC) > end.clock &&
           seconds(CLOCK_THREAD_CPUTIME_ID) > end.cpu;
}

bool picture_goes_on(const struct picture_reader *reader,
                     struct picture_end end, char why[PICTURE_WHY])
{
    if (reader->is_canceled(reader->context))
        snprintf(why, PICTURE_WHY, "canceled");
    else if (is_over(end))
        snprintf(why, PICTURE_WHY, "it takes more than %d seconds",
                 PICTURE_MOST_SECONDS);
    else
        return true;
    return false;
}

static uint32_t within(uint32_t value, uint32_t most)
{
    return value < 1 ? 1 : value > most ? most : value;
}

bool picture_plan_of(struct picture_plan *plan, const struct picture_head *head,
                     const struct picture_reader *reader, char why[PICTURE_WHY])
{
    if ((uint64_t)head->width * head->height > PICTURE_MOST_PIXELS) {
        snprintf(why, PICTURE_WHY, "%u by %u pixels are too many", head->width,
                 head->height);
        return false;
    }
    *plan = (struct picture_plan){head->width, head->height, head->pose,
                                  head->color};
    if (!reader->plan(reader->context, head, plan)) {
        snprintf(why, PICTURE_WHY, "no sheet fits it");
        return false;
    }
    plan->color = plan->color && head->color;
    plan->width = within(plan->width, head->width);
    plan->height = within(plan->height, head->height);

    const double over = (double)plan->width * plan->height *
                        (plan->color ? 3 : 1) / (double)PICTURE_MOST_BYTES;
    if (over > 1) {
        /* One that is very long becomes thin first. */
        plan->width = within((uint32_t)(plan->width / sqrt(over)), plan->width);
        plan->height =
            within((uint32_t)((double)PICTURE_MOST_BYTES /
                              ((double)plan->width * (plan->color ? 3 : 1))),
                   plan->height);
    }
    return true;
}

bool picture_store_open(struct picture_store *store, struct picture *picture,
                        const struct picture_plan *plan, uint32_t width,
                        uint32_t height, char why[PICTURE_WHY])
{
    const bool across = (plan->pose & POSE_ACROSS) != 0;
    const size_t samples = (size_t)plan->width * (plan->color ? 3 : 1);

    picture->width = across ? plan->height : plan->width;
    picture->height = across ? plan->width : plan->height;
    picture->depth = plan->color ? 3 : 1;
    *store = (struct picture_store){.picture = picture,
                                    .from = {width, height},
                                    .to = {plan->width, plan->height},
                                    .pose = plan->pose,
                                    .line = malloc(samples),
                                    .across = calloc(samples, sizeof(uint32_t)),
                                    .down = calloc(samples, sizeof(uint64_t))};
    if (picture_memory_take(picture) && store->line != NULL &&
        store->across != NULL && store->down != NULL)
        return true;
    snprintf(why, PICTURE_WHY, "not enough memory");
    return false;
}

void picture_store_close(struct picture_store *store)
{
    free(store->line);
    free(store->across);
    free(store->down);
    store->line = NULL;
    store->across = NULL;
    store->down = NULL;
}

/* Writes a line of pixels where the next one lies. */
static void put(struct picture_store *store, const uint8_t *line)
{
    struct picture *picture = store->picture;
    const size_t depth = picture->depth;
    const bool across = (store->pose & POSE_ACROSS) != 0;
    size_t x = across ? store->kept : 0, y = across ? 0 : store->kept;
    ptrdiff_t step = (ptrdiff_t)(across ? picture->width * depth : depth);

    /* Where the line's first pixel goes, and from there the next one. */
    if ((store->pose & POSE_LEFT) != 0)
        x = picture->width - 1 - x;
    if ((store->pose & POSE_UP) != 0)
        y = picture->height - 1 - y;
    if ((store->pose & (across ? POSE_UP : POSE_LEFT)) != 0)
        step = -step;

    uint8_t *to = picture->pixels + (y * picture->width + x) * depth;

    store->kept++;
    if (step == (ptrdiff_t)depth) {
        memcpy(to, line, store->to[0] * depth);
        return;
    }
    for (size_t i = 0; i < store->to[0]; i++)
        for (size_t c = 0; c < depth; c++)
            to[(ptrdiff_t)i * step + (ptrdiff_t)c] = *line++;
}

/* Keeps the sums of lines, each of which counts `whole` in all, as the next
 * line of pixels, and clears them. */
static void keep(struct picture_store *store)
{
    const size_t samples = (size_t)store->to[0] * store->picture->depth;
    const uint64_t whole = (uint64_t)store->from[0] * store->from[1];

    assert(whole > 0);
    for (size_t i = 0; i < samples; i++)
        store->line[i] = (uint8_t)((store->down[i] + whole / 2) / whole);
    memset(store->down, 0, samples * sizeof *store->down);
    put(store, store->line);
}

/* Reduces a line to sums of shares: a pixel of `from` has to[0] of them, one of
 * `to` from[0]. */
static void reduce(struct picture_store *store, const uint8_t *line)
{
    const uint32_t depth = store->picture->depth;
    const uint32_t few = store->to[0], many = store->from[0];
    uint32_t *sum = store->across;
    uint32_t left = many; /* shares that the pixel still wants */

    memset(sum, 0, (size_t)few * depth * sizeof *sum);
    for (uint32_t x = 0; x < many; x++, line += depth) {
        const uint32_t first = few < left ? few : left;

        for (uint32_t c = 0; c < depth; c++)
            sum[c] += line[c] * first;
        left -= first;
        if (left > 0)
            continue;
        sum += depth;
        left = many - (few - first);
        for (uint32_t c = 0; few > first && c < depth; c++)
            sum[c] += line[c] * (few - first);
    }
}

static void add(struct picture_store *store, uint32_t shares)
{
    const size_t samples = (size_t)store->to[0] * store->picture->depth;

    for (size_t i = 0; shares > 0 && i < samples; i++)
        store->down[i] += (uint64_t)store->across[i] * shares;
}

void picture_store_line(struct picture_store *store, const uint8_t *line)
{
    const uint64_t few = store->to[1], many = store->from[1];
    const uint64_t begin = store->next * few; /* in shares of lines */
    const uint64_t end = (store->kept + 1) * many;
    const uint32_t first = (uint32_t)(end - begin < few ? end - begin : few);

    store->next++;
    if (store->from[0] == store->to[0] && store->from[1] == store->to[1]) {
        put(store, line);
        return;
    }
    reduce(store, line);
    add(store, first);
    if (begin + few < end)
        return;
    keep(store);
    add(store, (uint32_t)few - first);
}
