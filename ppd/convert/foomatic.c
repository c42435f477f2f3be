/*
 * foomatic.c - the command lines of foomatic-rip that take our dots.
 *
 * foomatic-rip puts the settings of the chosen options where the line has %A,
 * %B and so on, and has a shell run it. A letter that is free is ours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/halftone.h"
#include "ppd/convert/edit.h"
#include "ppd/convert/foomatic.h"
#include "ppd/convert/foomatic_options.h"

#define HALFTONE BINDIR "/halftone"
#define STAND_IN PKGLIBEXECDIR "/halftone-gs" /* for gs */
#define FILTER FILTERDIR "/rastertohalftone"

#define BLANKS " \t\r\n"
#define LINE 70 /* characters, of a value that foomatic would break */

/* Programs that accept our dots. A wrapper makes $GSBIN write PBM for it,
 * except for choices of color. */
static const struct driver {
    const char *name;
    enum foomatic_kind kind;
    const char *why; /* it cannot have our dots; NULL = it can */
} drivers[] = {
    {"rastertoptch", FOOMATIC_RASTER, NULL},
    {"foo2zjs-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2xqx-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2lava-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2qpdl-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2hiperc-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2hbpl2-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2ddst-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2slx-wrapper", FOOMATIC_WRAPPER, NULL},
    {"foo2hp2600-wrapper", FOOMATIC_NO, "2 bits per ink: not supported"},
    {"foo2oak-wrapper", FOOMATIC_NO, "2 bits per ink: not supported"},
    {"m2300w-wrapper", FOOMATIC_NO,
     "this driver takes color that Ghostscript has halftoned"},
    {"pnm2ppa", FOOMATIC_NO, "this driver makes its own dots"},
};

/* Always false. */
static bool refuse(struct foomatic *pipe, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool refuse(struct foomatic *pipe, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(pipe->why, sizeof pipe->why, format, values);
    va_end(values);
    return false;
}

/* ---- Reading ------------------------------------------------------------- */

/* A copy in which lines that "&&" breaks are whole again; NULL without memory.
 * The caller frees it. */
static char *join_lines(const char *value)
{
    char *line = strdup(value), *to = line;

    while (line != NULL && *value != '\0') {
        size_t eol =
            strspn(value + (strncmp(value, "&&", 2) == 0 ? 2 : 0), "\r\n");
        if (strncmp(value, "&&", 2) == 0 && eol > 0)
            value += 2 + eol;
        else
            *to++ = *value++;
    }
    if (line != NULL)
        *to = '\0';
    return line;
}

/* The word "PREFIX..." of a line, or NULL; behind it are blanks or %. */
static const char *find_word(const char *line, const char *prefix,
                             size_t *length)
{
    size_t begin = strlen(prefix);

    for (const char *at = line; (at = strstr(at, prefix)) != NULL; at++)
        if (at == line || strchr(BLANKS, at[-1]) != NULL) {
            *length = begin + strcspn(at + begin, BLANKS "%|");
            return at;
        }
    return NULL;
}

static void copy_word(char word[FOOMATIC_WORD], const char *line)
{
    size_t length = strcspn(line, BLANKS "%|");

    snprintf(word, FOOMATIC_WORD, "%.*s", (int)length, line);
}

/* Finds the statement, of which there has to be one. */
static bool find_command(struct foomatic *pipe, const struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        struct ppd_statement *statement = &text->statements[i];
        if (ppd_text_is(statement, "FoomaticRIPCommandLinePDF"))
            return refuse(pipe, "a foomatic pipe for PDF alone: not supported");
        if (!ppd_text_is(statement, "FoomaticRIPCommandLine"))
            continue;
        if (pipe->command != NULL)
            return refuse(pipe, "two foomatic command lines");
        pipe->command = statement;
    }
    if (pipe->command == NULL)
        return refuse(pipe, "foomatic-rip without a command line");
    pipe->line = join_lines(pipe->command->value);
    return pipe->line != NULL || refuse(pipe, "no memory");
}

static const struct driver *find_driver(const char *name)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strcmp(drivers[i].name, name) == 0)
            return &drivers[i];
    return NULL;
}

/* Returns how long a quote is that stands as an entity, or 0. foomatic-rip
 * knows entities of other characters, too: of the shell's own, for instance. */
static size_t quote(const char *line)
{
    return strncmp(line, "&apos;", 6) == 0 || strncmp(line, "&quot;", 6) == 0
               ? 6
               : 0;
}

/* Whether a shell finds nothing but words, quotes and `bars` pipes in the line.
 */
static bool is_plain(const char *line, unsigned bars)
{
    while (*line != '\0') {
        const size_t length = quote(line);

        if (length == 0 && (strchr("&;`$<>()\n", *line) != NULL ||
                            (*line == '|' && bars-- == 0)))
            return false;
        line += length > 0 ? length : 1;
    }
    return bars == 0;
}

/* Refuses a line whose gs writes another format, with the reason. */
static bool refuse_device(struct foomatic *pipe, const char *device,
                          size_t length)
{
    if (strncmp(device, "pbm", 3) == 0 || strncmp(device, "cups", 4) == 0)
        return refuse(pipe, "the foomatic pipe is not known: %.120s",
                      pipe->line);
    return refuse(pipe, "Ghostscript makes the dots itself (%.*s)",
                  length < 40 ? (int)length : 40, device);
}

/* Reads "gs ... -sDEVICE=DEVICE ... | DRIVER". */
static bool read_gs(struct foomatic *pipe)
{
    const char option[] = "-sDEVICE=";
    size_t length;
    const char *device = find_word(pipe->line, option, &length);
    const char *bar = strchr(pipe->line, '|');

    if (device == NULL)
        return refuse(pipe, "Ghostscript makes the dots itself");
    device += strlen(option);
    length -= strlen(option);
    if (!is_plain(pipe->line, 1) || bar < device)
        return refuse_device(pipe, device, length);
    copy_word(pipe->driver, bar + 1 + strspn(bar + 1, BLANKS));

    const struct driver *driver = find_driver(pipe->driver);
    bool cups = length == strlen("cups") && strncmp(device, "cups", 4) == 0;
    bool pbm = length == strlen("pbmraw") && strncmp(device, "pbmraw", 6) == 0;
    if (driver != NULL && driver->why != NULL)
        return refuse(pipe, "%s (%s)", driver->why, driver->name);
    pipe->kind = cups && driver != NULL  ? driver->kind
                 : pbm && driver == NULL ? FOOMATIC_PBM
                                         : FOOMATIC_NO;
    return pipe->kind != FOOMATIC_NO || refuse_device(pipe, device, length);
}

static bool read_line(struct foomatic *pipe)
{
    char program[FOOMATIC_WORD];
    const char *line = pipe->line + strspn(pipe->line, BLANKS);
    const struct driver *driver;

    copy_word(program, line);
    if (strcmp(program, "gs") == 0)
        return read_gs(pipe);
    if (strncmp(line, "NOPDF=1 gs ", 11) == 0 && strchr(line, '|') == NULL)
        return read_gs(pipe);
    if (strcmp(program, "cat") == 0)
        return refuse(pipe, "PostScript/PDF printer: makes its own dots");
    driver = find_driver(program);
    if (driver != NULL && driver->why != NULL)
        return refuse(pipe, "%s (%s)", driver->why, program);
    if (driver == NULL || driver->kind != FOOMATIC_WRAPPER ||
        !is_plain(line, 0))
        return refuse(pipe, "the foomatic pipe is not known: %.120s", line);
    pipe->kind = FOOMATIC_WRAPPER;
    snprintf(pipe->driver, sizeof pipe->driver, "%s", program);
    return true;
}

/* Whether a setting has a word that begins so. */
static bool has_word(const char *setting, const char *prefix)
{
    size_t length;

    return find_word(setting, prefix, &length) != NULL;
}

/* Refuses options that make gs write something else. */
static bool check_settings(struct foomatic *pipe, const struct ppd_text *text)
{
    for (size_t i = 0; i < text->count; i++) {
        const struct ppd_statement *statement = &text->statements[i];
        char *value = join_lines(statement->value);
        bool wrong =
            value != NULL &&
            (has_word(value, "-sDEVICE=") || has_word(value, "-dcups") ||
             strstr(value, "/cupsBitsPerColor") != NULL ||
             strstr(value, "/cupsColor") != NULL);

        free(value);
        if (value == NULL)
            return refuse(pipe, "no memory");
        if (wrong && statement != pipe->command)
            return refuse(pipe,
                          "cannot be converted: %.100s would have "
                          "Ghostscript make other dots",
                          statement->option);
    }
    return true;
}

bool foomatic_read(struct foomatic *pipe, const struct ppd_text *text)
{
    *pipe = (struct foomatic){.kind = FOOMATIC_NO};
    if (!find_command(pipe, text))
        return false;
    if (strstr(pipe->line, "halftone") != NULL)
        return refuse(pipe, "prints our dots already: use it as it is");
    return read_line(pipe) && check_settings(pipe, text);
}

void foomatic_free(struct foomatic *pipe)
{
    free(pipe->line);
    pipe->line = NULL;
}

/* ---- Color --------------------------------------------------------------- */

/* Whether "Option=Choice" is about this option; `*choice` is the rest. */
static bool is_setting_of(const struct ppd_statement *setting,
                          const char *option, size_t length,
                          const char **choice)
{
    bool is = ppd_text_is(setting, "FoomaticRIPOptionSetting") &&
              strncmp(setting->option, option, length) == 0 &&
              setting->option[length] == '=';

    *choice = is ? setting->option + length + 1 : NULL;
    return is;
}

/* The first choice of an option that is left; NULL = there is none. */
static const char *first_left(const struct ppd_text *text, const char *option,
                              size_t length)
{
    const char *choice;

    for (size_t i = 0; i < text->count; i++)
        if (is_setting_of(&text->statements[i], option, length, &choice) &&
            !has_word(text->statements[i].value, "-c"))
            return choice;
    return NULL;
}

/* Removes a choice that makes a wrapper print color, and its setting. */
static bool drop_color(struct foomatic *pipe, struct ppd_text *text,
                       struct ppd_statement *setting)
{
    size_t length = strcspn(setting->option, "=");
    const char *left = first_left(text, setting->option, length);
    char option[FOOMATIC_WORD];

    if (setting->option[length] == '\0')
        return refuse(pipe,
                      "cannot be converted: a setting of no choice, %.100s",
                      setting->option);
    if (left == NULL || length >= sizeof option)
        return refuse(pipe, "no choice prints black alone: not supported (%s)",
                      pipe->driver);
    snprintf(option, sizeof option, "%.*s", (int)length, setting->option);
    edit_drop_choice(text, option, setting->option + length + 1, left);
    ppd_text_remove(text, setting);
    return true;
}

static bool is_color(const struct ppd_statement *statement)
{
    return ppd_text_is(statement, "FoomaticRIPOptionSetting") &&
           has_word(statement->value, "-c");
}

static bool drop_colors(struct foomatic *pipe, struct ppd_text *text)
{
    size_t colors = 0;

    for (size_t i = 0; i < text->count; i++)
        colors += is_color(&text->statements[i]);
    if (!edit_can_drop(text, colors))
        return refuse(pipe, "too many choices cannot be converted");
    for (size_t i = 0; i < text->count; i++)
        if (is_color(&text->statements[i]) &&
            !drop_color(pipe, text, &text->statements[i]))
            return false;
    if (colors > 0)
        edit_no_color(text);
    return true;
}

/* ---- Converting ---------------------------------------------------------- */

/* A letter that no option uses. */
static char free_letter(const struct foomatic *pipe,
                        const struct ppd_text *text)
{
    for (const char *letter = "HGIJKLMNOPQRSTUVWXYDEFCBA"; *letter != '\0';
         letter++) {
        const char spot[] = {'%', *letter, '\0'};
        bool used = strstr(pipe->line, spot) != NULL;
        for (size_t i = 0; i < text->count && !used; i++) {
            const char *type = text->statements[i].value;
            type += strcspn(type, BLANKS);
            type += strspn(type, BLANKS);
            type += strcspn(type, BLANKS);
            type += strspn(type, BLANKS);
            used = ppd_text_is(&text->statements[i], "FoomaticRIPOption") &&
                   *type == *letter;
        }
        if (!used)
            return *letter;
    }
    return '\0';
}

/* The method of the halftone command that a choice of HalftoneMode names. */
static const char *method_of(const char *mode)
{
    for (ht_method_t m = 0; m < HT_METHODS; m++)
        if (strcmp(ht_method_info(m)->choice, mode) == 0)
            return ht_method_info(m)->name;
    return "tdfed4";
}

/* The edited line, which the caller frees; NULL without memory. */
static char *edit_line(const struct foomatic *pipe, const char *mode,
                       char letter)
{
    const char *line = pipe->line;
    char *out = NULL;
    size_t length;
    const char *device = find_word(line, "-sDEVICE=", &length);
    const char *bar = strchr(line, '|');
    int before = device == NULL ? 0 : (int)(device - line);
    const char *after = device == NULL ? line : device + length;
    int middle = bar == NULL ? 0 : (int)(bar - after);
    int written = -1;

    if (pipe->kind == FOOMATIC_RASTER)
        written = asprintf(&out,
                           "%.*s-sDEVICE=cups -dcupsBitsPerColor=8%.*s| " FILTER
                           " 1 user title 1 &apos;%%%c&apos; %s",
                           before, line, middle, after, letter, bar);
    else if (pipe->kind == FOOMATIC_PBM)
        written = asprintf(
            &out,
            "%.*s-sDEVICE=pgmraw%.*s| " HALFTONE " --method %s%%%c - - %s",
            before, line, middle, after, method_of(mode), letter, bar);
    else
        written = asprintf(&out,
                           "HALFTONE=&apos;" HALFTONE
                           " --method %s%%%c&apos; GSBIN=" STAND_IN " %s",
                           method_of(mode), letter, line);
    return written < 0 ? NULL : out;
}

/* Writes the statement as foomatic does, whose lines are short. */
static void write_command(struct foomatic *pipe, struct ppd_text *text,
                          const char *line)
{
    char *broken = malloc(strlen(line) * (LINE + 3) / LINE + 4), *to = broken;

    if (broken == NULL) {
        text->out_of_room = true;
        return;
    }
    for (size_t i = 0; line[i] != '\0'; i++) {
        if (i > 0 && i % LINE == 0)
            to = stpcpy(to, "&&\n");
        *to++ = line[i];
    }
    *to = '\0';
    ppd_text_replace(text, pipe->command,
                     "*FoomaticRIPCommandLine: \"%s\"\n*End\n", broken);
    free(broken);
}

bool foomatic_convert(struct foomatic *pipe, struct ppd_text *text,
                      const char *mode)
{
    char letter = free_letter(pipe, text);
    char *line = edit_line(pipe, mode, letter);

    if (line == NULL)
        return refuse(pipe, "no memory");
    write_command(pipe, text, line);
    free(line);
    if (letter == '\0')
        return refuse(pipe, "the foomatic pipe has no letter left");
    if (pipe->kind == FOOMATIC_WRAPPER && !drop_colors(pipe, text))
        return false;
    foomatic_add_options(text, pipe->kind == FOOMATIC_RASTER, letter, mode);
    return true;
}
