/*
 * test_family.c - the families that published ids of printers name, and what is
 * said where there is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "printer-app/family_id.h"
#include "test/cases.h"

static char why[FAMILY_REFUSAL];

/* The name of the family of an id, or "none" after a line that says why. */
static const char *name_of(const char *id)
{
    why[0] = '\0';
    const struct family *family =
        family_of_id(id, "usb://Maker/Model?serial=1", why);

    assert_int_equal(family == NULL, why[0] != '\0');
    return family != NULL ? family->name : "none";
}

static void published_ids_take_their_families(void **state)
{
    FILE *file = fopen(IDS, "r");
    char *line = NULL;
    size_t room = 0, ids = 0, wrong = 0;

    (void)state;
    assert_non_null(file);
    while (getline(&line, &room, file) > 0) {
        char *tab = strchr(line, '\t');

        if (line[0] == '#' || line[0] == '\n')
            continue;
        assert_non_null(tab);
        *tab++ = '\0';
        tab[strcspn(tab, "\n")] = '\0';
        ids++;
        if (strcmp(name_of(line), tab) != 0) {
            print_message("# %s: %s, not %s\n", line, name_of(line), tab);
            wrong++;
        }
    }
    free(line);
    fclose(file);
    assert_int_equal(wrong, 0);
    assert_in_range(ids, 200, 1000);
}

/* Ids of the same form as published ones. */
static void others_take_their_families(void **state)
{
    static const struct {
        const char *id, *name;
    } others[] = {
        {"MFG:Zebra ;CMD:None;MDL:TLP2844 ;", "zebra-epl2-203"},
        {"MFG:Zebra ;CMD:;MDL:LP 2844;", "zebra-epl2-203"},
        {"MFG:Zebra ;CMD:None;MDL:LP2844-Z ;", "none"},
        {"MFG:Zebra;CMD:EPL;MDL:TLP 3842;", "zebra-epl2-300"},
        {"MFG:Zebra;CMD:ZPL;MDL:ZTC ZM400-600dpi;", "zebra-zpl-600"},
        {"MFG:Zebra;CMD:ZPL;MDL:ZTC ZD420-300dpi ZPL;", "zebra-zpl-300"},
        {"MFG:Zebra;CMD:ZPL;MDL:GK420d;", "zebra-zpl-203"},
        {"MFG:EPSON;CMD:ESCPL2,PRPXL24,BDC;MDL:LQ-590;", "epson-24pin"},
        {"MFG:EPSON;CMD:ESCPR7,END4;MDL:WF-C5290 Series;", "none"},
        {"MFG:EPSON;CMD:ESCP;MDL:Action Printer;", "epson-24pin"},
        {"MFG:HP;CMD:MLC,PCL,PML;DES:HP DeskJet 692C;", "hp-pcl3-300"},
        {"MFG:HP;CMD:MLC,PCL,PML;MDL:Deskjet 3420;", "hp-pcl3"},
        {"MFG:HP;CMD:PCL;MDL:Whatever;", "none"},
        {"MFG:HPRT;CMD:PCL;MDL:LaserJet;", "hp-pcl"},
        {"MFG:Xerox;CMD:Adobe PostScript 3, PCL , PJL;MDL:Phaser;", "hp-pcl"},
        {"mfg:hp;mdl:DESKJET 970C;cmd:mlc,pcl,pml;", "hp-pcl3"},
        {"CMD:PCL5e", "hp-pcl"},
        {"CMD:XPCL,PCLX;MDL:X;", "none"},
        {"MFG:Fake;MDL:Dots;CMD:PWGRaster;", "none"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        case_is("%s", others[i].id);
        assert_string_equal(name_of(others[i].id), others[i].name);
    }
}

static void by_ipp_there_is_only_pwg_raster(void **state)
{
    static const char *const uris[] = {"ipp://host/ipp/print",
                                       "ipps://host:631/", "IPP://HOST/"};

    (void)state;
    for (int i = 0; i < 3; i++) {
        case_is("%s", uris[i]);
        const struct family *family =
            family_of_id("MFG:HP;MDL:ENVY;CMD:PCL3,PWGRaster;", uris[i], why);

        assert_non_null(family);
        assert_string_equal(family->name, "pwg-raster");
    }
    case_is("no id");
    assert_null(family_of_id(NULL, "ipp://host/ipp/print", why));
    assert_null(family_of_id("MFG:;MDL: ;CMD:ZPL;", "ipp://host/", why));
    assert_null(family_of_id(NULL, "socket://ipp/", why));
}

static void a_refusal_names_printer_and_languages(void **state)
{
    (void)state;
    name_of("MFG:HP;MDL:ENVY 4520 series;CMD:PCL3GUI,PJL;");
    assert_string_equal(why, "No driver for HP ENVY 4520 series: it "
                             "understands PCL3GUI,PJL.");
    name_of("MFG:Star;MDL:Star TSP600;CMD:STAR;");
    assert_string_equal(why, "No driver for Star TSP600: it understands STAR.");
    name_of("MFG:DYMO;CMD: ;MDL:LabelWriter 5XL;");
    assert_string_equal(why, "No driver for DYMO LabelWriter 5XL: it names no "
                             "language.");
    name_of("MDL:X;CMD:Y;");
    assert_string_equal(why, "No driver for X: it understands Y.");
    name_of("MFG:Acme;CMD:Y;");
    assert_string_equal(why, "No driver for Acme: it understands Y.");
    name_of(NULL);
    assert_string_equal(why,
                        "No driver for this printer: it is not reached, or "
                        "does not identify itself. Choose one of the drivers.");
}

/* Printers and the network send anything. */
static void any_id_gives_a_line_of_ascii(void **state)
{
    char id[4096];

    (void)state;
    srand(1);
    for (unsigned run = 0; run < 20000; run++) {
        static const char *const keys[] = {
            "MFG:", "CMD:", "MDL:", "DES:", "COMMAND SET:", ""};
        size_t used = 0;

        for (int part = 0; part < 4; part++) {
            const char *key = keys[rand() % 6];
            size_t length = (size_t)(rand() % (run % 2 != 0 ? 900 : 12));

            used += (size_t)sprintf(id + used, "%s", key);
            while (length-- > 0)
                id[used++] = (char)(1 + rand() % 255);
            id[used++] = ';';
        }
        id[used] = '\0';
        case_is("run %u", run);
        name_of(id);
        for (const char *at = why; *at != '\0'; at++)
            assert_in_range(*at, ' ', '~');
    }
}

/* A family that no rule names could be added by its name alone. */
static void each_family_is_named_by_an_id(void **state)
{
    static const char *const ids[] = {"CMD:ZPL;",
                                      "CMD:ZPL;MDL:300dpi;",
                                      "CMD:ZPL;MDL:600dpi;",
                                      "CMD:EPL2;",
                                      "CMD:EPL2;MDL:300dpi;",
                                      "CMD:CPCL;",
                                      "MFG:DYMO;MDL:LabelWriter;",
                                      "MFG:DYMO;MDL:LabelWriter 4XL;",
                                      "CMD:ESCPL2;",
                                      "CMD:ESCP9;",
                                      "CMD:LQ;",
                                      "MFG:HP;CMD:PCL;MDL:DeskJet 340;",
                                      "MFG:HP;CMD:PCL;MDL:DeskJet 690C;",
                                      "MFG:HP;CMD:PCL3;",
                                      "CMD:PCL5;"};
    size_t count, found = 0;
    const struct family *family = families(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        for (size_t id = 0; id < sizeof ids / sizeof ids[0]; id++)
            found += strcmp(name_of(ids[id]), family[i].name) == 0;
    assert_int_equal(found + 1, count); /* but pwg-raster */
}

static void add_papers(char *line, size_t room, const char *what,
                       const struct family_paper *paper)
{
    size_t length = strlen(line);

    length += (size_t)snprintf(line + length, room - length, "; %s", what);
    for (; paper->name != NULL; paper++)
        length += (size_t)snprintf(line + length, room - length, " %s=%u",
                                   paper->name, paper->number);
    assert_true(length < room);
}

/* What a family is, in the words of families.txt. */
static void describe(const struct family *family, char *line, size_t room)
{
    static const char *const kinds[] = {"inkjet", "laser", "label"};
    size_t length = (size_t)snprintf(
        line, room, "%s: %s%s%s, %s, writer %s, packer %s %u %u %u, dpi",
        family->name, kinds[family->kind], family->color ? " color" : "",
        family->duplex ? " duplex" : "", family->format,
        family->writer != NULL ? family->writer : "none",
        family->packer != NULL ? family->packer : "none", family->model,
        family->compression, family->rows);

    for (size_t i = 0; i < FAMILY_RESOLUTIONS && family->dpi[i][0] != 0; i++)
        length += (size_t)snprintf(line + length, room - length, " %ux%u",
                                   family->dpi[i][0], family->dpi[i][1]);
    snprintf(line + length, room - length, ", margins %d %d, largest %s",
             family->left_right, family->bottom_top,
             family->largest != NULL ? family->largest : "any");
    add_papers(line, room, "sources", family->sources);
    add_papers(line, room, "types", family->types);
}

/* A number of the table that changes by mistake shows here. */
static void families_print_as_their_printers_do(void **state)
{
    FILE *file = fopen(FAMILIES, "r");
    char wanted[600], line[600];
    size_t count;
    const struct family *family = families(&count);

    (void)state;
    assert_non_null(file);
    for (size_t i = 0; i < count; i++) {
        case_is("%s", family[i].name);
        do
            assert_non_null(fgets(wanted, sizeof wanted, file));
        while (wanted[0] == '#' || wanted[0] == '\n');
        wanted[strcspn(wanted, "\n")] = '\0';
        describe(&family[i], line, sizeof line);
        assert_string_equal(line, wanted);
    }
    assert_null(fgets(wanted, sizeof wanted, file));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_ids_take_their_families),
        cases_test(others_take_their_families),
        cases_test(by_ipp_there_is_only_pwg_raster),
        cmocka_unit_test(a_refusal_names_printer_and_languages),
        cases_test(any_id_gives_a_line_of_ascii),
        cmocka_unit_test(each_family_is_named_by_an_id),
        cases_test(families_print_as_their_printers_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
