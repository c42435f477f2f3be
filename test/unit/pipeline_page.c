/*
 * pipeline_page.c - a page for the filter's stages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "page/header.h"
#include "test/unit/pipeline_page.h"

static uint8_t sample(size_t row, size_t i)
{
    return (uint8_t)((row * 7919 + i * 104729) >> 3);
}

int temporary_file(void)
{
    FILE *file = tmpfile();
    int fd;

    assert_non_null(file);
    fd = dup(fileno(file));
    assert_true(fd >= 0);
    fclose(file);
    return fd;
}

/* A CMYK raster of `lines` of the `height` lines that its header promises. */
static int input_of(const cups_page_header2_t *header, size_t lines)
{
    cups_page_header2_t leaves = *header;
    int fd = temporary_file();
    cups_raster_t *raster = cupsRasterOpen(fd, CUPS_RASTER_WRITE);
    unsigned char line[LINE];

    assert_true(cupsRasterWriteHeader2(raster, &leaves));
    for (size_t row = 0; row < lines; row++) {
        for (size_t i = 0; i < LINE; i++)
            line[i] = sample(row, i);
        assert_int_equal(cupsRasterWritePixels(raster, line, LINE), LINE);
    }
    cupsRasterClose(raster);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    return fd;
}

void open_page(struct pipeline_page *page, uint32_t height, size_t lines,
               uint32_t band, int out)
{
    char why[LAYOUT_WHY];

    lines_read = 0;
    *page =
        (struct pipeline_page){.header = {.HWResolution = {600, 600},
                                          .cupsWidth = WIDTH,
                                          .cupsHeight = height,
                                          .cupsBitsPerColor = 8,
                                          .cupsBitsPerPixel = 32,
                                          .cupsBytesPerLine = LINE,
                                          .cupsColorSpace = CUPS_CSPACE_KCMY,
                                          .cupsNumColors = 4},
                               .engine = {.submits = NEVER, .collects = NEVER}};
    assert_true(layout_read(&page->layout, &page->header,
                            &(struct leaving){.banded = true}, why));
    page->lines =
        (struct framed_lines){.in = &page->in, .frame = &page->layout.frame};
    assert_true(stream_open_input(&page->in, input_of(&page->header, lines)));
    assert_int_equal(stream_read_header(&page->in, &page->header), STREAM_PAGE);
    header_of_dots(&page->header, &page->layout);
    if (stream_open_output(&page->out, out, false))
        stream_write_header(&page->out, &page->header);
    assert_true(
        output_open(&page->output, &page->layout, &page->out, band, false));
    assert_true(ink_init(&page->ink, &INK_AS_IT_IS, &(struct ink_tables){0}, 4,
                         page->layout.width, 8));
    page->pipeline = pipeline_open(&page->layout, &page->ink, band);
    assert_non_null(page->pipeline);
    page->engine.ink = malloc(height * LINE);
    assert_non_null(page->engine.ink);
}

void *write_page(void *context)
{
    struct pipeline_page *page = context;

    pipeline_start(page->pipeline, &page->engine);
    pipeline_write(page->pipeline, &page->output);
    page->outcome = pipeline_finish(page->pipeline);
    return NULL;
}

void run_page(struct pipeline_page *page)
{
    pthread_t writer;

    assert_int_equal(pthread_create(&writer, NULL, write_page, page), 0);
    page->whole = pipeline_read(page->pipeline, &page->lines, &page->engine);
    pthread_join(writer, NULL);
    assert_int_equal(page->whole, page->outcome.read == page->layout.lines);
}

void close_page(struct pipeline_page *page)
{
    pipeline_close(page->pipeline);
    output_close(&page->output);
    stream_close(&page->in);
    stream_close(&page->out);
    close(page->in.fd);
    close(page->out.fd);
    free(page->engine.ink);
}

void check_page(const struct pipeline_page *page, size_t rows)
{
    cups_page_header2_t header;
    cups_raster_t *raster;
    unsigned char line[DOTS];

    assert_int_equal(lseek(page->out.fd, 0, SEEK_SET), 0);
    raster = cupsRasterOpen(page->out.fd, CUPS_RASTER_READ);
    assert_true(cupsRasterReadHeader2(raster, &header));
    for (size_t row = 0; row < page->layout.height; row++) {
        assert_int_equal(cupsRasterReadPixels(raster, line, DOTS), DOTS);
        for (size_t i = 0; i < LINE; i++) {
            /* Banded dots from chunked samples. */
            size_t at = i / 4 + i % 4 * WIDTH;

            assert_int_equal(line[at / 8] >> (7 - at % 8) & 1,
                             row < rows && sample(row, i) >= 128);
        }
    }
    cupsRasterClose(raster);
}
