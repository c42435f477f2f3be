/*
 * command_line.c - refuses options that a subcommand does not have. PAPPL 1.3
 * accepts every option with every subcommand, and ignores those that make no
 * sense.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "printer-app/app.h"
#include "printer-app/service/command_line.h"

/* A subcommand, and its options. */
struct command {
    const char *name, *options;
};

static const struct command commands[] = {
    {"submit", "dnotu"}, {"add", "dmouv"},   {"autoadd", ""},
    {"cancel", "adju"},  {"default", "du"},  {"delete", "du"},
    {"devices", "o"},    {"drivers", "o"},   {"jobs", "du"},
    {"modify", "dou"},   {"options", "du"},  {"pause", "du"},
    {"printers", ""},    {"reprint", "dju"}, {"resume", "du"},
    {"self-test", ""},   {"server", "ho"},   {"shutdown", ""},
    {"status", "du"}};

#define COUNT (sizeof commands / sizeof commands[0])

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void refuse(const struct command *command, char option)
{
    fprintf(stderr, APP_NAME ": %s has no option -%c%s.\n", command->name,
            option,
            strcmp(command->name, "modify") == 0 && strchr("mv", option) != NULL
                ? ": delete the printer, and add it with the new one"
                : "");
}

bool command_line_check(int argc, char *argv[])
{
    static const struct option none[] = {{.name = NULL}}; /* as --help */
    const struct command *command = NULL;
    char given[sizeof "adhjmnotuv"] = "";
    int option;

    /* PAPPL reads them again: nothing is said of those that it does not have,
     * and nothing is put into another order ("-"). */
    opterr = 0;
    while ((option = getopt_long(argc, argv, "-ad:h:j:m:n:o:t:u:v:", none,
                                 NULL)) != -1)
        if (option == 1 && command == NULL)
            command = find(optarg);
        else if (option != 1 && option != '?' && strchr(given, option) == NULL)
            given[strlen(given)] = (char)option;
    if (command == NULL)
        command = &commands[0];
    const char *first = given + strspn(given, command->options);

    if (*first != '\0')
        refuse(command, *first);
    return *first == '\0';
}
