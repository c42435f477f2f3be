/*
 * test_curve.c - tone curves: the files that hold them, and the function
 * through their points.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/curve.h"
#include "test/cases.h"
#include "test/unit/pages.h"

#define HEAD "halftone-curve 1\n"

static bool parses(const char *text, unsigned *line)
{
    struct curve curve;

    return curve_parse(&curve, text, strlen(text), line);
}

TEST(accepts_and_refuses_lines)
{
    static const struct {
        const char *text;
        unsigned line; /* at fault; 0 = right */
    } cases[] = {
        {HEAD, 0},
        {HEAD "point K 50 40\n", 0},
        {HEAD "point CMYK 0 0\npoint CM 50 40\npoint CMYK 100 100", 0},
        {HEAD "whole-dots\npoint K 50 40\n", 0},
        {HEAD "whole-dots 1\n", 2},
        {HEAD "pixel 10 0\npixel 90 100\npoint K 50 40\n", 0},
        {HEAD "pixel 10\n", 2},
        {HEAD "pixel K 10 0\n", 2},
        {HEAD "pixel 10 0 1\n", 2},
        {HEAD "pixel 50 40\npixel 60 39\n", 3},
        {HEAD "whole-dot\n", 2},
        {HEAD "# note\n\n  \nname Any words 1 2\nmade-by a program\r\n", 0},
        {HEAD "\tpoint\tK 50\t40\nname\tx\nname\nmade-by\t\n", 0},
        {"halftone-curve 1\r\npoint K 50 40\r\n\r\n# x\r", 0},
        {"halftone-curve 1\r\npoint K 50\r 40\r\n", 2},
        {HEAD "names x\n", 2},
        {HEAD "point K 10 20\npoint K 20 20\npoint C 5 5\n", 0},
        {HEAD "point K .5 .25\npoint K 1. 0.5\n", 0},
        {"", 1},
        {"halftone-curve 2\n", 1},
        {"point K 50 40\n", 1},
        {HEAD "points K 50 40\n", 2},
        {HEAD "point\n", 2},
        {HEAD "point \n", 2},
        {HEAD "point K 50\n", 2},
        {HEAD "point K 50 40 30\n", 2},
        {HEAD "point R 50 40\n", 2},
        {HEAD "point KK 50 40\n", 2},
        {HEAD "point K 50 100.5\n", 2},
        {HEAD "point K -5 4\n", 2},
        {HEAD "point K 5e1 40\n", 2},
        {HEAD "point K . 40\n", 2},
        {HEAD "point K nan 40\n", 2},
        {HEAD "point K 50 40\npoint K 50 41\n", 3},
        {HEAD "point K 50 40\npoint C 1 1\npoint K 60 39\n", 4},
        {HEAD "point K 0 1\n", 2},
        {HEAD "point K 100 99\n", 2},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned line = 0;
        bool ok = parses(cases[i].text, &line);

        line = ok ? 0 : line;
        if (line != cases[i].line || ok != (line == 0))
            fail_msg("\"%s\": line %u is at fault (0 = none), not %u",
                     cases[i].text, line, cases[i].line);
    }
}

TEST(refuses_too_much)
{
    static char text[CURVE_MAX_BYTES + 64];
    unsigned line;

    strcpy(text, HEAD);
    for (int i = 1; i < CURVE_MAX_POINTS - 1; i++)
        sprintf(text + strlen(text), "point K %d.%d 50\n", i, i % 10);
    assert_true(parses(text, &line)); /* and (0,0) and (100,100) */
    sprintf(text + strlen(text), "point K 99.5 60\n");
    assert_false(parses(text, &line));

    sprintf(text, "%s#%0300d\n", HEAD, 0);
    assert_false(parses(text, &line));
    assert_int_equal(line, 2);

    memset(text, '\n', sizeof text - 1);
    /* NOLINTNEXTLINE(bugprone-not-null-terminated-result): it goes on there */
    memcpy(text, HEAD, strlen(HEAD));
    assert_false(parses(text, &line));

    struct curve curve;
    assert_false(curve_parse(&curve, HEAD "na\0me", strlen(HEAD) + 5, &line));
}

/* A FIFO that nobody writes to would keep who opens it. */
TEST(refuses_what_is_no_regular_file)
{
    char folder[] = "/tmp/curve-XXXXXX", fifo[64], link[64];
    struct curve curve;
    unsigned line;

    assert_non_null(mkdtemp(folder));
    snprintf(fifo, sizeof fifo, "%s/fifo", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(symlink("/dev/null", link), 0);
    assert_int_equal(curve_load(&curve, fifo, &line), CURVE_NO_FILE);
    assert_int_equal(errno, EINVAL);
    assert_int_equal(curve_load(&curve, link, &line), CURVE_NO_FILE);
    assert_int_equal(errno, ELOOP);
    assert_int_equal(curve_load(&curve, folder, &line), CURVE_NO_FILE);
    assert_int_equal(errno, EINVAL);
    unlink(fifo);
    unlink(link);
    rmdir(folder);
}

TEST(passes_through_its_points_and_never_falls)
{
    uint64_t seed = 5;

    for (int trial = 0; trial < 200; trial++) {
        struct curve_points p = {.count = 2 + random_below(&seed, 12)};
        double last = 0;

        for (unsigned i = 0; i < p.count; i++) {
            p.x[i] = i == 0 ? 0 : p.x[i - 1] + 1 + random_below(&seed, 100);
            p.y[i] = i == 0 ? 0 : p.y[i - 1] + random_below(&seed, 3) * 50;
        }
        for (unsigned i = 0; i < p.count; i++) {
            case_is("curve %d, point %u of %u", trial, i, p.count);
            assert_near(curve_points_at(&p, p.x[i]), p.y[i], 1e-9);
        }
        for (double x = -5; x < p.x[p.count - 1] + 5; x += 0.5) {
            double y = curve_points_at(&p, x);

            if (y < last - 1e-9 || y > p.y[p.count - 1] + 1e-9)
                fail_msg("curve %d at %g: %g after %g, the end is %g", trial, x,
                         y, last, p.y[p.count - 1]);
            last = y;
        }
    }
}

TEST(a_straight_line_stays_straight)
{
    struct curve_points p = {4, {0, 0.1, 0.7, 1}, {0, 0.1, 0.7, 1}};

    for (double x = 0; x <= 1; x += 0.01)
        assert_near(curve_points_at(&p, x), x, 1e-12);
}

TEST(the_default_makes_photos_lighter)
{
    struct curve curve;

    curve_default(&curve);
    assert_true(curve.whole_dots);
    for (int ink = 0; ink < CURVE_INKS; ink++)
        for (double x = 0.02; x < 0.99; x += 0.01)
            if (curve_points_at(&curve.ink[ink], x) >= x)
                fail_msg("%c at %g: %g", CURVE_LETTERS[ink], x,
                         curve_points_at(&curve.ink[ink], x));
}
