/*
 * packer.c - posix_spawn(), a pipe for our dots, and a thread that hands the
 * packer's messages on.
 *
 * They do not go straight to the scheduler, since of a job's ERROR lines only
 * the first one is to be written, whoever says it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), F_SETPIPE_SZ */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/choice.h"
#include "page/message.h"
#include "filter/packer.h"
#include "page/owner.h"

#define DOTS_PIPE (1 << 20) /* bytes that wait for the packer */
#define MAX_LINE 2047       /* bytes of a message; CUPS cuts lines there */

extern char **environ;

/* ---- Its messages -------------------------------------------------------- */

/* Leaves out what is too long of a line, and the errors of a canceled job: its
 * raster may have no pages. */
static void *hand_on(void *context)
{
    const struct packer *packer = context;
    char line[MAX_LINE + 1];
    bool begins = true;

    while (fgets(line, sizeof line, packer->messages) != NULL) {
        size_t length = strcspn(line, "\n");
        bool ends = line[length] == '\n';

        line[length] = '\0';
        if (begins && !(canceled() && strncmp(line, "ERROR:", 6) == 0))
            message_hand_on(line);
        begins = ends;
    }
    fclose(packer->messages);
    return NULL;
}

/* ---- Its process --------------------------------------------------------- */

/* Spawns it with the signals of a program that CUPS starts. Returns an errno,
 * or 0. */
static int spawn(pid_t *process, const char *path, char *const argv[], int dots,
                 int messages)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, usual;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    sigaddset(&usual, SIGTERM);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawn_file_actions_init(&files);
    int error = posix_spawn_file_actions_adddup2(&files, dots, STDIN_FILENO);
    if (error == 0)
        error =
            posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
    if (error == 0)
        error = posix_spawn(process, path, &files, &attributes, argv, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Waits until the process has ended, with what `*status`. Returns an errno, or
 * 0. */
static int await(pid_t process, int *status)
{
    while (waitpid(process, status, 0) < 0)
        if (errno != EINTR)
            return errno;
    return 0;
}

/* Ends a process that was started in vain. */
static void abandon(pid_t process)
{
    int status;

    kill(process, SIGKILL);
    (void)await(process, &status);
}

/* Starts it between two pipes, which are open. Returns an errno, or 0; then the
 * ends that are not its own belong to the packer and to standard output. */
static int start(struct packer *packer, const char *path, char *const argv[],
                 const int dots[2], const int messages[2])
{
    int error = spawn(&packer->process, path, argv, dots[0], messages[1]);

    if (error != 0)
        packer->process = 0;

    close(dots[0]);
    close(messages[1]);
    packer->messages = fdopen(messages[0], "r");
    if (packer->messages == NULL)
        close(messages[0]);
    if (error == 0 &&
        (packer->messages == NULL || dup2(dots[1], STDOUT_FILENO) < 0))
        error = errno;
    close(dots[1]);
    if (error == 0)
        error = owner_thread(&packer->thread, hand_on, packer);
    if (error != 0 && packer->messages != NULL)
        fclose(packer->messages);
    if (error != 0 && packer->process > 0)
        abandon(packer->process);
    return error;
}

/* Opens both pipes, whose ends other programs do not inherit, or none. That of
 * the dots is larger than usual, if the system lets it. */
static bool open_pipes(int dots[2], int messages[2])
{
    if (pipe2(dots, O_CLOEXEC) < 0)
        return false;
    fcntl(dots[1], F_SETPIPE_SZ, DOTS_PIPE);
    if (pipe2(messages, O_CLOEXEC) == 0)
        return true;
    close(dots[0]);
    close(dots[1]);
    return false;
}

bool packer_start(struct packer *packer, const char *name, char *const argv[],
                  const char *copies)
{
    char path[CHOICE_MAX_PATH];
    char *const its[] = {(char *)name,   argv[1], argv[2], argv[3],
                         (char *)copies, argv[5], NULL};
    int dots[2], messages[2];

    *packer = (struct packer){.name = NULL};
    if (name[0] == '\0')
        return true;
    snprintf(path, sizeof path, "%s/filter/%s", choice_program_directory(),
             name);
    int error = open_pipes(dots, messages)
                    ? start(packer, path, its, dots, messages)
                    : errno;
    if (error != 0) {
        message("ERROR", "Cannot start the packer \"%s\": %s", path,
                strerror(error));
        return false;
    }
    packer->name = name;
    message("DEBUG", "rastertohalftone: the packer is %s", path);
    return true;
}

/* Writes how it failed, if it did; when `all` that was to leave has not left,
 * that it has not read it, unless there was another error before. */
static bool report(const struct packer *packer, int status, bool all)
{
    bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;

    if (canceled() || (well && all))
        return true;
    if (well)
        message("ERROR", "The packer \"%s\" ended before the raster did",
                packer->name);
    else if (WIFEXITED(status))
        message("ERROR", "The packer \"%s\" failed with exit status %d",
                packer->name, WEXITSTATUS(status));
    else
        message("ERROR", "The packer \"%s\" was ended by signal %d",
                packer->name, WTERMSIG(status));
    return false;
}

bool packer_end(struct packer *packer, bool all)
{
    int status;

    if (packer->name == NULL)
        return all;
    if (canceled())
        kill(packer->process, SIGTERM);
    close(STDOUT_FILENO);
    int error = await(packer->process, &status);

    pthread_join(packer->thread, NULL);
    if (error != 0) {
        message("ERROR", "Cannot wait for the packer \"%s\": %s", packer->name,
                strerror(error));
        return false;
    }
    return report(packer, status, all);
}
