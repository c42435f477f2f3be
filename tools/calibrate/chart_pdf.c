/*
 * chart_pdf.c - the chart as a page of PDF.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/calibrate/chart.h"
#include "tools/calibrate/numbers.h"

/* Black is gray, which every queue gets as so much K. Of K in CMYK a queue that
 * prints gray gets what the RIP's profile makes of it: of the solid 87 %. */
static void set_color(FILE *file, const struct chart_patch *p)
{
    if (p->ink == 'K') {
        fprintf(file, "%.4f g ", 1 - p->percent / 100);
        return;
    }
    for (const char *ink = CHART_INKS; *ink != '\0'; ink++)
        fprintf(file, "%.4f ", *ink == p->ink ? p->percent / 100 : 0);
    fputs("k ", file);
}

static void write_patch(const struct chart *chart, FILE *file,
                        const struct chart_patch *p)
{
    double bottom = chart->height - p->y - p->height;
    char label[CHART_LABEL_BYTES];

    chart_label(p, label);
    set_color(file, p);
    fprintf(file, "%.2f %.2f %.2f %.2f re f\n", p->x, bottom, p->width,
            p->height);
    fprintf(file, "0 g BT /F 7 Tf %.2f %.2f Td (%s) Tj ET\n", p->x,
            bottom - 7.5, label);
}

static void set_solid(FILE *file, const char *inks)
{
    if (strcmp(inks, "K") == 0)
        fputs("0 g ", file);
    else
        fprintf(file, "%d %d %d 0 k ", strchr(inks, 'C') != NULL,
                strchr(inks, 'M') != NULL, strchr(inks, 'Y') != NULL);
}

static void write_marks(const struct chart *chart, FILE *file)
{
    set_solid(file, chart_dark(chart));
    for (unsigned i = 0; i < CHART_MARKS && !chart->eye; i++) {
        struct chart_solid parts[CHART_MARK_PARTS];
        const unsigned count = chart_mark_parts(chart, i, parts);

        for (unsigned p = 0; p < count; p++)
            fprintf(file, "%.4f %.4f %.4f %.4f re f\n", parts[p].x,
                    chart->height - parts[p].y - parts[p].height,
                    parts[p].width, parts[p].height);
    }
}

/* Writes lines as a mask, a byte a pitch: a RIP makes rectangles up to a pixel
 * wider. */
static void write_lines(const struct chart *chart, FILE *file)
{
    for (unsigned i = 0; i < chart_grays(chart); i++) {
        const struct chart_gray g = chart_gray(chart, i);
        const unsigned pitches = (unsigned)(g.width / g.pitch);

        set_solid(file, g.inks);
        fprintf(file,
                "q %.4f 0 0 %.4f %.4f %.4f cm BI /W %u /H 1 /BPC 1 /IM true "
                "/F /AHx ID\n",
                pitches * g.pitch, g.height, g.x,
                chart->height - g.y - g.height, 8 * pitches);
        for (unsigned p = 0; p < pitches; p++)
            fprintf(file, "%02x", 0xffu >> lround(8 * g.share));
        fputs(">\nEI Q\n", file);
    }
}

static void write_content(const struct chart *chart, FILE *file)
{
    double margin = chart_gray(chart, 0).x;

    fprintf(file,
            "0 g BT /F 14 Tf %.2f %.2f Td (%s) Tj ET\nBT /F 8 Tf %.2f %.2f Td "
            "(Print at 100 %% size with HalftoneCurve=None; let it dry; %s) Tj "
            "ET\n",
            margin, chart->height - margin - 12,
            chart->eye ? "Tints within lines of ink, by eye"
                       : "Steps of ink, in percent",
            margin, chart->height - margin - 26,
            chart->eye ? "in each row note the tint that vanishes from 3 m."
                       : "measure each patch.");
    write_marks(chart, file);
    write_lines(chart, file);
    for (unsigned i = 0; i < chart_patches(chart); i++) {
        struct chart_patch patch = chart_patch(chart, i);
        write_patch(chart, file, &patch);
    }
}

/* Begins object `number` and notes where. */
static void begin_object(FILE *file, long *offset, int number)
{
    offset[number] = ftell(file);
    fprintf(file, "%d 0 obj\n", number);
}

/* Catalog, pages, page, font and content, which is `bytes` at `content`. */
static void write_objects(const struct chart *chart, FILE *file,
                          const char *content, size_t bytes)
{
    static const char *const fixed[] = {
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"};
    static const int numbers[] = {1, 2, 4};
    long offset[6] = {0};

    fputs("%PDF-1.4\n", file);
    for (int i = 0; i < 3; i++) {
        begin_object(file, offset, numbers[i]);
        fprintf(file, "%s\nendobj\n", fixed[i]);
    }
    begin_object(file, offset, 3);
    fprintf(file,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %g %g]\n"
            "/Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>\n"
            "endobj\n",
            chart->width, chart->height);
    begin_object(file, offset, 5);
    fprintf(file, "<< /Length %zu >>\nstream\n", bytes);
    fwrite(content, 1, bytes, file);
    fputs("endstream\nendobj\n", file);

    long start = ftell(file);
    fputs("xref\n0 6\n0000000000 65535 f \n", file);
    for (int i = 1; i < 6; i++)
        fprintf(file, "%010ld 00000 n \n", offset[i]);
    fprintf(file,
            "trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n%ld\n%%%%EOF\n",
            start);
}

/* Written to memory first, so that a pipe knows its offsets too. */
bool chart_write_pdf(const struct chart *chart, FILE *out)
{
    struct numbers numbers = numbers_begin();
    char *content = NULL, *pdf = NULL;
    size_t content_bytes = 0, pdf_bytes = 0;
    FILE *file = open_memstream(&content, &content_bytes);
    bool ok = file != NULL;

    if (ok) {
        write_content(chart, file);
        ok = fclose(file) == 0;
    }
    file = ok ? open_memstream(&pdf, &pdf_bytes) : NULL;
    ok = file != NULL;
    if (ok) {
        write_objects(chart, file, content, content_bytes);
        ok = fclose(file) == 0;
    }
    ok = ok && fwrite(pdf, 1, pdf_bytes, out) == pdf_bytes;
    free(content);
    free(pdf);
    numbers_end(numbers);
    return ok;
}
