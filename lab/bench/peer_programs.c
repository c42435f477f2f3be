/*
 * peer_programs.c - programs that halftone a gray page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/bench/machine.h"
#include "lab/bench/peer_programs.h"
#include "lab/bench/process.h"
#include "lab/bench/raster_file.h"

#define GUTENPRINT "gutenprint.5.3"
#define DRIVER CUPS_SERVERBIN "/driver/" GUTENPRINT
#define PPD_URI GUTENPRINT "://escp2-r800/expert"

/* The page in a file, and dots that must be in one; their names in the
 * folder. */
enum form { PGM, POSTSCRIPT, RASTER, TIFF, FORMS };
static const char *const form_names[FORMS] = {"page.pgm", "page.ps", "page.ras",
                                              "page.tif"};

struct peer_program {
    const char *name;    /* as reported */
    const char *package; /* of Debian */
    const char *method;
    enum form form;
    const char *program[3];   /* the first one that is installed is taken */
    const char *arguments[9]; /* %s is the folder */
    const char *version;      /* a shell command; %s is the program */
};

static const struct peer_program list[] = {
    {"pgmtopbm",
     "netpbm",
     "fs",
     PGM,
     {"pgmtopbm"},
     {"-fs"},
     "%s --version 2>&1 | sed -n 's/.*Version: //p'"},
    {"pamditherbw",
     "netpbm",
     "fs",
     PGM,
     {"pamditherbw"},
     {"-fs"},
     "%s --version 2>&1 | sed -n 's/.*Version: //p'"},
    {"ImageMagick",
     "imagemagick",
     "fs",
     PGM,
     {"magick", "convert-im6", "convert"},
     {"pgm:-", "-dither", "FloydSteinberg", "-monochrome", "pbm:-"},
     "%s -version | sed -n 's/^Version: //p'"},
    {"Pillow",
     "python3-pil",
     "fs",
     PGM,
     {"/usr/bin/python3"},
     {"-c", "import sys; from PIL import Image; "
            "Image.open(sys.stdin.buffer).convert('1').tobytes()"},
     "%s -c 'import PIL; print(PIL.__version__)' 2>/dev/null"},
    {"tiffscaled",
     "ghostscript",
     "fs",
     POSTSCRIPT,
     {"gs"},
     {"-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=tiffscaled", "-r600",
      "-sOutputFile=%s/page.tif", "%s/page.ps"},
     "%s --version"},
    {"rastertogutenprint",
     "printer-driver-gutenprint",
     "its own",
     RASTER,
     {CUPS_SERVERBIN "/filter/rastertogutenprint.5.3"},
     {"1", "user", "title", "1", ""},
     "sed -n 's/^\\*NickName.*Gutenprint v\\([^\"]*\\)\"/\\1/p' \"$PPD\""},
};

/* ---- The page --------------------------------------------------------- */

/* Light, as images have it. */
static void put_lines(FILE *out, const uint8_t *samples)
{
    for (uint32_t y = 0; y < PAGE_ROWS; y++) {
        const uint8_t *row = samples + (size_t)(y % CONTENT_ROWS) * PAGE_WIDTH;

        for (uint32_t x = 0; x < PAGE_WIDTH; x++)
            putc(255 - row[x], out);
    }
}

static bool write_image(const char *path, const uint8_t *samples,
                        bool postscript)
{
    double width = PAGE_WIDTH * 72.0 / PAGE_DPI;
    double height = PAGE_ROWS * 72.0 / PAGE_DPI;
    FILE *out = fopen(path, "w");

    if (out == NULL)
        return false;
    if (postscript)
        fprintf(out,
                "%%!PS\n<</PageSize[%g %g]>>setpagedevice\n%g %g scale\n"
                "/line %u string def\n%u %u 8[%u 0 0 -%u 0 %u]"
                "{currentfile line readstring pop}bind image\n",
                width, height, width, height, PAGE_WIDTH, PAGE_WIDTH, PAGE_ROWS,
                PAGE_WIDTH, PAGE_ROWS, PAGE_ROWS);
    else
        fprintf(out, "P5\n%u %u\n255\n", PAGE_WIDTH, PAGE_ROWS);
    put_lines(out, samples);
    if (postscript)
        fputs("\nshowpage\n", out);

    bool ok = !ferror(out);
    return fclose(out) == 0 && ok;
}

static bool write_page(const char *path, const uint8_t *samples, enum form form)
{
    if (form == RASTER)
        return raster_file_write(path, samples, 1, 1);
    return write_image(path, samples, form == POSTSCRIPT);
}

/* ---- Running ---------------------------------------------------------- */

struct peer_command {
    const char *arguments[10];
    char text[10][600]; /* theirs */
    char input[600];
};

#define PEERS (sizeof list / sizeof list[0])

struct programs {
    char folder[400];
    struct peer_command command[PEERS];
    char why[PEERS][64]; /* it is missing, if it does not run */
};

static double run_command(void *context)
{
    struct peer_command *command = context;

    return process_run(command->arguments, command->input);
}

static const char *installed(const struct peer_program *peer)
{
    char line[256], shell[300];

    for (size_t i = 0; i < 3 && peer->program[i] != NULL; i++) {
        snprintf(shell, sizeof shell, "command -v %s 2>/dev/null",
                 peer->program[i]);
        first_line_of(shell, line, sizeof line);
        if (line[0] != '\0')
            return peer->program[i];
    }
    return NULL;
}

static void prepare(struct peer_command *command,
                    const struct peer_program *peer, const char *program,
                    const char *folder)
{
    *command = (struct peer_command){.arguments = {program}};
    snprintf(command->input, sizeof command->input, "%s/%s", folder,
             form_names[peer->form]);
    for (size_t i = 0; i < 9 && peer->arguments[i] != NULL; i++) {
        snprintf(command->text[i], sizeof command->text[i], peer->arguments[i],
                 folder);
        command->arguments[1 + i] = command->text[i];
    }
}

static void enter(struct contest *contest, struct bench_report *report,
                  struct programs *programs, size_t i, enum content content,
                  double budget)
{
    const struct peer_program *peer = &list[i];
    const char *program = installed(peer);
    char shell[300], *why = programs->why[i];
    struct contender contender = {
        .result = {.kind = PROGRAM,
                   .method = peer->method,
                   .content = content_names[content],
                   .inks = 1,
                   .threads = 1,
                   .pixels = (double)PAGE_ROWS * PAGE_WIDTH},
        .run = run_command,
        .context = &programs->command[i],
        .least = LEAST_RUNS,
        .budget = budget,
        .else_missing = why};

    snprintf(why, sizeof programs->why[i], "%s (%s)",
             program == NULL ? "not installed" : "does not work here",
             peer->package);
    if (program == NULL) {
        report_missing(report, peer->name, why);
        return;
    }
    snprintf(contender.result.name, sizeof contender.result.name, "%s",
             peer->name);
    snprintf(shell, sizeof shell, peer->version, program);
    first_line_of(shell, contender.result.version,
                  sizeof contender.result.version);
    prepare(&programs->command[i], peer, program, programs->folder);
    contest_add(contest, &contender);
}

/* Gutenprint's filter takes its printer from a PPD, which the environment
 * names; there the shell finds it too, whatever is in the folder's name. */
static void choose_printer(const char *folder)
{
    char path[512], line[8];

    snprintf(path, sizeof path, "%s/gutenprint.ppd", folder);
    setenv("PPD", path, 1);
    first_line_of(DRIVER " cat " PPD_URI " >\"$PPD\" 2>/dev/null", line,
                  sizeof line);
}

struct programs *programs_enter(struct contest *contest,
                                struct bench_report *report, const char *folder,
                                enum content content, const uint8_t *samples,
                                double budget)
{
    struct programs *programs = calloc(1, sizeof *programs);
    char path[512];

    if (programs == NULL)
        return NULL;
    snprintf(programs->folder, sizeof programs->folder, "%s", folder);
    choose_printer(folder);
    for (size_t i = 0; i < TIFF; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, form_names[i]);
        if (!write_page(path, samples, (enum form)i))
            fprintf(stderr, "halftone-bench: %s: %s\n", path, strerror(errno));
    }
    for (size_t i = 0; i < PEERS; i++)
        enter(contest, report, programs, i, content, budget);
    return programs;
}

void programs_leave(struct programs *programs)
{
    char path[512];

    if (programs == NULL)
        return;
    for (size_t i = 0; i < FORMS; i++) {
        snprintf(path, sizeof path, "%s/%s", programs->folder, form_names[i]);
        unlink(path);
    }
    unlink(getenv("PPD"));
    unsetenv("PPD");
    free(programs);
}
