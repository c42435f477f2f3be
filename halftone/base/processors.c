/*
 * processors.c - affinity, quota and load of Linux; see processors.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "halftone/base/processors.h"
#include "halftone/base/text.h"

#define MOST_TEXT 4096 /* bytes of a file */
#define MOST_PATH 1024
#define MOST_CPUS (1 << 16)

/* Reads a file into `text` [MOST_TEXT + 1], with a NUL at its end. False too
 * for a file that is empty, or too long to be whole. */
static bool read_file(const char *root, const char *path, char *text)
{
    char full[2 * MOST_PATH];
    int length = snprintf(full, sizeof full, "%s%s", root, path);

    if (length < 0 || (size_t)length >= sizeof full)
        return false;
    ssize_t size = text_read(full, text, MOST_TEXT);
    text[size > 0 ? size : 0] = '\0';
    return size > 0 && size < MOST_TEXT;
}

/* ---- The quota ----------------------------------------------------------- */

/* Finds this process's group, "0::/PATH", in the text of /proc/self/cgroup. */
static bool find_group(char *text, char path[MOST_PATH])
{
    char *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        if (strncmp(line, "0::/", 4) == 0 && strstr(line, "/..") == NULL &&
            strlen(line + 3) < MOST_PATH) {
            memcpy(path, line + 3, strlen(line + 3) + 1);
            return true;
        }
    return false;
}

/* Returns the CPUs of "QUOTA PERIOD", in microseconds and on one line; 0 for
 * anything else, such as "max PERIOD". */
static unsigned quota_of(char *text)
{
    char *line_end = strchr(text, '\n'), *rest = NULL;
    double quota, period;

    if (line_end != NULL && line_end[1] == '\0')
        *line_end = '\0';
    const char *first = strtok_r(text, " ", &rest);
    const char *second = strtok_r(NULL, " ", &rest);
    if (first == NULL || second == NULL || strtok_r(NULL, " ", &rest) != NULL ||
        !text_decimal(first, 1, 1e9, &quota) ||
        !text_decimal(second, 1, 1e9, &period))
        return 0;
    return quota < 2 * period ? 1 : (unsigned)(quota / period);
}

static unsigned least_quota(unsigned a, unsigned b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

unsigned ht_quota_in(const char *root)
{
    char text[MOST_TEXT + 1], group[MOST_PATH];
    char path[MOST_PATH + sizeof "/sys/fs/cgroup/cpu.max"];
    unsigned least = 0;

    if (!read_file(root, "/proc/self/cgroup", text) || !find_group(text, group))
        return 0;
    for (char *end = group + strlen(group); end != NULL;
         end = strrchr(group, '/')) {
        *end = '\0';
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", group);
        if (read_file(root, path, text))
            least = least_quota(least, quota_of(text));
    }
    return least;
}

/* ---- Processors ---------------------------------------------------------- */

unsigned ht_online_processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online > 0 ? (unsigned)online : 1;
}

/* Grows the set until it is as large as the kernel's. */
static unsigned affinity(void)
{
#ifdef CPU_ALLOC
    for (int cpus = CPU_SETSIZE; cpus <= MOST_CPUS; cpus *= 2) {
        size_t size = CPU_ALLOC_SIZE(cpus);
        cpu_set_t *set = CPU_ALLOC(cpus);
        int count = 0;

        if (set == NULL)
            break;
        if (sched_getaffinity(0, size, set) == 0)
            count = CPU_COUNT_S(size, set);
        bool too_small = count == 0 && errno == EINVAL;
        CPU_FREE(set);
        if (count > 0)
            return (unsigned)count;
        if (!too_small)
            break;
    }
#endif
    return ht_online_processors();
}

unsigned ht_processors_in(const char *root)
{
    return least_quota(affinity(), ht_quota_in(root));
}

unsigned ht_processors(void)
{
    return ht_processors_in("");
}

/* ---- Load ---------------------------------------------------------------- */

/* Says whether the text of a thread's stat has the state R, behind the name in
 * parentheses, which may have any. */
static bool runs(const char *stat)
{
    const char *name_end = strrchr(stat, ')');

    return name_end != NULL && strncmp(name_end, ") R", 3) == 0;
}

unsigned ht_running_in(const char *root)
{
    char text[MOST_TEXT + 1], path[MOST_PATH];
    const struct dirent *thread;
    unsigned count = 0;

    snprintf(path, sizeof path, "%s/proc/self/task", root);
    DIR *folder = opendir(path);
    while (folder != NULL && (thread = readdir(folder)) != NULL) {
        snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread->d_name);
        if (thread->d_name[0] != '.' && read_file(root, path, text) &&
            runs(text))
            count++;
    }
    if (folder != NULL)
        closedir(folder);
    return count > 0 ? count : 1;
}

/* The fourth number is of this moment, with all who run. The ones before are
 * means of minutes: they miss jobs that have just begun, and remember others
 * that are over. */
unsigned ht_others_in(const char *loadavg, unsigned own)
{
    unsigned running = 0;

    if (sscanf(loadavg, "%*f %*f %*f %u/", &running) != 1)
        return 0;
    return running > own ? running - own : 0;
}

unsigned ht_others(void)
{
    char text[MOST_TEXT + 1];

    return read_file("", "/proc/loadavg", text)
               ? ht_others_in(text, ht_running_in(""))
               : 0;
}

/* ---- Threads ------------------------------------------------------------- */

unsigned ht_threads_among(unsigned others, unsigned online, unsigned allowed)
{
    unsigned least = others + online / 8 < online ? 2 : 1;
    unsigned left = online > others + least ? online - others : least;

    return left < allowed ? left : allowed;
}

unsigned ht_default_threads(void)
{
    return ht_threads_among(ht_others(), ht_online_processors(),
                            ht_processors());
}
