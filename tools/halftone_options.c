/*
 * halftone_options.c - the command line of halftone; see halftone_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/lines.h"
#include "tools/command.h"
#include "tools/halftone_options.h"
#include "tools/tones.h"

#define DEFAULT_BAND 128 /* rows */

/* A GPU takes longer to start than the CPU needs for an image. */
#define AUTO_ENGINE "cpu"

static const char usage_format[] =
    "Usage: halftone [OPTION]... IN OUT\n"
    "Turns a PGM, PPM or PNG image (8 or 16 bits), or the dots of a PBM or\n"
    "PNG, into dots: PBM, or PNG where OUT ends in .png. Black is ink; a\n"
    "color image becomes cyan, magenta and yellow, in PBM one file each.\n"
    "\"-\" is standard input or output.\n"
    "\n"
    "  --method METHOD  %s; the first is the default\n"
    "  --engine ENGINE  auto (default), cpu, reference, cuda, opencl, or one "
    "of\n"
    "                   those that an unknown one makes it list\n"
    "  --table TABLE    tone table: a file, or the name of an installed one\n"
    "  --cells C        of screen, on 128 pixels, 4 to 32 (16: 106 lines an\n"
    "                   inch at 600 dpi)\n"
    "  --dpi DPI        of the printer, across, 1 to 9600: chooses the cells\n"
    "  --resolution R   of the printer, across and down, such as 720x360:\n"
    "                   chooses the method's own table\n"
    "  --segments T     columns between cuts, 16 to 262144 (%u), 0 = none\n"
    "  --curve CURVE    tone curve: none (the default), default, a file, or "
    "the\n"
    "                   name of an installed one\n"
    "  --gray KIND      with a curve, a gray image is of ink (the default), "
    "or\n"
    "                   as light as on a screen\n"
    "  --gamma G        0.25 to 4 (1); more is lighter\n"
    "  --density D      percent, 10 to 200 (100)\n"
    "  --profile P      ICC profile of the printer, for color images: none "
    "(the\n"
    "                   default: cyan, magenta and yellow are complements),\n"
    "                   generic, a file, or the name of an installed one\n"
    "  --intent I       relative-bpc (the default), relative, perceptual,\n"
    "                   absolute\n"
    "  --limit L        of all inks of a color image, percent, 100 to 400 "
    "(400)\n"
    "  --sharpness N    0 (default) to 3, for methods with tones\n"
    "  --drops AREAS    sizes of drops, percent of the largest, such as\n"
    "                   33.3,66.7,100; gray is then what they cover: PNG, PGM\n"
    "  --mixed N        how much sizes are mixed, 0 (default) to 16\n"
    "  --ink N          prints a gray image as ink number N, 0 to 14 (0)\n"
    "  --module FILE    the GPU module to use instead of the installed one\n"
    "  --threads N      most to use, 0 to 4096, of which at most 64 are used;\n"
    "                   0 (default) = the engine decides\n"
    "  --band ROWS      rows given to the engine at once, 1 to 65536 (128)\n"
    "  --verbose        reports engine, speed and ink coverage\n"
    "  --help, --version\n";

static const char *usage_text(void)
{
    static char usage[2 * sizeof usage_format];
    char methods[sizeof usage_format] = "";
    size_t length = 0;

    for (ht_method_t m = 0; m < HT_METHODS; m++)
        length +=
            (size_t)snprintf(methods + length, sizeof methods - length, "%s%s",
                             m > 0 ? ", " : "", ht_method_info(m)->name);
    snprintf(usage, sizeof usage, usage_format, methods, HT_DEFAULT_SEGMENT);
    return usage;
}

static bool parse_method(const char *text, ht_method_t *method)
{
    for (ht_method_t m = 0; m < HT_METHODS; m++)
        if (strcmp(text, ht_method_info(m)->name) == 0) {
            *method = m;
            return true;
        }
    return command_complain("--method", "not one that --help lists");
}

/* A segment is 0 or at least HT_MIN_SEGMENT. */
static bool parse_segment(const char *text, uint32_t *segment)
{
    if (!command_number("--segments", text, 0, HT_MAX_WIDTH, segment))
        return false;
    if (*segment == 0 || *segment >= HT_MIN_SEGMENT)
        return true;
    warnx("--segments: neither 0 nor at least %u columns", HT_MIN_SEGMENT);
    return false;
}

/* Parses "ACROSSxDOWN". */
static bool parse_resolution(const char *text, uint32_t resolution[2])
{
    char across[8];
    const size_t length = strcspn(text, "x");

    if (length >= sizeof across || text[length] == '\0')
        return command_complain("--resolution", "not ACROSSxDOWN");
    memcpy(across, text, length);
    across[length] = '\0';
    return command_number("--resolution", across, 1, HT_MAX_DPI,
                          &resolution[0]) &&
           command_number("--resolution", text + length + 1, 1, HT_MAX_DPI,
                          &resolution[1]);
}

/* Loaders search their own folders for a name without a slash. */
static bool use_module(const char *name)
{
    char *path = realpath(name, NULL); /* the library keeps it */

    if (path == NULL)
        return command_complain(name, strerror(errno));
    return ht_engine_use_module(path) == HT_OK ||
           command_complain(name, "cannot be loaded, or is no module of this "
                                  "version");
}

bool halftone_parse(struct halftone_options *options, int argc, char **argv)
{
    static const struct option names[] = {
        {"method", required_argument, NULL, 'm'},
        {"engine", required_argument, NULL, 'e'},
        {"table", required_argument, NULL, 't'},
        {"cells", required_argument, NULL, 'c'},
        {"dpi", required_argument, NULL, 'p'},
        {"resolution", required_argument, NULL, 'z'},
        {"segments", required_argument, NULL, 's'},
        {"curve", required_argument, NULL, 'u'},
        {"gray", required_argument, NULL, 'w'},
        {"gamma", required_argument, NULL, 'a'},
        {"density", required_argument, NULL, 'y'},
        {"limit", required_argument, NULL, 'l'},
        {"profile", required_argument, NULL, 'f'},
        {"intent", required_argument, NULL, 'o'},
        {"sharpness", required_argument, NULL, 'r'},
        {"drops", required_argument, NULL, 'd'},
        {"mixed", required_argument, NULL, 'x'},
        {"ink", required_argument, NULL, 'i'},
        {"module", required_argument, NULL, 'g'},
        {"threads", required_argument, NULL, 'n'},
        {"band", required_argument, NULL, 'b'},
        {"verbose", no_argument, NULL, 'v'},
        COMMAND_OPTIONS};
    const char *usage = usage_text();
    int option;
    bool ok = true;

    *options = (struct halftone_options){.method = HT_TDFED4,
                                         .segment = HT_DEFAULT_SEGMENT,
                                         .engine = AUTO_ENGINE,
                                         .tones = INK_AS_IT_IS,
                                         .band = DEFAULT_BAND};
    while (ok && (option = command_option(argc, argv, names, usage)) != -1)
        switch (option) {
        case 'm':
            ok = parse_method(optarg, &options->method);
            break;
        case 'e':
            options->engine =
                strcmp(optarg, "auto") == 0 ? AUTO_ENGINE : optarg;
            break;
        case 't':
            options->table = optarg;
            break;
        case 'c':
            ok = command_number("--cells", optarg, HT_MIN_CELLS, HT_MAX_CELLS,
                                &options->cells);
            break;
        case 'p':
            ok = command_number("--dpi", optarg, 1, HT_MAX_DPI, &options->dpi);
            break;
        case 'z':
            ok = parse_resolution(optarg, options->resolution);
            break;
        case 's':
            ok = parse_segment(optarg, &options->segment);
            break;
        case 'r':
            ok = command_number("--sharpness", optarg, 0, HT_MAX_SHARPNESS,
                                &options->tones.sharpness);
            break;
        case 'u':
            ok = tones_curve(&options->tones, optarg);
            break;
        case 'w':
            ok = tones_gray(&options->tones, optarg);
            break;
        case 'a':
            ok = tones_gamma(&options->tones, optarg);
            break;
        case 'y':
            ok = tones_density(&options->tones, optarg);
            break;
        case 'l':
            ok = tones_limit(&options->tones, optarg);
            break;
        case 'f':
            ok = separation_profile(&options->separation, optarg);
            break;
        case 'o':
            ok = separation_intent(&options->separation, optarg);
            break;
        case 'd':
            ok = sizes_read(optarg, &options->drops);
            break;
        case 'x':
            ok = command_number("--mixed", optarg, 0, HT_MAX_MIXED,
                                &options->drops.mixed);
            break;
        case 'i':
            ok = command_number("--ink", optarg, 0, HT_MAX_INKS - 1,
                                &options->ink);
            break;
        case 'g':
            ok = use_module(optarg);
            break;
        case 'n':
            ok =
                command_number("--threads", optarg, 0, 4096, &options->threads);
            break;
        case 'b':
            ok = command_number("--band", optarg, 1, HT_MAX_BAND,
                                &options->band);
            break;
        case 'v':
            options->verbose = true;
            break;
        }
    if (!ok || !sizes_can_be_mixed(&options->drops))
        return false;
    if (options->table != NULL && !ht_method_info(options->method)->table)
        return command_complain("--table", "the method takes none");
    if (options->cells != 0 && !ht_method_info(options->method)->cells)
        return command_complain("--cells", "the method has none");
    if (options->cells == 0 && options->dpi > 0 &&
        ht_method_info(options->method)->cells)
        options->cells = lines_to_cells(0, options->dpi);
    if (!ht_method_info(options->method)->tones && !tones_cut(&options->tones))
        return false;
    if (argc - optind != 2)
        command_misuse(usage);
    options->in = argv[optind];
    options->out = argv[optind + 1];
    return true;
}
