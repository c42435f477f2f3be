/*
 * make_raster.c - writes CUPS and PWG raster for tests, good and bad, and
 * reads back what a filter made of it.
 *
 * Streams are put together by hand, not by libcups, so that their headers may
 * say anything; they are read with libcups, as a printer's filter would.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cups/raster.h>

#define EXIT_USAGE 2
#define MAX_COLORS 4
#define MAX_CHANGES 256
#define V1_HEADER_BYTES 420 /* no version 2 fields */

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "make-raster: %s: %s\n", what, why);
    return EXIT_FAILURE;
}

/* ---- Colour spaces and orders ----------------------------------------- */

static const struct space {
    const char *name;
    cups_cspace_t space;
    const char *inks; /* in the order of the samples */
    bool additive;
} spaces[] = {
    {"K", CUPS_CSPACE_K, "K", false},
    {"W", CUPS_CSPACE_W, "K", true},
    {"SW", CUPS_CSPACE_SW, "K", true},
    {"RGB", CUPS_CSPACE_RGB, "CMY", true},
    {"sRGB", CUPS_CSPACE_SRGB, "CMY", true},
    {"AdobeRGB", CUPS_CSPACE_ADOBERGB, "CMY", true},
    {"CMYK", CUPS_CSPACE_CMYK, "CMYK", false},
    {"KCMY", CUPS_CSPACE_KCMY, "KCMY", false},
    {"CMY", CUPS_CSPACE_CMY, "CMY", false},
};

static const char *const orders[] = {"chunked", "banded", "planar"};

#define COUNT(list) (sizeof list / sizeof list[0])

static const struct space *space_of(cups_cspace_t number)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (spaces[i].space == number)
            return &spaces[i];
    return NULL;
}

static const struct space *space_named(const char *name)
{
    for (size_t i = 0; i < COUNT(spaces); i++)
        if (strcmp(spaces[i].name, name) == 0)
            return &spaces[i];
    return NULL;
}

/* ---- Header fields by name -------------------------------------------- */

enum kind { NUMBER, REAL, TEXT };

#define TEXT_BYTES 64

#define AT(field)                                                              \
    offsetof(cups_page_header2_t, field),                                      \
        sizeof((cups_page_header2_t *)0)->field, #field

static const struct field {
    size_t offset, bytes;
    const char *name;
    enum kind kind;
} fields[] = {
    {AT(MediaClass), TEXT},
    {AT(MediaColor), TEXT},
    {AT(MediaType), TEXT},
    {AT(OutputType), TEXT},
    {AT(AdvanceDistance), NUMBER},
    {AT(AdvanceMedia), NUMBER},
    {AT(Collate), NUMBER},
    {AT(CutMedia), NUMBER},
    {AT(Duplex), NUMBER},
    {AT(HWResolution), NUMBER},
    {AT(ImagingBoundingBox), NUMBER},
    {AT(InsertSheet), NUMBER},
    {AT(Jog), NUMBER},
    {AT(LeadingEdge), NUMBER},
    {AT(Margins), NUMBER},
    {AT(ManualFeed), NUMBER},
    {AT(MediaPosition), NUMBER},
    {AT(MediaWeight), NUMBER},
    {AT(MirrorPrint), NUMBER},
    {AT(NegativePrint), NUMBER},
    {AT(NumCopies), NUMBER},
    {AT(Orientation), NUMBER},
    {AT(OutputFaceUp), NUMBER},
    {AT(PageSize), NUMBER},
    {AT(Separations), NUMBER},
    {AT(TraySwitch), NUMBER},
    {AT(Tumble), NUMBER},
    {AT(cupsWidth), NUMBER},
    {AT(cupsHeight), NUMBER},
    {AT(cupsMediaType), NUMBER},
    {AT(cupsBitsPerColor), NUMBER},
    {AT(cupsBitsPerPixel), NUMBER},
    {AT(cupsBytesPerLine), NUMBER},
    {AT(cupsColorOrder), NUMBER},
    {AT(cupsColorSpace), NUMBER},
    {AT(cupsCompression), NUMBER},
    {AT(cupsRowCount), NUMBER},
    {AT(cupsRowFeed), NUMBER},
    {AT(cupsRowStep), NUMBER},
    {AT(cupsNumColors), NUMBER},
    {AT(cupsBorderlessScalingFactor), REAL},
    {AT(cupsPageSize), REAL},
    {AT(cupsImagingBBox), REAL},
    {AT(cupsInteger), NUMBER},
    {AT(cupsReal), REAL},
    {AT(cupsString), TEXT},
    {AT(cupsMarkerType), TEXT},
    {AT(cupsRenderingIntent), TEXT},
    {AT(cupsPageSizeName), TEXT},
};

static size_t bytes_of(enum kind kind)
{
    return kind == TEXT ? TEXT_BYTES : 4;
}

static size_t count_of(const struct field *field)
{
    return field->bytes / bytes_of(field->kind);
}

/* Where element `index` of a field lies in the header. */
static unsigned char *element(const struct field *field,
                              cups_page_header2_t *header, size_t index)
{
    return (unsigned char *)header + field->offset +
           index * bytes_of(field->kind);
}

static bool number_of(const char *text, unsigned long long *number)
{
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 0);
    return *text != '\0' && *text != '-' && *end == '\0' && errno == 0;
}

/* "NAME=VALUE" or "NAME[INDEX]=VALUE"; a text may fill its field, then no
 * NUL ends it. */
static bool set_field(cups_page_header2_t *header, const char *change)
{
    const char *equals = strchr(change, '=');
    size_t length = strcspn(change, "[="), index = 0;
    const struct field *field = NULL;
    unsigned long long number;
    unsigned char *to;

    for (size_t i = 0; i < COUNT(fields); i++)
        if (strlen(fields[i].name) == length &&
            strncmp(fields[i].name, change, length) == 0)
            field = &fields[i];
    if (field == NULL || equals == NULL)
        return false;
    if (change[length] == '[')
        index = strtoul(change + length + 1, NULL, 10);
    if (index >= count_of(field))
        return false;
    to = element(field, header, index);
    if (field->kind == TEXT) {
        memset(to, 0, TEXT_BYTES);
        memcpy(to, equals + 1, strnlen(equals + 1, TEXT_BYTES));
    } else if (field->kind == REAL) {
        float real = strtof(equals + 1, NULL);
        memcpy(to, &real, sizeof real);
    } else {
        uint32_t word;
        if (!number_of(equals + 1, &number) || number > UINT32_MAX)
            return false;
        word = (uint32_t)number;
        memcpy(to, &word, sizeof word);
    }
    return true;
}

static void print_fields(cups_page_header2_t *header)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        for (size_t k = 0; k < count_of(&fields[i]); k++) {
            const unsigned char *from = element(&fields[i], header, k);
            uint32_t number;
            float real;

            memcpy(&number, from, sizeof number);
            memcpy(&real, from, sizeof real);
            printf("%s[%zu]=", fields[i].name, k);
            if (fields[i].kind == TEXT)
                printf("%.*s\n", TEXT_BYTES, (const char *)from);
            else if (fields[i].kind == REAL)
                printf("%g\n", (double)real);
            else
                printf("%u\n", number);
        }
}

/* ---- Output ----------------------------------------------------------- */

struct sink {
    unsigned long long written, end, pause;
};

/* False when nothing more is to be written. */
static bool put(struct sink *sink, const void *data, size_t bytes)
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

enum format { V1, V2, V3 };

struct page {
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

static void measure(struct page *page)
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

/* 0..255. Colours are told apart by their ink, so that a page is the same in
 * CMYK and in KCMY. */
static unsigned sample(const struct page *page, uint32_t x, uint32_t y,
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

static void make_line(const struct page *page, uint32_t y, uint32_t plane,
                      unsigned char *line)
{
    bool planar = page->order == CUPS_ORDER_PLANAR;
    bool chunked = page->order == CUPS_ORDER_CHUNKED;
    uint32_t first = planar ? plane : 0;
    uint32_t last = planar ? plane + 1 : page->colors;

    memset(line, 0, page->line_bytes);
    for (uint32_t color = first; color < last; color++) {
        /* Three colours of one bit are the lower three of four. */
        size_t bit =
            !chunked ? (color - first) * page->plane_bytes * 8
                     : page->pixel_bits - (page->colors - color) * page->bits;

        for (uint32_t x = 0; x < page->width; x++, bit += page->pixel_bits) {
            unsigned value = sample(page, x, y, color);
            uint16_t wide = (uint16_t)(value * 257); /* swapped: the same */

            if (page->bits == 1)
                line[bit / 8] |= (unsigned char)((value >> 7) << (7 - bit % 8));
            else if (page->bits == 8)
                line[bit / 8] = (unsigned char)value;
            else
                memcpy(line + bit / 8, &wide, sizeof wide);
        }
    }
}

/* The simplest reading of the compressed format: the line once, all of its
 * pixels literal or, when they are equal, repeated. */
static bool put_compressed(const struct page *page, struct sink *sink,
                           const unsigned char *line)
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

static bool put_pixels(const struct page *page, struct sink *sink)
{
    uint32_t planes = page->order == CUPS_ORDER_PLANAR ? page->colors : 1;
    unsigned char *line = malloc(page->line_bytes + 1);
    bool ok = line != NULL;

    for (uint32_t plane = 0; ok && plane < planes; plane++)
        for (uint32_t y = 0; ok && y < page->height; y++) {
            make_line(page, y, plane, line);
            ok = page->format == V2 ? put_compressed(page, sink, line)
                                    : put(sink, line, page->line_bytes);
        }
    free(line);
    return ok;
}

static void swap_words(unsigned char *bytes, size_t words)
{
    for (size_t i = 0; i < words; i++, bytes += 4) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        word = __builtin_bswap32(word);
        memcpy(bytes, &word, sizeof word);
    }
}

static void swap_header(cups_page_header2_t *header)
{
    for (size_t i = 0; i < COUNT(fields); i++)
        if (fields[i].kind != TEXT)
            swap_words(element(&fields[i], header, 0), count_of(&fields[i]));
}

static void describe(const struct page *page, cups_page_header2_t *header)
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

static bool put_sync(const struct page *page, struct sink *sink)
{
    uint32_t sync = page->format == V1   ? CUPS_RASTER_SYNCv1
                    : page->format == V2 ? CUPS_RASTER_SYNCv2
                                         : CUPS_RASTER_SYNC;

    if (page->swapped)
        sync = __builtin_bswap32(sync);
    return put(sink, &sync, sizeof sync);
}

/* ---- Reading ---------------------------------------------------------- */

enum report { HEADERS, FIELDS, DOTS };

struct source {
    int fd;
    bool ended;
};

static ssize_t read_source(void *context, unsigned char *data, size_t size)
{
    struct source *source = context;
    ssize_t got = read(source->fd, data, size);

    source->ended = got == 0;
    return got;
}

static void print_header(unsigned number, const cups_page_header2_t *h)
{
    const struct space *space = space_of(h->cupsColorSpace);

    printf("page %u: %ux%u %ux%u dpi %s %s bits %u bpp %u colors %u line %u "
           "copies %u class \"%.64s\"\n",
           number, h->cupsWidth, h->cupsHeight, h->HWResolution[0],
           h->HWResolution[1], space != NULL ? space->name : "unknown",
           h->cupsColorOrder < COUNT(orders) ? orders[h->cupsColorOrder]
                                             : "unordered",
           h->cupsBitsPerColor, h->cupsBitsPerPixel, h->cupsNumColors,
           h->cupsBytesPerLine, h->NumCopies, h->MediaClass);
}

/* Writes one ink's plane as PBM, 1 = ink, whatever the raster's order and
 * polarity are. */
static void print_plane(const cups_page_header2_t *h, const struct space *space,
                        const unsigned char *pixels, size_t color)
{
    bool chunked = h->cupsColorOrder == CUPS_ORDER_CHUNKED;
    size_t line = h->cupsBytesPerLine;
    size_t next = line, start = 0; /* bytes */
    size_t first = 0;              /* bit */

    if (chunked)
        first = h->cupsBitsPerPixel - h->cupsNumColors + color;
    else if (h->cupsColorOrder == CUPS_ORDER_BANDED)
        start = line / h->cupsNumColors * color;
    else
        start = line * h->cupsHeight * color;
    printf("P4 # %c\n%u %u\n", space->inks[color], h->cupsWidth, h->cupsHeight);
    for (uint32_t y = 0; y < h->cupsHeight; y++) {
        const unsigned char *from = pixels + start + y * next;
        unsigned byte = 0;

        for (uint32_t x = 0; x < h->cupsWidth; x++) {
            size_t bit = first + (size_t)x * h->cupsBitsPerPixel;
            unsigned on = from[bit / 8] >> (7 - bit % 8) & 1;

            byte |= (on ^ space->additive) << (7 - x % 8);
            if (x % 8 == 7 || x + 1 == h->cupsWidth) {
                putchar((int)byte);
                byte = 0;
            }
        }
    }
}

static int print_dots(const cups_page_header2_t *h, const unsigned char *pixels)
{
    const struct space *space = space_of(h->cupsColorSpace);

    if (space == NULL || h->cupsBitsPerColor != 1 ||
        h->cupsNumColors != strlen(space->inks))
        return fail("dots", "not a page of 1-bit inks");
    for (const char *ink = "CMYK"; *ink != '\0'; ink++) {
        const char *found = strchr(space->inks, *ink);
        if (found != NULL)
            print_plane(h, space, pixels, (size_t)(found - space->inks));
    }
    return EXIT_SUCCESS;
}

static int report_page(cups_raster_t *raster, cups_page_header2_t *h,
                       enum report report, unsigned number)
{
    size_t lines =
        (size_t)h->cupsHeight *
        (h->cupsColorOrder == CUPS_ORDER_PLANAR ? h->cupsNumColors : 1);
    unsigned char *pixels =
        malloc(report == DOTS ? lines * h->cupsBytesPerLine + 1
                              : h->cupsBytesPerLine + 1);
    unsigned char *line = pixels;
    int status = EXIT_SUCCESS;

    if (pixels == NULL)
        return fail("page", strerror(errno));
    if (report == HEADERS)
        print_header(number, h);
    else if (report == FIELDS)
        print_fields(h);
    for (size_t i = 0; i < lines && status == EXIT_SUCCESS; i++) {
        if (cupsRasterReadPixels(raster, line, h->cupsBytesPerLine) !=
            h->cupsBytesPerLine)
            status = fail("page", "truncated");
        if (report == DOTS)
            line += h->cupsBytesPerLine;
    }
    if (report == DOTS && status == EXIT_SUCCESS)
        status = print_dots(h, pixels);
    free(pixels);
    return status;
}

static int read_back(const char *path, enum report report)
{
    struct source source = {.fd = open(path, O_RDONLY)};
    cups_raster_t *raster;
    cups_page_header2_t header;
    unsigned pages = 0;
    int status = EXIT_SUCCESS;

    if (source.fd < 0)
        return fail(path, strerror(errno));
    raster = cupsRasterOpenIO(read_source, &source, CUPS_RASTER_READ);
    if (raster == NULL)
        return fail(path, "not raster");
    while (status == EXIT_SUCCESS && cupsRasterReadHeader2(raster, &header))
        status = report_page(raster, &header, report, ++pages);
    if (status == EXIT_SUCCESS && (!source.ended || pages == 0))
        status = fail(path, pages == 0 ? "no pages" : "bad header");
    cupsRasterClose(raster);
    close(source.fd);
    return status;
}

/* ---- Command line ----------------------------------------------------- */

static int usage(void)
{
    fputs(
        "Usage: make-raster [OPTION]... >RASTER\n"
        "  --width N --height N --dpi N[xN] --pages N --copies N\n"
        "  --space K|W|SW|RGB|sRGB|AdobeRGB|CMYK|KCMY|CMY\n"
        "  --order chunked|banded|planar   --bits 1|8|16\n"
        "  --content white|solid|ramp|noise|checkers   --seed N\n"
        "  --flat V[,V...]     samples 0..255, also of 16 bits (V * 257)\n"
        "  --invert            every sample is 255 less what it was\n"
        "  --compressed, --v1, --pwg       other formats\n"
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
        /* The last one is for all colours that follow. */
        for (int k = i; k < MAX_COLORS; k++)
            values[k] = (unsigned)value;
        if (*end == '\0')
            return true;
        text = end + 1;
    }
    return false;
}

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

struct options {
    struct page page;
    cups_page_header2_t header;
    unsigned long long pages;
    bool sync;
    struct sink sink;
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
    {"order", required_argument, NULL, 'o'},
    {"bits", required_argument, NULL, 'b'},
    {"content", required_argument, NULL, 't'},
    {"seed", required_argument, NULL, 'e'},
    {"flat", required_argument, NULL, 'f'},
    {"invert", no_argument, NULL, 'i'},
    {"compressed", no_argument, NULL, '2'},
    {"v1", no_argument, NULL, '1'},
    {"pwg", no_argument, NULL, 'P'},
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

static bool take_option(struct options *o, int option, const char *value)
{
    struct page *page = &o->page;
    unsigned long long number = 0;
    bool is_number = value != NULL && number_of(value, &number);
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
    case 'o':
        return index_of(value, orders, COUNT(orders), &page->order);
    case 'b':
        page->bits = (uint32_t)number;
        return number == 1 || number == 8 || number == 16;
    case 't':
        if (!index_of(value, contents, COUNT(contents), &content))
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
static bool change_header(const struct options *o, cups_page_header2_t *header)
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
    struct options o = {
        .page = {.space = &spaces[0],
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
        if (!take_option(&o, option, optarg)) {
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
    bool more = !o.sync || put_sync(&o.page, &o.sink);
    for (unsigned long long i = 0; more && i < o.pages; i++)
        more = put(&o.sink, &o.header,
                   o.page.format == V1 ? V1_HEADER_BYTES : sizeof o.header) &&
               put_pixels(&o.page, &o.sink);
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail("standard output", strerror(errno));
    return EXIT_SUCCESS;
}
