/*
 * test_family.c - the families that published ids of printers name, what is
 * said where there is none, and what printers of a family are. A file of
 * test/app/families has ids, each with a tab and the family, or "none", behind
 * it, and a line for each family that says what it is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <glob.h>

#include "printer-app/families/family_id.h"
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

/* Calls `take` with each line of the files in FOLDER that has words; `tab` is
 * what stands behind the first tab, or NULL. */
static void read_files(void (*take)(const char *line, const char *tab,
                                    void *context),
                       void *context)
{
    glob_t files;
    char *line = NULL;
    size_t room = 0;

    assert_int_equal(glob(FOLDER "/*.txt", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        FILE *file = fopen(files.gl_pathv[i], "r");

        assert_non_null(file);
        while (getline(&line, &room, file) > 0) {
            char *tab = strchr(line, '\t');

            if (line[0] == '#' || line[0] == '\n')
                continue;
            line[strcspn(line, "\n")] = '\0';
            if (tab != NULL)
                *tab++ = '\0';
            take(line, tab, context);
        }
        fclose(file);
    }
    free(line);
    globfree(&files);
}

/* ---- Ids ---------------------------------------------------------------- */

struct count {
    size_t ids, wrong;
    const char *family; /* whose ids are counted; NULL: all */
};

static void take_id(const char *line, const char *tab, void *context)
{
    struct count *count = context;

    if (tab == NULL)
        return;
    if (strcmp(name_of(line), tab) != 0) {
        if (count->family == NULL)
            print_message("# %s: %s, not %s\n", line, name_of(line), tab);
        count->wrong++;
    }
    count->ids += count->family == NULL || strcmp(count->family, tab) == 0;
}

TEST(ids_take_their_families)
{
    struct count count = {.family = NULL};

    read_files(take_id, &count);
    assert_int_equal(count.wrong, 0);
    assert_in_range(count.ids, 200, 1000);
}

/* A family that no rule names could be added by its name alone. */
TEST(each_family_is_named_by_an_id)
{
    const struct family *family;

    for (size_t i = 0; (family = family_at(i)) != NULL; i++) {
        struct count count = {.family = family->name};

        case_is("%s", family->name);
        read_files(take_id, &count);
        if (strcmp(family->name, "pwg-raster") != 0) /* by IPP alone */
            assert_int_not_equal(count.ids, 0);
    }
}

TEST(by_ipp_there_is_only_pwg_raster)
{
    static const char *const uris[] = {"ipp://host/ipp/print",
                                       "ipps://host:631/", "IPP://HOST/"};

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

TEST(a_refusal_names_printer_and_languages)
{
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
TEST(any_id_gives_a_line_of_ascii)
{
    char id[4096];

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

/* ---- What they are ------------------------------------------------------ */

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

static void add_labels(char *line, size_t room, const struct label_kind *labels)
{
    const size_t length = strlen(line);
    int widest = 0, sizes = 0;

    for (; labels->media[sizes] != NULL; sizes++) {
        const pwg_media_t *media = pwgMediaForPWG(labels->media[sizes]);

        assert_non_null(media);
        widest = media->width > widest ? media->width : widest;
    }
    snprintf(line + length, room - length,
             "; labels of %d sizes, %s, widest %d, shades %d, fastest %d",
             sizes, labels->media[0], widest, labels->shades, labels->fastest);
}

/* What a family is, in the words of its file: margins in 1/100 mm at the sides,
 * and at top and bottom; of a packer model, cupsCompression and cupsRowCount;
 * the sizes of drops, if it has several;
 * sources and types with their numbers; of labels the number of sizes, the
 * usual and the widest, in 1/100 mm, and what there is of darkness and speed.
 */
static void describe(const struct family *family, char *line, size_t room)
{
    static const char *const kinds[] = {"inkjet", "laser", "label"};
    size_t length = (size_t)snprintf(
        line, room, "%s: %s%s%s, %s, writer %s, packer %s %u %u %u%s%s, dpi",
        family->name, kinds[family->kind], family->color ? " color" : "",
        family->duplex ? " duplex" : "", family->format,
        family->writer != NULL ? family->writer : "none",
        family->packer != NULL ? family->packer : "none", family->model,
        family->compression, family->rows,
        family->drops != NULL ? ", drops " : "",
        family->drops != NULL ? family->drops : "");

    for (size_t i = 0; i < FAMILY_RESOLUTIONS && family->dpi[i][0] != 0; i++)
        length += (size_t)snprintf(line + length, room - length, " %ux%u",
                                   family->dpi[i][0], family->dpi[i][1]);
    snprintf(line + length, room - length, ", margins %d %d, largest %s",
             family->left_right, family->bottom_top,
             family->largest != NULL ? family->largest : "any");
    add_papers(line, room, "sources", family->sources);
    add_papers(line, room, "types", family->types);
    if (family->labels != NULL)
        add_labels(line, room, family->labels);
}

struct described {
    char line[600]; /* of a family */
    size_t lines;   /* of all files */
    bool found;
};

static void take_description(const char *line, const char *tab, void *context)
{
    struct described *described = context;

    described->lines += tab == NULL;
    described->found = described->found || strcmp(line, described->line) == 0;
}

/* A number of a table that changes by mistake shows here. */
TEST(families_print_as_their_printers_do)
{
    const struct family *family;
    size_t i = 0, lines = 0;

    for (; (family = family_at(i)) != NULL; i++) {
        struct described described = {.lines = 0};

        describe(family, described.line, sizeof described.line);
        case_is("%s", described.line);
        read_files(take_description, &described);
        assert_true(described.found);
        lines = described.lines;
    }
    assert_int_equal(lines, i);
}

static size_t count_papers(const struct family_paper *paper)
{
    size_t count = 0;

    while (paper[count].name != NULL)
        count++;
    return count;
}

/* PAPPL's lists have ends. */
TEST(pappl_has_room_for_all_that_families_offer)
{
    const struct family *family;

    for (size_t i = 0; (family = family_at(i)) != NULL; i++) {
        size_t sizes = 0;

        case_is("%s", family->name);
        while (family->labels != NULL && family->labels->media[sizes] != NULL)
            sizes++;
        assert_true(sizes <= PAPPL_MAX_MEDIA);
        assert_true(count_papers(family->sources) <= PAPPL_MAX_SOURCE);
        assert_true(count_papers(family->types) <= PAPPL_MAX_TYPE);
    }
}
