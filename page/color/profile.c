/*
 * profile.c - checks ICC profiles (ICC.1:2010, chapters 7 to 10).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/text.h"
#include "page/color/profile.h"
#include "page/color/profile_tag.h"

#define HEADER 128 /* bytes, and behind it the number of tags */
#define TABLE (HEADER + 4)
#define ENTRY 12       /* bytes of the table of tags: name, offset, size */
#define MOST_TAGS 100u /* as lcms2; profiles have up to some thirty */
/* Bytes of a copy: tags there lie at multiples of 4 bytes. */
#define ROOM(size) ((size) + (size_t)4 * MOST_TAGS)

/* Offsets of the header's fields. */
enum {
    AT_SIZE = 0,
    AT_VERSION = 8,
    AT_CLASS = 12,
    AT_SPACE = 16,
    AT_PCS = 20,
    AT_MAGIC = 36
};

static bool refuse(char why[PROFILE_WHY], const char *text)
{
    snprintf(why, PROFILE_WHY, "%s", text);
    return false;
}

/* ---- Its header ---------------------------------------------------------- */

static bool is(const uint8_t *at, const char *name)
{
    return memcmp(at, name, 4) == 0;
}

static bool has_class(const uint8_t *header, enum profile_role role)
{
    const uint8_t *class = header + AT_CLASS;

    return is(class, "prtr") ||
           (role == PROFILE_INPUT &&
            (is(class, "mntr") || is(class, "scnr") || is(class, "spac")));
}

/* The channels of its device; 0 = of none that is known. */
static unsigned channels_of(const uint8_t *header, enum profile_role role)
{
    const uint8_t *space = header + AT_SPACE;

    return is(space, "RGB ")                            ? 3
           : is(space, "CMYK")                          ? 4
           : is(space, "GRAY") && role == PROFILE_INPUT ? 1
                                                        : 0;
}

static bool check_header(const uint8_t *file, size_t size,
                         enum profile_role role, char why[PROFILE_WHY])
{
    if (size > PROFILE_MOST_BYTES)
        return refuse(why, "it has more than 16 MiB");
    if (size < TABLE || !is(file + AT_MAGIC, "acsp"))
        return refuse(why, "it is no ICC profile");
    if (profile_number(file + AT_SIZE) < TABLE ||
        profile_number(file + AT_SIZE) > size)
        return refuse(why, "it is cut short");
    if (file[AT_VERSION] != 2 && file[AT_VERSION] != 4)
        return refuse(why, "its version is neither 2 nor 4");
    if (!has_class(file, role))
        return refuse(why, role == PROFILE_OUTPUT
                               ? "it is not an output device's"
                               : "it is not a device's or a color space's");
    if (channels_of(file, role) == 0)
        return refuse(why, role == PROFILE_OUTPUT
                               ? "its colors are neither CMYK nor RGB"
                               : "its colors are not gray, RGB or CMYK");
    if (!is(file + AT_PCS, "XYZ ") && !is(file + AT_PCS, "Lab "))
        return refuse(why, "it connects to neither XYZ nor Lab");
    return true;
}

/* ---- Its tags ------------------------------------------------------------ */

/* Copies the tag of an entry behind what `to` has of its room, unless one
 * before it has the same place in the file, and makes an entry for it. False
 * without room: then tags overlap otherwise. */
static bool copy_tag(struct profile *to, size_t room, const uint8_t *file,
                     const uint8_t *entry, const uint32_t from[], uint32_t kept)
{
    const uint32_t offset = profile_number(entry + 4),
                   size = profile_number(entry + 8);
    uint8_t *made = to->data + TABLE + (size_t)kept * ENTRY;

    memcpy(made, entry, ENTRY);
    for (uint32_t i = 0; i < kept; i++)
        if (from[i] == offset &&
            profile_number(to->data + TABLE + (size_t)i * ENTRY + 8) == size) {
            memcpy(made + 4, to->data + TABLE + (size_t)i * ENTRY + 4, 4);
            return true;
        }
    if (to->size + ((size_t)size + 3) / 4 * 4 > room)
        return false;
    profile_put(made + 4, (uint32_t)to->size);
    memcpy(to->data + to->size, file + offset, size);
    to->size += ((size_t)size + 3) / 4 * 4;
    return true;
}

/* Whether one of the `kept` entries has the name of another. */
static bool is_repeated(const struct profile *to, uint32_t kept,
                        const uint8_t *entry)
{
    for (uint32_t i = 0; i < kept; i++)
        if (memcmp(to->data + TABLE + (size_t)i * ENTRY, entry, 4) == 0)
            return true;
    return false;
}

/* Takes the tag of an entry, if it is one that is wanted. */
static bool take_tag(struct profile *to, const uint8_t *file, size_t size,
                     const uint8_t *entry, uint32_t from[], uint32_t *kept,
                     char why[PROFILE_WHY])
{
    const uint64_t offset = profile_number(entry + 4),
                   bytes = profile_number(entry + 8);

    if (offset < TABLE || offset + bytes > size)
        return refuse(why, "a tag of it is not in the file");
    switch (
        profile_tag_judge(entry, file + offset, (size_t)bytes, to->channels)) {
    case TAG_UNWANTED:
        return true;
    case TAG_WRONG:
        snprintf(why, PROFILE_WHY, "its tag %.4s is not valid",
                 (const char *)entry);
        return false;
    case TAG_WANTED:
        break;
    }
    if (is_repeated(to, *kept, entry))
        return refuse(why, "it has a tag twice");
    from[*kept] = (uint32_t)offset;
    if (!copy_tag(to, ROOM(size), file, entry, from, *kept))
        return refuse(why, "its tags lie over each other");
    ++*kept;
    return true;
}

static bool take_tags(struct profile *to, const uint8_t *file, size_t size,
                      char why[PROFILE_WHY])
{
    const uint32_t count = profile_number(file + HEADER);
    uint32_t from[MOST_TAGS], kept = 0;

    if (count > MOST_TAGS)
        return refuse(why, "it has more than 100 tags");
    if (TABLE + (size_t)count * ENTRY > size)
        return refuse(why, "it is cut short");
    to->data = calloc(1, ROOM(size));
    if (to->data == NULL)
        return refuse(why, "there is no memory for it");
    to->size = TABLE + (size_t)count * ENTRY;
    for (uint32_t i = 0; i < count; i++)
        if (!take_tag(to, file, size, file + TABLE + (size_t)i * ENTRY, from,
                      &kept, why))
            return false;
    memcpy(to->data, file, HEADER);
    profile_put(to->data + AT_SIZE, (uint32_t)to->size);
    profile_put(to->data + HEADER, kept);
    return true;
}

/* ---- All of it ----------------------------------------------------------- */

bool profile_take(struct profile *profile, const void *file, size_t size,
                  enum profile_role role, char why[PROFILE_WHY])
{
    const uint8_t *bytes = file;

    *profile = (struct profile){.data = NULL};
    if (!check_header(bytes, size, role, why))
        return false;
    profile->channels = channels_of(bytes, role);
    if (!take_tags(profile, bytes, profile_number(bytes + AT_SIZE), why)) {
        profile_free(profile);
        return false;
    }
    uint8_t *fitting = realloc(profile->data, profile->size);

    profile->data = fitting != NULL ? fitting : profile->data;
    return true;
}

bool profile_load(struct profile *profile, const char *path,
                  enum profile_role role, char why[PROFILE_WHY])
{
    char *file = malloc(PROFILE_MOST_BYTES + 1);
    ssize_t size = -1;
    int error = ENOMEM;

    *profile = (struct profile){.data = NULL};
    if (file != NULL) {
        size = text_read(path, file, PROFILE_MOST_BYTES + 1);
        error = errno;
    }
    const bool ok =
        size >= 0 && profile_take(profile, file, (size_t)size, role, why);

    if (size < 0)
        refuse(why, text_error(error));
    free(file);
    errno = size < 0 ? error : 0;
    return ok;
}

void profile_free(struct profile *profile)
{
    free(profile->data);
    *profile = (struct profile){.data = NULL};
}
