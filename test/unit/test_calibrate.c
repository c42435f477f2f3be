/*
 * test_calibrate.c - from what the patches of a chart measure to a curve:
 * readings, forms and what the curve does to a printer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "tools/calibrate/fit.h"
#include "tools/calibrate/form.h"
#include "test/cases.h"

#define HEAD "ink,percent,density\n"
#define THREE "K,0,0.05\nK,50,0.4\nK,100,1.6\n"

/* ---- Readings ----------------------------------------------------------- */

TEST(reads_readings_and_says_what_is_wrong)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *why; /* NULL = nothing */
    } cases[] = {
        {HEAD THREE, 0, NULL},
        {"\xef\xbb\xbf" HEAD THREE, 0, NULL},
        {"ink,percent,density\r\nK,0,0.05\r\n\r\nK,5,-0.01", 0, NULL},
        {"note, reflectance ,percent,ink\n\"a, \"\"b\",80,0,M\n", 0, NULL},
        {"", 0, "no measurements"},
        {HEAD, 0, "no measurements"},
        {HEAD "\n\n", 0, "no measurements"},
        {"\n" HEAD, 1, "names"},
        {"ink:percent:density\n", 1, "names"},
        {"Ink;Percent;Density\nk;0;0,05\nk;50;0,4\nk;100;-0,1\n", 0, NULL},
        {"INK\tpercent\tReflectance\tnote\nm\t0 \t80,5\t\n", 0, NULL},
        {"\"a,b\";ink;percent;density\n1,2;y;12,5;\"0,1\"\n", 0, NULL},
        {HEAD "K,0,\"0,05\"\n", 0, NULL},
        {"ink;percent;density\nK;0,5,1;1\n", 2, "percent"},
        {"ink;percent;density\nK;0,5;1.000,1\n", 2, "density"},
        {"ink;percent;density\nK,0,1\n", 2, "as many fields"},
        {"ink\tpercent\tdensity\nK\t0\n", 2, "as many fields"},
        {"ink,percent\n", 1, "names"},
        {"ink,percent,density,reflectance\n", 1, "names"},
        {HEAD "K,0\n", 2, "as many fields"},
        {HEAD THREE "K,0,0,05\n", 5, "as many fields"},
        {HEAD "R,0,0.05\n", 2, "C, M, Y or K"},
        {HEAD ",0,0.05\n", 2, "C, M, Y or K"},
        {HEAD "CM,0,0.05\n", 2, "C, M, Y or K"},
        {HEAD "K,101,0.05\n", 2, "percent"},
        {HEAD "K,-1,0.05\n", 2, "percent"},
        {HEAD "K,5,10.1\n", 2, "density"},
        {HEAD "K,5,--1\n", 2, "density"},
        {HEAD "K,5,nan\n", 2, "density"},
        {HEAD "K,5,1e1\n", 2, "density"},
        {"ink,percent,reflectance\nK,5,-1\n", 2, "reflectance"},
        {"ink,percent,reflectance\nK,5,1001\n", 2, "reflectance"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct readings readings;
        struct refusal refusal = {.line = 0};
        bool ok = readings_parse(&readings, cases[i].text,
                                 strlen(cases[i].text), &refusal);

        case_is("%s", cases[i].text);
        assert_int_equal(ok, cases[i].why == NULL);
        if (cases[i].why == NULL)
            continue;
        case_add("%s", refusal.why);
        assert_int_equal(refusal.line, cases[i].line);
        assert_non_null(strstr(refusal.why, cases[i].why));
    }
}

TEST(separators_and_decimal_commas_change_no_reading)
{
    static const char *const texts[] = {
        HEAD "K,0,0.05\nC,12.5,1.25\n",
        "Ink;Percent;Density\nk;0;0,05\nc;12,5;1,25\n",
        "ink\tpercent\tdensity\nK\t0\t0,05\nC\t12.5\t1.25\n"};
    struct readings all[3];
    struct refusal refusal;

    for (size_t i = 0; i < 3; i++) {
        case_is("%s", texts[i]);
        assert_true(
            readings_parse(&all[i], texts[i], strlen(texts[i]), &refusal));
        assert_int_equal(all[i].ink[3].steps, 1);
        assert_memory_equal(&all[i], &all[0], sizeof all[i]);
    }
}

/* Copies the text to where nothing may be read behind it. */
static bool parses(const char *text, size_t size, struct readings *readings,
                   struct refusal *refusal)
{
    char *copy = test_malloc(size > 0 ? size : 1);

    memcpy(copy, text, size);
    bool ok = readings_parse(readings, copy, size, refusal);
    test_free(copy);
    return ok;
}

TEST(steps_may_come_in_any_order)
{
    static const char rising[] =
        HEAD "K,0,0.05\nK,25,0.2\nK,50,0.4\nK,100,1.6\n",
                      mixed[] =
                          HEAD "K,100,1.6\nK,25,0.2\nK,0,0.05\nK,50,0.4\n";
    struct readings a, b;
    struct refusal refusal;

    assert_true(parses(rising, strlen(rising), &a, &refusal));
    assert_true(parses(mixed, strlen(mixed), &b, &refusal));
    assert_int_equal(a.ink[3].steps, 4);
    assert_int_equal(b.ink[3].steps, 4);
    for (unsigned i = 0; i < 4; i++) {
        assert_near(a.ink[3].tone[i], b.ink[3].tone[i], 1e-12);
        assert_near(a.ink[3].sum[i], b.ink[3].sum[i], 1e-12);
    }
}

TEST(refuses_what_is_too_much)
{
    static char text[READINGS_MOST_BYTES + 1];
    struct readings readings;
    struct refusal refusal;
    size_t size;

    /* 64 tones of an ink, of which one comes again; then another. */
    size = (size_t)sprintf(text, HEAD);
    for (int i = 0; i < 64; i++)
        size += (size_t)sprintf(text + size, "Y,%d,0.%02d\n", i, i);
    size += (size_t)sprintf(text + size, "Y,63,0.9\n");
    assert_true(parses(text, size, &readings, &refusal));
    assert_int_equal(readings.ink[2].steps, 64);
    assert_int_equal(readings.ink[2].count[63], 2);
    size += (size_t)sprintf(text + size, "Y,64,1\n");
    assert_false(parses(text, size, &readings, &refusal));
    assert_int_equal(refusal.line, 67);
    assert_non_null(strstr(refusal.why, "64 tones"));

    /* Lines. */
    for (int length = 1022; length <= 1023; length++) {
        case_is("a line of %d bytes", length);
        size = (size_t)sprintf(text, "ink,percent,density,note\nK,0,1,%0*d\n",
                               length - 6, 7);
        assert_int_equal(parses(text, size, &readings, &refusal),
                         length == 1022);
    }
    assert_int_equal(refusal.line, 2);
    memset(text, ',', 1022);
    assert_false(parses(text, 1022, &readings, &refusal));
    assert_non_null(strstr(refusal.why, "names"));
    assert_false(
        parses(HEAD "K,0,1\0,", strlen(HEAD) + 7, &readings, &refusal));
    assert_int_equal(refusal.line, 2);

    /* The text. */
    memset(text, '\n', sizeof text);
    size = (size_t)sprintf(text, HEAD THREE);
    text[size] = '\n';
    assert_true(parses(text, sizeof text - 1, &readings, &refusal));
    assert_false(parses(text, sizeof text, &readings, &refusal));
    assert_int_equal(refusal.line, 0);
    assert_non_null(strstr(refusal.why, "1 MiB"));
}

/* ---- Fits --------------------------------------------------------------- */

static bool fits(const char *csv, struct fit *fit, struct refusal *refusal)
{
    struct readings readings;

    if (!parses(csv, strlen(csv), &readings, refusal))
        fail_msg("line %u: %s", refusal->line, refusal->why);
    return fit_readings(fit, &readings, refusal);
}

TEST(needs_paper_solid_and_steps_between)
{
    static const struct {
        const char *rows;
        char ink; /* that is refused; '\0' = none */
    } cases[] = {
        {THREE, '\0'},
        {"K,0,0.05\nK,100,1.6\n", 'K'},
        {"K,5,0.05\nK,50,0.4\nK,100,1.6\n", 'K'},
        {"K,0,0.05\nK,50,0.4\nK,95,1.6\n", 'K'},
        {"K,0,0.05\nK,50,0.4\nK,100,0.05\n", 'K'},
        {"K,0,1.6\nK,50,0.4\nK,100,0.05\n", 'K'},
        {THREE "M,0,0\n", 'M'},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct refusal refusal = {.line = 7};
        struct fit fit;
        char csv[256], wanted[16];

        case_is("%s", cases[i].rows);
        snprintf(csv, sizeof csv, "%s%s", HEAD, cases[i].rows);
        snprintf(wanted, sizeof wanted, "ink %c ", cases[i].ink);
        assert_int_equal(fits(csv, &fit, &refusal), cases[i].ink == '\0');
        if (cases[i].ink != '\0')
            assert_non_null(strstr(refusal.why, wanted));
    }
}

/* A printer of the model of Yule and Nielsen, n = 2, whose paper and solid have
 * reflectances of 1 and 0.04. */
static double printed(double tone)
{
    double root = 1 - tone * (1 - sqrt(0.04));

    return root * root;
}

/* The readings of its chart, of one ink. */
static void measure(char *csv, char ink, unsigned steps)
{
    csv += sprintf(csv, HEAD);
    for (unsigned i = 0; i < steps; i++) {
        double tone = (double)i / (steps - 1);

        csv += sprintf(csv, "%c,%.4g,%.4f\n", ink, 100 * tone,
                       -log10(printed(tone)));
    }
}

TEST(makes_a_printer_linear)
{
    static const double gains[] = {0, FIT_GAIN};

    for (int i = 0; i < 2; i++) {
        char csv[4096], text[FIT_TEXT_BYTES];
        struct refusal refusal;
        struct fit fit;
        struct curve curve;
        unsigned line;

        measure(csv, "KC"[i], 11);
        assert_true(fits(csv, &fit, &refusal));
        assert_true(fit_is_smooth(&fit, &refusal));
        size_t size = fit_write(&fit, gains[i], "a queue", "a test", text);
        assert_int_equal(size, strlen(text));
        assert_non_null(strstr(text, "\nname a queue\nmade-by a test\n"));
        assert_true(curve_parse(&curve, text, size, &line));

        const struct curve_points *points = &curve.ink[i == 0 ? 3 : 0];
        assert_int_equal(points->count, 21);
        assert_int_equal(curve.ink[1].count, 2);
        for (double tone = 0; tone <= 1; tone += 0.01) {
            double wanted = tone + 4 * gains[i] * tone * (1 - tone);
            double r = printed(curve_points_at(points, tone));

            case_is("gain %g, tone %g", gains[i], tone);
            assert_near((1 - r) / (1 - 0.04), wanted, 0.01);
        }
    }
}

/* Of noise at bare paper, too. */
TEST(a_printer_s_ink_rises)
{
    struct refusal refusal = {.line = 7};
    struct fit fit;

    assert_true(fits(HEAD "K,0,0.1\nK,10,0.05\nK,20,0.2\nK,30,0.18\nK,40,0.4\n"
                          "K,100,1.6\n",
                     &fit, &refusal));
    for (unsigned i = 1; i < fit.ink[3].response.count; i++)
        assert_true(fit.ink[3].response.y[i] >= fit.ink[3].response.y[i - 1]);
    assert_false(fits(HEAD "K,0,0.1\nK,100,1.6\n", &fit, &refusal));
    assert_int_equal(refusal.line, 0);
}

TEST(a_wrong_digit_is_doubted)
{
    static const struct {
        const char *rows;
        const char *doubt; /* NULL = none */
    } cases[] = {
        {"K,0,0.05\nK,25,0.2\nK,50,0.165\nK,75,0.8\nK,100,1.6\n", NULL},
        {"K,0,0.05\nK,25,2.0\nK,50,0.4\nK,75,0.8\nK,100,1.6\n",
         "ink K at 25 percent"},
        {THREE "Y,0,0.05\nY,40,0.01\nY,100,1\n", "ink Y at 40 percent"},
        {"K,0,0.05\nK,40,1.6\nK,60,-3\nK,100,1.6\n", "ink K at 60 percent"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char csv[256], text[FIT_TEXT_BYTES];
        struct refusal refusal = {.why = ""};
        struct curve curve;
        struct fit fit;
        unsigned line;

        case_is("%s", cases[i].rows);
        snprintf(csv, sizeof csv, "%s%s", HEAD, cases[i].rows);
        assert_true(fits(csv, &fit, &refusal));
        assert_int_equal(fit_is_smooth(&fit, &refusal), cases[i].doubt == NULL);
        if (cases[i].doubt != NULL)
            assert_non_null(strstr(refusal.why, cases[i].doubt));
        size_t size = fit_write(&fit, 0, NULL, NULL, text);
        assert_true(curve_parse(&curve, text, size, &line));
    }
}

TEST(names_and_gains_are_checked)
{
    char name[FIT_MOST_NAME + 2] = "";
    struct refusal refusal;
    double gain = 7;

    memset(name, 'x', FIT_MOST_NAME);
    assert_true(fit_name_check(name, &refusal));
    name[FIT_MOST_NAME] = 'x';
    assert_false(fit_name_check(name, &refusal));
    assert_false(fit_name_check("a\npoint K 50 50", &refusal));
    assert_non_null(strstr(refusal.why, "one line"));
    assert_true(fit_name_check("", &refusal));

    assert_true(fit_gain("25", &gain, &refusal));
    assert_near(gain, 0.25, 1e-12);
    for (int i = 0; i < 4; i++)
        assert_false(fit_gain(((const char *[]){"25.1", "", "-1", "x"})[i],
                              &gain, &refusal));
    assert_non_null(strstr(refusal.why, "0 to 25"));
    assert_near(gain, 0.25, 1e-12);
}

/* The longest curve: all inks, the longest names. */
TEST(the_longest_curve_has_room)
{
    char name[FIT_MOST_NAME + 1] = "", text[FIT_TEXT_BYTES];
    struct curve curve;
    struct refusal refusal;
    struct fit fit;
    unsigned line;

    memset(name, 'x', FIT_MOST_NAME);
    assert_true(fits(HEAD THREE "C,0,0\nC,1,0\nC,100,1\nM,0,0\nM,1,0\nM,100,1\n"
                                "Y,0,0\nY,99,0\nY,100,1\n",
                     &fit, &refusal));
    size_t size = fit_write(&fit, 0.25, name, name, text);
    assert_true(curve_parse(&curve, text, size, &line));
    for (int i = 0; i < CURVE_INKS; i++)
        assert_int_equal(curve.ink[i].count, 21);
}

/* ---- Forms -------------------------------------------------------------- */

static bool fill_in(uint32_t steps, char *unit, char *black, char *cyan,
                    char text[FORM_TEXT_BYTES], struct refusal *refusal)
{
    struct chart chart = {595, 842, "KC", steps, false};
    cups_option_t fields[] = {{"ink-m", "nothing of this chart"},
                              {FORM_UNIT, unit},
                              {"ink-k", black},
                              {"ink-c", cyan}};

    return form_readings(&chart, cyan != NULL ? 4 : 3, fields, text, refusal);
}

TEST(a_form_becomes_a_csv)
{
    static const char wanted[] = HEAD "K,0,0.05\nK,50,0.4\nK,100,1.6\n"
                                      "C,0,-.1\nC,50,1.\nC,100,2\n";
    static char *const lists[] = {"0.05 0.4 1.6", "0,05 0,4 1,6",
                                  "0.05, 0.4, 1.6", "0.05;0.4;1.6;",
                                  "\t0,05\r\n0,4\r\n1,6,\r\n"};
    char text[FORM_TEXT_BYTES];
    struct refusal refusal;

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        case_is("%s", lists[i]);
        assert_true(
            fill_in(3, "density", lists[i], "-.1 1. 2", text, &refusal));
        assert_string_equal(text, wanted);
    }
    assert_true(fill_in(4, "reflectance", " ", "90 50 20 5", text, &refusal));
    assert_string_equal(text, "ink,percent,reflectance\nC,0,90\nC,33.33,50\n"
                              "C,66.67,20\nC,100,5\n");
    assert_true(fill_in(3, "reflectance", "90 5 1", NULL, text, &refusal));
}

TEST(a_wrong_form_is_refused)
{
    static const struct {
        char *unit, *black, *cyan;
        const char *why;
    } cases[] = {
        {"density", "", NULL, "no measurements"},
        {"Density", "0.05 0.4 1.6", NULL, "neither"},
        {"", "0.05 0.4 1.6", NULL, "neither"},
        {"density", "0.05 0.4", NULL, "Black has 2 numbers, not 3"},
        {"density", "0.05 0.4 1.6", "1", "Cyan has 1 numbers, not 3"},
        {"density", "0.05 0.4 1.6 1.7", NULL, "more than 3 numbers"},
        {"density", "0.05 0.4 x", NULL,
         "Black, number 3, of 100 percent: the "},
        {"density", "0.05,0.4,1.6", NULL, "number 1, of 0 percent"},
        {"density", "0.05 , 0.4", NULL, "number 2"},
        {"density", "0.05 0.4\n1.6<b>", NULL, "number 3"},
        {"density", "0.05 11 1.6", NULL, "number 2"},
        {"density", "0.05 0.0000000000000000000000001 1.6", NULL, "number 2"},
        {"density", "0.05 -000000001.0000000001 1.6", NULL, "number 2"},
        {"reflectance", "90 -1 5", NULL, "the reflectance is not"},
        {"reflectance", "90 1001 5", NULL, "the reflectance is not"},
    };
    char text[FORM_TEXT_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct refusal refusal = {.line = 7};

        case_is("%s: %s", cases[i].unit, cases[i].black);
        assert_false(fill_in(3, cases[i].unit, cases[i].black, cases[i].cyan,
                             text, &refusal));
        case_add(": %s", refusal.why);
        assert_int_equal(refusal.line, 0);
        assert_non_null(strstr(refusal.why, cases[i].why));
        assert_null(strchr(refusal.why, '<'));
    }
}

/* All inks, 51 steps, numbers as long as there are. */
TEST(the_longest_form_has_room)
{
    struct chart chart = {595, 842, CHART_ALL_INKS, CHART_MOST_STEPS, false};
    char list[CHART_MOST_STEPS * 21 + 1] = "", text[FORM_TEXT_BYTES];
    cups_option_t fields[5] = {{FORM_UNIT, "density"}};
    struct readings readings;
    struct refusal refusal;

    for (size_t i = 0; i < CHART_MOST_STEPS; i++)
        snprintf(list + i * 21, 22, "-000000001.000000000 ");
    for (unsigned i = 0; i < 4; i++) {
        struct form_field field = form_field(&chart, i);

        assert_int_equal(field.ink, CHART_ALL_INKS[i]);
        assert_int_equal(field.numbers, CHART_MOST_STEPS);
        fields[i + 1] = (cups_option_t){(char *)field.name, list};
    }
    assert_true(form_readings(&chart, 5, fields, text, &refusal));
    assert_true(parses(text, strlen(text), &readings, &refusal));
    assert_int_equal(readings.ink[1].steps, CHART_MOST_STEPS);
}
