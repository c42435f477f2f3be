/*
 * command.c - the options of a command as attributes of its request. PAPPL 1.3
 * leaves out those that it does not know, or whose numbers it cannot read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* program_invocation_short_name */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pappl-fixes/pappl-fixes.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/seconds.h"

#define MAX_NAME 128
#define MAX_URI 1024
#define WATCH_SECONDS 1.0 /* for a job that is printed */
#define WATCH_PENDING 0.1 /* for one that is to be */

/* ---- Names --------------------------------------------------------------- */

/* Tells whether an option belongs to a command, not to a job or printer. */
static bool is_of_command(const char *name)
{
    static const char *const names[] = {
        "compression",         "document-format", "job-name",
        "num-copies",          "printer-name",    "printer-uri",
        "printer-device-id",   "server-hostname", "smi55357-driver",
        "smi55357-device-uri", "cancel-all",      "job-id"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Tells whether PAPPL handles an option correctly: parts of media-col, and
 * numbers with units. */
static bool is_left_to_pappl(const char *name)
{
    static const char *const names[] = {"media-left-offset", "media-source",
                                        "media-top-offset",  "media-tracking",
                                        "media-type",        "print-speed"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Ends the command: PAPPL's function cannot fail. */
static void refuse(const char *name, const char *value)
{
    fprintf(stderr, "%s: Bad value of %s: \"%s\"\n",
            program_invocation_short_name, name, value);
    exit(1);
}

/* ---- Values -------------------------------------------------------------- */

static ipp_tag_t tag_of(ipp_t *supported, const char *name)
{
    char text[MAX_NAME];

    snprintf(text, sizeof text, "%s-supported", name);
    return ippGetValueTag(ippFindAttribute(supported, text, IPP_TAG_ZERO));
}

static bool is_whole(const char *value)
{
    char *end;

    (void)strtol(value, &end, 10);
    return end != value && *end == '\0';
}

/* Adds an attribute of a kind that libcups does not know by its name. */
static void add_by_kind(ipp_t *request, ipp_tag_t group, ipp_tag_t kind,
                        const char *name, const char *value)
{
    if ((kind == IPP_TAG_INTEGER || kind == IPP_TAG_RANGE) && is_whole(value))
        ippAddInteger(request, group, IPP_TAG_INTEGER, name, atoi(value));
    else
        ippAddString(request, group, IPP_TAG_KEYWORD, name, NULL, value);
}

/* Tells whether all ranges are valid: libcups turns text that is no range into
 * 0. */
static bool has_ranges(ipp_attribute_t *attribute)
{
    for (int i = 0; i < ippGetCount(attribute); i++) {
        int last = 0;

        if (ippGetRange(attribute, i, &last) < 1 || last < 1)
            return false;
    }
    return true;
}

/* libcups takes numbers, people words. */
static void name_enum(ipp_t *request, ipp_attribute_t *attribute,
                      const char *value)
{
    const int number = ippEnumValue(ippGetName(attribute), value);

    if (number <= 0)
        refuse(ippGetName(attribute), value);
    (void)ippSetInteger(request, &attribute, 0, number);
}

/* Adds an option of a job as libcups has it, which knows ranges, collections,
 * resolutions and the numbers of words; else by what the printer says of it. */
static void add_option(ipp_t *request, ipp_t *supported, const char *name,
                       const char *value)
{
    ipp_attribute_t *attribute =
        cupsEncodeOption(request, IPP_TAG_JOB, name, value);

    const ipp_tag_t tag = ippGetValueTag(attribute);

    if (attribute == NULL || (tag == IPP_TAG_INTEGER && !is_whole(value)) ||
        (tag == IPP_TAG_RANGE && !has_ranges(attribute)))
        refuse(name, value);
    if (tag == IPP_TAG_ENUM && !is_whole(value))
        name_enum(request, attribute, value);
    if (tag == IPP_TAG_NAME) {
        ippDeleteAttribute(request, attribute);
        add_by_kind(request, IPP_TAG_JOB, tag_of(supported, name), name, value);
    }
}

/* ---- Requests ------------------------------------------------------------ */

/* Returns PWG's name of a size of paper, or what is no size as it is. With
 * other parts of media-col PAPPL knows no other name, and leaves out what it
 * does not know. */
static const char *media_named(const char *value)
{
    const pwg_media_t media = papplfixes_media(value);

    return media.width > 0 ? media.pwg : value;
}

/* Passes on the options that PAPPL handles correctly, or all. */
static void add_by_pappl(ipp_t *request, int count, cups_option_t *options,
                         ipp_t *supported, bool all)
{
    cups_option_t *left = NULL;
    int parts = 0;

    for (int i = 0; i < count; i++) {
        const bool is_media = strcmp(options[i].name, "media") == 0;

        if (all || is_media || is_left_to_pappl(options[i].name))
            parts = cupsAddOption(options[i].name,
                                  is_media ? media_named(options[i].value)
                                           : options[i].value,
                                  parts, &left);
    }
    REAL(_papplMainloopAddOptions)(request, parts, left, supported);
    cupsFreeOptions(parts, left);
}

/* The printer refuses what it cannot do. */
static void add_job(ipp_t *request, int count, cups_option_t *options,
                    ipp_t *supported)
{
    const char *value = cupsGetOption("compression", count, options);

    ippAddBoolean(request, IPP_TAG_OPERATION, "ipp-attribute-fidelity", true);
    if (value != NULL)
        ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "compression",
                     NULL, value);
    value = cupsGetOption("num-copies", count, options);
    if (value != NULL)
        add_option(request, supported, "copies", value);
    add_by_pappl(request, count, options, supported, false);
    for (int i = 0; i < count; i++)
        if (!is_of_command(options[i].name) &&
            !is_left_to_pappl(options[i].name) &&
            strcmp(options[i].name, "media") != 0)
            add_option(request, supported, options[i].name, options[i].value);
}

/* Corrects what PAPPL makes of defaults, and adds what it leaves out: the
 * printer refuses what it has not. */
static void add_defaults(ipp_t *request, int count, cups_option_t *options,
                         ipp_t *supported)
{
    ipp_attribute_t *attribute;
    char name[MAX_NAME];

    add_by_pappl(request, count, options, supported, true);
    attribute = ippFindAttribute(request, "print-content-optimize-mode-default",
                                 IPP_TAG_ZERO);
    if (attribute != NULL)
        (void)ippSetName(request, &attribute, "print-content-optimize-default");
    attribute = ippFindAttribute(request, "media-default", IPP_TAG_ZERO);
    if (attribute != NULL)
        (void)ippSetGroupTag(request, &attribute, IPP_TAG_PRINTER);
    for (int i = 0; i < count; i++) {
        const cups_option_t *o = &options[i];

        snprintf(name, sizeof name, "%s%s", o->name,
                 strstr(o->name, "-default") == NULL ? "-default" : "");
        if (!is_of_command(o->name) && !is_left_to_pappl(o->name) &&
            (strcmp(o->name, "media") != 0 ||
             ippFindAttribute(request, "media-col-default", IPP_TAG_ZERO) ==
                 NULL) &&
            ippFindAttribute(request, o->name, IPP_TAG_ZERO) == NULL &&
            ippFindAttribute(request, name, IPP_TAG_ZERO) == NULL)
            add_by_kind(request, IPP_TAG_PRINTER, tag_of(supported, o->name),
                        name, o->value);
    }
}

void _papplMainloopAddOptions(ipp_t *request, int count, cups_option_t *options,
                              ipp_t *supported)
{
    if (ippGetOperation(request) == IPP_OP_PRINT_JOB)
        add_job(request, count, options, supported);
    else
        add_defaults(request, count, options, supported);
}

/* Whether the document is a file that PAPPL has made of standard input, which
 * it removes only when there is a job. */
static bool is_of_input(ipp_t *request, const char *path)
{
    const char *name = ippGetString(
                   ippFindAttribute(request, "document-name", IPP_TAG_NAME), 0,
                   NULL),
               *slash = path != NULL ? strrchr(path, '/') : NULL;

    return name != NULL && slash != NULL && strcmp(name, "(stdin)") == 0 &&
           strcmp(slash + 1, name) != 0;
}

static int state_in(ipp_t *answer)
{
    return ippGetInteger(ippFindAttribute(answer, "job-state", IPP_TAG_ENUM),
                         0);
}

/* Asks for the state of the job of an answer, which it frees; the new answer
 * goes to the caller. */
static ipp_t *ask_again(http_t *http, ipp_t *answer, const char *uri,
                        const char *resource)
{
    static const char *const wanted[] = {"job-id", "job-state",
                                         "job-state-message"};
    ipp_t *request = ippNewRequest(IPP_OP_GET_JOB_ATTRIBUTES);

    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri", NULL,
                 uri);
    ippAddInteger(
        request, IPP_TAG_OPERATION, IPP_TAG_INTEGER, "job-id",
        ippGetInteger(ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER), 0));
    ippAddString(request, IPP_TAG_OPERATION, IPP_TAG_NAME,
                 "requesting-user-name", NULL, cupsUser());
    ippAddStrings(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD,
                  "requested-attributes", 3, NULL, wanted);
    ipp_t *next = REAL(cupsDoRequest)(http, request, resource);

    if (state_in(next) == 0) { /* no such job any longer, or no server */
        ippDelete(next);
        return answer;
    }
    ippDelete(answer);
    return next;
}

/* Waits a moment for a job that is printed now: what is wrong with a document
 * is mostly known then. */
static ipp_t *watch(http_t *http, ipp_t *answer, const char *uri,
                    const char *resource)
{
    const double start = seconds_now();
    useconds_t pause = 5000;

    for (;;) {
        const double most =
            state_in(answer) == IPP_JSTATE_PROCESSING
                ? WATCH_SECONDS
                : (state_in(answer) == IPP_JSTATE_PENDING ? WATCH_PENDING : 0);

        if (seconds_now() - start >= most)
            return answer;
        usleep(pause);
        pause = pause < 100000 ? pause * 2 : pause;
        answer = ask_again(http, answer, uri, resource);
    }
}

/* A job that has ended when the request has, or a moment later, is not printed:
 * raster, which is printed as it comes, what the server could not take, or what
 * nobody can print. PAPPL says its number all the same. */
ipp_t *cupsDoFileRequest(http_t *http, ipp_t *request, const char *resource,
                         const char *filename)
{
    const bool prints = ippGetOperation(request) == IPP_OP_PRINT_JOB,
               made = prints && is_of_input(request, filename);
    const char *address = ippGetString(
        ippFindAttribute(request, "printer-uri", IPP_TAG_URI), 0, NULL);
    char uri[MAX_URI];

    snprintf(uri, sizeof uri, "%s", address != NULL ? address : "");
    ipp_t *response =
        REAL(cupsDoFileRequest)(http, request, resource, filename);
    const bool is_job =
        ippFindAttribute(response, "job-id", IPP_TAG_INTEGER) != NULL;

    if (prints && is_job)
        response = watch(http, response, uri, resource);
    const bool aborted = state_in(response) == IPP_JSTATE_ABORTED;

    if (made && (aborted || !is_job))
        unlink(filename);
    if (!prints || !aborted)
        return response;
    const char *why = ippGetString(
        ippFindAttribute(response, "job-state-message", IPP_TAG_TEXT), 0, NULL);

    fprintf(
        stderr, "%s: Job %d is aborted: %s\n", program_invocation_short_name,
        ippGetInteger(ippFindAttribute(response, "job-id", IPP_TAG_INTEGER), 0),
        why != NULL ? why : cupsLastErrorString());
    exit(1);
}
