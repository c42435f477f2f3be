/*
 * clients.c - no client takes the server from the others: neither by many
 * connections, nor by one on which nothing comes.
 *
 * PAPPL 1.3 takes connections until there are system->max_clients of them, half
 * of the files that it may have open, and then looks for a new one only when
 * for 30 s nothing has happened (system.c:615-654): whoever opens 512 keeps all
 * others out, the administrator's commands, too. It reads without a limit of
 * time (client.c:144 sets none; libcups then waits in recv()): a client that
 * stalls keeps its thread, and if it streams raster its printer, until TCP
 * gives up. So here an address has a share of the connections, of which it
 * loses the one that was silent for the longest time when it opens one more;
 * sockets in the file system are left out of the count, so that commands always
 * get in; and a client may keep the server waiting for a minute, which each 100
 * bytes that it sends make longer by a second again, up to a minute: one that
 * sends a byte now and then gets no further than one that sends none.
 *
 * A connection's descriptor is doubled, since PAPPL and libcups close theirs
 * when they like, and its number could mean another file a moment later.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* F_DUPFD_CLOEXEC */

#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "pappl-fixes/clients.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/seconds.h"

#define MOST_CLIENTS 512 /* in the network, and */
#define PART_OF_FILES 8  /* of the files that there may be: each has two */
#define MOST_GOING 2 /* times as many with those that are on their way out */
#define MOST_OF_ADDRESS 64 /* of them, of another computer */
#define LEAST_RATE 100     /* bytes that pay for a second of waiting */
#define LOOKS 4            /* a second, while there are clients */
#define LAST_WORDS 10      /* s that a client may still send, unread */
#define LAST_PAUSE 2       /* s that it may pause then */
#define PAUSE 100000000    /* ns, when there is no file left for a client */

struct client {
    struct client *next;
    http_t *http;
    int fd;                        /* ours, of the same connection */
    char network[CLIENTS_NETWORK]; /* "" = by a socket in the file system */
    bool waits;                    /* the server, for this client */
    bool idle;       /* for its next request, for which PAPPL waits 30 s */
    double since;    /* s; waits */
    double patience; /* s that it may still keep the server waiting */
    int stalls;      /* s that an answer was not taken */
    bool slow;       /* that is its fault */
    const char *fault;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t came = PTHREAD_COND_INITIALIZER;
static struct client *clients; /* with the lock, as all that they have */
static bool is_watched;
static int most_patience = CLIENTS_PATIENCE; /* set before there are clients */
static char too_slow[64];

static _Thread_local struct client *mine;

void clients_wait_for(int seconds)
{
    most_patience = seconds;
    snprintf(too_slow, sizeof too_slow,
             "The client kept the server waiting for %d seconds", seconds);
}

/* ---- Patience ------------------------------------------------------------ */

/* Nothing more comes of it, but the answer can leave. Needs the lock. */
static void give_up(struct client *client, const char *why)
{
    if (client->fault == NULL)
        client->fault = why;
    shutdown(client->fd, SHUT_RD);
}

/* Needs the lock. */
static void judge(struct client *client)
{
    if (client->waits && !client->idle && client->fault == NULL &&
        papplfixes_now() - client->since >= client->patience) {
        client->slow = true;
        give_up(client, too_slow);
    }
}

/* Looks after all clients, for as long as the process lives. */
static void *watch(void *context)
{
    static const struct timespec look = {.tv_nsec = 1000000000L / LOOKS};

    (void)context;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (clients == NULL)
            pthread_cond_wait(&came, &lock);
        for (struct client *c = clients; c != NULL; c = c->next)
            judge(c);
        pthread_mutex_unlock(&lock);
        nanosleep(&look, NULL);
    }
    return NULL;
}

/* Needs the lock. */
static void start_watch(void)
{
    pthread_t thread;

    if (!is_watched && pthread_create(&thread, NULL, watch, NULL) == 0) {
        pthread_detach(thread);
        is_watched = true;
    }
}

/* libcups asks after each second in which it could neither read nor write. */
static int goes_on(http_t *http, void *data)
{
    struct client *client = data;

    (void)http;
    pthread_mutex_lock(&lock);
    judge(client);
    if (!client->waits && ++client->stalls >= most_patience) {
        client->slow = true;
        give_up(client, "The client does not take its answer");
    }
    const bool well = client->fault == NULL;

    pthread_mutex_unlock(&lock);
    return well;
}

struct client *client_of(const http_t *http)
{
    return mine != NULL && mine->http == http ? mine : NULL;
}

bool client_wait(struct client *client, bool idle)
{
    pthread_mutex_lock(&lock);
    const bool begins = !client->waits;

    if (begins) {
        client->waits = true;
        client->idle = idle;
        client->since = papplfixes_now();
    }
    pthread_mutex_unlock(&lock);
    return begins;
}

void client_heard(struct client *client, size_t bytes)
{
    pthread_mutex_lock(&lock);
    judge(client);
    client->waits = false;
    if (client->idle)
        client->patience = most_patience;
    else
        client->patience -= papplfixes_now() - client->since;
    client->patience += (double)bytes / LEAST_RATE;
    if (client->patience > most_patience)
        client->patience = most_patience;
    client->stalls = 0;
    pthread_mutex_unlock(&lock);
}

void client_stop(struct client *client, const char *why)
{
    pthread_mutex_lock(&lock);
    if (client->fault == NULL)
        client->fault = why;
    pthread_mutex_unlock(&lock);
}

void client_blame(const char *why)
{
    if (mine == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (mine->fault == NULL)
        mine->fault = why;
    pthread_mutex_unlock(&lock);
}

const char *papplfixes_client_fault(void)
{
    const char *why = NULL;

    if (mine != NULL) {
        pthread_mutex_lock(&lock);
        why = mine->fault;
        pthread_mutex_unlock(&lock);
    }
    return why;
}

bool client_was_slow(void)
{
    bool slow = false;

    if (mine != NULL) {
        pthread_mutex_lock(&lock);
        slow = mine->slow;
        pthread_mutex_unlock(&lock);
    }
    return slow;
}

/* ---- Room for one more --------------------------------------------------- */

/* Writes the address, of IPv6 its /64: a computer may use any address there. */
static void find_network(const http_addr_t *from, char network[CLIENTS_NETWORK])
{
    http_addr_t address = *from;
    const int family = address.addr.sa_family;
    struct in6_addr *six = &address.ipv6.sin6_addr;
    const void *bits = family == AF_INET ? (void *)&address.ipv4.sin_addr : six;
    const bool is_part = family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED(six);

    network[0] = '\0';
    if (family != AF_INET && family != AF_INET6)
        return;
    if (httpAddrLocalhost(&address)) {
        strcpy(network, CLIENTS_LOCAL);
        return;
    }
    if (is_part)
        memset(six->s6_addr + 8, 0, 8);
    (void)inet_ntop(family, bits, network, CLIENTS_NETWORK);
    if (is_part)
        strcat(network, "/64");
}

void client_network(char network[CLIENTS_NETWORK])
{
    const bool is_known = mine != NULL && mine->network[0] != '\0';

    snprintf(network, CLIENTS_NETWORK, "%s",
             is_known ? mine->network : CLIENTS_LOCAL);
}

/* Finds, of the clients of an address or of all (NULL), how many there are, and
 * which one the server has been waiting for longest; NULL = none. Needs the
 * lock. */
static int count(const char *network, struct client **silent)
{
    double since = papplfixes_now();
    int number = 0;

    *silent = NULL;
    for (struct client *c = clients; c != NULL; c = c->next) {
        if (c->fault != NULL || c->network[0] == '\0' ||
            (network != NULL && strcmp(network, c->network) != 0))
            continue;
        number++;
        if (c->waits && c->since <= since) {
            since = c->since;
            *silent = c;
        }
    }
    return number;
}

/* Returns how many clients in the network there may be: PAPPL's own limit is
 * half of the files. */
static int most_clients(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) < 0 ||
        files.rlim_cur / PART_OF_FILES > MOST_CLIENTS)
        return MOST_CLIENTS;
    return (int)(files.rlim_cur / PART_OF_FILES);
}

/* Needs the lock. */
static int count_all(void)
{
    int number = 0;

    for (const struct client *c = clients; c != NULL; c = c->next)
        number++;
    return number;
}

/* Makes room. Needs the lock. */
static bool has_room(const char *network)
{
    const int all = most_clients();

    /* This computer has many users. */
    const int most =
        strcmp(network, CLIENTS_LOCAL) == 0 ? all * 3 / 4 : MOST_OF_ADDRESS;
    struct client *silent;

    if (network[0] == '\0')
        return true;
    if (count_all() >= MOST_GOING * all)
        return false;
    if (count(network, &silent) < most && count(NULL, &silent) < all)
        return true;
    if (silent == NULL)
        return false;
    silent->slow = true;
    give_up(silent, "The client was silent, and others wanted its place");
    return true;
}

/* ---- Coming and going ---------------------------------------------------- */

/* Adds a client; false if there is no room for it. */
static bool add(http_t *http)
{
    struct client *client = calloc(1, sizeof *client);

    if (client == NULL)
        return false;
    *client = (struct client){.http = http,
                              .waits = true,
                              .idle = true,
                              .since = papplfixes_now(),
                              .patience = most_patience};
    find_network(httpGetAddress(http), client->network);
    client->fd = fcntl(httpGetFd(http), F_DUPFD_CLOEXEC, 0);
    pthread_mutex_lock(&lock);
    const bool well = client->fd >= 0 && has_room(client->network);

    if (well) {
        client->next = clients;
        clients = client;
        start_watch();
        pthread_cond_signal(&came);
    }
    pthread_mutex_unlock(&lock);
    if (well) {
        httpSetTimeout(http, 1, goes_on, client);
        return true;
    }
    if (client->fd >= 0)
        close(client->fd);
    free(client);
    return false;
}

/* PAPPL's thread that listens calls this, and says why it got none. */
http_t *httpAcceptConnection(int fd, int blocking)
{
    static const struct timespec pause = {.tv_nsec = PAUSE};

    http_t *http = REAL(httpAcceptConnection)(fd, blocking);

    /* It would ask again at once, and so on. */
    if (http == NULL && (errno == EMFILE || errno == ENFILE))
        nanosleep(&pause, NULL);
    if (http == NULL || add(http))
        return http;
    httpClose(http);
    errno = EUSERS;
    return NULL;
}

void *_papplClientRun(pappl_client_t *client)
{
    const http_t *http = papplClientGetHTTP(client);

    pthread_mutex_lock(&lock);
    mine = clients;
    while (mine != NULL && mine->http != http)
        mine = mine->next;
    if (mine != NULL)
        mine->waits = false;
    pthread_mutex_unlock(&lock);
    return REAL(_papplClientRun)(client);
}

/* Reads what a client still sends after it was refused: a connection that is
 * closed with something unread is reset, and the answer lost. */
static void hear_out(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};
    const double end = papplfixes_now() + LAST_WORDS;
    char data[65536];
    ssize_t got = 1;

    shutdown(fd, SHUT_WR);
    while (got > 0 && papplfixes_now() < end)
        got = poll(&readable, 1, 1000 * LAST_PAUSE) > 0
                  ? recv(fd, data, sizeof data, MSG_DONTWAIT)
                  : 0;
}

void _papplClientDelete(pappl_client_t *client)
{
    const http_t *http = papplClientGetHTTP(client);
    struct client **at, *gone;

    pthread_mutex_lock(&lock);
    at = &clients;
    while (*at != NULL && (*at)->http != http)
        at = &(*at)->next;
    gone = *at;
    if (gone != NULL)
        *at = gone->next;
    pthread_mutex_unlock(&lock);
    mine = NULL;
    if (gone != NULL && gone->fault != NULL)
        papplLogClient(client, PAPPL_LOGLEVEL_WARN, "%s.", gone->fault);
    if (gone != NULL)
        httpSetTimeout(papplClientGetHTTP(client), most_patience, NULL, NULL);
    REAL(_papplClientDelete)(client);
    if (gone == NULL)
        return;
    if (gone->fault != NULL && !gone->slow)
        hear_out(gone->fd);
    close(gone->fd);
    free(gone);
}
