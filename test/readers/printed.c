/*
 * printed.c - the bytes of a job, and the page that they paint.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/readers/printed.h"

#define MAX_SIDE 65536u /* dots */

static const char ink_names[] = "CMYK";

static _Noreturn void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void *zeroed(size_t size)
{
    void *memory = calloc(size, 1);

    if (memory == NULL)
        fail("memory");
    return memory;
}

/* Takes the whole file; the memory is the program's to its end. */
static struct job_bytes bytes_of_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *data = NULL;
    size_t size = 0, room = 0, got;

    if (file == NULL)
        fail(path);
    do {
        room += 1 << 20;
        data = realloc(data, room);
        if (data == NULL)
            fail("memory");
        got = fread(data + size, 1, room - size, file);
        size += got;
    } while (got > 0);
    if (ferror(file))
        fail(path);
    fclose(file);
    return (struct job_bytes){.data = data, .size = size};
}

_Noreturn void wrong(const struct job_bytes *in, const char *why, ...)
{
    va_list arguments;

    fflush(stdout);
    fprintf(stderr, "byte %zu of %zu: ", in->at, in->size);
    va_start(arguments, why);
    vfprintf(stderr, why, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(EXIT_FAILURE);
}

const unsigned char *next_bytes(struct job_bytes *in, size_t count)
{
    const unsigned char *start = in->data + in->at;

    if (count > in->size - in->at)
        wrong(in, "the job ends, %zu bytes were expected", count);
    in->at += count;
    return start;
}

unsigned next_byte(struct job_bytes *in)
{
    return *next_bytes(in, 1);
}

unsigned next_word(struct job_bytes *in)
{
    const unsigned char *word = next_bytes(in, 2);

    return word[0] | (unsigned)word[1] << 8;
}

void expect(struct job_bytes *in, unsigned expected)
{
    unsigned got = next_byte(in);

    if (got != expected)
        wrong(in, "0x%02x where 0x%02x was expected", got, expected);
}

/* One run of packed bits, to at most `size` bytes. */
static size_t next_run(struct job_bytes *in, unsigned char *to, size_t size)
{
    unsigned head = next_byte(in);
    size_t count = head < 128 ? head + 1 : 257 - head;

    if (head == 128)
        return 0;
    if (count > size)
        wrong(in, "a run of %zu bytes, with room for %zu", count, size);
    if (head < 128)
        memcpy(to, next_bytes(in, count), count);
    else
        memset(to, (int)next_byte(in), count);
    return count;
}

size_t unpack_bits(const struct job_bytes *in, const unsigned char *from,
                   size_t count, unsigned char *to, size_t size)
{
    size_t start = (size_t)(from - in->data);
    struct job_bytes packed = {in->data, start + count, start};
    size_t done = 0;

    while (packed.at < packed.size)
        done += next_run(&packed, to + done, size - done);
    return done;
}

void next_packed(struct job_bytes *in, unsigned char *to, size_t size)
{
    for (size_t done = 0; done < size;)
        done += next_run(in, to + done, size - done);
}

static size_t line_of(const struct printed *page)
{
    return (page->width + (size_t)3) / 4;
}

/* A page of bare paper of the size "WIDTHxHEIGHT"; NULL when the dots do not
 * matter. False for another text, or `inks` that are none. */
static bool printed_open(struct printed *page, const char *size,
                         const char *inks)
{
    char end;

    *page = (struct printed){.inks = inks};
    if (size == NULL)
        return true;
    if (strspn(inks, ink_names) != strlen(inks) ||
        sscanf(size, "%ux%u%c", &page->width, &page->height, &end) != 2 ||
        page->width < 1 || page->width > MAX_SIDE || page->height < 1 ||
        page->height > MAX_SIDE)
        return false;
    for (size_t ink = 0; ink < 4; ink++)
        page->plane[ink] = zeroed(line_of(page) * page->height);
    return true;
}

/* Dots of so many bits. */
static void print_dots(struct printed *page, const struct job_bytes *in,
                       char ink, size_t x, size_t y, const unsigned char *row,
                       size_t count, unsigned bits)
{
    unsigned char *line =
        page->plane[strchr(ink_names, ink) - ink_names] + y * line_of(page);

    if (page->width == 0)
        return;
    for (size_t i = 0, bit = 0; i < count; i++, bit += bits) {
        const size_t at = x + i;
        const unsigned down = 6 - 2 * (at % 4);
        const unsigned size =
            row[bit / 8] >> (8 - bits - bit % 8) & ((1u << bits) - 1);

        if (size == 0)
            continue;
        if (at >= page->width || y >= page->height ||
            strchr(page->inks, ink) == NULL)
            wrong(in, "%c at (%zu, %zu) is not on the page of %ux%u %s", ink,
                  at, y, page->width, page->height, page->inks);
        if (line[at / 4] >> down & 3)
            wrong(in, "%c at (%zu, %zu) is printed twice", ink, at, y);
        line[at / 4] |= (unsigned char)(size << down);
    }
}

void printed_row(struct printed *page, const struct job_bytes *in, char ink,
                 size_t x, size_t y, const unsigned char *bits, size_t count)
{
    print_dots(page, in, ink, x, y, bits, count, 1);
}

void printed_drops(struct printed *page, const struct job_bytes *in, char ink,
                   size_t x, size_t y, const unsigned char *bits, size_t count)
{
    page->sized = true;
    print_dots(page, in, ink, x, y, bits, count, 2);
}

/* A row of a plane, a byte a drop or a bit a dot. */
static void write_row(const struct printed *page, const unsigned char *line)
{
    unsigned byte = 0;

    for (size_t x = 0; x < page->width; x++) {
        const unsigned size = line[x / 4] >> (6 - 2 * (x % 4)) & 3;

        if (page->sized) {
            putchar((int)size);
            continue;
        }
        byte |= size << (7 - x % 8);
        if (x % 8 == 7 || x + 1 == page->width) {
            putchar((int)byte);
            byte = 0;
        }
    }
}

void printed_eject(struct printed *page)
{
    const size_t bytes = line_of(page);

    if (page->width == 0)
        return;
    for (size_t ink = 0; ink < 4; ink++) {
        if (strchr(page->inks, ink_names[ink]) == NULL)
            continue;
        printf("P%c # %c\n%u %u\n%s", page->sized ? '5' : '4', ink_names[ink],
               page->width, page->height, page->sized ? "3\n" : "");
        for (size_t y = 0; y < page->height; y++)
            write_row(page, page->plane[ink] + y * bytes);
        memset(page->plane[ink], 0, bytes * page->height);
    }
    page->sized = false;
}

void printed_note(struct printed *page, const char *format, ...)
{
    const size_t used = strlen(page->notes);
    char note[PRINTED_NOTES];
    va_list arguments;

    if (page->width > 0)
        return;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
    if (used + strlen(note) + 2 > PRINTED_NOTES) {
        fputs("more commands than PRINTED_NOTES has room for\n", stderr);
        exit(1);
    }
    snprintf(page->notes + used, PRINTED_NOTES - used, " %s", note);
}

int read_job(int argc, char **argv,
             void (*read)(struct job_bytes *in, struct printed *page))
{
    bool dots = argc == 5 && strcmp(argv[1], "--dots") == 0;
    struct printed page;
    struct job_bytes in;

    if (!(dots || (argc == 3 && strcmp(argv[1], "--pages") == 0)) ||
        !printed_open(&page, dots ? argv[2] : NULL, dots ? argv[3] : "")) {
        fprintf(stderr,
                "usage: %s --pages FILE | --dots WIDTHxHEIGHT INKS FILE\n",
                argv[0]);
        return 2;
    }
    in = bytes_of_file(argv[argc - 1]);
    read(&in, &page);
    for (size_t ink = 0; ink < 4; ink++)
        free(page.plane[ink]);
    free(in.data);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("standard output");
    return EXIT_SUCCESS;
}
