/*
 * rip.c - asks a RIP how large the pages are, places them, and has those that
 * lie alike rendered.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memmem(), nftw() */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/stream.h"
#include "printer-app/rip/rip.h"
#include "printer-app/rip/rip_child.h"
#include "printer-app/rip/rip_image.h"
#include "printer-app/rip/rip_limits.h"
#include "printer-app/rip/rip_program.h"
#include "printer-app/rip/rip_scan.h"

#define MOST_PAGES 100000u /* of a PDF; each takes 112 bytes here */
#define MOST_FOLDERS 8     /* that are open while one is removed */

/* Largest image of a page, in sheets: all its pixels come, and most are thrown
 * away. */
#define MOST_SHEETS 16

/* Bytes of a sheet that is kept whole, so that shapes and thin lines of scans
 * are as wide as they should be; larger ones go without that. */
#define MOST_KEPT ((uint64_t)256 << 20)

struct rip_work {
    const struct rip_program *program;
    struct rip_page page;
    struct rip_sheet sheet;
    char folder[PATH_MAX]; /* temporary */
    struct rip_child child;
    struct rip_box *boxes; /* of the pages from the first on */
    unsigned count, room;
};

static void add(struct rip_command *command, bool words, const char *format,
                va_list arguments)
{
    char *text = command->text + command->used;
    const size_t room = sizeof command->text - command->used;
    const int length = vsnprintf(text, room, format, arguments);

    command->is_full |= length < 0 || (size_t)length >= room;
    if (command->is_full)
        return;
    command->used += (size_t)length + 1;
    while (text != NULL) {
        if (command->count + 1 >=
            sizeof command->argv / sizeof *command->argv) {
            command->is_full = true;
            return;
        }
        command->argv[command->count++] = text;
        command->argv[command->count] = NULL;
        text = words ? strchr(text, ' ') : NULL;
        if (text != NULL)
            *text++ = '\0';
    }
}

void rip_add(struct rip_command *command, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(command, false, format, arguments);
    va_end(arguments);
}

void rip_add_words(struct rip_command *command, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    add(command, true, format, arguments);
    va_end(arguments);
}

/* ---- The program --------------------------------------------------------- */

static const struct rip_program *choose(void)
{
    static const struct rip_program *const programs[] = {&rip_gs, &rip_mutool,
                                                         NULL};
    const char *wanted = getenv("HALFTONE_RIP");

    for (size_t i = 0; programs[i] != NULL; i++)
        if ((wanted == NULL || strcmp(wanted, programs[i]->name) == 0) &&
            rip_child_installed(programs[i]->name))
            return programs[i];
    return NULL;
}

const char *rip_name(void)
{
    const struct rip_program *program = choose();

    return program != NULL ? program->name : NULL;
}

/* ---- Pages --------------------------------------------------------------- */

static unsigned first_page(const struct rip_work *work)
{
    return work->page.first > 0 ? work->page.first : 1;
}

/* Makes room for one more page. False after an ERROR line. */
static bool add_page(struct rip_work *work)
{
    if (work->count == MOST_PAGES)
        return rip_child_fail(&work->child, "it has more than %u pages",
                              MOST_PAGES);
    if (work->count == work->room) {
        const unsigned room = work->room > 0 ? 2 * work->room : 16;
        struct rip_box *boxes = realloc(work->boxes, room * sizeof *boxes);

        if (boxes == NULL)
            return rip_child_fail(&work->child,
                                  "no memory is left for its pages");
        work->boxes = boxes;
        work->room = room;
    }
    work->boxes[work->count++] = (struct rip_box){.unit = 1};
    return true;
}

/* Takes in what a line says of a page. False after an ERROR line. */
static bool take_line(struct rip_work *work, const char *line)
{
    const struct rip_program *program = work->program;
    unsigned number;

    line += strspn(line, " \t");
    if (sscanf(line, program->page, &number) == 1)
        return number == first_page(work) + work->count ? add_page(work) : true;
    if (strstr(line, "Error") != NULL) /* Ghostscript's are among them */
        rip_child_heard(&work->child, line);
    if (work->count == 0)
        return true;

    struct rip_box *box = &work->boxes[work->count - 1];
    double *m = box->media, *c = box->crop;

    if (sscanf(line, program->media, &m[0], &m[1], &m[2], &m[3]) != 4 &&
        sscanf(line, program->crop, &c[0], &c[1], &c[2], &c[3]) != 4 &&
        sscanf(line, program->rotate, &box->rotate) != 1)
        sscanf(line, program->unit, &box->unit);
    return true;
}

/* Starts the program. False after an ERROR line. */
static bool start(struct rip_work *work, const struct rip_command *command)
{
    return command->is_full
               ? rip_child_fail(&work->child, "%s has too many arguments",
                                work->program->name)
               : rip_child_start(&work->child, command->argv);
}

/* Finds out which pages there are. False after an ERROR line, or because it was
 * stopped. */
static bool list_pages(struct rip_work *work)
{
    struct rip_command command = {.count = 0};
    char line[RIP_MAX_LINE];
    bool ok = true;

    work->program->list(&command, first_page(work), work->page.last);
    if (!start(work, &command))
        return false;
    while (ok && rip_child_line(&work->child, line))
        ok = take_line(work, line);
    if (!rip_child_end(&work->child, ok))
        return false;
    if (work->count > 0)
        return true;
    return rip_child_complained(&work->child)
               ? rip_child_fail(&work->child, "%s: %s", work->program->name,
                                work->child.said)
               : rip_child_fail(&work->child, "it has no page %u",
                                first_page(work));
}

/* ---- Their raster -------------------------------------------------------- */

/* Whether an image of the page is not much larger than the sheet; else writes
 * an ERROR line. */
static bool is_feasible(struct rip_work *work, const struct rip_range *range)
{
    const struct rip_place *place = &range->place;
    const double most =
        MOST_SHEETS * (double)work->sheet.width * work->sheet.height;

    if (work->program->whole_sheets ||
        (double)place->width * (double)place->height <= most)
        return true;
    return rip_child_fail(&work->child,
                          "page %u is too large for the sheet, unless it is "
                          "scaled or Ghostscript is installed",
                          range->first);
}

/* Renders pages that lie alike, or one. False after an ERROR line, or because
 * it was stopped. */
static bool render(struct rip_work *work, const struct rip_range *range,
                   struct stream *stream)
{
    struct rip_command command = {.count = 0};
    struct rip_child *child = &work->child;
    cups_page_header2_t header;
    bool ok = is_feasible(work, range);

    if (!ok)
        return false;
    rip_image_header(&header, &work->page, &work->sheet,
                     rip_gives_light(work->program, &work->page)
                         ? CUPS_CSPACE_SRGB
                     : work->page.color ? CUPS_CSPACE_CMYK
                                        : CUPS_CSPACE_W);
    work->program->draw(&command, &work->page, &work->sheet, range);
    child->page = range->first;
    if (!start(work, &command))
        return false;
    for (unsigned page = range->first; ok && page <= range->last; page++) {
        ok = rip_image_copy(child, stream, &header, &range->place,
                            work->program, &work->page);
        if (ok)
            rip_child_page(child);
    }
    if (stream->broken)
        rip_child_stop(child);
    return rip_child_end(child, ok);
}

static bool is_wanted(const struct rip_work *work, unsigned number)
{
    const struct rip_page *page = &work->page;

    return page->wants == NULL || page->wants(page->of, number);
}

/* Renders all pages that are wanted, until one fails. */
static void render_all(struct rip_work *work, struct stream *stream)
{
    struct rip_range range = {.first = 0}; /* no page yet */
    struct rip_place place;

    for (unsigned i = 0; i < work->count; i++) {
        const unsigned number = first_page(work) + i;
        const bool wanted = is_wanted(work, number);

        if (wanted)
            rip_place_of(&place, &work->page, &work->sheet, &work->boxes[i]);
        if (range.first > 0 && (!wanted || work->program->one_page ||
                                !rip_place_equal(&place, &range.place))) {
            if (!render(work, &range, stream))
                return;
            range.first = 0;
        }
        if (!wanted)
            continue;
        if (range.first == 0) {
            range.first = number;
            range.place = place;
        }
        range.last = number;
    }
    if (range.first > 0)
        (void)render(work, &range, stream);
}

/* Numbers have a point, whatever the locale of the program is. */
static void run(struct rip_work *work, struct stream_taker *taker)
{
    locale_t numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = numbers != (locale_t)0 ? uselocale(numbers) : numbers;
    struct stream stream;

    stream_open_taker(&stream, taker);
    if (list_pages(work))
        render_all(work, &stream);
    stream_close(&stream);
    if (numbers != (locale_t)0) {
        uselocale(before);
        freelocale(numbers);
    }
}

/* ---- Beginning and end --------------------------------------------------- */

/* Whether the file begins like a PDF. RIPs would take another for PostScript,
 * or for whatever they know. False after an ERROR line. */
static bool is_pdf(const char *path)
{
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat file;
    char head[RIP_HEAD];
    ssize_t size = -1;

    if (fd >= 0 && fstat(fd, &file) == 0) {
        if (S_ISREG(file.st_mode))
            size = read(fd, head, sizeof head);
        else
            errno = EINVAL;
    }
    if (size < 0)
        message("ERROR", "The PDF cannot be read: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
    if (size < 0)
        return false;
    if (memmem(head, (size_t)size, RIP_HEADER, strlen(RIP_HEADER)) == NULL) {
        message("ERROR", "The PDF cannot be read: it does not begin like one");
        return false;
    }
    return true;
}

/* Writes the output profile into the folder, if the RIP is to separate by it.
 */
static bool write_profile(const struct rip_work *work)
{
    const struct profile *profile = work->page.profile;
    char path[PATH_MAX + 16];

    if (profile == NULL || !work->page.color ||
        rip_gives_light(work->program, &work->page))
        return true;
    snprintf(path, sizeof path, "%s/%s", work->folder, RIP_PROFILE);
    FILE *file = fopen(path, "wbxe");
    bool ok = file != NULL &&
              fwrite(profile->data, 1, profile->size, file) == profile->size;

    ok = file != NULL && fclose(file) == 0 && ok;
    if (!ok)
        message("ERROR", "Cannot write the color profile to %s: %s", path,
                strerror(errno));
    return ok;
}

/* Makes the temporary folder, which has a link to the PDF and the profile: so
 * the program never sees a name that somebody else chose. */
static bool make_folder(struct rip_work *work, const char *path)
{
    const char *parent = getenv("TMPDIR");
    char link[PATH_MAX + 16], *whole = realpath(path, NULL);
    bool ok = false;

    if (parent == NULL || parent[0] != '/')
        parent = "/tmp";
    const int length = snprintf(work->folder, sizeof work->folder,
                                "%s/halftone-rip-XXXXXX", parent);

    if (whole != NULL && length < 200 && mkdtemp(work->folder) != NULL) {
        snprintf(link, sizeof link, "%s/%s", work->folder, RIP_FILE);
        ok = symlink(whole, link) == 0;
        if (!ok)
            rmdir(work->folder);
    } else if (whole != NULL && length >= 200) {
        errno = ENAMETOOLONG;
    }
    if (!ok)
        message("ERROR", "Cannot make a temporary folder in %s: %s", parent,
                strerror(errno));
    free(whole);
    return ok;
}

static int remove_file(const char *path, const struct stat *info, int kind,
                       struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

/* Removes the folder with what a RIP has left there, or its libraries. */
static void remove_folder(const struct rip_work *work)
{
    if (nftw(work->folder, remove_file, MOST_FOLDERS, FTW_DEPTH | FTW_PHYS) !=
        0)
        message("WARNING", "Cannot remove %s: %s", work->folder,
                strerror(errno));
}

bool rip_run_within(const char *path, const struct rip_page *page,
                    const struct rip_limits *limits, struct stream_taker *taker)
{
    const struct rip_program *program = choose();
    struct rip_work *work = NULL;
    struct rip_sheet sheet;

    if (program == NULL) {
        message("ERROR", "PDF cannot be printed: neither Ghostscript (gs) nor "
                         "MuPDF's mutool is installed");
        return false;
    }
    if (!rip_sheet_of(&sheet, page)) {
        message("ERROR", "PDF cannot be printed on %.2f x %.2f mm at %ux%u dpi",
                page->width / 100.0, page->length / 100.0, page->dpi[0],
                page->dpi[1]);
        return false;
    }
    if (!is_pdf(path))
        return false;
    work = calloc(1, sizeof *work);
    if (work == NULL) {
        message("ERROR", "No memory for the RIP");
        return false;
    }
    work->program = program;
    work->page = *page;
    work->sheet = sheet;
    if ((uint64_t)sheet.width * sheet.height * (page->color ? 4 : 1) >
        MOST_KEPT)
        work->page.exact = work->page.art = false;
    work->page.scan = program->averages && rip_is_scan(path, &sheet);
    if (!make_folder(work, path)) {
        free(work);
        return false;
    }
    rip_child_init(&work->child, work->folder, limits);
    work->child.failed = !write_profile(work);
    if (!work->child.failed)
        run(work, taker);
    const bool ok = !work->child.failed;

    remove_folder(work);
    free(work->boxes);
    free(work);
    return ok;
}

bool rip_run(const char *path, const struct rip_page *page,
             struct stream_taker *taker)
{
    static const struct rip_limits usual = {RIP_MEMORY_MIB, RIP_PAGE_SECONDS,
                                            RIP_SILENT_SECONDS, RIP_FILE_MIB};

    return rip_run_within(path, page, &usual, taker);
}
