/*
 * signals.c - makes SIGTERM cancel the job, ignores SIGPIPE, and resets SIGCHLD
 * in case the parent ignored it.
 *
 * From signals_keep() on SIGTERM is blocked in all threads, except while the
 * reading thread waits for input. So it neither cuts a line that is being
 * written, nor comes between a look at the flag and a read that would then wait
 * for ever.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "filter/signals.h"

static atomic_bool taken;      /* SIGTERM; another one may be pending */
static sigset_t while_waiting; /* the signals blocked during a wait */

static void take(int number)
{
    (void)number;
    atomic_store(&taken, true);
}

static void end(int number)
{
    (void)number;
    _exit(0);
}

void signals_catch(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};

    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, NULL);
    action.sa_handler = end;
    sigaction(SIGTERM, &action, NULL);
}

void signals_keep(void)
{
    struct sigaction action = {.sa_handler = take};
    sigset_t terminate;

    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, &while_waiting);
    sigdelset(&while_waiting, SIGTERM);
    sigaction(SIGTERM, &action, NULL);
}

static bool was_taken(struct owner *owner)
{
    (void)owner;
    return atomic_load(&taken);
}

/* Whether SIGTERM has come. Asks for a pending one first: between the two
 * questions a wait may take it, and then the flag is set. */
static bool has_come(struct owner *owner)
{
    sigset_t pending;

    return (sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 1) ||
           was_taken(owner);
}

/* Takes SIGTERM meanwhile. */
static bool wait_for(struct owner *owner, int fd)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};

    (void)owner;
    return ppoll(&input, 1, NULL, &while_waiting) >= 0;
}

struct owner *signals_owner(void)
{
    static struct owner owner = {.is_canceled = has_come,
                                 .was_told = was_taken,
                                 .wait = wait_for,
                                 .error_said = ATOMIC_FLAG_INIT};

    return &owner;
}
