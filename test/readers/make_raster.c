/*
 * make_raster.c - writes CUPS, PWG and Apple raster for tests, good and bad;
 * its command line also reads back (read_raster.c) what a filter made of it.
 *
 * Streams are put together by hand, not by libcups, so that their headers may
 * say anything.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <arpa/inet.h>

#include <cups/raster.h>

#include "test/readers/raster_fields.h"
#include "test/readers/read_raster.h"

#define EXIT_USAGE 2
#define MAX_COLORS 15
#define MAX_CHANGES 256
#define V1_HEADER_BYTES 420 /* no version 2 fields */
#define URF_HEADER_BYTES 32

static bool index_of(const char *text, const char *const *names, size_t count,
                     unsigned *index)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *index = (unsigned)i;
            return true;
        }
    return false;
}

/* ---- Output ----------------------------------------------------------- */

struct raster_sink {
    unsigned long long written, end, pause;
};

/* False when nothing more is to be written. */
static bool put(struct raster_sink *sink, const void *data, size_t bytes)
{
    unsigned long long left = sink->end - sink->written;
    bool pause_here = sink->pause - sink->written <= bytes;

    if (pause_here)
        left = sink->pause - sink->written;
    if (left < bytes)
        bytes = (size_t)left;
    if (fwrite(data, 1, bytes, stdout) != bytes)
        return false;
    sink->written += bytes;
    if (pause_here && fflush(stdout) == 0)
        for (;;)
            pause();
    return sink->written < sink->end;
}

/* ---- Pages ------------------------------------------------------------ */

enum content { WHITE, SOLID, FLAT, RAMP, NOISE, CHECKERS };
static const char *const contents[] = {"white", "solid", "flat",
                                       "ramp",  "noise", "checkers"};

enum format { V1, V2, V3, URF };

struct raster_page {
    const struct space *space;
    uint32_t width, height, colors, bits;
    unsigned order;
    enum content content;
    unsigned flat[MAX_COLORS];
    uint32_t seed;
    bool invert; /* light for ink and ink for light */
    enum format format;
    bool pwg;
    bool swapped; /* not in this machine's byte order */
    uint32_t pixel_bits;
    size_t plane_bytes, line_bytes;
};

static void measure(struct raster_page *page)
{
    page->colors = (uint32_t)strlen(page->space->inks);
    page->pixel_bits = page->bits;
    if (page->order == CUPS_ORDER_CHUNKED)
        page->pixel_bits = page->bits == 1 && page->colors == 3
                               ? 4
                               : page->bits * page->colors;
    page->plane_bytes = ((size_t)page->width * page->pixel_bits + 7) / 8;
    page->line_bytes = page->plane_bytes *
                       (page->order == CUPS_ORDER_BANDED ? page->colors : 1);
}

static uint32_t mix(uint32_t seed, uint32_t x, uint32_t y, uint32_t color)
{
    uint32_t h = seed * 0x9e3779b1u ^ x * 0x85ebca77u ^ y * 0xc2b2ae3du ^
                 color * 0x27d4eb2fu;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

/* 0..255. Colors are told apart by their ink, so that a page is the same in
 * CMYK and in KCMY. */
static unsigned sample(const struct raster_page *page, uint32_t x, uint32_t y,
                       uint32_t color)
{
    uint32_t ink = (uint32_t)page->space->inks[color];
    unsigned value = 0;

    switch (page->content) {
    case WHITE:
        value = page->space->additive ? 255 : 0;
        break;
    case SOLID:
        value = page->space->additive ? 0 : 255;
        break;
    case FLAT:
        value = page->flat[color];
        break;
    case RAMP:
        value = page->width > 1
                    ? (uint32_t)((uint64_t)x * 255 / (page->width - 1))
                    : y * 255 / page->height;
        break;
    case NOISE:
        value = mix(page->seed, x, y, ink) & 255;
        break;
    case CHECKERS:
        value = (x / 8 + y / 8 + ink) % 2 ? 255 : 0;
    }
    return page->invert ? 255 - value : value;
}

static void make_line(const struct raster_page *page, uint32_t y,
                      uint32_t plane, unsigned char *line)
{
    bool planar = page->order == CUPS_ORDER_PLANAR;
    bool chunked = page->order == CUPS_ORDER_CHUNKED;
    uint32_t first = planar ? plane : 0;
    uint32_t last = planar ? plane + 1 : page->colors;

    memset(line, 0, page->line_bytes);
    for (uint32_t color = first; color < last; color++) {
        /* Three colors of one bit are the lower three of four. */
        size_t bit =
            !chunked ? (color - first) * page->plane_bytes * 8
                     : page->pixel_bits - (page->colors - color) * page->bits;

        for (uint32_t x = 0; x < page->width; x++, bit += page->pixel_bits) {
            unsigned value = sample(page, x, y, color);
            uint16_t wide = (uint16_t)(value * 257); /* swapped: the same */

            if (page->bits < 8)
                line[bit / 8] |=
                    (unsigned char)(value >> (8 - page->bits)
                                                 << (8 - page->bits - bit % 8));
            else if (page->bits == 8)
                line[bit / 8] = (unsigned char)value;
            else
                memcpy(line + bit / 8, &wide, sizeof wide);
        }
    }
}

/* The simplest reading of the compressed format: the line once, all of its
 * pixels literal or, when they are equal, repeated. */
static bool put_compressed(const struct raster_page *page,
                           struct raster_sink *sink, const unsigned char *line)
{
    size_t unit = (page->pixel_bits + 7) / 8;
    size_t left = page->line_bytes / unit;

    if (!put(sink, "", 1))
        return false;
    while (left > 0) {
        size_t same = 1, most = left < 128 ? left : 128;
        unsigned char code;

        while (same < most && memcmp(line, line + same * unit, unit) == 0)
            same++;
        if (same > 1 || most == 1) {
            code = (unsigned char)(same - 1);
            most = same;
            if (!put(sink, &code, 1) || !put(sink, line, unit))
                return false;
        } else {
            code = (unsigned char)(257 - most);
            if (!put(sink, &code, 1) || !put(sink, line, most * unit))
                return false;
        }
        line += most * unit;
        left -= most;
    }
    return true;
}

static bool put_pixels(const struct raster_page *page, struct raster_sink *sink)
{
    uint32_t planes = page->order == CUPS_ORDER_PLANAR ? page->colors : 1;
    unsigned char *line = malloc(page->line_bytes + 1);
    bool ok = line != NULL;

    for (uint32_t plane = 0; ok && plane < planes; plane++)
        for (uint32_t y = 0; ok && y < page->height; y++) {
            make_line(page, y, plane, line);
            ok = page->format == V2 || page->format == URF
                     ? put_compressed(page, sink, line)
                     : put(sink, line, page->line_bytes);
        }
    free(line);
    return ok;
}

static void describe(const struct raster_page *page,
                     cups_page_header2_t *header)
{
    header->cupsWidth = page->width;
    header->cupsHeight = page->height;
    header->cupsBitsPerColor = page->bits;
    header->cupsBitsPerPixel = page->pixel_bits;
    header->cupsBytesPerLine = (unsigned)page->line_bytes;
    header->cupsColorOrder = (cups_order_t)page->order;
    header->cupsColorSpace = page->space->space;
    header->cupsNumColors = page->colors;
    if (page->pwg)
        strcpy(header->MediaClass, "PwgRaster");
    header->PageSize[0] =
        (unsigned)((uint64_t)page->width * 72 / header->HWResolution[0]);
    header->PageSize[1] =
        (unsigned)((uint64_t)page->height * 72 / header->HWResolution[1]);
    header->cupsPageSize[0] = (float)header->PageSize[0];
    header->cupsPageSize[1] = (float)header->PageSize[1];
}

/* Apple raster begins with "UNIRAST" and the number of pages. */
static bool put_sync(const struct raster_page *page, struct raster_sink *sink,
                     uint32_t pages)
{
    uint32_t count = htonl(pages);
    uint32_t sync = page->format == V1   ? CUPS_RASTER_SYNCv1
                    : page->format == V2 ? CUPS_RASTER_SYNCv2
                                         : CUPS_RASTER_SYNC;

    if (page->format == URF)
        return put(sink, "UNIRAST", 8) && put(sink, &count, sizeof count);
    if (page->swapped)
        sync = __builtin_bswap32(sync);
    return put(sink, &sync, sizeof sync);
}

/* The few fields that Apple raster has. */
static void make_urf(const struct raster_page *page,
                     const cups_page_header2_t *h,
                     unsigned char urf[URF_HEADER_BYTES])
{
    static const char *const spaces[] = {"SW", "sRGB", "",    "AdobeRGB",
                                         "W",  "RGB",  "CMYK"};
    const uint32_t numbers[] = {htonl(h->cupsWidth), htonl(h->cupsHeight),
                                htonl(h->HWResolution[0])};
    unsigned space = UINT8_MAX;

    index_of(page->space->name, spaces, sizeof spaces / sizeof spaces[0],
             &space);
    memset(urf, 0, URF_HEADER_BYTES);
    urf[0] = (unsigned char)h->cupsBitsPerPixel;
    urf[1] = (unsigned char)space;
    urf[2] = 1; /* one side */
    memcpy(urf + 12, numbers, sizeof numbers);
}

static bool put_header(const struct raster_page *page, struct raster_sink *sink,
                       const cups_page_header2_t *header)
{
    unsigned char urf[URF_HEADER_BYTES];

    if (page->format != URF)
        return put(sink, header,
                   page->format == V1 ? V1_HEADER_BYTES : sizeof *header);
    make_urf(page, header, urf);
    return put(sink, urf, sizeof urf);
}

/* ---- Command line ----------------------------------------------------- */

static int usage(void)
{
    fputs(
        "Usage: make-raster [OPTION]... >RASTER\n"
        "  --width N --height N --dpi N[xN] --pages N --copies N\n"
        "  --space K|W|SW|RGB|sRGB|AdobeRGB|CMYK|KCMY|CMY\n"
        "  --inks \"K LC:33 ...\"    DeviceN of these inks\n"
        "  --order chunked|banded|planar   --bits 1|2|4|8|16\n"
        "  --content white|solid|ramp|noise|checkers   --seed N\n"
        "  --flat V[,V...]     samples 0..255, also of 16 bits (V * 257)\n"
        "  --invert            every sample is 255 less what it was\n"
        "  --compressed, --v1, --pwg       other formats\n"
        "  --urf               Apple raster, not of K, KCMY and CMY\n"
        "  --swap              in the byte order of other machines\n"
        "  --no-sync           more pages for a raster that was begun\n"
        "  --set FIELD=VALUE, --set FIELD[I]=VALUE, --byte OFFSET=VALUE\n"
        "                      what the header says, whatever the pixels are\n"
        "  --truncate BYTES    end there; --pause-after BYTES: wait for ever\n"
        "or: make-raster --dump-headers|--dump-fields|--dump-dots RASTER\n",
        stderr);
    return EXIT_USAGE;
}

static bool list_of(const char *text, unsigned *values)
{
    char *end;

    for (int i = 0; i < MAX_COLORS; i++) {
        unsigned long value = strtoul(text, &end, 10);
        if (end == text || value > 255)
            return false;
        /* The last one is for all colors that follow. */
        for (int k = i; k < MAX_COLORS; k++)
            values[k] = (unsigned)value;
        if (*end == '\0')
            return true;
        text = end + 1;
    }
    return false;
}

struct raster_options {
    struct raster_page page;
    cups_page_header2_t header;
    unsigned long long pages;
    bool sync;
    struct raster_sink sink;
    const char *set[MAX_CHANGES], *byte[MAX_CHANGES];
    size_t sets, bytes;
    const char *read; /* a raster to read back */
    enum report report;
};

static const struct option names[] = {
    {"width", required_argument, NULL, 'w'},
    {"height", required_argument, NULL, 'h'},
    {"dpi", required_argument, NULL, 'd'},
    {"pages", required_argument, NULL, 'p'},
    {"copies", required_argument, NULL, 'c'},
    {"space", required_argument, NULL, 's'},
    {"inks", required_argument, NULL, 'I'},
    {"order", required_argument, NULL, 'o'},
    {"bits", required_argument, NULL, 'b'},
    {"content", required_argument, NULL, 't'},
    {"seed", required_argument, NULL, 'e'},
    {"flat", required_argument, NULL, 'f'},
    {"invert", no_argument, NULL, 'i'},
    {"compressed", no_argument, NULL, '2'},
    {"v1", no_argument, NULL, '1'},
    {"pwg", no_argument, NULL, 'P'},
    {"urf", no_argument, NULL, 'U'},
    {"swap", no_argument, NULL, 'x'},
    {"no-sync", no_argument, NULL, 'n'},
    {"set", required_argument, NULL, 'S'},
    {"byte", required_argument, NULL, 'B'},
    {"truncate", required_argument, NULL, 'T'},
    {"pause-after", required_argument, NULL, 'A'},
    {"dump-headers", required_argument, NULL, 'H'},
    {"dump-fields", required_argument, NULL, 'F'},
    {"dump-dots", required_argument, NULL, 'D'},
    {NULL, 0, NULL, 0}};

/* Makes the page one of DeviceN with these inks. One is told from others by its
 * letter, or a lighter one by its place. */
static bool set_inks(struct raster_options *o, const char *set)
{
    static char inks[MAX_COLORS + 1];
    static struct space space = {.name = "DeviceN", .inks = inks};
    size_t count = 0;

    for (const char *name = set; *name != '\0'; count++) {
        const size_t size = strcspn(name, " ");

        if (size == 0 || count == MAX_COLORS)
            return false;
        inks[count] = size == 1 ? name[0] : (char)('a' + count);
        name += size + (name[size] == ' ');
    }
    space.space = (cups_cspace_t)(CUPS_CSPACE_DEVICE1 + count - 1);
    o->page.space = &space;
    return snprintf(o->header.cupsString[0], sizeof o->header.cupsString[0],
                    "%s", set) < (int)sizeof o->header.cupsString[0];
}

static bool take_option(struct raster_options *o, int option, const char *value)
{
    struct raster_page *page = &o->page;
    unsigned long long number = 0;
    bool is_number = number_of(value, &number);
    unsigned content, *dpi = o->header.HWResolution;
    int found;

    switch (option) {
    case 'w':
        page->width = (uint32_t)number;
        return is_number && number > 0 && number <= UINT32_MAX;
    case 'h':
        page->height = (uint32_t)number;
        return is_number && number > 0 && number <= UINT32_MAX;
    case 'd':
        found = sscanf(value, "%ux%u", &dpi[0], &dpi[1]);
        if (found == 1)
            dpi[1] = dpi[0];
        return found > 0 && dpi[0] > 0 && dpi[1] > 0;
    case 'p':
        o->pages = number;
        return is_number;
    case 'c':
        o->header.NumCopies = (unsigned)number;
        return is_number;
    case 's':
        page->space = space_named(value);
        return page->space != NULL;
    case 'I':
        return set_inks(o, value);
    case 'o':
        return index_of(value, orders, ORDERS, &page->order);
    case 'b':
        page->bits = (uint32_t)number;
        return number == 1 || number == 2 || number == 4 || number == 8 ||
               number == 16;
    case 't':
        if (!index_of(value, contents, sizeof contents / sizeof contents[0],
                      &content))
            return false;
        page->content = (enum content)content;
        return true;
    case 'e':
        page->seed = (uint32_t)number;
        return is_number;
    case 'f':
        page->content = FLAT;
        return list_of(value, page->flat);
    case 'i':
        return page->invert = true;
    case '1':
        page->format = V1;
        return true;
    case '2':
        page->format = V2;
        return true;
    case 'P':
        page->format = V2;
        page->pwg = true;
        /* PWG raster is big-endian. */
        page->swapped = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
        return true;
    case 'U':
        page->format = URF;
        return true;
    case 'x':
        return page->swapped = true;
    case 'n':
        o->sync = false;
        return true;
    case 'S':
        o->set[o->sets++] = value;
        return o->sets < MAX_CHANGES;
    case 'B':
        o->byte[o->bytes++] = value;
        return o->bytes < MAX_CHANGES;
    case 'T':
        o->sink.end = number;
        return is_number;
    case 'A':
        o->sink.pause = number;
        return is_number;
    case 'H':
    case 'F':
    case 'D':
        o->read = value;
        o->report = option == 'H' ? HEADERS : option == 'F' ? FIELDS : DOTS;
        return true;
    default:
        return false;
    }
}

/* The header's bytes as they are written. */
static bool change_header(const struct raster_options *o,
                          cups_page_header2_t *header)
{
    for (size_t i = 0; i < o->sets; i++)
        if (!set_field(header, o->set[i]))
            return false;
    if (o->page.swapped)
        swap_header(header);
    for (size_t i = 0; i < o->bytes; i++) {
        unsigned offset, value;
        if (sscanf(o->byte[i], "%u=%u", &offset, &value) != 2 ||
            offset >= sizeof *header || value > 255)
            return false;
        ((unsigned char *)header)[offset] = (unsigned char)value;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct raster_options o = {
        .page = {.space = space_named("K"),
                 .width = 64,
                 .height = 48,
                 .bits = 8,
                 .format = V3},
        .header = {.HWResolution = {300, 300}, .NumCopies = 1},
        .pages = 1,
        .sync = true,
        .sink = {.end = UINT64_MAX, .pause = UINT64_MAX},
    };
    int option;

    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1)
        if (!take_option(&o, option, optarg ? optarg : "")) {
            fprintf(stderr, "make-raster: bad option near \"%s\"\n",
                    argv[optind - 1]);
            return usage();
        }
    if (optind != argc)
        return usage();
    if (o.read != NULL)
        return read_back(o.read, o.report);

    measure(&o.page);
    describe(&o.page, &o.header);
    if (!change_header(&o, &o.header))
        return usage();
    bool more = !o.sync || put_sync(&o.page, &o.sink, (uint32_t)o.pages);
    for (unsigned long long i = 0; more && i < o.pages; i++)
        more = put_header(&o.page, &o.sink, &o.header) &&
               put_pixels(&o.page, &o.sink);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "make-raster: standard output: %s\n", strerror(errno));
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
