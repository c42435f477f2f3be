/*
 * ending.c - a server that ends takes nothing from the clients that it still
 * has.
 *
 * PAPPL 1.3 deletes the system when its main loop has ended
 * (mainloop-subcommands.c:881, system.c:277-338). It does not wait for the
 * threads of clients, which nobody can join (system.c:619): until the process
 * has ended, these use what is freed, such as the array of pages. So a system
 * that has run is not deleted: its memory and files go with the process.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "pappl-fixes/ending.h"
#include "pappl-fixes/pappl.h"

typedef void delete_system(pappl_system_t *system);

static pappl_system_t *running;

void ending_keep(pappl_system_t *system)
{
    running = system;
}

void papplSystemDelete(pappl_system_t *system)
{
    delete_system *pappl;

    override_find(&pappl, "papplSystemDelete");
    if (pappl != NULL && system != running)
        pappl(system);
}
