/*
 * fixes.c - the application's part in pappl-fixes/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/ipp/defaults.h"
#include "printer-app/ipp/job_request.h"
#include "printer-app/service/fixes.h"
#include "printer-app/service/heartbeat.h"
#include "printer-app/web/pages.h"

#define MAX_PATH 1024

static const char *certificates(void)
{
    static char path[MAX_PATH]; /* set before there are other threads */

    if (path[0] == '\0')
        snprintf(path, sizeof path, "%s/ssl", app_state_directory());
    (void)mkdir(app_state_directory(), 0700);
    return path;
}

/* Copies the line of the self-test, which takes two minutes at most; nothing
 * in the server that is tested by it. */
static bool run_self_test(char *line, size_t size)
{
    char command[MAX_PATH];

    line[0] = '\0';
    if (getenv("HALFTONE_APP_IS_TESTED") != NULL)
        return true;
    snprintf(command, sizeof command,
             "exec timeout 120 '%s/self-test' /proc/$PPID/exe",
             app_data_directory());
    FILE *from = popen(command, "re");

    snprintf(line, size, "self-test failed: it did not run");
    if (from == NULL)
        return false;
    if (fgets(line, (int)size, from) != NULL)
        line[strcspn(line, "\n")] = '\0';
    return pclose(from) == 0;
}

int self_test(void)
{
    char line[MAX_PATH];
    const bool well = run_self_test(line, sizeof line);

    puts(line);
    return well ? 0 : 1;
}

static void say_no_server(const char *base)
{
    fprintf(stderr,
            "%s: No server runs. Start the service, \"systemctl start " APP_NAME
            "\", or one of your own, \"" APP_NAME " server\".\n",
            base);
}

void fixes_start(void)
{
    static const struct papplfixes application = {
        .take_request = job_request_take,
        .prints_copies = true,
        .keeps_raster = true,
        .take_attributes = defaults_take_attributes,
        .take_defaults = defaults_take,
        .server_begins = heartbeat_begin,
        .server_ends = heartbeat_end,
        .certificates = certificates,
        .self_test = run_self_test,
        .no_server = say_no_server,
        .add_page = add_page,
        .media_page = media_page,
        .supplies_page = supplies_page,
        .info_part = info_form,
        .refused_page = pages_refuse,
        .renew_page = pages_renew,
        .mend_page = pages_mend,
        .languages = app_languages,
        .upload_page = "/print",
        .upload_options = print_page_options,
        .upload_done = print_page_done,
        .wrong_host =
            "This server goes by other names. Use its address, or set "
            "server-hostname: " APP_NAME "(8).\n"};

    papplfixes_start(&application);
}
