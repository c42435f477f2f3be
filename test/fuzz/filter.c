/*
 * filter.c - raster and options through the whole filter, in this process.
 *
 *   input   an option's choice a byte, HalftoneMode first, then the printer's
 *           drop sizes in SIZES bytes, a byte for copies, types and the PPD,
 * then raster as raster_of() takes it holds   one ERROR line if the job fails,
 * and none if not; pages that begin are whole, and have PAGE lines; the same
 * dots and messages with another number of threads, and from a pipe as from a
 * file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/option.h"
#include "test/fuzz/raster.h"
#include "test/fuzz/run.h"

#define MOST_SAMPLES (1u << 15) /* of a run */

/* Options that a job may set without a PPD, except those that name files. */
static const enum option_id of_job[] = {
    OPTION_MODE,       OPTION_LINES,    OPTION_CONTENT,   OPTION_OPTIMIZE,
    OPTION_COLOR_MODE, OPTION_SEGMENTS, OPTION_BLACK,     OPTION_GAMMA,
    OPTION_CURVE,      OPTION_DENSITY,  OPTION_INK_LIMIT, OPTION_SHARPNESS,
    OPTION_DROPS,      OPTION_MIXING,   OPTION_INKS_USED, OPTION_TONING,
    OPTION_GRAYS};

#define OF_JOB (sizeof of_job / sizeof of_job[0])
#define SIZES 3u

#define LIGHT_INKS                                                             \
    "*HalftoneInks: \"All\"\n*HalftoneInkSet: \"K LK:35 C LC:33 M LM:33 Y\"\n"
#define FIVE_SIZES                                                             \
    "*HalftoneDrops: \"Three\"\n*HalftoneDropSizes: \"PPD\"\n"                 \
    "*HalftoneSizes any: \"9,30,50,70,100 1,2,3,4,5 90,80,80,70 1.2:1.1:0.9 "  \
    "1,1.1,1.2,1 250\"\n"

/* The PPD of a queue says the rest. */
static const char *const ppd_lines[] = {
    "*HalftoneColorOrder: \"Chunked\"\n",
    "*HalftoneColorOrder: \"Banded\"\n",
    "*cupsBackSide: \"ManualTumble\"\n",
    "*cupsBackSide: \"Flipped\"\n",
    "*HalftoneDropSizes: \"a\"\n",
    LIGHT_INKS,
    LIGHT_INKS "*HalftonePaper: \"a\"\n",
    "*HalftoneInks: \"All\"\n*HalftoneInkSet: "
    "\"K LK:48 LLK:16 VLK:5 C LC:35 M LM:20 Y LY:9 R G B O GL\"\n",
    FIVE_SIZES,
    FIVE_SIZES LIGHT_INKS "*HalftonePaper: \"a\"\n"};
static const char ppd_begin[] =
    "*PPD-Adobe: \"4.3\"\n*FormatVersion: \"4.3\"\n*FileVersion: \"1.0\"\n"
    "*LanguageVersion: English\n*LanguageEncoding: ISOLatin1\n"
    "*PCFileName: \"FUZZ.PPD\"\n*Product: \"(Fuzz)\"\n"
    "*PSVersion: \"(3010.000) 0\"\n*Manufacturer: \"Fuzz\"\n"
    "*ModelName: \"Fuzz\"\n*ShortNickName: \"Fuzz\"\n*NickName: \"Fuzz\"\n"
    "*cupsManualCopies: True\n";

static const char *const types[] = {
    NULL, "image/pwg-raster", "application/vnd.cups-raster", "printer/fuzz"};

static struct {
    char text[1024]; /* of options */
    char copies[8];
    bool same; /* more threads and a pipe are tried, too */
} job;

/* Adds "NAME=VALUE " to the options; nothing for 0. */
static void add_option(enum option_id id, uint8_t byte)
{
    const struct option *option = option_info(id);
    size_t used = strlen(job.text), room = sizeof job.text - used;
    unsigned choices = 0;

    while (option_choice(id, choices) != NULL)
        choices++;
    if (byte == 0)
        return;
    if (option->kind == OPTION_NUMBER)
        snprintf(job.text + used, room, "%s=%g ", option->name,
                 option->low + (option->high - option->low) * byte / 255);
    else if (option->kind == OPTION_CMYK && byte % 4 == 3)
        snprintf(job.text + used, room, "%s=%u,%u,%u,%u ", option->name, byte,
                 byte / 2, 255 - byte, byte % 2 ? 255 : 130);
    else if (choices > 0)
        snprintf(job.text + used, room, "%s=%s ", option->name,
                 option_choice(id, byte % choices));
}

/* Makes a data directory whose rastertohalftone/ is itself. */
static void make_data(void)
{
    static const char paper[] =
        "halftone-paper 1\nset HalftoneInkLimit 240\npixel 50 40\n"
        "ink K 30 0\nink K 100 99\nink LK 40 90\nink LK 99 0\n";
    char path[96];

    snprintf(path, sizeof path, "%s/rastertohalftone", run_folder());
    if (symlink(".", path) == 0)
        run_write("a.paper", paper, sizeof paper - 1);
    setenv("CUPS_DATADIR", run_folder(), 1);
}

/* Writes one to three sizes; the table is wrong where two are the same. */
static void write_drops(const uint8_t of[SIZES])
{
    const unsigned sizes = 1 + of[0] % 3u, mixed = of[0] / 3 % 17u;
    const double second = 100 * (1 + of[2]) / 256.0;
    const double areas[] = {second * (1 + of[1]) / 256, second};
    char text[128] = "halftone-drops 1\ndrops a any ";
    size_t at = strlen(text);

    for (unsigned i = 0; i + 1 < sizes; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%.5f,", areas[i]);
    snprintf(text + at, sizeof text - at, "100 %.*s 16 %u\n",
             (int)(2 * sizes - 1), "1,2,3", mixed);
    make_data();
    run_write("drops", text, strlen(text));
}

/* One PPD for each of `ppd_lines`, and none. */
static void choose_ppd(unsigned choice)
{
    static int files[sizeof ppd_lines / sizeof ppd_lines[0]];
    char text[sizeof ppd_begin + 512];

    if (choice >= sizeof files / sizeof files[0]) {
        unsetenv("PPD");
        return;
    }
    if (files[choice] == 0) {
        snprintf(text, sizeof text, "%s%s", ppd_begin, ppd_lines[choice]);
        files[choice] = run_file((const uint8_t *)text, strlen(text));
    }
    setenv("PPD", run_path(files[choice]), 1);
}

/* Sets the environment and the options; returns how many bytes that took. */
static size_t read_job(const uint8_t *data)
{
    const uint8_t last = data[OF_JOB + SIZES];
    const char *type = types[last & 3];

    job.text[0] = '\0';
    for (size_t i = 0; i < OF_JOB; i++)
        add_option(of_job[i], data[i]);
    write_drops(data + OF_JOB);
    choose_ppd(last >> 4);
    snprintf(job.copies, sizeof job.copies, "%d", last >> 2 & 1 ? 2 : 1);
    job.same = last >> 3 & 1;
    if (type == NULL)
        unsetenv("FINAL_CONTENT_TYPE");
    else
        setenv("FINAL_CONTENT_TYPE", type, 1);
    return OF_JOB + SIZES + 1;
}

static void run_job(struct run *run, const uint8_t *raster, size_t size,
                    unsigned threads, enum run_input way)
{
    char options[sizeof job.text + 32];
    char *argv[] = {"rastertohalftone",
                    "1",
                    "user",
                    "title",
                    job.copies,
                    options,
                    way == RUN_FILE ? RUN_INPUT : NULL,
                    NULL};

    snprintf(options, sizeof options, "%sHalftoneThreads=%u", job.text,
             threads);
    raster_begin(MOST_SAMPLES);
    run_program(run, program_main, argv, raster, size, way);
    run_check_messages(run, run->status != 0);
}

/* A pipe has one copy; two threads and one differ in what helps. */
static void check_same(const struct run *first, const uint8_t *raster,
                       size_t size)
{
    struct run other;

    run_job(&other, raster, size, 3, RUN_FILE);
    run_check_same(first, &other, "with more threads");
    run_free(&other);
    if (job.copies[0] != '1')
        return;
    run_job(&other, raster, size, 1, RUN_PIPE);
    run_check_same(first, &other, "from a pipe");
    run_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *raster;
    struct run run;

    if (size <= OF_JOB + SIZES)
        return 0;
    size_t used = read_job(data);
    size_t bytes = raster_of(&raster, data + used, size - used);

    run_job(&run, raster, bytes, 1, RUN_FILE);
    if (!run.full) {
        unsigned pages = raster_whole_pages(run.out, run.size);
        unsigned said = run_lines(&run, "PAGE: ");

        if (said != pages && said != 0)
            run_fail("%u pages, %u PAGE lines: %s", pages, said, run.said);
        if (job.same)
            check_same(&run, raster, bytes);
    }
    run_free(&run);
    return 0;
}
