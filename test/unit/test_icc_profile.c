/*
 * test_icc_profile.c - what is accepted of ICC profiles before lcms2 sees them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <lcms2.h>

#include "page/color/profile.h"
#include "page/color/profile_file.h"
#include "page/color/profile_tag.h"
#include "test/cases.h"

#define TABLE 132 /* where the entries of tags begin */

static uint8_t *generic; /* the file, as it is */
static size_t bytes;

void tests_begin(void)
{
    FILE *file = fopen(GENERIC, "rb");

    assert_non_null(file);
    generic = malloc(PROFILE_MOST_BYTES);
    assert_non_null(generic);
    bytes = fread(generic, 1, PROFILE_MOST_BYTES, file);
    fclose(file);
}

void tests_end(void)
{
    free(generic);
}

/* A copy that ends where the memory does. */
static uint8_t *copy(size_t size)
{
    uint8_t *made = malloc(size);

    assert_non_null(made);
    memcpy(made, generic, size < bytes ? size : bytes);
    return made;
}

/* The entry of a tag. */
static uint8_t *entry_of(uint8_t *file, const char *name)
{
    uint8_t *entry = file + TABLE;

    for (uint32_t i = profile_number(file + TABLE - 4); i > 0; i--, entry += 12)
        if (memcmp(entry, name, 4) == 0)
            return entry;
    fail_msg("no tag %s", name);
    return NULL;
}

static uint8_t *tag_of(uint8_t *file, const char *name)
{
    return file + profile_number(entry_of(file, name) + 4);
}

static void refuses(uint8_t *file, size_t size, enum profile_role role,
                    const char *wanted)
{
    struct profile profile;
    char why[PROFILE_WHY] = "accepted";

    assert_false(profile_take(&profile, file, size, role, why));
    assert_null(profile.data);
    if (strstr(why, wanted) == NULL)
        fail_msg("\"%s\", not \"%s\"", why, wanted);
    free(file);
}

static void accepts(uint8_t *file, size_t size, enum profile_role role)
{
    struct profile profile;
    char why[PROFILE_WHY];

    if (!profile_take(&profile, file, size, role, why))
        fail_msg("%s", why);
    assert_true(profile.size <= size + 3);
    profile_free(&profile);
    free(file);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(accepts_the_generic_profile)
{
    struct profile profile;
    char why[PROFILE_WHY];

    accepts(copy(bytes), bytes, PROFILE_OUTPUT);
    assert_true(profile_load(&profile, GENERIC, PROFILE_OUTPUT, why));
    assert_int_equal(profile.channels, 4);
    profile_free(&profile);
}

TEST(copies_what_a_separation_needs_and_nothing_else)
{
    struct profile profile;
    char why[PROFILE_WHY];

    assert_true(profile_take(&profile, generic, bytes, PROFILE_OUTPUT, why));
    const uint32_t count = profile_number(profile.data + TABLE - 4);

    assert_int_equal(profile_number(profile.data), profile.size);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = profile.data + TABLE + 12 * i;
        const uint8_t *from = tag_of(generic, (const char *)entry);
        const uint32_t offset = profile_number(entry + 4),
                       size = profile_number(entry + 8);

        case_is("tag %.4s", (const char *)entry);
        assert_memory_not_equal(entry, "desc", 4);
        assert_true((uint64_t)offset + size <= profile.size);
        assert_memory_equal(profile.data + offset, from, size);
    }
    (void)entry_of(profile.data, "B2A0");
    (void)entry_of(profile.data, "A2B0");
    profile_free(&profile);
}

TEST(refuses_a_header_of_another_kind)
{
    static const struct {
        size_t at;
        const char *text, *why;
    } cases[] = {{36, "acsq", "no ICC profile"}, {8, "\1", "version"},
                 {8, "\5", "version"},           {12, "link", "output device"},
                 {12, "mntr", "output device"},  {16, "GRAY", "CMYK nor RGB"},
                 {16, "6CLR", "CMYK nor RGB"},   {20, "RGB ", "XYZ nor Lab"},
                 {0, "\377", "cut short"},       {0, "\0\0\0\20", "cut short"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t *file = copy(bytes);

        case_is("%s at %zu", cases[i].why, cases[i].at);
        memcpy(file + cases[i].at, cases[i].text,
               cases[i].at == 0 && cases[i].text[0] == 0
                   ? 4
                   : strlen(cases[i].text));
        refuses(file, bytes, PROFILE_OUTPUT, cases[i].why);
    }
}

TEST(takes_pictures_profiles_of_screens_and_cameras)
{
    static const char *const classes[] = {"mntr", "scnr", "spac", "prtr"};

    for (size_t i = 0; i < 4; i++) {
        uint8_t *file = copy(bytes);

        case_is("%s", classes[i]);
        memcpy(file + 12, classes[i], 4);
        accepts(file, bytes, PROFILE_INPUT);
    }
    uint8_t *file = copy(bytes);

    memcpy(file + 12, "abst", 4);
    refuses(file, bytes, PROFILE_INPUT, "device's or a color space's");
}

/* Makes an RGB profile of version 2 with these curves; frees them. */
static uint8_t *rgb_profile(cmsToneCurve *curves[3], cmsUInt32Number *size)
{
    const cmsCIExyYTRIPLE primaries = {
        {0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    cmsHPROFILE made = cmsCreateRGBProfile(cmsD50_xyY(), &primaries, curves);

    cmsSetProfileVersion(made, 2.1);
    assert_true(cmsSaveProfileToMem(made, NULL, size));
    uint8_t *file = malloc(*size);

    assert_non_null(file);
    assert_true(cmsSaveProfileToMem(made, file, size));
    cmsCloseProfile(made);
    for (int i = 0; i < 3; i++)
        if (i == 0 || curves[i] != curves[0])
            cmsFreeToneCurve(curves[i]);
    return file;
}

/* The most common profile of all, sRGB's of Hewlett-Packard, is three times a
 * curve that is in it once. */
TEST(takes_a_curve_that_three_colors_share)
{
    cmsToneCurve *gamma = cmsBuildGamma(NULL, 2.2);
    uint16_t table[1024];
    cmsUInt32Number size;

    for (int i = 0; i < 1024; i++)
        table[i] = cmsEvalToneCurve16(gamma, (uint16_t)(i * 65535 / 1023));
    cmsFreeToneCurve(gamma);
    gamma = cmsBuildTabulatedToneCurve16(NULL, 1024, table);
    uint8_t *file = rgb_profile((cmsToneCurve *[]){gamma, gamma, gamma}, &size);

    assert_true(size < 2 * sizeof table);
    assert_ptr_equal(tag_of(file, "rTRC"), tag_of(file, "bTRC"));
    accepts(file, size, PROFILE_INPUT);
}

/* Curves of one number, 14 bytes. */
static uint8_t *gammas_profile(cmsUInt32Number *size)
{
    return rgb_profile((cmsToneCurve *[]){cmsBuildGamma(NULL, 1.8),
                                          cmsBuildGamma(NULL, 2.2),
                                          cmsBuildGamma(NULL, 2.4)},
                       size);
}

TEST(tags_of_a_copy_begin_at_multiples_of_four)
{
    static const char *const curves[] = {"rTRC", "gTRC", "bTRC"};
    cmsUInt32Number size;
    uint8_t *file = gammas_profile(&size);
    struct profile profile;
    char why[PROFILE_WHY];

    assert_true(profile_take(&profile, file, size, PROFILE_INPUT, why));
    for (int i = 0; i < 3; i++) {
        const uint8_t *entry = entry_of(profile.data, curves[i]);

        assert_int_equal(profile_number(entry + 4) % 4, 0);
        assert_int_equal(profile_number(entry + 8), 14);
        assert_memory_equal(tag_of(profile.data, curves[i]),
                            tag_of(file, curves[i]), 14);
    }
    assert_int_equal(profile.size % 4, 0);
    profile_free(&profile);
    free(file);
}

/* Two tags that have the rest of the file, and a third from the same place that
 * fills what room a copy has to the last byte: its end at a multiple of four
 * would lie behind that. */
TEST(tags_that_overlap_stay_in_their_room)
{
    cmsUInt32Number size;
    uint8_t *file = gammas_profile(&size);
    const size_t padded = size / 4 * 4 + 4001, room = padded + 4 * 100;
    struct profile profile;
    char why[PROFILE_WHY];

    file = realloc(file, padded);
    assert_non_null(file);
    memset(file + size, 0, padded - size);
    profile_put(file, (uint32_t)padded);
    profile_put(entry_of(file, "gTRC") + 4,
                profile_number(entry_of(file, "rTRC") + 4));
    profile_put(entry_of(file, "bTRC") + 4,
                profile_number(entry_of(file, "rTRC") + 4));
    const uint32_t count = profile_number(file + TABLE - 4);
    uint8_t last[12], *entry = entry_of(file, "bTRC");

    /* The one to fill it comes last. */
    memcpy(last, entry, 12);
    memmove(entry, entry + 12,
            (size_t)(file + TABLE + 12 * count - entry - 12));
    entry = file + TABLE + 12 * (count - 1);
    memcpy(entry, last, 12);
    profile_put(entry_of(file, "gTRC") + 8, 2000);
    profile_put(entry_of(file, "rTRC") + 8, 2004);
    assert_true(profile_take(&profile, file, padded, PROFILE_INPUT, why));
    const size_t others = profile.size - 16;

    profile_free(&profile);
    profile_put(entry + 8, (uint32_t)(room - others));
    refuses(file, padded, PROFILE_INPUT, "over each other");
}

TEST(refuses_what_is_cut_short)
{
    refuses(NULL, 0, PROFILE_OUTPUT, "i");
    for (size_t size = 1; size < bytes; size += 1 + size / 8) {
        case_is("%zu bytes", size);
        refuses(copy(size), size, PROFILE_OUTPUT, "i");
    }
}

TEST(refuses_many_tags)
{
    const uint32_t counts[] = {101, 10000, UINT32_MAX};

    for (int i = 0; i < 3; i++) {
        uint8_t *file = copy(bytes);

        profile_put(file + TABLE - 4, counts[i]);
        refuses(file, bytes, PROFILE_OUTPUT, "100 tags");
    }
}

TEST(refuses_a_tag_outside_or_twice)
{
    uint8_t *file = copy(bytes);

    profile_put(entry_of(file, "B2A0") + 4, (uint32_t)bytes - 8);
    refuses(file, bytes, PROFILE_OUTPUT, "not in the file");
    file = copy(bytes);
    profile_put(entry_of(file, "B2A0") + 4, 0);
    refuses(file, bytes, PROFILE_OUTPUT, "not in the file");
    file = copy(bytes); /* in the number of tags */
    profile_put(entry_of(file, "B2A0") + 4, TABLE - 1);
    refuses(file, bytes, PROFILE_OUTPUT, "not in the file");
    file = copy(bytes);
    profile_put(entry_of(file, "B2A0") + 8, UINT32_MAX);
    refuses(file, bytes, PROFILE_OUTPUT, "not in the file");
    file = copy(bytes);
    memcpy(entry_of(file, "B2A0"), entry_of(file, "B2A1"), 12);
    refuses(file, bytes, PROFILE_OUTPUT, "twice");
}

/* Each of these fields says how long a table is. */
TEST(refuses_tables_that_announce_more_than_they_have)
{
    static const uint8_t numbers[] = {0, 1, 255};

    for (size_t at = 8; at < 11; at++)
        for (size_t i = 0; i < sizeof numbers; i++) {
            uint8_t *file = copy(bytes);

            case_is("%u at %zu", numbers[i], at);
            tag_of(file, "B2A0")[at] = numbers[i];
            refuses(file, bytes, PROFILE_OUTPUT, "B2A");
        }
    uint8_t *file = copy(bytes);

    memcpy(tag_of(file, "A2B0"), "mpet", 4);
    refuses(file, bytes, PROFILE_OUTPUT, "A2B");
    file = copy(bytes);
    memcpy(tag_of(file, "wtpt"), "text", 4);
    refuses(file, bytes, PROFILE_OUTPUT, "wtpt");
}

TEST(finds_a_printers_own_profile_before_the_generic_one)
{
    struct profile profile;
    char path[PROFILE_PATH], why[PROFILE_WHY], folder[] = "/tmp/profile-XXXXXX",
                                               text[PROFILE_PATH];

    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text,
             "mkdir -p %s/own/rastertohalftone %s/data/rastertohalftone && "
             "cp " GENERIC " %s/data/rastertohalftone/generic.icc && "
             "cp " GENERIC " %s/own/rastertohalftone/laser.icc && "
             "echo no >%s/own/rastertohalftone/bad.icc",
             folder, folder, folder, folder, folder);
    assert_int_equal(system(text), 0);
    char own[64], data[64];

    snprintf(own, sizeof own, "%s/own", folder);
    snprintf(data, sizeof data, "%s/data", folder);
    assert_true(profile_file_default(&profile, path, own, data, "laser", why));
    assert_non_null(strstr(path, "/laser.icc"));
    profile_free(&profile);
    assert_true(profile_file_default(&profile, path, own, data, "ink", why));
    assert_non_null(strstr(path, "/generic.icc"));
    profile_free(&profile);
    assert_false(profile_file_default(&profile, path, own, data, "bad", why));
    assert_non_null(strstr(path, "/bad.icc"));
    assert_non_null(strstr(why, "no ICC profile"));
    assert_false(
        profile_file_named(&profile, path, own, data, "../own/x", why));
    snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0);
}
