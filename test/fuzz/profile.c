/*
 * profile.c - ICC profiles, of printers and of documents.
 *
 *   input   a byte: bits 0-1 the intent, bit 2: the profile is a document's,
 *           for the printer of the first profile that was accepted; the profile
 *   holds   false with a reason, or a copy whose tags lie in it and that is
 *           accepted again, with
 *           the same tags. If lcms2 makes a table of it,
 *           white has no ink, black some, and grays that are in the table are
 *           as they are there
 *
 * The table has 5 colors a side.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "page/color/light.h"
#include "page/color/profile_tag.h"
#include "page/color/table.h"
#include "test/fuzz/run.h"

#define TAGS 132 /* where the entries of tags begin */

static void check_copy(const struct profile *profile, enum profile_role role)
{
    const uint32_t count = profile_number(profile->data + TAGS - 4);
    struct profile again;
    char why[PROFILE_WHY];

    if (profile_number(profile->data) != profile->size)
        run_fail("%zu bytes are not what the header says", profile->size);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = profile->data + TAGS + 12 * (size_t)i;

        if ((uint64_t)profile_number(entry + 4) + profile_number(entry + 8) >
            profile->size)
            run_fail("tag %u is not in the copy", i);
    }
    if (!profile_take(&again, profile->data, profile->size, role, why))
        run_fail("the copy is refused: %s", why);
    if (again.size > profile->size ||
        profile_number(again.data + TAGS - 4) != count)
        run_fail("a copy of the copy has other tags");
    profile_free(&again);
}

static void check_table(const struct color_table *table)
{
    static const uint8_t light[9] = {255, 255, 255, 0, 0, 0, 128, 128, 128};
    uint8_t inks[12], cmyk[4];
    unsigned most = 0;

    color_table_line(table, light, 3, inks);
    color_table_black(table, cmyk);
    for (int i = 0; i < 4; i++) {
        if (inks[i] != 0)
            run_fail("white has ink %d", i);
        if (inks[4 + i] != cmyk[(i + 3) % 4])
            run_fail("black is not black");
        most = cmyk[i] > most ? cmyk[i] : most;
    }
    if (most < 128)
        run_fail("black is light");
}

/* Whatever it is. */
static void make_light(const struct profile *profile)
{
    static const uint8_t ink[8] = {0, 0, 0, 0, 200, 100, 50, 255};
    struct color_light *light = color_light_open(profile);
    uint8_t rgb[6];

    if (light != NULL)
        color_light_line(light, ink, 2, rgb);
    color_light_close(light);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct profile printer;
    struct profile profile;
    char why[PROFILE_WHY] = "";

    if (size < 1)
        return 0;
    const enum profile_role role = data[0] & 4 ? PROFILE_INPUT : PROFILE_OUTPUT;

    if (!profile_take(&profile, data + 1, size - 1, role, why)) {
        if (why[0] == '\0' || strchr(why, '\n') != NULL)
            run_fail("no reason");
        return 0;
    }
    check_copy(&profile, role);
    struct color_table *table = NULL;

    if (role == PROFILE_OUTPUT)
        table = color_table_make(COLOR_SRGB, NULL, &profile,
                                 (enum color_intent)(data[0] & 3), why);
    else if (printer.data != NULL && profile.channels == 3)
        table = color_table_make(COLOR_BY_PROFILE, &profile, &printer,
                                 (enum color_intent)(data[0] & 3), why);
    if (role == PROFILE_INPUT && profile.channels == 4)
        make_light(&profile);
    if (table != NULL)
        check_table(table);
    if (table != NULL && role == PROFILE_OUTPUT && printer.data == NULL)
        printer = profile;
    else
        profile_free(&profile);
    free(table);
    return 0;
}
