/*
 * profile_tag.c - the tags that are wanted, and their types (ICC.1:2010,
 * chapters 9 and 10).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdbool.h>
#include <string.h>

#include "page/color/profile_tag.h"

#define PCS_CHANNELS 3u

/* Types of tags. */
enum tag_kind {
    TAG_XYZ,    /* a color */
    TAG_MATRIX, /* of 9 numbers */
    TAG_CURVE,  /* by points or by a formula */
    TAG_FORTH,  /* from the device: tables and curves */
    TAG_BACK    /* to the device */
};

static const struct {
    char name[5];
    enum tag_kind kind;
} wanted[] = {
    {"wtpt", TAG_XYZ},   {"bkpt", TAG_XYZ},   {"rXYZ", TAG_XYZ},
    {"gXYZ", TAG_XYZ},   {"bXYZ", TAG_XYZ},   {"chad", TAG_MATRIX},
    {"rTRC", TAG_CURVE}, {"gTRC", TAG_CURVE}, {"bTRC", TAG_CURVE},
    {"kTRC", TAG_CURVE}, {"A2B0", TAG_FORTH}, {"A2B1", TAG_FORTH},
    {"A2B2", TAG_FORTH}, {"B2A0", TAG_BACK},  {"B2A1", TAG_BACK},
    {"B2A2", TAG_BACK},
};

static bool is(const uint8_t *at, const char *name)
{
    return memcmp(at, name, 4) == 0;
}

static uint32_t short_number(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

/* ---- Curves -------------------------------------------------------------- */

/* Returns the bytes of the curve at the front of `data`; 0 = there is none, or
 * it is cut short. */
static size_t curve_bytes(const uint8_t *data, size_t size)
{
    static const unsigned parameters[] = {1, 3, 4, 5, 7};
    size_t bytes = 0;

    if (size < 12)
        return 0;
    if (is(data, "curv"))
        bytes = 12 + (size_t)2 * profile_number(data + 8);
    else if (is(data, "para") && short_number(data + 8) < 5)
        bytes = 12 + (size_t)4 * parameters[short_number(data + 8)];
    return bytes <= size ? bytes : 0;
}

/* Whether `count` curves follow each other at `offset`, each at a multiple of
 * 4 bytes. */
static bool has_curves(const uint8_t *data, size_t size, size_t offset,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const size_t bytes =
            offset < size ? curve_bytes(data + offset, size - offset) : 0;

        if (bytes == 0)
            return false;
        offset += (bytes + 3) / 4 * 4;
    }
    return true;
}

/* ---- Tables -------------------------------------------------------------- */

/* Returns the samples of a table with points[] points a side; if a side has
 * less than 2, more than any tag holds. */
static uint64_t table_samples(const uint8_t *points, size_t step, unsigned in,
                              unsigned out)
{
    uint64_t samples = out;

    for (unsigned i = 0; i < in; i++)
        samples = points[i * step] < 2   ? UINT64_MAX / 256
                  : samples < UINT32_MAX ? samples * points[i * step]
                                         : samples;
    return samples;
}

/* Lut8Type and lut16Type: matrix, curves, table and curves in one row. */
static bool is_old_table(const uint8_t *data, size_t size, unsigned in,
                         unsigned out)
{
    const bool wide = is(data, "mft2");
    const size_t head = wide ? 52 : 48;

    if (size < head || data[8] != in || data[9] != out)
        return false;
    const uint32_t before = wide ? short_number(data + 48) : 256;
    const uint32_t after = wide ? short_number(data + 50) : 256;
    const uint64_t samples = table_samples(data + 10, 0, in, out) +
                             (uint64_t)in * before + (uint64_t)out * after;

    return before >= 2 && before <= 4096 && after >= 2 && after <= 4096 &&
           samples <= (size - head) / (wide ? 2 : 1);
}

/* Points a side of up to 16 inputs, bytes of a sample, 3 of nothing. */
static bool has_table(const uint8_t *data, size_t size, size_t offset,
                      unsigned in, unsigned out)
{
    if (offset > size || size - offset < 20)
        return false;
    const unsigned bytes = data[offset + 16];

    return (bytes == 1 || bytes == 2) &&
           table_samples(data + offset, 1, in, out) <=
               (size - offset - 20) / bytes;
}

/* LutAToBType and lutBToAType: five places, 0 where there is nothing. Next to
 * the connection space are the curves "B" and the matrix. */
static bool is_new_table(const uint8_t *data, size_t size, unsigned in,
                         unsigned out, bool forth)
{
    const unsigned pcs = forth ? out : in, device = forth ? in : out;

    if (size < 32 || data[8] != in || data[9] != out)
        return false;
    const size_t b = profile_number(data + 12),
                 matrix = profile_number(data + 16),
                 m = profile_number(data + 20),
                 table = profile_number(data + 24),
                 a = profile_number(data + 28);

    return has_curves(data, size, b, pcs) &&
           (matrix == 0 || (matrix <= size && size - matrix >= 48)) &&
           (m == 0 || has_curves(data, size, m, pcs)) &&
           (table != 0 ? has_table(data, size, table, in, out)
                       : pcs == device) &&
           (a == 0 || has_curves(data, size, a, device));
}

static bool is_table(const uint8_t *data, size_t size, unsigned channels,
                     bool forth)
{
    const unsigned in = forth ? channels : PCS_CHANNELS;
    const unsigned out = forth ? PCS_CHANNELS : channels;

    if (is(data, "mft1") || is(data, "mft2"))
        return is_old_table(data, size, in, out);
    return is(data, forth ? "mAB " : "mBA ") &&
           is_new_table(data, size, in, out, forth);
}

/* ---- Tags ---------------------------------------------------------------- */

static bool is_valid(enum tag_kind kind, const uint8_t *data, size_t size,
                     unsigned channels)
{
    switch (kind) {
    case TAG_XYZ:
        return size >= 20 && is(data, "XYZ ");
    case TAG_MATRIX:
        return size >= 44 && is(data, "sf32");
    case TAG_CURVE:
        return curve_bytes(data, size) > 0;
    case TAG_FORTH:
    case TAG_BACK:
        return size >= 32 && is_table(data, size, channels, kind == TAG_FORTH);
    }
    return false;
}

enum tag_verdict profile_tag_judge(const uint8_t *name, const uint8_t *data,
                                   size_t size, unsigned channels)
{
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (is(name, wanted[i].name))
            return is_valid(wanted[i].kind, data, size, channels) ? TAG_WANTED
                                                                  : TAG_WRONG;
    return TAG_UNWANTED;
}
