/*
 * halftone-curve.c - a tone curve from what a printed chart measures:
 * doc/user/calibration.md.
 *
 * The effective coverage of a patch is that of Murray and Davies: the share
 * of the way from bare paper to solid ink. The curve is the inverse: how much
 * ink has to be asked for to get the coverage that is wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/curve.h"
#include "base/text.h"
#include "tools/command.h"

#define MAX_LINE 1024
#define MAX_FIELDS MAX_LINE            /* no line has more */
#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* of UTF-8, as some programs write */
#define POINT_STEP 5 /* percent between the points of the curve */

struct options {
    double gain; /* of coverage at 50 %, wanted on paper, 0..0.25 */
    const char *name;
    const char *in;
};

/* The columns of the CSV and which are used; -1 = it has none such. */
struct columns {
    int count;
    int ink, percent, density, reflectance;
};

/* What was measured of one ink, sorted by tone: sums of the reflectance of
 * `count` patches of one tone. */
struct measured {
    unsigned steps;
    double tone[CURVE_MAX_POINTS], sum[CURVE_MAX_POINTS];
    unsigned count[CURVE_MAX_POINTS];
};

/* ---- CSV -------------------------------------------------------------- */

/* Takes a field off a line, and goes behind its comma; `*rest` is NULL after
 * the last one. The blanks around it go, quotes, and one of two inside. */
static char *take_field(char **rest)
{
    char *field = *rest + strspn(*rest, " \t"), *from = field, *to = field;

    if (*field == '"') {
        for (from++; *from != '\0'; *to++ = *from++)
            if (*from == '"' && *++from != '"')
                break;
    }
    while (*from != '\0' && *from != ',')
        *to++ = *from++;
    *rest = *from == ',' ? from + 1 : NULL;
    while (to > field && strchr(" \t", to[-1]) != NULL)
        to--;
    *to = '\0';
    return field;
}

/* Splits in place; returns the number of fields, at most `most`. */
static int split(char *line, char *field[], int most)
{
    int count = 0;

    line[strcspn(line, "\r\n")] = '\0';
    for (char *rest = line; rest != NULL && count < most;)
        field[count++] = take_field(&rest);
    return count;
}

/* What can be wrong with a line. */
#define NO_HEADER                                                              \
    "not a CSV's line of names: ink, percent, and density or reflectance"
#define NO_LINE "not as many fields as the first line has, or too long"
#define NO_INK "the ink is not C, M, Y or K"
#define NO_PERCENT "the percent is not a number from 0 to 100"
#define NO_DENSITY "the density is not a number from -10 to 10"
#define NO_REFLECTANCE "the reflectance is not a number from 0 to 1000"
#define TOO_MANY "more than 64 tones of an ink"
static_assert(CURVE_MAX_POINTS == 64, "TOO_MANY says so");

/* Reads the first line. Returns what is wrong with it, NULL = nothing. */
static const char *read_columns(struct columns *columns, char *line)
{
    size_t mark = strncmp(line, BYTE_ORDER_MARK, 3) == 0 ? 3 : 0;
    bool semicolon = strchr(line, ';') != NULL;
    char *field[MAX_FIELDS];
    int count = split(line + mark, field, MAX_FIELDS);

    *columns = (struct columns){count, -1, -1, -1, -1};
    for (int i = 0; i < count; i++) {
        if (strcmp(field[i], "ink") == 0)
            columns->ink = i;
        else if (strcmp(field[i], "percent") == 0)
            columns->percent = i;
        else if (strcmp(field[i], "density") == 0)
            columns->density = i;
        else if (strcmp(field[i], "reflectance") == 0)
            columns->reflectance = i;
    }
    if (columns->ink >= 0 && columns->percent >= 0 &&
        (columns->density >= 0) != (columns->reflectance >= 0))
        return NULL;
    return semicolon ? NO_HEADER "; columns are separated by commas"
                     : NO_HEADER;
}

/* Puts a measurement among those of its ink; false when there are too many. */
static bool add(struct measured *ink, double tone, double reflectance)
{
    unsigned i = 0;

    while (i < ink->steps && ink->tone[i] < tone)
        i++;
    if (i == ink->steps || ink->tone[i] > tone) {
        if (ink->steps == CURVE_MAX_POINTS)
            return false;
        for (unsigned j = ink->steps++; j > i; j--) {
            ink->tone[j] = ink->tone[j - 1];
            ink->sum[j] = ink->sum[j - 1];
            ink->count[j] = ink->count[j - 1];
        }
        ink->tone[i] = tone;
        ink->sum[i] = 0;
        ink->count[i] = 0;
    }
    ink->sum[i] += reflectance;
    ink->count[i]++;
    return true;
}

/* Reads another line. Returns what is wrong with it, NULL = nothing. */
static const char *read_row(struct measured *inks,
                            const struct columns *columns, char *line)
{
    char *field[MAX_FIELDS];
    int count = split(line, field, MAX_FIELDS);
    double tone, value;

    if (count == 1 && field[0][0] == '\0')
        return NULL;
    if (count != columns->count) /* such as one more for a decimal comma */
        return NO_LINE;
    const char *name = field[columns->ink];
    const char *letter = strchr(CURVE_LETTERS, name[0]);
    if (name[0] == '\0' || name[1] != '\0' || letter == NULL)
        return NO_INK;
    if (!text_decimal(field[columns->percent], 0, 100, &tone))
        return NO_PERCENT;
    if (columns->density >= 0) {
        /* Above paper, a lighter spot of it is below 0. */
        const char *density = field[columns->density];
        bool negative = density[0] == '-';

        if (!text_decimal(density + negative, 0, 10, &value))
            return NO_DENSITY;
        value = pow(10, negative ? value : -value);
    } else if (!text_decimal(field[columns->reflectance], 0, 1000, &value)) {
        return NO_REFLECTANCE;
    }
    return add(&inks[letter - CURVE_LETTERS], tone / 100, value) ? NULL
                                                                 : TOO_MANY;
}

static bool read_csv(struct measured *inks, const char *path, FILE *file)
{
    struct columns columns = {0, -1, -1, -1, -1};
    char line[MAX_LINE];

    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        bool whole = strchr(line, '\n') != NULL || feof(file);
        const char *wrong = !whole        ? NO_LINE
                            : number == 1 ? read_columns(&columns, line)
                                          : read_row(inks, &columns, line);

        if (wrong == NULL)
            continue;
        warnx("%s:%u: %s", path, number, wrong);
        return false;
    }
    return !ferror(file) || command_complain(path, strerror(errno));
}

/* ---- Curves ----------------------------------------------------------- */

/* Neighbours that fall are replaced by their mean (pool adjacent violators):
 * a measurement is noisy, a printer is not. */
static void make_rising(double *value, double *weight, unsigned count)
{
    unsigned length[CURVE_MAX_POINTS], blocks = 0;
    double mean[CURVE_MAX_POINTS], total[CURVE_MAX_POINTS];

    for (unsigned i = 0; i < count; i++) {
        mean[blocks] = value[i];
        total[blocks] = weight[i];
        length[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            double sum = total[blocks - 2] + total[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * total[blocks - 2] +
                                mean[blocks - 1] * total[blocks - 1]) /
                               sum;
            total[blocks - 2] = sum;
            length[blocks - 2] += length[blocks - 1];
            blocks--;
        }
    }
    for (unsigned block = 0, i = 0; block < blocks; block++)
        for (unsigned n = 0; n < length[block]; n++)
            value[i++] = mean[block];
}

/* The printer's effective coverage by tone. False when paper or solid were
 * not measured or do not differ. */
static bool response_of(struct curve_points *response,
                        const struct measured *ink)
{
    unsigned last = ink->steps - 1;
    double weight[CURVE_MAX_POINTS];

    if (ink->steps < 3 || ink->tone[0] > 0 || ink->tone[last] < 1)
        return false;
    double paper = ink->sum[0] / ink->count[0];
    double solid = ink->sum[last] / ink->count[last];
    if (solid >= paper)
        return false;

    response->count = ink->steps;
    for (unsigned i = 0; i <= last; i++) {
        double reflectance = ink->sum[i] / ink->count[i];
        response->x[i] = ink->tone[i];
        response->y[i] =
            fmin(fmax((paper - reflectance) / (paper - solid), 0), 1);
        weight[i] = ink->count[i];
    }
    make_rising(response->y, weight, ink->steps);
    response->y[0] = 0;
    response->y[last] = 1;
    return true;
}

/* The tone that gets `coverage`, by halving. */
static double tone_of_coverage(const struct curve_points *response,
                               double coverage)
{
    double low = 0, high = 1;

    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        if (curve_points_at(response, middle) < coverage)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

static void write_ink(char letter, const struct curve_points *response,
                      double gain)
{
    for (int percent = POINT_STEP; percent < 100; percent += POINT_STEP) {
        double tone = percent / 100.0;
        double wanted = tone + 4 * gain * tone * (1 - tone);
        printf("point %c %d %.3f\n", letter, percent,
               100 * tone_of_coverage(response, wanted));
    }
}

static bool write_curve(const struct options *options,
                        const struct measured *inks)
{
    struct curve_points response[CURVE_INKS];

    for (int i = 0; i < CURVE_INKS; i++)
        if (inks[i].steps > 0 && !response_of(&response[i], &inks[i])) {
            warnx("%s: ink %c needs 0 percent, 100 percent, darker than 0, "
                  "and steps between",
                  options->in, CURVE_LETTERS[i]);
            return false;
        }
    printf("halftone-curve 1\n");
    if (options->name != NULL)
        printf("name %s\n", options->name);
    printf("made-by halftone-curve --gain %g\n", 100 * options->gain);
    for (int i = 0; i < CURVE_INKS; i++)
        if (inks[i].steps > 0)
            write_ink(CURVE_LETTERS[i], &response[i], options->gain);
        else
            warnx("ink %c was not measured and is left as it is",
                  CURVE_LETTERS[i]);
    return true;
}

static bool make_curve(const struct options *options)
{
    struct measured inks[CURVE_INKS] = {0};
    bool standard = strcmp(options->in, "-") == 0;
    FILE *file = standard ? stdin : fopen(options->in, "r");

    if (file == NULL)
        return command_complain(options->in, strerror(errno));
    bool ok = read_csv(inks, options->in, file);
    fclose(file);
    if (ok &&
        inks[0].steps + inks[1].steps + inks[2].steps + inks[3].steps == 0)
        return command_complain(options->in, "no measurements");
    return ok && write_curve(options, inks);
}

/* ---- Command line ----------------------------------------------------- */

static const char usage[] =
    "Usage: halftone-curve [OPTION]... MEASURED.csv >NAME.curve\n"
    "Makes a tone curve from what the patches of halftone-chart measure,\n"
    "a CSV (\"-\": standard input) with a first line that names the\n"
    "columns ink (C, M, Y or K), percent, and density or reflectance.\n"
    "\n"
    "  --gain PERCENT  coverage that print gains at 50 %, 0 to 25 (20, which\n"
    "                  pages made for a press expect; 0 = linear)\n"
    "  --name TEXT     noted in the curve\n"
    "  --help, --version\n";

static bool choose_name(struct options *options, const char *name)
{
    if (strlen(name) > 200 || name[strcspn(name, "\r\n")] != '\0')
        return command_complain("--name", "not one line of at most 200 bytes");
    options->name = name;
    return true;
}

static bool choose_gain(struct options *options, const char *text)
{
    double percent;

    if (!text_decimal(text, 0, 25, &percent))
        return command_complain("--gain", "not a number from 0 to 25");
    options->gain = percent / 100;
    return true;
}

static bool parse_options(struct options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"gain", required_argument, NULL, 'g'},
        {"name", required_argument, NULL, 'n'},
        COMMAND_OPTIONS};
    int option;
    bool ok = true;

    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'g':
            ok = choose_gain(options, optarg);
            break;
        case 'n':
            ok = choose_name(options, optarg);
            break;
        }
    if (ok && argc - optind != 1)
        command_misuse(usage);
    options->in = argv[optind];
    return ok;
}

int main(int argc, char **argv)
{
    struct options options = {.gain = 0.20};

    if (!parse_options(&options, argc, argv))
        return EXIT_USAGE;
    return command_status(make_curve(&options));
}
