/*
 * job.c - command line, environment, PPD and job options (filter(7)).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filter/job.h"
#include "page/memory.h"
#include "page/message.h"
#include "page/option.h"
#include "page/paper_file.h"

#define MAX_OPTIONS_TEXT 65536 /* of all options; CUPS sends a few hundred */

/* ---- The environment -------------------------------------------------- */

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Chooses the packer, none if our dots are to leave as raster. Refuses this
 * filter as its own packer, which would never end. (choose_output() handles
 * application/vnd.cups-raster.) */
static bool choose_packer(struct job *job, const struct choices *from,
                          const struct option_value *packer)
{
    if (!paper_choose(&job->delivery.paper, from))
        return false;
    job->delivery.banded =
        packer->choice != PACKER_NONE; /* unless the PPD says more */
    if (!job->delivery.banded)
        job->delivery.paper = (struct paper){0};
    if (!job->delivery.banded || job->delivery.pwg ||
        choice_is(getenv("FINAL_CONTENT_TYPE"),
                  "application/vnd.cups-halftone-raster"))
        return true;
    if (choice_is(packer->text, "rastertohalftone")) {
        message("ERROR", "HalftonePacker is the filter itself");
        return false;
    }
    snprintf(job->packer, sizeof job->packer, "%s", packer->text);
    job->delivery.packed = true;
    job->delivery.last = false;
    return true;
}

/* Tells whether pages of 16 bits come blank: imagetoraster of cups-filters 1
 * makes them of pictures. cups-filters 2 has the filter "universal" and tones.
 */
static bool comes_blank(void)
{
    const char *type = getenv("CONTENT_TYPE");
    char universal[CHOICE_MAX_PATH];

    if (type == NULL || !starts_with(type, "image/") ||
        choice_is(type, "image/pwg-raster") || choice_is(type, "image/urf") ||
        choice_is(type, "image/svg+xml"))
        return false;
    snprintf(universal, sizeof universal, "%s/filter/universal",
             choice_program_directory());
    return access(universal, F_OK) != 0;
}

/* FINAL_CONTENT_TYPE is what the last filter of the chain makes, and unset
 * without a chain. A PPD with cupsFilter, not cupsFilter2, does not say what
 * its filter makes: then the variable has what the filter before that one
 * makes, or "printer/..." if there is none. So if the variable has our own
 * type, a filter that packs our dots may follow. PAPPL's printer applications
 * set what the filter before makes for any PPD. */
static void choose_output(struct job *job, const struct choices *from)
{
    const char *type = getenv("FINAL_CONTENT_TYPE");
    bool of_ppd =
        type == NULL || choice_is(type, "application/vnd.cups-raster");

    job->delivery.pwg = choice_is(type, "image/pwg-raster") ||
                        (of_ppd && choice_makes(from, "image/pwg-raster"));
    job->delivery.last =
        of_ppd || job->delivery.pwg || starts_with(type, "printer/") ||
        (choice_is(type, "application/vnd.cups-halftone-raster") &&
         !choice_has_packer(from));
}

/* Abilities of packers. CUPS's own ask printers to tumble sheets only from
 * 2.4.21 on; before that, PPDs for them have the RIP turn the backs. */
static const struct known_packer {
    const char *name;
    bool tumbles;
    bool black_first; /* KCMY, and CMYK as one ink or not at all */
    unsigned sizes;   /* of drops, at most; 0: one */
} packers[] = {{"rastertohp", .tumbles = true, .black_first = true},
               {"rastertopcl5", .tumbles = true, .black_first = true},
               {"rastertopcl3", .black_first = true},
               {"rastertoepson", .black_first = true},
               {"rastertoescp2v", .black_first = true, .sizes = 3},
               {"halftonetogutenprint", .black_first = true, .sizes = 5},
               {"halftonetorawgutenprint", .black_first = true, .sizes = 5}};

static struct known_packer find_packer(const char *name)
{
    for (size_t i = 0; i < sizeof packers / sizeof packers[0]; i++)
        if (choice_is(name, packers[i].name))
            return packers[i];
    return (struct known_packer){.name = name};
}

/* Chooses the order of colors that the next filter can read, and how the RIP
 * turns back sides. */
static void choose_sheets(struct job *job,
                          const struct option_value options[OPTIONS])
{
    const struct known_packer packer = find_packer(job->packer);
    const int order = options[OPTION_COLOR_ORDER].choice;
    const enum back_side back =
        (enum back_side)options[OPTION_BACK_SIDE].choice;

    if (order != COLOR_ORDER_AUTO)
        job->delivery.banded = order == COLOR_ORDER_BANDED;
    job->delivery.back = back;
    job->delivery.black_first = job->delivery.banded && packer.black_first;
    job->delivery.tumbled = back == BACK_MANUAL_TUMBLE && packer.tumbles;
}

/* Refuses sizes of drops that the packer would take for dots, or has not. */
static bool sizes_arrive(const struct job *job)
{
    const struct printer_drops *drops = &job->settings.drops;
    const unsigned most = find_packer(job->packer).sizes;
    bool fit = true;

    if (job->packer[0] == '\0' || (most == 0 && !job->settings.sized))
        return true;
    if (most == 0)
        message("ERROR", "HalftoneDrops=Three: %s takes dots of one size",
                job->packer);
    for (unsigned i = 0; most > 0 && i < drops->count; i++)
        fit = fit && drops->at[i].levels - 1 <= most;
    if (!fit)
        message("ERROR", "HalftoneDropSizes: %s takes up to %u sizes",
                job->packer, most);
    return most > 0 && fit;
}

/* The option that names the packer: of all inks another one may. */
static const struct option_value *
packer_option(const struct option_value options[OPTIONS])
{
    const bool own = options[OPTION_INKS_USED].choice == INKS_ALL &&
                     options[OPTION_INK_PACKER].choice != PACKER_NONE;

    return &options[own ? OPTION_INK_PACKER : OPTION_PACKER];
}

static bool read_options(struct job *job, const char *text)
{
    struct option_value options[OPTIONS];
    static struct choices from; /* too large for a small stack */
    bool ok;

    memory_insist("the job's options, the PPD and the paper");
    ok = choices_open(&from, text) && paper_file_choose(&from);
    memory_insist(NULL);
    job->makes_copies = from.ppd == NULL || from.ppd->manual_copies;
    job->delivery.expects_tones =
        choice_of_queue(&from, option_info(OPTION_MODE)->name) != NULL ||
        choice_of_queue(&from, option_info(OPTION_PACKER)->name) != NULL;
    choose_output(job, &from);
    job->delivery.blank_16 = comes_blank();
    ok = ok && options_read(&from, options) &&
         choose_packer(job, &from, packer_option(options));
    if (ok) {
        choose_sheets(job, options);
        ok = settings_choose(&job->settings, &from, options) &&
             sizes_arrive(job);
    }
    choices_close(&from);
    return ok;
}

/* Copies that are no number count as 1, as in CUPS's own filters. */
static unsigned copies_of(const char *text)
{
    long copies = strtol(text, NULL, 10);

    return copies < 1                 ? 1
           : copies > PAGE_MAX_COPIES ? PAGE_MAX_COPIES
                                      : (unsigned)copies;
}

/* Opens the file that the first filter of a chain is given. That filter makes
 * the copies, unless the PPD leaves them to the printer: then the backend asks
 * for them. */
static bool open_file(struct job *job, const char *copies, const char *path)
{
    /* To open a FIFO would wait, and SIGTERM could not end that. */
    job->input = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (job->makes_copies)
        job->copies = copies_of(copies);
    job->delivery.once = job->copies > 1;
    if (job->input < 0 ||
        (job->copies > 1 && lseek(job->input, 0, SEEK_CUR) < 0)) {
        message("ERROR", "Cannot %s \"%s\": %s",
                job->input < 0 ? "open" : "make copies of", path,
                strerror(errno));
        return false;
    }
    return true;
}

bool job_open(struct job *job, int argc, char *argv[])
{
    *job = (struct job){
        .input = STDIN_FILENO, .copies = 1, .delivery.output = STDOUT_FILENO};
    if (argc != 6 && argc != 7) {
        fputs("Usage: rastertohalftone job-id user title copies options "
              "[file]\n",
              stderr);
        message("ERROR", "rastertohalftone needs 5 or 6 arguments");
        return false;
    }
    if (strlen(argv[5]) > MAX_OPTIONS_TEXT) {
        message("ERROR", "The job's options are longer than %d characters",
                MAX_OPTIONS_TEXT);
        return false;
    }
    return read_options(job, argv[5]) &&
           (argc == 6 || open_file(job, argv[4], argv[6]));
}

void job_close(struct job *job)
{
    if (job->input > STDIN_FILENO)
        close(job->input);
    settings_free(&job->settings);
}
