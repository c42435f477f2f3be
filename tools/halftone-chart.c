/*
 * halftone-chart.c - a page of steps of each ink, as PDF, to print and to
 * measure: doc/user/calibration.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"

#define INKS "CMYK" /* in the order of setcmykcolor */
#define COLUMNS 11
#define MIN_STEPS 3
#define MAX_STEPS 51

/* In points, 1/72 inch. */
#define MARGIN 48.0
#define TITLE 40.0   /* from the upper margin to the patches */
#define GAP 3.0      /* between patches */
#define LABEL 10.0   /* below a row of patches, for their percents */
#define TALLEST 52.0 /* a patch; shorter when many have to fit */

static const struct paper {
    const char *name;
    double width, height;
} papers[] = {{"A4", 595, 842}, {"Letter", 612, 792}};

struct chart {
    const struct paper *paper;
    const char *inks; /* each a letter of INKS, once */
    uint32_t steps;
    bool layout; /* CSV instead of PDF */
    const char *out;
};

/* Where a patch is, from the sheet's upper left corner. */
struct patch {
    char ink;
    double percent;
    double x, y, width, height;
};

/* ---- The patches ------------------------------------------------------ */

static unsigned count_patches(const struct chart *chart)
{
    return chart->steps * (unsigned)strlen(chart->inks);
}

/* Each ink begins a row of its own. */
static struct patch patch_at(const struct chart *chart, unsigned number)
{
    const struct paper *paper = chart->paper;
    unsigned ink = number / chart->steps, step = number % chart->steps;
    unsigned rows = (chart->steps - 1) / COLUMNS + 1, row = step / COLUMNS;
    double pitch_x = (paper->width - 2 * MARGIN + GAP) / COLUMNS;
    double pitch_y = (paper->height - 2 * MARGIN - TITLE) /
                     (double)(rows * strlen(chart->inks));

    if (pitch_y > TALLEST + LABEL + GAP)
        pitch_y = TALLEST + LABEL + GAP;
    return (struct patch){.ink = chart->inks[ink],
                          .percent = 100.0 * step / (chart->steps - 1),
                          .x = MARGIN + step % COLUMNS * pitch_x,
                          .y = MARGIN + TITLE + (ink * rows + row) * pitch_y,
                          .width = pitch_x - GAP,
                          .height = pitch_y - LABEL - GAP};
}

static void write_layout(const struct chart *chart, FILE *file)
{
    fputs("ink,percent,x,y,width,height\n", file);
    for (unsigned i = 0; i < count_patches(chart); i++) {
        struct patch p = patch_at(chart, i);
        fprintf(file, "%c,%.4g,%.2f,%.2f,%.2f,%.2f\n", p.ink, p.percent, p.x,
                p.y, p.width, p.height);
    }
}

/* ---- PDF -------------------------------------------------------------- */

/* Black is gray, which every queue gets as so much K. Of K in CMYK a queue that
 * prints gray gets what the RIP's profile makes of it: of the solid 87 %. */
static void set_color(FILE *file, const struct patch *p)
{
    if (p->ink == 'K') {
        fprintf(file, "%.4f g ", 1 - p->percent / 100);
        return;
    }
    for (const char *ink = INKS; *ink != '\0'; ink++)
        fprintf(file, "%.4f ", *ink == p->ink ? p->percent / 100 : 0);
    fputs("k ", file);
}

static void write_patch(const struct chart *chart, FILE *file,
                        const struct patch *p)
{
    double bottom = chart->paper->height - p->y - p->height;

    set_color(file, p);
    fprintf(file, "%.2f %.2f %.2f %.2f re f\n", p->x, bottom, p->width,
            p->height);
    fprintf(file, "0 g BT /F 7 Tf %.2f %.2f Td (%c %.4g) Tj ET\n", p->x,
            bottom - 7.5, p->ink, p->percent);
}

static void write_content(const struct chart *chart, FILE *file)
{
    fprintf(file,
            "0 g BT /F 14 Tf %.2f %.2f Td (Steps of ink, in percent) Tj "
            "ET\nBT /F 8 Tf %.2f %.2f Td (Print at 100 %% size with "
            "HalftoneCurve=None; let it dry; measure each patch.) Tj ET\n",
            MARGIN, chart->paper->height - MARGIN - 12, MARGIN,
            chart->paper->height - MARGIN - 26);
    for (unsigned i = 0; i < count_patches(chart); i++) {
        struct patch patch = patch_at(chart, i);
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
            chart->paper->width, chart->paper->height);
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
static bool write_pdf(const struct chart *chart, FILE *out)
{
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
    return ok;
}

static bool write_chart(const struct chart *chart)
{
    bool ok = true;
    FILE *file =
        strcmp(chart->out, "-") == 0 ? stdout : fopen(chart->out, "wb");

    if (file == NULL)
        return command_complain(chart->out, strerror(errno));
    if (chart->layout)
        write_layout(chart, file);
    else
        ok = write_pdf(chart, file);
    return command_close(file, ok, chart->out);
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: halftone-chart [OPTION]... OUT.pdf\n"
    "Writes a page of patches, each ink from 0 to 100 percent, to print\n"
    "and to measure. \"-\" is standard output.\n"
    "\n"
    "  --inks LETTERS  of CMYK (KCMY)\n"
    "  --steps N       of an ink, 3 to 51 (21)\n"
    "  --paper NAME    A4 or Letter (A4)\n"
    "  --layout        writes where the patches are, in points from the\n"
    "                  upper left, as CSV instead\n"
    "  --help, --version\n";

static bool choose_inks(struct chart *chart, const char *inks)
{
    for (const char *ink = inks; *ink != '\0'; ink++)
        if (strchr(INKS, *ink) == NULL || strchr(ink + 1, *ink) != NULL)
            return command_complain("--inks", "not letters of CMYK");
    chart->inks = inks;
    return *inks != '\0' || command_complain("--inks", "none");
}

static bool choose_paper(struct chart *chart, const char *name)
{
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++)
        if (strcmp(papers[i].name, name) == 0) {
            chart->paper = &papers[i];
            return true;
        }
    return command_complain("--paper", "neither A4 nor Letter");
}

static bool parse_options(struct chart *chart, int argc, char **argv)
{
    static const struct option names[] = {
        {"inks", required_argument, NULL, 'i'},
        {"steps", required_argument, NULL, 's'},
        {"paper", required_argument, NULL, 'p'},
        {"layout", no_argument, NULL, 'l'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'i':
            ok = choose_inks(chart, optarg);
            break;
        case 's':
            ok = command_number("--steps", optarg, MIN_STEPS, MAX_STEPS,
                                &chart->steps);
            break;
        case 'p':
            ok = choose_paper(chart, optarg);
            break;
        case 'l':
            chart->layout = true;
            break;
        }
    if (ok && argc - optind != 1)
        command_misuse(usage);
    chart->out = argv[optind];
    return ok;
}

int main(int argc, char **argv)
{
    struct chart chart = {.paper = &papers[0], .inks = "KCMY", .steps = 21};

    if (!parse_options(&chart, argc, argv))
        return EXIT_USAGE;
    return write_chart(&chart) ? EXIT_SUCCESS : EXIT_FAILURE;
}
