/*
 * raster.c - raster for targets, of few bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <cups/raster.h>

#include "test/fuzz/raster.h"

#define FIELDS 16        /* bytes that describe pages */
#define V1_BYTES 420     /* of a header */
#define FIRST_NUMBER 256 /* numbers of 4 bytes in a header .. */
#define LAST_NUMBER 580  /* .. end here */

/* ---- Raster that is made ------------------------------------------------ */

static const unsigned spaces[] = {
    CUPS_CSPACE_K,    CUPS_CSPACE_W,       CUPS_CSPACE_SW,
    CUPS_CSPACE_CMYK, CUPS_CSPACE_KCMY,    CUPS_CSPACE_CMY,
    CUPS_CSPACE_RGB,  CUPS_CSPACE_SRGB,    CUPS_CSPACE_K,
    CUPS_CSPACE_CMYK, CUPS_CSPACE_DEVICE8, CUPS_CSPACE_ADOBERGB,
    CUPS_CSPACE_RGBW};
static const unsigned colors[] = {1, 1, 1, 4, 4, 3, 3, 3, 1, 4, 8, 3, 4};

/* Pages in DeviceN; the last two have inks that are not as many, or twice. */
static const struct {
    const char *names;
    unsigned count;
} inks[] = {{"K LK:35 LLK:14 C LC:33 M LM:33 Y", 8},
            {"K C LC:33 M LM:33 Y", 6},
            {"K C M Y O G B", 7},
            {"Y LY:99 M C K LC:1 R LM:50", 8},
            {"K LK:48 LLK:16 VLK:5 C LC:35 M LM:20 Y LY:9 R G B O GL", 15},
            {"C M Y K", 4},
            {"K C M Y O G B GL", 5},
            {"K K C M Y LC:33 LM:33 LLC:20", 8}};

#define SPACES (sizeof spaces / sizeof spaces[0])

struct made {
    uint8_t bytes[RASTER_MOST];
    size_t size;
    const uint8_t *fill; /* the samples, again and again */
    size_t fill_size, next;
};

static void put(struct made *to, const void *data, size_t size)
{
    if (size > RASTER_MOST - to->size)
        size = RASTER_MOST - to->size;
    memcpy(to->bytes + to->size, data, size);
    to->size += size;
}

static uint8_t sample(struct made *to)
{
    return to->fill_size == 0 ? 0x55 : to->fill[to->next++ % to->fill_size];
}

static unsigned pick(const uint8_t *from, unsigned choices)
{
    return *from % choices;
}

static unsigned word(const uint8_t *from)
{
    return from[0] | (unsigned)from[1] << 8;
}

/* Mostly small, at times as wide as may be and a little more. */
static unsigned width_of(const uint8_t *from)
{
    unsigned width = word(from);

    return width < 0xf000 ? width % 300 : (width - 0xefff) * 65;
}

static unsigned height_of(const uint8_t *from)
{
    return from[1] < 0xf0 ? from[0] % 40 : word(from) % 400;
}

static void fill_header(cups_page_header2_t *h, const uint8_t *of)
{
    static const unsigned bits[] = {8, 8, 16, 1, 8, 8, 16, 2,
                                    8, 8, 16, 1, 8, 4, 2,  4};
    static const unsigned dpi[] = {300, 600, 72, 1200};
    unsigned space = pick(&of[2], SPACES), pixel;
    unsigned set = pick(&of[11], sizeof inks / sizeof inks[0]);

    h->cupsColorSpace = spaces[space];
    h->cupsNumColors = colors[space];
    strcpy(h->cupsString[0], inks[set].names);
    if (h->cupsColorSpace == CUPS_CSPACE_DEVICE8) {
        h->cupsNumColors = inks[set].count;
        h->cupsColorSpace = CUPS_CSPACE_DEVICE1 + inks[set].count - 1;
    }
    h->cupsBitsPerColor = bits[of[3] & 15];
    h->cupsColorOrder = pick(&of[4], 7) > 2 ? 0 : pick(&of[4], 7);
    h->cupsWidth = width_of(&of[5]);
    h->cupsHeight = height_of(&of[7]);
    h->HWResolution[0] = dpi[of[9] & 3];
    h->HWResolution[1] = dpi[of[9] >> 2 & 3];
    h->Duplex = of[9] >> 4 & 1;
    h->Tumble = of[9] >> 5 & 1;
    h->NumCopies = of[10];
    h->cupsPageSize[0] = (float)(of[12] * 2);
    h->cupsPageSize[1] = (float)(of[13] * 2);
    h->cupsImagingBBox[0] = (float)(of[14] & 15);
    h->cupsImagingBBox[1] = (float)(of[14] >> 4);
    h->cupsImagingBBox[2] = (float)(of[15]);
    h->cupsImagingBBox[3] = (float)(of[15]);
    pixel = h->cupsBitsPerColor;
    if (h->cupsColorOrder == CUPS_ORDER_CHUNKED)
        pixel =
            pixel == 1 && h->cupsNumColors == 3 ? 4 : pixel * h->cupsNumColors;
    h->cupsBitsPerPixel = pixel;
    h->cupsBytesPerLine = (h->cupsWidth * pixel + 7) / 8;
    if (h->cupsColorOrder == CUPS_ORDER_BANDED)
        h->cupsBytesPerLine *= h->cupsNumColors;
    h->cupsBytesPerLine += of[9] >> 6 == 3; /* then it is refused */
}

static void put_header(struct made *to, const cups_page_header2_t *h,
                       size_t bytes, bool swapped)
{
    uint8_t raw[sizeof *h];

    memcpy(raw, h, sizeof raw);
    for (size_t i = FIRST_NUMBER; swapped && i < LAST_NUMBER; i += 4) {
        uint32_t number;

        memcpy(&number, raw + i, 4);
        number = __builtin_bswap32(number);
        memcpy(raw + i, &number, 4);
    }
    put(to, raw, bytes);
}

/* A compressed line, and how many times it comes: runs of pixels. */
static unsigned put_packed(struct made *to, const cups_page_header2_t *h)
{
    unsigned bytes = (h->cupsBitsPerPixel + 7) / 8;
    unsigned left = h->cupsBytesPerLine / bytes, times = sample(to);

    put(to, &(uint8_t){(uint8_t)times}, 1);
    while (left > 0 && to->size < RASTER_MOST) {
        unsigned run = 1 + sample(to) % 128;

        run = run < left ? run : left;
        put(to, &(uint8_t){(uint8_t)(run - 1)}, 1);
        for (unsigned i = 0; i < bytes; i++)
            put(to, &(uint8_t){sample(to)}, 1);
        left -= run;
    }
    return times + 1;
}

static void put_lines(struct made *to, const cups_page_header2_t *h,
                      bool packed)
{
    size_t lines = h->cupsHeight;

    if (h->cupsColorOrder == CUPS_ORDER_PLANAR)
        lines *= h->cupsNumColors;
    for (size_t y = 0; y < lines && to->size < RASTER_MOST;)
        if (packed) {
            y += put_packed(to, h);
        } else {
            for (unsigned x = 0; x < h->cupsBytesPerLine; x++)
                put(to, &(uint8_t){sample(to)}, 1);
            y++;
        }
}

static void make(struct made *to, const uint8_t *of)
{
    static const unsigned syncs[] = {CUPS_RASTER_SYNC, CUPS_RASTER_SYNCv2,
                                     CUPS_RASTER_SYNCv1};
    unsigned kind = pick(&of[1], 5), version = kind % 3;
    unsigned sync = syncs[version];
    bool swapped = kind > 2;
    cups_page_header2_t header = {.MediaClass = ""};

    sync = swapped ? __builtin_bswap32(sync) : sync;
    put(to, &sync, 4);
    fill_header(&header, of);
    if (version == 1)
        memcpy(header.MediaClass, "PwgRaster", 10);
    for (unsigned page = 0; page <= (of[11] & 3u); page++) {
        put_header(to, &header, version == 2 ? V1_BYTES : sizeof header,
                   swapped);
        put_lines(to, &header, version == 1);
    }
    if (of[11] & 0x40) /* cut short */
        to->size -= to->size * (of[11] >> 2 & 15) / 16;
}

size_t raster_of(const uint8_t **raster, const uint8_t *data, size_t size)
{
    static struct made made;

    if (size < FIELDS || data[0] % 2 == 0) {
        *raster = size > 0 ? data + 1 : data;
        return size > 0 ? size - 1 : 0;
    }
    made.fill = data + FIELDS;
    made.fill_size = size - FIELDS;
    made.size = made.next = 0;
    make(&made, data);
    *raster = made.bytes;
    return made.size;
}

/* ---- Raster that leaves ---------------------------------------------------
 */

struct memory {
    const uint8_t *data;
    size_t left;
};

static ssize_t read_memory(void *context, unsigned char *to, size_t size)
{
    struct memory *from = context;

    size = size < from->left ? size : from->left;
    memcpy(to, from->data, size);
    from->data += size;
    from->left -= size;
    return (ssize_t)size;
}

unsigned raster_whole_pages(const uint8_t *data, size_t size)
{
    struct memory memory = {data, size};
    cups_raster_t *raster;
    cups_page_header2_t h;
    unsigned pages = 0;

    if (size == 0)
        return 0;
    raster = cupsRasterOpenIO(read_memory, &memory, CUPS_RASTER_READ);
    if (raster == NULL)
        run_fail("what left is no raster");
    while (cupsRasterReadHeader2(raster, &h)) {
        uint64_t lines = h.cupsHeight;
        unsigned char *line = malloc(h.cupsBytesPerLine);

        if (h.cupsColorOrder == CUPS_ORDER_PLANAR)
            lines *= h.cupsNumColors;
        for (uint64_t y = 0; y < lines; y++)
            if (line == NULL ||
                cupsRasterReadPixels(raster, line, h.cupsBytesPerLine) !=
                    h.cupsBytesPerLine)
                run_fail("page %u ends after %llu of %llu lines", pages + 1,
                         (unsigned long long)y, (unsigned long long)lines);
        free(line);
        pages++;
    }
    cupsRasterClose(raster);
    if (memory.left > 0)
        run_fail("%zu bytes behind %u pages", memory.left, pages);
    return pages;
}
