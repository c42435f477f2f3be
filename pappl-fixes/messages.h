/*
 * messages.h - keeps messages of jobs in the state.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_MESSAGES_H
#define PAPPL_FIXES_MESSAGES_H

#include <stdbool.h>
#include <stdio.h>

#include <pappl/pappl.h>

#define MESSAGES_OPTION "message" /* of a job's line */

/* A job that has a message. */
struct message {
    struct message *next;
    int printer, job;
    bool is_new; /* to be logged, too */
    char text[];
};

/* Returns the messages of a printer's jobs; NULL = there are none. */
struct message *messages_of(pappl_printer_t *printer);
void messages_free(struct message *messages);

/* Writes a line of the state, with the message if it is that of a job that has
 * one. */
void messages_put(const struct message *messages, const char *line, FILE *to);

/* Keeps the message of a job that is about to be loaded, to be logged if it
 * `is_new`; then gives the loaded jobs all that are kept, the first of a job
 * last. */
void messages_keep(int printer, int job, const char *text, bool is_new);
void messages_tell(pappl_system_t *system);

#endif
