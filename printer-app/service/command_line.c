/*
 * command_line.c - refuses options that a subcommand does not have. PAPPL 1.3
 * accepts every option with every subcommand, and ignores those that make no
 * sense.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "printer-app/app.h"
#include "printer-app/service/command_line.h"

static const char with_value[] = "dhjmnotuv", alone[] = "a";

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

static bool has(const char *letters, char letter)
{
    return letter != '\0' && strchr(letters, letter) != NULL;
}

static void refuse(const struct command *command, char option)
{
    fprintf(stderr, APP_NAME ": %s has no option -%c%s.\n", command->name,
            option,
            strcmp(command->name, "modify") == 0 && has("mv", option)
                ? ": delete the printer, and add it with the new one"
                : "");
}

bool command_line_check(int argc, char *argv[])
{
    const struct command *command = NULL;
    char given[sizeof with_value + sizeof alone] = "";
    size_t count = 0;

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        char letter = '\0';

        if (argv[i][0] == '-')
            letter = argv[i][1];
        if (has(with_value, letter) || has(alone, letter)) {
            if (!has(given, letter))
                given[count++] = letter;
            i += has(with_value, letter);
        } else if (letter == '\0' && command == NULL)
            command = find(argv[i]);
    }
    if (command == NULL)
        command = &commands[0];
    for (size_t i = 0; i < count; i++)
        if (!has(command->options, given[i])) {
            refuse(command, given[i]);
            return false;
        }
    return true;
}
