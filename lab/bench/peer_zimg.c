/*
 * peer_zimg.c - zimg's depth conversion with error diffusion.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "lab/bench/peer_zimg.h"

#ifdef HAVE_ZIMG
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zimg.h>

#define ALIGN 64u
#define STRIDE ((PAGE_WIDTH + ALIGN - 1) / ALIGN * ALIGN)
#define LINES_OUT 64u /* they are overwritten, as a reader would take them */
#define REPEATS 4u    /* of the content: most of a page */

struct zimg {
    zimg_filter_graph *graph;
    uint8_t *in, *out; /* [inks][CONTENT_ROWS][STRIDE], [LINES_OUT][STRIDE] */
    void *working;
    uint32_t inks;
};

static bool open_graph(struct zimg *g)
{
    zimg_graph_builder_params params;
    zimg_image_format from, to;
    size_t size;

    zimg_image_format_default(&from, ZIMG_API_VERSION);
    from.width = PAGE_WIDTH;
    from.height = CONTENT_ROWS;
    from.pixel_type = ZIMG_PIXEL_BYTE;
    from.color_family = ZIMG_COLOR_GREY;
    from.pixel_range = ZIMG_RANGE_FULL;
    from.depth = 8;
    to = from;
    to.depth = 1;
    zimg_graph_builder_params_default(&params, ZIMG_API_VERSION);
    params.dither_type = ZIMG_DITHER_ERROR_DIFFUSION;
    params.cpu_type = ZIMG_CPU_AUTO_64B;
    g->graph = zimg_filter_graph_build(&from, &to, &params);
    if (g->graph == NULL ||
        zimg_filter_graph_get_tmp_size(g->graph, &size) != ZIMG_ERROR_SUCCESS)
        return false;
    g->working = aligned_alloc(ALIGN, (size + ALIGN) / ALIGN * ALIGN);
    return g->working != NULL;
}

static bool copy_planes(struct zimg *g, const uint8_t *samples)
{
    size_t plane = (size_t)CONTENT_ROWS * STRIDE;

    g->in = aligned_alloc(ALIGN, g->inks * plane);
    g->out = aligned_alloc(ALIGN, LINES_OUT * STRIDE);
    if (g->in == NULL || g->out == NULL)
        return false;
    for (uint32_t y = 0; y < CONTENT_ROWS; y++)
        for (uint32_t ink = 0; ink < g->inks; ink++)
            memcpy(g->in + ink * plane + (size_t)y * STRIDE,
                   samples + ((size_t)y * g->inks + ink) * PAGE_WIDTH,
                   PAGE_WIDTH);
    return true;
}

static double run_planes(void *context)
{
    const struct zimg *g = context;
    zimg_image_buffer_const from = {.version = ZIMG_API_VERSION};
    zimg_image_buffer to = {.version = ZIMG_API_VERSION};
    double start = now();

    to.plane[0].data = g->out;
    to.plane[0].stride = STRIDE;
    to.plane[0].mask = LINES_OUT - 1;
    from.plane[0].stride = STRIDE;
    from.plane[0].mask = ZIMG_BUFFER_MAX;
    for (uint32_t i = 0; i < REPEATS * g->inks; i++) {
        from.plane[0].data =
            g->in + (size_t)(i % g->inks) * CONTENT_ROWS * STRIDE;
        if (zimg_filter_graph_process(g->graph, &from, &to, g->working, NULL,
                                      NULL, NULL, NULL) != ZIMG_ERROR_SUCCESS)
            return -1;
    }
    return now() - start;
}

void zimg_leave(struct zimg *g)
{
    if (g == NULL)
        return;
    zimg_filter_graph_free(g->graph);
    free(g->working);
    free(g->in);
    free(g->out);
    free(g);
}

struct zimg *zimg_enter(struct contest *contest, struct bench_report *report,
                        enum content content, const uint8_t *samples,
                        uint32_t inks, double budget)
{
    struct zimg *g = calloc(1, sizeof *g);
    struct contender contender = {
        .result = {.kind = PEER,
                   .name = "zimg",
                   .method = "fs",
                   .content = content_names[content],
                   .inks = inks,
                   .threads = 1,
                   .pixels =
                       (double)REPEATS * inks * CONTENT_ROWS * PAGE_WIDTH},
        .run = run_planes,
        .context = g,
        .least = LEAST_RUNS,
        .budget = budget,
        .else_missing = "does not work here"};
    unsigned version[3];

    if (g == NULL)
        return NULL;
    g->inks = inks;
    if (!open_graph(g) || !copy_planes(g, samples)) {
        report_missing(report, "zimg", contender.else_missing);
        zimg_leave(g);
        return NULL;
    }
    zimg_get_version_info(&version[0], &version[1], &version[2]);
    snprintf(contender.result.version, sizeof contender.result.version,
             "%u.%u.%u", version[0], version[1], version[2]);
    contest_add(contest, &contender);
    return g;
}

#else

struct zimg *zimg_enter(struct contest *contest, struct bench_report *report,
                        enum content content, const uint8_t *samples,
                        uint32_t inks, double budget)
{
    (void)contest;
    (void)samples;
    (void)budget;
    if (content == PHOTO && inks == 1)
        report_missing(report, "zimg", "not installed (libzimg-dev)");
    return NULL;
}

void zimg_leave(struct zimg *zimg)
{
    (void)zimg;
}

#endif
