/*
 * clients.h - the connections of the server: how many there are, and how long
 * each may keep the server waiting.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_CLIENTS_H
#define PAPPL_FIXES_CLIENTS_H

#include "pappl-fixes/pappl-fixes.h"

#define CLIENTS_LOCAL "localhost"
#define CLIENTS_NETWORK 64  /* bytes of an address */
#define CLIENTS_PATIENCE 60 /* s, if nothing else is set */

/* Returns the client that this thread works for; NULL = none, or not by `http`.
 */
struct client;
struct client *client_of(const http_t *http);

/* Copies the address of this thread's client, without what a computer may
 * choose of it, as with IPv6; CLIENTS_LOCAL: this computer's, or there is none.
 */
void client_network(char network[CLIENTS_NETWORK]);

/* Sets for how many seconds the server waits for a client: 1 or more. Call it
 * before there are clients. */
void clients_wait_for(int seconds);

/* The server begins to wait for a client; `idle`: between two requests. False
 * if it already does. */
bool client_wait(struct client *client, bool idle);

/* Notes that `bytes` of those that the server waited for have come. */
void client_heard(struct client *client, size_t bytes);

/* Nothing more is to come from a client of another thread, for a reason as
 * below. */
void client_stop(struct client *client, const char *why);

/* The client of this thread is to get no more of the server's time, nor to give
 * it a byte: `why`, a static string. The first reason stays. */
void client_blame(const char *why);

/* Whether papplfixes_client_fault() is that it was waited for in vain. */
bool client_was_slow(void);

#endif
