/*
 * test_drops.c - sizes of printers' drops: the lines of files and PPDs, the
 * sizes of a page, and what headers say.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <cups/ppd.h>

#include "page/drops.h"
#include "test/cases.h"

/* CUPS marks all of its PPD functions so. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define HEAD "halftone-drops 1\n"
#define FOUR LINE LINE LINE LINE
#define SIXTEEN FOUR FOUR FOUR FOUR
#define LINE "drops a any 25,50,100 1,2,3 16 8\n"

static bool parses(struct printer_drops *printer, const char *text,
                   unsigned *line)
{
    drops_free(printer);
    return drops_parse(printer, text, strlen(text), "a", line);
}

TEST(accepts_and_refuses_lines)
{
    static const struct {
        const char *text;
        unsigned line; /* at fault; 0 = right */
    } cases[] = {
        {HEAD, 0},
        {HEAD LINE, 0},
        {HEAD "# note\n\n \t\n" LINE LINE, 0},
        {"halftone-drops 1\r\ndrops\tb 720x360\t100 3 255 16\r\n", 0},
        {HEAD "drops a 1x9600 .01,100. 1,3 1 0", 0},
        {"", 1},
        {"halftone-drops 2\n", 1},
        {LINE, 1},
        {HEAD "drop a any 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops\n", 2},
        {HEAD "drops a any 25,50,100 1,2,3 16\n", 2},
        {HEAD "drops a any 25,50,100 1,2,3 16 8 9\n", 2},
        {HEAD "drops a 720 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a 0x720 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a 720x9601 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a 720x720x2 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a 7.5x720 25,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 25,50 1,2 16 8\n", 2},
        {HEAD "drops a any 50,25,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 50,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 0,50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 0.001,100 1,2 16 8\n", 2},
        {HEAD "drops a any 50,100.1 1,2 16 8\n", 2},
        {HEAD "drops a any 50,100,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 20,30,40,100 1,2,3,4 16 0\n", 0},
        {HEAD "drops a any 20,40,60,80,100 1,2,3,4,15 16 0\n", 0},
        {HEAD "drops a any 20,40,60,80,100 1,2,3,4,5 16 1\n", 2},
        {HEAD "drops a any 20,40,60,80,100 1,2,3,4,16 16 0\n", 2},
        {HEAD "drops a any 20,40,60,80,100 1,2,3,4 16 0\n", 2},
        {HEAD "drops a any 20,40,60,80,90,100 1,2,3,4,5,6 16 0\n", 2},
        {HEAD "drops a any 20,30,40,100 1,2,3 16 0\n", 2},
        {HEAD "drops a any , 1 16 8\n", 2},
        {HEAD "drops a any 25,50,100 1,2 16 8\n", 2},
        {HEAD "drops a any 50,100 1,2,3 16 8\n", 2},
        {HEAD "drops a any 25,50,100 1,3,2 16 8\n", 2},
        {HEAD "drops a any 25,50,100 0,1,2 16 8\n", 2},
        {HEAD "drops a any 50,100 2,4 16 8\n", 2},
        {HEAD "drops a any 50,100 1,2 0 8\n", 2},
        {HEAD "drops a any 50,100 1,2 256 8\n", 2},
        {HEAD "drops a any 50,100 1,2 16 17\n", 2},
        {HEAD "drops a any 50,100 1,2 16 -1\n", 2},
        {HEAD SIXTEEN, 0},
        {HEAD SIXTEEN LINE, 18},
        {HEAD "drops "
              "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
              "a any 100 3 16 8\n",
         2},
        {HEAD "drops b any 50,100 1,2 16 17\n" LINE, 2},
    };
    struct printer_drops printer = {0};
    unsigned line;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool ok = parses(&printer, cases[i].text, &line);

        if (ok != (cases[i].line == 0) || (!ok && line != cases[i].line))
            fail_msg("line %u of \"%s\", %s", line, cases[i].text,
                     ok ? "accepted" : "refused");
    }
    drops_free(&printer);
}

TEST(has_what_lines_say)
{
    static const char text[] =
        HEAD "drops a 360x360 28,100 1,3 18 5\n"
             "drops b any 100 3 1 1\n"
             "drops a 1440x720 33.33,66.67,100 1,2,3 16 16\n"
             "drops a any 100 2 17 0\n";
    static const cups_page_header2_t low = {.HWResolution = {360, 360}},
                                     high = {.HWResolution = {1440, 720}},
                                     odd = {.HWResolution = {720, 1440}};
    struct printer_drops printer = {0};
    unsigned line;

    assert_true(parses(&printer, text, &line));
    assert_int_equal(printer.count, 3);

    const struct drops *two = drops_at(&printer, &low);
    const struct drops *three = drops_at(&printer, &high);
    const struct drops *other = drops_at(&printer, &odd);

    assert_int_equal(two->levels, 3);
    assert_int_equal(two->area[0], 4588); /* .28 * 16384 */
    assert_int_equal(two->area[1], HT_WHOLE_DOT);
    assert_int_equal(two->mixed, 5);
    assert_int_equal(two->codes.command, 18);
    assert_int_equal(two->codes.codes, 0xf4); /* 3, 3, 1, 0 */
    assert_int_equal(three->levels, 4);
    assert_int_equal(three->area[0], 5461);
    assert_int_equal(three->area[1], 10923);
    assert_int_equal(three->codes.codes, 0xe4);
    assert_int_equal(other->levels, 2);
    assert_int_equal(other->codes.codes, 0xa8); /* 2, 2, 2, 0 */
    assert_true(
        parses(&printer, HEAD "drops a any 20,40,60,100 1,2,4,9 7 0\n", &line));
    assert_int_equal(printer.at[0].levels, 5);
    assert_int_equal(printer.at[0].area[2], 9830);
    assert_int_equal(printer.at[0].codes.codes, 0x994210); /* 4 bits each */
    drops_free(&printer);
    assert_true(drops_parse(&printer, text, strlen(text), "b", &line));
    assert_int_equal(printer.count, 1);
    drops_free(&printer);
    assert_true(drops_parse(&printer, text, strlen(text), "c", &line));
    assert_null(drops_at(&printer, &low));
}

/* The printers "generic" and "epson-pigment" have sizes. */
TEST(the_shipped_file_is_right)
{
    static char text[DROPS_MAX_BYTES];
    const char *folder = getenv("top_srcdir");
    struct printer_drops printer = {0};
    char path[1024];
    unsigned line;

    snprintf(path, sizeof path, "%s/halftone/tables/drops",
             folder != NULL ? folder : "..");
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    const size_t size = fread(text, 1, sizeof text, file);

    fclose(file);
    assert_true(drops_parse(&printer, text, size, "generic", &line));
    assert_int_equal(printer.count, 1);
    assert_int_equal(printer.at[0].levels, 4);
    drops_free(&printer);
    assert_true(drops_parse(&printer, text, size, "epson-pigment", &line));
    assert_int_equal(printer.at[printer.count - 1].levels, 3);
    drops_free(&printer);
}

/* ---- PPDs -----------------------------------------------------------------
 */

/* Reads a PPD with such lines, and resolutions that codes tell apart. */
static bool reads(struct printer_drops *printer, const char *lines)
{
    FILE *file = tmpfile();
    struct choices from = {.ppd = NULL};

    drops_free(printer);
    assert_non_null(file);
    fprintf(file,
            "*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n"
            "*FileVersion: \"1.0\"\n*LanguageVersion: English\n"
            "*LanguageEncoding: ISOLatin1\n*PCFileName: \"T.PPD\"\n"
            "*Manufacturer: \"T\"\n*Product: \"(T)\"\n*ModelName: \"T\"\n"
            "*ShortNickName: \"T\"\n*NickName: \"T\"\n"
            "*PSVersion: \"(3010.000) 0\"\n*OpenUI *Resolution: PickOne\n"
            "*DefaultResolution: Low\n"
            "*Resolution Low: \"<</HWResolution[360 360]>>setpagedevice\"\n"
            "*Resolution Fine: \"<</HWResolution[720 720]/cupsCompression "
            "4>>setpagedevice\"\n*Resolution Best: \"<</HWResolution[720 "
            "720]/cupsCompression 5>>setpagedevice\"\n"
            "*Resolution None: \"<</cupsCompression 5>>setpagedevice\"\n"
            "*CloseUI: *Resolution\n%s",
            lines);
    rewind(file);
    from.ppd = ppdOpen(file);
    fclose(file);
    assert_non_null(from.ppd);
    const bool ok = drops_of_queue(printer, &from);
    ppdClose(from.ppd);
    return ok;
}

#define SIZES(key, value) "*HalftoneSizes " key ": \"" value "\"\n"
#define TONES "90.7 2.128 1 0"

TEST(accepts_and_refuses_a_ppds_lines)
{
    static const struct {
        const char *lines;
        bool ok;
    } cases[] = {
        {SIZES("any", "100 15"), true},
        {SIZES("Fine", "29,63,100 1,2,7 " TONES), true},
        {SIZES("1x9600.Glossy.Gray", "50,100 1:3:3:1,2:5:5:2 100,50,1.5,1 1 "
                                     "0.6,1,1,1 400"),
         true},
        {SIZES("Finest", "100 1"), false},
        {SIZES("None", "100 1"), false},
        {SIZES("any.", "100 1"), false},
        {SIZES("any.a.b", "100 1"), false},
        {SIZES("any", "100 16"), false},
        {SIZES("any", "100 1.5"), false},
        {SIZES("any", "100 1:2"), false},
        {SIZES("any", "100 1:2:3:4:5"), false},
        {SIZES("any", "50,100 1:3:3:1,2"), false},
        {SIZES("any", "50,100 1,2 90.7 2.128 1"), false},
        {SIZES("any", "100 1 " TONES " 0"), false},
        {SIZES("any", "100 1 0.9 2.128 1 0"), false},
        {SIZES("any", "100 1 101 2.128 1 0"), false},
        {SIZES("any", "100 1 90,90 2.128 1 0"), false},
        {SIZES("any", "100 1 90 0 1 0"), false},
        {SIZES("any", "100 1 90 2.128,1,1,1 1 0"), false},
        {SIZES("any", "100 1 90 2.128 0,1,1,1 0"), false},
        {SIZES("any", "100 1 90 2.128 1 401"), false},
        {SIZES("any", "100 1 90 2.128 1 -1"), false},
    };
    struct printer_drops printer = {0};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("%s", cases[i].lines);
        assert_int_equal(reads(&printer, cases[i].lines), cases[i].ok);
    }
    drops_free(&printer);
}

TEST(a_page_has_the_last_line_that_fits)
{
    static const char lines[] = SIZES("any", "100 1") SIZES("720x720", "100 2")
        SIZES("Fine", "100 3") SIZES("Fine.Glossy", "100 4")
            SIZES("Fine.Glossy.Gray", "100 5") SIZES("any.Rag", "100 6");
    static const struct {
        cups_page_header2_t header;
        unsigned code;
    } cases[] = {
        {{.HWResolution = {360, 360}, .MediaType = "Glossy"}, 1},
        {{.HWResolution = {720, 720}, .cupsCompression = 5}, 2},
        {{.HWResolution = {720, 720}, .cupsCompression = 4}, 3},
        {{.HWResolution = {720, 720},
          .cupsCompression = 4,
          .cupsColorSpace = CUPS_CSPACE_CMYK,
          .MediaType = "Glossy"},
         4},
        {{.HWResolution = {720, 720},
          .cupsCompression = 4,
          .cupsColorSpace = CUPS_CSPACE_K,
          .MediaType = "Glossy"},
         5},
        {{.HWResolution = {720, 720}, .MediaType = "Rag"}, 6},
        {{.HWResolution = {720, 720}, .MediaType = "Rags"}, 2},
    };
    struct printer_drops printer = {0};

    assert_true(reads(&printer, lines));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("page %zu", i);
        assert_int_equal(drops_code(drops_at(&printer, &cases[i].header), 0, 1),
                         cases[i].code);
    }
    drops_free(&printer);
}

TEST(inks_have_codes_solids_and_gammas)
{
    static const cups_page_header2_t page = {.HWResolution = {1, 1}};
    struct printer_drops printer = {0};

    assert_true(
        reads(&printer, SIZES("any", "29,63,100 1:3:5:4,2:5:6:8,3:7:7:9 "
                                     "32,66,66.1,100 1.5 1,2,3,.5 250")));
    const struct drops *drops = drops_at(&printer, &page);

    assert_int_equal(drops_code(drops, 2, 0), 0);
    assert_int_equal(drops_code(drops, 2, 1), 5);
    assert_int_equal(drops_code(drops, 3, 2), 8);
    assert_int_equal(drops_code(drops, 1, 3), 7);
    assert_int_equal(drops->codes.codes, 0xe4);
    assert_near(drops->tones.solid[0], 0.32, 1e-9);
    assert_near(drops->tones.gamma[3], 0.5, 1e-9);
    assert_near(drops->tones.limit, 2.5, 1e-9);
    assert_int_equal(drops_of_solid(drops, 0), 1);
    assert_int_equal(drops_of_solid(drops, 1), 2);
    assert_int_equal(drops_of_solid(drops, 2), 3);
    assert_int_equal(drops_of_solid(drops, 3), 3);
    assert_true(reads(&printer, SIZES("any", "29,100 1,2")));
    assert_int_equal(drops_of_solid(drops_at(&printer, &page), 0), 2);
    drops_free(&printer);
}

/* ---- Headers --------------------------------------------------------------
 */

TEST(headers_have_what_is_set)
{
    cups_page_header2_t header = {.MediaClass = ""};
    struct drop_codes codes = {.command = 255, .codes = 0xf4}, got;

    assert_true(drops_get(&header, &got));
    assert_int_equal(got.command, 16);
    assert_int_equal(got.codes, 0xe4);
    drops_set(&header, &codes);
    assert_true(drops_get(&header, &got));
    assert_int_equal(got.command, 255);
    assert_int_equal(got.codes, 0xf4);
    header.cupsInteger[9] = 256;
    assert_false(drops_get(&header, &got));
    header.cupsInteger[9] = 16;
    header.cupsInteger[10] = 0xf5;
    assert_false(drops_get(&header, &got));
    header.cupsInteger[10] = 0x100;
    assert_false(drops_get(&header, &got));
    header.cupsBitsPerColor = 4;
    codes.codes = 0xf54320;
    drops_set(&header, &codes);
    assert_true(drops_get(&header, &got));
    assert_int_equal(got.codes, 0xf54320);
    header.cupsInteger[10] = 0x1000000;
    assert_false(drops_get(&header, &got));
    header.cupsInteger[10] = 0xf54324;
    assert_false(drops_get(&header, &got));
}
