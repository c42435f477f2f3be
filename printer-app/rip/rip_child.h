/*
 * rip_child.h - a RIP's process: started with limits, read with patience that
 * ends, and gone when it is no longer wanted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_CHILD_H
#define PRINTER_APP_RIP_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "printer-app/rip/rip_limits.h"

#define RIP_MAX_LINE 512 /* bytes of a line, with its NUL; the rest is lost */

/* One process after the other. */
struct rip_child {
    struct rip_limits limits;
    const char *folder; /* that it runs in, and has its temporary files in */
    const char *name;   /* of the program */
    unsigned page;      /* that is to come; 0 = none */
    pid_t process;      /* 0 = none */
    bool stopped;       /* no other is started */

    int output, messages; /* to read; -1 = ended */
    bool silent;          /* for too long */
    bool failed;          /* an ERROR line has been written */
    size_t at, have;      /* of `buffer` */
    unsigned char buffer[1 << 16];
    char line[RIP_MAX_LINE]; /* of its messages */
    size_t length;
    char said[RIP_MAX_LINE]; /* what best tells why it failed; "" = nothing */
    unsigned lines;          /* of all processes */
    bool warned;             /* of errors */
};

void rip_child_init(struct rip_child *child, const char *folder,
                    const struct rip_limits *limits);

/* Starts argv[0], which is looked for in RIP_PATH. False after an ERROR line,
 * or because it was stopped. End with rip_child_end() if true. */
bool rip_child_start(struct rip_child *child, const char *const argv[]);

/* Read its standard output: `bytes`, and a line without its LF. False at its
 * end, when it was silent for too long, or the work is canceled. */
bool rip_child_read(struct rip_child *child, void *data, size_t bytes);
bool rip_child_line(struct rip_child *child, char line[RIP_MAX_LINE]);

/* Takes a line as something that it said. */
void rip_child_heard(struct rip_child *child, const char *line);

/* Whether it has spoken of an error. */
bool rip_child_complained(const struct rip_child *child);

/* Gives it a page's seconds of a processor anew, for the page after the last
 * one. */
void rip_child_page(struct rip_child *child);

/*
 * Waits for its end; what still comes is lost. `well`: all that was wanted has
 * come; one WARNING tells of errors that it has spoken of, as it has repaired
 * the PDF or left something out. False, after an ERROR line, if it has not, or
 * if it failed. There is no further ERROR line if it was stopped or the work is
 * canceled.
 */
bool rip_child_end(struct rip_child *child, bool well);

/* Writes an ERROR line "The PDF cannot be read: ..." and kills it; returns
 * false. */
bool rip_child_fail(struct rip_child *child, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Kills it with all processes that it has started; no other is started. */
void rip_child_stop(struct rip_child *child);

/* Whether `program` is installed, in RIP_PATH. */
bool rip_child_installed(const char *program);

#endif
