/*
 * machine.h - describes the machine that the numbers come from.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BENCH_MACHINE_H
#define BENCH_MACHINE_H

#include <stddef.h>
#include <stdint.h>

struct machine {
    char processor[128]; /* its name, and the vectors that count here */
    char system[128];
    char compiler[160]; /* and its flags */
    char version[120];  /* of this program, and the commit */
    uint32_t cpus;      /* that the process may use */
    double load;        /* of the system, a minute's average */
};

void machine_describe(struct machine *machine);

/* The first line that a shell command prints; empty when there is none. */
void first_line_of(const char *command, char *line, size_t size);

#endif
