/*
 * gate.c - the version of PAPPL that runs is one that was tested, or is tested
 * now.
 *
 * What is in this folder has the names and arguments of functions that are in
 * none of PAPPL's headers, and its order of calls. Another version may have
 * others, and by itself none has yet printed quick jobs well, so a server whose
 * self-test fails does not run, unless its administrator wants that.
 *
 * The version is that of the library, not of its headers, and PAPPL says it
 * when its server starts: behind that, and before there are clients, it calls
 * the function below (system.c:954).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "printer-app/app.h"
#include "pappl-fixes/gate.h"
#include "pappl-fixes/pappl.h"
#include "printer-app/service/self_test.h"

#define MAX_TEXT 256
#define PREFIX "PAPPL/"

typedef void add_schemes(ipp_t *attributes);

/* Those with which all tests passed. */
static const char *const tested[] = {"1.3.1"};

static pappl_system_t *of; /* set before it runs */
static bool anyway;

void gate_open(pappl_system_t *system, bool runs_anyway)
{
    of = system;
    anyway = runs_anyway;
}

/* Copies the version of the library, "unknown" if it does not say it. */
static void find_version(char version[MAX_TEXT])
{
    const char *header = papplSystemGetServerHeader(of),
               *at = header != NULL ? strstr(header, PREFIX) : NULL;

    snprintf(version, MAX_TEXT, "%s", at != NULL ? at + strlen(PREFIX) : "");
    version[strcspn(version, " ")] = '\0';
    if (version[0] == '\0')
        snprintf(version, MAX_TEXT, "unknown");
}

static bool is_tested(const char *version)
{
    for (size_t i = 0; i < sizeof tested / sizeof tested[0]; i++)
        if (strcmp(version, tested[i]) == 0)
            return true;
    return false;
}

/* Runs the command "self-test", which takes half a minute at most, and copies
 * its line. */
static bool passes(char line[MAX_TEXT])
{
    FILE *from = popen("exec /proc/$PPID/exe self-test", "re");

    snprintf(line, MAX_TEXT, "self-test failed: it did not run");
    if (from == NULL)
        return false;
    if (fgets(line, MAX_TEXT, from) != NULL)
        line[strcspn(line, "\n")] = '\0';
    return pclose(from) == 0;
}

static void look(void)
{
    char version[MAX_TEXT], line[MAX_TEXT];

    find_version(version);
    if (is_tested(version) || getenv(SELF_TEST_VARIABLE) != NULL)
        return;
    if (passes(line)) {
        papplLog(of, PAPPL_LOGLEVEL_WARN,
                 "PAPPL %s was not tested with this program, %s was; %s.",
                 version, tested[0], line);
        return;
    }
    papplLog(of, PAPPL_LOGLEVEL_ERROR,
             "PAPPL %s was not tested with this program, %s was; %s. Jobs "
             "could be lost or printed twice. %s",
             version, tested[0], line,
             anyway ? "The server runs all the same, by its option."
                    : "The server ends: install another PAPPL, or start it "
                      "with \"-o untested-pappl=yes\".");
    if (!anyway) {
        fprintf(stderr,
                APP_NAME ": PAPPL %s does not work with this program: %s\n",
                version, line);
        exit(1);
    }
}

void _papplDeviceAddSupportedSchemes(ipp_t *attributes)
{
    add_schemes *pappl;

    if (of != NULL)
        look();
    of = NULL;
    override_find(&pappl, "_papplDeviceAddSupportedSchemes");
    if (pappl != NULL)
        pappl(attributes);
}
