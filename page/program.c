/*
 * program.c - starts programs, with a thread that hands their messages on.
 *
 * The thread lets only the first of a job's ERROR lines through, whoever writes
 * it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* pipe2(), posix_spawn's closefrom, chdir */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "page/program.h"

#define MAX_LINE 2047 /* bytes of a message; CUPS cuts lines there */

/* ---- Its messages -------------------------------------------------------- */

/* Leaves out what is too long of a line, and the errors of a canceled job: its
 * raster may have no pages. */
static void *hand_on(void *context)
{
    const struct program *program = context;
    char line[MAX_LINE + 1];
    bool begins = true;

    while (fgets(line, sizeof line, program->messages) != NULL) {
        size_t length = strcspn(line, "\n");
        bool ends = line[length] == '\n';

        line[length] = '\0';
        if (begins && !(canceled() && strncmp(line, "ERROR:", 6) == 0))
            message_hand_on(line);
        begins = ends;
    }
    fclose(program->messages);
    return NULL;
}

/* ---- Its process --------------------------------------------------------- */

int program_spawn(pid_t *process, const char *path, char *const argv[],
                  char *const environment[], const int files[PROGRAM_FILES],
                  int closed, const char *folder)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, usual;
    int error = 0;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXCPU);
    sigaddset(&usual, SIGXFSZ);
    sigaddset(&usual, SIGTERM);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                 (folder != NULL ? POSIX_SPAWN_SETPGROUP : 0));
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < PROGRAM_FILES && error == 0; i++)
        if (files[i] >= 0)
            error = posix_spawn_file_actions_adddup2(&actions, files[i], i);
    if (error == 0)
        error = posix_spawn_file_actions_addclosefrom_np(&actions, closed);
    if (error == 0 && folder != NULL)
        error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (error == 0)
        error = posix_spawn(process, path, &actions, &attributes, argv,
                            environment);
    posix_spawn_file_actions_destroy(&actions);
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

int program_start(struct program *program, const char *path, char *const argv[],
                  char *const environment[], int input, int output, int closed,
                  int channel)
{
    int messages[2];

    *program = (struct program){.process = 0};
    if (pipe2(messages, O_CLOEXEC) < 0)
        return errno;

    const int files[PROGRAM_FILES] = {input, output, messages[1], channel,
                                      channel};
    int error = program_spawn(&program->process, path, argv, environment, files,
                              closed, NULL);
    const bool spawned = error == 0;

    close(messages[1]);
    program->messages = fdopen(messages[0], "r");
    if (program->messages == NULL)
        close(messages[0]);
    if (error == 0 && program->messages == NULL)
        error = errno;
    if (error == 0)
        error = owner_thread(&program->thread, hand_on, program);
    if (error != 0 && program->messages != NULL)
        fclose(program->messages);
    if (error != 0 && spawned)
        abandon(program->process);
    return error;
}

int program_end(struct program *program, int *status)
{
    const int error = await(program->process, status);

    pthread_join(program->thread, NULL);
    return error;
}
