/*
 * chart_marks.c - finds the marks of a chart on a scan: the dark spots with a
 * dark spot in their middle.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/chart_scan.h"

#define MOST_SIDE                                                              \
    2200             /* pixels of the scan, made smaller, that is searched     \
                      */
#define LEAST_SPOT 3 /* pixels, each way: the square of a mark at 140 dpi */
#define MOST_SPOTS 4096
#define SAME_SHAPE 0.03 /* by which a scan's proportions may differ */

/* Dark pixels that touch. */
struct spot {
    double x, y; /* the center */
    uint32_t pixels;
    uint32_t size[2]; /* of the box around it */
};

/* A scan made smaller: the darkest channel of its pixels. */
struct small {
    uint32_t width, height, scale;
    uint8_t *value;  /* [height][width] */
    uint32_t *queue; /* [height * width], of pixels that touch */
};

static uint8_t darkest(const struct image *scan, uint64_t x, uint64_t y)
{
    const size_t first = (y * scan->width + x) * scan->channels;
    unsigned least = 255;

    for (size_t i = first; i < first + scan->channels; i++) {
        const unsigned value = scan->bits == 16
                                   ? ((const uint16_t *)scan->samples)[i] >> 8
                                   : ((const uint8_t *)scan->samples)[i];
        least = value < least ? value : least;
    }
    return (uint8_t)least;
}

static bool shrink(struct small *small, const struct image *scan)
{
    const uint32_t side =
        scan->width > scan->height ? scan->width : scan->height;
    const uint32_t scale = (side - 1) / MOST_SIDE + 1;

    *small = (struct small){scan->width / scale, scan->height / scale, scale,
                            NULL, NULL};
    const size_t pixels = (size_t)small->width * small->height;
    small->value = malloc(pixels);
    small->queue = malloc(pixels * sizeof *small->queue);
    if (pixels == 0 || small->value == NULL || small->queue == NULL)
        return false;
    for (size_t i = 0; i < pixels; i++) {
        const uint64_t x = i % small->width * scale;
        const uint64_t y = i / small->width * scale;
        uint64_t sum = 0;

        for (uint32_t j = 0; j < scale * scale; j++)
            sum += darkest(scan, x + j % scale, y + j / scale);
        small->value[i] = (uint8_t)(sum / scale / scale);
    }
    return true;
}

/* Returns the value between ink and paper: paper is most of a scan, and solids
 * are some thousandths of it. */
static uint8_t middle_of(const struct small *small)
{
    const size_t pixels = (size_t)small->width * small->height;
    size_t count[256] = {0}, sum = 0;
    int dark = -1, light = -1;

    for (size_t i = 0; i < pixels; i++)
        count[small->value[i]]++;
    for (int v = 0; v < 256; v++) {
        sum += count[v];
        if (dark < 0 && sum > pixels / 400)
            dark = v;
        if (light < 0 && sum > pixels / 4 * 3)
            light = v;
    }
    return (uint8_t)((dark + light + 1) / 2);
}

/* Takes the spot that `first` belongs to off the scan. */
static struct spot take_spot(struct small *small, uint32_t first, uint8_t dark)
{
    uint32_t left = UINT32_MAX, right = 0, top = UINT32_MAX, bottom = 0;
    uint32_t end = 0;
    double x_sum = 0, y_sum = 0;

    small->value[first] = 255;
    small->queue[end++] = first;
    for (uint32_t i = 0; i < end; i++) {
        const uint32_t at = small->queue[i];
        const uint32_t x = at % small->width, y = at / small->width;
        const uint32_t beside[] = {
            x > 0 ? at - 1 : at, x + 1 < small->width ? at + 1 : at,
            y > 0 ? at - small->width : at,
            y + 1 < small->height ? at + small->width : at};

        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
        x_sum += x;
        y_sum += y;
        for (int n = 0; n < 4; n++)
            if (small->value[beside[n]] < dark) {
                small->value[beside[n]] = 255;
                small->queue[end++] = beside[n];
            }
    }
    return (struct spot){(x_sum / end + 0.5) * small->scale,
                         (y_sum / end + 0.5) * small->scale,
                         end,
                         {right - left + 1, bottom - top + 1}};
}

/* Whether it is about as wide as high, and of a mark's size. */
static bool is_square(const struct spot *spot)
{
    const uint32_t w = spot->size[0], h = spot->size[1];

    return w >= LEAST_SPOT && h >= LEAST_SPOT && 3 * w <= 4 * h + 3 &&
           3 * h <= 4 * w + 3 && w <= MOST_SIDE / 10;
}

/* Returns the number of square spots, MOST_SPOTS + 1 when there are more. */
static unsigned find_spots(struct small *small, struct spot *spots)
{
    const uint32_t pixels = small->width * small->height;
    const uint8_t dark = middle_of(small);
    unsigned count = 0;

    for (uint32_t i = 0; i < pixels; i++)
        if (small->value[i] < dark) {
            const struct spot spot = take_spot(small, i, dark);

            if (is_square(&spot) && count++ < MOST_SPOTS)
                spots[count - 1] = spot;
        }
    return count > MOST_SPOTS ? MOST_SPOTS + 1 : count;
}

static double between(const struct spot *a, const struct spot *b)
{
    return hypot(a->x - b->x, a->y - b->y);
}

/* Whether the second spot is the square in the middle of the first, a ring. */
static bool is_mark(const struct spot *ring, const struct spot *square,
                    uint32_t scale)
{
    const double wide = ring->size[0], inner = square->size[0];

    return inner > 0.25 * wide && inner < 0.65 * wide &&
           between(ring, square) < 0.1 * wide * scale &&
           ring->pixels < 0.75 * wide * ring->size[1] &&
           square->pixels > 0.6 * inner * square->size[1];
}

/* Finds the rings around a square. Returns how many, at most `most`. */
static unsigned find_rings(const struct spot *spots, unsigned count,
                           uint32_t scale, const struct spot **rings,
                           unsigned most)
{
    unsigned found = 0;

    for (unsigned i = 0; i < count && found < most; i++)
        for (unsigned j = 0; j < count; j++)
            if (is_mark(&spots[i], &spots[j], scale)) {
                rings[found++] = &spots[i];
                break;
            }
    return found;
}

/* Puts three marks in their order: the first is where the sides meet, and the
 * second is behind the third, clockwise. */
static void order(const struct spot *m[CHART_MARKS])
{
    for (int i = 1; i < 3; i++)
        if (between(m[(i + 1) % 3], m[(i + 2) % 3]) > between(m[1], m[2])) {
            const struct spot *first = m[i];
            m[i] = m[0];
            m[0] = first;
        }
    if ((m[1]->x - m[0]->x) * (m[2]->y - m[0]->y) <
        (m[1]->y - m[0]->y) * (m[2]->x - m[0]->x)) {
        const struct spot *second = m[1];
        m[1] = m[2];
        m[2] = second;
    }
}

/* Finds the ring without a square, near where the others say it is. */
static const struct spot *find_last(const struct spot *spots, unsigned count,
                                    const struct spot *m[CHART_MARKS],
                                    uint32_t scale)
{
    const struct spot goal = {.x = m[1]->x + m[2]->x - m[0]->x,
                              .y = m[1]->y + m[2]->y - m[0]->y};
    const double wide = m[0]->size[0];

    for (unsigned i = 0; i < count; i++)
        if (fabs(spots[i].size[0] - wide) < 0.25 * wide + 2 &&
            fabs((double)spots[i].pixels - m[0]->pixels) < 0.4 * m[0]->pixels &&
            between(&spots[i], &goal) < 2 * wide * scale)
            return &spots[i];
    return NULL;
}

static bool check_shape(const struct spot *m[CHART_MARKS],
                        const struct chart *chart, struct refusal *refusal)
{
    const struct chart_solid first = chart_mark(chart, 0);
    const struct chart_solid last = chart_mark(chart, 3);
    const double across = between(m[0], m[1]) / (last.x - first.x);
    const double down = between(m[0], m[2]) / (last.y - first.y);

    if (fabs(across / down - 1) > SAME_SHAPE)
        return refuse(refusal, 0,
                      "the marks are not as far apart as on this chart: was "
                      "it printed on other paper?");
    return 72 * fmin(across, down) >= SCAN_LEAST_DPI ||
           refuse(refusal, 0,
                  "the scan has %.0f dots per inch: scan at 200 to 600",
                  72 * fmin(across, down));
}

static bool choose(struct scan_marks *marks, const struct spot *spots,
                   unsigned count, uint32_t scale, const struct chart *chart,
                   struct refusal *refusal)
{
    const struct spot *m[CHART_MARKS + 1];

    if (count > MOST_SPOTS)
        return refuse(refusal, 0, "this is no scan of a chart");
    const unsigned rings = find_rings(spots, count, scale, m, CHART_MARKS);
    if (rings != CHART_MARKS - 1)
        return refuse(refusal, 0,
                      "%s of the marks in the corners of the chart can be "
                      "found: scan the whole sheet, at 200 to 600 dots per "
                      "inch",
                      rings > 3   ? "more than three"
                      : rings > 0 ? "only some"
                                  : "none");
    order(m);
    m[3] = find_last(spots, count, m, scale);
    if (m[3] == NULL)
        return refuse(refusal, 0,
                      "the mark at the lower right of the chart cannot be "
                      "found");
    for (int i = 0; i < CHART_MARKS; i++) {
        marks->x[i] = m[i]->x;
        marks->y[i] = m[i]->y;
    }
    return check_shape(m, chart, refusal);
}

bool scan_find(struct scan_marks *marks, const struct image *scan,
               const struct chart *chart, struct refusal *refusal)
{
    struct spot *spots = malloc(MOST_SPOTS * sizeof *spots);
    struct small small = {0};
    bool ok = spots != NULL && shrink(&small, scan);

    if (ok)
        ok = choose(marks, spots, find_spots(&small, spots), small.scale, chart,
                    refusal);
    else
        refuse(refusal, 0, "not enough memory");
    free(small.value);
    free(small.queue);
    free(spots);
    return ok;
}
