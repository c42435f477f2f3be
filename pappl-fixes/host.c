/*
 * host.c - refuses requests that web pages of others make a browser send.
 *
 * PAPPL 1.3 takes every Host that begins with a digit, or ends in ".local", for
 * its own (_papplClientProcessHTTP, client.c:297-304). So a page of
 * http://1.evil.example:8631, whose name is then said to be that of 127.0.0.1,
 * is one of this server for a browser on this computer: it reads forms, and
 * adds printers. Nor does it look at Origin. But it refuses the name that the
 * computer has in the network, if that is not what DNS-SD has.
 *
 * Here Host is an address, localhost, or a name of this computer or of its
 * administrator's; and what is posted comes from no page, or one at that Host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pappl-fixes/application.h"
#include "pappl-fixes/host.h"
#include "pappl-fixes/replaced.h"
#include "pappl-fixes/server.h"

#define HOST_NAME_BYTES 256
#define GIVEN_NAMES 3 /* of a listener, of the server, of the computer */
#define MAX_URI 1024

/* Set before there are other threads. */
static char given[GIVEN_NAMES][HOST_NAME_BYTES]; /* "" = none */

/* The request of this thread whose Host is a name of the server's, which PAPPL
 * is about to compare with that of DNS-SD. */
static _Thread_local pappl_client_t *named;

/* ---- Names ----------------------------------------------------------------
 */

static void keep_name(pappl_system_t *system, int which, const char *name)
{
    if (papplSystemIsRunning(system))
        return;
    if (name != NULL && name[0] != '/')
        snprintf(given[which], HOST_NAME_BYTES, "%s", name);
    httpGetHostname(NULL, given[GIVEN_NAMES - 1], HOST_NAME_BYTES);
}

/* Whether a server listens at a socket, whose file PAPPL would remove. */
static bool is_served(http_addr_t *address)
{
    const int file =
        socket(AF_LOCAL, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const bool is = connect(file, &address->addr,
                            (socklen_t)httpAddrLength(address)) == 0 ||
                    errno == EAGAIN;

    close(file);
    return is;
}

/* Whether another process listens at an address. */
static bool is_taken(http_addr_t *address, int port)
{
    if (address->addr.sa_family == AF_LOCAL)
        return is_served(address);
    const int file = httpAddrListen(address, port);
    const bool is = file < 0 && errno == EADDRINUSE;

    if (file >= 0)
        close(file);
    return is;
}

/* Ends the process if an address is another's, of whichever family: PAPPL goes
 * on if it has one of them, or none. */
bool papplSystemAddListeners(pappl_system_t *system, const char *name)
{
    const bool is_path = name != NULL && name[0] == '/';
    const int port = is_path ? 0 : papplSystemGetHostPort(system);
    const char *host = name != NULL && strcmp(name, "*") != 0 ? name : NULL;
    char service[16];

    keep_name(system, 0, name);
    snprintf(service, sizeof service, "%d", port);
    http_addrlist_t *all =
        is_path || port > 0
            ? httpAddrGetList(host, is_path ? AF_LOCAL : AF_UNSPEC, service)
            : NULL;
    bool ok = true;

    errno = EADDRINUSE;
    for (http_addrlist_t *at = all; ok && at != NULL; at = at->next)
        ok = !is_taken(&at->addr, port);
    httpAddrFreeList(all);
    if (ok && REAL(papplSystemAddListeners)(system, name))
        return true;
    if (is_path)
        server_fail(system, "Cannot listen at %s: %s", name, strerror(errno));
    server_fail(system, "Cannot listen at port %d of %s: %s", port,
                host != NULL ? host : "this computer", strerror(errno));
}

void papplSystemSetHostName(pappl_system_t *system, const char *name)
{
    keep_name(system, 1, name);
    REAL(papplSystemSetHostName)(system, name);
}

/* Copies what is before the port, without a name's last dot; false if there is
 * nothing, or no port where one should be. */
static bool get_name_of(const char *field, char name[HOST_NAME_BYTES])
{
    const char *end = field[0] == '[' ? strchr(field, ']') : NULL;
    size_t length =
        end != NULL ? (size_t)(end + 1 - field) : strcspn(field, ":");
    const char *port = field + length;

    if (*port == ':')
        port += 1 + strspn(port + 1, "0123456789");
    if (*port != '\0' || length == 0 || length >= HOST_NAME_BYTES)
        return false;
    if (length > 1 && field[length - 1] == '.')
        length--;
    memcpy(name, field, length);
    name[length] = '\0';
    return true;
}

/* Whether a name is an address: "192.0.2.1", "[fe80::1%25eth0]" or, as CUPS
 * writes it, "[v1.fe80::1+eth0]". */
static bool is_address(const char *name)
{
    struct in6_addr address;
    char text[HOST_NAME_BYTES];

    if (name[0] != '[')
        return inet_pton(AF_INET, name, &address) == 1;
    name += strncasecmp(name, "[v1.", 4) == 0 ? 4 : 1;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(name, "%+]"), name);
    return inet_pton(AF_INET6, text, &address) == 1;
}

/* Whether a name is this computer's: "host.example.org", "host", "host.local".
 */
static bool is_of_computer(const char *name)
{
    char host[HOST_NAME_BYTES] = "";

    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        return false;
    const size_t label = strcspn(host, ".");

    return strcasecmp(name, host) == 0 ||
           (strncasecmp(name, host, label) == 0 &&
            (name[label] == '\0' || strcasecmp(name + label, ".local") == 0));
}

/* Whether a name is what DNS-SD has for the server, or its administrator. */
static bool is_of_server(pappl_system_t *system, const char *name)
{
    char own[HOST_NAME_BYTES];

    for (int i = 0; i < GIVEN_NAMES; i++)
        if (given[i][0] != '\0' && strcasecmp(name, given[i]) == 0)
            return true;
    return REAL(papplSystemGetHostName)(system, own, sizeof own) != NULL &&
           strcasecmp(name, own) == 0;
}

/* Whether a Host field names this server: by an address, or by a name of its.
 */
static bool is_own(pappl_system_t *system, const char *field)
{
    char name[HOST_NAME_BYTES];

    return get_name_of(field, name) &&
           (is_address(name) || strcasecmp(name, "localhost") == 0 ||
            is_of_computer(name) || is_of_server(system, name));
}

/* ---- Pages ----------------------------------------------------------------
 */

/* Where an address leads. */
struct name_place {
    char scheme[32], user[256], host[HOST_NAME_BYTES], path[MAX_URI];
    int port;
};

static bool find_place(struct name_place *place, const char *uri)
{
    return httpSeparateURI(HTTP_URI_CODING_ALL, uri, place->scheme,
                           sizeof place->scheme, place->user,
                           sizeof place->user, place->host, sizeof place->host,
                           &place->port, place->path,
                           sizeof place->path) >= HTTP_URI_STATUS_OK;
}

/* Whether the page at an address, or of an Origin, is at that Host. */
static bool has_page(const char *host, const char *page)
{
    struct name_place of_page, of_host;
    char uri[MAX_URI];

    if (!find_place(&of_page, page) || (strcmp(of_page.scheme, "http") != 0 &&
                                        strcmp(of_page.scheme, "https") != 0))
        return false;
    snprintf(uri, sizeof uri, "%s://%s/", of_page.scheme, host);
    return find_place(&of_host, uri) && of_page.port == of_host.port &&
           strcasecmp(of_page.host, of_host.host) == 0;
}

/* ---- Requests -------------------------------------------------------------
 */

const char *host_refusal(pappl_client_t *client)
{
    http_t *http = papplClientGetHTTP(client);
    const char *host = httpGetField(http, HTTP_FIELD_HOST),
               *page = httpGetField(http, HTTP_FIELD_ORIGIN);

    named = NULL;
    if (!is_own(papplClientGetSystem(client), host)) {
        papplLogClient(client, PAPPL_LOGLEVEL_ERROR,
                       "Refused: '%s' is no name of this server.", host);
        return application()->wrong_host != NULL
                   ? application()->wrong_host
                   : "This server goes by other names. Use its address, or set "
                     "server-hostname.\n";
    }
    if (page[0] == '\0') /* a browser of long ago, or no browser */
        page = httpGetField(http, HTTP_FIELD_REFERER);
    if (papplClientGetMethod(client) == HTTP_STATE_POST && page[0] != '\0' &&
        !has_page(host, page)) {
        papplLogClient(client, PAPPL_LOGLEVEL_ERROR,
                       "Refused: sent by a page of '%s', not of '%s'.", page,
                       host);
        return "This was sent by a page of another server.\n";
    }
    if (!isdigit((unsigned char)host[0]) && host[0] != '[')
        named = client;
    return NULL;
}

/* PAPPL compares Host with this, unless it begins as addresses do. */
char *papplSystemGetHostName(pappl_system_t *system, char *buffer, size_t size)
{
    const char *host = papplClientGetHostName(named);

    named = NULL;
    if (host != NULL && buffer != NULL && size > 0) {
        snprintf(buffer, size, "%s", host);
        return buffer;
    }
    return REAL(papplSystemGetHostName)(system, buffer, size);
}
