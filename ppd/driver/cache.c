/*
 * cache.c - a file in CUPS's cache folder, where cups-driverd keeps its own
 * list and all filters can write, too. Its first line has the hash of all
 * others. Before the lines of a source there is one with its stamp and path.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ppd/driver/cache.h"
#include "ppd/driver/line.h"
#include "page/choice.h"

#define NAME "halftone-drivers"
#define TITLE NAME " 2 "  /* another format has another number */
#define SOURCE "source "  /* begins the line of one */
#define MOST (size_t)16e6 /* bytes; 20,000 lines have 5 MB */
#define HEADER 200        /* bytes, at least those of the first line */
#define STAMP (STAMP_BYTES - 1)
#define FOLDER "/var/cache/cups" /* where CUPS has it if it does not say so */

static const char *folder(void)
{
    const char *named = getenv("CUPS_CACHEDIR");

    return named == NULL ? FOLDER : named;
}

static bool make_header(const char *text, size_t size, char header[HEADER])
{
    char sum[STAMP_BYTES];

    if (!stamp_bytes(text, size, sum))
        return false;
    snprintf(header, HEADER, TITLE "%s\n", sum);
    return true;
}

/* ---- Reading ------------------------------------------------------------- */

/* Opens the file if it can be ours. A FIFO must not keep us. */
static FILE *open_kept(size_t *size)
{
    char path[CHOICE_MAX_PATH];
    struct stat info;

    snprintf(path, sizeof path, "%s/" NAME, folder());
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
        (info.st_uid == 0 || info.st_uid == geteuid()) &&
        (info.st_mode & 022) == 0 && info.st_size > 0 &&
        (size_t)info.st_size <= MOST) {
        *size = (size_t)info.st_size;
        FILE *stream = fdopen(file, "r");
        if (stream != NULL)
            return stream;
    }
    close(file);
    return NULL;
}

/* Whether the bytes are "source STAMP PATH", with nothing that is not shown. */
static bool is_source(const char *line, size_t length)
{
    const size_t before = strlen(SOURCE);

    if (length <= before + STAMP || strncmp(line, SOURCE, before) != 0 ||
        strspn(line + before, "0123456789abcdef") != STAMP ||
        line[before + STAMP] != ' ')
        return false;
    for (size_t i = before + STAMP; i < length; i++)
        if ((unsigned char)line[i] < ' ')
            return false;
    return true;
}

/* Whether each line is one of a source, or of a PPD behind one. */
static bool are_lines(const char *text, size_t size)
{
    bool begun = false;

    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end == NULL ? 0 : (size_t)(end - text);
        bool source = is_source(text, length);
        if (end == NULL || !(source || (begun && line_is_valid(text, length))))
            return false;
        begun = true;
        text = end + 1;
        size -= length + 1;
    }
    return true;
}

/* Reads all lines but the first, if they are as we wrote them. NULL if not. */
static char *read_text(size_t *size)
{
    size_t most = 0;
    FILE *file = open_kept(&most);
    char wanted[HEADER], header[HEADER], *text = NULL;

    if (file == NULL)
        return NULL;
    if (fgets(header, sizeof header, file) != NULL)
        text = malloc(most);
    if (text != NULL) {
        *size = fread(text, 1, most, file);
        if (!make_header(text, *size, wanted) || strcmp(wanted, header) != 0 ||
            !are_lines(text, *size)) {
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

/* Copies the lines behind `line`, that of the source, up to the next one's. */
static bool give(struct source *source, const char *line, const char *end)
{
    const char *first = (const char *)memchr(line, '\n', (size_t)(end - line));
    const char *next = ++first;

    while (next < end && *next == '"')
        next = (const char *)memchr(next, '\n', (size_t)(end - next)) + 1;
    free(source->lines);
    source->size = (size_t)(next - first);
    source->lines = malloc(source->size + 1);
    if (source->lines == NULL)
        return false;
    memcpy(source->lines, first, source->size);
    memcpy(source->stamp, line + strlen(SOURCE), STAMP);
    return true;
}

bool cache_read(struct sources *sources)
{
    size_t size = 0;
    char *text = read_text(&size);
    bool ok = true;

    for (const char *line = text; ok && line != NULL && line < text + size;) {
        const char *end = memchr(line, '\n', (size_t)(text + size - line));
        const char *path = line + strlen(SOURCE) + STAMP + 1;
        struct source *source =
            *line == '"' ? NULL
                         : sources_with(sources, path, (size_t)(end - path));
        ok = source == NULL || give(source, line, text + size);
        line = end + 1;
    }
    free(text);
    return ok;
}

/* ---- Writing ------------------------------------------------------------- */

/* The text of all sources that have been judged, which the caller frees; NULL
 * without memory. */
static char *join(const struct sources *sources, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < sources->count; i++) {
        const struct source *source = &sources->list[i];
        if (source->stamp[0] == '\0')
            continue;
        fprintf(out, SOURCE "%s %s\n", source->stamp, source->path);
        fwrite(source->lines, 1, source->size, out);
    }
    bool ok = !ferror(out);
    if (fclose(out) == 0 && ok)
        return text;
    free(text);
    errno = ENOMEM;
    return NULL;
}

/* Writes a file beside the other one, then in its place. */
static bool write_file(const char *header, const char *text, size_t size)
{
    char path[CHOICE_MAX_PATH], next[CHOICE_MAX_PATH + 8];

    snprintf(path, sizeof path, "%s/" NAME, folder());
    snprintf(next, sizeof next, "%s.XXXXXX", path);
    int file = mkstemp(next);
    if (file < 0)
        return false;
    FILE *out = fdopen(file, "w");
    bool ok = out != NULL && fputs(header, out) >= 0 &&
              fwrite(text, 1, size, out) == size && fchmod(file, 0644) == 0 &&
              fflush(out) == 0;
    int error = errno;
    if ((out == NULL ? close(file) : fclose(out)) != 0 && ok) {
        error = errno;
        ok = false;
    }
    if (ok && rename(next, path) != 0) {
        error = errno;
        ok = false;
    }
    if (!ok)
        remove(next);
    errno = error;
    return ok;
}

bool cache_write(const struct sources *sources)
{
    char header[HEADER];
    size_t size = 0;
    char *text = join(sources, &size);

    if (text == NULL)
        return false;
    errno = size > MOST - HEADER ? EFBIG : ENOMEM;
    bool ok = size <= MOST - HEADER && make_header(text, size, header) &&
              write_file(header, text, size);
    int error = errno;
    free(text);
    errno = error;
    return ok;
}

/* ---- The lock ------------------------------------------------------------ */

/* That of the folder: nothing has to be made for it, or removed. */
int cache_lock(bool wait)
{
    int file = open(folder(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (file < 0)
        return -1;
    while (flock(file, LOCK_EX | (wait ? 0 : LOCK_NB)) < 0)
        if (errno != EINTR) {
            int error = errno;
            close(file);
            errno = error;
            return -1;
        }
    return file;
}
