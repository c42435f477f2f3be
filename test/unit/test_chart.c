/*
 * test_chart.c - the patches of a chart, and that all of tools/calibrate/ is
 * for a server: in threads, whatever its locale is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <locale.h>
#include <pthread.h>

#include "tools/calibrate/chart_rows.h"
#include "tools/calibrate/fit.h"
#include "tools/calibrate/form.h"
#include "test/cases.h"

TEST(charts_are_checked)
{
    static const struct {
        struct chart chart;
        const char *why; /* NULL = accepted */
    } cases[] = {
        {{595, 842, "KCMY", 21, false}, NULL},
        {{612, 792, "CMYK", 51, false}, NULL},
        {{288, 432, "KCMY", 21, false}, NULL}, /* a postcard */
        {{176, 255, "K", 21, false}, NULL},    /* a label of 62 mm */
        {{82, 255, "K", 21, false}, "too small"},
        {{595, 150, "K", 51, false}, "too small"},
        {{595, 842, "", 21, false}, "none"},
        {{595, 842, "KK", 21, false}, "not letters"},
        {{595, 842, "R", 21, false}, "not letters"},
        {{595, 842, "K", 2, false}, "steps"},
        {{595, 842, "K", 52, false}, "steps"},
        {{NAN, 842, "K", 21, false}, "no chart"},
        {{595, INFINITY, "K", 21, false}, "no chart"},
        {{-595, 842, "K", 21, false}, "no chart"},
        {{595, 14401, "K", 21, false}, "no chart"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct chart *chart = &cases[i].chart;
        struct refusal refusal = {.why = ""};

        case_is("%g x %g, %s, %u", chart->width, chart->height, chart->inks,
                chart->steps);
        assert_int_equal(chart_check(chart, &refusal), cases[i].why == NULL);
        if (cases[i].why != NULL) {
            assert_non_null(strstr(refusal.why, cases[i].why));
            continue;
        }
        for (unsigned p = 0; p < chart_patches(chart); p++) {
            struct chart_patch patch = chart_patch(chart, p);

            assert_true(patch.x >= 0 && patch.y >= 0 && patch.width >= 9 &&
                        patch.height >= 9 &&
                        patch.x + patch.width <= chart->width &&
                        patch.y + patch.height + 10 <= chart->height);
        }
    }
}

/* The sample of an ink at a place of a rendered chart, in points. */
static uint8_t at(const uint8_t *page, const struct chart_pixels *pixels,
                  char ink, double x, double y)
{
    size_t column = (size_t)(x * pixels->x_dpi / 72);
    size_t line = (size_t)(y * pixels->y_dpi / 72);
    size_t place =
        pixels->inks == 1 ? 0 : (size_t)(strchr("CMYK", ink) - "CMYK");

    return page[(line * pixels->width + column) * pixels->inks + place];
}

static uint8_t *render(const struct chart *chart,
                       const struct chart_pixels *pixels, uint32_t height)
{
    size_t stride = (size_t)pixels->width * pixels->inks;
    uint8_t *page = test_malloc(stride * height);

    memset(page, 0x88, stride * height);
    for (uint32_t y = height; y-- > 0;) /* in any order */
        chart_row(chart, pixels, y, page + y * stride);
    return page;
}

TEST(rows_have_the_patches_of_the_layout)
{
    static const struct {
        struct chart chart;
        struct chart_pixels pixels;
        uint32_t height;
    } cases[] = {
        {{595, 842, "KCMY", 21, false}, {1240, 150, 150, 4}, 1754},
        {{612, 792, "YK", 51, false}, {1224, 144, 72, 4}, 792},
        {{176, 255, "K", 21, false}, {496, 203, 300, 1}, 1062},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct chart *chart = &cases[i].chart;
        const struct chart_pixels *pixels = &cases[i].pixels;
        struct refusal refusal;

        assert_true(chart_check(chart, &refusal));
        uint8_t *page = render(chart, pixels, cases[i].height);
        for (unsigned n = 0; n < chart_patches(chart); n++) {
            struct chart_patch p = chart_patch(chart, n);

            for (int corner = 0; corner < 5; corner++) {
                double x = p.x + p.width * (corner & 1 ? 0.9 : 0.1);
                double y = p.y + p.height * (corner & 2 ? 0.9 : 0.1);

                for (const char *ink = "CMYK"; *ink != '\0'; ink++) {
                    double wanted = *ink == p.ink ? p.percent * 2.55 : 0;

                    case_is("chart %zu, %c %g, %c at %g, %g", i, p.ink,
                            p.percent, *ink, x, y);
                    if (pixels->inks == 4 || *ink == p.ink)
                        assert_near(at(page, pixels, *ink, x, y), wanted,
                                    0.501);
                }
            }
            assert_int_equal(at(page, pixels, p.ink, p.x + p.width + 1.5,
                                p.y + p.height / 2),
                             0);
        }
        test_free(page);
    }
}

/* At 96 dpi a cell of a label is a pixel, and so is one of a small chart at
 * 203 dpi, where there is room for less. */
TEST(rows_have_labels)
{
    static const char *const wanted[2][7] = {
        {" ####       #####", "#           #    ", "#           #    ",
         "#           #### ", "#               #", "#               #",
         " ####       #### "},
        {"#   #       #####", "#  #        #    ", "# #         #    ",
         "##          #### ", "# #             #", "#  #            #",
         "#   #       #### "}};
    static const struct {
        struct chart chart;
        struct chart_pixels pixels;
        unsigned patch;
    } cases[] = {{{595, 842, "KCMY", 21, false}, {793, 96, 96, 4}, 22},
                 {{176, 255, "K", 21, false}, {496, 203, 203, 1}, 1}};

    for (int i = 0; i < 2; i++) {
        const struct chart_pixels *pixels = &cases[i].pixels;
        struct chart_patch patch = chart_patch(&cases[i].chart, cases[i].patch);
        double below = patch.y + patch.height + 2;
        size_t left = (size_t)lround(patch.x * pixels->x_dpi / 72);
        size_t top = (size_t)lround(below * pixels->y_dpi / 72);
        uint8_t *page = render(&cases[i].chart, pixels, 1123);

        assert_near(patch.percent, 5, 1e-9);
        for (size_t y = 0; y < 7; y++) {
            char got[18] = "";

            for (size_t x = 0; x < 17; x++) {
                const uint8_t *pixel =
                    page +
                    ((top + y) * pixels->width + left + x) * pixels->inks;

                got[x] = pixel[pixels->inks - 1] == 255 ? '#' : ' ';
                for (uint32_t ink = 0; ink + 1 < pixels->inks; ink++)
                    assert_int_equal(pixel[ink], 0);
            }
            case_is("case %d, row %zu", i, y);
            assert_string_equal(got, wanted[i][y]);
        }
        test_free(page);
    }
}

/* The marks and lines of a chart, in its dark inks. */
TEST(rows_have_marks_and_known_grays)
{
    static const char *const inks[] = {"KCMY", "MC"};

    for (int i = 0; i < 2; i++) {
        const struct chart chart = {595, 842, inks[i], 21, false};
        const struct chart_pixels pixels = {2480, 300, 300, 4};
        uint8_t *page = render(&chart, &pixels, 3508);

        for (unsigned m = 0; m < CHART_MARKS; m++) {
            const struct chart_solid mark = chart_mark(&chart, m);
            const double cell = mark.width / CHART_MARK_CELLS;

            for (const char *ink = "CMYK"; *ink != '\0'; ink++) {
                const bool dark = strchr(chart_dark(&chart), *ink) != NULL;
                const double middle = mark.y + mark.width / 2;

                case_is("%s, mark %u, %c", inks[i], m, *ink);
                assert_int_equal(
                    at(page, &pixels, *ink, mark.x + cell / 2, middle),
                    dark ? 255 : 0);
                assert_int_equal(
                    at(page, &pixels, *ink, mark.x + 1.5 * cell, middle), 0);
                assert_int_equal(
                    at(page, &pixels, *ink, mark.x + mark.width / 2, middle),
                    dark && m < 3 ? 255 : 0);
            }
        }
        for (unsigned g = 0; g < chart_grays(&chart); g++) {
            const struct chart_gray gray = chart_gray(&chart, g);
            const double pitches = floor(gray.width / gray.pitch);
            double covered = 0, columns = 0;

            for (double x = 0.12; x < pitches * gray.pitch;
                 x += 0.24, columns++)
                covered += at(page, &pixels, *chart_dark(&chart), gray.x + x,
                              gray.y + gray.height / 2) == 255;
            case_is("%s, gray %u", inks[i], g);
            assert_near(covered / columns, gray.share, 0.02);
        }
        test_free(page);
    }
}

/* ---- Servers ------------------------------------------------------------ */

/* Files written for one chart and its readings. */
struct written {
    char *pdf, *layout;
    size_t pdf_bytes, layout_bytes;
    char csv[FORM_TEXT_BYTES], curve[FIT_TEXT_BYTES];
};

static void *write_all(void *context)
{
    struct written *w = context;
    struct chart chart = {595.5, 842.25, "K", 9, false};
    cups_option_t fields[] = {{FORM_UNIT, "reflectance"},
                              {"ink-k", "89.5 80 70.5 60 50.5 40 30.5 20 5.5"}};
    struct refusal refusal;
    struct readings readings;
    struct fit fit;
    FILE *pdf = open_memstream(&w->pdf, &w->pdf_bytes);
    FILE *layout = open_memstream(&w->layout, &w->layout_bytes);
    bool ok = pdf != NULL && layout != NULL && chart_write_pdf(&chart, pdf);

    if (ok)
        chart_write_layout(&chart, layout);
    if (pdf != NULL)
        ok = fclose(pdf) == 0 && ok;
    if (layout != NULL)
        ok = fclose(layout) == 0 && ok;
    ok = ok && form_readings(&chart, 2, fields, w->csv, &refusal) &&
         readings_parse(&readings, w->csv, strlen(w->csv), &refusal) &&
         fit_readings(&fit, &readings, &refusal);
    if (ok)
        fit_write(&fit, 0.125, NULL, NULL, w->curve);
    return ok ? w : NULL;
}

static void free_written(struct written *w)
{
    free(w->pdf);
    free(w->layout);
}

static void assert_same(const struct written *a, const struct written *b)
{
    assert_string_equal(a->pdf, b->pdf);
    assert_string_equal(a->layout, b->layout);
    assert_string_equal(a->csv, b->csv);
    assert_string_equal(a->curve, b->curve);
}

TEST(many_threads_write_the_same)
{
    struct written first = {.csv = ""}, other[4] = {{.csv = ""}};
    pthread_t thread[4];

    assert_non_null(write_all(&first));
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, write_all, &other[i]),
                         0);
    for (int i = 0; i < 4; i++) {
        void *ok;

        assert_int_equal(pthread_join(thread[i], &ok), 0);
        assert_non_null(ok);
        assert_same(&first, &other[i]);
        free_written(&other[i]);
    }
    free_written(&first);
}

/* A locale that is not the environment's: made by localedef, if it is there. */
TEST(a_locale_changes_no_number)
{
    struct written plain = {.csv = ""}, local = {.csv = ""};
    char folder[] = "/tmp/test_calibrate-XXXXXX", command[256], text[16];

    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 %s/comma >/dev/null 2>&1", folder);
    int made = system(command); /* NOLINT(cert-env33-c) */
    setenv("LOCPATH", folder, 1);
    assert_non_null(write_all(&plain));
    bool set = made != -1 && setlocale(LC_ALL, "comma") != NULL;
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
    if (set) {
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5");
        assert_non_null(write_all(&local));
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5"); /* the caller's locale is back */
        setlocale(LC_ALL, "C");
        assert_same(&plain, &local);
        free_written(&local);
    }
    free_written(&plain);
    if (!set)
        skip();
}
