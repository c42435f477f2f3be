/*
 * machine.c - processor, compiler and version of a measurement.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "halftone/base/instruction_sets.h"
#include "lab/bench/machine.h"

void first_line_of(const char *command, char *line, size_t size)
{
    FILE *pipe = popen(command, "r");

    line[0] = '\0';
    if (pipe == NULL)
        return;
    if (fgets(line, (int)size, pipe) == NULL)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    pclose(pipe);
}

static const char *vectors(void)
{
    return has_avx512() ? "AVX-512BW" : has_avx2() ? "AVX2" : "no AVX2";
}

void machine_describe(struct machine *machine)
{
    struct utsname system;
    cpu_set_t set;
    double load;
    char line[96];

    *machine = (struct machine){.cpus = 1};
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        machine->cpus = (uint32_t)CPU_COUNT(&set);
    if (getloadavg(&load, 1) == 1)
        machine->load = load;
    first_line_of("sed -n 's/^model name[^:]*: //p' /proc/cpuinfo", line,
                  sizeof line);
    snprintf(machine->processor, sizeof machine->processor, "%s, %s",
             line[0] != '\0' ? line : "unknown", vectors());
    if (uname(&system) == 0)
        snprintf(machine->system, sizeof machine->system, "%.40s %.60s %.20s",
                 system.sysname, system.release, system.machine);
    snprintf(machine->compiler, sizeof machine->compiler, "%s %s, %s",
#ifdef __clang__
             "clang",
#else
             "gcc",
#endif
             __VERSION__, BENCH_FLAGS);
    first_line_of("git -C '" BENCH_SOURCE "' describe --always --dirty "
                  "2>/dev/null",
                  line, sizeof line);
    snprintf(machine->version, sizeof machine->version, "%s%s%s",
             PACKAGE_VERSION, line[0] != '\0' ? ", commit " : "", line);
}
