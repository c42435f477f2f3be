/*
 * plot_main.c - program plot: the figures of lab/doc/quality.md.
 *
 *   plot table OUT.png TABLE            weights and thresholds over tone
 *   plot tones OUT.png QUANTITY MAX NAME=FILE.csv ...
 *                                       meter's --tones files over each other
 *   plot rapsd OUT.png WORK TABLE TONE ...  radially averaged power, DBS's too
 *   plot tints OUT.png TABLE            first rows of tints, ink of thin lines
 *   plot grain OUT.png [4|1]:TABLE ...  grain of mixtures, joint DBS's too
 *   plot gradient OUT.png NAME [4|1]:TABLE ...
 *                                       distance from Demichel's color along
 *                                       one of meter --color's gradients
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/text.h"
#include "tools/command.h"
#include "lab/train/begin.h"
#include "lab/train/canvas.h"
#include "lab/train/lines.h"
#include "lab/train/measure.h"
#include "lab/train/plot.h"

static const char usage[] =
    "Usage: plot table OUT.png TABLE\n"
    "       plot tones OUT.png QUANTITY MAX NAME=CSV ...\n"
    "       plot rapsd OUT.png WORK TABLE TONE ...\n"
    "       plot tints OUT.png TABLE\n"
    "       plot grain OUT.png METHOD:TABLE ...\n"
    "       plot gradient OUT.png NAME METHOD:TABLE ...\n";

/* ---- Weights and thresholds ------------------------------------------- */

/* (0,+1), then the next row's columns +1, 0 .. -HT_REACH; then thresholds, and
 * h. */
enum {
    AHEAD,
    BELOW,
    T_UPPER = BELOW + HT_REACH + 2,
    T_LOWER,
    FEEDBACK,
    CURVES
};

static const char *const curve_name[CURVES] = {
    "w(0,1)",  "w(1,1)",  "w(1,0)",  "w(1,-1)", "w(1,-2)", "w(1,-3)",
    "w(1,-4)", "w(1,-5)", "w(1,-6)", "t upper", "t lower", "h"};

static bool is_used(const double *value)
{
    for (unsigned i = 0; i < HT_TONES; i++)
        if (value[i] != 0)
            return true;
    return false;
}

static bool plot_table(const char *out, const char *path)
{
    ht_table_t *table = printer_load_table(path);
    double tone[HT_TONES], value[CURVES][HT_TONES] = {{0}};
    int drawn = 0;

    if (table == NULL)
        return false;

    struct canvas canvas = canvas_new(760, 420);
    struct axes axes = {&canvas, 60, 30, 430, 350, 0, 128, 0, 0.8};
    axes_draw(&axes, 8, 8, "weights and threshold over tone");
    for (unsigned i = 0; i < HT_TONES; i++) {
        const ht_tone_t *t = &ht_table_tones(table)[i];

        tone[i] = i;
        value[AHEAD][i] = t->weight[0];
        for (unsigned k = 1; k < HT_TAPS; k++)
            value[BELOW + 1 - t->column[k]][i] = t->weight[k];
        value[T_UPPER][i] = t->t_upper;
        value[T_LOWER][i] = t->t_lower;
        value[FEEDBACK][i] = t->feedback;
    }
    for (int k = 0; k < CURVES; k++)
        if (is_used(value[k])) {
            axes_curve(&axes, tone, value[k], HT_TONES, plot_colors[k]);
            plot_legend(&canvas, drawn++, curve_name[k], plot_colors[k]);
        }
    bool ok = canvas_write(&canvas, out);
    canvas_free(&canvas);
    ht_table_free(table);
    return ok;
}

/* ---- Curves over tone ------------------------------------------------- */

/* The column of a CSV file that `quantity` heads, [256] by tone; the number
 * of tones. */
static int read_column(const char *path, const char *quantity, double *tone,
                       double *value)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int wanted = -1, count = 0;

    while (file != NULL && count < 256 && fgets(line, sizeof line, file)) {
        int column = 0;

        for (char *rest, *word = strtok_r(line, ",\n", &rest); word != NULL;
             word = strtok_r(NULL, ",\n", &rest), column++)
            if (wanted < 0 && strcmp(word, quantity) == 0)
                wanted = column | 0x100; /* found in the heading */
            else if (column == 0 && wanted >= 0)
                tone[count] = atof(word);
            else if (column == wanted)
                value[count++] = atof(word);
        wanted &= 0xff;
    }
    if (file == NULL)
        perror(path);
    else
        fclose(file);
    return count;
}

static bool plot_tones(const char *out, const char *quantity, double most,
                       int count, char **argument)
{
    struct canvas canvas = canvas_new(960, 400);
    struct axes axes = {&canvas, 70, 30, 620, 330, 0, 255, 0, most};
    bool ok = true;

    axes_draw(&axes, 5, 5, quantity);
    for (int i = 0; ok && i < count; i++) {
        double tone[256], value[256];
        char *path = strchr(argument[i], '=');
        uint32_t color = plot_colors[i % 8];

        if (path == NULL) {
            ok = command_complain(argument[i], "not NAME=CSV");
            break;
        }
        *path++ = '\0';
        int tones = read_column(path, quantity, tone, value);
        ok = tones > 0 || command_complain(path, "has no such quantity");
        axes_curve(&axes, tone, value, tones, color);
        plot_legend(&canvas, i, argument[i], color);
    }
    ok = ok && canvas_write(&canvas, out);
    canvas_free(&canvas);
    return ok;
}

/* ---- Power ------------------------------------------------------------ */

static bool rings_of(const struct printer *printer, int tone, double *rapsd)
{
    static struct spectrum spectrum;
    struct plane dots;
    double line;

    if (!printer_print_flat(printer, MEASURE_WIDTH, MEASURE_HEIGHT, &tone, 1,
                            &dots))
        return false;
    spectrum_of(&spectrum, &dots, tone, SPECTRUM_SIDE, false);
    measure_rings(spectrum.power, rapsd, &line);
    plane_free(&dots);
    return true;
}

static bool plot_rapsd(const char *out, const char *work, const char *path,
                       int count, char **argument)
{
    ht_table_t *table = printer_load_table(path);
    struct printer printer = {.table = table, .segment = HT_DEFAULT_SEGMENT};
    struct canvas canvas = canvas_new(820, 400);
    struct axes axes = {&canvas, 60, 30, 480, 330, 0, 0.5, 0, 3};
    bool ok = table != NULL;

    axes_draw(&axes, 5, 6, "power / a(1-a) over cycles a pixel");
    for (int i = 0; ok && i < count; i++) {
        static struct reference best;
        double x[MEASURE_RINGS], ours[MEASURE_RINGS], dbs[MEASURE_RINGS], line;
        uint32_t tone;
        char text[40];

        ok = command_number("TONE", argument[i], 1, 254, &tone) &&
             reference_load(&best, work, DBS_BEST, (int)tone) &&
             rings_of(&printer, (int)tone, ours);
        if (!ok)
            break;
        double a = tone / 255.0;
        measure_rings(best.spectrum.power, dbs, &line);
        for (int k = 0; k < MEASURE_RINGS; k++) {
            x[k] = (k + 1) / (double)SPECTRUM_SIDE;
            ours[k] /= a * (1 - a);
            dbs[k] /= a * (1 - a);
        }
        axes_curve(&axes, x, dbs, MEASURE_RINGS, 0xb0b0b0);
        axes_curve(&axes, x, ours, MEASURE_RINGS, plot_colors[i % 8]);
        snprintf(text, sizeof text, "tone %u", tone);
        plot_legend(&canvas, i, text, plot_colors[i % 8]);
    }
    plot_legend(&canvas, count, "the same by dbs", 0xa0a0a0);
    ok = ok && canvas_write(&canvas, out);
    canvas_free(&canvas);
    ht_table_free(table);
    return ok;
}

/* ---- Lines and tints -------------------------------------------------- */

/* Rows of tints under white, over their tones, in the left half. */
static bool draw_beginnings(struct canvas *canvas,
                            const struct printer *printer)
{
    static const int percent[] = {3, 6, 13, 26, 40};
    struct axes axes = {canvas, 60, 30, 380, 330, 1, BEGIN_ROWS, 0, 6};
    char text[40];

    axes_draw(&axes, 5, 6, "rows of a tint under white, over its tone");
    for (int i = 0; i < 5; i++) {
        struct beginning tint;
        double y[BEGIN_ROWS];

        if (!begin_measure(&tint, printer, lines_tone(percent[i])))
            return false;
        for (int k = 0; k < BEGIN_ROWS; k++)
            y[k] = k + 1;
        axes_curve(&axes, y, tint.row, BEGIN_ROWS, plot_colors[i]);
        snprintf(text, sizeof text, "%d %%", percent[i]);
        canvas_text(canvas, 460, 40 + 14 * i, 2, text, plot_colors[i]);
    }
    return true;
}

/* Ink of thin lines over their tones, in the right half. */
static bool draw_lines(struct canvas *canvas, const struct printer *printer)
{
    static const char *const way[] = {"horizontal", "vertical", "diagonal"};
    struct axes axes = {canvas, 600, 30, 380, 330, 0, 50, 0, 1.8};
    char text[40];

    axes_draw(&axes, 5, 6, "ink printed / wanted over percent");
    for (int i = 0; i < 3 * LINES_WIDEST; i++) {
        int direction = i % 3, width = i / 3 + 1;
        double x[LINES_PERCENTS], ink[LINES_PERCENTS];

        for (int k = 0; k < LINES_PERCENTS; k++) {
            x[k] = lines_percent[k];
            if (!lines_ink(printer, direction, width,
                           lines_tone(lines_percent[k]), &ink[k]))
                return false;
        }
        axes_curve(&axes, x, ink, LINES_PERCENTS, plot_colors[i]);
        snprintf(text, sizeof text, "%s, %d px", way[direction], width);
        canvas_text(canvas, 1000, 40 + 14 * i, 2, text, plot_colors[i]);
    }
    return true;
}

static bool plot_tints(const char *out, const char *path)
{
    ht_table_t *table = printer_load_table(path);
    struct printer printer = {.table = table, .segment = HT_DEFAULT_SEGMENT};
    struct canvas canvas = canvas_new(1130, 400);
    bool ok = table != NULL && draw_beginnings(&canvas, &printer) &&
              draw_lines(&canvas, &printer) && canvas_write(&canvas, out);

    canvas_free(&canvas);
    ht_table_free(table);
    return ok;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {COMMAND_OPTIONS};
    double most;

    command_option(argc, argv, options, usage);
    argc -= optind;
    argv += optind;
    if (argc == 3 && strcmp(argv[0], "table") == 0)
        return !plot_table(argv[1], argv[2]);
    if (argc >= 5 && strcmp(argv[0], "tones") == 0) {
        if (!text_decimal(argv[3], 1e-9, 1e9, &most)) {
            command_complain("MAX", "not a decimal above 0");
            return EXIT_USAGE;
        }
        return !plot_tones(argv[1], argv[2], most, argc - 4, argv + 4);
    }
    if (argc >= 5 && strcmp(argv[0], "rapsd") == 0)
        return !plot_rapsd(argv[1], argv[2], argv[3], argc - 4, argv + 4);
    if (argc >= 3 && strcmp(argv[0], "grain") == 0)
        return !plot_grain(argv[1], argc - 2, argv + 2);
    if (argc >= 4 && strcmp(argv[0], "gradient") == 0)
        return !plot_gradient(argv[1], argv[2], argc - 3, argv + 3);
    if (argc == 3 && strcmp(argv[0], "tints") == 0)
        return !plot_tints(argv[1], argv[2]);
    command_misuse(usage);
}
