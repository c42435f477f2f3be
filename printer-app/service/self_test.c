/*
 * self_test.c - small jobs of several clients at once, to a printer that is a
 * file: they have to come out whole, once, and in the order of their numbers.
 * That is what PAPPL 1.3 gets wrong by itself, and what another version may get
 * wrong with what is here for 1.3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _XOPEN_SOURCE 700 /* nftw() */
#define _GNU_SOURCE

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cups/cups.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/app.h"
#include "printer-app/service/self_test.h"

#define CLIENTS 4
#define JOBS 5 /* of each */
#define DOCUMENT_BYTES 2000
#define MOST_SECONDS 30 /* for all of it */
#define MAX_PATH 512

struct test_client {
    pthread_t thread;
    const char *socket;
    int number;     /* from 0 */
    int jobs[JOBS]; /* their numbers; 0 = it was not accepted */
};

/* ---- Folder, server and time --------------------------------------------- */

static char folder[MAX_PATH - 64];
static double end;

static const char *in_folder(char path[MAX_PATH], const char *name)
{
    snprintf(path, MAX_PATH, "%s/%s", folder, name);
    return path;
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *at)
{
    (void)info;
    (void)kind;
    (void)at;
    return remove(path);
}

static void pause_a_bit(void)
{
    static const struct timespec bit = {.tv_nsec = 20000000};

    nanosleep(&bit, NULL);
}

/* The server, whose files are all in the folder; it dies with this process. */
static void run_server(void)
{
    static const char *const in[] = {"HOME", "XDG_CONFIG_HOME", "TMPDIR",
                                     "STATE_DIRECTORY", "SNAP_COMMON"};
    char address[MAX_PATH], log[MAX_PATH], bus[MAX_PATH];
    const int null = open("/dev/null", O_RDWR);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (size_t i = 0; i < sizeof in / sizeof in[0]; i++)
        setenv(in[i], folder, 1);
    snprintf(bus, sizeof bus, "unix:path=%s/no-bus", folder);
    setenv("DBUS_SYSTEM_BUS_ADDRESS", bus, 1);
    setenv(SELF_TEST_VARIABLE, "1", 1);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    dup2(null, 0);
    dup2(null, 1);
    dup2(null, 2);
    snprintf(address, sizeof address, "listen-hostname=%s/socket", folder);
    snprintf(log, sizeof log, "log-file=%s/log", folder);
    execl("/proc/self/exe", APP_NAME, "server", "-o", address, "-o", log, "-o",
          "log-level=info", "-o", "server-options=no-tls", (char *)NULL);
    _exit(127);
}

static http_t *reach(const char *path)
{
    return httpConnect2(path, 0, NULL, AF_UNSPEC, HTTP_ENCRYPTION_NEVER, 1,
                        1000, NULL);
}

/* Whether the server has ended by itself. */
static bool is_gone(pid_t server)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)server, &info, WEXITED | WNOHANG | WNOWAIT) <
               0 ||
           info.si_pid != 0;
}

/* Returns the connection to the server as soon as it answers. */
static http_t *await_server(pid_t server, const char *path)
{
    http_t *http = NULL;

    while ((access(path, F_OK) < 0 || (http = reach(path)) == NULL) &&
           papplfixes_now() < end && !is_gone(server))
        pause_a_bit();
    return http;
}

/* ---- Requests ------------------------------------------------------------ */

static void add(ipp_t *request, ipp_tag_t group, ipp_tag_t tag,
                const char *name, const char *value)
{
    ippAddString(request, group, tag, name, NULL, value);
}

/* Sends it, with the document, and returns the answer; NULL = there is none. */
static ipp_t *ask(http_t *http, ipp_t *request, const char *path,
                  const char *document, size_t bytes)
{
    ipp_t *answer = NULL;

    if (cupsSendRequest(http, request, path, ippLength(request) + bytes) ==
            HTTP_STATUS_CONTINUE &&
        (bytes == 0 ||
         cupsWriteRequestData(http, document, bytes) == HTTP_STATUS_CONTINUE))
        answer = cupsGetResponse(http, path);
    ippDelete(request);
    return answer;
}

static bool add_printer(http_t *http, const char *paper)
{
    char uri[MAX_PATH + 16];
    ipp_t *request = ippNewRequest(IPP_OP_CREATE_PRINTER);

    snprintf(uri, sizeof uri, "file://%s", paper);
    add(request, IPP_TAG_OPERATION, IPP_TAG_URI, "system-uri",
        "ipp://localhost/ipp/system");
    add(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "printer-service-type",
        "print");
    add(request, IPP_TAG_OPERATION, IPP_TAG_KEYWORD, "smi55357-driver",
        "zebra-zpl-203");
    add(request, IPP_TAG_OPERATION, IPP_TAG_URI, "smi55357-device-uri", uri);
    add(request, IPP_TAG_PRINTER, IPP_TAG_NAME, "printer-name", "test");
    ipp_t *answer = ask(http, request, "/ipp/system", NULL, 0);
    const bool added =
        answer != NULL && ippGetStatusCode(answer) == IPP_STATUS_OK;

    ippDelete(answer);
    return added;
}

/* Returns the number of the job, or 0. */
static int print(http_t *http, const char *document, size_t bytes)
{
    ipp_t *request = ippNewRequest(IPP_OP_PRINT_JOB);

    add(request, IPP_TAG_OPERATION, IPP_TAG_URI, "printer-uri",
        "ipp://localhost/ipp/print/test");
    add(request, IPP_TAG_OPERATION, IPP_TAG_NAME, "requesting-user-name",
        "test");
    add(request, IPP_TAG_OPERATION, IPP_TAG_MIMETYPE, "document-format",
        "application/vnd.zebra-zpl");
    ipp_t *answer = ask(http, request, "/ipp/print/test", document, bytes);
    const int job =
        ippGetInteger(ippFindAttribute(answer, "job-id", IPP_TAG_INTEGER), 0);

    ippDelete(answer);
    return job;
}

/* ---- Documents ----------------------------------------------------------- */

/* Makes the document of a client's job, which no other has a part of. */
static void make_document(char document[DOCUMENT_BYTES], int client, int job)
{
    memset(document, 'a' + client * JOBS + job, DOCUMENT_BYTES);
}

static void *print_all(void *context)
{
    struct test_client *client = context;
    char document[DOCUMENT_BYTES];

    for (int i = 0; i < JOBS; i++) {
        http_t *http = reach(client->socket);

        make_document(document, client->number, i);
        if (http != NULL)
            client->jobs[i] = print(http, document, sizeof document);
        httpClose(http);
    }
    return NULL;
}

/* Says why in `why`. False. */
static bool fail(char why[MAX_PATH], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(char why[MAX_PATH], const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(why, MAX_PATH, format, arguments);
    va_end(arguments);
    return false;
}

/* Finds the client and the job of a document on the paper. False if it is
 * nobody's, or incomplete. */
static bool find_job(const char *at, int *client, int *job)
{
    char document[DOCUMENT_BYTES];

    for (*client = 0; *client < CLIENTS; ++*client)
        for (*job = 0; *job < JOBS; ++*job) {
            make_document(document, *client, *job);
            if (memcmp(document, at, sizeof document) == 0)
                return true;
        }
    return false;
}

/* Whether the paper has all jobs, and nothing else: those of a client in their
 * order. Clients' jobs come in that of their documents' last bytes, which their
 * numbers, given at the first one, do not tell. */
static bool is_right(const struct test_client *clients, const char *paper,
                     size_t bytes, char why[MAX_PATH])
{
    int printed[CLIENTS] = {0}, client, job;

    for (int i = 0; i < CLIENTS * JOBS; i++)
        if (clients[i / JOBS].jobs[i % JOBS] == 0)
            return fail(why, "a job was not accepted");
    if (bytes != (size_t)CLIENTS * JOBS * DOCUMENT_BYTES)
        return fail(why, "%zu bytes were printed instead of %d", bytes,
                    CLIENTS * JOBS * DOCUMENT_BYTES);
    for (size_t at = 0; at < bytes; at += DOCUMENT_BYTES) {
        if (!find_job(paper + at, &client, &job))
            return fail(why, "what was printed is no job's document");
        if (job != printed[client]++)
            return fail(why, "job %d was printed twice, or out of order",
                        clients[client].jobs[job]);
    }
    return true;
}

/* Returns how many bytes are on the paper, at most `most`. */
static size_t read_paper(const char *path, char *paper, size_t most)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, paper, most) : 0;

    if (file >= 0)
        close(file);
    return got > 0 ? (size_t)got : 0;
}

/* ---- All of it ----------------------------------------------------------- */

static bool print_and_look(pid_t server, char why[MAX_PATH])
{
    static struct test_client clients[CLIENTS];
    static char paper[CLIENTS * JOBS * DOCUMENT_BYTES + 1];
    char path[MAX_PATH], socket[MAX_PATH];
    size_t bytes = 0;
    int begun = 0;
    http_t *http = await_server(server, in_folder(socket, "socket"));
    const int file = open(in_folder(path, "paper"),
                          O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool added = http != NULL && file >= 0 && add_printer(http, path);

    if (file >= 0)
        close(file);
    httpClose(http);
    if (!added)
        return fail(why, http == NULL ? "the server does not answer"
                                      : "no printer can be added");
    for (; begun < CLIENTS; begun++) {
        clients[begun] =
            (struct test_client){.socket = socket, .number = begun};
        if (pthread_create(&clients[begun].thread, NULL, print_all,
                           &clients[begun]) != 0)
            break;
    }
    for (int i = 0; i < begun; i++)
        pthread_join(clients[i].thread, NULL);
    while ((bytes = read_paper(path, paper, sizeof paper)) < sizeof paper - 1 &&
           papplfixes_now() < end && !is_gone(server))
        pause_a_bit();
    if (is_gone(server))
        return fail(why, "the server crashed");
    return is_right(clients, paper, bytes, why);
}

/* Ends the test when it hangs. */
static void give_up(int number)
{
    static const char text[] = "self-test failed: the server hangs\n";

    (void)number;
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(1);
}

int self_test(void)
{
    const char *parent = getenv("TMPDIR");
    char why[MAX_PATH] = "";
    bool well;

    snprintf(folder, sizeof folder, "%s/" APP_NAME "-XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(folder) == NULL) {
        printf("self-test failed: %s: %s\n", folder, strerror(errno));
        return 1;
    }
    end = papplfixes_now() + MOST_SECONDS / 2;
    signal(SIGALRM, give_up);
    alarm(MOST_SECONDS);

    const pid_t server = fork();

    if (server == 0)
        run_server();
    well = server > 0 ? print_and_look(server, why)
                      : fail(why, "%s", strerror(errno));
    if (server > 0) {
        kill(server, SIGKILL);
        waitpid(server, NULL, 0);
    }
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (well)
        printf("self-test passed: %d jobs came out whole, once and in order\n",
               CLIENTS * JOBS);
    else
        printf("self-test failed: %s\n", why);
    return well ? 0 : 1;
}
